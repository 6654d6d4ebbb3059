// SPDX-License-Identifier: MIT
// joint.yaml, joint_screw.yaml and joint_universal.yaml between two bodies that nothing else holds, judged from places, turns and momenta
// of the bodies alone: momenta are conserved, energy is kept or taken by dampers, what is held stays, what is free moves and
// carries nothing (THEORY V8, V9).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <Eigen/Geometry>
#include <numbers>

#include "kinematics/reduction/model.h"
#include "kinematics/text/yaml.h"
#include "tests/multibond/running.h"

namespace rodeo::multibond {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using simulate::MethodKind;

constexpr double kStiffness = 1e6, kDamping = 2e3;
constexpr double kReach = 5e-5;  // some 20 N and 20 N m over the stiffness
constexpr double kLead = 0.3;

reduction::Model model_of(const std::string& text) {
  const std::string file = std::string(RODEO_SOURCE_DIR) + "/configs/graphs/m.yaml";  // for the subsets' sake
  return reduction::build_model(bondgraph::build_graph(text::build_yaml_from_text(text, file), file));
}

struct Case {
  const char* name;
  const char* subset;
  const char* with;
  std::array<bool, 3> slides, turns;  // free along and about x, y, z
};

const std::array<Case, 10> kCases = {{
    {"fixed", "joint", "", {}, {}},
    {"revolute", "joint", "hold_turn_z: 0", {}, {false, false, true}},
    {"revolute_about_x", "joint", "hold_turn_x: 0", {}, {true, false, false}},
    {"revolute_about_y", "joint", "hold_turn_y: 0", {}, {false, true, false}},
    {"prismatic", "joint", "hold_z: 0", {false, false, true}, {}},
    {"cylindrical", "joint", "hold_z: 0, hold_turn_z: 0", {false, false, true}, {false, false, true}},
    {"spherical", "joint", "hold_turn_x: 0, hold_turn_y: 0, hold_turn_z: 0", {}, {true, true, true}},
    {"planar", "joint", "hold_x: 0, hold_y: 0, hold_turn_z: 0", {true, true, false}, {false, false, true}},
    {"point_on_plane",
     "joint",
     "hold_x: 0, hold_y: 0, hold_turn_x: 0, hold_turn_y: 0, hold_turn_z: 0",
     {true, true, false},
     {true, true, true}},
    {"point_on_line",
     "joint",
     "hold_z: 0, hold_turn_x: 0, hold_turn_y: 0, hold_turn_z: 0",
     {false, false, true},
     {true, true, true}},
}};

Matrix3d cardan(double a, double b, double c) {
  return (Eigen::AngleAxisd(a, Vector3d::UnitX()) * Eigen::AngleAxisd(b, Vector3d::UnitY()) *
          Eigen::AngleAxisd(c, Vector3d::UnitZ()))
      .toRotationMatrix();
}

/// Of the two bodies and the joint between them, at the start.
const double m1 = 3, m2 = 2;
const Vector3d J1(0.4, 0.5, 0.6), J2(0.3, 0.2, 0.25), r1(0.2, 0.1, -0.3), r2(-0.25, 0.1, 0.15);
const Matrix3d R1 = cardan(0.2, -0.3, 0.4), F = cardan(0.5, -0.4, 0.3);

/// Bodies `a` and `b`, joint `j`; b moves against a as `slide` and `turn` (in the joint's axes) say.
std::string build_pair(const std::string& joint, const Matrix3d& R2, const Vector3d& slide,
                       const Vector3d& turn) {
  const Vector3d w1(0.6, -1.5, 2.0), v1(0.3, 0.1, -0.2);
  const Vector3d place = R1 * r1, velocity = v1 + R1 * (w1.cross(r1) + F * slide);
  const Vector3d w2 = R2.transpose() * R1 * (w1 + F * turn);
  return fmt::format(R"(
elements:
  a: {{subset: rigid_body.yaml, with: {{m: 3, Jx: 0.4, Jy: 0.5, Jz: 0.6, Bx: 0.2, By: 0.1, Bz: -0.3, angle_x: 0.2, angle_y: -0.3, angle_z: 0.4,
      vx: 0.3, vy: 0.1, vz: -0.2, wx: 0.6, wy: -1.5, wz: 2.0}}}}
  b: {{subset: rigid_body.yaml, with: {{m: 2, Jx: 0.3, Jy: 0.2, Jz: 0.25, Ax: -0.25, Ay: 0.1, Az: 0.15, x: {}, y: {}, z: {}, vx: {}, vy: {},
      vz: {}, wx: {}, wy: {}, wz: {}, angle_x: {}, angle_y: {}, angle_z: {}}}}}
  j: {{subset: {}}}
bonds: [a.B -> j.v1, a.w -> j.w1, j.v2 -> b.A, b.w -> j.w2]   # any direction of power
)",
                     place.x(), place.y(), place.z(), velocity.x(), velocity.y(), velocity.z(), w2.x(),
                     w2.y(), w2.z(), std::atan2(-R2(1, 2), R2(2, 2)), std::asin(R2(0, 2)),
                     std::atan2(-R2(0, 1), R2(0, 0)), joint);
}

