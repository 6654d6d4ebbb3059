// SPDX-License-Identifier: MIT
#include "tools/rodeo/drive_keyboard.h"

#include <fmt/format.h>

#include <algorithm>

namespace rodeo::tools {
namespace {

using engine::Verb;

constexpr std::string_view kUpKeys = "qwertyui";
constexpr std::string_view kDownKeys = "asdfghjk";
constexpr char kEscape = 27;

struct VerbKey {
  char key;
  Verb verb;
};
constexpr std::array kVerbKeys{VerbKey{'R', Verb::run},      VerbKey{'F', Verb::freeze},
                               VerbKey{'N', Verb::step},     VerbKey{'0', Verb::reset},
                               VerbKey{'S', Verb::snapshot}, VerbKey{'B', Verb::restore},
                               VerbKey{'A', Verb::rearm}};

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
  return std::all_of(keys.begin(), keys.end(), [this](char key) { return press(key); });
}

bool KeyboardSource::press(char key) {
  if (key == 'Q' || key == kEscape) return false;
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
  if (key == 'E') {
    stop();
    queue_.insert(queue_.begin(), Queued{Verb::none, 0, true});
    return true;
  }
  if (key >= '1' && key <= '9') {
    queue_.push_back({Verb::load, static_cast<std::uint8_t>(key - '0'), false});
    return true;
  }
  const auto is_it = [&](const VerbKey& each) { return each.key == key; };
  const auto found = std::find_if(kVerbKeys.begin(), kVerbKeys.end(), is_it);
  if (found == kVerbKeys.end()) return false;
  queue_.push_back({found->verb, 0, false});
  return true;
}

std::string KeyboardSource::help() const {
  std::string text = "keys:";
  for (std::size_t d = 0; d < std::min(levels_.size(), kUpKeys.size()); ++d) {
    text += fmt::format(" {} {} {},", kUpKeys[d], kDownKeys[d], machine_.drives[d].name);
  }
  return text +
         " space stops; R run, F freeze, N single step, 0 reset, 1-9 initial condition, S snapshot, B back "
         "to it, "
         "E emergency stop, A rearm, Q quit";
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
