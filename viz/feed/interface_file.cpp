// SPDX-License-Identifier: MIT
#include "viz/feed/interface_file.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/net/error.h"

namespace rodeo::viz {
namespace {

using engine::Channel;
using nlohmann::json;

constexpr std::uintmax_t kMostBytes = std::uintmax_t{64} << 20;

bool has(const std::vector<Channel>& channels, const std::string& name) {
  return std::any_of(channels.begin(), channels.end(), [&](const Channel& c) { return c.name == name; });
}

std::vector<Channel> read_channels(const json& root, const char* key, const std::string& where) {
  std::vector<Channel> channels;
  const auto list = root.find(key);
  const auto is_channel = [](const json& item) {
    return item.is_object() && item.contains("name") && item["name"].is_string() && item.contains("unit") &&
           item["unit"].is_string();
  };
  const bool is_well =
      list != root.end() && list->is_array() && std::all_of(list->begin(), list->end(), is_channel);
  if (!is_well)
    throw SceneError(
        fmt::format("{}: has no list '{}': build the folder again with 'rodeo build'", where, key));
  for (const json& item : *list)
    channels.push_back({item["name"].get<std::string>(), item["unit"].get<std::string>()});
  return channels;
}

/// As they are published; the first is the time, which every state has.
std::vector<Channel> read_inputs(const json& root, const std::string& where) {
  std::vector<Channel> inputs = read_channels(root, "inputs", where);
  if (!inputs.empty()) inputs.erase(inputs.begin());
  for (Channel& input : inputs) input.name = "input." + input.name;
  return inputs;
}

std::vector<Channel> select(const std::vector<Channel>& signals, const std::vector<std::string>& patterns) {
  std::vector<Channel> selection;
  for (const std::string& pattern : patterns) {
    bool is_found = false;
    for (const Channel& signal : signals) {
      if (::fnmatch(pattern.c_str(), signal.name.c_str(), FNM_NOESCAPE) != 0) continue;
      is_found = true;
      if (!has(selection, signal.name)) selection.push_back(signal);
    }
    if (!is_found) throw engine::AddressError(fmt::format("--signals: there is no signal '{}'", pattern));
  }
  return selection;
}

}  // namespace

Interface build_interface(const std::filesystem::path& folder) {
  const std::string where = (folder / "interface.json").string();
  std::ifstream file(where, std::ios::binary);
  if (!file)
    throw SceneError(
        fmt::format("{}: has no interface.json: build the folder again with 'rodeo build'", folder.string()));
  std::error_code ignored;
  if (std::filesystem::file_size(where, ignored) > kMostBytes) {
    throw SceneError(fmt::format("{}: is larger than {} MB: build the folder again with 'rodeo build'", where,
                                 kMostBytes >> 20));
  }
  const json root = json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object())
    throw SceneError(where + ": is cut off or no JSON: build the folder again with 'rodeo build'");
  Interface result;
  result.drives = read_channels(root, "drives", where);
  result.channels = read_channels(root, "channels", where);
  if (root.contains("loads")) result.loads = read_channels(root, "loads", where);
  if (root.contains("inputs")) result.inputs = read_inputs(root, where);
  for (const json& drive : root["drives"]) {
    const auto start = drive.find("start");
    const bool is_told = start != drive.end() && start->is_number();
    result.starts.push_back(is_told ? std::optional(start->get<double>()) : std::nullopt);
  }
  return result;
}

std::vector<Channel> build_signals(const Interface& interface, const std::vector<std::string>& patterns) {
  std::vector<Channel> signals = interface.drives;
  for (const Channel& channel : interface.channels) {
    if (!has(signals, channel.name)) signals.push_back(channel);
  }
  for (const auto& [name, unit] : interface.drives) {
    if (!has(signals, name + ".rate")) signals.push_back({name + ".rate", unit + "/s"});
    if (!has(signals, name + ".acceleration")) signals.push_back({name + ".acceleration", unit + "/s^2"});
  }
  if (patterns.empty()) return signals;
  for (const auto* more : {&interface.loads, &interface.inputs})
    signals.insert(signals.end(), more->begin(), more->end());
  return select(signals, patterns);
}

}  // namespace rodeo::viz
