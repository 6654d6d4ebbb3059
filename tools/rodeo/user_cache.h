// SPDX-License-Identifier: MIT
// Where built folders are kept, and how one comes to be: whole under its name, or not at all.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "engine/files/signature.h"

namespace rodeo::tools {

/// $RODEO_CACHE, $XDG_CACHE_HOME/rodeo, or .cache/rodeo in the user's home: a folder of this user's that nobody else may enter.
/// Where there is none (it cannot be made, is another's, or others may write to it: told once on stderr), a private folder
/// that goes with this process: then everything is only slower.
[[nodiscard]] std::filesystem::path find_cache();

/// True if the cache can no longer be written to, on a full disk say: from here on find_cache() gives the private folder.
[[nodiscard]] bool leave_full_cache();

/// What is left in the cache of builds that were killed.
void clear_cache();

/// A folder in the making. It is locked, and what a killed process left is cleared away by the next one.
class NewFolder {
 public:
  /// Throws OutputError if the folder cannot be made beside `target`.
  explicit NewFolder(std::filesystem::path target);
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return work_; }

  /// Writes checksums.txt, signs it with the key, writes everything to the disk, and takes the place of what is there, in one step: of several at once
  /// each succeeds, and the last one's stays.
  void keep(const std::optional<engine::SecretKey>& key = std::nullopt);

 private:
  std::filesystem::path target_;
  std::filesystem::path work_;
  int lock_ = -1;
};

}  // namespace rodeo::tools
