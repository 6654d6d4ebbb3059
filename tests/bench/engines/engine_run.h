// SPDX-License-Identifier: MIT
// The wheel loader's linkage, driven by the motion of loader_motion.h at 1 kHz, in general multibody engines. Each engine
// gets what suits it: no gravity, no contacts, bodies that hang in a tree of pins, two closures at the pins S and K.
#pragma once
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/bench/loader_motion.h"

namespace loader {

inline constexpr double kTick = 1e-3;  // seconds
inline constexpr int kEngineTicks = 10000;

/// What one engine did with the motion.
struct EngineRun {
  std::string name;
  double microseconds = 0;   // a step, median of rounds
  double closure_error = 0;  // metres, the largest distance between the two halves of a closing pin
  double pose_error = 0;     // radians, the largest difference of the bucket's angle to the closed form's
  double times_kernel = 0;   // median over rounds of its time by that of the kernel's round beside it
};

/// Position, rate and acceleration of the drives at every tick, beforehand.
inline const std::vector<Drives>& engine_motion() {
  static const std::vector<Drives> motion = [] {
    std::vector<Drives> ticks;
    for (int i = 0; i <= kEngineTicks; ++i) ticks.push_back(find_drives(kTick * i));
    return ticks;
  }();
  return motion;
}

/// The pins that close the two loops, each on both of its bodies, in the bodies' frames.
struct Closure {
  Vec rear_S{kRear, 0}, lever_S{kLever, 0}, front_K{kFront, 0}, bucket_K{kKx, kKy};
};

/// Angles at time 0: boom, tilt lever, rear strut, lever, front strut, bucket.
inline std::array<double, 6> find_start_angles() {
  const Drives drives = find_drives(0.0);
  std::array<double, 4> previous{-0.2, 2.1, -1.0, 0.75};
  std::array<double, kOutputs> out{};
  if (!step(drives.data(), previous.data(), out.data()))
    throw std::runtime_error("the motion does not start");
  return {drives[0], drives[3], previous[0], previous[1], previous[2], previous[3]};
}

/// The bucket's angle by the closed form.
inline double calc_bucket_angle(int tick) {
  std::array<double, 4> previous{-0.2, 2.1, -1.0, 0.75};
  std::array<double, kOutputs> out{};
  const Drives& drives = engine_motion()[static_cast<std::size_t>(tick)];
  return step(drives.data(), previous.data(), out.data()) ? previous[3] : NAN;
}

/// Steps an engine through the motion, rounds of it and of the kernel by turns. `advance(i)` goes to tick i.
template <class Engine, class Kernel>
EngineRun run_engine(std::string name, Engine& engine, Kernel& kernel) {
  constexpr int kRound = 100;
  EngineRun run;
  run.name = std::move(name);
  std::vector<double> rounds, ratios;
  const auto time_round = [](auto& who, int from) {
    return time_ns([&] {
      for (int k = from; k < from + kRound; ++k) who.advance(k);
    });
  };
  for (int i = 1; i <= kEngineTicks; i += kRound) {
    rounds.push_back(time_round(engine, i));
    ratios.push_back(rounds.back() / time_round(kernel, i));
    const int last = i + kRound - 1;
    run.closure_error = std::max(run.closure_error, engine.closure_error());
    run.pose_error = std::max(run.pose_error, std::abs(engine.bucket_angle() - calc_bucket_angle(last)));
  }
  run.microseconds = 1e-3 * calc_median(rounds) / kRound;
  run.times_kernel = calc_median(ratios);
  return run;
}

}  // namespace loader
