// SPDX-License-Identifier: MIT
// The wheel loader with a payload: its cylinders' forces at rest against moments written by hand from body to body, and what a step
// with loads costs, in instructions.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

#include "tests/codegen/built_kernel.h"

namespace rodeo::codegen {
namespace {

struct Vec {
  double x = 0, y = 0;
  Vec operator+(Vec b) const { return {x + b.x, y + b.y}; }
  Vec operator-(Vec b) const { return {x - b.x, y - b.y}; }
  Vec operator*(double s) const { return {s * x, s * y}; }
  [[nodiscard]] double length() const { return std::hypot(x, y); }
  [[nodiscard]] Vec unit() const { return *this * (1 / length()); }
};
double cross(Vec a, Vec b) { return a.x * b.y - a.y * b.x; }

/// A body's frame: its origin, and the direction of its x axis.
struct Place {
  Vec origin, along;
  [[nodiscard]] Vec at(double x, double y) const {
    return origin + Vec{x * along.x - y * along.y, x * along.y + y * along.x};
  }
};

/// Where the circles about a and b meet, to the left of the way from a to b.
Vec meet(Vec a, double ra, Vec b, double rb) {
  const Vec d = b - a, u = d.unit();
  const double s = (ra * ra - rb * rb + d.length() * d.length()) / (2 * d.length());
  return a + u * s + Vec{-u.y, u.x} * std::sqrt(ra * ra - s * s);
}
/// The frame whose point (x, y) is at p, turned about its origin.
Place point_at(Vec origin, Vec p, double x, double y) {
  const Vec u = (p - origin).unit(), own = Vec{x, y}.unit();
  return {origin, {u.x * own.x + u.y * own.y, u.y * own.x - u.x * own.y}};
}

/// The numbers of configs/loads/wheel_loader_payload.yaml, pins by construction with compasses.
struct Loader {
  Vec A{-0.45, 1.93}, D{-0.3, 1.78}, P{-0.6, 1.2}, T{-1.3, 1.0};
  Vec Q, U, R, E, H, S, F, K;
  Place boom, tilt, lever, bucket;

  Loader(double lift, double tilt_length) {
    Q = meet(A, Vec{1.34, -0.06}.length(), P, lift);
    boom = point_at(A, Q, 1.34, -0.06);
    U = meet(D, Vec{-0.45, 0.08}.length(), T, tilt_length);
    tilt = point_at(D, U, -0.45, 0.08);
    R = tilt.at(0.62, 0);
    E = boom.at(1.85, 0.2);
    H = boom.at(2.9, 0);
    S = meet(R, 1.81, E, 0.62);
    lever = point_at(E, S, 0.62, 0);
    F = lever.at(0.585, -0.44);
    K = meet(F, 1.13, H, Vec{0.22, 0.45}.length());
    bucket = point_at(H, K, 0.22, 0.45);
  }
};

struct Forces {
  double lift = 0, tilt = 0;
};

/// Struts weigh half at either end; beside that they push along themselves: `front` from F to K, `rear` from R to S.
Forces calc_forces(const Loader& l, double payload) {
  const auto moment = [](Vec about, Vec at, Vec force) { return cross(at - about, force); };
  const auto weight = [](double mass) { return Vec{0, -9.81 * mass}; };
  const Vec half_front = weight(45), half_rear = weight(55);
  const Vec along_front = (l.K - l.F).unit(), along_rear = (l.S - l.R).unit();
  const Vec heap = l.bucket.at(0.55, 0.05), bucket = l.bucket.at(0.48, -0.02),
            lever = l.lever.at(0.39, -0.14);
  // The bucket about H.
  const double in_bucket =
      moment(l.H, bucket, weight(1600)) + moment(l.H, heap, weight(payload)) + moment(l.H, l.K, half_front);
  const double front = -in_bucket / moment(l.H, l.K, along_front);
  // The lever about E.
  const double in_lever = moment(l.E, lever, weight(300)) +
                          moment(l.E, l.F, half_front - along_front * front) + moment(l.E, l.S, half_rear);
  const double rear = -in_lever / moment(l.E, l.S, along_rear);
  // The tilt lever about D.
  const double in_tilt =
      moment(l.D, l.tilt.at(0.08, 0.02), weight(150)) + moment(l.D, l.R, half_rear - along_rear * rear);
  const double tilt = -in_tilt / moment(l.D, l.U, (l.U - l.T).unit());
  // Boom, bucket, lever and front strut together about A.
  const Vec front_strut = (l.F + l.K) * 0.5;
  const double in_boom = moment(l.A, l.boom.at(1.5, 0.08), weight(1500)) + moment(l.A, bucket, weight(1600)) +
                         moment(l.A, heap, weight(payload)) + moment(l.A, lever, weight(300)) +
                         moment(l.A, front_strut, weight(90)) +
                         moment(l.A, l.S, half_rear + along_rear * rear);
  return {-in_boom / moment(l.A, l.Q, (l.Q - l.P).unit()), tilt};
}

/// The kernel, held still or moved.
class PayloadLoader {
 public:
  PayloadLoader()
      : k(load_kernel(fs::path(built_folder((kSource / "configs/loads/wheel_loader_payload.yaml").string())) /
                      "kernel.so")),
        instance(k),
        loads(k->n_loads) {
    EXPECT_EQ(instance.init(), RODEO_OK);
  }

