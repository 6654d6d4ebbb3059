// SPDX-License-Identifier: MIT
// Two problems of the IFToMM library of multibody benchmarks, 10 s each: A01, a point of 1 kg on a massless rod of 1 m, let go
// from the horizontal; A02, a chain of four-bar windows of rods of 1 m and 1 kg, upright at the start with 1 m/s at the top. What is
// measured of a run is the same for every engine. C++17, as Simbody's headers are.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

namespace iftomm {

inline constexpr double kGravity = 9.81;  // m/s²
inline constexpr double kGiveUp = 60.0;   // s of a processor
inline constexpr double kRightAngle = 1.5707963267948966;

/// The pendulum is the problem with no window.
struct Problem {
  const char* name;
  int windows;
  double duration;      // s
  double energy_bound;  // J
  [[nodiscard]] bool is_pendulum() const { return windows == 0; }
  /// θ̈ = −ratio cos θ. A window's legs turn about their ends, its bars move without turning:
  /// ((N+1)/3 + N) θ̈ = −g cos θ ((N+1)/2 + N).
  [[nodiscard]] double ratio() const {
    const double n = windows;
    return is_pendulum() ? kGravity : kGravity * ((n + 1) / 2 + n) / ((n + 1) / 3 + n);
  }
  [[nodiscard]] double start_angle() const { return is_pendulum() ? 0 : kRightAngle; }
  [[nodiscard]] double start_rate() const { return is_pendulum() ? 0 : -1; }
};

inline constexpr Problem kA01{"A01: a pendulum", 0, 10, 1e-6};
inline constexpr Problem kA02{"A02: 40 windows, through their flat pose again and again", 40, 10, 0.1};
inline constexpr Problem kBeforeFlat{"A02 for 0.6 s: before the first flat pose, which is at 0.709 s", 40,
                                     0.6, 0.1};

/// At the end of every step of an engine.
struct Sample {
  double t = 0, energy = 0, open = 0;  // s, J, m: the largest distance between the halves of a pin
  double least = 0, largest = 0;       // angle of any leg, rad
};

struct Run {
  std::string engine;
  double seconds = 0;    // by the clock, from the start to the last sample, samples included
  double processor = 0;  // s of processors in it: what others on the machine change less
  long steps = 0;
  std::vector<Sample> samples;
  std::string failure;  // why it did not come to the end

  [[nodiscard]] double energy_error() const {
    double largest = 0;
    for (const Sample& s : samples) largest = std::max(largest, std::abs(s.energy - samples[0].energy));
    return samples.empty() ? NAN : largest;
  }
  [[nodiscard]] double open() const {
    double largest = 0;
    for (const Sample& s : samples) largest = std::max(largest, s.open);
    return largest;
  }
  [[nodiscard]] bool is_within(double bound) const { return failure.empty() && energy_error() <= bound; }
};

/// The time that a run takes.
class Stopwatch {
 public:
  void read(Run& run) const {
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    run.processor = static_cast<double>(std::clock() - processor_) / CLOCKS_PER_SEC;
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::clock_t processor_ = std::clock();
};

/// The motion itself, by Runge-Kutta 4 at 0.1 ms: on their branch all legs of a chain are one pendulum.
class Reference {
 public:
  explicit Reference(const Problem& p) : ratio_(p.ratio()), x_(p.start_angle()), v_(p.start_rate()) {}

  /// `t` not before the last one.
  double angle_at(double t) {
    constexpr double kStep = 1e-4;
    while (t_ + kStep < t) move(kStep);
    if (t > t_) move(t - t_);
    return x_;
  }

 private:
  void move(double h) {
    const double k1 = pull(x_), k2 = pull(x_ + h / 2 * v_), k3 = pull(x_ + h / 2 * v_ + h * h / 4 * k1);
    const double k4 = pull(x_ + h * v_ + h * h / 2 * k2);
    x_ += h * v_ + h * h / 6 * (k1 + k2 + k3);
    v_ += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    t_ += h;
  }
  [[nodiscard]] double pull(double x) const { return -ratio_ * std::cos(x); }

  double ratio_, x_, v_, t_ = 0;
};

/// The largest difference of any leg from the reference, rad.
inline double calc_angle_error(const Problem& problem, const Run& run) {
  Reference reference(problem);
  double largest = 0;
  for (const Sample& s : run.samples) {
    const double angle = reference.angle_at(s.t);
    largest = std::max({largest, std::abs(s.least - angle), std::abs(s.largest - angle)});
  }
  return largest;
}

}  // namespace iftomm
