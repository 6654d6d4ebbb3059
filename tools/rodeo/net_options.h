// SPDX-License-Identifier: MIT
// The options of a command that listens and publishes: --listen, --key, --allow, --insecure, --plain, --site, --delay, --publish.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "engine/net/destination.h"
#include "engine/net/receiver.h"

namespace rodeo::tools {

struct NetOptions {
  std::string listen;  // empty: nobody commands
  std::string key;
  std::vector<std::string> allow;
  bool insecure = false;
  std::string plain;
  std::string site;
  double delay = -1;  // ms; negative: as the packets need it
  std::vector<std::string> publish;
};

void add_net_options(CLI::App& command, NetOptions& options);

/// For an option's check(): what is wrong with HOST:PORT; empty if nothing is.
[[nodiscard]] std::string check_endpoint(const std::string& text);

/// What --listen and its companions mean; `options.listen` is not empty. What is to be told (a key file that everybody can
/// read) is appended to `warnings`. Throws IoError for the key and site files.
[[nodiscard]] engine::ReceiverOptions build_receiver_options(const NetOptions& options,
                                                             const engine::MachineInterface& machine,
                                                             std::vector<std::string>& warnings);
[[nodiscard]] std::vector<engine::Destination> build_destinations(const NetOptions& options);

}  // namespace rodeo::tools
