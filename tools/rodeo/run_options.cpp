// SPDX-License-Identifier: MIT
// Profiles: an operator's seat goes on whatever happens, a test rig stops and waits for somebody.
#include "tools/rodeo/run_options.h"
#include "tools/rodeo/signing.h"
#include "viz/app/in_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace rodeo::tools {
namespace {

using engine::InitialCondition;

constexpr double kNano = 1e9;
constexpr double kMilli = 1e6;      // ns
constexpr double kLongest = 1e9;    // s
constexpr std::size_t kMost = 256;  // a slot is a byte

bool is_rig(const RunOptions& options) { return options.profile == "rig"; }

/// What moves by its forces does not move in a tick that is skipped: slip keeps its time the sum of its steps.
engine::Overrun find_overrun(const RunOptions& options, bool is_free) {
  const std::string usual = is_rig(options) ? "halt" : is_free ? "slip" : "skip";
  const std::string name = options.overrun.empty() ? usual : options.overrun;
  if (name == "slip") return engine::Overrun::slip;
  if (name == "catch-up") return engine::Overrun::catch_up;
  return name == "halt" ? engine::Overrun::halt : engine::Overrun::skip;
}

engine::OnStale find_on_stale(const RunOptions& options) {
  const std::string name =
      options.on_stale.empty() ? (is_rig(options) ? "latch" : "resume") : options.on_stale;
  return name == "latch" ? engine::OnStale::latch : engine::OnStale::resume;
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw CLI::ValidationError("--initial", fmt::format("'{}': {}", text, why));
}

std::size_t find_drive(const engine::Kernel& kernel, const std::string& name, const std::string& text) {
  std::vector<std::string> names;
  for (const rodeo_channel& drive : kernel.drives()) names.emplace_back(drive.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    refuse(text, fmt::format("there is no drive '{}' (there is {})", name, fmt::join(names, ", ")));
  }
  return static_cast<std::size_t>(found - names.begin());
}

double read_value(const std::string& word, const std::string& text) {
  double value = 0;
  const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool is_number = result.ec == std::errc() && result.ptr == word.data() + word.size();
  if (!is_number || !std::isfinite(value)) {
    refuse(text, fmt::format("'{}' is no number (rad or m, as in low:crank=0.5)", word));
  }
  return value;
}

void check_range(const engine::ModelFolder& model, std::size_t drive, double value, const std::string& text) {
  const engine::DriveLimits& limits = model.limits[drive];
  const double lower = limits.lower.value_or(value), upper = limits.upper.value_or(value);
  if (value >= lower && value <= upper) return;
  refuse(text, fmt::format("{} is out of the range of drive '{}', {} to {}", value,
                           model.kernel.drives()[drive].name, limits.lower ? fmt::to_string(lower) : "any",
                           limits.upper ? fmt::to_string(upper) : "any"));
}

/// NAME:drive=value,drive=value; a drive that is not named stays at the model's start.
InitialCondition build_condition(const engine::ModelFolder& model, const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || colon == 0) refuse(text, "must be NAME:drive=value,...");
  InitialCondition condition{text.substr(0, colon), model.start};
  for (std::size_t at = colon + 1; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string item = text.substr(at, comma - at);
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos) refuse(text, "must be NAME:drive=value,...");
    const std::size_t drive = find_drive(model.kernel, item.substr(0, equals), text);
    condition.positions[drive] = read_value(item.substr(equals + 1), text);
    check_range(model, drive, condition.positions[drive], text);
    at = comma + 1;
  }
  return condition;
}

void add_pacing_options(CLI::App& command, RunOptions& options) {
  command.add_option("--rate", options.rate, "Ticks a second, 1 to 10000")
      ->check(viz::in_range(1.0, 10000.0))
      ->capture_default_str();
  command.add_option("--duration", options.duration, "Seconds; to the end of --input, or without end")
      ->check(viz::in_range(0.0, kLongest));
  command
      .add_option(
          "--profile", options.profile,
          "operator: --overrun skip (slip for what moves by its forces) --on-stale resume; rig: --overrun "
          "halt --on-stale latch")
      ->check(CLI::IsMember({"operator", "rig"}))
      ->capture_default_str();
  command
      .add_option("--overrun", options.overrun,
                  "What becomes of missed ticks: skip keeps to the clock (free motion misses them), slip "
                  "lags, catch-up hurries, halt "
                  "stops the drives")
      ->check(CLI::IsMember({"skip", "slip", "catch-up", "halt"}));
  command
      .add_option("--on-stale", options.on_stale,
                  "After a pause in the commands: resume, or latch till rearmed")
      ->check(CLI::IsMember({"resume", "latch"}));
  command.add_option("--timeout", options.timeout, "Milliseconds without a command until the machine brakes")
      ->check(viz::in_range(1.0, 1e9))
      ->capture_default_str();
}

