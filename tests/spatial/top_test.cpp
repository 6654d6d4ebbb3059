// SPDX-License-Identifier: MIT
// One body: free fall, the torque-free top, the heavy top. Oracles: closed forms, conservation laws, quadrature.
#include <cmath>

#include "kinematics/dynamics/lagrange.h"
#include "kinematics/dynamics/minimal.h"
#include "tests/spatial/support.h"

namespace rodeo::spatial {
namespace {

using dynamics::MethodOptions;
using dynamics::Sample;
using testing_support::build;
using testing_support::build_config;
using testing_support::build_text;
using testing_support::system_of;

/// Complete elliptic integral of the first kind by the arithmetic-geometric mean.
double calc_complete(double m) {
  double a = 1, b = std::sqrt(1 - m);
  while (std::abs(a - b) > 1e-15 * a) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return std::acos(-1.0) / (2 * a);
}

/// sn, cn, dn by descending Landen (Abramowitz and Stegun 16.4).
struct Jacobi {
  double sn, cn, dn;
};
Jacobi calc_jacobi(double u, double m) {
  std::array<double, 16> a{}, c{};
  a[0] = 1;
  double b = std::sqrt(1 - m);
  c[0] = std::sqrt(m);
  int n = 0;
  for (; std::abs(c[n]) > 1e-16 && n < 15; ++n) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = std::sqrt(a[n] * b);
  }
  double phi = std::ldexp(a[n] * u, n), before = phi;
  for (int i = n; i > 0; --i) {
    before = phi;
    phi = (phi + std::asin(c[i] / a[i] * std::sin(phi))) / 2;
  }
  const double sn = std::sin(phi), cn = std::cos(phi);
  static_cast<void>(before);
  return {sn, cn, std::sqrt(1 - m * sn * sn)};
}

TEST(Jacobi, FunctionsOfTheOracleSolveTheirEquation) {
  const double m = 0.7, h = 1e-5;
  for (const double u : {0.3, 1.1, 4.0, 9.0}) {
    const Jacobi at = calc_jacobi(u, m), after = calc_jacobi(u + h, m), before = calc_jacobi(u - h, m);
    EXPECT_NEAR((after.sn - before.sn) / (2 * h), at.cn * at.dn, 1e-9);
    EXPECT_NEAR((after.cn - before.cn) / (2 * h), -at.sn * at.dn, 1e-9);
  }
}

TEST(FreeFall, IsAParabolaAndKeepsItsSpin) {
  const Machine machine = build_text(R"(
name: ball
ground: {points: {O: [0, 0, 0]}}
bodies: {ball: {points: {O: [0, 0, 0], rim: [0.1, 0, 0]}, mass: 3, com: [0.02, 0.01, 0], inertia: [0.2, 0.2, 0.2]}}
start: {ball: {angles: [0.1, 0.2, 0.3], origin: [1, 2, 3]}, rates: {ball: {spin: [1, -2, 0.5], velocity: [0.3, -0.2, 4]}}}
gravity: [0, 0, -9.81]
)");
  for (const std::string& name : dynamics::method_names()) {
    const auto problem = build(machine);
    const auto method = build_method(name, *problem, {});
    const System& system = system_of(*method);
    const Vector3 c = problem->q.head<3>(), velocity = problem->v.head<3>();
    EXPECT_LT((system.build_pose(problem->q).bodies[1].origin - Vector3(1, 2, 3)).norm(), 1e-12);
    // of the origin: v = ċ − R(w × com)
    const Vector3 w(1, -2, 0.5), com(0.02, 0.01, 0);
    EXPECT_LT(
        (velocity - calc_cardan_rotation({0.1, 0.2, 0.3}) * w.cross(com) - Vector3(0.3, -0.2, 4)).norm(),
        1e-12);
    double worst = 0;
    run(*method, 1, 1e-2, [&](const Sample& sample) {
      const Vector3 place = c + sample.t * velocity + sample.t * sample.t / 2 * Vector3(0, 0, -9.81);
      worst =
          std::max({worst, (sample.state.q.head<3>() - place).norm(), (sample.state.v.tail<3>() - w).norm()});
      return true;
    });
    EXPECT_LT(worst, name == "rc" ? 1e-6 : 1e-7) << name;
  }
}

/// The spin of a torque-free top, I = (1, 2, 3), from (w₁, w₂, 0): 2E and L² decide. Here L² > 2E I₂ or not picks the form.
class EulerTop {
 public:
  EulerTop(const Vector3& inertia, const Vector3& spin) : i_(inertia) {
    energy_ = spin.dot(inertia.cwiseProduct(spin));  // twice the kinetic energy
    square_ = inertia.cwiseProduct(spin).squaredNorm();
  }
  /// Period of the spin in the body: 4K/n, for L² < 2E I₂ (Landau and Lifshitz, Mechanics, 37, with 1 and 3 exchanged).
  [[nodiscard]] double rate() const {
    return std::sqrt((i_[1] - i_[0]) * (i_[2] * energy_ - square_) / (i_[0] * i_[1] * i_[2]));
  }
  [[nodiscard]] double parameter() const {
    return (i_[2] - i_[1]) * (square_ - energy_ * i_[0]) / ((i_[1] - i_[0]) * (energy_ * i_[2] - square_));
  }
  [[nodiscard]] double largest_middle() const {
    return std::sqrt((square_ - energy_ * i_[0]) / (i_[1] * (i_[1] - i_[0])));
  }
  [[nodiscard]] double period() const { return 4 * calc_complete(parameter()) / rate(); }
  /// w₂ where it starts at its largest value.
  [[nodiscard]] double middle(double t) const {
    const Jacobi j = calc_jacobi(calc_complete(parameter()) + rate() * t, parameter());
    return largest_middle() * j.sn;
  }

