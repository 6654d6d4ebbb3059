// SPDX-License-Identifier: MIT
// `rodeo view MODEL --watch`: builds a machine file again whenever it or one of its meshes changes. The viewer watches a link to what was
// built last; a build that failed leaves the link alone and its sentence in a file beside it.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace rodeo::tools {

class ModelWatch {
 public:
  /// Builds once; throws what is wrong with the model. `link`: to be made; LINK.fault: where sentences go.
  ModelWatch(std::string model, std::vector<std::string> overrides, std::filesystem::path link);

  /// Builds again if something has changed. Throws nothing: what is wrong goes to the file.
  void look();

 private:
  void build();
  [[nodiscard]] std::string calc_stamp() const;

  std::string model_;
  std::vector<std::string> overrides_;
  std::filesystem::path link_;
  std::filesystem::path built_;
  std::string stamp_;
};

}  // namespace rodeo::tools
