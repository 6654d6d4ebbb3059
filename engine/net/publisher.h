// SPDX-License-Identifier: MIT
// States over UDP, to any number of destinations, each at its own rate and with its own signals. Binary packets are sent by the
// loop itself: one non-blocking call each, counted if it fails, and a receiver that has vanished is no failure of ours. JSON is
// written and sent by the net thread, from a triple buffer.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/loop/ports.h"
#include "engine/net/destination.h"
#include "engine/net/net_thread.h"
#include "engine/net/receiver.h"
#include "engine/session/session.h"

namespace rodeo::engine {

/// Of one destination, since the start.
struct SendCounts {
  std::string destination;
  std::uint64_t sent = 0;
  std::uint64_t unreachable = 0;  // nobody listens there
  std::uint64_t failed = 0;       // the socket's buffer was full, the network is down: not sent
  std::uint64_t skipped = 0;      // states that were due, and for which a newer one was sent: JSON alone
};

class Publisher final : public StatePort {
 public:
  /// Throws NetError, or AddressError for what does not fit into a packet. `receiver`, if any, tells which command a state knew
  /// and which nonce is published.
  Publisher(NetThread& thread, const Session& session, const std::vector<Destination>& destinations,
            const Receiver* receiver);
  ~Publisher() override;
  Publisher(const Publisher&) = delete;
  Publisher& operator=(const Publisher&) = delete;

  void try_publish(const Session& session, const LoopReport& report, std::int64_t now) noexcept override;

  /// What the last try_publish took, ns; 0 if nothing was due. Of the loop's thread.
  [[nodiscard]] std::int64_t send_time() const noexcept;
  /// From any thread.
  [[nodiscard]] std::vector<SendCounts> counts() const;
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept;

 private:
  struct Implementation;
  std::shared_ptr<Implementation> implementation_;
};

}  // namespace rodeo::engine