 private:
  Vector3 i_;
  double energy_, square_;
};

TEST(TorqueFreeTop, FlipsAboutItsMiddleAxisAsJacobisFunctionsSay) {
  const auto problem = build(build_config("spinning_top"));
  const auto method = build_method("lagrange", *problem, {.step = 1e-3});
  const EulerTop exact({1, 2, 3}, {0.02, 2, 0});
  ASSERT_LT(exact.parameter(), 1);
  double worst = 0, least = 2, flips = 0, before = 2;
  run(*method, 2 * exact.period(), 1e-2, [&](const Sample& sample) {
    const double w2 = system_of(*method).calc_spin(sample.state.v, 1).y();
    worst = std::max(worst, std::abs(w2 - exact.middle(sample.t)));
    least = std::min(least, w2);
    if (w2 * before < 0) ++flips;
    before = w2;
    return true;
  });
  EXPECT_LT(worst, 1e-7);
  EXPECT_NEAR(least, -exact.largest_middle(), 1e-5);
  EXPECT_EQ(flips, 4);
}

TEST(TorqueFreeTop, KeepsEnergyAndAngularMomentumOverAHundredThousandSteps) {
  for (const auto& [name, steps] : {std::pair{"lagrange", 100000}, {"minimal", 10000}}) {
    const auto problem = build(build_config("spinning_top"));
    const auto method = build_method(name, *problem, {.solver = dynamics::Solver::rk4, .step = 1e-3});
    const System& system = system_of(*method);
    const Vector3 momentum = system.calc_angular_momentum(problem->q, problem->v);
    double energy = 0, turning = 0, start = -1;
    const auto report = run(*method, steps * 1e-3, 0.1, [&](const Sample& sample) {
      if (start < 0) start = sample.energy.kinetic;
      energy = std::max(energy, std::abs(sample.energy.kinetic - start) / start);
      const Vector3 now = system.calc_angular_momentum(sample.state.q, sample.state.v);
      turning = std::max(turning, (now - momentum).norm() / momentum.norm());
      return true;
    });
    EXPECT_EQ(report.statistics.steps, steps);
    EXPECT_LT(energy, 1e-9) << name;
    EXPECT_LT(turning, 1e-9) << name;
    std::printf("top, %s: energy %.1e, angular momentum %.1e\n", name, energy, turning);
  }
}

/// Lagrange's top by its first integrals: u = cos of the tilt has u̇² = f(u), a cubic. Independent of any integration of motion in
/// space: t(u) by quadrature between the turning points.
class HeavyTop {
 public:
  HeavyTop(double across, double axial, double weight, double tilt, double spin)
      : a_(across), u0_(std::cos(tilt)) {
    vertical_ = axial * spin * u0_;  // released without precession
    axial_ = axial * spin;
    weight_ = weight;
  }
  /// u̇² with both momenta and the energy kept: 2(1 − u²)(E' − weight u)/a − ((p − k u)/a)².
  [[nodiscard]] double f(double u) const {
    const double swing = (vertical_ - axial_ * u) / a_;
    return 2 * (1 - u * u) * weight_ * (u0_ - u) / a_ - swing * swing;
  }
  /// The other turning point: f(u)/(u0 − u) = 0 by bisection.
  [[nodiscard]] double lowest() const {
    const auto g = [&](double u) {
      return 2 * (1 - u * u) * weight_ / a_ - axial_ * axial_ * (u0_ - u) / (a_ * a_);
    };
    double low = -1 + 1e-12, high = u0_;
    for (int i = 0; i < 200; ++i) {
      const double middle = (low + high) / 2;
      (g(middle) > 0 ? high : low) = middle;
    }
    return (low + high) / 2;
  }
  /// Time from the top to the lowest point, and the precession meanwhile; u = mean + half·cos x takes the roots away.
  struct Half {
    double time, angle;
  };
  [[nodiscard]] Half half() const {
    const double u1 = lowest(), mean = (u0_ + u1) / 2, half = (u0_ - u1) / 2;
    const int n = 2000;
    double time = 0, angle = 0;
    for (int i = 0; i < n; ++i) {
      const double x = (i + 0.5) * std::acos(-1.0) / n, u = mean + half * std::cos(x);
      const double dt = half * std::sin(x) / std::sqrt(f(u)) * std::acos(-1.0) / n;
      time += dt;
      angle += (vertical_ - axial_ * u) / (a_ * (1 - u * u)) * dt;
    }
    return {time, angle};
  }

