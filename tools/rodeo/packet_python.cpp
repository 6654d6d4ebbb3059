// SPDX-License-Identifier: MIT
// The layout as a Python module of the standard library alone.
#include <fmt/format.h>

#include "tools/rodeo/packet_layout.h"

namespace rodeo::tools {
namespace {

/// As struct writes it: `16s`, `Q`.
std::string python_type(const Field& field) {
  switch (field.type) {
    case FieldType::character: return fmt::format("{}s", field.count);
    case FieldType::u8: return field.count == 1 ? "B" : fmt::format("{}s", field.count);
    case FieldType::u16: return "H";
    case FieldType::u32: return "I";
    case FieldType::u64: return "Q";
    case FieldType::i64: return "q";
    case FieldType::f64: return "d";
  }
  return "";
}

std::string build_format(const std::vector<Field>& fields) {
  std::string format = "<";
  for (const Field& field : fields) format += python_type(field);
  return format;
}

std::string write_channels(const std::vector<engine::Channel>& channels) {
  std::string list;
  for (const engine::Channel& channel : channels) {
    list += fmt::format("    (\"{}\", \"{}\"),\n", channel.name, channel.unit);
  }
  return list;
}

std::string write_fields(const std::vector<Field>& fields) {
  std::string list;
  for (const Field& field : fields) list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", field.name);
  return list;
}

constexpr const char* kFunctions = R"(

def command(values, session, sequence, time_ns, mode=1, verb=0, slot=0, stop=False, key=None, nonce=b"",
            least_delay=0):
    """A command packet. values: one a drive; for mode 3 all positions, then all rates; for mode 4 then all
    accelerations; for mode 5 all rates, then all accelerations; for mode 0 none.
    Then, in every mode but 0, one an input. least_delay: ms that the engine shall wait at least (first packet)."""
    packet = COMMAND_HEADER.pack(b"RDEC", 1, mode, verb, slot, int(stop), least_delay, 0, COMMAND_FINGERPRINT,
                                 session, sequence, time_ns)
    packet += struct.pack("<%dd" % len(values), *values)
    return packet + (hashlib.blake2b(nonce + packet, key=key, digest_size=32).digest() if key else b"")


def state(packet):
    """A state packet as a dict of its header's fields and, under "signals", a dict of its signals."""
    result = dict(zip(STATE_FIELDS, STATE_HEADER.unpack_from(packet)))
    if result["magic"] != b"RDES" or result["fingerprint"] != STATE_FINGERPRINT:
        raise ValueError("not a state packet of these signals")
    values = struct.unpack_from("<%dd" % len(SIGNALS), packet, STATE_HEADER.size)
    result["signals"] = dict(zip((name for name, unit in SIGNALS), values))
    return result
)";

}  // namespace

std::string write_python(const PacketLayout& layout) {
  return fmt::format(
             "# Packets of {}, version 1, written by rodeo packet. See engine/net/PROTOCOL.md.\n"
             "import hashlib\nimport struct\n\n"
             "COMMAND_HEADER = struct.Struct(\"{}\")\nCOMMAND_FINGERPRINT = bytes.fromhex(\"{}\")\n"
             "DRIVES = [\n{}]\nINPUTS = [\n{}]\n\n"
             "STATE_HEADER = struct.Struct(\"{}\")\nSTATE_FINGERPRINT = bytes.fromhex(\"{}\")\n"
             "STATE_FIELDS = [{}]\nSIGNALS = [\n{}]\n",
             layout.machine.name, build_format(PacketLayout::command_header()), layout.command_fingerprint(),
             write_channels(layout.machine.drives), write_channels(layout.machine.forces),
             build_format(PacketLayout::state_header()), layout.state_fingerprint(),
             write_fields(PacketLayout::state_header()), write_channels(layout.signals)) +
         kFunctions;
}

}  // namespace rodeo::tools
