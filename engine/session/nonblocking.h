// SPDX-License-Identifier: MIT
// What a tick promises, said to the compiler: RODEO_NONBLOCKING after noexcept. clang 20 and later check it while they compile
// (-Wfunction-effects, on in engine/loop) and, with -fsanitize=realtime (the preset `rtsan`), while it runs: an allocation, a
// lock or a system call ends the program there. To other compilers it says nothing. Overriding functions inherit it.
#pragma once

#if __has_cpp_attribute(clang::nonblocking)
#define RODEO_NONBLOCKING [[clang::nonblocking]]
#else
#define RODEO_NONBLOCKING
#endif

#ifdef __has_feature
#if __has_feature(realtime_sanitizer)
#define RODEO_REALTIME_SANITIZER
#include <sanitizer/rtsan_interface.h>
#endif
#endif

namespace rodeo::engine {

/// While it lives the sanitizer looks away; each use says why it may.
#ifdef RODEO_REALTIME_SANITIZER
using NonblockingUnchecked = __rtsan::ScopedDisabler;
#else
struct NonblockingUnchecked {
  NonblockingUnchecked() noexcept {}  // a name without a use is no warning so
};
#endif

}  // namespace rodeo::engine
