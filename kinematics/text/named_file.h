// SPDX-License-Identifier: MIT
// Files that a model names: meshes, subsets, libraries of functions. A model may come from a stranger: what it names lies below
// its own folder or below the library that comes with Rodeo, and is a regular file; links that lead elsewhere are not followed.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace rodeo::text {

/// Where else than beside the model a file is looked for.
enum class Library { none, subsets, meshes };

/// Why a model may not name this at all, as the end of a sentence; empty where it may.
[[nodiscard]] std::string find_name_fault(const std::string& name);

/// Beside the model; then, of subsets, in `library/` there; then in the library above the model or above the program. None
/// if it is nowhere, or only where it may not be.
[[nodiscard]] std::optional<std::filesystem::path> find_named_file(const std::filesystem::path& model,
                                                                   const std::string& name, Library library);

}  // namespace rodeo::text
