// SPDX-License-Identifier: MIT
// Growth of kernels: a chain of N four-bar windows (tools/windows, IFToMM A02), N = 10 to 2000. Prints for each N the
// instructions of a step, in all and a window (callgrind on this program, two numbers of steps, the difference), the
// nanoseconds a window (median of rounds of all N in turn), the size of kernel.c, and the time from YAML to a loaded kernel
// that has started, by an empty cache.
//     rodeo_bench_growth_kernel     exit status 1 if from N = 100 to 1000 the instructions grow more than 10.5 times or the
//                                   time a window more than 1.2 times, or if N = 1000 takes more than 10 s to be loaded
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/kernel/kernel.h"
#include "tools/rodeo/offline_build.h"

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kCounts[] = {10, 30, 100, 300, 1000, 2000};
constexpr int kRounds = 101;
constexpr int kWindowsARound = 40'000;  // steps of a round times N
constexpr double kInstructions = 10.5, kTime = 1.2, kSeconds = 10.0;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Of this program and of what it started and waited for.
double processor_seconds() {
  double sum = 0.0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& part : {usage.ru_utime, usage.ru_stime})
      sum += static_cast<double>(part.tv_sec) + 1e-6 * static_cast<double>(part.tv_usec);
  }
  return sum;
}

/// A folder for machine files and the cache, gone at the end.
class Folder {
 public:
  Folder() : path_("/tmp/rodeo_bench_XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make a folder in /tmp");
    setenv("RODEO_CACHE", path_.c_str(), 1);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

std::string output_of(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, size);
  return pclose(pipe) == 0 ? text : "";
}

/// A chain that swings a little about its start.
class Chain {
 public:
  explicit Chain(const std::string& library)
      : instance_(rodeo::engine::Kernel::build_from_file(library)),
        outputs_(instance_.kernel().output_count()) {
    if (instance_.try_init(instance_.kernel().default_parameters(), instance_.kernel().start_drives()) !=
        rodeo::engine::KernelStatus::ok)
      throw std::runtime_error("the kernel does not start");
  }

  void step(int times) {
    for (int i = 0; i < times; ++i) {
      const double angle = instance_.kernel().start_drives()[0] + 1e-4 * (i % 1000);
      const double drives[3] = {angle, 0.1, 0.2};
      if (instance_.try_step(drives, outputs_) != rodeo::engine::KernelStatus::ok)
        throw std::runtime_error("a step was refused");
    }
  }

 private:
  rodeo::engine::Instance instance_;
  std::vector<double> outputs_;
};

struct Row {
  int n = 0;
  std::string library;
  double loaded = 0.0;     // seconds from YAML
  double processor = 0.0;  // of these, what this program and its compiler computed
  std::uintmax_t text = 0;
  std::optional<double> instructions;  // a step
  std::vector<double> nanoseconds;     // a window, a round each
  double median = 0.0;
};

Row build(int n, const Folder& folder) {
  const std::string file = fmt::format("{}/windows{}.yaml", folder.path(), n);
  std::ofstream(file) << output_of(fmt::format("'{}/tools/windows' {}", RODEO_SOURCE_DIR, n));
  Row row;
  row.n = n;
  const double before = processor_seconds();
  const auto start = Clock::now();
  const fs::path built = rodeo::tools::build_or_find_kernel(file, {});
  row.library = (built / "kernel.so").string();
  Chain(row.library).step(1);
  row.loaded = seconds_since(start);
  row.processor = processor_seconds() - before;
  row.text = fs::file_size(built / "kernel.c");
  return row;
}

/// What callgrind counts for this program with `--count TIMES LIBRARY`; nothing without valgrind.
std::optional<double> count_run(int times, const std::string& library) {
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  const std::string said = output_of(
      fmt::format("valgrind --tool=callgrind --callgrind-out-file=/dev/null '{}' --count {} '{}' 2>&1", self,
                  times, library));
  const char* at = std::strstr(said.c_str(), "Collected : ");
  return at == nullptr ? std::nullopt : std::optional(std::strtod(at + std::strlen("Collected : "), nullptr));
}

std::optional<double> count_instructions(const std::string& library) {
  constexpr int kFew = 10, kMany = 110;
  const auto few = count_run(kFew, library), many = count_run(kMany, library);
  return few && many ? std::optional((*many - *few) / (kMany - kFew)) : std::nullopt;
}

/// All sizes take turns, so that what else the machine does meets all of them.
void measure(std::vector<Row>& rows) {
  std::vector<Chain> chains;
  chains.reserve(rows.size());
  for (const Row& row : rows) chains.emplace_back(row.library);
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const int steps = std::max(1, kWindowsARound / rows[i].n);
      const auto start = Clock::now();
      chains[i].step(steps);
      rows[i].nanoseconds.push_back(1e9 * seconds_since(start) / steps / rows[i].n);
    }
  }
  for (Row& row : rows) {
    const auto middle = row.nanoseconds.begin() + kRounds / 2;
    std::nth_element(row.nanoseconds.begin(), middle, row.nanoseconds.end());
    row.median = *middle;
  }
}

const Row& row_of(const std::vector<Row>& rows, int n) {
  return *std::find_if(rows.begin(), rows.end(), [n](const Row& row) { return row.n == n; });
}

bool print_verdict(const char* what, double figure, double wanted) {
  fmt::print("{}: {:.3f}; wanted: at most {}{}\n", what, figure, wanted, figure <= wanted ? "" : ", MISSED");
  return figure <= wanted;
}

void print(const std::vector<Row>& rows) {
  fmt::print("N four-bar windows; time: median of {} rounds of all sizes in turn\n", kRounds);
  fmt::print("{:>6}{:>20}{:>14}{:>12}{:>16}{:>18}{:>14}\n", "N", "instructions/step", "a window", "ns/window",
             "kernel.c bytes", "YAML to loaded s", "processor s");
  for (const Row& row : rows) {
    fmt::print("{:>6}{:>20.0f}{:>14.1f}{:>12.2f}{:>16}{:>18.2f}{:>14.2f}\n", row.n,
               row.instructions.value_or(0), row.instructions.value_or(0) / row.n, row.median, row.text,
               row.loaded, row.processor);
  }
}

int run_all() {
  const Folder folder;
  std::vector<Row> rows;
  for (const int n : kCounts) rows.push_back(build(n, folder));
  for (Row& row : rows) row.instructions = count_instructions(row.library);
  measure(rows);
  print(rows);
  const Row &small = row_of(rows, 100), &large = row_of(rows, 1000);
  bool good = true;
  if (small.instructions && large.instructions) {
    good &= print_verdict("instructions, N = 1000 by N = 100", *large.instructions / *small.instructions,
                          kInstructions);
  } else {
    fmt::print("instructions: not counted, valgrind is not here\n");
  }
  good &= print_verdict("time a window, N = 1000 by N = 100", large.median / small.median, kTime);
  good &= print_verdict("seconds from YAML to a loaded kernel, N = 1000", large.loaded, kSeconds);
  return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "--count") == 0) {
    Chain(argv[3]).step(std::atoi(argv[2]));
    return 0;
  }
  return run_all();
}
