// SPDX-License-Identifier: MIT
// Bond graphs from text for tests, and the folder in which subsets and libraries are written.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "kinematics/bondgraph/graph.h"
#include "kinematics/text/yaml.h"

namespace rodeo::bondgraph {

inline Graph build_from_text(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return build_graph(text::build_yaml_from_text(text, "m.yaml"), "m.yaml", overrides);
}

/// The lines of the error, empty when the text is read without one.
inline std::string faults_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    static_cast<void>(build_from_text(text, overrides));
  } catch (const text::ModelError& error) {
    return error.what();
  }
  return {};
}

inline const Element& element(const Graph& graph, const std::string& name) {
  const int index = graph.find_element(name);
  EXPECT_GE(index, 0) << name;
  return graph.elements.at(static_cast<std::size_t>(index));
}

/// A mass that a source pushes, with more elements, each on the junction v, and more sections.
inline std::string around_mass(const std::string& elements, const std::string& bonds,
                               const std::string& more = "") {
  return "elements:\n  push: {Se: 1}\n  mass: {I: 2}\n" + elements +
         "junctions: {v: 1}\nbonds:\n  - push -> v\n  - v -> mass\n" + bonds + more;
}

/// One more element `x` on the junction.
inline std::string with_element(const std::string& value, const std::string& more = "") {
  return around_mass("  x: " + value + "\n", "  - v -> x\n", more);
}

/// A folder of its own that goes away with the test.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              ("rodeo_bondgraph_" + std::to_string(getpid()) + "_" + std::to_string(count()++))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file.string();
  }
  [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }

  /// Error lines of a model in this folder, the folder's name taken out.
  [[nodiscard]] std::string faults_of_file(const std::string& name) const {
    try {
      static_cast<void>(build_graph_from_file(*this / name));
    } catch (const text::ModelError& error) {
      std::string lines = error.what();
      const std::string prefix = path_.string() + "/";
      for (std::size_t at = lines.find(prefix); at != std::string::npos; at = lines.find(prefix))
        lines.erase(at, prefix.size());
      return lines;
    }
    return {};
  }

 private:
  static int& count() {
    static int value = 0;
    return value;
  }
  std::filesystem::path path_;
};

}  // namespace rodeo::bondgraph
