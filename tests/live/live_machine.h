// SPDX-License-Identifier: MIT
// A machine that is commanded through a bad network, on the virtual clock: packets as bytes through the gate and the playout into
// the loop. And the same motion without any of it: closed form into the kernel.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>

#include "engine/loop/loop.h"
#include "engine/loop/virtual_clock.h"
#include "engine/net/command_gate.h"
#include "engine/net/command_playout.h"
#include "tests/kernel/build_kernel.h"

namespace rodeo::engine::live_testing {

constexpr double kPeriod = 1e-3;
constexpr double kTransit = 0.0003;  // s, the quickest way through the network

inline std::int64_t to_ns(double seconds) { return std::llround(seconds * 1e9); }

/// `rodeo build` of a machine of configs/, once a program.
inline const ModelFolder& built(const std::string& name) {
  static const testing_support::TemporaryFolder folder;
  static std::map<std::string, ModelFolder> models;
  if (const auto found = models.find(name); found != models.end()) return found->second;
  const std::string target = (folder / name).string();
  const std::string command = fmt::format("'{}' build '{}/configs/{}.yaml' -o '{}' >/dev/null", RODEO_PROGRAM,
                                          RODEO_SOURCE_DIR, name, target);
  if (std::system(command.c_str()) != 0) throw std::runtime_error("cannot build " + name);
  return models.emplace(name, ModelFolder::build_from(target)).first->second;
}

/// Position, rate and acceleration of every drive at a time, s.
using Motion = std::function<std::vector<DriveState>(double)>;

/// The first drive swings from its start and back, 0.05 m/s² at most; the others stand.
inline Motion build_sine(const ModelFolder& model) {
  const double start = model.start[0];
  const double up = *model.limits[0].upper - start;
  const double down = start - *model.limits[0].lower;
  const double radius = std::min(0.2, 0.45 * std::max(up, down));
  const double swing = up > down ? radius : -radius;
  const double w = std::sqrt(0.05 / radius);
  return [=, starts = model.start](double t) {
    std::vector<DriveState> at;
    for (const double each : starts) at.push_back({each, 0, 0});
    if (t > 0)
      at[0] = {start + swing * (1 - std::cos(w * t)), swing * w * std::sin(w * t),
               swing * w * w * std::cos(w * t)};
    return at;
  };
}

struct Network {
  double rate = 100;  // packets a second
  CommandMode mode = CommandMode::position;
  double jitter = 0;       // s, of the way through it, uniform
  double loss = 0;         // part of the packets
  double oversleep = 0;    // s by which the sender's pause between two packets is longer, at most
  double clock_noise = 0;  // s, of the sender's stamp
  int burst = 1;           // packets that arrive together
  double pace = 1;         // s of ours in a second of the sender's clock
  double until = 1e9;      // s, the last packet
  std::function<std::int64_t(double)> stamp = [](double t) {
    return std::int64_t{1'700'000'000'000'000'000} + to_ns(t);
  };
};

struct Datagram {
  double arrival;
  std::vector<std::uint8_t> bytes;
};

inline std::vector<double> build_values(CommandMode mode, const std::vector<DriveState>& at) {
  std::vector<double> values;
  const bool is_rate = mode == CommandMode::rate || mode == CommandMode::rate_acceleration;
  const auto add = [&](double DriveState::*what) {
    if (values.size() < value_count(mode) * at.size()) {
      for (const DriveState& each : at) values.push_back(each.*what);
    }
  };
  if (!is_rate) add(&DriveState::position);
  add(&DriveState::rate);
  add(&DriveState::acceleration);
  return values;
}

/// What arrives, in the order of its arrival.
inline std::vector<Datagram> build_traffic(const CommandLayout& layout, const Motion& motion,
                                           const Network& network, double seconds) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Datagram> all;
  double slept = 0;  // longer than it should
  for (int k = 0; k / network.rate + slept < seconds; ++k) {
    if (network.oversleep > 0) slept += network.oversleep * (0.1 + 0.9 * std::pow(uniform(random), 6));
    const double t = k / network.rate + slept;
    const double late = network.jitter * uniform(random);
    const double noise = network.clock_noise * uniform(random);
    if (uniform(random) < network.loss || t > network.until) continue;
    CommandHeader header;
    header.mode = network.mode;
    header.session = 7;
    header.sequence = static_cast<std::uint64_t>(k) + 1;
    header.time = network.stamp(t + noise);
    const double last = (k / network.burst + 1) * network.burst - 1;  // of the burst
    Datagram packet{kTransit + late + network.pace * (last / network.rate + slept), {}};
    packet.bytes.resize(layout.packet_bytes(network.mode, false));
    encode_command(layout, header, build_values(network.mode, motion(t)), nullptr, packet.bytes);
    all.push_back(packet);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.arrival < b.arrival; });
  return all;
}

/// The receiver without its socket.
class VirtualReceiver : public CommandPort {
 public:
  VirtualReceiver(const ModelFolder& model, std::vector<Datagram> packets, std::optional<double> delay = {})
      : gate_(build_machine_interface(model), {}),
        playout_(model.limits, gate_.layout().force_count, kPeriod, delay),
        packets_(std::move(packets)),
        commands_(model.limits.size()),
        forces_(gate_.layout().force_count) {}

