// SPDX-License-Identifier: MIT
// What happens while a machine runs, as sentences for the terminal, each with the simulated time at which it happened: when it begins, and then at most once a second with a count. Waiting,
// stale, latched, halted, stopped, held; packets that are refused or clipped; two senders; an engine that stood still. Verbs and emergency stops have a line each, with
// their sender. Pure: looks at what it is given.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/loop/tick_note.h"
#include "engine/net/link_log.h"

namespace rodeo::tools {

/// What does not change while it runs.
struct NoticeFacts {
  std::string name;                     // of the machine
  std::vector<engine::Channel> drives;  // with their units
  std::string endpoint;                 // where it listens; empty if it does not
  double timeout = 0;                   // ms
  bool is_latching = false;             // when stale
  double period = 1e-3;                 // s, of a tick
};

/// One look at a running machine.
struct NoticeLook {
  double now = 0;            // s, of the loop's clock
  double time = 0;           // s, simulated, of the last tick
  std::uint32_t status = 0;  // of the last tick
  std::uint32_t news = 0;    // bits that were set since the look before
  std::optional<engine::LinkReport> link;
  std::vector<engine::TickNote> notes{};  // since the look before
  std::array<std::int64_t, 32> risen{};   // ns, simulated: when each bit was set last,
  std::array<std::int64_t, 32> fallen{};  // and when not any more
  std::uint64_t lost = 0;                 // ticks, up to now
  double lag = 0;                         // s that simulated time is behind the clock
};

class RunNotices {
 public:
  explicit RunNotices(NoticeFacts facts) : facts_(std::move(facts)) {}

  /// A sentence each, without the line's end.
  [[nodiscard]] std::vector<std::string> take(const NoticeLook& look);

 private:
  /// Says a thing at once, then gathers for a second.
  struct Throttle {
    double said = -1e9;
    std::uint64_t waiting = 0;
    /// How many there are to be told now; 0: none, or too soon.
    std::uint64_t take(std::uint64_t more, double now);
  };
  static constexpr std::size_t kBits = 32;
  struct Sentence {
    double time;  // s, simulated
    std::string text;
  };

  void take_rises(const NoticeLook& look, std::uint32_t begun);
  void take_falls(const NoticeLook& look);
  void take_link(const NoticeLook& look);
  void take_refusals(const NoticeLook& look);
  void take_clips(const NoticeLook& look);
  void take_rivals(const NoticeLook& look);
  void take_drops(const NoticeLook& look);
  void take_stalls(const NoticeLook& look);
  void take_notes(const NoticeLook& look);
  void say(double time, const std::string& what);
  [[nodiscard]] std::string describe(std::uint32_t bit) const;
  [[nodiscard]] std::string describe_sender(const NoticeLook& look) const;

  NoticeFacts facts_;
  std::vector<Sentence> said_;
  std::uint32_t before_ = 0;
  engine::PacketCounts counts_;
  std::int64_t rivals_since_ = 0;
  double notes_since_ = -1e9;  // the second in which
  int notes_said_ = 0;         // so many were said, and
  int notes_left_ = 0;         // so many not
  std::array<Throttle, kBits> of_bits_{};
  std::array<Throttle, engine::kRefusalCount> of_refusals_{};
  Throttle of_clips_;
  Throttle of_rivals_;
  Throttle of_drops_;
  std::uint64_t lost_ = 0;  // at the look before
  double lag_ = 0;
};

}  // namespace rodeo::tools
