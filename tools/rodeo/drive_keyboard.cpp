// SPDX-License-Identifier: MIT
#include "tools/rodeo/drive_keyboard.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/session/key_map.h"

namespace rodeo::tools {
namespace {

constexpr std::string_view kUpKeys = "qwertyui";
constexpr std::string_view kDownKeys = "asdfghjk";
constexpr char kEscape = 27;

/// ESC [ and one of these: up, down, right, left, as a terminal sends them. Drives as in `rodeo view`.
constexpr std::string_view kArrows = "ABCD";

/// A key of the first or second drive in place of an arrow; 0 if `keys` does not begin with one.
char find_arrow(std::string_view keys) {
  if (keys.size() < 3 || keys[0] != kEscape || (keys[1] != '[' && keys[1] != 'O')) return 0;
  const std::size_t arrow = kArrows.find(keys[2]);
  if (arrow == std::string_view::npos) return 0;
  return (arrow % 2 == 0 ? kUpKeys : kDownKeys)[arrow / 2];
}

}  // namespace

KeyboardSource::KeyboardSource(engine::MachineInterface machine)
    : machine_(std::move(machine)), levels_(machine_.drives.size(), 0) {}

double KeyboardSource::calc_rate(std::size_t drive) const {
  return machine_.limits[drive].speed.value_or(kUsualSpeed) * levels_[drive] / kSteps;
}

bool KeyboardSource::fill(std::int64_t, Outgoing& out) {
  out = Outgoing{};
  out.mode = engine::CommandMode::rate;
  for (std::size_t d = 0; d < levels_.size(); ++d) out.values.push_back(calc_rate(d));
  if (queue_.empty()) return true;
  out.verb = queue_.front().verb;
  out.slot = queue_.front().slot;
  out.emergency_stop = queue_.front().emergency_stop;
  queue_.erase(queue_.begin());
  return true;
}

bool KeyboardSource::press(std::string_view keys) {
  while (!keys.empty()) {
    const char arrow = find_arrow(keys);
    if (!press(arrow != 0 ? arrow : keys[0])) return false;
    keys.remove_prefix(arrow != 0 ? 3 : 1);
  }
  return true;
}

bool KeyboardSource::press(char key) {
  if (key == engine::kQuitKey || key == kEscape) return false;
  if (key == ' ') stop();
  static_cast<void>(try_drive(key) || try_verb(key));
  return true;
}

bool KeyboardSource::try_drive(char key) {
  const std::size_t up = kUpKeys.find(key);
  const std::size_t drive = up != std::string_view::npos ? up : kDownKeys.find(key);
  if (drive >= levels_.size()) return false;
  levels_[drive] = std::clamp(levels_[drive] + (up != std::string_view::npos ? 1 : -1), -kSteps, kSteps);
  return true;
}

bool KeyboardSource::try_verb(char key) {
  const auto wish = engine::find_key_wish(key);
  if (!wish) return false;
  if (wish->emergency_stop) stop();
  queue_.insert(wish->emergency_stop ? queue_.begin() : queue_.end(), *wish);
  return true;
}

std::string KeyboardSource::help() const {
  std::string text = "keys:";
  for (std::size_t d = 0; d < std::min(levels_.size(), kUpKeys.size()); ++d) {
    text += fmt::format(" {} {} {},", kUpKeys[d], kDownKeys[d], machine_.drives[d].name);
  }
  return text + fmt::format(" arrows {}; space stops; {}",
                            levels_.size() > 1 ? "the first two drives" : "the first drive",
                            engine::key_map_line());
}

std::string KeyboardSource::status() const {
  std::string text;
  for (std::size_t d = 0; d < levels_.size(); ++d) {
    const char* sign = levels_[d] > 0 ? "+" : "";
    text += fmt::format("{}{} {}{:.3g} {}/s", d == 0 ? "" : ", ", machine_.drives[d].name, sign, calc_rate(d),
                        machine_.drives[d].unit);
  }
  return text;
}

}  // namespace rodeo::tools
