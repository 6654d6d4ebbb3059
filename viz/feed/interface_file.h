// SPDX-License-Identifier: MIT
// interface.json of a built folder: the signals that the engine publishes of this machine, in its order, without its kernel.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/net/fingerprint.h"
#include "viz/feed/scene_file.h"

namespace rodeo::viz {

struct Interface {
  std::vector<engine::Channel> drives;
  std::vector<std::optional<double>> starts;  // of the drives
  std::vector<engine::Channel> channels;      // outputs of the kernel
  std::vector<engine::Channel> loads;         // published only where they are asked for, and so are
  std::vector<engine::Channel> inputs;        // what comes from outside: `input.load.mass`
};

/// Throws SceneError.
[[nodiscard]] Interface build_interface(const std::filesystem::path& folder);

/// The signals of a packet. Without patterns: drives, outputs, then rates and accelerations of drives where no output has that name. Else
/// of these, the loads and the inputs those that match, in the order of the patterns, each once. Throws engine::AddressError for a pattern that
/// matches nothing.
[[nodiscard]] std::vector<engine::Channel> build_signals(const Interface& interface,
                                                         const std::vector<std::string>& patterns = {});

}  // namespace rodeo::viz
