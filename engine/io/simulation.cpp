// SPDX-License-Identifier: MIT
// The loop of `rodeo simulate`.
#include "engine/io/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace rodeo::engine {
namespace {

constexpr double kNano = 1e9;
/// Ticks between two calls of progress.
constexpr std::int64_t kProgressTicks = 1024;
/// A margin from which no step that follows the forces comes to a singular pose.
constexpr double kFarFromSingular = 0.1;

double to_seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / kNano; }

StepperOptions with_period(StepperOptions options, std::int64_t period, bool finds_jumps) {
  options.period = to_seconds(period);
  options.finds_jumps = finds_jumps;
  return options;
}

/// Whole periods within the duration; a period that is a rounded fraction of a second must not lose the last one.
std::int64_t calc_tick_count(const Input* input, const SimulationOptions& options) {
  const std::int64_t duration =
      options.duration >= 0 ? options.duration : (input != nullptr ? input->end() : 0);
  const double ticks = static_cast<double>(duration) / static_cast<double>(options.period);
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(ticks * (1 + 1e-8) + 1e-6)));
}

std::string explain(KernelStatus status) {
  switch (status) {
    case KernelStatus::bad_input: return "a value is not finite or too large";
    case KernelStatus::singular: return "it is singular there, or the lengths do not reach";
    default: return "its loops do not close";
  }
}

std::string list_positions(const Kernel& kernel, const std::vector<double>& positions) {
  std::string list;
  for (std::size_t d = 0; d < positions.size(); ++d) {
    list += fmt::format("{}{} = {:.6g} {}", d == 0 ? "" : ", ", kernel.drives()[d].name, positions[d],
                        kernel.drives()[d].unit);
  }
  return list;
}

/// Which part of its travel, and how many rad or m, a drive may be beside its input without a word.
constexpr double kBeside = 0.01;
constexpr double kLeastBeside = 1e-3;
constexpr std::uint32_t kHolds =
    kHoldSingular | kHoldOpen | kHoldBranch | kHoldAbrupt | kJointOpen | kBadInput | kEnergyGain;

/// From where its input is, or the end stop before it.
double calc_off(const DriveLimits& limits, const Command& command, const DriveState& at) {
  const double low = std::max(command.position, limits.lower.value_or(command.position));
  return std::abs(std::min(low, limits.upper.value_or(low)) - at.position);
}

double calc_allowed_off(const DriveLimits& limits) {
  const double travel = limits.lower && limits.upper ? *limits.upper - *limits.lower : 0;
  return std::max(kLeastBeside, kBeside * travel);
}

bool is_free(const DriveLimits& limits) { return !limits.speed && !limits.acceleration; }

}  // namespace

Simulation::Simulation(const ModelFolder& model, Input* input, const SimulationOptions& options)
    : stepper_(model.kernel, model.limits, with_period(options.stepper, options.period, model.finds_jumps)),
      input_(input),
      period_(options.period),
      tick_count_(calc_tick_count(input, options)),
      commands_(model.kernel.drive_count()),
      inputs_(model.kernel.input_count()),
      has_arrived_(model.kernel.drive_count()),
      stiff_(model.stiff) {
  set_inputs(0);
  const KernelStatus status = stepper_.try_start(model.parameters, model.start);
  if (status != KernelStatus::ok) {
    throw KernelError(fmt::format("{}: the machine cannot take its start pose ({}): {}", model.name,
                                  list_positions(model.kernel, model.start), explain(status)));
  }
  for (std::size_t d = 0; d < commands_.size(); ++d) commands_[d] = Command::at(model.start[d]);
  if (input_ != nullptr) begin(model);
}

/// A drive without speed or acceleration limit is where its input is from the first row on; any other begins at
/// the machine's start, at rest.
DriveState Simulation::calc_begin(std::size_t drive) const noexcept {
  const DriveState& start = stepper_.drives()[drive];
  const Command& command = commands_[drive];
  const DriveLimits& limits = stepper_.limits(drive);
  if (!is_free(limits)) return start;
  if (command.kind == Command::Kind::rate) return {start.position, command.rate, 0};
  const double low = std::max(command.position, limits.lower.value_or(command.position));
  const double inside = std::min(low, limits.upper.value_or(low));
  if (inside != command.position) return {inside, 0, 0};
  return {inside, command.rate, command.acceleration};
}

void Simulation::begin(const ModelFolder& model) {
  input_->sample(0, commands_);
  std::vector<DriveState> target;
  std::vector<double> positions;
  for (std::size_t d = 0; d < commands_.size(); ++d) {
    target.push_back(calc_begin(d));
    positions.push_back(target.back().position);
  }
  const KernelStatus status = stepper_.try_place(target);
  for (std::size_t d = 0; d < commands_.size(); ++d) {
    const DriveLimits& limits = stepper_.limits(d);
    has_arrived_[d] = commands_[d].kind == Command::Kind::position &&
                      calc_off(limits, commands_[d], target[d]) <= calc_allowed_off(limits);
  }
  if (status == KernelStatus::ok) return;
  throw IoError(fmt::format("{}: the machine cannot go from its start to where the input begins ({}): {}",
                            model.name, list_positions(model.kernel, positions), explain(status)));
}

