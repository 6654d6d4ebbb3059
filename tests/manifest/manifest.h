// SPDX-License-Identifier: MIT
// One line a (model, method, thing) of configs/: `configs/four_bar.yaml minimal kernel.c 0123456789abcdef`, a hash, a refusal's
// sentence, or the last row of a log. Made by the program itself, a process a thing: in one process the text of a kernel depends on
// what was built before it.
//
// Left out: graph.svg (Graphviz of another version places otherwise; the .dot is here), the full and reduced equations of vector
// graphs (up to a minute each; their vector form is here), kernel.so (the compiler's).
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <fstream>
#include <string>
#include <vector>

#include "engine/session/session.h"
#include "kinematics/machine/machine.h"
#include "kinematics/spatial/machine.h"
#include "kinematics/text/yaml.h"
#include "tests/codegen/built_kernel.h"
#include "tests/manifest/stable_text.h"

namespace rodeo::manifest {

namespace fs = std::filesystem;
using codegen::kSource;
using codegen::read_text;

constexpr int kTicks = 10000;

/// Every model of configs/: machines, bond graphs, and parts of these.
inline std::vector<std::string> find_models() {
  std::vector<std::string> models;
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "configs")) {
    if (entry.path().extension() != ".yaml") continue;
    const text::Node root = text::build_yaml_from_file(entry.path().string());
    bool is_model = false;
    for (const char* key : {"bodies", "drawing", "elements", "junctions"})
      is_model = is_model || root.find(key) != nullptr;
    if (is_model) models.push_back(fs::relative(entry.path(), kSource).string());
  }
  std::sort(models.begin(), models.end());
  return models;
}

/// The checksum of a session of 10,000 ticks at 1 kHz. Every drive goes to and fro at half its speed, 1 s, 2 s, 2 s, ...; what comes from
/// outside is 0 for 5 s, then 1 N, N m or kg.
inline std::string run_session(const std::string& folder) {
  const engine::ModelFolder model = engine::ModelFolder::build_from(folder);
  engine::Session session(model, {}, {{"start", model.start}});
  std::vector<engine::Command> commands(model.limits.size());
  std::vector<double> forces(model.kernel.force_count(), 0.0);
  for (int tick = 0; tick < kTicks; ++tick) {
    const double sign = (tick / 1000 + 1) / 2 % 2 == 0 ? 0.5 : -0.5;
    for (std::size_t d = 0; d < commands.size(); ++d) {
      commands[d] = engine::Command::moving(sign * model.limits[d].speed.value_or(1.0));
    }
    if (tick == kTicks / 2) std::fill(forces.begin(), forces.end(), 1.0);
    session.tick({.commands = commands, .forces = forces});
  }
  return fmt::format("{:016x}", session.checksum());
}

/// All lines of one model.
class ModelLines {
 public:
  /// `folder` holds a copy of configs/.
  ModelLines(fs::path folder, std::string model) : folder_(std::move(folder)), model_(std::move(model)) {
    const text::Node root = text::build_yaml_from_file((folder_ / model_).string());
    is_machine_ = machine::is_machine(root);
    add_pictures();
    add_equations();
    if (is_machine_) {
      for (const char* method : {"minimal", "lagrange"}) add_kernel(method);
    }
    add_logs(root);
  }
  [[nodiscard]] const std::vector<std::string>& lines() const noexcept { return lines_; }

 private:
  struct Result {
    int status = 0;
    std::string out, error;
  };
  [[nodiscard]] Result run(const std::string& arguments) const {
    const std::string command =
        fmt::format("cd '{}' && '{}' {} >out 2>err", folder_.string(), RODEO_PROGRAM, arguments);
    const int status = WEXITSTATUS(std::system(command.c_str()));
    return {status, read_text(folder_ / "out"), read_text(folder_ / "err")};
  }
  void add(const std::string& method, const std::string& thing, const std::string& value) {
    lines_.push_back(fmt::format("{} {} {} {}", model_, method, thing, value));
  }
  void add_refusal(const std::string& method, const std::string& thing, const Result& result) {
    add(method, thing,
        fmt::format("refused {}: {}", result.status, result.error.substr(0, result.error.find('\n'))));
  }

