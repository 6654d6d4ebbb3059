// SPDX-License-Identifier: MIT
// An engine that stood still for a while: its sender went on, and what waited comes at once, faster than it was sent. It is played no later
// than before.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "engine/net/command_playout.h"

namespace rodeo::engine {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kRead = 12'000;  // ns between two packets that waited: what reading one takes
constexpr double kSlow = 0.05;          // m/s

double calc_position(double t) { return kSlow * t; }

/// Packets of one sender, each as it was sent and as it came, on the engine's clock.
class Stalled {
 public:
  /// ns; the engine stands still from `begin` to `end`.
  Stalled(std::int64_t every, std::int64_t begin, std::int64_t end, bool slips, bool is_timed)
      : every_(every), begin_(begin), end_(end), slips_(slips), is_timed_(is_timed) {}

  /// `seen`: s of the clock, delay in s, and how far what is played is behind what was sent, s.
  void run(std::int64_t until, const std::function<void(double, double, double)>& seen) {
    std::int64_t time = 0;
    for (std::int64_t now = kMs; now < until; now += kMs) {
      const bool is_first = now >= begin_ && now < end_;
      if (is_first) now = end_;
      time = slips_ ? time + kMs : now;
      tick(now, time);
      seen(static_cast<double>(now) / 1e9, playout_.delay(),
           static_cast<double>(now) / 1e9 - commands_[0].position / kSlow);
    }
  }

 private:
  std::int64_t arrival(std::int64_t sent) const {
    if (sent < begin_ || sent >= end_) return sent;
    return end_ + (sent - begin_) / every_ * kRead;
  }
  void tick(std::int64_t now, std::int64_t time) {
    playout_.begin_tick(now, time);
    for (; std::max(arrival(sent_), came_) <= now; sent_ += every_) {
      came_ = std::max(arrival(sent_), came_);
      const double t = static_cast<double>(sent_) / 1e9;
      const std::array at{Command::at(calc_position(t), kSlow, 0)};
      const std::int64_t stamp = is_timed_ ? 1'700'000'000'000'000'000 + sent_ : 0;
      playout_.add({CommandMode::position_rate, 7, ++sequence_, stamp, came_ - now + time, 0}, at, {});
    }
    playout_.sample(time, commands_, {});
  }

  std::int64_t every_, begin_, end_;
  bool slips_, is_timed_;
  CommandPlayout playout_{std::array{DriveLimits{{}, {}, 1.0, 2.0, 40.0}}, 0, 1e-3};
  std::vector<Command> commands_{Command::moving(0)};
  std::int64_t sent_ = 0, came_ = 0;
  std::uint64_t sequence_ = 0;
};

TEST(PlayoutAfterAStall, IsAsLateAsBefore) {
  for (const std::int64_t every : {1 * kMs, 10 * kMs}) {
    for (const std::int64_t length : {80 * kMs, 300 * kMs, 1000 * kMs}) {
      for (const bool slips : {false, true}) {
        Stalled machine(every, 3000 * kMs, 3000 * kMs + length, slips, true);
        double before = 0, longest = 0, latest = 0;
        const double over = 3.3 + static_cast<double>(length) / 1e9;
        machine.run(6000 * kMs, [&](double now, double delay, double late) {
          if (now < 3) before = delay;
          if (now >= over) longest = std::max(longest, delay);
          if (now >= over) latest = std::max(latest, late);
        });
        const auto which = ::testing::Message() << every << ' ' << length << ' ' << slips;
        EXPECT_LE(before, 0.06) << which;
        EXPECT_LE(longest, before + 0.011) << which;
        EXPECT_LE(latest, 0.1) << which;
      }
    }
  }
}

TEST(PlayoutAfterAStall, OfAStreamWithoutTimesIsAsLateAsBefore) {
  for (const bool slips : {false, true}) {
    Stalled machine(10 * kMs, 3000 * kMs, 4000 * kMs, slips, false);
    double latest = 0;
    machine.run(6000 * kMs, [&](double now, double, double late) {
      if (now >= 4.5) latest = std::max(latest, late);
    });
    EXPECT_LE(latest, 0.1) << slips;
  }
}

/// A slow loop is none that stands still.
TEST(PlayoutAfterAStall, ALoopOfTenHertzDoesNotStandStill) {
  CommandPlayout playout(std::array{DriveLimits{}}, 0, 0.1);
  std::vector<Command> out{Command::moving(0)};
  for (std::int64_t i = 1; i < 100; ++i) {
    const std::int64_t now = i * 100 * kMs;
    playout.begin_tick(now, now);
    const std::array at{Command::at(calc_position(static_cast<double>(now) / 1e9), kSlow, 0)};
    playout.add({CommandMode::position_rate, 7, static_cast<std::uint64_t>(i), now, now, 0}, at, {});
    playout.sample(now, out, {});
    if (i <= 10) continue;
    ASSERT_NEAR(out[0].rate, kSlow, 0.05 * kSlow) << i << ": a stream that began anew would stand";
  }
}

}  // namespace
}  // namespace rodeo::engine
