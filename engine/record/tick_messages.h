// SPDX-License-Identifier: MIT
// A tick as messages of a recording, in protobuf with a schema for the machine at hand, so that other programs plot its
// signals by name:
//     /input  rodeo.Input: all that a replay needs, and the checksum after the tick
//     /state  rodeo.State: drives, outputs, residual, margin, status, loads
// package rodeo;
//   Input      {int64 tick = 1; uint32 skipped = 2; Verb verb = 3; uint32 slot = 4; uint32 events = 5; uint64 lost = 6;
//               fixed64 checksum = 7; Commands commands = 8; Inputs inputs = 9; string sender = 10; fixed64 sender_session = 11;
//               bytes checkpoint = 15;}
//   Commands   {Command <drive> = 1...;}      Command {Kind kind = 1; double position = 2; double rate = 3;
//                                             double acceleration = 4;}        missing: 0, as in older recordings
//   State      {int64 tick = 1; double time = 2; uint32 status = 3; double residual = 4; double margin = 5;
//               Drives drives = 6; Outputs outputs = 7; Loads loads = 8; Inputs inputs = 9;}   inputs as they were felt
//   Drives     {DriveState <drive> = 1...;}   DriveState {double position = 1; double rate = 2; double acceleration = 3;}
//   Outputs    {double <output> = 1...;}      Loads {double <load> = 1...;}
//   Inputs     {double <force> = 1...;}       what comes from outside; missing: all 0
// sender: of an emergency stop or a verb, `192.168.1.7:40321` or `terminal`, with the session id of its packets; missing: nobody.
// A machine without inputs or loads has no such fields. A checkpoint is the session after the tick (session.h), now and then.
// Units are SI. A channel's metadata names the channel and unit of every field whose name had to change.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/kernel/kernel.h"
#include "engine/record/recording.h"
#include "engine/record/tick_entry.h"

namespace rodeo::engine {

inline constexpr std::string_view kInputTopic = "/input";
inline constexpr std::string_view kStateTopic = "/state";
inline constexpr std::string_view kInputType = "rodeo.Input";
inline constexpr std::string_view kStateType = "rodeo.State";

/// The FileDescriptorSet of this machine's messages.
[[nodiscard]] std::string build_schema(const Kernel& kernel);
/// `outputs.tip_x` -> `tip.x, m`.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> build_field_notes(const Kernel& kernel);
/// `inputs.load_mass` -> `load.mass, kg`.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> build_input_notes(const Kernel& kernel);

/// Writes messages; keeps its buffers, so that it allocates at first only.
class TickEncoder {
 public:
  /// `period`: ns.
  TickEncoder(const EntryLayout& layout, std::int64_t period) : layout_(layout), period_(period) {}

  /// Valid until the next call. `checkpoint`: empty if the entry has none.
  [[nodiscard]] std::string_view encode_input(std::byte* entry, std::string_view checkpoint = {});
  [[nodiscard]] std::string_view encode_state(std::byte* entry);

 private:
  void build_commands(std::span<const Command> commands);
  void build_drives(std::span<const DriveState> drives);
  void build_values(std::span<const double> values);

  EntryLayout layout_;
  std::int64_t period_;
  std::string message_;
  std::string middle_;  // what build_ leaves: a message within the message
  std::string inner_;
};

/// Where a tick is read to: one command a drive, one value a force.
struct TickBuffer {
  explicit TickBuffer(const Kernel& kernel) : commands(kernel.drive_count()), forces(kernel.force_count()) {}

  std::vector<Command> commands;
  std::vector<double> forces;
};

/// Reads an Input; `buffer` is where tick.input's commands and forces then are. False if the message is not whole.
[[nodiscard]] bool decode_input(std::string_view message, TickBuffer& buffer, RecordedTick& tick);

struct RecordedState;
/// Reads a State into vectors of this machine's sizes, without what came from outside. False if the message is not whole.
[[nodiscard]] bool decode_state(std::string_view message, RecordedState& state);

}  // namespace rodeo::engine