  void add_pictures() {
    for (const auto& [command, file] : {std::pair{"draw", "drawing.svg"}, std::pair{"graph", "graph.dot"}}) {
      if (command == std::string("draw") && !is_machine_) continue;
      const Result result = run(fmt::format("{} {} -o {}", command, model_, file));
      if (result.status == 0) {
        add("-", file, calc_hash(read_text(folder_ / file)));
      } else {
        add_refusal("-", file, result);
      }
    }
  }

  void add_equations() {
    const Result usual = run("equations " + model_);
    if (usual.status != 0) return add_refusal("-", "equations", usual);
    const bool is_vector = usual.out.find(", vector equations") < usual.out.find('\n');
    const std::string form = is_vector ? "vector" : "reduced";
    add("-", "equations." + form + ".text", calc_hash(usual.out));
    add_form(form, "latex");
    if (is_vector) return;
    for (const char* format : {"text", "latex"}) add_form("full", format);
  }
  void add_form(const std::string& form, const std::string& format) {
    const Result result = run(fmt::format("equations {} --form {} --format {}", model_, form, format));
    ASSERT_EQ(result.status, 0) << result.error;
    add("-", fmt::format("equations.{}.{}", form, format), calc_hash(result.out));
  }

  [[nodiscard]] Result build(const std::string& method) const {
    const codegen::SharedCache cache;
    return run(fmt::format("build {} --method {} -o built", model_, method));
  }

  void add_kernel(const std::string& method) {
    fs::remove_all(folder_ / "built");
    const Result result = build(method);
    if (result.status != 0) return add_refusal(method, "build", result);
    const fs::path built = folder_ / "built";
    add(method, "kernel.c", calc_hash(build_stable_c(read_text(built / "kernel.c"))));
    for (const char* file : {"interface.json", "scene.json", "certificate.json"})
      add(method, file, calc_hash(build_stable_json(read_text(built / file))));
    add(method, "session", run_session(built.string()));
  }

  /// The last row of a log: numbers, because what the library and the graphs' interpreter compute is libm's, to the last bits.
  void add_log(const std::string& method, const std::string& arguments) {
    const Result result = run(fmt::format("simulate {} {} --duration 0.5 -o log.csv", model_, arguments));
    if (result.status != 0) return add_refusal(method, "log", result);
    std::ifstream log(folder_ / "log.csv");
    std::string header, line, last;
    std::getline(log, header);
    while (std::getline(log, line)) last = line;
    add(method, "log.columns", calc_hash(header));
    add(method, "log", build_row(header, last));
  }
  /// Without the methods' own errors, which are rounding.
  [[nodiscard]] static std::string build_row(const std::string& header, const std::string& last) {
    std::istringstream names(header), fields(last);
    std::string row;
    for (std::string name, field; std::getline(names, name, ',') && std::getline(fields, field, ',');) {
      if (name == "residual" || name == "energy_error") continue;
      row += fmt::format("{}{:.9g}", row.empty() ? "" : ",", std::stod(field));
    }
    return row;
  }

  void add_logs(const text::Node& root) {
    if (is_machine_) {
      const std::string free = root.find("drives") != nullptr ? " --free all" : "";
      for (const std::string method : {"minimal", "lagrange", "lagrange-implicit", "rc", "zcp"})
        add_log("library-" + method, fmt::format("--method {} --rate 200{}", method, free));
      return;
    }
    if (root.find("ports") != nullptr) return;  // a part of other graphs
    const fs::path input = fs::path(model_).replace_extension(".csv");
    const std::string with = fs::exists(folder_ / input) ? " --input " + input.string() : "";
    for (const std::string method : {"rk4", "cvode"})
      add_log("graph-" + method, "--rate 1000 --allow-native --method " + method + with);
    add_log("graph-full", "--rate 1000 --allow-native --form full" + with);
  }

  fs::path folder_;
  std::string model_;
  bool is_machine_ = false;
  std::vector<std::string> lines_;
};

}  // namespace rodeo::manifest
