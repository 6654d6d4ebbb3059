// SPDX-License-Identifier: MIT
// Opening, describing and closing the ports of a run.
#include "tools/rodeo/run_ports.h"

#include <fmt/format.h>

#include "engine/io/printable.h"
#include "engine/record/model_files.h"
#include "tools/rodeo/signing.h"

namespace rodeo::tools {
namespace {

using nlohmann::ordered_json;

ordered_json build_packets(const engine::PacketCounts& counts) {
  ordered_json reasons = ordered_json::object();
  for (std::size_t i = 1; i < engine::kRefusalCount; ++i) {
    reasons[std::string(engine::refusal_name(static_cast<engine::Refusal>(i)))] = counts.refused[i];
  }
  return {{"accepted", counts.accepted},   {"clipped", counts.clipped}, {"hellos", counts.hellos},
          {"underruns", counts.underruns}, {"dropped", counts.dropped}, {"refused", counts.refused_total()},
          {"refused_by_reason", reasons}};
}

ordered_json build_sent(const std::vector<engine::SendCounts>& counts) {
  ordered_json list = ordered_json::array();
  for (const engine::SendCounts& each : counts) {
    list.push_back({{"destination", each.destination},
                    {"sent", each.sent},
                    {"unreachable", each.unreachable},
                    {"failed", each.failed},
                    {"skipped", each.skipped}});
  }
  return list;
}

ordered_json build_recording(const engine::RecorderStatus& status, const std::string& file) {
  return {{"file", file},
          {"ticks", status.recorded},
          {"lost", status.lost},
          {"bytes", status.bytes},
          {"synced_tick", status.synced_tick},
          {"error", engine::describe(status, file)}};
}

}  // namespace

std::unique_ptr<engine::Recorder> open_recorder(const RunOptions& options, const engine::ModelFolder& model,
                                                const engine::ModelFiles& files,
                                                const engine::Session& session) {
  engine::RecorderOptions recorder;
  recorder.path = options.record;
  recorder.replaces = options.overwrites;
  auto opened = std::make_unique<engine::Recorder>(recorder, model, files, session);
  if (!opened->kept().empty()) {
    engine::print_sentence("note: {} was there: it is kept as {} (--overwrite replaces it)", options.record,
                           opened->kept());
  }
  return opened;
}

RunPorts::RunPorts(const RunOptions& options, const engine::ModelFolder& model,
                   const engine::Session& session, std::unique_ptr<engine::Recorder> recorder,
                   std::unique_ptr<engine::Input> input)
    : options_(options), key_(load_signing_key(options.key)), recorder_(std::move(recorder)) {
  const bool has_net = !options.net.listen.empty() || !options.net.publish.empty();
  if (has_net) thread_ = std::make_unique<engine::NetThread>();
  open_commands(model, session.options().period, std::move(input));
  open_states(session);
  if (!recorder_ && !options.record.empty()) {
    recorder_ = open_recorder(options, model, engine::build_model_files(model), session);
  }
}

void RunPorts::open_commands(const engine::ModelFolder& model, std::int64_t period,
                             std::unique_ptr<engine::Input> input) {
  engine::CommandPort* port = nullptr;
  if (!input && !options_.input.empty()) {
    input = load_input(options_.input, model);
  }
  if (input) port = &input_.emplace(std::move(input));
  if (!options_.net.listen.empty()) {
    const engine::MachineInterface machine = engine::build_machine_interface(model);
    engine::ReceiverOptions receiver = build_receiver_options(options_.net, machine, warnings_);
    receiver.period = static_cast<double>(period) / 1e9;
    receiver.silence = options_.timeout / 1e3;
    receiver_ = std::make_unique<engine::Receiver>(*thread_, machine, receiver);
    warn(receiver_->warnings());
    port = receiver_.get();
  }
  verbs_ = std::make_unique<engine::OperatorPort>(port);
}

void RunPorts::open_states(const engine::Session& session) {
  if (options_.net.publish.empty()) return;
  publisher_ = std::make_unique<engine::Publisher>(*thread_, session, build_destinations(options_.net),
                                                   receiver_.get());
  warn(publisher_->warnings());
}

void RunPorts::warn(const std::vector<std::string>& more) {
  warnings_.insert(warnings_.end(), more.begin(), more.end());
}

engine::LoopPorts RunPorts::build_loop_ports() {
  engine::LoopPorts ports{verbs_.get(), {}, recorder_.get()};
  if (publisher_) ports.states.push_back(publisher_.get());
  return ports;
}

std::string RunPorts::describe_ways() const {
  std::string text;
  if (receiver_) text += fmt::format(", listens on {}", engine::to_text(receiver_->endpoint()));
  if (publisher_) text += fmt::format(", publishes to {}", fmt::join(options_.net.publish, " and "));
  if (recorder_) text += fmt::format(", records into {}", options_.record);
  return text;
}

std::optional<engine::LinkReport> RunPorts::find_link(std::int64_t now) const {
  return receiver_ ? std::optional(receiver_->report(now)) : std::nullopt;
}

std::string RunPorts::endpoint() const { return receiver_ ? engine::to_text(receiver_->endpoint()) : ""; }

std::string RunPorts::close() {
  if (!recorder_) return "";
  recorder_->close();
  const std::string error = engine::describe(recorder_->status(), options_.record);
  if (!key_) return error;
  const std::string unsigned_because = recorder_->status().error == 0 ? sign_recording() : "it is not whole";
  if (unsigned_because.empty()) return error;
  return fmt::format("{}{}{}: is not signed: {}", error, error.empty() ? "" : "; ", options_.record,
                     unsigned_because);
}

/// Why not; empty if it is.
std::string RunPorts::sign_recording() const try {
  engine::sign(options_.record, *key_);
  return "";
} catch (const engine::SignatureError& error) {
  return error.what();
}

void RunPorts::add_to(ordered_json& report) const {
  if (receiver_) report["packets"] = build_packets(receiver_->counts());
  if (publisher_) report["sent"] = build_sent(publisher_->counts());
  if (recorder_) report["recording"] = build_recording(recorder_->status(), options_.record);
}

}  // namespace rodeo::tools