  [[nodiscard]] bool try_sample(std::int64_t now, Sample& out) noexcept override {
    bool is_new = false;
    for (; next_ < packets_.size() && to_ns(packets_[next_].arrival) <= now; ++next_) {
      CommandHeader header;
      const Endpoint local{{{127, 0, 0, 1}, 4, 0}, 4000};
      gate_.set_now(to_ns(packets_[next_].arrival));
      if (gate_.check(packets_[next_].bytes, local, header, commands_, forces_) != Refusal::none) continue;
      out.arrival = to_ns(packets_[next_].arrival);
      is_new = out.has_any = true;
      playout_.add({header.mode, header.session, header.sequence, header.time,
                    out.arrival - out.due + out.time, header.least_delay / 1e3},
                   commands_, forces_);
    }
    if (out.has_any) playout_.sample(out.time, out.commands, out.forces);
    out.delay = to_ns(playout_.delay());
    return is_new;
  }
  [[nodiscard]] const CommandPlayout& playout() const { return playout_; }

 private:
  CommandGate gate_;
  CommandPlayout playout_;
  std::vector<Datagram> packets_;
  std::size_t next_ = 0;
  std::vector<Command> commands_;
  std::vector<double> forces_;
};

/// Of every tick.
struct Tick {
  double time;
  std::vector<DriveState> drives;
  double force;  // of the first drive, or its torque
  double delay;
  std::uint32_t status;
};

inline std::size_t find_force(const ModelFolder& model) {
  const std::string drive = model.kernel.drives()[0].name;
  const auto names = build_names(model.kernel.loads());
  const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
    return name == drive + ".force" || name == drive + ".torque";
  });
  if (found == names.end()) throw std::runtime_error("no load of " + drive);
  return static_cast<std::size_t>(found - names.begin());
}

class Recorder : public StatePort {
 public:
  explicit Recorder(std::size_t force) : force_(force) {}
  void try_publish(const Session& session, const LoopReport& report, std::int64_t) noexcept override {
    const auto drives = session.stepper().drives();
    ticks.push_back({static_cast<double>(session.time()) / 1e9,
                     {drives.begin(), drives.end()},
                     session.stepper().loads()[force_],
                     static_cast<double>(report.delay) / 1e9,
                     session.status()});
  }
  std::vector<Tick> ticks;

 private:
  std::size_t force_;
};

/// How much later than asked for a sleep ends, ns.
using Lateness = std::function<std::int64_t(std::int64_t)>;

inline std::vector<Tick> run_live(const ModelFolder& model, CommandPort& port, double seconds,
                                  const Lateness& lateness = {}) {
  Session session(model, {}, {{"start", model.start}});
  VirtualClock clock;
  clock.set_lateness(lateness);
  Recorder recorder(find_force(model));
  LoopOptions options;
  options.timeout = 200'000'000;
  Loop loop(session, clock, options, {&port, {&recorder}, nullptr});
  loop.start();
  while (session.time() < to_ns(seconds)) loop.tick();
  return std::move(recorder.ticks);
}

/// Force of the first drive in a motion of closed form.
class Oracle {
 public:
  explicit Oracle(const ModelFolder& model)
      : model_(model),
        kernel_(model.kernel),
        outputs_(model.kernel.output_count()),
        inputs_(model.kernel.input_count()),
        loads_(model.kernel.load_count()),
        force_(find_force(model)) {
    if (kernel_.try_init(model.parameters, model.start) != KernelStatus::ok)
      throw std::runtime_error("no start");
  }
  double calc_force(const std::vector<DriveState>& at) {
    std::vector<double> values;
    for (const DriveState& each : at)
      values.insert(values.end(), {each.position, each.rate, each.acceleration});
    if (kernel_.try_step(values, outputs_) != KernelStatus::ok) throw std::runtime_error("no pose");
    if (kernel_.try_loads(outputs_, inputs_, loads_) != KernelStatus::ok)
      throw std::runtime_error("no loads");
    return loads_[force_];
  }

 private:
  const ModelFolder& model_;
  Instance kernel_;
  std::vector<double> outputs_, inputs_, loads_;
  std::size_t force_;
};

/// Every limit of every drive, from tick to tick.
inline void check_limits(const ModelFolder& model, const std::vector<Tick>& ticks) {
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    for (std::size_t d = 0; d < model.limits.size(); ++d) {
      const DriveLimits& limits = model.limits[d];
      const DriveState& at = ticks[i].drives[d];
      ASSERT_LE(at.position, *limits.upper) << ticks[i].time;
      ASSERT_GE(at.position, *limits.lower) << ticks[i].time;
      ASSERT_LE(std::abs(at.rate), *limits.speed) << ticks[i].time;
      ASSERT_LE(std::abs(at.acceleration), *limits.acceleration) << ticks[i].time;
      const double change = at.acceleration - ticks[i - 1].drives[d].acceleration;
      ASSERT_LE(std::abs(change), *limits.jerk * (ticks[i].time - ticks[i - 1].time) * (1 + 1e-8))
          << ticks[i].time;
    }
  }
}

}  // namespace rodeo::engine::live_testing
