// SPDX-License-Identifier: MIT
// The files of a model folder as bytes: what a recording carries so that it needs no other file.
#pragma once
#include <string>
#include <vector>

#include "engine/step/model_folder.h"

namespace rodeo::engine {

/// The machine file that the kernel was made from, and what was given with it: {"file", "text", "overrides", "method"}.
inline constexpr const char* kSourceFile = "source.json";

struct ModelFile {
  std::string name;   // within the folder
  std::string bytes;  // all of it
};
using ModelFiles = std::vector<ModelFile>;

/// interface.json and the kernel that it names, and the kernel's source and header, the scene and the machine file if they are there (no
/// meshes). Throws KernelError, also
/// if the folder has become another model than the one that was loaded from it.
[[nodiscard]] ModelFiles build_model_files(const ModelFolder& model);

}  // namespace rodeo::engine
