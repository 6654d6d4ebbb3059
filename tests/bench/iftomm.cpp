// SPDX-License-Identifier: MIT
// IFToMM's benchmarks A01 and A02 by our methods and by Simbody (where CMake found it: RODEO_BENCH_SIMBODY), in one run and at the
// same accuracy: each gets the coarsest step, or the loosest accuracy, that keeps the energy within the bound. Energy and pins are
// measured after every step, inside of the time. Times are medians of rounds in turns, printed and never asserted.
//     rodeo_bench_iftomm     exit status 1 if ours misses a bound
#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <optional>

#include "tests/bench/engines/iftomm.h"
#include "tests/bench/engines/rodeo_iftomm.h"
#include "tests/bench/loader_motion.h"
#ifdef RODEO_BENCH_SIMBODY
#include "tests/bench/engines/simbody_iftomm.h"
#endif

namespace {

using namespace iftomm;

constexpr int kRounds = 5;
constexpr double kDefaultStep = 1e-3;  // s, of `rodeo simulate`

/// One way to run a problem: the rows of the table.
struct Entry {
  std::string engine;
  std::function<Run()> work;
  Run run;
  std::vector<double> seconds, processor;
};

void print_head(const Problem& problem) {
  fmt::print("\n{}; {:g} s, energy within {:.0e} J\n", problem.name, problem.duration, problem.energy_bound);
  fmt::print("  {:<44}{:>10}{:>10}{:>8}{:>11}{:>10}{:>11}\n", "engine", "time ms", "cpu ms", "steps",
             "energy J", "pins m", "angle rad");
}

void print_row(const Problem& problem, const std::string& engine, const Run& run, double seconds,
               double processor) {
  fmt::print("  {:<44}{:>10.2f}{:>10.2f}{:>8}{:>11.1e}{:>10.1e}{:>11.1e}\n", engine, 1e3 * seconds,
             1e3 * processor, run.steps, run.energy_error(), run.open(), calc_angle_error(problem, run));
  if (run.failure.empty() && !(calc_angle_error(problem, run) < 0.1))
    fmt::print("      came to the end, but its legs are not where the motion is\n");
  if (!run.failure.empty())
    fmt::print("      stopped at t = {:.3f} s: {}\n", run.samples.empty() ? 0 : run.samples.back().t,
               run.failure);
}

/// The first of `attempts`, coarse to fine, that keeps the bound.
using Attempt = std::function<Run(double setting)>;
std::optional<double> find_coarsest(const Problem& problem, const std::vector<double>& settings,
                                    const Attempt& attempt) {
  for (const double setting : settings) {
    if (attempt(setting).is_within(problem.energy_bound)) return setting;
  }
  return std::nullopt;
}

/// Steps of 200 ms and less, each a fifth smaller than the one before; a whole number of them in the time.
std::vector<double> build_steps(const Problem& problem) {
  std::vector<double> steps;
  for (double h = 0.2; h > 2e-4; h *= 0.8)
    steps.push_back(problem.duration / std::ceil(problem.duration / h));
  return steps;
}

void add_ours(const Problem& problem, std::vector<Entry>& entries) {
  const auto add = [&](const std::string& name, const Attempt& attempt) {
    const auto step = find_coarsest(problem, build_steps(problem), attempt);
    if (step)
      entries.push_back({fmt::format("Rodeo {}, {:.3g} ms", name, 1e3 * *step),
                         [=] { return attempt(*step); },
                         {},
                         {},
                         {}});
    entries.push_back({fmt::format("Rodeo {}, {:g} ms (default)", name, 1e3 * kDefaultStep),
                       [=] { return attempt(kDefaultStep); },
                       {},
                       {},
                       {}});
  };
  for (const char* method : {"minimal", "lagrange"})
    add(method, [=](double step) { return run_library(problem, method, step); });
  for (const char* method : {"minimal", "lagrange"})
    add(std::string("kernel ") + method, [=](double step) { return run_kernel(problem, method, step); });
}

#ifdef RODEO_BENCH_SIMBODY
/// By √10 from 1e-2 to 1e-12.
std::vector<double> build_accuracies() {
  std::vector<double> result;
  for (int i = 4; i <= 24; ++i) result.push_back(std::pow(10.0, -i / 2.0));
  return result;
}

void add_simbody(const Problem& problem, std::vector<Entry>& entries) {
  for (const std::string& name : simbody_integrators()) {
    const Attempt attempt = [=](double accuracy) { return run_simbody(problem, name, {accuracy, 0}); };
    const auto accuracy = find_coarsest(problem, build_accuracies(), attempt);
    if (accuracy)
      entries.push_back({fmt::format("Simbody {}, {:.0e}", name, *accuracy),
                         [=] { return attempt(*accuracy); },
                         {},
                         {},
                         {}});
    else
      fmt::print("  Simbody {}: no accuracy down to 1e-12 keeps the bound\n", name);
  }
}

/// Through the flat pose nothing that was tried keeps the bound: everything is shown once.
void print_simbody_through_flat(const Problem& problem) {
  const std::string name = "RungeKuttaMerson";
  for (const double accuracy : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
    const Run run = run_simbody(problem, name, {accuracy, 0});
    print_row(problem, fmt::format("Simbody {}, {:.0e}", name, accuracy), run, run.seconds, run.processor);
  }
  for (const double step : {10e-3}) {
    const Run run = run_simbody(problem, name, {1e-6, step});
    print_row(problem, fmt::format("Simbody {}, 1e-06, fixed {:g} ms", name, 1e3 * step), run, run.seconds,
              run.processor);
  }
}
#endif

void run_in_turns(std::vector<Entry>& entries) {
  for (int round = 0; round < kRounds; ++round) {
    for (Entry& entry : entries) {
      entry.run = entry.work();
      entry.seconds.push_back(entry.run.seconds);
      entry.processor.push_back(entry.run.processor);
    }
  }
}

/// True if ours is within the bound wherever it comes to the end, and at least once.
bool run_problem(const Problem& problem, bool with_simbody) {
  print_head(problem);
  std::vector<Entry> entries;
  add_ours(problem, entries);
  const std::size_t ours = entries.size();
#ifdef RODEO_BENCH_SIMBODY
  if (with_simbody) add_simbody(problem, entries);
#endif
  static_cast<void>(with_simbody);
  run_in_turns(entries);
  int kept = 0;
  bool ok = true;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    print_row(problem, entries[i].engine, entries[i].run, loader::calc_median(entries[i].seconds),
              loader::calc_median(entries[i].processor));
    if (i >= ours || !entries[i].run.failure.empty()) continue;
    ok = ok && entries[i].run.is_within(problem.energy_bound);
    ++kept;
  }
  return ok && kept > 0;
}

}  // namespace

int main() {
  setvbuf(stdout, nullptr, _IOLBF, 0);  // it takes minutes
  bool ok = run_problem(kA01, true);
  ok = run_problem(kBeforeFlat, true) && ok;
  ok = run_problem(kA02, false) && ok;
#ifdef RODEO_BENCH_SIMBODY
  print_simbody_through_flat(kA02);
#else
  fmt::print("\nSimbody was not found when this was built: apt-get install libsimbody-dev\n");
#endif
  if (!ok) fmt::print("\na bound was missed\n");
  return ok ? 0 : 1;
}
