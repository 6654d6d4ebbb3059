// SPDX-License-Identifier: MIT
// `rodeo bench`: what a step of a model costs here, in nanoseconds and in counted operations. The drives go to and fro about
// the start pose. Rounds of steps alternate with rounds of the same loop without them, which are subtracted; the median
// over rounds tells what the step needs, the 99th percentile what a shared machine makes of it.
#include <fmt/format.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/kernel/kernel.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/run_model.h"
#include "viz/app/in_range.h"
#ifdef RODEO_OFFLINE_BUILD
#include "tools/rodeo/offline_build.h"
#endif

namespace rodeo::tools {

void add_bench(CLI::App& app);

namespace {

using nlohmann::ordered_json;

constexpr std::size_t kTicks = 256;   // of the motion
constexpr double kReach = 0.05;       // rad or m about the start, where the range allows it
constexpr double kRoundNs = 50e3;     // what a round shall take
constexpr std::size_t kFewest = 11;   // rounds, however long they take
constexpr std::size_t kMost = 20000;  // rounds

struct BenchOptions {
  RunModelOptions model;
  double seconds = 1.0;
  bool json = false;
};

struct Cost {
  double median = 0, p99 = 0;  // nanoseconds a step
  std::size_t rounds = 0, steps = 0;
};

/// Middle and reach of a drive's motion, within its range.
struct Swing {
  double middle, reach;
};

Swing find_swing(double start, const engine::DriveLimits& limits) {
  const double lower = limits.lower.value_or(start - 1.0), upper = limits.upper.value_or(start + 1.0);
  const double reach = std::min(kReach, 0.5 * (upper - lower));
  return {std::clamp(start, lower + reach, upper - reach), reach};
}

/// Position, rate and acceleration of every drive at every tick, one period of a sine at 1 kHz.
std::vector<double> build_motion(const std::vector<Swing>& swings) {
  constexpr double kRate = 2.0 * 3.14159265358979 / (1e-3 * kTicks);
  std::vector<double> motion;
  for (std::size_t i = 0; i < kTicks; ++i) {
    const double angle = kRate * 1e-3 * static_cast<double>(i);
    for (const Swing& swing : swings) {
      motion.push_back(swing.middle + swing.reach * std::sin(angle));
      motion.push_back(swing.reach * kRate * std::cos(angle));
      motion.push_back(-swing.reach * kRate * kRate * std::sin(angle));
    }
  }
  return motion;
}

/// The model at the middle of its motion; a model that cannot make it stays at its start.
class Runner {
 public:
  explicit Runner(const engine::ModelFolder& model)
      : instance_(model.kernel),
        width_(3 * model.kernel.drive_count()),
        outputs_(model.kernel.output_count()),
        paths_(9 * model.kernel.drive_count()),
        inputs_(model.kernel.input_count()) {
    std::vector<Swing> swings, still;
    for (std::size_t d = 0; d < model.start.size(); ++d) {
      swings.push_back(find_swing(model.start[d], model.limits[d]));
      still.push_back({model.start[d], 0.0});
    }
    if (!try_motion(model, swings) && !try_motion(model, still)) {
      throw engine::KernelError(fmt::format("{}: the kernel refuses its own start pose", model.name));
    }
  }

  void tick_once() noexcept { static_cast<void>(try_tick(tick_)); }

  /// Nanoseconds of a number of steps, or of the loop without them.
  double calc_round(std::size_t steps, bool is_empty) {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < steps; ++i) {
      tick_ = (tick_ + 1) % kTicks;
      if (!is_empty) static_cast<void>(try_tick(tick_));
      asm volatile("" : : "r"(outputs_.data()) : "memory");
    }
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
  }

 private:
  bool try_tick(std::size_t tick) noexcept {
    const std::span<const double> drives(motion_.data() + tick * width_, width_);
    if (instance_.kernel().free_count() > 0 && !try_free(drives)) return false;
    return instance_.try_step(drives, outputs_) == engine::KernelStatus::ok;
  }
  /// What moves by its forces, with the drives as they are now.
  bool try_free(std::span<const double> drives) noexcept {
    for (std::size_t i = 0; i < paths_.size(); ++i) paths_[i] = drives[3 * (i / 9) + i % 3];
    return instance_.try_free(paths_, inputs_, 1e-3, RODEO_RK4) == engine::KernelStatus::ok;
  }
  bool try_motion(const engine::ModelFolder& model, const std::vector<Swing>& swings) {
    std::vector<double> positions;
    for (const Swing& swing : swings) positions.push_back(swing.middle);
    motion_ = build_motion(swings);
    bool is_well = instance_.try_init(model.parameters, positions) == engine::KernelStatus::ok;
    for (std::size_t i = 0; is_well && i < kTicks; ++i) is_well = try_tick(i);
    return is_well;
  }

