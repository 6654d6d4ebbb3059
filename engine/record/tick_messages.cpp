// SPDX-License-Identifier: MIT
// Field numbers are those of tick_messages.h. Every field is written, zero or not: an entry a tick and no surprises.
#include "engine/record/tick_messages.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/record/protobuf.h"
#include "engine/record/state_reader.h"

namespace rodeo::engine {
namespace {

using protobuf::calc_field_number;
using protobuf::Enumeration;
using protobuf::Field;
using protobuf::Message;
using protobuf::Type;

constexpr double kNano = 1e9;
constexpr std::uint32_t kSenderField = 10;
constexpr std::uint32_t kSenderSessionField = 11;
constexpr std::uint32_t kCheckpointField = 15;
constexpr std::uint32_t kFeltField = 9;

Message build_message(std::string name, std::vector<Field> fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].number == 0) fields[i].number = calc_field_number(i);
  }
  return {std::move(name), std::move(fields)};
}

std::vector<std::string> build_channel_fields(std::span<const rodeo_channel> channels) {
  return protobuf::build_field_names(build_names(channels));
}

/// One field a channel, all of a type.
Message build_channels(std::string name, std::span<const rodeo_channel> channels, Type type,
                       const std::string& type_name) {
  std::vector<Field> fields;
  for (const std::string& field : build_channel_fields(channels)) fields.push_back({field, type, type_name});
  return build_message(std::move(name), std::move(fields));
}

std::vector<Field> build_input_fields(const Kernel& kernel) {
  std::vector<Field> fields{{"tick", Type::i64},
                            {"skipped", Type::u32},
                            {"verb", Type::enumeration, "Verb"},
                            {"slot", Type::u32},
                            {"events", Type::u32},
                            {"lost", Type::u64},
                            {"checksum", Type::fixed64},
                            {"commands", Type::message, "Commands"}};
  if (kernel.force_count() > 0) fields.push_back({"inputs", Type::message, "Inputs"});
  fields.push_back({"sender", Type::string, "", kSenderField});
  fields.push_back({"sender_session", Type::fixed64, "", kSenderSessionField});
  fields.push_back({"checkpoint", Type::bytes, "", kCheckpointField});
  return fields;
}

std::vector<Field> build_state_fields(const Kernel& kernel) {
  std::vector<Field> fields{{"tick", Type::i64},
                            {"time"},
                            {"status", Type::u32},
                            {"residual"},
                            {"margin"},
                            {"drives", Type::message, "Drives"},
                            {"outputs", Type::message, "Outputs"}};
  if (kernel.load_count() > 0) fields.push_back({"loads", Type::message, "Loads"});
  if (kernel.force_count() > 0) fields.push_back({"inputs", Type::message, "Inputs", kFeltField});
  return fields;
}

std::vector<Message> build_messages(const Kernel& kernel) {
  std::vector<Message> messages{
      build_message("Input", build_input_fields(kernel)),
      build_channels("Commands", kernel.drives(), Type::message, "Command"),
      build_message("Command",
                    {{"kind", Type::enumeration, "Kind"}, {"position"}, {"rate"}, {"acceleration"}}),
      build_message("State", build_state_fields(kernel)),
      build_channels("Drives", kernel.drives(), Type::message, "DriveState"),
      build_message("DriveState", {{"position"}, {"rate"}, {"acceleration"}}),
      build_channels("Outputs", kernel.outputs(), Type::f64, ""),
  };
  if (kernel.force_count() > 0) messages.push_back(build_channels("Inputs", kernel.forces(), Type::f64, ""));
  if (kernel.load_count() > 0) messages.push_back(build_channels("Loads", kernel.loads(), Type::f64, ""));
  return messages;
}

/// Values as in tick_input.h and limiter.h; names of one package must differ between enumerations.
const std::vector<Enumeration>& enumerations() {
  static const std::vector<Enumeration> all{{"Verb",
                                             {{"VERB_NONE", 0},
                                              {"VERB_RUN", 1},
                                              {"VERB_FREEZE", 2},
                                              {"VERB_STEP", 3},
                                              {"VERB_RESET", 4},
                                              {"VERB_LOAD", 5},
                                              {"VERB_SNAPSHOT", 6},
                                              {"VERB_RESTORE", 7},
                                              {"VERB_REARM", 8},
                                              {"VERB_RELEASE", 9}}},
                                            {"Kind", {{"KIND_POSITION", 0}, {"KIND_RATE", 1}}}};
  return all;
}

void add_notes(std::vector<std::pair<std::string, std::string>>& notes, const std::string& prefix,
               std::span<const rodeo_channel> channels) {
  const std::vector<std::string> fields = build_channel_fields(channels);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    notes.emplace_back(prefix + fields[i], fmt::format("{}, {}", channels[i].name, channels[i].unit));
  }
}

