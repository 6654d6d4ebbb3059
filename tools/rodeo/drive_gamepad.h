// SPDX-License-Identifier: MIT
// Rates from a gamepad. SDL2 reads it; the library is loaded when it is asked for, so that no other command carries it into a
// real-time process.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "tools/rodeo/drive_map.h"
#include "tools/rodeo/drive_source.h"

namespace rodeo::tools {

/// What a gamepad shows at a moment. Names or numbers of controls as in the map.
class Pad {
 public:
  Pad() = default;
  Pad(const Pad&) = delete;
  Pad& operator=(const Pad&) = delete;
  virtual ~Pad() = default;

  /// Reads it anew; false if it is gone.
  virtual bool update() = 0;
  /// -1 to 1.
  [[nodiscard]] virtual double axis(const std::string& name) const = 0;
  [[nodiscard]] virtual bool button(const std::string& name) const = 0;
  [[nodiscard]] virtual std::string name() const = 0;
};

/// The first one that is connected; throws NetError if there is none, or no SDL2.
[[nodiscard]] std::unique_ptr<Pad> open_first_pad();

class GamepadSource final : public DriveSource {
 public:
  /// `rate`: packets a second.
  GamepadSource(std::unique_ptr<Pad> pad, GamepadMap map, engine::MachineInterface machine, double rate);

  /// Throws NetError if the gamepad is gone.
  bool fill(std::int64_t time, Outgoing& out) override;

 private:
  [[nodiscard]] double calc_lever(const Lever& lever) const;
  void move(std::size_t lever);
  void press_buttons(Outgoing& out);

  std::unique_ptr<Pad> pad_;
  GamepadMap map_;
  engine::MachineInterface machine_;
  double period_;               // s
  std::vector<double> levels_;  // of each lever, -1 to 1, after the rate limit
  std::vector<bool> is_down_;   // of each button, at the last packet
};

}  // namespace rodeo::tools
