// SPDX-License-Identifier: MIT
// Is a file a whole shared object? The dynamic linker maps a cut-off file without a word and dies of SIGBUS when it
// touches what is missing, so this is asked first.
#pragma once
#include <string>

namespace rodeo::engine {

/// Throws KernelError if `path` cannot be read, is no 64-bit ELF shared object of this processor, or ends before its
/// own headers say. Errors begin with `where`.
void check_shared_object(const std::string& path, const std::string& where);

}  // namespace rodeo::engine