  engine::Instance instance_;
  std::size_t width_;
  std::vector<double> outputs_, paths_, inputs_, motion_;
  std::size_t tick_ = 0;
};

/// Machine instructions of one tick, counted by letting a child do it step by step; none where that is not allowed.
std::optional<std::size_t> count_instructions(Runner& runner) {
  const pid_t child = ::fork();
  if (child < 0) return std::nullopt;
  if (child == 0) {
    runner.tick_once();  // touches what it needs
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(1);
    ::raise(SIGSTOP);
    runner.tick_once();
    ::raise(SIGSTOP);
    ::_exit(0);
  }
  int status = 0;
  std::size_t count = 0;
  ::waitpid(child, &status, 0);
  bool is_stopped = WIFSTOPPED(status);
  while (is_stopped) {
    if (::ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0) break;
    ::waitpid(child, &status, 0);
    is_stopped = WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP;
    ++count;
  }
  const bool is_whole = WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP;
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
  return is_whole ? std::optional(count) : std::nullopt;
}

double calc_quantile(std::vector<double> values, double part) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

Cost measure(Runner& runner, double seconds) {
  Cost cost;
  const double probe = runner.calc_round(kTicks, false) / kTicks;
  cost.steps =
      std::clamp(static_cast<std::size_t>(kRoundNs / std::max(probe, 1.0)), std::size_t{1}, 4 * kTicks);
  std::vector<double> rounds;
  double spent = 0;
  while (rounds.size() < kFewest || (spent < seconds * 1e9 && rounds.size() < kMost)) {
    const double full = runner.calc_round(cost.steps, false);
    const double empty = runner.calc_round(cost.steps, true);
    rounds.push_back(std::max(full - empty, 0.0) / static_cast<double>(cost.steps));
    spent += full + empty;
  }
  cost.rounds = rounds.size();
  cost.median = calc_quantile(rounds, 0.5);
  cost.p99 = calc_quantile(rounds, 0.99);
  return cost;
}

/// Where the certificate of a model is; the build is in the cache by now.
std::filesystem::path find_folder(const RunModelOptions& options) {
#ifdef RODEO_OFFLINE_BUILD
  if (!std::filesystem::is_directory(options.path))
    return build_or_find_kernel(options.path, options.overrides);
#endif
  return options.path;
}

/// As the build counted them: of a pose with its rates, and of what forces make of them; null where they are not known.
struct Operations {
  ordered_json step = nullptr;
  ordered_json accelerations = nullptr;
};

Operations read_operations(const std::filesystem::path& folder) {
  std::ifstream file(folder / "certificate.json");
  const ordered_json certificate = ordered_json::parse(file, nullptr, false);
  if (!certificate.is_object()) return {};
  const auto find = [&](const char* key) {
    const auto found = certificate.find(key);
    return found != certificate.end() && found->is_object() ? *found : ordered_json(nullptr);
  };
  const bool moves_freely = !certificate.value("free_coordinates", ordered_json::array()).empty();
  return {find("operations_per_step"), moves_freely ? find("operations_of_accelerations") : nullptr};
}

void print_json(const engine::ModelFolder& model, const Cost& cost, const Operations& operations,
                const std::optional<std::size_t>& instructions) {
  const ordered_json report{
      {"name", model.name},
      {"model_fingerprint", model.kernel.model_fingerprint()},
      {"drives", model.kernel.drive_count()},
      {"states", model.kernel.state_count()},
      {"outputs", model.kernel.output_count()},
      {"nanoseconds", {{"median", cost.median}, {"p99", cost.p99}}},
      {"rounds", cost.rounds},
      {"steps_per_round", cost.steps},
      {"operations_per_step", operations.step},
      {"operations_of_accelerations", operations.accelerations},
      {"instructions_per_step", instructions ? ordered_json(*instructions) : ordered_json(nullptr)}};
  fmt::print("{}\n", report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

/// `116 adds, 158 multiplies`
std::string describe(const ordered_json& operations) {
  if (operations.is_null()) return "not counted for machines in space: see the instructions";
  std::vector<std::string> parts;
  for (const auto& [name, count] : operations.items()) {
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    parts.push_back(fmt::format("{} {}", count.dump(), words));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

void print_text(const engine::ModelFolder& model, const Cost& cost, const Operations& operations,
                const std::optional<std::size_t>& instructions) {
  fmt::print("{}: a step, {} drives in, {} outputs\n", model.name, model.kernel.drive_count(),
             model.kernel.output_count());
  fmt::print("  time        {:.1f} ns median, {:.1f} ns 99th percentile (of {} rounds of {} steps)\n",
             cost.median, cost.p99, cost.rounds, cost.steps);
  fmt::print("  operations  {}\n", describe(operations.step));
  if (!operations.accelerations.is_null())
    fmt::print("  accelerations  {}; several times a step, which is integrated\n",
               describe(operations.accelerations));
  if (instructions) fmt::print("  instructions  {} a step\n", *instructions);
}

void run_bench(const BenchOptions& options) {
  const engine::ModelFolder model = load_run_model(options.model);
  Runner runner(model);
  const Cost cost = measure(runner, options.seconds);
  const std::filesystem::path folder = find_folder(options.model);
  const Operations operations = read_operations(folder);
  const std::optional<std::size_t> instructions = count_instructions(runner);
  options.json ? print_json(model, cost, operations, instructions)
               : print_text(model, cost, operations, instructions);
}

}  // namespace

void add_bench(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command =
      app.add_subcommand("bench", "What a step of a model costs here: nanoseconds, operations");
  add_run_model_options(*command, options->model);
  command->add_option("--seconds", options->seconds, "How long to measure")
      ->check(viz::in_range(0.0, 3600.0))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Write JSON");
  command->footer("Example: rodeo bench out/wheel_loader --json");
  command->callback([options] { report_engine_errors([&] { run_bench(*options); }); });
}

}  // namespace rodeo::tools
