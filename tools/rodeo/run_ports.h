// SPDX-License-Identifier: MIT
// What a live run connects its loop to: a cycle from a file or the network for commands, the terminal's verbs, destinations for
// states, a recording.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/files/signature.h"
#include "engine/io/input.h"
#include "engine/loop/operator_port.h"
#include "engine/loop/ports.h"
#include "engine/net/publisher.h"
#include "engine/net/receiver.h"
#include "engine/record/recorder.h"
#include "tools/rodeo/run_options.h"

namespace rodeo::tools {

/// A cycle in place of packets: at every tick the command of its simulated time.
class InputPort : public engine::CommandPort {
 public:
  explicit InputPort(std::unique_ptr<engine::Input> input) : input_(std::move(input)) {}

  [[nodiscard]] bool try_sample(std::int64_t now, engine::Sample& out) noexcept override {
    input_->sample(out.time, out.commands);
    input_->sample_forces(out.time, out.forces);
    out.arrival = now;
    return out.has_any = true;
  }
  [[nodiscard]] std::int64_t end() const noexcept { return input_->end(); }

 private:
  std::unique_ptr<engine::Input> input_;
};

/// The recorder of --record, told on stderr what became of an older recording. Throws IoError.
[[nodiscard]] std::unique_ptr<engine::Recorder> open_recorder(const RunOptions& options,
                                                              const engine::ModelFolder& model,
                                                              const engine::ModelFiles& files,
                                                              const engine::Session& session);

/// Opens everything that the options name; its threads run from now on.
class RunPorts {
 public:
  /// `recorder`, `input`: those that have been opened already, or null: then --record and --input open them. Throws NetError
  /// and IoError.
  RunPorts(const RunOptions& options, const engine::ModelFolder& model, const engine::Session& session,
           std::unique_ptr<engine::Recorder> recorder, std::unique_ptr<engine::Input> input);

  [[nodiscard]] engine::LoopPorts build_loop_ports();
  [[nodiscard]] engine::OperatorPort& verbs() noexcept { return *verbs_; }
  [[nodiscard]] bool is_listening() const noexcept { return receiver_ != nullptr; }
  /// Of --input, ns; negative without.
  [[nodiscard]] std::int64_t input_end() const noexcept { return input_ ? input_->end() : -1; }

  /// What became of the packets; nothing without --listen. `now`: ns of the loop's clock.
  [[nodiscard]] std::optional<engine::LinkReport> find_link(std::int64_t now) const;
  /// Where it listens; empty if it does not.
  [[nodiscard]] std::string endpoint() const;
  /// Where it listens, publishes and records: `, listens on 127.0.0.1:5005, ...`
  [[nodiscard]] std::string describe_ways() const;
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }

  /// After the last tick: the recording is finished and signed. What went wrong with it, as a sentence; empty if nothing did.
  [[nodiscard]] std::string close();
  /// Packets, states sent, the recording: as they stand.
  void add_to(nlohmann::ordered_json& report) const;

 private:
  void open_commands(const engine::ModelFolder& model, std::int64_t period,
                     std::unique_ptr<engine::Input> input);
  void open_states(const engine::Session& session);
  void warn(const std::vector<std::string>& more);

  [[nodiscard]] std::string sign_recording() const;

  RunOptions options_;
  std::optional<engine::SecretKey> key_;  // that signs the recording
  std::vector<std::string> warnings_;
  std::optional<InputPort> input_;
  std::unique_ptr<engine::NetThread> thread_;  // outlives the two after it
  std::unique_ptr<engine::Receiver> receiver_;
  std::unique_ptr<engine::Publisher> publisher_;
  std::unique_ptr<engine::Recorder> recorder_;
  std::unique_ptr<engine::OperatorPort> verbs_;
};

}  // namespace rodeo::tools