void Simulation::set_inputs(std::int64_t time) noexcept {
  if (inputs_.empty()) return;
  inputs_[0] = to_seconds(time);
  if (input_ != nullptr) input_->sample_forces(time, std::span(inputs_).subspan(1));
  stepper_.set_inputs(inputs_);
}

void Simulation::tick(std::int64_t time) {
  if (input_ != nullptr) input_->sample(time, commands_);
  set_inputs(time);
  if (stepper_.try_tick(commands_) == TickResult::bad_input) {
    throw IoError(fmt::format("the input at {} s is not finite", to_seconds(time)));
  }
  if (stepper_.status() != 0) note(time);
  for (std::size_t d = 0; d < commands_.size(); ++d) note_off(d, time);
}

Event& Simulation::note_bit(std::uint32_t bit, std::size_t drive, std::int64_t time) {
  const auto is_same = [&](const Event& e) { return e.bit == bit && e.drive == drive; };
  auto found = std::find_if(events_.begin(), events_.end(), is_same);
  if (found == events_.end()) {
    found = events_.insert(events_.end(), {bit, drive, time, 0, stepper_.margin(), 0, 0, 0});
  }
  found->energy = stepper_.audit().largest_gain();
  ++found->ticks;
  return *found;
}

/// A start beside the first row is no fault, if it is caught up with.
void Simulation::note_off(std::size_t drive, std::int64_t time) {
  if (commands_[drive].kind != Command::Kind::position) return;
  const DriveLimits& limits = stepper_.limits(drive);
  const double off = calc_off(limits, commands_[drive], stepper_.drives()[drive]);
  if (off <= calc_allowed_off(limits)) {
    if (!has_arrived_[drive])
      std::erase_if(events_, [&](const Event& e) { return e.bit == kLimited && e.drive == drive; });
    has_arrived_[drive] = true;
    return;
  }
  if ((stepper_.drive_status(drive) & kLimited) == 0 || (stepper_.status() & kHolds) != 0) return;
  Event& event = note_bit(kLimited, drive, time);
  if (off <= event.off) return;
  event.off = off;
  event.worst = time;
}

void Simulation::note(std::int64_t time) {
  for (const StatusBit bit : {kNearSingular, kHoldSingular, kHoldOpen, kBadInput, kHoldAbrupt, kHoldBranch,
                              kJointOpen, kEnergyGain}) {
    if ((stepper_.status() & bit) != 0) note_bit(bit, 0, time);
  }
  if ((stepper_.status() & (kAtLower | kAtUpper)) == 0) return;
  for (std::size_t d = 0; d < commands_.size(); ++d) {
    for (const StatusBit bit : {kAtLower, kAtUpper}) {
      if ((stepper_.drive_status(d) & bit) != 0) note_bit(bit, d, time);
    }
  }
}

bool Simulation::run(LogWriter& log, const std::function<bool(double)>& progress) {
  log.write(0, stepper_);
  for (std::int64_t i = 1; i <= tick_count_; ++i) {
    tick(i * period_);
    log.write(to_seconds(i * period_), stepper_);
    const bool is_asked = i % kProgressTicks == 0;
    if (is_asked && !progress(static_cast<double>(i) / static_cast<double>(tick_count_))) return false;
  }
  return true;
}

bool Simulation::try_run() {
  for (std::int64_t i = 1; i <= tick_count_; ++i) {
    tick(i * period_);
    const auto is_faulty = [&](const Event& event) { return is_fault(event, stepper_.kernel()); };
    if (std::any_of(events_.begin(), events_.end(), is_faulty)) return false;
  }
  return true;
}

Remedy find_remedy(const ModelFolder& model, Input* input, const SimulationOptions& options) {
  constexpr double kMostTicks = 1e6, kFastest = 1e6;  // Hz
  const double rate = kNano / static_cast<double>(options.period);
  const double ticks = static_cast<double>(std::max<std::int64_t>(1, calc_tick_count(input, options)));
  const auto try_run = [&](rodeo_method method, double finer_rate) {
    SimulationOptions finer = options;
    finer.stepper.method = method;
    finer.period = std::llround(kNano / finer_rate);
    Simulation simulation(model, input, finer);
    if (!simulation.try_run()) return Trial::faulty;
    return simulation.stepper().audit().has_lost() ? Trial::lossy : Trial::good;
  };
  return find_remedy(model.stiff, options.stepper.method, rate, std::min(kFastest, rate * kMostTicks / ticks),
                     try_run);
}

