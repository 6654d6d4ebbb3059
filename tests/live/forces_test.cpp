// SPDX-License-Identifier: MIT
// The forces of a machine that is commanded over a network, beside those of the same motion in closed form: sender's rate x mode x
// jitter x loss. Printed as a table; tools/live_forces prints the same of a real network.
#include "tests/live/live_machine.h"

namespace rodeo::engine::live_testing {
namespace {

constexpr double kSeconds = 8;
constexpr double kSettled = 3;  // s: from then on the lag stands and the machine has caught up

/// Jumps of a force from tick to tick.
struct Jumps {
  double largest = 0;
  double p99 = 0;
};

Jumps calc_jumps(const std::vector<double>& forces) {
  std::vector<double> jumps;
  for (std::size_t i = 1; i < forces.size(); ++i) jumps.push_back(std::abs(forces[i] - forces[i - 1]));
  std::sort(jumps.begin(), jumps.end());
  return {jumps.back(), jumps[jumps.size() * 99 / 100]};
}

struct Reference {
  Jumps jumps;
  double largest = 0;
};

Reference calc_reference(const ModelFolder& model, const Motion& motion) {
  Oracle oracle(model);
  std::vector<double> forces;
  for (double t = 1; t < kSeconds; t += kPeriod) forces.push_back(oracle.calc_force(motion(t)));
  Reference reference{calc_jumps(forces), 0};
  for (const double force : forces) reference.largest = std::max(reference.largest, std::abs(force));
  return reference;
}

struct Live {
  Jumps jumps;
  double error = 0;  // of the force, against the closed form as long ago as the delay says
  double delay = 0;
};

Live run_case(const ModelFolder& model, const Motion& motion, const Network& network) {
  VirtualReceiver port(
      model, build_traffic(build_machine_interface(model).build_layout(), motion, network, kSeconds + 1));
  const std::vector<Tick> ticks = run_live(model, port, kSeconds);
  check_limits(model, ticks);
  Oracle oracle(model);
  Live live;
  std::vector<double> forces;
  const bool is_rate = network.mode == CommandMode::rate || network.mode == CommandMode::rate_acceleration;
  for (const Tick& tick : ticks) {
    if (tick.time < kSettled) continue;
    forces.push_back(tick.force);
    std::vector<DriveState> was = motion(tick.time - tick.delay - kTransit);
    if (is_rate) was[0].position = tick.drives[0].position;  // rates say nothing of it
    live.error = std::max(live.error, std::abs(tick.force - oracle.calc_force(was)));
    live.delay = std::max(live.delay, tick.delay);
  }
  live.jumps = calc_jumps(forces);
  return live;
}

constexpr std::array kModes{CommandMode::position, CommandMode::rate, CommandMode::position_rate,
                            CommandMode::motion, CommandMode::rate_acceleration};
constexpr std::array kNames{"position", "rate", "position_rate", "motion", "rate_acceleration"};

/// The longest delay that the playout may need: spacing and look-ahead, what is lost in a row, jitter, a tick, and a spare.
double calc_most_delay(const Network& network) {
  const double interval = std::max(0.01, 1 / network.rate);
  const bool is_fitted =
      network.mode != CommandMode::motion && network.mode != CommandMode::rate_acceleration;
  const double ahead = is_fitted ? std::max(0.02, 1 / network.rate) : 0;
  const bool is_lossy = network.loss > 0 || network.jitter > 1 / network.rate;  // who is overtaken is lost
  const double lost = is_lossy ? 4 / network.rate : 0;
  return std::max(interval, lost) + ahead + network.jitter + 0.003;
}

void print_table(const std::string& name, const Reference& reference, const std::vector<Network>& networks) {
  const ModelFolder& model = built(name);
  const Motion motion = build_sine(model);
  fmt::print("{}: largest force {:.1f} kN; offline a tick: largest jump {:.1f} N, p99 {:.1f} N\n", name,
             reference.largest / 1e3, reference.jumps.largest, reference.jumps.p99);
  fmt::print("{:>6} {:>18} {:>8} {:>6} {:>8} | {:>10} {:>8} {:>10} {:>9}\n", "Hz", "mode", "jitter", "loss",
             "clock", "jump max N", "p99 N", "error N", "delay ms");
  for (const Network& network : networks) {
    const Live live = run_case(model, motion, network);
    const std::string row = fmt::format(
        "{:6} {:>18} {:5.0f} ms {:4.0f} % {:5.0f} us | {:10.1f} {:8.1f} {:10.1f} {:9.1f}", network.rate,
        kNames[static_cast<std::size_t>(network.mode) - 1], network.jitter * 1e3, network.loss * 100,
        network.clock_noise * 1e6, live.jumps.largest, live.jumps.p99, live.error, live.delay * 1e3);
    fmt::print("{}\n", row);
    // A tick of the whole jerk is 0.8 % of the loader's force; p99 without a trembling clock, a tenth of that.
    EXPECT_LE(live.jumps.largest, 0.01 * reference.largest) << row;
    EXPECT_LE(live.jumps.p99, (network.clock_noise > 0 ? 0.005 : 0.002) * reference.largest) << row;
    EXPECT_LE(live.error, (network.clock_noise > 0 ? 0.03 : 0.01) * reference.largest) << row;
    EXPECT_LE(live.delay, calc_most_delay(network)) << row;
  }
}

std::vector<Network> build_networks(const std::vector<double>& jitters, const std::vector<double>& losses) {
  std::vector<Network> all;
  for (const double rate : {20.0, 50.0, 100.0, 1000.0, 2000.0}) {
    for (const CommandMode mode : kModes) {
      for (const double jitter : jitters) {
        for (const double loss : losses) {
          Network network;
          network.rate = rate;
          network.mode = mode;
          network.jitter = jitter;
          network.loss = loss;
          all.push_back(network);
        }
      }
      Network trembling;
      trembling.rate = rate;
      trembling.mode = mode;
      trembling.clock_noise = 20e-6;
      all.push_back(trembling);
    }
  }
  return all;
}

TEST(LiveForces, OfTheLoaderAreThoseOfTheSameMotionOffline) {
  const ModelFolder& model = built("wheel_loader_cylinders");
  const Reference reference = calc_reference(model, build_sine(model));
  print_table("wheel_loader_cylinders", reference, build_networks({0.0, 0.005, 0.02}, {0.0, 0.05}));
}

TEST(LiveForces, OfTheExcavatorAreThoseOfTheSameMotionOffline) {
  const ModelFolder& model = built("excavator");
  const Reference reference = calc_reference(model, build_sine(model));
  print_table("excavator", reference, build_networks({0.005}, {0.0, 0.05}));
}

}  // namespace
}  // namespace rodeo::engine::live_testing
