// SPDX-License-Identifier: MIT
#include "tools/rodeo/drive_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/net/yaml_file.h"

namespace rodeo::tools {
namespace {

using engine::Channel;
using engine::Verb;
using engine::YamlEntry;
using engine::YamlNode;

const std::vector<std::string_view> kAxes{"leftx",  "lefty",       "rightx",
                                          "righty", "lefttrigger", "righttrigger"};
const std::vector<std::string_view> kButtons{"a",
                                             "b",
                                             "x",
                                             "y",
                                             "back",
                                             "guide",
                                             "start",
                                             "leftstick",
                                             "rightstick",
                                             "leftshoulder",
                                             "rightshoulder",
                                             "dpup",
                                             "dpdown",
                                             "dpleft",
                                             "dpright"};

struct VerbName {
  std::string_view name;
  Verb verb;
};
constexpr std::array kVerbs{VerbName{"run", Verb::run},         VerbName{"freeze", Verb::freeze},
                            VerbName{"step", Verb::step},       VerbName{"reset", Verb::reset},
                            VerbName{"load", Verb::load},       VerbName{"snapshot", Verb::snapshot},
                            VerbName{"restore", Verb::restore}, VerbName{"rearm", Verb::rearm},
                            VerbName{"release", Verb::release}};

/// A lever of an excavator. SDL's y is positive towards the driver, x to the right.
struct PatternLever {
  std::string_view role;
  std::string_view iso_axis;
  std::string_view sae_axis;
  double sign;
};
// Pulled back, boom and arm cylinders extend (boom up, arm in); to the left the bucket's extends (curls). ISO 10968.
constexpr std::array kPattern{
    PatternLever{"boom", "righty", "lefty", 1}, PatternLever{"arm", "lefty", "righty", 1},
    PatternLever{"bucket", "rightx", "rightx", -1}, PatternLever{"swing", "leftx", "leftx", -1}};

bool is_number(const std::string& text) {
  return !text.empty() && text.size() <= 2 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::string read_control(const YamlNode& node, const std::vector<std::string_view>& names,
                         std::string_view what) {
  const std::string text = node.text();
  if (is_number(text) || std::find(names.begin(), names.end(), text) != names.end()) return text;
  node.refuse(fmt::format("'{}' is no {} (there is {}, or a number)", text, what, fmt::join(names, ", ")));
}

double read_within(const YamlEntry& entry, double least, double most) {
  const double value = entry.value.number();
  if (value >= least && value <= most) return value;
  entry.value.refuse(fmt::format("{} must be from {} to {}", entry.key, least, most));
}

class MapReader {
 public:
  explicit MapReader(const std::vector<Channel>& drives) : drives_(drives) {}

  GamepadMap read(const YamlNode& root) {
    const auto entries = root.entries_of({"pattern", "levers", "defaults", "axes", "buttons"});
    const auto find = [&](std::string_view key) {
      return std::find_if(entries.begin(), entries.end(), [&](const YamlEntry& e) { return e.key == key; });
    };
    if (const auto at = find("defaults"); at != entries.end()) read_defaults(at->value);
    const auto pattern = find("pattern");
    const auto levers = find("levers");
    if (pattern != entries.end() && levers == entries.end()) {
      pattern->value.refuse("a pattern needs levers, as in levers: {boom: boom_cylinder}");
    }
    if (levers != entries.end() && pattern == entries.end())
      levers->value.refuse("levers need pattern: iso or sae");
    if (pattern != entries.end()) read_pattern(pattern->value, levers->value);
    if (const auto at = find("axes"); at != entries.end()) read_axes(at->value);
    if (const auto at = find("buttons"); at != entries.end()) read_buttons(at->value);
    if (map_.levers.empty()) root.refuse("no drive is mapped: give axes, or pattern and levers");
    return map_;
  }

 private:
  [[nodiscard]] std::size_t find_drive(const YamlNode& node, const std::string& name) const {
    const auto is_it = [&](const Channel& drive) { return drive.name == name; };
    const auto found = std::find_if(drives_.begin(), drives_.end(), is_it);
    if (found != drives_.end()) return static_cast<std::size_t>(found - drives_.begin());
    std::vector<std::string> names;
    for (const Channel& drive : drives_) names.push_back(drive.name);
    node.refuse(fmt::format("'{}' is no drive of this machine (it has {})", name, fmt::join(names, ", ")));
  }

  void add(const YamlNode& node, const Lever& lever) {
    const auto is_same = [&](const Lever& each) { return each.drive == lever.drive; };
    if (std::any_of(map_.levers.begin(), map_.levers.end(), is_same)) {
      node.refuse(fmt::format("drive '{}' is mapped twice: leave one", drives_[lever.drive].name));
    }
    map_.levers.push_back(lever);
  }

  /// True if the key was one of the shape's.
  static bool read_shape(const YamlEntry& entry, LeverShape& shape) {
    if (entry.key == "dead_band") return shape.dead_band = read_within(entry, 0, 0.9), true;
    if (entry.key == "curve") return shape.curve = read_within(entry, 0, 1), true;
    if (entry.key == "scale") return shape.scale = read_within(entry, 0, 1), true;
    if (entry.key == "rate_limit") return shape.rate_limit = read_within(entry, 0.01, 1000), true;
    if (entry.key != "sign") return false;
    shape.sign = entry.value.number();
    if (std::abs(shape.sign) != 1) entry.value.refuse("sign must be 1 or -1");
    return true;
  }

  void read_defaults(const YamlNode& node) {
    for (const YamlEntry& entry : node.entries_of({"dead_band", "curve", "scale", "rate_limit"})) {
      static_cast<void>(read_shape(entry, defaults_));
    }
  }

  void read_pattern(const YamlNode& pattern, const YamlNode& levers) {
    const std::string name = pattern.text();
    if (name != "iso" && name != "sae") pattern.refuse(fmt::format("pattern '{}' must be iso or sae", name));
    for (const YamlEntry& entry : levers.entries_of({"boom", "arm", "bucket", "swing"})) {
      const auto is_role = [&](const PatternLever& each) { return each.role == entry.key; };
      const PatternLever& role = *std::find_if(kPattern.begin(), kPattern.end(), is_role);
      Lever lever;
      lever.drive = find_drive(entry.value, entry.value.text());
      lever.axis = name == "iso" ? role.iso_axis : role.sae_axis;
      lever.shape = defaults_;
      lever.shape.sign = role.sign;
      add(entry.value, lever);
    }
  }

  void read_axes(const YamlNode& node) {
    for (const YamlEntry& entry : node.entries()) {
      Lever lever;
      lever.drive = find_drive(entry.value, entry.key);
      lever.shape = defaults_;
      const YamlNode value = entry.value.named(fmt::format("drive '{}'", entry.key));
      for (const YamlEntry& part :
           value.entries_of({"axis", "minus", "plus", "sign", "scale", "dead_band", "curve", "rate_limit"})) {
        if (read_shape(part, lever.shape)) continue;
        if (part.key == "axis") lever.axis = read_control(part.value, kAxes, "axis");
        if (part.key == "minus") lever.minus = read_control(part.value, kButtons, "button");
        if (part.key == "plus") lever.plus = read_control(part.value, kButtons, "button");
      }
      if (lever.axis.empty() == (lever.minus.empty() && lever.plus.empty())) {
        value.refuse("give it an axis, or the buttons minus and plus");
      }
      add(value, lever);
    }
  }

  void read_buttons(const YamlNode& node) {
    for (const YamlEntry& entry : node.entries()) {
      ButtonVerb button;
      button.button = entry.key;
      if (!is_number(entry.key) && std::find(kButtons.begin(), kButtons.end(), entry.key) == kButtons.end()) {
        entry.value.refuse(fmt::format("'{}' is no button (there is {}, or a number)", entry.key,
                                       fmt::join(kButtons, ", ")));
      }
      entry.value.is_map() ? read_slot_verb(entry.value, button)
                           : set_verb(entry.value, entry.value.text(), button);
      map_.buttons.push_back(button);
    }
  }

  static void read_slot_verb(const YamlNode& node, ButtonVerb& button) {
    for (const YamlEntry& entry : node.entries_of({"load", "snapshot", "restore"})) {
      set_verb(entry.value, entry.key, button);
      const double slot = read_within(entry, 0, 255);
      if (slot != std::floor(slot)) entry.value.refuse("a slot is a whole number");
      button.slot = static_cast<std::uint8_t>(slot);
    }
  }

  static void set_verb(const YamlNode& node, const std::string& name, ButtonVerb& button) {
    button.emergency_stop = name == "emergency_stop";
    if (button.emergency_stop) return;
    const auto is_it = [&](const VerbName& each) { return each.name == name; };
    const auto found = std::find_if(kVerbs.begin(), kVerbs.end(), is_it);
    if (found == kVerbs.end()) {
      node.refuse(
          fmt::format("'{}' is no verb (there is emergency_stop, run, freeze, step, reset, load, snapshot, "
                      "restore, rearm)",
                      name));
    }
    button.verb = found->verb;
  }

  const std::vector<Channel>& drives_;
  LeverShape defaults_;
  GamepadMap map_;
};

}  // namespace

double LeverShape::calc(double x) const noexcept {
  const double size = std::min(std::abs(x), 1.0);
  if (size <= dead_band) return 0;
  const double y = (size - dead_band) / (1 - dead_band);
  const double curved = (1 - curve) * y + curve * y * y * y;
  return std::copysign(curved, x) * sign * scale;
}

GamepadMap build_gamepad_map_from_file(const std::string& path, const std::vector<Channel>& drives) {
  return MapReader(drives).read(YamlNode::build_from_file(path));
}

GamepadMap build_gamepad_map_from_text(const std::string& text, const std::string& name,
                                       const std::vector<Channel>& drives) {
  return MapReader(drives).read(YamlNode::build_from_text(text, name));
}

}  // namespace rodeo::tools
