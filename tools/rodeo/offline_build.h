// SPDX-License-Identifier: MIT
// From a machine file to a folder with its compiled kernel; kernels are kept in a cache by fingerprint.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/files/signature.h"

namespace rodeo::tools {

/// The folder of a model in the cache, built if it is not there: kernel.c, rodeo_kernel.h, kernel.so, interface.json,
/// certificate.json. Other parameters (-p) take the same compiled kernel where the branch is the same. `method`: minimal or
/// lagrange; empty: minimal in the plane, lagrange in space, where minimal is refused as an error of the command line.
[[nodiscard]] std::string build_or_find_kernel(const std::string& path,
                                               const std::vector<std::string>& overrides,
                                               const std::string& method = "");

/// What our own generator makes of the machine file in `source` (a recording's source.json), compiled here: the folder of it in the
/// cache, without a scene. None unless its kernel.c is `kernel_source`, to the letter.
[[nodiscard]] std::optional<std::string> build_same_kernel(const std::string& source,
                                                           const std::string& kernel_source);

/// Writes what `rodeo build` would write into a folder that is there, compiled quickly and without a scene: for a look
/// at the start, not for the cache. Throws what the build would throw.
void build_trial(const std::string& path, const std::vector<std::string>& overrides,
                 const std::string& folder);

/// A built folder under another name, signed with the key; whole or not at all. Refuses to replace a folder that is something else.
void copy_folder(const std::string& built, const std::string& target,
                 const std::optional<engine::SecretKey>& key = std::nullopt);

}  // namespace rodeo::tools
