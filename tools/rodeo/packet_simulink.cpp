// SPDX-License-Identifier: MIT
// The layout as a MATLAB script: the cell arrays that Simulink's Byte Pack and Byte Unpack blocks ask for (byte alignment 1), and
// the constants of the fields that never change.
#include <fmt/format.h>

#include "tools/rodeo/packet_layout.h"

namespace rodeo::tools {
namespace {

const char* matlab_type(FieldType type) {
  switch (type) {
    case FieldType::u16: return "uint16";
    case FieldType::u32: return "uint32";
    case FieldType::u64: return "uint64";
    case FieldType::i64: return "int64";
    case FieldType::f64: return "double";
    default: return "uint8";
  }
}

std::vector<Field> append(std::vector<Field> fields, const std::string& name, std::size_t count,
                          const std::string& comment) {
  fields.push_back({name, FieldType::f64, count, comment});
  return fields;
}

/// One line a field: number of the port, name, type, count, offset.
std::string write_table(const std::vector<Field>& fields) {
  std::string text;
  std::size_t offset = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Field& field = fields[i];
    text += fmt::format("%  {:2}  {:16}  {:6} x {:<3}  offset {:4}  {}\n", i + 1, field.name,
                        matlab_type(field.type), field.count, offset, field.comment);
    offset += field.bytes();
  }
  return text;
}

std::string write_cells(const std::string& variable, const std::vector<Field>& fields) {
  std::string types;
  std::string dimensions;
  std::size_t bytes = 0;
  for (const Field& field : fields) {
    types += fmt::format("{}'{}'", types.empty() ? "" : ",", matlab_type(field.type));
    dimensions += fmt::format("{}{}", dimensions.empty() ? "" : ",", field.count);
    bytes += field.bytes();
  }
  return fmt::format("{0}.DataTypes = {{{1}}};\n{0}.Dimensions = {{{2}}};\n{0}.Bytes = {3};\n", variable,
                     types, dimensions, bytes);
}

std::string write_digits(const std::string& hex) {
  std::string list;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    list += fmt::format("{}{}", i == 0 ? "" : " ", std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return list;
}

std::string write_names(const std::string& variable, const std::vector<engine::Channel>& channels) {
  std::string names;
  for (const engine::Channel& channel : channels) {
    names += fmt::format("{}'{}'", names.empty() ? "" : ",", channel.name);
  }
  return fmt::format("{} = {{{}}};\n", variable, names);
}

}  // namespace

std::string write_simulink(const PacketLayout& layout) {
  auto command = append(PacketLayout::command_header(), "values", layout.machine.drives.size(),
                        "one a drive, as command.Drives");
  if (!layout.machine.forces.empty()) {
    command = append(command, "inputs", layout.machine.forces.size(), "one an input, as command.Inputs");
  }
  const auto state =
      append(PacketLayout::state_header(), "signals", layout.signals.size(), "as state.Signals");
  return fmt::format(
             "% Packets of {}, version 1, written by rodeo packet. See engine/net/PROTOCOL.md.\n"
             "% Byte Pack and Byte Unpack: byte alignment 1, little-endian; give them the cell arrays "
             "below.\n\n"
             "% Command, into UDP Send; ports of Byte Pack:\n",
             layout.machine.name) +
         write_table(command) + write_cells("command", command) +
         write_names("command.Drives", layout.machine.drives) +
         (layout.machine.forces.empty() ? "" : write_names("command.Inputs", layout.machine.forces)) +
         fmt::format("command.Magic = uint8('RDEC');\ncommand.Fingerprint = uint8([{}]);\n\n",
                     write_digits(layout.command_fingerprint())) +
         "% State, from UDP Receive; ports of Byte Unpack:\n" + write_table(state) +
         write_cells("state", state) + write_names("state.Signals", layout.signals) +
         fmt::format("state.Magic = uint8('RDES');\nstate.Fingerprint = uint8([{}]);\n",
                     write_digits(layout.state_fingerprint()));
}

}  // namespace rodeo::tools
