// SPDX-License-Identifier: MIT
// A run for the tests of recordings: the hand-written four-bar, driven by inputs that come from a seed, with verbs, events,
// skipped ticks, snapshots and bad values in it, recorded at full speed.
#pragma once
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/record/recorder.h"
#include "engine/record/recording.h"
#include "tests/kernel/build_kernel.h"

namespace rodeo::engine::testing_support {

/// One TickInput after the other, the same for the same seed.
class InputScript {
 public:
  explicit InputScript(std::size_t drives, unsigned seed = 7) : random_(seed), commands_(drives) {}

  TickInput next() {
    ++count_;
    for (Command& command : commands_) command = make_command();
    TickInput input;
    input.commands = commands_;
    const auto dice = random_() % 200;
    if (dice < 9) input.verb = static_cast<Verb>(dice);
    if (dice == 2) freeze_left_ = 5;
    if (const Verb jump = std::exchange(jump_, Verb::none); jump != Verb::none) {
      input.verb = jump;
    } else if (dice == 4 || dice == 5 || dice == 7) {  // jumps are done in freeze
      jump_ = std::exchange(input.verb, Verb::freeze);
      freeze_left_ = 3;
    }
    if (freeze_left_ > 0 && --freeze_left_ == 0) input.verb = Verb::run;
    input.slot = static_cast<std::uint8_t>(random_() % 3);
    if (dice == 20) input.skipped = static_cast<std::uint32_t>(random_() % 10);
    if (dice >= 30 && dice < 40) input.events = kStaleInput;
    if (dice == 41) input.events = kEmergencyStop;
    if (dice == 42 || count_ % 50 == 0) release(input);
    return input;
  }

 private:
  void release(TickInput& input) {
    input.verb = Verb::rearm;
    input.events |= kTwoSteps;
    std::ranges::fill(commands_, Command::moving(0));
  }
  Command make_command() {
    const double value = std::uniform_real_distribution<double>(-2, 2)(random_);
    const auto dice = random_() % 100;
    if (dice == 0) return Command::at(std::numeric_limits<double>::quiet_NaN());
    if (dice < 20) return Command::at(value, value / 3, dice < 10 ? 7 * value : 0);
    return dice < 50 ? Command::at(value) : Command::moving(value);
  }

  std::mt19937_64 random_;
  std::vector<Command> commands_;
  int count_ = 0;
  int freeze_left_ = 0;
  Verb jump_ = Verb::none;  // of the next tick
};

/// A model folder, a session and where to record it.
class RecordedRun {
 public:
  /// `has_own`: other parameters than the model was built with.
  explicit RecordedRun(bool has_own = true)
      : model_(make_model(has_own)), files_(build_model_files(model_)), session_(make_session()) {}

  [[nodiscard]] const ModelFolder& model() const { return model_; }
  [[nodiscard]] const ModelFiles& files() const { return files_; }
  [[nodiscard]] Session& session() { return session_; }
  [[nodiscard]] std::string path(const std::string& name = "run.mcap") const {
    return (folder_ / name).string();
  }
  [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }

  /// `ticks` ticks into a file; `seen` is told of each. The recorder's status after closing.
  RecorderStatus record(int ticks, RecorderOptions options = {},
                        const std::function<void(const TickInput&)>& seen = {}) {
    if (options.path.empty()) options.path = path();
    Recorder recorder(options, model_, files_, session_);
    InputScript script(model_.kernel.drive_count());
    for (int i = 0; i < ticks; ++i) {
      const TickInput input = script.next();
      session_.tick(input);
      recorder.record(input, session_);
      if (seen) seen(input);
    }
    recorder.close();
    return recorder.status();
  }

 private:
  ModelFolder make_model(bool has_own) {
    write_model_folder(folder_ / "model", R"("lower": -2, "upper": 2.5, "speed": 3, "acceleration": 40)");
    ModelFolder model = ModelFolder::build_from((folder_ / "model").string());
    if (has_own) model.set_parameter("L1", 0.45000000000000007);  // as -p would
    return model;
  }
  [[nodiscard]] Session make_session() const {
    SessionOptions options;
    options.period = 2'000'000;
    options.stepper.warn_margin = 0.15;
    options.on_stale = OnStale::latch;
    return {model_, options, {{"start", model_.start}, {"low", {-1.0}}, {"high", {0.1 + 0.2}}}};
  }

  TemporaryFolder folder_;
  ModelFolder model_;
  ModelFiles files_;
  Session session_;
};

}  // namespace rodeo::engine::testing_support
