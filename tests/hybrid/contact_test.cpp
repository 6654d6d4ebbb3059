// SPDX-License-Identifier: MIT
// Tyres that lose the road and find it again.
#include <cmath>

#include "tests/hybrid/running.h"

namespace rodeo::simulate {
namespace {

RunOptions options(double rate, double duration, FormKind form = FormKind::reduced) {
  RunOptions o;
  o.form = form;
  o.method = form == FormKind::full ? MethodKind::ida : MethodKind::cvode;
  o.rate = rate;
  o.duration = duration;
  o.tolerance = 1e-9;
  return o;
}

class Ramp : public testing::Test {
 protected:
  static const Log& log() {
    static const Hybrid hybrid = config("quarter_car_ramp.yaml");
    static const Log made = run(hybrid, options(5000, 2.0));
    return made;
  }
  /// Ticks of the first flight, the switching ones left out.
  static std::pair<std::size_t, std::size_t> flight() {
    const auto t = log().column("t");
    const double from = log().switches.at(0).time, to = log().switches.at(1).time;
    std::size_t first = 0, last = 0;
    while (t[first] <= from) ++first;
    while (t[last + 1] < to) ++last;
    return {first, last};
  }
  static constexpr double ms = 250, mu = 40, g = 9.81;
};

TEST_F(Ramp, FliesAndLands) {
  ASSERT_GE(log().switches.size(), 2u);
  EXPECT_GT(log().switches[0].time, 0.9);  // not before the end of the ramp
  EXPECT_GT(log().switches[1].time - log().switches[0].time, 0.4);
}

TEST_F(Ramp, NoTyreForceOfAnyDirectionInTheAir) {
  const auto on = log().column("tyre.contact.on");
  std::size_t in_air = 0;
  for (const char* name : {"Fx", "Fy", "Fz", "tyre.Fx", "tyre.Fy", "tyre.Fz"}) {
    const auto force = log().column(name);
    for (std::size_t i = 0; i < on.size(); ++i) {
      if (on[i] != 0) continue;
      EXPECT_EQ(force[i], 0.0) << name;
      ++in_air;
    }
  }
  EXPECT_GT(in_air, 1000u);
}

TEST_F(Ramp, FliesOnAParabola) {
  const auto [first, last] = flight();
  const auto t = log().column("t"), body = log().column("body_height"), wheel = log().column("wheel_height");
  const auto pb = log().column("body.momentum"), pw = log().column("mass_3.momentum");
  const double z0 = (ms * body[first] + mu * wheel[first]) / (ms + mu),
               v0 = (pb[first] + pw[first]) / (ms + mu);
  for (std::size_t i = first; i <= last; ++i) {
    const double s = t[i] - t[first];
    EXPECT_NEAR((ms * body[i] + mu * wheel[i]) / (ms + mu), z0 + v0 * s - g * s * s / 2, 1e-7);
  }
}

/// m Δv = ∫ F dt over the landing, by Simpson's rule on the log: from the last tick in the air, where F = 0, on.
TEST_F(Ramp, LandsWithItsImpulseBalanced) {
  const auto [first, last] = flight();
  const std::size_t end = last + 500;  // 0.1 s, the whole blow
  const auto t = log().column("t"), fz = log().column("Fz"), fy = log().column("Fy");
  const auto pb = log().column("body.momentum"), pw = log().column("mass_3.momentum"),
             py = log().column("mass_2.momentum");
  const double h = t[1] - t[0];
  double z = 0, y = 0;
  for (std::size_t i = last; i < end; i += 2) {
    z += h / 3 * (fz[i] + 4 * fz[i + 1] + fz[i + 2]);
    y += h / 3 * (fy[i] + 4 * fy[i + 1] + fy[i + 2]);
  }
  const double time = t[end] - t[last];
  // Simpson's error at the corner where the force begins: a tick of a force that grows by 60 N a tick; along y it jumps to 1400 N.
  EXPECT_NEAR(pb[end] + pw[end] - pb[last] - pw[last], z - (ms + mu) * g * time, 0.05);
  EXPECT_NEAR(py[end] - py[last], y + 150 * time, 0.3);
  EXPECT_GT(z, 500);
}

TEST_F(Ramp, IsTheSameInFullForm) {
  const Hybrid hybrid = config("quarter_car_ramp.yaml");
  const Log full = run(hybrid, options(1000, 2.0, FormKind::full));
  ASSERT_EQ(full.switches.size(), log().switches.size());
  for (std::size_t i = 0; i < full.switches.size(); ++i)
    EXPECT_NEAR(full.switches[i].time, log().switches[i].time, 1e-5);
}

TEST(Cornering, LiftsItsInnerWheelsAndSetsThemDownAgain) {
  const Hybrid hybrid = config("car_cornering.yaml");
  EXPECT_EQ(hybrid.configurations.size(), 16u);
  RunOptions o = options(1000, 3.0);
  o.method = MethodKind::rk4;
  const Log log = run(hybrid, o);
  const auto t = log.column("t"), roll = log.column("roll_angle");
  double sum_at_rest = 0;
  for (const char* wheel : {"fl", "rl", "fr", "rr"}) {
    const auto on = log.column(std::string(wheel) + ".contact.on");
    const auto load = log.column(std::string("load_") + wheel),
               side = log.column(std::string("side_") + wheel);
    const bool inner = wheel[1] == 'l';
    EXPECT_EQ(on[1500], inner ? 0.0 : 1.0) << wheel;
    EXPECT_EQ(on.back(), 1.0) << wheel;
    for (std::size_t i = 0; i < on.size(); ++i) {
      if (on[i] == 0) {
        EXPECT_TRUE(load[i] == 0 && side[i] == 0) << wheel;
      }
    }
    sum_at_rest += load[400];
  }
  EXPECT_NEAR(sum_at_rest, (1400 + 4 * 40) * 9.81, 1e-3);
  EXPECT_LT(*std::max_element(roll.begin(), roll.end()), 0.35);  // small angles
}

/// F(slip) of a tyre at a given velocity of its hub, by the formulas as they are published.
struct TyreCase {
  double vx, vy;
};
class Tyre : public testing::TestWithParam<TyreCase> {
 protected:
  static constexpr double V = 20, k = 1.5e5, deflection = 0.02, Fz = k * deflection;
  [[nodiscard]] Log at(const std::string& law, const std::string& with) const {
    const auto [vx, vy] = GetParam();
    return run(hybrid_of("domain: translation\nelements:\n  move: {Sf: [" + std::to_string(vx) + ", " +
                         std::to_string(vy) + ", 0]}\n  tyre: {subset: tyre_" + law +
                         ".yaml, with: {stiffness: 1.5e5, V: 20, deflection: 0.02, " + with +
                         "}}\nbonds: [{bond: move -> tyre.hub, dimension: 3}]\n"),
               options(1000, 0));
  }
};

TEST_P(Tyre, Linear) {
  const Log log = at("linear", "Cs: 80000, Ca: 60000");
  EXPECT_NEAR(log.column("tyre.Fx")[0], -80000 * GetParam().vx / V, 1e-9);
  EXPECT_NEAR(log.column("tyre.Fy")[0], -60000 * GetParam().vy / V, 1e-9);
  EXPECT_NEAR(log.column("tyre.Fz")[0], Fz, 1e-9);
}

TEST_P(Tyre, Dugoff) {
  const Log log = at("dugoff", "Cs: 80000, Ca: 60000, mu: 0.9");
  const double s = GetParam().vx / V, tan_a = GetParam().vy / V;
  const double x = 80000 * s, y = 60000 * tan_a;
  const double demand = 2 * std::sqrt(x * x + y * y);
  const double lambda = demand > 0 ? 0.9 * Fz * (1 - s) / demand : 2.0;
  const double f = lambda < 1 ? lambda * (2 - lambda) : 1.0;
  EXPECT_NEAR(log.column("tyre.Fx")[0], -x / (1 - s) * f, 1e-9);
  EXPECT_NEAR(log.column("tyre.Fy")[0], -y / (1 - s) * f, 1e-9);
  EXPECT_LE(std::hypot(log.column("tyre.Fx")[0], log.column("tyre.Fy")[0]), 0.9 * Fz * 1.0001);
}

TEST_P(Tyre, Pacejka) {
  const Log log = at("pacejka", "mu: 1.1, B: 9, C: 1.5, E: -0.4");
  const auto magic = [&](double x) {
    return 1.1 * Fz * std::sin(1.5 * std::atan(9 * x + 0.4 * (9 * x - std::atan(9 * x))));
  };
  EXPECT_NEAR(log.column("tyre.Fx")[0], -magic(GetParam().vx / V), 1e-9);
  EXPECT_NEAR(log.column("tyre.Fy")[0], -magic(std::atan(GetParam().vy / V)), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Slips, Tyre,
                         testing::Values(TyreCase{0, 0}, TyreCase{0.1, 0}, TyreCase{0, -0.2},
                                         TyreCase{0.3, 0.4}, TyreCase{4, -3}));

}  // namespace
}  // namespace rodeo::simulate
