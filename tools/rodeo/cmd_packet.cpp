// SPDX-License-Identifier: MIT
// `rodeo packet`: the layout of a machine's packets, to paste into the other side's program; and a key for both sides.
#include <fmt/format.h>

#include <memory>

#include "engine/io/printable.h"
#include "engine/net/auth.h"
#include "engine/net/destination.h"
#include "engine/net/signals.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/packet_layout.h"
#include "tools/rodeo/run_model.h"

namespace rodeo::tools {

void add_packet(CLI::App& app);

namespace {

struct PacketOptions {
  RunModelOptions model;
  std::string format;
  std::string signals;
  std::string new_key;
};

/// As in --publish HOST:PORT,signals=a;b.
std::vector<engine::Channel> build_signals(const engine::ModelFolder& model, const std::string& text) {
  const engine::SignalTable all(model.kernel);
  if (text.empty()) return all.build_motion().channels();
  try {
    return all.build_selection(engine::build_signal_patterns(text)).channels();
  } catch (const engine::AddressError& error) {
    throw CLI::ValidationError("--signals", error.what());
  }
}

void check_options(const PacketOptions& options) {
  if (options.model.path.empty()) throw CLI::RequiredError("MODEL");
  if (options.format.empty()) throw CLI::RequiredError("--format");
}

void run_packet(const PacketOptions& options) {
  if (!options.new_key.empty()) return engine::write_new_key(options.new_key);
  check_options(options);
  const engine::ModelFolder model = load_run_model(options.model);
  const PacketLayout layout{build_machine_interface(model), build_signals(model, options.signals)};
  const auto write = options.format == "c"        ? write_c
                     : options.format == "python" ? write_python
                                                  : write_simulink;
  engine::print_text(write(layout));
}

}  // namespace

void add_packet(CLI::App& app) {
  auto options = std::make_shared<PacketOptions>();
  CLI::App* command =
      app.add_subcommand("packet", "The packet layout of a machine, to paste into the other side's program");
  add_run_model_options(*command, options->model);
  command->get_option("MODEL")->required(false);
  command->add_option("--format", options->format, "c: a header; python: a module; simulink: a MATLAB script")
      ->check(CLI::IsMember({"c", "python", "simulink"}));
  command->add_option("--signals", options->signals,
                      "Signals of the state packet, as in --publish: 'lift;*.angle'");
  command->add_option("--new-key", options->new_key,
                      "Write a new random key into this file, and nothing else");
  command->footer("Example: rodeo packet configs/wheel_loader.yaml --format c > loader_packets.h");
  command->callback([options] { report_engine_errors([&] { run_packet(*options); }); });
}

}  // namespace rodeo::tools
