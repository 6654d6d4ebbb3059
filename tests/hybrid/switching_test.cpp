// SPDX-License-Identifier: MIT
// Switching in time: instants against closed forms, states handed over, chattering told.
#include <cmath>

#include "tests/hybrid/running.h"

namespace rodeo::simulate {
namespace {

constexpr double kMass = 2, kStiffness = 5000, kGravity = 9.81, kHeight = 0.5;

/// Free fall to the speed v₀, then on the spring x = g/ω² (1 − cos ωt) + v₀/ω sin ωt, nil again at tan(ωt/2) = −v₀ω/g; it leaves as fast as
/// it came, and everything repeats.
struct Bounce {
  double w = std::sqrt(kStiffness / kMass);
  double v0 = std::sqrt(2 * kGravity * kHeight);
  double fall = v0 / kGravity;
  double contact = 2 / w * (std::acos(-1.0) - std::atan(v0 * w / kGravity));

  /// Landing, take-off, landing, ...
  [[nodiscard]] double instant(std::size_t i) const {
    const auto bounces = static_cast<double>(i / 2);
    return fall + bounces * (contact + 2 * fall) + (i % 2 == 1 ? contact : 0.0);
  }
};

RunOptions options(MethodKind method, double rate, double duration, FormKind form = FormKind::reduced) {
  RunOptions o;
  o.form = form;
  o.method = method;
  o.rate = rate;
  o.duration = duration;
  o.tolerance = 1e-11;
  return o;
}

TEST(Bouncing, SwitchesWhereTheClosedFormSays) {
  const Bounce exact;
  const Hybrid hybrid = hybrid_of(kBounce);
  for (const auto& [method, form] : {std::pair{MethodKind::cvode, FormKind::reduced},
                                     {MethodKind::adams, FormKind::reduced},
                                     {MethodKind::ida, FormKind::reduced},
                                     {MethodKind::ida, FormKind::full}}) {
    const Log log = run(hybrid, options(method, 1000, 1.5, form));
    ASSERT_EQ(log.switches.size(), 4u) << method_text(method);
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(log.switches[i].time, exact.instant(i), 1e-9) << method_text(method) << " " << i;
  }
}

TEST(Bouncing, FollowsTheClosedFormOnTheSpringAndInTheAir) {
  const Bounce exact;
  const Log log = run(hybrid_of(kBounce), options(MethodKind::cvode, 1000, 1.0));
  const auto t = log.column("t"), height = log.column("height"), force = log.column("force");
  const auto on = log.column("contact.on");
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (t[i] < exact.instant(0)) {
      EXPECT_NEAR(height[i], kHeight - kGravity * t[i] * t[i] / 2, 1e-9);
    } else if (t[i] < exact.instant(1)) {
      const double s = exact.w * (t[i] - exact.instant(0));
      const double x = kGravity / (exact.w * exact.w) * (1 - std::cos(s)) + exact.v0 / exact.w * std::sin(s);
      EXPECT_NEAR(height[i], -x, 1e-9);
      EXPECT_NEAR(force[i], kStiffness * x, 1e-5);
      EXPECT_EQ(on[i], 1.0);
    } else if (t[i] < exact.instant(2)) {
      const double s = t[i] - exact.instant(1);
      EXPECT_NEAR(height[i], exact.v0 * s - kGravity * s * s / 2, 1e-8);
      EXPECT_EQ(force[i], 0.0);
      EXPECT_EQ(on[i], 0.0);
    }
  }
}

TEST(FixedSteps, SwitchOnATickLessThanATickLate) {
  const Bounce exact;
  const Hybrid hybrid = hybrid_of(kBounce);
  for (const MethodKind method : {MethodKind::rk4, MethodKind::euler}) {
    for (const double rate : {100.0, 1000.0, 10000.0}) {
      const Log log = run(hybrid, options(method, rate, 0.7));
      ASSERT_GE(log.switches.size(), 2u);
      const double first = log.switches[0].time * rate, tick = 1 / rate;
      EXPECT_NEAR(first, std::round(first), 1e-6);  // on a tick
      // Euler's fall itself is half a tick off. A late landing makes the contact start late with a spring not yet
      // pressed: some ticks at take-off.
      EXPECT_GE(log.switches[0].time - exact.instant(0), -tick / 2);
      EXPECT_LE(log.switches[0].time - exact.instant(0), 1.5 * tick);
      if (rate > 500) {
        EXPECT_NEAR(log.switches[1].time, exact.instant(1), 4 * tick) << rate;
      }
    }
  }
}

TEST(FixedSteps, AreDeterministic) {
  const Hybrid hybrid = hybrid_of(kBounce);
  EXPECT_EQ(run(hybrid, options(MethodKind::rk4, 1000, 2)).rows,
            run(hybrid, options(MethodKind::rk4, 1000, 2)).rows);
}

/// Two rotors that a clutch joins rigidly at t = 1: J₁ω₁ + J₂ω₂ is conserved, and a state becomes dependent.
TEST(HandOver, ConservesMomentumWhereInertiasBecomeOne) {
  const std::string clutch = R"(
domain: rotation
elements: {first: {I: 2}, second: {I: 3}, drive: {Se: 4}}
junctions: {w1: 1, w2: 1, clutch: {X0: "t >= 1"}}
bonds: [drive -> w1, w1 -> first, w1 -> clutch, clutch -> w2, w2 -> second]
start: {second.flow: 1}
outputs: {a: first.flow, b: second.flow}
)";
  const Hybrid hybrid = hybrid_of(clutch);
  for (const auto& [method, form] : {std::pair{MethodKind::cvode, FormKind::reduced},
                                     {MethodKind::rk4, FormKind::reduced},
                                     {MethodKind::ida, FormKind::full}}) {
    const Log log = run(hybrid, options(method, 100, 2, form));
    const auto a = log.column("a"), b = log.column("b");
    EXPECT_NEAR(a[99], 4 * 0.99 / 2, 1e-7) << method_text(method);
    EXPECT_NEAR(b[99], 1, 1e-12);
    const double joined = (2 * 2.0 + 3 * 1.0) / 5;  // ω₁ = 4·1/2 just before
    EXPECT_NEAR(a[100], joined, 1e-7);
    EXPECT_NEAR(b[100], joined, 1e-7);
    EXPECT_NEAR(a[200], joined + 4.0 / 5, 1e-7);
  }
}

