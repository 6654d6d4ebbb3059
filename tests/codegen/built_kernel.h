// SPDX-License-Identifier: MIT
// Kernels for tests: a machine built once into a cache of this build of the program, loaded by the C ABI alone.
#pragma once
#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "engine/kernel/rodeo_kernel.h"
#include "tools/rodeo/offline_build.h"

namespace rodeo::codegen {

namespace fs = std::filesystem;

inline const fs::path kSource = RODEO_SOURCE_DIR;

inline std::string read_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// What a command prints, both streams.
inline std::string run(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>&1").c_str(), "r"), &pclose);
  std::string text;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;)
    text.append(buffer.data(), n);
  return text;
}

inline bool has_program(const std::string& name) { return !run("command -v " + name).empty(); }

/// Every machine of configs/ and of tests/machines/.
inline std::vector<std::string> find_machines(const std::vector<std::string>& folders) {
  std::vector<std::string> files;
  for (const std::string& folder : folders) {
    if (!fs::exists(kSource / folder)) continue;
    for (const auto& entry : fs::directory_iterator(kSource / folder)) {
      if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

inline std::string config(const std::string& name) {
  for (const char* folder : {"configs", "tests/machines"}) {
    const fs::path path = kSource / folder / (name + ".yaml");
    if (fs::exists(path)) return path.string();
  }
  return name;
}

inline std::string machine_name(const testing::TestParamInfo<std::string>& info) {
  return fs::path(info.param).stem().string();
}

/// A folder of this test, gone when it ends.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "rodeo_codegen_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const fs::path& path() const noexcept { return path_; }

 private:
  fs::path path_;
};

/// Tests run in a process each and side by side: one cache for all of them, beside the program that fills it and named by
/// its age, so that a generator that was built anew starts from nothing; one builder at a time, which holds this.
class SharedCache {
 public:
  SharedCache() {
    struct stat program {};
    stat(RODEO_PROGRAM, &program);
    const fs::path root = fs::path(RODEO_PROGRAM).parent_path() / "codegen_test_cache";
    const fs::path cache =
        root / (std::to_string(program.st_mtim.tv_sec) + "_" + std::to_string(program.st_mtim.tv_nsec));
    fs::create_directories(root);
    lock_ = open((root / "lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    flock(lock_, LOCK_EX);
    if (!fs::exists(cache)) {
      for (const auto& older : fs::directory_iterator(root)) {
        if (older.is_directory()) fs::remove_all(older.path());
      }
      fs::create_directories(cache);
    }
    setenv("RODEO_CACHE", cache.c_str(), 1);
  }
  ~SharedCache() { close(lock_); }
  SharedCache(const SharedCache&) = delete;
  SharedCache& operator=(const SharedCache&) = delete;

 private:
  int lock_ = -1;
};

inline std::string built_folder(const std::string& file, const std::vector<std::string>& overrides = {},
                                const std::string& method = "") {
  const SharedCache cache;
  return tools::build_or_find_kernel(file, overrides, method);
}

/// The table of a shared object, which stays loaded.
inline const rodeo_kernel* load_kernel(const fs::path& shared_object) {
  void* library = dlopen(shared_object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  return reinterpret_cast<const rodeo_kernel* (*)()>(dlsym(library, "rodeo_kernel_get"))();
}

/// One machine of a kernel, with its memory.
class Instance {
 public:
  explicit Instance(const rodeo_kernel* kernel)
      : k(kernel), memory(kernel->instance_bytes / sizeof(double) + 1) {}

  int init() { return k->init(memory.data(), k->default_parameters, k->start_drives); }
  int init(const std::vector<double>& parameters, const std::vector<double>& positions) {
    return k->init(memory.data(), parameters.data(), positions.data());
  }
  int step(const std::vector<double>& drives, std::vector<double>& outputs) {
    outputs.resize(k->n_outputs);
    return k->step(memory.data(), drives.data(), outputs.data());
  }
  [[nodiscard]] double margin() const { return k->margin(memory.data()); }
  [[nodiscard]] std::vector<double> state() const {
    std::vector<double> states(k->n_states);
    k->get_state(memory.data(), states.data());
    return states;
  }
  [[nodiscard]] double closure() const {
    double largest = -1.0;
    EXPECT_EQ(k->closure(memory.data(), state().data(), &largest), RODEO_OK);
    return largest;
  }

  const rodeo_kernel* k;
  std::vector<double> memory;
};

inline std::vector<double> default_parameters(const rodeo_kernel* k) {
  return {k->default_parameters, k->default_parameters + k->n_parameters};
}
inline std::vector<double> start_drives(const rodeo_kernel* k) {
  return {k->start_drives, k->start_drives + k->n_drives};
}

/// Index of an output by name; fails the test if there is none.
inline std::size_t find_output(const rodeo_kernel* k, const std::string& name) {
  for (std::size_t i = 0; i < k->n_outputs; ++i) {
    if (k->outputs[i].name == name) return i;
  }
  ADD_FAILURE() << "no output " << name;
  return 0;
}

}  // namespace rodeo::codegen
