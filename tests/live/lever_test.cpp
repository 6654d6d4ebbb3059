// SPDX-License-Identifier: MIT
// An operator's lever behind a converter of 8, 10 or 12 bits with a noise of one count, sampled at 50 to 1000 Hz and sent as positions:
// what the machine feels of its steps, and how late it follows. A lever that is held does not move the machine.
#include "tests/live/live_machine.h"

namespace rodeo::engine::live_testing {
namespace {

constexpr double kSettled = 4;  // s
constexpr double kSeconds = 12;

const ModelFolder& loader() { return built("wheel_loader_cylinders"); }

/// Uniform in [-1, 1), the same for the same time.
double calc_noise(double time) {
  std::mt19937_64 random(static_cast<std::uint64_t>(std::llround(time * 1e6)) + 11);
  return std::uniform_real_distribution<double>(-1, 1)(random);
}

/// The first drive through a converter over its whole stroke.
Motion build_lever(const Motion& hand, int bits, double noise) {
  const double lower = *loader().limits[0].lower;
  const double count = (*loader().limits[0].upper - lower) / (1 << bits);
  return [=](double t) {
    std::vector<DriveState> at = hand(t);
    at[0].position = lower + count * std::round((at[0].position - lower) / count + noise * calc_noise(t));
    return at;
  };
}

Motion build_held() {
  return [starts = loader().start](double) {
    return std::vector<DriveState>{{starts[0] + 0.2, 0, 0}, {starts[1], 0, 0}};
  };
}

/// 0.14 m/s and 0.4 m/s²: nearly all that the drive can.
Motion build_stroke() {
  return [starts = loader().start](double t) {
    const double w = 0.4 / 0.14;
    const double radius = 0.14 / w;
    return std::vector<DriveState>{
        {starts[0] + 0.2 + radius * std::sin(w * t), 0.14 * std::cos(w * t), -0.4 * std::sin(w * t)},
        {starts[1], 0, 0}};
  };
}

struct Felt {
  double jump = 0;   // of the force, from tick to tick
  double range = 0;  // of the force
  double error = 0;  // of the force against the hand's, as long ago as the engine says; root of mean squares
  double off = 0;    // of the position
  double delay = 0;
};

Felt run_lever(const Motion& hand, int bits, double rate, double noise) {
  Network network;
  network.rate = rate;
  const CommandLayout layout = build_machine_interface(loader()).build_layout();
  VirtualReceiver port(loader(), build_traffic(layout, build_lever(hand, bits, noise), network, kSeconds));
  const std::vector<Tick> ticks = run_live(loader(), port, kSeconds);
  check_limits(loader(), ticks);
  Oracle oracle(loader());
  Felt felt;
  double least = 1e300, most = -1e300, squares = 0, count = 0, before = 0;
  for (const Tick& tick : ticks) {
    if (tick.time > kSettled) {
      const std::vector<DriveState> was = hand(tick.time - tick.delay - kTransit);
      felt.jump = std::max(felt.jump, std::abs(tick.force - before));
      felt.off = std::max(felt.off, std::abs(tick.drives[0].position - was[0].position));
      felt.delay = std::max(felt.delay, tick.delay);
      squares += std::pow(tick.force - oracle.calc_force(was), 2);
      least = std::min(least, tick.force);
      most = std::max(most, tick.force);
      ++count;
    }
    before = tick.force;
  }
  felt.range = most - least;
  felt.error = std::sqrt(squares / count);
  return felt;
}

TEST(Lever, IsFollowedWithinATenthOfASecondAndRestsWhenItIsHeld) {
  const double weight = std::abs(Oracle(loader()).calc_force(build_held()(0)));
  fmt::print(
      "force of the machine at rest {:.1f} kN\n{:>5} {:>5} {:>12} | {:>10} {:>10} {:>10} {:>9} {:>9}\n",
      weight / 1e3, "bits", "Hz", "motion", "jump N", "range kN", "error N", "off mm", "delay ms");
  const std::vector<std::pair<std::string, Motion>> motions{
      {"slow sine", build_sine(loader())}, {"fast stroke", build_stroke()}, {"held", build_held()}};
  for (const int bits : {8, 10, 12}) {
    for (const double rate : {50.0, 100.0, 1000.0}) {
      for (const auto& [name, hand] : motions) {
        const Felt felt = run_lever(hand, bits, rate, name == "held" ? 1 : 0.5);
        const double count = 0.76 / (1 << bits);
        const std::string row =
            fmt::format("{:5} {:5} {:>12} | {:10.0f} {:10.2f} {:10.0f} {:9.2f} {:9.1f}", bits, rate, name,
                        felt.jump, felt.range / 1e3, felt.error, felt.off * 1e3, felt.delay * 1e3);
        fmt::print("{}\n", row);
        EXPECT_LE(felt.delay, 0.1) << row;
        EXPECT_LE(felt.jump, 0.01 * weight) << row;
        EXPECT_LE(felt.off, 6 * count + 0.002) << row;
        EXPECT_LE(felt.range, name == "held" ? 0.01 * weight : weight) << row;
      }
    }
  }
}

}  // namespace
}  // namespace rodeo::engine::live_testing