bool decode_command(std::string_view message, Command& command) {
  command = {};
  protobuf::FieldReader field(message);
  while (field.next()) {
    switch (field.number()) {
      case 1:
        if (field.value() > 1) return false;
        command.kind = static_cast<Command::Kind>(field.value());
        break;
      case 2: command.position = field.as_double(); break;
      case 3: command.rate = field.as_double(); break;
      case 4: command.acceleration = field.as_double(); break;
      default: break;
    }
  }
  return field.is_good();
}

decltype(Origin::name) to_name(std::string_view text) {
  decltype(Origin::name) name{};
  std::copy_n(text.begin(), std::min(text.size(), name.size() - 1), name.begin());
  return name;
}

bool decode_commands(std::string_view message, std::span<Command> commands) {
  protobuf::FieldReader field(message);
  std::size_t i = 0;
  for (; field.next(); ++i) {
    if (i >= commands.size() || field.number() != calc_field_number(i)) return false;
    if (!decode_command(field.bytes(), commands[i])) return false;
  }
  return field.is_good() && i == commands.size();
}

bool decode_values(std::string_view message, std::span<double> values) {
  protobuf::FieldReader field(message);
  std::size_t i = 0;
  for (; field.next(); ++i) {
    if (i >= values.size() || field.number() != calc_field_number(i)) return false;
    values[i] = field.as_double();
  }
  return field.is_good() && i == values.size();
}

bool decode_drive(std::string_view message, DriveState& drive) {
  protobuf::FieldReader field(message);
  while (field.next()) {
    switch (field.number()) {
      case 1: drive.position = field.as_double(); break;
      case 2: drive.rate = field.as_double(); break;
      case 3: drive.acceleration = field.as_double(); break;
      default: break;
    }
  }
  return field.is_good();
}

bool decode_drives(std::string_view message, std::span<DriveState> drives) {
  protobuf::FieldReader field(message);
  std::size_t i = 0;
  for (; field.next(); ++i) {
    if (i >= drives.size() || field.number() != calc_field_number(i)) return false;
    if (!decode_drive(field.bytes(), drives[i])) return false;
  }
  return field.is_good() && i == drives.size();
}

}  // namespace

std::string build_schema(const Kernel& kernel) {
  return protobuf::build_descriptor_set("rodeo", build_messages(kernel), enumerations());
}

std::vector<std::pair<std::string, std::string>> build_field_notes(const Kernel& kernel) {
  std::vector<std::pair<std::string, std::string>> notes;
  add_notes(notes, "drives.", kernel.drives());
  add_notes(notes, "outputs.", kernel.outputs());
  add_notes(notes, "loads.", kernel.loads());
  return notes;
}

std::vector<std::pair<std::string, std::string>> build_input_notes(const Kernel& kernel) {
  std::vector<std::pair<std::string, std::string>> notes;
  add_notes(notes, "inputs.", kernel.forces());
  return notes;
}

void TickEncoder::build_commands(std::span<const Command> commands) {
  middle_.clear();
  for (std::size_t d = 0; d < commands.size(); ++d) {
    inner_.clear();
    protobuf::put_varint_field(inner_, 1, static_cast<std::uint64_t>(commands[d].kind));
    protobuf::put_double_field(inner_, 2, commands[d].position);
    protobuf::put_double_field(inner_, 3, commands[d].rate);
    protobuf::put_double_field(inner_, 4, commands[d].acceleration);
    protobuf::put_bytes_field(middle_, calc_field_number(d), inner_);
  }
}

void TickEncoder::build_drives(std::span<const DriveState> drives) {
  middle_.clear();
  for (std::size_t d = 0; d < drives.size(); ++d) {
    inner_.clear();
    protobuf::put_double_field(inner_, 1, drives[d].position);
    protobuf::put_double_field(inner_, 2, drives[d].rate);
    protobuf::put_double_field(inner_, 3, drives[d].acceleration);
    protobuf::put_bytes_field(middle_, calc_field_number(d), inner_);
  }
}

void TickEncoder::build_values(std::span<const double> values) {
  middle_.clear();
  for (std::size_t i = 0; i < values.size(); ++i) {
    protobuf::put_double_field(middle_, calc_field_number(i), values[i]);
  }
}