  void hold(double lift, double tilt, double payload) {
    ASSERT_EQ(instance.step({lift, 0, 0, tilt, 0, 0}, outputs), RODEO_OK);
    const std::array inputs{0.0, payload};
    ASSERT_EQ(k->calc_loads(instance.memory.data(), outputs.data(), inputs.data(), loads.data()), RODEO_OK);
  }
  [[nodiscard]] double load(const std::string& name) const {
    for (std::size_t i = 0; i < k->n_loads; ++i)
      if (k->loads[i].name == name) return loads[i];
    ADD_FAILURE() << name;
    return NAN;
  }

  const rodeo_kernel* k;
  Instance instance;
  std::vector<double> outputs, loads;
};

TEST(WheelLoaderWithPayload, HasTheCylinderForcesOfItsMomentsAtRest) {
  PayloadLoader loader;
  ASSERT_EQ(loader.k->n_inputs, 2U);
  ASSERT_STREQ(loader.k->inputs[1].name, "payload.mass");
  double largest = 0;
  for (const double lift : {1.256987, 1.45, 1.7, 1.98}) {
    for (const double tilt : {1.4747452, 1.3, 1.177}) {
      for (const double payload : {0.0, 5000.0}) {
        loader.hold(lift, tilt, payload);
        const Forces forces = calc_forces({lift, tilt}, payload);
        EXPECT_NEAR(loader.load("lift.force"), forces.lift, 1e-9 * std::abs(forces.lift))
            << lift << ' ' << tilt;
        EXPECT_NEAR(loader.load("tilt.force"), forces.tilt, 1e-9 * std::abs(forces.lift))
            << lift << ' ' << tilt;
        largest = std::max(largest, forces.lift);
      }
    }
  }
  std::printf("  lift cylinders push up to %.0f kN at rest\n", 1e-3 * largest);
}

/// The log of a loading cycle, as tools/figures_dynamics draws it: t, lift.force, tilt.force in every tick.
std::vector<std::array<double, 3>> run_cycle(const TemporaryFolder& folder) {
  const std::string source = kSource.string();
  const std::string said =
      run("cd '" + folder.path().string() + "' && '" + source +
          "/tools/loading_payload' > cycle.csv && '" RODEO_PROGRAM "' simulate '" + source +
          "/configs/loads/wheel_loader_payload.yaml' --input cycle.csv --columns all -o log.csv");
  EXPECT_EQ(said, "");
  std::ifstream log(folder.path() / "log.csv");
  std::string line, cell;
  std::getline(log, line);
  std::vector<std::string> names;
  for (std::istringstream header(line); std::getline(header, cell, ',');) names.push_back(cell);
  std::vector<std::array<double, 3>> rows;
  while (std::getline(log, line)) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::size_t c = 0; std::getline(cells, cell, ','); ++c) {
      if (c == 0) rows.back()[0] = std::stod(cell);
      if (names[c] == "lift.force") rows.back()[1] = std::stod(cell);
      if (names[c] == "tilt.force") rows.back()[2] = std::stod(cell);
    }
  }
  return rows;
}

