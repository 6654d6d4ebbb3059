// SPDX-License-Identifier: MIT
// A machine that moves by its forces, compiled and run by the C ABI alone.
#pragma once
#include <cmath>
#include <map>

#include "kinematics/machine/machine.h"
#include "tests/codegen/built_kernel.h"

namespace rodeo::codegen {

/// A file of configs/ without its drives.
inline std::string undriven(const std::string& name) {
  const std::string text = read_text(config(name));
  std::istringstream lines(text);
  std::string result;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("drives:", 0) == 0) {
      inside = true;
    } else if (!line.empty() && line[0] != ' ' && line[0] != '#') {
      inside = false;
    }
    if (!inside) result += line + "\n";
  }
  return result;
}

/// One machine that nobody drives.
class FreeRun {
 public:
  explicit FreeRun(const std::string& text, const std::string& method = "minimal") {
    const fs::path file = folder_.path() / "m.yaml";
    std::ofstream(file) << text;
    machine = machine::build_machine_from_file(file.string());
    built = built_folder(file.string(), {}, method);
    k = load_kernel(fs::path(built) / "kernel.so");
    instance = std::make_unique<Instance>(k);
    EXPECT_EQ(instance->init(), RODEO_OK);
    inputs.assign(k->n_inputs, 0.0);
    show();
  }

  int move(double period, rodeo_method method = RODEO_RK4) {
    const int status = k->move(instance->memory.data(), nullptr, inputs.data(), period, method);
    if (status == RODEO_OK) {
      inputs[0] += period;
      show();
    }
    return status;
  }

  void show() {
    ASSERT_EQ(instance->step({}, outputs), RODEO_OK);
    loads.assign(k->n_loads, NAN);
    ASSERT_EQ(k->calc_loads(instance->memory.data(), outputs.data(), inputs.data(), loads.data()), RODEO_OK);
    free.assign(3 * k->n_free, NAN);
    k->get_free(instance->memory.data(), free.data());
  }

  [[nodiscard]] double output(const std::string& name) const { return outputs[find_output(k, name)]; }
  [[nodiscard]] std::map<std::string, double> named() const {
    std::map<std::string, double> values;
    for (std::size_t i = 0; i < k->n_loads; ++i) values[k->loads[i].name] = loads[i];
    for (std::size_t i = 0; i < k->n_inputs; ++i) values[k->inputs[i].name] = inputs[i];
    return values;
  }
  [[nodiscard]] double energy() const {
    return named().at("energy.kinetic") + named().at("energy.potential");
  }

  machine::Machine machine;
  std::string built;
  const rodeo_kernel* k = nullptr;
  std::unique_ptr<Instance> instance;
  std::vector<double> outputs, loads, inputs, free;

 private:
  TemporaryFolder folder_;
};

}  // namespace rodeo::codegen
