// SPDX-License-Identifier: MIT
// One step of the wheel loader's kernel against the closed form written by hand (loader_closed_form.h): that both agree,
// nanoseconds as the median of interleaved rounds, and instructions counted by valgrind. For the count the benchmark runs
// itself under callgrind with two numbers of steps and takes the difference, so that starting up does not count.
//     rodeo_bench_step     exit status 1 if they differ, or if the kernel needs more instructions or time
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <optional>

#include "tests/bench/loader_kernel.h"

namespace {

using namespace loader;

constexpr int kMotion = 4000;     // ticks of 5 ms: 10 s of motion and the same back
constexpr double kPeriod = 5e-3;  // seconds
constexpr int kRounds = 1600;
constexpr int kRoundSteps = 500;  // a part of kMotion
constexpr double kAgreement = 1e-10;

void keep(const double* outputs) { asm volatile("" : : "r"(outputs) : "memory"); }

/// The two contestants, each with its own memory of the previous angles.
struct Contest {
  explicit Contest(const std::string& library)
      : motion(build_motion(kMotion, kPeriod)),
        kernel(library, motion[0]),
        step_function(kernel.table().step) {
    std::array<double, kOutputs> first{};
    if (!kernel.step(motion[0].data(), first.data()))
      throw std::runtime_error("the kernel refuses the start");
    for (int body = 0; body < 4; ++body) previous[body] = first[(body + 2) * kBody];
  }

  void run_kernel(std::size_t from, std::size_t steps) {
    for (std::size_t i = from; i < from + steps; ++i) {
      ok &= step_function(kernel.memory(), motion[i].data(), outputs.data()) == RODEO_OK;
      keep(outputs.data());
    }
  }
  void run_closed_form(std::size_t from, std::size_t steps) {
    for (std::size_t i = from; i < from + steps; ++i) {
      ok &= loader::step(motion[i].data(), previous.data(), outputs.data());
      keep(outputs.data());
    }
  }

  std::vector<Drives> motion;
  LoaderInstance kernel;
  decltype(rodeo_kernel::step) step_function;
  std::array<double, 4> previous{};
  std::array<double, kOutputs> outputs{};
  bool ok = true;
};

/// Largest difference of any output over the whole motion.
double calc_difference(Contest& contest) {
  double largest = 0.0;
  for (int i = 0; i < kMotion; ++i) {
    contest.run_kernel(i, 1);
    const auto kernel = contest.outputs;
    contest.run_closed_form(i, 1);
    for (int k = 0; k < kOutputs; ++k) {
      const double difference = std::abs(kernel[k] - contest.outputs[k]);
      if (!(difference <= largest)) largest = difference;
    }
  }
  return contest.ok ? largest : NAN;
}

struct Times {
  std::vector<double> kernel, closed_form, ratio;  // nanoseconds a step, a round each
};

Times measure(Contest& contest) {
  Times times;
  for (int round = 0; round < kRounds; ++round) {
    const int from = round * kRoundSteps % kMotion;
    double kernel = 0, closed = 0;
    if (round % 2 == 0) kernel = time_ns([&] { contest.run_kernel(from, kRoundSteps); });
    closed = time_ns([&] { contest.run_closed_form(from, kRoundSteps); });
    if (round % 2 != 0) kernel = time_ns([&] { contest.run_kernel(from, kRoundSteps); });
    times.kernel.push_back(kernel / kRoundSteps);
    times.closed_form.push_back(closed / kRoundSteps);
    times.ratio.push_back(kernel / closed);
  }
  return times;
}

/// What callgrind counted for this program run with `--count WHICH TIMES LIBRARY`; nothing without valgrind.
std::optional<double> count_run(const std::string& which, int times, const std::string& library) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command =
      fmt::format("valgrind --tool=callgrind --callgrind-out-file=/dev/null '{}' --count {} {} '{}' 2>&1",
                  self, which, times, library);
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  std::optional<double> counted;
  char line[512];
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    const char* at = std::strstr(line, "Collected : ");
    if (at != nullptr) counted = std::strtod(at + std::strlen("Collected : "), nullptr);
  }
  return pclose(pipe) == 0 ? counted : std::nullopt;
}

std::optional<double> count_instructions(const std::string& which, const std::string& library) {
  constexpr int kFew = 1, kMany = 3;  // times the whole motion
  const auto few = count_run(which, kFew, library), many = count_run(which, kMany, library);
  if (!few || !many) return std::nullopt;
  return (*many - *few) / (kMotion * (kMany - kFew));
}

int run_counted(const std::string& which, int times, const std::string& library) {
  Contest contest(library);
  for (int i = 0; i < times; ++i) {
    if (which == "kernel") contest.run_kernel(0, kMotion);
    if (which == "closed_form") contest.run_closed_form(0, kMotion);
  }
  return contest.ok ? 0 : 1;
}

/// True if the kernel takes no more time.
bool print_times(const Times& times) {
  const double kernel = calc_median(times.kernel), closed = calc_median(times.closed_form);
  fmt::print("time a step, median of {} interleaved rounds of {} steps (10 %, 90 %):\n", kRounds,
             kRoundSteps);
  fmt::print("  kernel       {:7.1f} ns  ({:.1f}, {:.1f})\n", kernel, calc_quantile(times.kernel, 0.1),
             calc_quantile(times.kernel, 0.9));
  fmt::print("  closed form  {:7.1f} ns  ({:.1f}, {:.1f})\n", closed, calc_quantile(times.closed_form, 0.1),
             calc_quantile(times.closed_form, 0.9));
  fmt::print("  ratio of medians {:.3f}, of 10 % quantiles {:.3f}; wanted: at most 1\n", kernel / closed,
             calc_quantile(times.kernel, 0.1) / calc_quantile(times.closed_form, 0.1));
  fmt::print("  median of the rounds' ratios {:.3f}; wanted: at most 1\n", calc_median(times.ratio));
  return kernel <= closed;
}

/// True if the kernel needs no more instructions, or if nothing can be counted here.
bool print_instructions(const std::string& library) {
  const auto kernel = count_instructions("kernel", library);
  const auto closed = count_instructions("closed_form", library);
  if (!kernel || !closed) {
    fmt::print("instructions a step: not counted, valgrind is not here\n");
    return true;
  }
  fmt::print("instructions a step, counted by valgrind, with the call and the loop:\n");
  fmt::print("  kernel       {:7.1f}\n  closed form  {:7.1f}\n", *kernel, *closed);
  fmt::print("  ratio {:.3f}; wanted: at most 1\n", *kernel / *closed);
  return *kernel <= *closed;
}

int run_all() {
  const LoaderKernel kernel;
  Contest contest(kernel.library());
  const double difference = calc_difference(contest);
  fmt::print("wheel loader, {} outputs, kernel against a closed form written by hand with libm\n", kOutputs);
  fmt::print("largest difference of an output over {} ticks: {:.1e} (at most {:.0e})\n", kMotion, difference,
             kAgreement);
  const bool faster = print_times(measure(contest));
  const bool fewer = print_instructions(kernel.library());
  return difference <= kAgreement && contest.ok && faster && fewer ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::strcmp(argv[1], "--count") == 0) {
    return run_counted(argv[2], std::atoi(argv[3]), argv[4]);
  }
  return run_all();
}
