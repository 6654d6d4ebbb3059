// SPDX-License-Identifier: MIT
// A run as fast as it can: an input, a stepper and a log, and what a user should be told about it. Time is tick x period in
// integer nanoseconds, as in the real-time loop, so that both compute the same bits.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/io/input.h"
#include "engine/io/log.h"
#include "engine/step/model_folder.h"
#include "engine/step/stepper.h"

namespace rodeo::engine {

struct SimulationOptions {
  StepperOptions stepper;           // its period is set from `period`
  std::int64_t period = 1'000'000;  // ns
  std::int64_t duration = -1;       // ns; negative: to the end of the input
};

/// Something that happened, and when first.
struct Event {
  std::uint32_t bit;   // a StatusBit
  std::size_t drive;   // which, for the end stops and kLimited
  std::int64_t first;  // ns
  std::int64_t ticks;  // how many ticks
  double margin;       // at the first
  double energy;       // J that no source gave, the most
  double off;          // of kLimited: rad or m beside the input, at most
  std::int64_t worst;  // and when, ns
};

/// Why free motion is held where its step is too long, from StatusBits and the margin there; empty where it is not.
[[nodiscard]] std::string describe_free_hold(std::uint32_t bits, double margin, const Stepper& stepper);

/// A motion that must not be trusted: a joint that is open, energy from nowhere, numbers that free motion has run out of.
[[nodiscard]] bool is_fault(const Event& event, const Kernel& kernel) noexcept;

class Simulation {
 public:
  /// `input` may be null: the drives stay at the start. Throws KernelError if the machine cannot take its start pose,
  /// IoError if it cannot begin where the input does.
  Simulation(const ModelFolder& model, Input* input, const SimulationOptions& options);

  [[nodiscard]] const Stepper& stepper() const noexcept { return stepper_; }
  [[nodiscard]] std::int64_t tick_count() const noexcept { return tick_count_; }
  [[nodiscard]] const std::vector<Event>& events() const noexcept { return events_; }
  [[nodiscard]] const std::vector<StiffElement>& stiff() const noexcept { return stiff_; }

  /// Writes a row for the start and one a tick. `progress(fraction)` is called now and then; false stops the run.
  /// True if it came to its end. Throws IoError.
  bool run(LogWriter& log, const std::function<bool(double)>& progress);
  /// Without a log, until the first fault: true if there is none.
  [[nodiscard]] bool try_run();
  /// What was found to do instead, for what is said about a fault.
  void set_remedy(const Remedy& remedy) noexcept { remedy_ = remedy; }
  [[nodiscard]] const Remedy& remedy() const noexcept { return remedy_; }

 private:
  void begin(const ModelFolder& model);
  [[nodiscard]] DriveState calc_begin(std::size_t drive) const noexcept;
  void set_inputs(std::int64_t time) noexcept;
  void tick(std::int64_t time);
  void note(std::int64_t time);
  Event& note_bit(std::uint32_t bit, std::size_t drive, std::int64_t time);
  void note_off(std::size_t drive, std::int64_t time);

  Stepper stepper_;
  Input* input_;
  std::int64_t period_;
  std::int64_t tick_count_;
  std::vector<Command> commands_;
  std::vector<double> inputs_;  // the time, then forces from outside
  std::vector<Event> events_;
  std::vector<bool> has_arrived_;  // one a drive: was where its input is
  std::vector<StiffElement> stiff_;
  Remedy remedy_;
};

/// For free motion whose step is too long: what brings the same run to its end, tried up to a million ticks. `input` as for the run.
[[nodiscard]] Remedy find_remedy(const ModelFolder& model, Input* input, const SimulationOptions& options);

/// `crank: at its upper end stop (1.5 rad) from 0.75 s on, for 250 ticks`
[[nodiscard]] std::string describe(const Event& event, const Simulation& simulation);
/// What a user should know of the energy at the end, where it is not a fault; empty if all is well.
[[nodiscard]] std::string describe_loss(const Simulation& simulation);

}  // namespace rodeo::engine
