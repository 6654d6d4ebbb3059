// SPDX-License-Identifier: MIT
// libFuzzer's way into what strangers send: commands (without and with a key, plain), states, hellos and answers. Built and run by
// tests/fuzz/run, with clang, or with driver.cpp; the seeds come from the same program, `fuzz_packets --seeds FOLDER`.
//
// The promise that is checked: nothing crashes, and no accepted command is beyond a limit.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "engine/net/command_gate.h"
#include "engine/net/hello.h"
#include "engine/net/state_packet.h"

namespace rodeo::engine {
namespace {

using Datagram = std::vector<std::uint8_t>;

const Key kKey{1, 2, 3};
const Nonce kNonce{4, 5, 6};
const Endpoint kSender{{{127, 0, 0, 1}, 4, 0}, 4000};

const MachineInterface& machine() {
  static const MachineInterface two{
      "loader", {{"lift", "m"}, {"tilt", "m"}}, {{1.23, 1.99, 0.15, 0.6}, {{}, {}, {}, {}}}};
  return two;
}

/// One that takes a payload and a force, too.
const MachineInterface& loaded() {
  static const MachineInterface one{
      "arm", {{"lift", "m"}}, {{1.0, 1.8, 0.5, 5.0}}, {{"load.mass", "kg"}, {"dig.x", "N"}}};
  return one;
}

void require(bool is_kept) {
  if (!is_kept) std::abort();
}

/// What passes is possible, and beyond a limit only where the gate says so.
void check_commands(const CommandGate& gate, const CommandHeader& header,
                    const std::vector<Command>& commands) {
  if (header.mode == CommandMode::none) return;
  for (const Command& each : commands) {
    require(std::abs(each.rate) <= kLargestValue && std::abs(each.position) <= kLargestValue);
  }
  if (gate.clip()) return;
  require(std::abs(commands[0].rate) <= 0.15 + 2e-9);
  if (commands[0].kind == Command::Kind::rate) return;
  require(commands[0].position >= 1.23 - 2e-9 && commands[0].position <= 1.99 + 2e-9);
}

/// `right_tag`: the tag is made right, so that the bytes behind it are reached.
void feed_gate(const GateOptions& options, Datagram packet, bool right_tag) {
  CommandGate gate(machine(), options);
  if (right_tag) {
    const Tag tag = Authenticator(*options.key, options.nonce).calc_tag(packet);
    packet.insert(packet.end(), tag.begin(), tag.end());
  }
  CommandHeader header;
  std::vector<Command> commands(2, Command::moving(0));
  if (gate.check(packet, kSender, header, commands) != Refusal::none) return;
  check_commands(gate, header, commands);
  if (!options.plain) require(gate.check(packet, kSender, header, commands) == Refusal::sequence);
}

void feed_loaded(const Datagram& packet) {
  CommandGate gate(loaded(), {});
  CommandHeader header;
  std::vector<Command> commands(1, Command::moving(0));
  std::vector<double> forces(2, 0.0);
  if (gate.check(packet, kSender, header, commands, forces) != Refusal::none) return;
  require(std::abs(commands[0].rate) <= (gate.clip() ? kLargestValue : 0.5 + 2e-9));
  require(forces[0] >= 0 && forces[0] <= kLargestForce && std::abs(forces[1]) <= kLargestForce);
}

void feed(const Datagram& packet) {
  feed_loaded(packet);
  GateOptions open;
  feed_gate(open, packet, false);
  GateOptions plain;
  plain.plain = CommandMode::position;
  feed_gate(plain, packet, false);
  GateOptions keyed;
  keyed.key = kKey;
  keyed.nonce = kNonce;
  feed_gate(keyed, packet, false);
  feed_gate(keyed, packet, true);

  StateHeader state;
  std::vector<double> signals(2);
  static_cast<void>(decode_state(build_state_fingerprint(machine().drives), packet, state, signals));
  static_cast<void>(find_hello(packet));
  static_cast<void>(read_answer(packet, 42, {}));
  static_cast<void>(read_answer(packet, 42, kKey));
}

void write(const std::string& folder, const std::string& name, const Datagram& packet) {
  std::ofstream(folder + "/" + name, std::ios::binary)
      .write(reinterpret_cast<const char*>(packet.data()), static_cast<std::streamsize>(packet.size()));
}

void write_loaded_seeds(const std::string& folder) {
  const CommandLayout layout = loaded().build_layout();
  CommandHeader header;
  header.mode = CommandMode::position_rate;
  header.session = 7;
  header.sequence = 1;
  Datagram packet(layout.packet_bytes(header.mode, false));
  encode_command(layout, header, std::vector{1.5, 0.1, 200.0, -500.0}, nullptr, packet);
  write(folder, "command_loaded", packet);
  write(folder, "answer_loaded", build_answer({loaded(), kNonce, false}, 42, nullptr, 1472));
}

void write_seeds(const std::string& folder) {
  write_loaded_seeds(folder);
  const CommandLayout layout = machine().build_layout();
  for (std::uint8_t mode = 0; mode < 6; ++mode) {
    CommandHeader header;
    header.mode = static_cast<CommandMode>(mode);
    header.verb = mode == 0 ? Verb::snapshot : Verb::none;
    header.session = 7;
    header.sequence = 1;
    Datagram packet(layout.packet_bytes(header.mode, false));
    std::vector<double> values(2 * value_count(header.mode), 0.1);
    const bool is_rate = header.mode == CommandMode::rate || header.mode == CommandMode::rate_acceleration;
    if (!is_rate && !values.empty()) values[0] = values[1] = 1.5;
    encode_command(layout, header, values, nullptr, packet);
    write(folder, "command_" + std::to_string(mode), packet);
  }
  Datagram state(kStateHeaderBytes + 16);
  StateHeader header;
  header.fingerprint = build_state_fingerprint(machine().drives);
  encode_state(header, std::vector<double>{1, 2}, state);
  write(folder, "state", state);
  write(folder, "plain", Datagram(16));
  write(folder, "hello", build_hello(42, 100));
  const Authenticator authenticator(kKey, kNonce);
  write(folder, "answer", build_answer({machine(), kNonce, false}, 42, nullptr, 1472));
  write(folder, "answer_keyed", build_answer({machine(), kNonce, true}, 42, &authenticator, 1472));
}

}  // namespace
}  // namespace rodeo::engine

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc == 3 && std::strcmp((*argv)[1], "--seeds") == 0) {
    rodeo::engine::write_seeds((*argv)[2]);
    std::exit(0);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rodeo::engine::feed({data, data + size});
  return 0;
}