void add_realtime_options(CLI::App& command, RunOptions& options) {
  command.add_option("--core", options.core, "The processor core of the loop")->check(viz::in_range(0, 4095));
  command.add_option("--priority", options.priority, "SCHED_FIFO priority of the loop")
      ->check(viz::in_range(1, 99))
      ->capture_default_str();
  command.add_flag("--no-realtime", options.no_realtime, "No SCHED_FIFO, locked memory or core");
}

}  // namespace

void add_loop_options(CLI::App& command, RunOptions& options) {
  add_pacing_options(command, options);
  command
      .add_option("--initial", options.initial,
                  "NAME:drive=value,...: one more initial condition, rad or m; the first is number 1")
      ->allow_extra_args(false);
  CLI::Option* input = command.add_option("--input", options.input,
                                          "A CSV file or a cycle of configs/cycles drives the machine");
  add_net_options(command, options.net);
  command.get_option("--listen")->excludes(input);
  CLI::Option* record = command.add_option(
      "--record", options.record, "The MCAP file to write; an older one of that name is kept as NAME.1.mcap");
  command.add_flag("--overwrite", options.overwrites, "Replace an older recording instead")->needs(record);
  add_sign_option(command, options.key)->needs(record);
  add_realtime_options(command, options);
  command.add_flag("--json", options.json, "Write the report as JSON");
}

std::int64_t calc_period(const RunOptions& options) { return std::llround(kNano / options.rate); }

std::vector<InitialCondition> build_conditions(const engine::ModelFolder& model,
                                               const std::vector<std::string>& initial) {
  std::vector<InitialCondition> conditions{{"start", model.start}};
  for (const std::string& text : initial) conditions.push_back(build_condition(model, text));
  if (conditions.size() > kMost) refuse(initial.back(), "there are more than 255");
  return conditions;
}

void start_at_input(const engine::ModelFolder& model, engine::Input& input, InitialCondition& start) {
  std::vector<engine::Command> commands(model.limits.size());
  input.sample(0, commands);
  for (std::size_t d = 0; d < commands.size(); ++d) {
    const engine::DriveLimits& limits = model.limits[d];
    const bool is_free = !limits.speed && !limits.acceleration;
    if (!is_free || commands[d].kind != engine::Command::Kind::position) continue;
    const double low = std::max(commands[d].position, limits.lower.value_or(commands[d].position));
    start.positions[d] = std::min(low, limits.upper.value_or(low));
  }
}

engine::SessionOptions build_session_options(const RunOptions& options) {
  engine::SessionOptions result;
  result.period = calc_period(options);
  result.on_stale = find_on_stale(options);
  return result;
}

bool is_latching(const RunOptions& options) { return find_on_stale(options) == engine::OnStale::latch; }

engine::LoopOptions build_loop_options(const RunOptions& options, bool is_listening, bool is_free,
                                       std::int64_t input_end) {
  engine::LoopOptions result;
  result.overrun = find_overrun(options, is_free);
  if (is_listening) result.timeout = std::llround(options.timeout * kMilli);
  const auto period = static_cast<double>(calc_period(options));
  const double duration = options.duration ? *options.duration * kNano : static_cast<double>(input_end);
  // A period that is a rounded fraction of a second must not lose the last tick; as in `simulate`.
  if (duration >= 0)
    result.last_tick = static_cast<std::int64_t>(std::floor(duration / period * (1 + 1e-8) + 1e-6));
  return result;
}

std::optional<engine::RealtimeOptions> build_realtime_options(const RunOptions& options) {
  if (options.no_realtime) return {};
  return engine::RealtimeOptions{options.priority, options.core};
}

}  // namespace rodeo::tools
