// SPDX-License-Identifier: MIT
// checksums.txt of a built folder: a line a file, BLAKE2b of 512 bits, as `b2sum` writes and `b2sum -c` reads them. Written
// last, so that a folder without it is not whole; compared before anything of the folder is believed or loaded.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace rodeo::engine {

inline constexpr const char* kChecksums = "checksums.txt";

/// 128 hexadecimal digits.
[[nodiscard]] std::string calc_checksum(std::string_view bytes);

/// Of every regular file below `folder`, in the order of their names; throws std::runtime_error.
void write_checksums(const std::string& folder);

/// What is not as it was built, a sentence each that begins with the path; nothing where all is well. `needed`: files that
/// must be listed. Files that are not listed are nobody's business.
[[nodiscard]] std::vector<std::string> find_damage(const std::string& folder,
                                                   const std::vector<std::string>& needed = {});

}  // namespace rodeo::engine
