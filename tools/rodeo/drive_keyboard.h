// SPDX-License-Identifier: MIT
// Rates from a terminal. A terminal tells no release of a key, so a press changes the rate by a fifth of the drive's speed, and it
// stays until another press: q a, w s, e d, r f, t g, y h, u j, i k for the first eight drives, the arrows for the first two, space
// stops them all. Capitals and digits are those of engine/session/key_map.h.
#pragma once
#include <string>

#include "engine/session/key_map.h"
#include "tools/rodeo/drive_source.h"

namespace rodeo::tools {

class KeyboardSource final : public DriveSource {
 public:
  /// Presses from rest to full speed.
  static constexpr int kSteps = 5;
  /// For a drive without a speed limit, rad/s or m/s.
  static constexpr double kUsualSpeed = 0.5;

  explicit KeyboardSource(engine::MachineInterface machine);

  bool fill(std::int64_t time, Outgoing& out) override;
  bool press(std::string_view keys) override;

  /// What the keys do, for the person at them.
  [[nodiscard]] std::string help() const;
  /// `lift +0.06 m/s, tilt 0 m/s`
  [[nodiscard]] std::string status() const;

 private:
  bool press(char key);
  [[nodiscard]] bool try_drive(char key);
  [[nodiscard]] bool try_verb(char key);
  void stop() { levels_.assign(levels_.size(), 0); }
  [[nodiscard]] double calc_rate(std::size_t drive) const;

  engine::MachineInterface machine_;
  std::vector<int> levels_;  // -kSteps to kSteps
  std::vector<engine::KeyWish> queue_;
};

}  // namespace rodeo::tools
