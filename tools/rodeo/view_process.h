// SPDX-License-Identifier: MIT
// The program rodeo-view, which `rodeo view` starts, and a folder that lives as long as it.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace rodeo::tools {

/// Gone with its object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

/// Beside this program; throws std::runtime_error with what to install.
[[nodiscard]] std::string find_viewer();

/// Becomes the viewer; does not return.
[[noreturn]] void become_viewer(const std::string& program, const std::vector<std::string>& arguments);

/// Starts the viewer and calls `work` about five times a second until it has ended; its exit status. SIGINT and SIGTERM are passed on.
[[nodiscard]] int run_viewer(const std::string& program, const std::vector<std::string>& arguments,
                             const std::function<void()>& work);

}  // namespace rodeo::tools