TEST(HandOver, CarriesAStateThatWasDependentByItsMeaning) {
  const std::string clutch = R"(
domain: rotation
elements: {first: {I: 2}, second: {I: 3}, drive: {Se: 4}}
junctions: {w1: 1, w2: 1, clutch: {X0: "t < 1"}}
bonds: [drive -> w1, w1 -> first, w1 -> clutch, clutch -> w2, w2 -> second]
outputs: {a: first.flow, b: second.flow}
)";
  const Log log = run(hybrid_of(clutch), options(MethodKind::cvode, 100, 2));
  EXPECT_NEAR(log.column("b")[100], 4.0 / 5, 1e-8);
  EXPECT_NEAR(log.column("b")[200], 4.0 / 5, 1e-8);            // let go: nothing turns it
  EXPECT_NEAR(log.column("a")[200], 4.0 / 5 + 4.0 / 2, 1e-8);  // the other has the drive for itself
}

TEST(X1, OffHoldsEveryFlowAtNil) {
  const std::string brake = R"(
domain: translation
elements: {push: {Se: 4}, mass: {I: 2}, spring: {K: 100}}
junctions: {v: {X1: "t < 1"}}
bonds: [push -> v, v -> mass, v -> spring]
outputs: {f: v.flow, x: spring.displacement}
)";
  const Log log = run(hybrid_of(brake), options(MethodKind::cvode, 100, 2));
  const auto f = log.column("f"), x = log.column("x");
  const double w = std::sqrt(50.0);
  EXPECT_NEAR(f[99], 0.04 * w * std::sin(w * 0.99), 1e-8);
  for (std::size_t i = 100; i < f.size(); ++i) {
    EXPECT_EQ(f[i], 0.0);
    EXPECT_NEAR(x[i], 0.04 * (1 - std::cos(w)), 1e-8);  // the spring stays where it was
  }
}

