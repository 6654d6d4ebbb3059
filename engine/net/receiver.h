// SPDX-License-Identifier: MIT
// Commands over UDP: received and checked by the net thread, sampled by the loop without a lock. Packets and verbs are handed over in
// rings, so that none is lost; an emergency stop is a flag that only the loop takes down. What the packets make of each tick is
// CommandPlayout's.
// A hello is answered with the machine's interface and its condition, to those who may command; nothing else is ever answered.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/loop/ports.h"
#include "engine/net/address.h"
#include "engine/net/auth.h"
#include "engine/net/link_log.h"
#include "engine/net/machine_interface.h"
#include "engine/net/net_thread.h"
#include "engine/net/packet.h"
#include "engine/net/site.h"

namespace rodeo::engine {

struct ReceiverOptions {
  Endpoint listen;                      // port 0: one that the system chooses
  std::optional<Key> key;               // with it, packets need tags
  std::vector<AddressRange> allow;      // empty: everybody
  bool insecure = false;                // listens beyond loopback without key and allow-list
  std::optional<CommandMode> plain;     // position or rate: packets without a header are taken as these
  std::vector<SiteChannel> site;        // empty, or one a drive
  std::optional<Key> instructor_key{};  // beside `key`
  std::optional<Key> viewer_key{};
  double silence = 0.2;         // s without values after which a sender does not command any more
  double period = 1e-3;         // of the loop, s
  std::optional<double> delay;  // of commands, s; without it as long as the packets need it
  Nonce nonce = build_nonce();
};

class Receiver final : public CommandPort {
 public:
  /// Listens from now on. Throws NetError if the port cannot be had, if listening beyond loopback needs `insecure`, or if
  /// options contradict each other.
  Receiver(NetThread& thread, const MachineInterface& machine, const ReceiverOptions& options);
  ~Receiver() override;
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  [[nodiscard]] bool try_sample(std::int64_t now, Sample& out) noexcept override;
  void note_stop() noexcept override;

  /// Session id and sequence of the newest command that was sampled; 0 before the first. Of the loop's thread.
  [[nodiscard]] std::uint64_t sampled_session() const noexcept;
  [[nodiscard]] std::uint64_t sampled_sequence() const noexcept;

  /// Where it listens, with the port that the system chose.
  [[nodiscard]] const Endpoint& endpoint() const noexcept;
  /// Of this run of the engine, and of the tags until sessions are forgotten (SessionTable).
  [[nodiscard]] const Nonce& nonce() const noexcept;
  /// What the user should be told at the start, a sentence each: who may command, if that is everybody.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept;
  /// What became of the packets, and of whom. From any thread.
  [[nodiscard]] const LinkLog& link() const noexcept;
  [[nodiscard]] PacketCounts counts() const noexcept;
  /// That of link(), with all counts. Not from the loop's thread.
  [[nodiscard]] LinkReport report(std::int64_t now) const;

 private:
  struct Implementation;
  std::shared_ptr<Implementation> implementation_;
};

}  // namespace rodeo::engine
