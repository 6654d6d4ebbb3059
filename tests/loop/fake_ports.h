// SPDX-License-Identifier: MIT
// Ports that remember: what a loop asked of them, when, and in which order. They can take (virtual) time as real ones do.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "engine/loop/ports.h"
#include "engine/loop/virtual_clock.h"

namespace rodeo::engine::testing_support {

/// A packet on its way: seen by the first sample at or after its arrival.
struct Packet {
  std::int64_t arrival = 0;
  Command command;
};

class FakeCommands : public CommandPort {
 public:
  explicit FakeCommands(std::vector<Packet> packets = {}) : packets_(std::move(packets)) {}

  [[nodiscard]] bool try_sample(std::int64_t now, Sample& out) noexcept override {
    sampled_at = now;
    sampled_time = out.time;
    bool is_new = false;
    for (; next_ < packets_.size() && packets_[next_].arrival <= now; ++next_) {
      out.commands[0] = packets_[next_].command;
      out.arrival = packets_[next_].arrival;
      is_new = out.has_any = true;
    }
    if (next_verb < verbs.size()) out.verb = verbs[next_verb++];
    out.emergency_stop = is_emergency;
    is_emergency = false;
    return is_new;
  }

  std::int64_t sampled_at = -1;
  std::int64_t sampled_time = -1;
  std::vector<Verb> verbs;
  std::size_t next_verb = 0;
  bool is_emergency = false;

 private:
  std::vector<Packet> packets_;
  std::size_t next_ = 0;
};

struct Published {
  std::int64_t tick = 0;
  std::int64_t time = 0;  // simulated
  std::int64_t now = 0;   // of the clock
  std::uint32_t status = 0;
  DriveState drive;
  LoopReport report;
};

/// Stands for the work of a tick too: `work(tick)` nanoseconds pass while it publishes.
class FakeStates : public StatePort {
 public:
  explicit FakeStates(VirtualClock& clock, std::function<std::int64_t(std::int64_t)> work = {})
      : clock_(clock), work_(std::move(work)) {}

  void try_publish(const Session& session, const LoopReport& report, std::int64_t now) noexcept override {
    const NonblockingUnchecked remembers_in_a_vector;
    published.push_back({session.tick_number(), session.time(), now, session.status(),
                         session.stepper().drives()[0], report});
    if (work_) clock_.advance(work_(session.tick_number()));
  }

  std::vector<Published> published;

 private:
  VirtualClock& clock_;
  std::function<std::int64_t(std::int64_t)> work_;
};

}  // namespace rodeo::engine::testing_support
