// SPDX-License-Identifier: MIT
// `rodeo new`: a copy of one of the examples of configs/ and its folders, comments and all, under a name of its own. Nothing is
// written over, and what -p changes is read again before it is written.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "kinematics/bondgraph/graph.h"
#include "kinematics/machine/machine.h"
#include "kinematics/spatial/machine.h"
#include "kinematics/text/named_file.h"
#include "kinematics/text/yaml.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/configs_path.h"
#include "tools/rodeo/offline_model.h"
#include "tools/rodeo/offline_rewrite.h"
#include "tools/rodeo/output.h"

namespace rodeo::tools {

void add_new(CLI::App& app);

namespace {

namespace fs = std::filesystem;

struct NewOptions {
  std::string name;
  std::string from = "four_bar";
  std::vector<std::string> overrides;  // -p NAME=VALUE
};

std::string read_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

fs::path find_template(const std::string& from) {
  const auto configs = find_configs();
  if (!configs) throw OutputError("the folder configs/ is nowhere near this program: install Rodeo again");
  const std::vector<std::string> found = find_examples(*configs, from);
  if (found.size() == 1) return *configs / (found.front() + ".yaml");
  if (found.empty()) {
    throw CLI::ValidationError("--from", fmt::format("there is no example '{}' (there are {})", from,
                                                     text::join_names(list_examples(*configs), 100)));
  }
  throw CLI::ValidationError(
      "--from", fmt::format("there is more than one '{}': give one of {}", from, fmt::join(found, ", ")));
}

/// The text with the value of its line `name: ...` replaced, or with such a line in front.
std::string rename(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  std::string renamed, line;
  bool is_done = false;
  while (std::getline(lines, line)) {
    if (!is_done && line.starts_with("name:")) {
      line = "name: " + name;
      is_done = true;
    }
    renamed += line + '\n';
  }
  return is_done ? renamed : "name: " + name + '\n' + renamed;
}

/// Where a value that begins at `at` ends: a blank, a comma or a bracket.
std::size_t find_value_end(const std::string& text, std::size_t at) {
  return std::min(text.find_first_of(" ,}\n#", at), text.size());
}

/// What the file names beside itself goes beside the new one, under the same name; what is there already stays, and what is
/// found in the library is found from anywhere.
void copy_named_files(const std::string& text, const fs::path& source, const fs::path& target) {
  for (const std::string key : {"mesh: ", "subset: ", "library: "}) {
    for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at)) {
      at += key.size();
      const std::string name = text.substr(at, find_value_end(text, at) - at);
      const fs::path copy = fs::absolute(target).parent_path() / name;
      const auto found = text::find_named_file(source, name, text::Library::none);
      if (!found || fs::exists(copy)) continue;
      fs::create_directories(copy.parent_path());
      fs::copy_file(*found, copy);
      fmt::print("Wrote {}.\n", copy.lexically_proximate(fs::current_path()).string());
      if (key == "subset: ") copy_named_files(read_text(*found), *found, copy);
    }
  }
}

/// Of a machine in the plane or in space, or of a bond graph.
std::vector<expr::Parameter> read_parameters(const std::string& text, const fs::path& file,
                                             const std::vector<std::string>& overrides) {
  const text::Node root = text::build_yaml_from_text(text, file.string());
  if (!machine::is_machine(root)) return bondgraph::build_graph(root, file.string(), overrides).parameters;
  return spatial::is_spatial(root) ? spatial::build_machine(root, file.string(), overrides).parameters
                                   : machine::build_machine(root, file.string(), overrides).parameters;
}

/// The text with the values of -p in it; what it then says is what -p asked for.
std::string with_parameters(std::string text, const fs::path& file,
                            const std::vector<std::string>& overrides) {
  if (overrides.empty()) return text;
  const std::vector<expr::Parameter> asked = read_parameters(text, file, overrides);
  for (const std::string& override : overrides) {
    const std::size_t cut = override.find('=');
    const text::Node root = text::build_yaml_from_text(text, file.string());
    text = build_with_parameter(text, root, override.substr(0, cut), override.substr(cut + 1));
  }
  const std::vector<expr::Parameter> written = read_parameters(text, file, {});
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (written.at(i).value == asked[i].value) continue;
    throw OutputError(
        fmt::format("the layout of {} keeps -p from changing '{}': change it in the new file by hand",
                    file.string(), asked[i].name));
  }
  return text;
}

/// Where the machine goes: NAME.yaml.
fs::path find_target(const std::string& name) {
  const fs::path path = name.ends_with(".yaml") ? name : name + ".yaml";
  if (!expr::is_name(path.stem().string())) {
    throw CLI::ValidationError(
        "NAME",
        fmt::format("'{}' is no name: it is made of letters, digits, _ and -, and starts with a letter",
                    path.stem().string()));
  }
  return path;
}

void run_new(const NewOptions& options) {
  const fs::path target = find_target(options.name);
  const fs::path source = find_template(options.from);
  if (fs::exists(fs::symlink_status(target))) {
    throw OutputError(
        fmt::format("'{}' exists already: choose another name, or remove it first", target.string()));
  }
  const std::string renamed = rename(read_text(source), target.stem().string());
  const std::string text = with_parameters(renamed, source, options.overrides);
  write_file(target.string(), text);
  copy_named_files(text, source, target);
  fmt::print("Wrote {0}. Next: rodeo check {0}\n", target.string());
}

}  // namespace

void add_new(CLI::App& app) {
  auto options = std::make_shared<NewOptions>();
  CLI::App* command = app.add_subcommand("new", "A machine file to start from, commented");
  command->add_option("NAME", options->name, "Name of the machine; the file is NAME.yaml")->required();
  command
      ->add_option("--from", options->from,
                   "The example of configs/ or its folders to copy: four_bar, free/pendulum, graphs/rlc")
      ->capture_default_str();
  add_parameter_option(*command, options->overrides);
  command->footer("Example: rodeo new my_linkage --from four_bar -p L1=0.6");
  command->callback([options] { run_new(*options); });
}

}  // namespace rodeo::tools
