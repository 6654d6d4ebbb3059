// SPDX-License-Identifier: MIT
// The packets of a machine as a list of fields, from which the texts for C, Python and Simulink are written. The tests hold the
// written programs against engine/net's own bytes.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "engine/net/machine_interface.h"

namespace rodeo::tools {

enum class FieldType : unsigned char { character, u8, u16, u32, u64, i64, f64 };
[[nodiscard]] std::size_t type_bytes(FieldType type);

struct Field {
  std::string name;
  FieldType type = FieldType::u8;
  std::size_t count = 1;
  std::string comment;

  [[nodiscard]] std::size_t bytes() const { return count * type_bytes(type); }
};

struct PacketLayout {
  engine::MachineInterface machine;
  std::vector<engine::Channel> signals;  // of a state packet

  /// The first 56 bytes of a command, the first 144 of a state.
  [[nodiscard]] static const std::vector<Field>& command_header();
  [[nodiscard]] static const std::vector<Field>& state_header();
  [[nodiscard]] std::string command_fingerprint() const;
  [[nodiscard]] std::string state_fingerprint() const;
};

/// `m, 1.23 to 1.99, 0.15 m/s at most`: what a drive takes.
[[nodiscard]] std::string describe_drive(const engine::Channel& drive, const engine::DriveLimits& limits);

/// Names that C, Python and MATLAB take, no two alike: `boom.angle` becomes boom_angle.
[[nodiscard]] std::vector<std::string> build_identifiers(const std::vector<engine::Channel>& channels);

[[nodiscard]] std::string write_c(const PacketLayout& layout);
[[nodiscard]] std::string write_python(const PacketLayout& layout);
[[nodiscard]] std::string write_simulink(const PacketLayout& layout);

}  // namespace rodeo::tools
