// SPDX-License-Identifier: MIT
// Counts calls of malloc and its kin by thread; see thread_allocations.cpp.
#pragma once

namespace rodeo::engine::testing_support {

/// Calls so far of this thread; negative where a sanitizer owns malloc and nothing is counted.
[[nodiscard]] long thread_allocation_count() noexcept;

}  // namespace rodeo::engine::testing_support