/// All components at once (proposition 1), and the vector bonds stay what they are.
TEST(VectorJunction, SwitchesAllItsComponentsAtOnce) {
  const Hybrid hybrid = hybrid_of(R"(
domain: translation
elements: {push: {Se: [1, 2, 3]}, mass: {I: 2}, pad: {R: [4, 5, 6]}}
junctions: {v: 1, contact: {X0: "t < 1"}}
bonds: [{bond: push -> v, dimension: 3}, v -> mass, v -> contact, contact -> pad]
outputs: {x: contact.effort_1, y: contact.effort_2, z: contact.effort_3}
)");
  EXPECT_FALSE(hybrid.is_scalar);
  ASSERT_EQ(hybrid.configurations.size(), 2u);
  const Log log = run(hybrid, options(MethodKind::cvode, 100, 2));
  ASSERT_EQ(log.switches.size(), 1u);
  const char* const efforts[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    const double force = k + 1, r = k + 4;
    const auto p = log.column("mass.momentum_" + std::to_string(k + 1));
    const auto e = log.column(efforts[k]);
    const double at_one = force * 2 / r * (1 - std::exp(-r / 2));
    EXPECT_NEAR(p[99], force * 2 / r * (1 - std::exp(-r * 0.99 / 2)), 1e-8);
    EXPECT_NEAR(p[200], at_one + force, 1e-8);
    EXPECT_NEAR(e[99], r * p[99] / 2, 1e-9);
    EXPECT_EQ(e[200], 0.0);
  }
}

/// Its own effort: on, the damper's; off, nil.
const std::string kChatter = R"(
elements: {push: {Se: 5}, mass: {I: 1}, damper: {R: 10}}
junctions: {v: 1, grip: {X0: "t < 0.5 or grip.effort < 1"}}
bonds: [push -> v, v -> mass, v -> grip, grip -> damper]
)";

TEST(Chattering, IsToldWithItsJunction) {
  const std::string end =
      " switches back and forth without time passing at t = 0.5 s: let its condition have two thresholds, or "
      "put a C or R "
      "there that takes up the impact";
  EXPECT_EQ(failure_of(kChatter, options(MethodKind::rk4, 100, 1)), "m.yaml: 'grip'" + end);
  EXPECT_EQ(failure_of(kChatter, options(MethodKind::cvode, 100, 1)), "m.yaml: 'grip'" + end);
}

/// A clutch that opens at a speed which the drag then takes away at once: on, w' = 40 - 4.5 w up to 3; off, w' = -0.5 w.
TEST(Chattering, IsToldWhereTheMotionLeadsBackToTheThresholdFromBothSides) {
  const std::string clutch = R"(
elements: {run: {Sf: 10}, plates: {R: 4}, load: {I: 1}, drag: {R: 0.5}}
junctions: {disc: {X0: "load.flow < 3"}, w: 1}
bonds: [run -> disc, disc -> plates, disc -> w, w -> load, w -> drag]
)";
  const double t = -std::log(1 - 3 * 4.5 / 40) / 4.5;
  constexpr double kRoot = 1e-6;  // s: what a solver of relative error 1e-8 makes of the instant
  for (const MethodKind method : {MethodKind::cvode, MethodKind::ida}) {
    for (const double rate : {10.0, 100.0, 1000.0}) {
      const std::string failure = failure_of(clutch, options(method, rate, 1));
      const std::string begin = "m.yaml: 'disc' switches ", at = " at t = ";
      ASSERT_TRUE(failure.starts_with(begin)) << rate << ": " << failure;
      EXPECT_NEAR(std::stod(failure.substr(failure.find(at) + at.size())), t, kRoot);
    }
  }
}

TEST(Start, WithoutAConfigurationThatAgreesWithItselfIsRefused) {
  const std::string text = R"(
elements: {push: {Se: 5}, mass: {I: 1}, damper: {R: 10}}
junctions: {v: 1, grip: {X0: "grip.effort < 1"}}
bonds: [push -> v, v -> mass, v -> grip, grip -> damper]
start: {mass.flow: 1}
)";
  EXPECT_EQ(
      failure_of(text, options(MethodKind::rk4, 100, 1)),
      "m.yaml:3: no configuration agrees with its own conditions at the start: 'grip' would switch back at "
      "once whether on "
      "or off; let the conditions compare states rather than what the junctions make, or change the start");
}

TEST(Start, TakesTheConfigurationThatItsConditionsAskFor) {
  const Log air = run(hybrid_of(kBounce), options(MethodKind::rk4, 100, 0));
  EXPECT_EQ(air.column("contact.on")[0], 0.0);
  const Log pressed = run(hybrid_of(kBounce, {"h=-0.01"}), options(MethodKind::rk4, 100, 0));
  EXPECT_EQ(pressed.column("contact.on")[0], 1.0);
}

}  // namespace
}  // namespace rodeo::simulate
