// SPDX-License-Identifier: MIT
// Growth of the offline builder: a chain of N four-bar windows (tools/windows, IFToMM A02) from YAML to reduced equations,
// N = 10, 100, 1000. Prints times by stage, their ratios, expression size and peak memory; asserts nothing.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kinematics/machine/pose.h"
#include "kinematics/machine/rods.h"
#include "kinematics/reduction/equations.h"
#include "kinematics/reduction/model.h"
#include "kinematics/text/yaml.h"

namespace {

using namespace rodeo;

constexpr int kRepeats = 3;

std::string windows(int n) {
  const std::string command = fmt::format("{}/tools/windows {}", RODEO_SOURCE_DIR, n);
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run tools/windows");
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, size);
  pclose(pipe);
  return text;
}

struct Stages {
  std::vector<const char*> names;
  std::vector<double> seconds;

  void time(const char* name, const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    names.push_back(name);
    seconds.push_back(spent.count());
  }
};

struct Size {
  std::size_t bonds = 0, blocks = 0, nodes = 0, text = 0;
};

Stages run(int n, Size& size) {
  const std::string text = windows(n);
  Stages stages;
  machine::Machine m;
  machine::Assembly start;
  reduction::Model model;
  stages.time("read", [&] {
    m = machine::build_machine(text::build_yaml_from_text(text, "windows.yaml"), "windows.yaml");
  });
  stages.time("assemble", [&] { start = machine::build_start_pose(m); });
  stages.time("mobility", [&] { static_cast<void>(machine::calc_mobility(m, start)); });
  stages.time("bond graph", [&] { model.graph = machine::build_rods(m); });
  stages.time("causality", [&] { model.causality = causality::assign_causality(model.graph); });
  stages.time("equations", [&] { model.system = reduction::build_system(model.graph, model.causality); });
  stages.time("blocks", [&] { model.solution = reduction::build_solution(model.system); });
  stages.time("full set", [&] {
    static_cast<void>(reduction::build_full(model.graph, model.causality, model.system, model.solution));
  });
  stages.time("written", [&] {
    size.text = reduction::render("", reduction::build_reduced_sections(model, reduction::Format::text),
                                  reduction::Format::text)
                    .size();
  });
  size.bonds = model.graph.bonds.size();
  size.blocks = model.solution.blocks.size();
  size.nodes = expr::reachable(reduction::state_rates(model)).size();
  for (const reduction::Block& block : model.solution.blocks) {
    for (const auto& row : block.matrix) size.nodes += expr::reachable(row).size();
    size.nodes += expr::reachable(block.right).size();
  }
  return stages;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

Stages best_of(int n, Size& size) {
  Stages best = run(n, size);
  for (int i = 1; i < kRepeats; ++i) {
    const Stages again = run(n, size);
    for (std::size_t s = 0; s < best.seconds.size(); ++s)
      best.seconds[s] = std::min(best.seconds[s], again.seconds[s]);
  }
  return best;
}

double total(const Stages& stages) {
  double sum = 0;
  for (const double s : stages.seconds) sum += s;
  return sum;
}

}  // namespace

int main() {
  const std::vector<int> counts = {10, 100, 1000};
  std::vector<Stages> results;
  fmt::print("N four-bar windows, YAML to reduced equations; seconds, best of {}\n", kRepeats);
  for (const int n : counts) {
    Size size;
    results.push_back(best_of(n, size));
    fmt::print(
        "N = {:<5} total {:8.4f} s   {} bonds, {} blocks, {} expression nodes, {} bytes of equations, peak "
        "{:.0f} MB\n",
        n, total(results.back()), size.bonds, size.blocks, size.nodes, size.text, peak_megabytes());
  }
  fmt::print("\n{:<12}{:>10}{:>10}{:>10}{:>12}{:>12}\n", "stage", "N=10", "N=100", "N=1000", "100/10",
             "1000/100");
  for (std::size_t s = 0; s <= results[0].names.size(); ++s) {
    const bool sum = s == results[0].names.size();
    std::vector<double> t;
    for (const Stages& r : results) t.push_back(sum ? total(r) : r.seconds[s]);
    fmt::print("{:<12}{:>10.4f}{:>10.4f}{:>10.4f}{:>12.1f}{:>12.1f}\n", sum ? "total" : results[0].names[s],
               t[0], t[1], t[2], t[1] / t[0], t[2] / t[1]);
  }
}
