// SPDX-License-Identifier: MIT
// Streams as senders make them: in bursts, without times, with times of another unit, with a clock that jumps or drifts, of a
// lever with 10 bits, of single set-points, and one that stops. Every limit is kept, and nothing chatters.
#include "tests/live/live_machine.h"

namespace rodeo::engine::live_testing {
namespace {

const ModelFolder& loader() { return built("wheel_loader_cylinders"); }

struct Outcome {
  std::vector<Tick> ticks;
  std::uint64_t underruns = 0;
};

Outcome run(const Motion& motion, const Network& network, double seconds, std::optional<double> delay = {}) {
  const CommandLayout layout = build_machine_interface(loader()).build_layout();
  VirtualReceiver port(loader(), build_traffic(layout, motion, network, seconds), delay);
  Outcome outcome{run_live(loader(), port, seconds), 0};
  outcome.underruns = port.playout().underruns();
  check_limits(loader(), outcome.ticks);
  return outcome;
}

double calc_largest_jump(const std::vector<Tick>& ticks, double from) {
  double largest = 0;
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    if (ticks[i].time < from) continue;
    largest =
        std::max(largest, std::abs(ticks[i].drives[0].acceleration - ticks[i - 1].drives[0].acceleration));
  }
  return largest;
}

/// Against the closed form, as long ago as the delay says.
double calc_largest_error(const std::vector<Tick>& ticks, const Motion& motion, double from) {
  double largest = 0;
  for (const Tick& tick : ticks) {
    if (tick.time < from) continue;
    const DriveState was = motion(tick.time - tick.delay - kTransit)[0];
    largest = std::max(largest, std::abs(tick.drives[0].acceleration - was.acceleration));
  }
  return largest;
}

constexpr double kSine = 0.05;  // m/s², of build_sine

TEST(Streams, ThatComeInBurstsArePlayedAsTheyWereSent) {
  const Motion motion = build_sine(loader());
  for (const CommandMode mode : {CommandMode::position, CommandMode::motion}) {
    Network network;
    network.mode = mode;
    network.burst = 5;  // 50 ms at once
    const Outcome got = run(motion, network, 8);
    EXPECT_LE(calc_largest_error(got.ticks, motion, 4), 0.1 * kSine);
    EXPECT_GE(got.ticks.back().delay, 0.04) << "the first of a burst waits for its last";
    EXPECT_LE(got.ticks.back().delay, 0.12);
  }
}

TEST(Streams, WithoutTimesAreGivenRegularOnes) {
  const Motion motion = build_sine(loader());
  const auto zero = [](double) { return std::int64_t{0}; };
  const auto still = [](double) { return std::int64_t{5'000'000'000}; };
  const auto microseconds = [](double t) { return 5'000'000'000 + std::llround(t * 1e6); };
  for (const std::function<std::int64_t(double)>& stamp :
       {std::function<std::int64_t(double)>(zero), {still}, {microseconds}}) {
    Network network;
    network.mode = CommandMode::position_rate;
    network.jitter = 0.001;
    network.stamp = stamp;
    const Outcome got = run(motion, network, 10);
    EXPECT_LE(calc_largest_error(got.ticks, motion, 5), 0.3 * kSine);
    EXPECT_LE(calc_largest_jump(got.ticks, 5), 0.012 * (1 + 1e-8));
  }
}

TEST(Streams, OfADriftingClockAreFollowed) {
  const Motion motion = build_sine(loader());
  for (const double drift : {200e-6, -200e-6}) {
    Network network;
    network.mode = CommandMode::motion;
    network.pace = 1 + drift;
    const Outcome got = run(motion, network, 40);
    EXPECT_LE(got.ticks.back().delay, 0.02);
    EXPECT_GE(got.ticks.back().delay, 0.01);
    EXPECT_LE(calc_largest_jump(got.ticks, 4), 0.001);
    EXPECT_LE(got.underruns, 10U);
  }
}

/// 1 %, as a simulator that does not quite keep real time: after some seconds as one that keeps it.
TEST(Streams, OfAClockThatDriftsByOnePercentAreFollowed) {
  const Motion motion = build_sine(loader());
  for (const CommandMode mode : {CommandMode::position, CommandMode::motion}) {
    for (const double drift : {0.01, -0.01}) {
      Network network;
      network.mode = mode;
      network.pace = 1 + drift;
      network.jitter = 0.002;
      const Outcome got = run(motion, network, 30);
      const double most = mode == CommandMode::position ? 0.041 : 0.021;
      for (const Tick& tick : got.ticks) {
        if (tick.time < 12 || tick.time > 29) continue;
        const DriveState was = motion((tick.time - tick.delay - kTransit) / network.pace)[0];
        ASSERT_NEAR(tick.drives[0].position, was.position, 1e-4) << tick.time << ' ' << drift;
        ASSERT_NEAR(tick.drives[0].acceleration, was.acceleration, 0.1 * kSine) << tick.time << ' ' << drift;
        ASSERT_LE(tick.delay, most) << tick.time << ' ' << drift;
      }
    }
  }
}

double calc_longest_delay(const std::vector<Tick>& ticks) {
  double longest = 0;
  for (const Tick& tick : ticks) longest = std::max(longest, tick.delay);
  return longest;
}

/// Full doubles are no lever's: what the machine has to catch up with is not noise, nor is a single step.
TEST(Streams, ThatMoveAtTheirFirstPacketArePlayedAsAfterARest) {
  const auto build = [](const std::function<double(double)>& way) -> Motion {
    return [=, starts = loader().start](double t) {
      return std::vector<DriveState>{{starts[0] + way(t), 0, 0}, {starts[1], 0, 0}};
    };
  };
  const std::vector<std::pair<std::string, Motion>> motions{
      {"ramp", build([](double t) { return 0.02 * t; })},
      {"sine", build([](double t) { return 0.1 + 0.03 * std::sin(t); })},
      {"step", build([](double t) { return t < 2 ? 0.1 : 0.1005; })},
      {"after a rest", build([](double t) { return t < 2 ? 0 : 0.02 * (t - 2); })}};
  for (const auto& [name, motion] : motions) {
    for (const double rate : {50.0, 100.0, 1000.0}) {
      Network network;
      network.rate = rate;
      EXPECT_LE(calc_longest_delay(run(motion, network, 8).ticks), 0.043) << name << ' ' << rate;
    }
  }
}

/// A Python loop that sleeps for 10 ms: up to 14.5 ms from packet to packet, no times, and positions of the moment.
TEST(Streams, OfALoopThatSleepsAreAtMostATenthOfASecondLate) {
  const Motion motion = [starts = loader().start](double t) {
    const double s = std::sin(std::max(0.0, t - 1));
    return std::vector<DriveState>{{starts[0] + 0.1 + 0.05 * s * s * s, 0, 0}, {starts[1], 0, 0}};
  };
  for (const double jitter : {0.0, 0.002}) {
    Network network;
    network.stamp = [](double) { return std::int64_t{0}; };
    network.oversleep = 0.0045;
    network.jitter = jitter;
    const Outcome got = run(motion, network, 30);
    EXPECT_LE(calc_longest_delay(got.ticks), 0.1);
    for (const Tick& tick : got.ticks) {
      if (tick.time < 4) continue;
      const DriveState was = motion(tick.time - tick.delay - kTransit)[0];
      ASSERT_NEAR(tick.drives[0].position, was.position, 3e-3) << tick.time;
    }
  }
}

TEST(Streams, OfAClockThatJumpsBeginAnew) {
  const Motion motion = build_sine(loader());
  Network network;
  network.mode = CommandMode::motion;
  network.stamp = [](double t) { return 1'000'000'000'000 + to_ns(t) + (t > 4 ? 3'600'000'000'000 : 0); };
  const Outcome got = run(motion, network, 10);
  EXPECT_LE(calc_largest_error(got.ticks, motion, 8), 0.05 * kSine);
}

/// 1/1024 of the stroke: differences of such positions would be accelerations of ten times the limit. The motion becomes smoother and
/// later until it does not shake: an error of the acceleration of a sixth of the limit at most, as a root of mean squares.
TEST(Streams, OfALeverWithTenBitsDoNotShakeTheMachine) {
  const Motion sine = build_sine(loader());
  const double step = 0.76 / 1024;
  const Motion lever = [&](double t) {
    std::vector<DriveState> at = sine(t);
    at[0].position = 1.23 + step * std::floor((at[0].position - 1.23) / step);
    return at;
  };
  for (const double rate : {50.0, 100.0, 1000.0}) {
    Network network;
    network.rate = rate;
    const Outcome got = run(lever, network, 10);
    double squares = 0;
    double count = 0;
    for (const Tick& tick : got.ticks) {
      if (tick.time < 4) continue;
      const DriveState was = sine(tick.time - tick.delay)[0];
      ASSERT_NEAR(tick.drives[0].position, was.position, 2 * step) << rate;
      squares += std::pow(tick.drives[0].acceleration - was.acceleration, 2);
      ++count;
    }
    EXPECT_LE(std::sqrt(squares / count), 0.1) << rate;
    EXPECT_LE(got.ticks.back().delay, 0.35);
  }
}

/// Positions in steps of 1/1024 of the stroke beside exact rates: the rates are the motion, the positions say where it is.
TEST(Streams, OfRoundedPositionsWithTheirRatesDoNotShakeTheMachine) {
  const Motion sine = build_sine(loader());
  const double step = 0.76 / 1024;
  const Motion rounded = [&](double t) {
    std::vector<DriveState> at = sine(t);
    at[0].position = 1.23 + step * std::round((at[0].position - 1.23) / step);
    return at;
  };
  for (const CommandMode mode : {CommandMode::position_rate, CommandMode::motion}) {
    for (const double rate : {50.0, 100.0, 1000.0}) {
      Network network;
      network.rate = rate;
      network.mode = mode;
      const Outcome got = run(rounded, network, 10);
      for (const Tick& tick : got.ticks) {
        if (tick.time < 4) continue;
        const DriveState was = sine(tick.time - tick.delay - kTransit)[0];
        ASSERT_NEAR(tick.drives[0].position, was.position, step / 2) << rate;
        ASSERT_NEAR(tick.drives[0].acceleration, was.acceleration, 0.05) << rate << " " << tick.time;
      }
    }
  }
}

/// A lever that is pushed, held and let go, as rates: never the other way, never more than was asked, but for what the drive needs
/// to leave its acceleration.
TEST(Streams, OfRatesThatStepGoStraightThereAndNoFarther) {
  constexpr double kAside = 1e-6;  // m/s
  const Motion push = [starts = loader().start](double t) {
    const double rate = t < 2 ? 0 : t < 4 ? 0.05 : t < 6 ? 0 : -0.05;
    return std::vector<DriveState>{{starts[0] + 0.2, rate, 0}, {starts[1], 0, 0}};
  };
  for (const CommandMode mode : {CommandMode::rate, CommandMode::rate_acceleration}) {
    for (const double rate : {20.0, 50.0, 100.0, 1000.0}) {
      for (const double jitter : {0.0, 0.004}) {
        Network network;
        network.rate = rate;
        network.mode = mode;
        network.jitter = jitter;
        const Outcome got = run(push, network, 8);
        for (const Tick& tick : got.ticks) {
          const double since = tick.time - tick.delay;
          const double least = since < 5.5 ? 0 : -0.05;
          ASSERT_GE(tick.drives[0].rate, least - kAside) << rate << " Hz, " << tick.time;
          ASSERT_LE(tick.drives[0].rate, 0.05 + kAside) << rate << " Hz, " << tick.time;
        }
        EXPECT_NEAR(got.ticks[3900].drives[0].rate, 0.05, 1e-6);
      }
    }
  }
}

TEST(Streams, OfSingleSetPointsGoThereAndRest) {
  const double start = loader().start[0];
  const Motion steps = [&](double t) {
    return std::vector<DriveState>{{start + 0.1 * std::floor(t / 2 + 0.01), 0, 0}, {loader().start[1], 0, 0}};
  };
  Network network;
  network.rate = 0.5;
  // The watchdog would brake in between: packets of the same position keep it awake.
  Network awake = network;
  awake.rate = 10;
  for (const Network& each : {awake}) {
    const Outcome got = run(steps, each, 8);
    EXPECT_NEAR(got.ticks[5900].drives[0].position, start + 0.2, 1e-6);
    EXPECT_NEAR(got.ticks[5900].drives[0].rate, 0, 1e-6);
    for (const Tick& tick : got.ticks)
      ASSERT_LE(tick.drives[0].position, start + 0.1 * std::floor(tick.time / 2 + 0.02) + 1e-3);
  }
}

/// As soon as speed, acceleration and jerk allow, Δx/V + V/A + A/J, and some packets; then exactly there. Before that the parabolas of least
/// squares swing out, and the jerk is limited: by 2 % of the step and a tenth of a millimetre at most.
TEST(Streams, OfAStepArriveInFiniteTimeAndStand) {
  const DriveLimits& limits = loader().limits[0];
  for (const double step : {0.2, 0.01, 1e-4}) {
    const double target = loader().start[0] + step;
    const Motion steps = [&](double t) {
      return std::vector<DriveState>{{t < 1 ? loader().start[0] : target, 0, 0}, {loader().start[1], 0, 0}};
    };
    for (const double rate : {100.0, 1000.0}) {
      Network network;
      network.rate = rate;
      const double quickest =
          step / *limits.speed + *limits.speed / *limits.acceleration + *limits.acceleration / *limits.jerk;
      const Outcome got = run(steps, network, 8);
      for (const Tick& tick : got.ticks) {
        ASSERT_LE(tick.drives[0].position, target + 0.02 * step + 1e-4)
            << step << ' ' << rate << ' ' << tick.time;
        if (tick.time <= 1 + quickest + 5 / rate + 0.5) continue;
        ASSERT_EQ(tick.drives[0], (DriveState{target, 0, 0})) << step << ' ' << rate << ' ' << tick.time;
      }
    }
  }
}

TEST(Streams, ThatStopAreBrakedWithinTheLimits) {
  const Motion motion = build_sine(loader());
  for (const CommandMode mode : {CommandMode::position, CommandMode::rate, CommandMode::position_rate,
                                 CommandMode::motion, CommandMode::rate_acceleration}) {
    Network network;
    network.mode = mode;
    network.until = 4;
    const Outcome got = run(motion, network, 8);
    EXPECT_EQ(got.ticks.back().drives[0].rate, 0);
    EXPECT_EQ(got.ticks.back().drives[0].acceleration, 0);
    EXPECT_NE(got.ticks.back().status & kStale, 0U);
    EXPECT_NEAR(got.ticks.back().drives[0].position, motion(4)[0].position, 0.05);
    EXPECT_LE(got.underruns, 2U);
  }
}

TEST(Streams, ThatStopAndComeBackAreRejoined) {
  const Motion motion = build_sine(loader());
  const CommandLayout layout = build_machine_interface(loader()).build_layout();
  Network network;
  network.mode = CommandMode::motion;
  std::vector<Datagram> packets = build_traffic(layout, motion, network, 12);
  std::erase_if(packets, [](const Datagram& each) { return each.arrival > 4 && each.arrival < 5.5; });
  VirtualReceiver port(loader(), packets);
  const std::vector<Tick> ticks = run_live(loader(), port, 12);
  check_limits(loader(), ticks);
  EXPECT_LE(calc_largest_error(ticks, motion, 9), 0.05 * kSine);
}

TEST(Streams, AreDelayedAsTheUserSays) {
  const Motion motion = build_sine(loader());
  Network network;
  network.mode = CommandMode::motion;
  const Outcome got = run(motion, network, 6, 0.06);
  EXPECT_NEAR(got.ticks.back().delay, 0.06, 1e-9);
  EXPECT_LE(calc_largest_error(got.ticks, motion, 3), 0.01 * kSine);
}

/// Less than the packets need: the motion is extrapolated, and still nothing breaks.
TEST(Streams, AreNotDelayedIfTheUserSaysSo) {
  const Motion motion = build_sine(loader());
  for (const CommandMode mode : {CommandMode::position, CommandMode::rate, CommandMode::motion}) {
    Network network;
    network.mode = mode;
    const Outcome got = run(motion, network, 6, 0.0);
    EXPECT_LE(calc_largest_jump(got.ticks, 3), 0.012 * (1 + 1e-8));
    EXPECT_LE(calc_largest_error(got.ticks, motion, 3), 4 * kSine);
  }
}

}  // namespace
}  // namespace rodeo::engine::live_testing
