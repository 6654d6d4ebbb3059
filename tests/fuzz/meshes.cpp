// SPDX-License-Identifier: MIT
// Meshes of strangers: a whole one is shown, any other is refused with a reason; OpenSceneGraph's readers never see what breaks them.
// The first byte chooses OBJ, STL or PLY.
#include <stdlib.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include "viz/scene/mesh.h"

namespace {

namespace fs = std::filesystem;

/// The kind is read off the name, so it is a file of its own; in memory where there is a place for that.
fs::path build_folder() {
  std::string name =
      (fs::exists("/dev/shm") ? "/dev/shm" : fs::temp_directory_path().string()) + "/rodeo_fuzz_XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) std::abort();
  static const struct Remover {
    fs::path path;
    ~Remover() { fs::remove_all(path); }
  } remover{name};
  return name;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fs::path folder = build_folder();
  static constexpr std::array kinds{"mesh.obj", "mesh.stl", "mesh.ply"};
  if (size == 0) return 0;
  const fs::path path = folder / kinds[data[0] % kinds.size()];
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data) + 1, static_cast<std::streamsize>(size - 1));
  const rodeo::viz::Mesh mesh = rodeo::viz::build_mesh(path, {1, 1, 1, 1});
  if (mesh.node == nullptr && mesh.fault.empty()) std::abort();
  return 0;
}