/// Two lift cylinders of 130 mm at 25 MPa push 660 kN, the tilt cylinder of 150 mm 440 kN: the class of the machine.
TEST(WheelLoaderWithPayload, GoesThroughALoadingCycleWithForcesThatItsCylindersHave) {
  const TemporaryFolder folder;
  const auto rows = run_cycle(folder);
  ASSERT_EQ(rows.size(), 30001U);
  double largest = 0, jump = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_GT(rows[i][1], 0) << "the boom would fall at " << rows[i][0];
    EXPECT_LT(std::abs(rows[i][2]), 440e3) << rows[i][0];
    largest = std::max(largest, rows[i][1]);
    jump = std::max(jump, std::abs(rows[i][1] - rows[i - 1][1]));
  }
  EXPECT_GT(largest, 400e3);
  EXPECT_LT(largest, 660e3);
  EXPECT_LT(jump, 2e3) << "forces follow a smooth motion: no comb";
  // At rest: raised with its load, raised and dumped, down.
  for (const auto& [t, lift, tilt, payload] : {std::array{17.1, 1.982693916341, 1.474745216108, 5000.0},
                                               {20.2, 1.982693916341, 1.024749703642, 0.0},
                                               {1.2, 1.256987296644, 1.474745216108, 0.0}}) {
    const Forces forces = calc_forces({lift, tilt}, payload);
    const auto& row = rows[static_cast<std::size_t>(std::lround(1000 * t))];
    EXPECT_NEAR(row[1], forces.lift, 1e-6 * forces.lift) << t;
    EXPECT_NEAR(row[2], forces.tilt, 1e-6 * forces.lift) << t;
  }
}

/// Instructions that a child takes for `work`, stepped one by one; nothing where tracing is not allowed.
std::optional<long> count_instructions(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(1);
    raise(SIGSTOP);
    work();
    raise(SIGSTOP);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSTOPPED(status)) return std::nullopt;
  long count = 0;
  bool ok = true;
  do {
    ok = ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) == 0 && waitpid(child, &status, 0) == child;
    ++count;
  } while (ok && WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP);
  ok = ok && WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP;
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return ok ? std::optional(count) : std::nullopt;
}

/// Ticks of a motion in the middle of the strokes, with or without loads.
class Ticks {
 public:
  Ticks() {
    for (int i = 0; i < 3; ++i) {
      const double t = 0.1 * i;
      drives_.push_back({1.6 + 0.2 * std::sin(0.4 * t), 0.08 * std::cos(0.4 * t), -0.032 * std::sin(0.4 * t),
                         1.3 + 0.1 * std::sin(0.9 * t), 0.09 * std::cos(0.9 * t),
                         -0.081 * std::sin(0.9 * t)});
    }
    loader_.outputs.resize(loader_.k->n_outputs);
  }
  /// A tick's mean over two: what comes before and after them is taken off.
  std::optional<double> count(bool with_loads) {
    const auto few = count_instructions([&] { run(1, with_loads); });
    const auto many = count_instructions([&] { run(3, with_loads); });
    if (!few || !many) return std::nullopt;
    return static_cast<double>(*many - *few) / 2;
  }

 private:
  void run(std::size_t count, bool with_loads) {
    const rodeo_kernel* k = loader_.k;
    void* memory = loader_.instance.memory.data();
    const std::array inputs{0.0, 5000.0};
    for (std::size_t i = 0; i < count; ++i) {
      if (k->step(memory, drives_[i].data(), loader_.outputs.data()) != RODEO_OK) _exit(1);
      if (with_loads) k->calc_loads(memory, loader_.outputs.data(), inputs.data(), loader_.loads.data());
    }
  }

  PayloadLoader loader_;
  std::vector<std::array<double, 6>> drives_;
};

TEST(WheelLoaderWithPayload, TakesAtMostThreeTimesTheInstructionsOfTheMotionAlone) {
  Ticks ticks;
  const auto motion = ticks.count(false), both = ticks.count(true);
  if (!motion || !both) GTEST_SKIP() << "this system does not let a program trace its child";
  std::printf("  instructions a step: %.1f, with loads %.1f, ratio %.3f\n", *motion, *both, *both / *motion);
  EXPECT_EQ(ticks.count(true), both) << "a count repeats";
  EXPECT_GT(*both, *motion);
  EXPECT_LE(*both, 3 * *motion);
}

}  // namespace
}  // namespace rodeo::codegen
