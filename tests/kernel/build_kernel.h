// SPDX-License-Identifier: MIT
// The hand-written four-bar, compiled at run time with `cc`, in a folder that goes away with the test.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "engine/files/checksums.h"
#include "engine/kernel/kernel.h"

namespace rodeo::engine::testing_support {

namespace fs = std::filesystem;

inline std::string read_file(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

inline void write_file(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = testing::TempDir() + "rodeo_kernel_XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryFolder() { fs::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] fs::path operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

inline void compile(const std::string& source, const fs::path& object, const std::string& flags = "") {
  const std::string command = fmt::format(
      "cc -std=c99 -Wall -Wextra -Werror -O2 -ffp-contract=off -fPIC -shared {} -I'{}' '{}' -o '{}' -lm",
      flags, RODEO_SOURCE_DIR, source, object.string());
  if (std::system(command.c_str()) != 0) throw std::runtime_error("cannot compile: " + command);
}

/// flags: -D of four_bar_kernel.c.
inline void compile_four_bar(const fs::path& object, const std::string& flags = "") {
  compile(RODEO_SOURCE_DIR "/tests/kernel/four_bar_kernel.c", object, flags);
}

/// One four-bar for all tests of a program: dlopen keeps it anyway.
inline const fs::path& four_bar_object() {
  static const TemporaryFolder folder;
  static const fs::path object = [] {
    compile_four_bar(folder / "kernel.so");
    return folder / "kernel.so";
  }();
  return object;
}

/// `[{"name": "tip.x", "unit": "m"}]`
inline std::string list_channels(std::span<const rodeo_channel> channels) {
  std::string list;
  for (const rodeo_channel& channel : channels)
    list += fmt::format(R"({}{{"name": "{}", "unit": "{}"}})", list.empty() ? "" : ", ", channel.name,
                        channel.unit);
  return "[" + list + "]";
}

/// A model folder as `rodeo build` writes it; `limits` is what stands beside the drive's name.
inline void write_model_folder(const fs::path& folder, const std::string& limits = "",
                               const std::string& fingerprint = "4ba40000") {
  const Kernel kernel = Kernel::build_from_file(four_bar_object().string());
  fs::create_directories(folder);
  fs::copy_file(four_bar_object(), folder / "kernel.so", fs::copy_options::overwrite_existing);
  write_file(
      folder / "interface.json",
      fmt::format(R"({{"name": "four_bar", "kernel": "kernel.so", "model_fingerprint": "{}", "drives": [)"
                  R"({{"name": "crank", "unit": "rad"{}}}], "channels": {}, "parameters": {}}})",
                  fingerprint, limits.empty() ? "" : ", " + limits, list_channels(kernel.outputs()),
                  list_channels(kernel.parameters())));
  write_checksums(folder.string());
}

}  // namespace rodeo::engine::testing_support
