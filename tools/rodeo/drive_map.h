// SPDX-License-Identifier: MIT
// Which axis and button of a gamepad does what: a YAML file, described in GAMEPAD.md.
//     pattern: iso                       # or sae: boom, arm, bucket and swing on two sticks, as an excavator's levers
//     levers: {boom: boom_cylinder, arm: arm_cylinder, bucket: bucket_cylinder}
//     defaults: {dead_band: 0.1, curve: 0.4, rate_limit: 4}
//     axes:
//       lift: {axis: lefty, sign: -1, scale: 0.5}
//       tilt: {minus: leftshoulder, plus: rightshoulder}
//     buttons: {start: run, back: freeze, b: emergency_stop, x: {load: 2}}
// Axes and buttons have SDL's names, or are numbers for a joystick that SDL does not know.
//
// From a lever x in -1..1 to a rate: y = 0 within the dead band b, else (|x| - b)/(1 - b) with x's sign; then (1 - c)·y + c·y³
// with the curve c; times sign, scale and the drive's speed. The rate limit L lets the result change by L times the full
// speed in a second.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/rodeo/drive_source.h"

namespace rodeo::tools {

struct LeverShape {
  double sign = 1;
  double scale = 1;
  double dead_band = 0.1;
  double curve = 0;
  double rate_limit = 10;  // full speeds a second

  /// y(x), -1..1, before the rate limit.
  [[nodiscard]] double calc(double x) const noexcept;
};

struct Lever {
  std::size_t drive = 0;
  std::string axis;         // or
  std::string minus, plus;  // buttons
  LeverShape shape;
};

struct ButtonVerb {
  std::string button;
  engine::Verb verb = engine::Verb::none;
  std::uint8_t slot = 0;
  bool emergency_stop = false;
};

struct GamepadMap {
  std::vector<Lever> levers;
  std::vector<ButtonVerb> buttons;
};

/// Throw IoError with file, line and what there is to choose from.
[[nodiscard]] GamepadMap build_gamepad_map_from_file(const std::string& path,
                                                     const std::vector<engine::Channel>& drives);
[[nodiscard]] GamepadMap build_gamepad_map_from_text(const std::string& text, const std::string& name,
                                                     const std::vector<engine::Channel>& drives);

}  // namespace rodeo::tools
