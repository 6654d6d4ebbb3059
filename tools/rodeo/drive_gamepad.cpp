// SPDX-License-Identifier: MIT
#include "tools/rodeo/drive_gamepad.h"

#include <algorithm>

#include "engine/net/error.h"
#include "tools/rodeo/drive_keyboard.h"

namespace rodeo::tools {

GamepadSource::GamepadSource(std::unique_ptr<Pad> pad, GamepadMap map, engine::MachineInterface machine,
                             double rate)
    : pad_(std::move(pad)),
      map_(std::move(map)),
      machine_(std::move(machine)),
      period_(1 / rate),
      levels_(map_.levers.size(), 0.0),
      is_down_(map_.buttons.size(), false) {}

double GamepadSource::calc_lever(const Lever& lever) const {
  if (!lever.axis.empty()) return lever.shape.calc(pad_->axis(lever.axis));
  const bool is_plus = !lever.plus.empty() && pad_->button(lever.plus);
  const bool is_minus = !lever.minus.empty() && pad_->button(lever.minus);
  return lever.shape.calc((is_plus ? 1.0 : 0.0) - (is_minus ? 1.0 : 0.0));
}

void GamepadSource::move(std::size_t lever) {
  const double step = map_.levers[lever].shape.rate_limit * period_;
  const double goal = calc_lever(map_.levers[lever]);
  levels_[lever] = std::clamp(goal, levels_[lever] - step, levels_[lever] + step);
}

/// When it goes down, not while it is held. One packet holds one verb; the first in the map wins, and a stop always goes.
void GamepadSource::press_buttons(Outgoing& out) {
  for (std::size_t i = 0; i < map_.buttons.size(); ++i) {
    const ButtonVerb& each = map_.buttons[i];
    const bool is_down = pad_->button(each.button);
    const bool is_pressed = is_down && !is_down_[i];
    const bool is_free = out.verb == engine::Verb::none || each.emergency_stop;
    if (is_pressed && !is_free) continue;  // next time
    is_down_[i] = is_down;
    if (!is_pressed) continue;
    out.emergency_stop = out.emergency_stop || each.emergency_stop;
    if (each.emergency_stop) continue;
    out.verb = each.verb;
    out.slot = each.slot;
  }
}

bool GamepadSource::fill(std::int64_t, Outgoing& out) {
  if (!pad_->update()) throw engine::NetError("the gamepad is gone: plug it in and start again");
  out = Outgoing{};
  out.mode = engine::CommandMode::rate;
  out.values.assign(machine_.drives.size(), 0.0);
  for (std::size_t i = 0; i < map_.levers.size(); ++i) {
    move(i);
    const std::size_t drive = map_.levers[i].drive;
    out.values[drive] = levels_[i] * machine_.limits[drive].speed.value_or(KeyboardSource::kUsualSpeed);
  }
  press_buttons(out);
  return true;
}

}  // namespace rodeo::tools