std::string use(const std::string& subset, const std::string& with) {
  return fmt::format(
      "{}.yaml, with: {{first: a, second: b, joint_stiffness: {}, joint_damping: {}, angle_x: 0.5, angle_y: "
      "-0.4, "
      "angle_z: 0.3, {}}}",
      subset, kStiffness, kDamping, with);
}

/// What a log says of the pair at a row, by Newton and Euler.
class Pair {
 public:
  explicit Pair(const LogRows& log) : log_(log) {}

  [[nodiscard]] Vector3d at(std::size_t row, const std::string& quantity) const {
    return {log_.at(row, quantity + "_1"), log_.at(row, quantity + "_2"), log_.at(row, quantity + "_3")};
  }
  [[nodiscard]] Matrix3d turn(std::size_t row, const std::string& body) const {
    return Eigen::Quaterniond(log_.at(row, body + ".qw"), log_.at(row, body + ".qx"),
                              log_.at(row, body + ".qy"), log_.at(row, body + ".qz"))
        .normalized()
        .toRotationMatrix();
  }
  [[nodiscard]] Vector3d spin_momentum(std::size_t row, const std::string& body) const {
    return turn(row, body) * at(row, body + ".J.momentum");
  }
  [[nodiscard]] Vector3d momentum(std::size_t row) const {
    return at(row, "a.m.momentum") + at(row, "b.m.momentum");
  }
  [[nodiscard]] Vector3d angular_momentum(std::size_t row) const {
    Vector3d sum = Vector3d::Zero();
    for (const char* body : {"a", "b"})
      sum += spin_momentum(row, body) +
             at(row, std::string(body) + ".m.displacement").cross(at(row, std::string(body) + ".m.momentum"));
    return sum;
  }
  [[nodiscard]] double energy(std::size_t row) const {
    const Vector3d h1 = at(row, "a.J.momentum"), h2 = at(row, "b.J.momentum");
    return 0.5 * (h1.dot(h1.cwiseQuotient(J1)) + h2.dot(h2.cwiseQuotient(J2)) +
                  at(row, "a.m.momentum").squaredNorm() / m1 + at(row, "b.m.momentum").squaredNorm() / m2);
  }
  /// Joint's axes to the ground's.
  [[nodiscard]] Matrix3d axes(std::size_t row) const { return turn(row, "a") * F; }
  /// From the first point to the second, in the joint's axes.
  [[nodiscard]] Vector3d apart(std::size_t row) const {
    const Vector3d p1 = at(row, "a.m.displacement") + turn(row, "a") * r1;
    const Vector3d p2 = at(row, "b.m.displacement") + turn(row, "b") * r2;
    return axes(row).transpose() * (p2 - p1);
  }
  /// Turn of b against a since the start, in the joint's axes.
  [[nodiscard]] Matrix3d turned(std::size_t row) const {
    return axes(row).transpose() * turn(row, "b") * (axes(0).transpose() * turn(0, "b")).transpose();
  }
  /// On b, in the joint's axes: rates of momenta by differences.
  [[nodiscard]] Vector3d force(std::size_t row) const {
    return axes(row).transpose() * rate(row, [&](std::size_t i) { return at(i, "b.m.momentum"); });
  }
  [[nodiscard]] Vector3d torque(std::size_t row) const {
    const Vector3d arm = turn(row, "b") * r2;
    const Vector3d whole = rate(row, [&](std::size_t i) { return spin_momentum(i, "b"); });
    return axes(row).transpose() * (whole - arm.cross(axes(row) * force(row)));
  }

 private:
  template <typename Quantity>
  [[nodiscard]] Vector3d rate(std::size_t row, Quantity quantity) const {
    const double step = log_.rows[row + 1][0] - log_.rows[row - 1][0];
    return (quantity(row + 1) - quantity(row - 1)) / step;
  }
  const LogRows& log_;
};