std::string_view TickEncoder::encode_input(std::byte* entry, std::string_view checkpoint) {
  const EntryHead& head = layout_.head(entry);
  message_.clear();
  protobuf::put_varint_field(message_, 1, static_cast<std::uint64_t>(head.tick));
  protobuf::put_varint_field(message_, 2, head.skipped);
  protobuf::put_varint_field(message_, 3, head.verb);
  protobuf::put_varint_field(message_, 4, head.slot);
  protobuf::put_varint_field(message_, 5, head.events);
  protobuf::put_varint_field(message_, 6, head.lost);
  protobuf::put_fixed64_field(message_, 7, head.checksum);
  build_commands(layout_.commands(entry));
  protobuf::put_bytes_field(message_, 8, middle_);
  if (const std::span<const double> forces = layout_.forces(entry); !forces.empty()) {
    build_values(forces);
    protobuf::put_bytes_field(message_, 9, middle_);
  }
  if (const std::string_view sender = head.origin.name.data(); !sender.empty()) {
    protobuf::put_bytes_field(message_, kSenderField, sender);
    protobuf::put_fixed64_field(message_, kSenderSessionField, head.origin.session);
  }
  if (!checkpoint.empty()) protobuf::put_bytes_field(message_, kCheckpointField, checkpoint);
  return message_;
}

std::string_view TickEncoder::encode_state(std::byte* entry) {
  const EntryHead& head = layout_.head(entry);
  message_.clear();
  protobuf::put_varint_field(message_, 1, static_cast<std::uint64_t>(head.tick));
  protobuf::put_double_field(message_, 2, static_cast<double>(head.tick * period_) / kNano);
  protobuf::put_varint_field(message_, 3, head.status);
  protobuf::put_double_field(message_, 4, head.residual);
  protobuf::put_double_field(message_, 5, head.margin);
  build_drives(layout_.drives(entry));
  protobuf::put_bytes_field(message_, 6, middle_);
  build_values(layout_.outputs(entry));
  protobuf::put_bytes_field(message_, 7, middle_);
  if (const std::span<const double> loads = layout_.loads(entry); !loads.empty()) {
    build_values(loads);
    protobuf::put_bytes_field(message_, 8, middle_);
  }
  if (const std::span<const double> felt = layout_.felt(entry); !felt.empty()) {
    build_values(felt);
    protobuf::put_bytes_field(message_, kFeltField, middle_);
  }
  return message_;
}

bool decode_input(std::string_view message, TickBuffer& buffer, RecordedTick& tick) {
  tick = {};
  tick.input.commands = buffer.commands;
  tick.input.forces = buffer.forces;
  std::ranges::fill(buffer.forces, 0.0);
  bool has_commands = buffer.commands.empty();
  bool has_forces = true;
  protobuf::FieldReader field(message);
  while (field.next()) {
    switch (field.number()) {
      case 1: tick.tick = static_cast<std::int64_t>(field.value()); break;
      case 2: tick.input.skipped = static_cast<std::uint32_t>(field.value()); break;
      case 3: tick.input.verb = static_cast<Verb>(field.value()); break;
      case 4: tick.input.slot = static_cast<std::uint8_t>(field.value()); break;
      case 5: tick.input.events = static_cast<std::uint8_t>(field.value()); break;
      case 6: tick.lost = field.value(); break;
      case 7: tick.checksum = field.value(); break;
      case 8: has_commands = decode_commands(field.bytes(), buffer.commands); break;
      case 9: has_forces = decode_values(field.bytes(), buffer.forces); break;
      case kSenderField: tick.input.origin.name = to_name(field.bytes()); break;
      case kSenderSessionField: tick.input.origin.session = field.value(); break;
      case kCheckpointField: tick.checkpoint = field.bytes(); break;
      default: break;
    }
  }
  return field.is_good() && has_commands && has_forces;
}

bool decode_state(std::string_view message, RecordedState& state) {
  bool has_drives = state.drives.empty(), has_outputs = state.outputs.empty(),
       has_loads = state.loads.empty();
  bool has_felt = true;
  state.has_inputs = state.inputs.size() <= 1;
  std::ranges::fill(state.inputs, 0.0);
  state.tick = 0;
  protobuf::FieldReader field(message);
  while (field.next()) {
    switch (field.number()) {
      case 1: state.tick = static_cast<std::int64_t>(field.value()); break;
      case 2: state.time = field.as_double(); break;
      case 3: state.status = static_cast<std::uint32_t>(field.value()); break;
      case 4: state.residual = field.as_double(); break;
      case 5: state.margin = field.as_double(); break;
      case 6: has_drives = decode_drives(field.bytes(), state.drives); break;
      case 7: has_outputs = decode_values(field.bytes(), state.outputs); break;
      case 8: has_loads = decode_values(field.bytes(), state.loads); break;
      case kFeltField:
        state.has_inputs = has_felt =
            decode_values(field.bytes(), std::span(state.inputs).subspan(state.inputs.empty() ? 0 : 1));
        break;
      default: break;
    }
  }
  return field.is_good() && has_drives && has_outputs && has_loads && has_felt;
}

}  // namespace rodeo::engine
