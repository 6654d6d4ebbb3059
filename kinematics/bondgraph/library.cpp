// SPDX-License-Identifier: MIT
// dlopen and dlsym with sentences for what can go wrong.
#include "kinematics/bondgraph/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <stdexcept>

#include "kinematics/bondgraph/exported.h"

namespace rodeo::bondgraph {
namespace {

/// A name without a slash would be looked for in the system's folders.
std::string path_for_dlopen(const std::string& library) {
  return library.find('/') == std::string::npos ? "./" + library : library;
}

std::set<std::string>& allowed() {
  static std::set<std::string> paths;
  return paths;
}

void* open_library(const std::string& library) {
  if (!is_library_allowed(library))
    throw std::invalid_argument(
        fmt::format("library '{}' is native code, which was not allowed to run", library));
  void* handle = dlopen(path_for_dlopen(library).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    throw std::invalid_argument(fmt::format("library '{}' cannot be loaded: {}", library, dlerror()));
  return handle;
}

}  // namespace

std::string find_function_fault(const std::string& library, const std::string& function) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(library, ignored))
    return fmt::format("there is no library '{}': a library's path counts from the model file", library);
  const auto exported = read_exported(library);
  if (!exported) return fmt::format("'{}' is no shared library of a 64-bit Linux", library);
  if (exported->contains(function)) return "";
  return fmt::format("library '{}' has no function '{}': in C++ it must be extern \"C\"", library, function);
}

void allow_library(const std::string& library) { allowed().insert(library); }

bool is_library_allowed(const std::string& library) { return allowed().contains(library); }

LibraryFunction LibraryFunctions::build_function(const std::string& library, const std::string& function) {
  LibraryFunction& known = functions_[library + '\n' + function];
  if (known != nullptr) return known;
  void*& handle = libraries_[library];
  if (handle == nullptr) handle = open_library(library);
  known = reinterpret_cast<LibraryFunction>(dlsym(handle, function.c_str()));
  if (known == nullptr) {
    throw std::invalid_argument(
        fmt::format("library '{}' has no function '{}': in C++ it must be extern \"C\"", library, function));
  }
  return known;
}

double LibraryFunctions::build_value(const expr::Node& call, const std::vector<double>& operands) {
  const std::size_t cut = call.name.find('\n');
  const auto known = functions_.find(call.name);
  const LibraryFunction function = known != functions_.end() && known->second != nullptr
                                       ? known->second
                                       : build_function(call.name.substr(0, cut), call.name.substr(cut + 1));
  return function(operands[0], operands.data() + 1, static_cast<int>(operands.size()) - 1);
}

}  // namespace rodeo::bondgraph
