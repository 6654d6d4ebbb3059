// SPDX-License-Identifier: MIT
// The layout as a C99 header for gcc and clang.
#include <fmt/format.h>

#include "tools/rodeo/packet_layout.h"

namespace rodeo::tools {
namespace {

const char* c_type(FieldType type) {
  switch (type) {
    case FieldType::character: return "char";
    case FieldType::u8: return "uint8_t";
    case FieldType::u16: return "uint16_t";
    case FieldType::u32: return "uint32_t";
    case FieldType::u64: return "uint64_t";
    case FieldType::i64: return "int64_t";
    case FieldType::f64: return "double";
  }
  return "";
}

std::string write_member(const std::string& declaration, const std::string& comment) {
  return comment.empty() ? fmt::format("  {};\n", declaration)
                         : fmt::format("  {}; /* {} */\n", declaration, comment);
}

std::string write_struct(const std::string& name, const std::string& members, std::size_t bytes) {
  return fmt::format(
      "struct {0} {{\n{1}}} __attribute__((packed));\n"
      "typedef char {0}_has_{2}_bytes[sizeof(struct {0}) == {2} ? 1 : -1];\n\n",
      name, members, bytes);
}

std::string write_header(const std::string& name, const std::vector<Field>& fields) {
  std::string members;
  std::size_t bytes = 0;
  for (const Field& field : fields) {
    const std::string size = field.count == 1 ? "" : fmt::format("[{}]", field.count);
    members += write_member(fmt::format("{} {}{}", c_type(field.type), field.name, size), field.comment);
    bytes += field.bytes();
  }
  return write_struct(name, members, bytes);
}

std::string write_values(const PacketLayout& layout) {
  std::string members;
  const auto names = build_identifiers(layout.machine.drives);
  for (std::size_t d = 0; d < names.size(); ++d) {
    members += write_member("double " + names[d],
                            describe_drive(layout.machine.drives[d], layout.machine.limits[d]));
  }
  return write_struct("rodeo_drives", members, 8 * names.size());
}

std::string write_channels(const std::string& name, const std::vector<engine::Channel>& channels) {
  std::string members;
  const auto names = build_identifiers(channels);
  for (std::size_t i = 0; i < names.size(); ++i) {
    members += write_member("double " + names[i], fmt::format("{}, {}", channels[i].name, channels[i].unit));
  }
  return write_struct(name, members, 8 * names.size());
}

std::string write_bytes(const std::string& hex) {
  std::string list;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    list += fmt::format("{}0x{}", i == 0 ? "" : ", ", hex.substr(i, 2));
  }
  return list;
}

}  // namespace

std::string write_c(const PacketLayout& layout) {
  const std::size_t drives = 8 * layout.machine.drives.size();
  const std::size_t forces = 8 * layout.machine.forces.size();
  const std::string inputs = forces > 0 ? "  struct rodeo_inputs inputs;\n" : "";
  std::string text = fmt::format(
      "/* Packets of {}, version 1, written by rodeo packet. Little-endian: copy them as they are on x86 and "
      "ARM.\n"
      " * With a key, 32 bytes of tag follow a command: see engine/net/PROTOCOL.md. */\n"
      "#include <stdint.h>\n\n"
      "#define RODEO_COMMAND_FINGERPRINT {{{}}}\n#define RODEO_STATE_FINGERPRINT {{{}}}\n\n",
      layout.machine.name, write_bytes(layout.command_fingerprint()),
      write_bytes(layout.state_fingerprint()));
  text += write_header("rodeo_command_header", PacketLayout::command_header());
  text += write_values(layout);
  if (forces > 0) text += write_channels("rodeo_inputs", layout.machine.forces);
  text += "/* Modes 1 and 2. */\n";
  text += write_struct("rodeo_command",
                       "  struct rodeo_command_header header;\n  struct rodeo_drives values;\n" + inputs,
                       56 + drives + forces);
  text += "/* Mode 3. */\n";
  text += write_struct("rodeo_ramp_command",
                       "  struct rodeo_command_header header;\n  struct rodeo_drives positions;\n"
                       "  struct rodeo_drives rates;\n" +
                           inputs,
                       56 + 2 * drives + forces);
  text += "/* Mode 4. */\n";
  text += write_struct("rodeo_motion_command",
                       "  struct rodeo_command_header header;\n  struct rodeo_drives positions;\n"
                       "  struct rodeo_drives rates;\n  struct rodeo_drives accelerations;\n" +
                           inputs,
                       56 + 3 * drives + forces);
  text += "/* Mode 5. */\n";
  text += write_struct("rodeo_rate_command",
                       "  struct rodeo_command_header header;\n  struct rodeo_drives rates;\n"
                       "  struct rodeo_drives accelerations;\n" +
                           inputs,
                       56 + 2 * drives + forces);
  text += write_header("rodeo_state_header", PacketLayout::state_header());
  text += write_channels("rodeo_signals", layout.signals);
  text +=
      write_struct("rodeo_state", "  struct rodeo_state_header header;\n  struct rodeo_signals signals;\n",
                   144 + 8 * layout.signals.size());
  return text;
}

}  // namespace rodeo::tools