 private:
  double a_, u0_, vertical_, axial_, weight_;
};

TEST(HeavyTop, NutatesAndPrecessesAsItsFirstIntegralsSay) {
  // A about the point: 0.004 + m h².
  const HeavyTop exact(0.004 + 0.01, 0.005, 1.0 * 9.81 * 0.1, std::acos(-1.0) / 6, 60);
  const double lowest = exact.lowest();
  const HeavyTop::Half half = exact.half();
  for (const std::string name : {"minimal", "lagrange"}) {
    const auto problem = build(build_config("heavy_top"));
    const auto method = build_method(name, *problem, {.solver = dynamics::Solver::rk4, .step = 1e-4});
    const System& system = system_of(*method);
    const auto axis = [&](const Sample& sample) {
      return Vector3(system.build_pose(sample.state.q).bodies[1].q * Vector3::UnitZ());
    };
    // One half of a nutation in whole samples: the last is the lowest point.
    const double period = half.time / 500;
    Vector3 last, first;
    double least = 1, open = 0;
    run(*method, half.time, period, [&](const Sample& sample) {
      if (sample.t == 0) first = axis(sample);
      last = axis(sample);
      least = std::min(least, last.z());
      open = std::max(open, sample.residual);
      return true;
    });
    EXPECT_NEAR(last.z(), lowest, 1e-8) << name;
    EXPECT_NEAR(least, lowest, 1e-8) << name;
    const double turned = std::atan2(last.y(), last.x()) - std::atan2(first.y(), first.x());
    EXPECT_NEAR(calc_wrapped(turned - half.angle), 0, 1e-6) << name;
    EXPECT_LT(open, 1e-9) << name;
  }
}

TEST(Cardan, MovesATopAsQuaternionsDoAndSaysWhereItEnds) {
  const auto with = [](const char* orientation) {
    Machine machine = build_config("heavy_top");
    machine.orientation =
        std::string(orientation) == "cardan" ? Orientation::cardan : Orientation::quaternion;
    return machine;
  };
  const auto first = build(with("quaternion")), second = build(with("cardan"));
  const auto a = build_method("lagrange", *first, {.step = 1e-4}),
             b = build_method("lagrange", *second, {.step = 1e-4});
  std::vector<Vector3> tips;
  run(*a, 0.3, 1e-2, [&](const Sample& s) {
    tips.push_back(system_of(*a).build_pose(s.state.q).bodies[1].place({0, 0, 0.2}));
    return true;
  });
  std::size_t i = 0;
  run(*b, 0.3, 1e-2, [&](const Sample& s) {
    EXPECT_LT((system_of(*b).build_pose(s.state.q).bodies[1].place({0, 0, 0.2}) - tips[i++]).norm(), 1e-9);
    return true;
  });
  Machine tumbling = with("cardan");
  tumbling.start_rates[0].value = {0.0, 10.0, 0.0};
  tumbling.gravity.reset();
  const auto third = build(tumbling);
  const auto c = build_method("lagrange", *third, {.step = 1e-3});
  try {
    run(*c, 3, 1e-2, [](const Sample&) { return true; });
    FAIL();
  } catch (const solve::SolveError& error) {
    EXPECT_TRUE(std::string(error.what())
                    .starts_with("body 'top': its Cardan angles come to their singularity, b = "))
        << error.what();
    EXPECT_TRUE(std::string(error.what()).ends_with("s: use 'orientation: quaternion'")) << error.what();
  }
}

}  // namespace
}  // namespace rodeo::spatial
