// SPDX-License-Identifier: MIT
// The viewer as a sender: verbs, and rates while a key is held, to an engine that may come and go. Has a thread of its own, so that no
// picture waits for the network. Sends no values before the first drive() and so takes nothing away from who drives; after that it sends
// them all the time, so that the engine's watchdog is content, until somebody else takes over.
#pragma once
#include <memory>
#include <string>

#include "engine/net/sender.h"
#include "engine/net/state_packet.h"
#include "engine/session/key_map.h"
#include "viz/feed/scene_file.h"

namespace rodeo::viz {

class Commander {
 public:
  /// `key`: a file, or empty. Throws engine::IoError (the key), engine::NetError (the address).
  Commander(const Scene& scene, const std::string& to, const std::string& key);
  ~Commander();
  Commander(const Commander&) = delete;
  Commander& operator=(const Commander&) = delete;

  void send(const engine::KeyWish& wish);
  /// Drive number `drive` at its speed: 1 up, -1 down, 0 stop. Passed over if there is no such drive.
  void drive(std::size_t drive, int direction);
  /// What the engine has published last: tells a restart, and who commands.
  void note(const engine::StateHeader& newest);

  /// Why keys do nothing, as a sentence; empty if they do.
  [[nodiscard]] std::string trouble() const;
  /// True once the engine has answered.
  [[nodiscard]] bool is_connected() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace rodeo::viz