const char* const kLost = R"(
signals:
  lost: {integrate: j.damper.effort_1*j.damper.flow_1 + j.damper.effort_2*j.damper.flow_2 + j.damper.effort_3*j.damper.flow_3 +
         j.friction.effort_1*j.friction.flow_1 + j.friction.effort_2*j.friction.flow_2 + j.friction.effort_3*j.friction.flow_3}
)";

constexpr std::size_t kLast = 499;  // the row before the last: differences reach one further

LogRows run_pair(const std::string& text) {
  return run(model_of(text),
             {.method = MethodKind::cvode, .rate = 1000, .duration = 0.5, .tolerance = 1e-11});
}

void expect_momenta_kept(const Pair& pair) {
  EXPECT_LT((pair.momentum(kLast) - pair.momentum(0)).norm(), 1e-8);
  EXPECT_LT((pair.angular_momentum(kLast) - pair.angular_momentum(0)).norm(), 1e-8);
}

class Joint : public testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] std::string build() const {
    Vector3d slide(0.5, -0.4, 0.3), turn(1.0, -0.8, 1.2);
    for (int k = 0; k < 3; ++k) {
      if (!GetParam().slides[static_cast<std::size_t>(k)]) slide[k] = 0;
      if (!GetParam().turns[static_cast<std::size_t>(k)]) turn[k] = 0;
    }
    return build_pair(use(GetParam().subset, GetParam().with), cardan(-0.6, 0.2, 0.9), slide, turn);
  }
};

TEST_P(Joint, KeepsMomentaAndBalancesItsPower) {
  const LogRows log = run_pair(build() + kLost);
  const Pair pair(log);
  expect_momenta_kept(pair);
  double stored = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3d d = pair.at(kLast, "j.spring.displacement"), e = pair.at(kLast, "j.torsion.displacement");
    if (!GetParam().slides[k]) stored += 0.5 * kStiffness * d[static_cast<int>(k)] * d[static_cast<int>(k)];
    if (!GetParam().turns[k]) stored += 0.5 * kStiffness * e[static_cast<int>(k)] * e[static_cast<int>(k)];
  }
  EXPECT_NEAR(pair.energy(kLast) + stored + log.at(kLast, "lost"), pair.energy(0), 1e-8);
  EXPECT_GE(log.at(kLast, "lost"), 0.0);
}

TEST_P(Joint, HoldsPointsInHeldDirectionsAndLetsOthersGo) {
  const LogRows log = run_pair(build());
  const Pair pair(log);
  const Vector3d apart = pair.apart(kLast), force = pair.force(kLast);
  EXPECT_LT((apart - pair.at(kLast, "j.spring.displacement")).norm(),
            1e-9);  // its springs know where the points are
  double held = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double d = apart[static_cast<int>(k)], f = force[static_cast<int>(k)];
    if (GetParam().slides[k]) {
      EXPECT_GT(std::abs(d), 0.05) << k;
      EXPECT_LT(std::abs(f), 1e-3) << k;
    } else {
      EXPECT_LT(std::abs(d), kReach) << k;
      held = std::max(held, std::abs(f));
    }
  }
  EXPECT_GT(held, 0.1);  // N: the motion does pull at the joint
}

TEST_P(Joint, HoldsTurnsInHeldDirectionsAndLetsOthersGo) {
  const LogRows log = run_pair(build());
  const Pair pair(log);
  const Matrix3d turned = pair.turned(kLast);
  const Vector3d torque = pair.torque(kLast), lean = pair.at(kLast, "j.torsion.displacement");
  int free = 0;
  for (int k = 0; k < 3; ++k) {
    if (!GetParam().turns[static_cast<std::size_t>(k)]) continue;
    ++free;
    EXPECT_LT(std::abs(torque[k]), 2e-3) << k;
  }
  const double angle = Eigen::AngleAxisd(turned).angle();
  if (free == 0) {
    EXPECT_LT(angle, kReach);
  } else {
    EXPECT_GT(angle, 0.05);
  }
  for (int k = 0; free == 1 && k < 3; ++k) {
    if (!GetParam().turns[static_cast<std::size_t>(k)]) continue;
    const Vector3d axis = turned.col(k);  // of b, which was k at the start
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    EXPECT_LT(std::hypot(axis[i], axis[j]), kReach);
    EXPECT_NEAR(axis[i], lean[j], 1e-9);
    EXPECT_NEAR(axis[j], -lean[i], 1e-9);
    EXPECT_NEAR(std::abs(lean[k]), angle, 1e-4);  // the free coordinate is the angle
  }
}

