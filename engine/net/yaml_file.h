// SPDX-License-Identifier: MIT
// Small YAML files of the run-time side (site, gamepad map), read strictly: an unknown or repeated key, a value that is no number,
// are errors that name file, line and what is there to choose from. The machine's own files are read by kinematics/text, which
// the engine does not know.
#pragma once
#include <yaml-cpp/yaml.h>

#include <string>
#include <string_view>
#include <vector>

namespace rodeo::engine {

struct YamlEntry;

/// A node with the name of its file, and what errors call it (`drive 'lift'`).
class YamlNode {
 public:
  /// Throw IoError.
  [[nodiscard]] static YamlNode build_from_file(const std::string& path);
  [[nodiscard]] static YamlNode build_from_text(const std::string& text, const std::string& file);

  /// The entries of a map, in the file's order; throws if this is no map or has a key twice.
  [[nodiscard]] std::vector<YamlEntry> entries() const;
  /// The same, and every key is one of `allowed`.
  [[nodiscard]] std::vector<YamlEntry> entries_of(const std::vector<std::string_view>& allowed) const;
  [[nodiscard]] double number() const;
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool is_map() const { return node_.IsMap(); }

  /// Throws IoError: `file:line: what: why`.
  [[noreturn]] void refuse(const std::string& why) const;
  [[nodiscard]] YamlNode named(std::string what) const;

 private:
  YamlNode(std::string file, std::string what, const YAML::Node& node, const YAML::Mark& mark)
      : file_(std::move(file)), what_(std::move(what)), node_(node), mark_(mark) {}

  std::string file_;
  std::string what_;
  YAML::Node node_;
  YAML::Mark mark_;  // of the key, where there is one: an empty value has no line of its own
};

struct YamlEntry {
  std::string key;
  YamlNode value;
};

}  // namespace rodeo::engine
