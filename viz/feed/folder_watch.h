// SPDX-License-Identifier: MIT
// Whether a folder has been built again, seen by its files' sizes and times, also through a link; and what the builder has to say: a
// file beside the folder, FOLDER.fault, with the sentence of a build that failed.
#pragma once
#include <filesystem>
#include <string>

namespace rodeo::viz {

class FolderWatch {
 public:
  explicit FolderWatch(std::filesystem::path folder);

  /// True once after the folder has changed and is there.
  [[nodiscard]] bool take_change();
  /// The text of FOLDER.fault; empty without one.
  [[nodiscard]] std::string read_fault() const;

 private:
  [[nodiscard]] std::string calc_stamp() const;

  std::filesystem::path folder_;
  std::string stamp_;
};

}  // namespace rodeo::viz