INSTANTIATE_TEST_SUITE_P(Library, Joint, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

/// slide = lead/2π · turn, and a force along is worth a torque about: F lead/2π + τ = 0 on the free motion.
TEST(ScrewJoint, HoldsItsLeadAndNothingElseOnItsAxis) {
  const double rho = kLead / (2 * std::numbers::pi);
  const LogRows log =
      run_pair(build_pair(use("joint_screw", fmt::format("lead: {}", kLead)), cardan(-0.6, 0.2, 0.9),
                          Vector3d(0, 0, rho * 1.2), Vector3d(0, 0, 1.2)));
  const Pair pair(log);
  expect_momenta_kept(pair);
  const Matrix3d turned = pair.turned(kLast);
  const Vector3d apart = pair.apart(kLast), force = pair.force(kLast), torque = pair.torque(kLast);
  const double angle = std::atan2(turned(1, 0), turned(0, 0));
  EXPECT_GT(std::abs(angle), 0.05);
  EXPECT_NEAR(apart.z(), rho * angle, kReach);
  EXPECT_LT(std::hypot(apart.x(), apart.y()), kReach);
  EXPECT_LT(std::hypot(turned(0, 2), turned(1, 2)), kReach);
  EXPECT_NEAR(force.z() * rho + torque.z(), 0.0, 1e-3);
  EXPECT_GT(std::abs(force.z()), 0.1);
}

/// a · b' = 0 stays, and neither axis carries a torque.
TEST(UniversalJoint, HoldsItsAxesAtARightAngle) {
  Matrix3d R12 =
      Eigen::AngleAxisd(0.7, Vector3d::UnitZ()).toRotationMatrix() *
      Eigen::AngleAxisd(0.4, Vector3d::UnitX()).toRotationMatrix();  // x stays at a right angle to z
  const Vector3d turn = 1.2 * Vector3d::UnitZ() - 0.9 * R12.col(0);
  const LogRows log = run_pair(
      build_pair(use("joint_universal", "start_1: 0.7, start_2: 0.4"), R1 * F * R12, Vector3d::Zero(), turn));
  const Pair pair(log);
  expect_momenta_kept(pair);
  const Vector3d second = pair.axes(kLast).transpose() * pair.turn(kLast, "b").col(0),
                 torque = pair.torque(kLast);
  EXPECT_LT(std::abs(second.z()), kReach);
  EXPECT_LT(pair.apart(kLast).norm(), kReach);
  EXPECT_LT(std::abs(torque.z()), 2e-3);
  EXPECT_LT(std::abs(torque.dot(second)), 2e-3);
  EXPECT_GT(torque.norm(), 0.01);
  EXPECT_NEAR(log.at(kLast, "j.torsion.displacement_1"), std::atan2(second.y(), second.x()), 1e-4);
  EXPECT_GT(std::abs(log.at(kLast, "j.torsion.displacement_1") - 0.7), 0.05);
  EXPECT_GT(std::abs(log.at(kLast, "j.torsion.displacement_2") - 0.4), 0.05);
}

// ---- functional elements, on the ground

std::string on_ground(const std::string& body, const std::string& subset, const std::string& joint) {
  return "elements:\n  ground: {subset: ground.yaml}\n  b: {subset: rigid_body.yaml, with: {" + body +
         "}}\n  j: {subset: " + subset + ".yaml, with: {first: ground, second: b, " + joint +
         "}}\nbonds: [ground.v -> j.v1, ground.w -> j.w1, b.A -> j.v2, b.w -> j.w2]\n";
}

/// x of m ẍ + d ẋ + k x = 0 from rest at x0, at t.
double calc_decay(double m, double d, double k, double x0, double t) {
  const double a = d / (2 * m), w = std::sqrt(k / m - a * a);
  return x0 * std::exp(-a * t) * (std::cos(w * t) + a / w * std::sin(w * t));
}

TEST(FunctionalElements, OfATurnAreATorsionPendulum) {
  const LogRows log =
      run(model_of(on_ground("m: 1, Jx: 1, Jz: 2, angle_z: 0.3", "joint",
                             "hold_turn_z: 0, stiffness_turn_z: 8, damping_turn_z: 0.4, start_turn_z: 0.3")),
          2.0, 100.0, MethodKind::cvode);
  const double angle = calc_decay(2, 0.4, 8, 0.3, 2.0);
  EXPECT_NEAR(log.at(200, "j.torsion.displacement_3"), angle, 1e-6);
  EXPECT_NEAR(2 * std::atan2(log.at(200, "b.qz"), log.at(200, "b.qw")), angle, 1e-6);
}

TEST(FunctionalElements, OfASlideAreAMassOnASpring) {
  const LogRows log = run(
      model_of(on_ground("m: 2, z: 0.3", "joint", "hold_z: 0, stiffness_z: 50, damping_z: 3, start_z: 0.3")),
      2.0, 100.0, MethodKind::cvode);
  EXPECT_NEAR(log.at(200, "b.m.displacement_3"), calc_decay(2, 3, 50, 0.3, 2.0), 1e-6);
}

/// A nut on a vertical screw falls by g/(1 + J/(m ρ²)), ρ = lead/2π.
TEST(FunctionalElements, OfAScrewLeaveItsFallAlone) {
  const double rho = 0.1 / (2 * std::numbers::pi);
  const LogRows log =
      run(model_of(on_ground("m: 2, Jx: 0.01, Jz: 0.02, gz: -9.81", "joint_screw", "lead: 0.1")), 1.0, 100.0,
          MethodKind::cvode);
  const double fall = 0.5 * 9.81 / (1 + 0.02 / (2 * rho * rho));
  EXPECT_NEAR(log.at(100, "b.m.displacement_3"), -fall, 2e-5);
  EXPECT_NEAR(log.at(100, "j.joint.torsion.displacement_3"), -fall / rho, 1e-3);
}

TEST(FunctionalElements, OfAUniversalJointAreTwoTorsionPendulums) {
  const LogRows first = run(model_of(on_ground("m: 1, Jx: 1, Jz: 2, angle_z: 0.3", "joint_universal",
                                               "stiffness_1: 8, damping_1: 0.4, start_1: 0.3")),
                            2.0, 100.0, MethodKind::cvode);
  EXPECT_NEAR(first.at(200, "j.torsion.displacement_1"), calc_decay(2, 0.4, 8, 0.3, 2.0), 1e-6);
  const LogRows second = run(model_of(on_ground("m: 1, Jx: 1, Jz: 2, angle_x: 0.3", "joint_universal",
                                                "stiffness_2: 4, damping_2: 0.2, start_2: 0.3")),
                             2.0, 100.0, MethodKind::cvode);
  EXPECT_NEAR(second.at(200, "j.torsion.displacement_2"), calc_decay(1, 0.2, 4, 0.3, 2.0), 1e-6);
}

/// A source and a law of the user's own on the joint's relative spin: τ turns the second body forward, dry friction stops it.
TEST(JointPorts, TakeAMotorAndALawOfFriction) {
  const auto with_more = [&](const std::string& element, const std::string& bond, const std::string& rate) {
    std::string text = on_ground("m: 1, Jx: 1, Jz: 2, wz: " + rate, "joint", "hold_turn_z: 0");
    text.insert(text.find("bonds: ["), "  own: " + element + "\n");
    return text.insert(text.find("bonds: [") + 8, bond + ", ");
  };
  const LogRows motor = run(model_of(with_more("{Se: [0, 0, 3], domain: rotation}", "own -> j.turn", "0")),
                            1.0, 10.0, MethodKind::cvode);
  EXPECT_NEAR(motor.at(10, "j.torsion.displacement_3"), 0.5 * 3.0 / 2.0, 1e-6);
  const LogRows brake =
      run(model_of(with_more("{R: {effort: f/sqrt(f^2 + 1e-10)}, domain: rotation}", "j.turn -> own", "1")),
          1.0, 10.0, MethodKind::cvode);
  EXPECT_NEAR(brake.at(10, "j.torsion.displacement_3"), 1.0 - 0.5 * 1.0 / 2.0, 1e-6);
}

/// Dynamic unbalance turns with the rotor: it leans by Jxz Ω²/(K + (Jz − Jx) Ω²), after 16 turns too (V9).
TEST(Lean, OfAnUnbalancedRotorDoesNotGrowWithItsTurns) {
  const LogRows log =
      run(model_of(on_ground("m: 10, Jx: 1, Jz: 1.5, Jxz: 0.1, wz: 100, Bz: 1", "joint", "hold_turn_z: 0") +
                   "outputs: {x: b.B_x, y: b.B_y}\n"),
          1.0, 10.0, MethodKind::cvode);
  const double lean = 0.1 * 1e4 / (1e7 + 0.5 * 1e4);
  EXPECT_NEAR(std::hypot(log.at(10, "x"), log.at(10, "y")), lean, 1e-3 * lean);
}

}  // namespace
}  // namespace rodeo::multibond