std::string describe_free_hold(std::uint32_t bits, double margin, const Stepper& stepper) {
  if (stepper.kernel().free_count() == 0) return "";
  if ((bits & kHoldBranch) != 0)
    return fmt::format("held: {} would leap to another branch in one step", stepper.leapt());
  if ((bits & kHoldOpen) != 0) return "held: joints came apart in one step, and may close on another branch";
  if ((bits & kBadInput) != 0) return "held: the motion has left what can be computed";
  if ((bits & kHoldSingular) != 0 && margin >= kFarFromSingular)
    return fmt::format("held: one step leads off the branch from a margin of {:.3g}", margin);
  return "";
}

bool is_fault(const Event& event, const Kernel& kernel) noexcept {
  if (event.bit == kJointOpen || event.bit == kEnergyGain) return true;
  if (kernel.free_count() == 0) return false;
  return event.bit == kBadInput || event.bit == kHoldOpen || event.bit == kHoldBranch ||
         (event.bit == kHoldSingular && event.margin >= kFarFromSingular);
}

namespace {

std::string advise(const Simulation& simulation) {
  const StepperOptions& options = simulation.stepper().options();
  return describe_fault(simulation.stiff(), simulation.remedy(), options.method, options.period);
}

std::string describe_free_hold(const Event& event, const Simulation& simulation, const std::string& when) {
  const std::string why = describe_free_hold(event.bit, event.margin, simulation.stepper());
  if (!why.empty()) return fmt::format("{} ({}) {}", why, advise(simulation), when);
  return fmt::format(
      "held: its forces lead into a pose that its coordinates cannot pass (margin {:.3g}) {}; build it "
      "with --method lagrange, which may pass",
      event.margin, when);
}

std::string describe_gain(const Event& event, const Simulation& simulation) {
  return fmt::format("the motion has {:.3g} J that no source gave ({})", event.energy, advise(simulation));
}

}  // namespace

std::string describe_loss(const Simulation& simulation) {
  const EnergyAudit& audit = simulation.stepper().audit();
  if (!audit.has_lost()) return "";
  return fmt::format("{:.3g} J of {:.3g} J are lost that nothing dissipates ({})", audit.loss(),
                     audit.scale(), advise(simulation));
}

std::string describe(const Event& event, const Simulation& simulation) {
  const Stepper& stepper = simulation.stepper();
  const auto when = fmt::format("from {} s on, for {} tick{}", to_seconds(event.first), event.ticks,
                                event.ticks == 1 ? "" : "s");
  const auto stop = [&](const char* which, double at) {
    const rodeo_channel& drive = stepper.kernel().drives()[event.drive];
    return fmt::format("{}: at its {} end stop ({:.6g} {}) {}", drive.name, which, at, drive.unit, when);
  };
  if (event.bit == kLimited) {
    const rodeo_channel& drive = stepper.kernel().drives()[event.drive];
    return fmt::format(
        "{}: beside its input, which asks for more than its limits allow, by up to {:.3g} {} at {} s; {}",
        drive.name, event.off, drive.unit, to_seconds(event.worst), when);
  }
  const bool is_hold = event.bit == kHoldSingular || event.bit == kHoldOpen || event.bit == kHoldBranch;
  if (is_hold && stepper.kernel().free_count() > 0) return describe_free_hold(event, simulation, when);
  switch (event.bit) {
    case kAtLower: return stop("lower", *stepper.limits(event.drive).lower);
    case kAtUpper: return stop("upper", *stepper.limits(event.drive).upper);
    case kNearSingular:
      return fmt::format("near a singular pose, margin {:.3g} below {} {}", event.margin,
                         stepper.options().warn_margin, when);
    case kHoldSingular:
      return fmt::format("held: the command leads into a singular pose (margin {:.3g}) {}", event.margin,
                         when);
    case kHoldOpen: return fmt::format("held: the loops of the commanded pose do not close {}", when);
    case kHoldBranch:
      return fmt::format(
          "held: the command lies beyond a pose where two branches of the linkage meet, and waits for one on "
          "the branch that it is on {}",
          when);
    case kJointOpen:
      return fmt::format("held: a joint of the commanded pose is open by more than {} m {}", kLargestOpening,
                         when);
    case kEnergyGain: return describe_gain(event, simulation) + " " + when;
    case kBadInput:
      if (stepper.kernel().free_count() > 0)
        return fmt::format("held: the motion has left what can be computed ({}) {}", advise(simulation),
                           when);
      return fmt::format("held: the command is beyond what the kernel can compute {}", when);
    default: return fmt::format("stopped within one tick, beyond the drives' acceleration {}", when);
  }
}

}  // namespace rodeo::engine
