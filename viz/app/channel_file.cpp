// SPDX-License-Identifier: MIT
#include "viz/app/channel_file.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>

#include "viz/feed/scene_file.h"

namespace rodeo::viz {
namespace {

constexpr double kRadians = 3.14159265358979323846 / 180;

[[noreturn]] void refuse(const std::string& path, const YAML::Mark& mark, const std::string& why) {
  throw SceneError(fmt::format("{}:{}: {}", path, mark.line + 1, why));
}

template <typename T>
T read(const std::string& path, const YAML::Node& node, const char* what) {
  try {
    return node.as<T>();
  } catch (const YAML::Exception&) {
    refuse(path, node.Mark(), what);
  }
}

double read_number(const std::string& path, const YAML::Node& node, const std::string& key) {
  const auto value = read<double>(path, node, fmt::format("'{}' must be a number", key).c_str());
  if (!std::isfinite(value)) refuse(path, node.Mark(), fmt::format("'{}' must be a number", key));
  return value;
}

void read_entry(const std::string& path, const std::string& key, const YAML::Node& node, Channel& channel) {
  if (key == "yaw") {
    channel.yaw = read_number(path, node, key) * kRadians;
  } else if (key == "pitch") {
    channel.pitch = read_number(path, node, key) * kRadians;
  } else if (key == "level") {
    channel.is_level = read<bool>(path, node, "'level' must be true or false");
  } else if (key == "field_of_view") {
    const double degrees = read_number(path, node, key);
    if (degrees < 1 || degrees > 170) refuse(path, node.Mark(), "'field_of_view' must be 1 to 170 degrees");
    channel.field_of_view = degrees * kRadians;
  } else if (key == "position") {
    channel.position =
        read<std::array<double, 3>>(path, node, "'position' must be [right, up, back] in metres");
  } else if (key == "window") {
    channel.window = read<std::array<int, 4>>(path, node, "'window' must be [x, y, width, height] in pixels");
    if ((*channel.window)[2] < 16 || (*channel.window)[3] < 16)
      refuse(path, node.Mark(), "'window' must be at least 16 pixels wide and high");
  } else if (key == "screen") {
    channel.screen = read<int>(path, node, "'screen' must be a number");
  } else {
    refuse(
        path, node.Mark(),
        fmt::format("there is no '{}' (there is position, yaw, pitch, level, field_of_view, window, screen)",
                    key));
  }
}

}  // namespace

Channel build_channel(const std::string& path) {
  YAML::Node root;
  try {
    root = YAML::LoadFile(path);
  } catch (const YAML::BadFile&) {
    throw SceneError(fmt::format("{}: cannot be read", path));
  } catch (const YAML::Exception& error) {
    refuse(path, error.mark, error.msg);
  }
  if (!root.IsMap()) refuse(path, root.Mark(), "must hold 'yaw: 30' and the like");
  Channel channel;
  channel.is_level = true;  // neighbours must agree about the horizon
  for (const auto& entry : root) {
    if (!entry.first.IsScalar()) refuse(path, entry.first.Mark(), "must hold 'yaw: 30' and the like");
    read_entry(path, entry.first.Scalar(), entry.second, channel);
  }
  return channel;
}

}  // namespace rodeo::viz
