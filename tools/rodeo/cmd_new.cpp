// SPDX-License-Identifier: MIT
// `rodeo new`: a copy of one of the machines of configs/, comments and all, under a name of its own. Nothing is
// written over, and nothing is written that `rodeo check` would not read.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "kinematics/machine/machine.h"
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

bool is_machine_file(const fs::path& path) {
  try {
    return path.extension() == ".yaml" && machine::is_machine(text::build_yaml_from_file(path.string()));
  } catch (const text::ModelError&) {
    return false;
  }
}

std::vector<std::string> list_machines(const fs::path& configs) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(configs)) {
    if (is_machine_file(entry.path())) names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

fs::path find_template(const std::string& from) {
  const auto configs = find_configs();
  if (!configs) throw OutputError("the folder configs/ is nowhere near this program: install Rodeo again");
  const std::vector<std::string> machines = list_machines(*configs);
  const std::string name = from.ends_with(".yaml") ? fs::path(from).stem().string() : from;
  if (std::find(machines.begin(), machines.end(), name) != machines.end()) return *configs / (name + ".yaml");
  throw CLI::ValidationError(
      "--from", fmt::format("there is no machine '{}' (there are {})", from, text::join_names(machines, 40)));
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

/// Meshes are named from the folder of the file: seen from the new one, they are elsewhere.
std::string with_meshes_of(std::string text, const fs::path& source, const fs::path& target) {
  const std::string near = "mesh: ../assets/";
  const fs::path assets = fs::absolute(source).parent_path().parent_path() / "assets";
  std::error_code failure;
  const fs::path way = fs::relative(assets, fs::absolute(target).parent_path(), failure);
  const std::string far = "mesh: " + (failure || way.empty() ? assets : way).string() + "/";
  for (std::size_t at = text.find(near); at != std::string::npos; at = text.find(near, at + far.size())) {
    text.replace(at, near.size(), far);
  }
  return text;
}

machine::Machine read_machine(const std::string& text, const fs::path& file,
                              const std::vector<std::string>& overrides) {
  return machine::build_machine(text::build_yaml_from_text(text, file.string()), file.string(), overrides);
}

/// The text with the values of -p in it; what it then says is what -p asked for.
std::string with_parameters(std::string text, const fs::path& file,
                            const std::vector<std::string>& overrides) {
  const machine::Machine asked = read_machine(text, file, overrides);
  for (const std::string& override : overrides) {
    const std::size_t cut = override.find('=');
    const text::Node root = text::build_yaml_from_text(text, file.string());
    text = build_with_parameter(text, root, override.substr(0, cut), override.substr(cut + 1));
  }
  const machine::Machine written = read_machine(text, file, {});
  for (std::size_t i = 0; i < asked.parameters.size(); ++i) {
    if (written.parameters.at(i).value == asked.parameters[i].value) continue;
    throw OutputError(
        fmt::format("the layout of {} keeps -p from changing '{}': change it in the new file by hand",
                    file.string(), asked.parameters[i].name));
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
  const std::string renamed =
      with_meshes_of(rename(read_text(source), target.stem().string()), source, target);
  const std::string text = with_parameters(renamed, source, options.overrides);
  write_file(target.string(), text);
  fmt::print("Wrote {0}. Next: rodeo check {0}\n", target.string());
}

}  // namespace

void add_new(CLI::App& app) {
  auto options = std::make_shared<NewOptions>();
  CLI::App* command = app.add_subcommand("new", "A machine file to start from, commented");
  command->add_option("NAME", options->name, "Name of the machine; the file is NAME.yaml")->required();
  command->add_option("--from", options->from, "The machine of configs/ to copy")->capture_default_str();
  add_parameter_option(*command, options->overrides);
  command->footer("Example: rodeo new my_linkage --from four_bar -p L1=0.6");
  command->callback([options] { run_new(*options); });
}

}  // namespace rodeo::tools
