// SPDX-License-Identifier: MIT
// Is configs/wheel_loader.yaml a loader of the 18 to 20 t class? Its linkage is solved here by hand, as two dyads one
// after the other, from the numbers of the file alone; nothing of the engine's kinematics is used.
//   R = D + L_tl (cos τ, sin τ);  S from |S-R| = L_rs, |S-E| = L_lv;  K from |K-F| = L_fs, |K-H| = |HK|
// with θ the boom's angle and τ the tilt lever's. W is the ground: y = 0 is its level, x points forward.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "kinematics/machine/machine.h"

namespace rodeo {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

struct Vec {
  double x = 0.0, y = 0.0;
};
Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y}; }
Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y}; }
Vec operator*(double k, Vec a) { return {k * a.x, k * a.y}; }
double calc_length(Vec a) { return std::hypot(a.x, a.y); }
double calc_angle(Vec a) { return std::atan2(a.y, a.x); }
double calc_cross(Vec a, Vec b) { return a.x * b.y - a.y * b.x; }
/// Sine of the angle from a to b.
double calc_sine(Vec a, Vec b) { return calc_cross(a, b) / (calc_length(a) * calc_length(b)); }
Vec turned(Vec a, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * a.x - s * a.y, s * a.x + c * a.y};
}

/// X left of the line from P to Q with |X-P| = a, |X-Q| = b; not a number where the two bars do not meet.
Vec calc_apex(Vec P, Vec Q, double a, double b) {
  const Vec d = Q - P;
  const double dd = d.x * d.x + d.y * d.y;
  const double along = (a * a - b * b + dd) / (2.0 * dd);
  const double across = std::sqrt(a * a / dd - along * along);
  return P + along * d + across * Vec{-d.y, d.x};
}

double calc_wrapped(double angle) { return std::remainder(angle, 2.0 * std::numbers::pi); }

/// Points of the file in their bodies' frames; of the struts and levers, x runs from pin to pin.
struct Geometry {
  Vec A, D, E, H, F, K, tip;
  double L_tl = 0.0, L_rs = 0.0, L_lv = 0.0, L_fs = 0.0;
  double boom_low = 0.0, boom_high = 0.0, tilt_dump = 0.0, tilt_back = 0.0;
};

struct Stance {
  Vec E, H, R, S, F, K, tip;
  double rear_strut = 0.0, lever = 0.0, front_strut = 0.0, bucket = 0.0;  // angles of the bodies
};

Stance calc_stance(const Geometry& g, double boom, double tilt) {
  Stance s;
  s.E = g.A + turned(g.E, boom);
  s.H = g.A + turned(g.H, boom);
  s.R = g.D + turned({g.L_tl, 0.0}, tilt);
  s.S = calc_apex(s.R, s.E, g.L_rs, g.L_lv);
  s.rear_strut = calc_angle(s.S - s.R);
  s.lever = calc_angle(s.S - s.E);
  s.F = s.E + turned(g.F, s.lever);
  s.K = calc_apex(s.F, s.H, g.L_fs, calc_length(g.K));
  s.front_strut = calc_angle(s.K - s.F);
  s.bucket = calc_wrapped(calc_angle(s.K - s.H) - calc_angle(g.K));
  s.tip = s.H + turned(g.tip, s.bucket);
  return s;
}

template <class Named>
const Named& find_named(const std::vector<Named>& list, const std::string& name) {
  const auto it = std::ranges::find(list, name, &Named::name);
  if (it == list.end()) throw std::runtime_error("the loader has no '" + name + "'");
  return *it;
}

Vec find_point(const machine::Machine& m, const std::string& body, const std::string& point) {
  const machine::Point& p = find_named(find_named(m.bodies, body).points, point);
  return {p.x.value, p.y.value};
}

/// Length of a body whose x axis runs from its origin to this pin.
double find_bar(const machine::Machine& m, const std::string& body, const std::string& pin) {
  const Vec p = find_point(m, body, pin);
  EXPECT_EQ(p.y, 0.0) << body << '.' << pin;
  return p.x;
}

machine::Machine build_loader(const std::string& name) {
  return machine::build_machine_from_file(std::string(RODEO_SOURCE_DIR) + "/configs/" + name + ".yaml");
}

void read_points(const machine::Machine& m, Geometry& g) {
  g.A = find_point(m, "ground", "A");
  g.D = find_point(m, "ground", "D");
  g.E = find_point(m, "boom", "E");
  g.H = find_point(m, "boom", "H");
  g.F = find_point(m, "lever", "F");
  g.K = find_point(m, "bucket", "K");
  g.tip = find_point(m, "bucket", "tip");
  g.L_tl = find_bar(m, "tilt_lever", "R");
  g.L_rs = find_bar(m, "rear_strut", "S");
  g.L_lv = find_bar(m, "lever", "S");
  g.L_fs = find_bar(m, "front_strut", "K");
}

Geometry build_geometry() {
  const machine::Machine m = build_loader("wheel_loader");
  Geometry g;
  read_points(m, g);
  const machine::Drive& boom = find_named(m.drives, "boom");
  const machine::Drive& tilt = find_named(m.drives, "tilt_lever");
  g.boom_low = boom.lower.value().value;
  g.boom_high = boom.upper.value().value;
  g.tilt_dump = tilt.lower.value().value;
  g.tilt_back = tilt.upper.value().value;
  return g;
}

/// The boom's angle that puts the hinge pin at this height.
double calc_boom(const Geometry& g, double hinge_height) {
  return std::asin((hinge_height - g.A.y) / calc_length(g.H)) - calc_angle(g.H);
}

/// The tilt lever's angle that levels the bucket: a bisection, for the bucket turns with the lever (asserted below).
double calc_level_tilt(const Geometry& g, double boom) {
  double low = g.tilt_dump, high = g.tilt_back;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2.0;
    (calc_stance(g, boom, middle).bucket < 0.0 ? low : high) = middle;
  }
  return (low + high) / 2.0;
}

/// Calls visit(boom, tilt) all over the rectangle of the two ranges, edges included.
template <class Visit>
void visit_workspace(const Geometry& g, Visit visit) {
  constexpr int kSteps = 200;
  for (int i = 0; i <= kSteps; ++i) {
    for (int j = 0; j <= kSteps; ++j) {
      visit(std::lerp(g.boom_low, g.boom_high, double(i) / kSteps),
            std::lerp(g.tilt_dump, g.tilt_back, double(j) / kSteps));
    }
  }
}

class LoaderGeometry : public testing::Test {
 protected:
  const Geometry g_ = build_geometry();
  const double on_ground_ = calc_boom(g_, -g_.tip.y);  // the level bucket's floor lies on the ground
  const double level_ = calc_level_tilt(g_, on_ground_);
};

TEST_F(LoaderGeometry, HingePinHeightAtFullLiftIsThatOfTheClass) {
  const double height = calc_stance(g_, g_.boom_high, level_).H.y;
  EXPECT_GE(height, 3.9);
  EXPECT_LE(height, 4.3);
  RecordProperty("hinge_height_m", std::to_string(height));
}

TEST_F(LoaderGeometry, BucketStaysWithinTwoDegreesOfLevelOverTheLift) {
  ASSERT_NEAR(calc_stance(g_, on_ground_, level_).bucket, 0.0, 1e-12);
  double worst = 0.0;
  for (int i = 0; i <= 1000; ++i) {
    const double boom = std::lerp(on_ground_, g_.boom_high, i / 1000.0);
    worst = std::max(worst, std::abs(calc_stance(g_, boom, level_).bucket));
  }
  EXPECT_LE(worst, 2.0 * kDegree);  // the class asks for 8
  RecordProperty("off_level_deg", std::to_string(worst / kDegree));
}

TEST_F(LoaderGeometry, BucketRollsBack43DegreesAtCarry) {
  const double carry = calc_boom(g_, 0.45);
  ASSERT_GT(carry, on_ground_);
  const double rollback = calc_stance(g_, carry, g_.tilt_back).bucket;
  EXPECT_GE(rollback, 43.0 * kDegree);  // the class asks for 40
  RecordProperty("rollback_deg", std::to_string(rollback / kDegree));
}

TEST_F(LoaderGeometry, BucketDumps47DegreesAtFullLift) {
  const double dump = -calc_stance(g_, g_.boom_high, g_.tilt_dump).bucket;
  EXPECT_GE(dump, 47.0 * kDegree);  // the class asks for 45
  RecordProperty("dump_deg", std::to_string(dump / kDegree));
}

TEST_F(LoaderGeometry, CuttingEdgeOfTheLevelBucketReachesBelowGround) {
  const double tilt = calc_level_tilt(g_, g_.boom_low);
  const Stance s = calc_stance(g_, g_.boom_low, tilt);
  ASSERT_NEAR(s.bucket, 0.0, 1e-12);
  EXPECT_LE(s.tip.y, -0.08);
  RecordProperty("edge_height_m", std::to_string(s.tip.y));
}

TEST_F(LoaderGeometry, CarriesAndDumpsAheadOfTheFrontWheel) {
  EXPECT_GT(calc_stance(g_, g_.boom_low, g_.tilt_back).K.x,
            0.8 + 0.3);  // the wheel: radius 0.8 m about x = 0
  EXPECT_GT(calc_stance(g_, g_.boom_high, g_.tilt_dump).tip.x, 0.8 + 1.0);
  EXPECT_GT(calc_stance(g_, g_.boom_high, g_.tilt_dump).tip.y, 2.7);
}

// Singular where a strut lines up with the arm it moves. Signs are those of the branch: S left of R-E, K left of F-H.
TEST_F(LoaderGeometry, NoPoseWithinTheRangesIsNearSingular) {
  double rear = 1.0, front = 1.0;
  visit_workspace(g_, [&](double boom, double tilt) {
    const Stance s = calc_stance(g_, boom, tilt);
    ASSERT_TRUE(std::isfinite(s.bucket)) << boom / kDegree << ' ' << tilt / kDegree;
    rear = std::min(rear, calc_sine(s.R - s.S, s.E - s.S));
    front = std::min(front, calc_sine(s.F - s.K, s.H - s.K));
  });
  EXPECT_GE(rear, 0.65);
  EXPECT_GE(front, 0.22);
  RecordProperty("rear_sine", std::to_string(rear));
  RecordProperty("front_sine", std::to_string(front));
}

// Dead points, where the tilt lever would move without the bucket: it lines up with the rear strut, or the lever's
// front arm with the front strut.
TEST_F(LoaderGeometry, BucketAlwaysTurnsWithTheTiltLever) {
  double rear = 1.0, front = 1.0;
  visit_workspace(g_, [&](double boom, double tilt) {
    const Stance s = calc_stance(g_, boom, tilt);
    rear = std::min(rear, calc_sine(s.S - s.R, s.R - g_.D));
    front = std::min(front, calc_sine(s.K - s.F, s.F - s.E));
    ASSERT_GT(calc_stance(g_, boom, tilt + 1e-6).bucket, s.bucket);
  });
  EXPECT_GE(rear, 0.15);
  EXPECT_GE(front, 0.5);
}

TEST_F(LoaderGeometry, StartAnglesAreThoseOfTheDyads) {
  constexpr double kWritten = 0.006 * kDegree;  // the file gives two decimals of a degree
  for (const char* name : {"wheel_loader", "wheel_loader_cylinders"}) {
    const machine::Machine m = build_loader(name);
    const auto& start = m.start_angles;  // ground, boom, tilt lever, rear strut, lever, front strut, bucket
    ASSERT_EQ(start.size(), 7u);
    const Stance s = calc_stance(g_, start[1].value(), start[2].value());
    EXPECT_NEAR(start[3].value(), s.rear_strut, kWritten) << name;
    EXPECT_NEAR(start[4].value(), s.lever, kWritten) << name;
    EXPECT_NEAR(start[5].value(), s.front_strut, kWritten) << name;
    EXPECT_NEAR(start[6].value(), s.bucket, kWritten) << name;
  }
}

/// A cylinder from a chassis pin to an arm that turns about another.
struct Cylinder {
  Vec pivot, base, arm;  // arm in the frame of the body it turns
  double shortest = 0.0, longest = 0.0;

  [[nodiscard]] double calc_extent(double angle) const {
    return calc_length(pivot + turned(arm, angle) - base);
  }
  /// Zero where the cylinder points at the pivot and cannot turn the arm.
  [[nodiscard]] double calc_leverage(double angle) const {
    return calc_sine(base - pivot, turned(arm, angle));
  }
};

Cylinder build_cylinder(const machine::Machine& m, const std::string& drive, Vec pivot) {
  const machine::Drive& d = find_named(m.drives, drive);
  const machine::Point &base = m.point(d.first), &arm = m.point(d.second);
  return {.pivot = pivot,
          .base = {base.x.value, base.y.value},
          .arm = {arm.x.value, arm.y.value},
          .shortest = d.lower.value().value,
          .longest = d.upper.value().value};
}

void expect_covers(const Cylinder& c, double first, double last) {
  constexpr double kWritten = 0.001;  // the file gives millimetres
  EXPECT_NEAR(c.calc_extent(first), c.shortest, kWritten);
  EXPECT_NEAR(c.calc_extent(last), c.longest, kWritten);
  EXPECT_LT(c.longest - c.shortest,
            c.shortest - 0.3);  // the rod fits in the barrel, ends and piston included
  for (int i = 0; i <= 100; ++i) EXPECT_GE(c.calc_leverage(std::lerp(first, last, i / 100.0)), 0.55);
}

TEST_F(LoaderGeometry, CylindersReachTheSameRanges) {
  const machine::Machine m = build_loader("wheel_loader_cylinders");
  expect_covers(build_cylinder(m, "lift", g_.A), g_.boom_low, g_.boom_high);
  expect_covers(build_cylinder(m, "tilt", g_.D), g_.tilt_dump, g_.tilt_back);
}

TEST_F(LoaderGeometry, BothFilesAreTheSameLinkage) {
  Geometry other;
  read_points(build_loader("wheel_loader_cylinders"), other);
  for (auto point :
       {&Geometry::A, &Geometry::D, &Geometry::E, &Geometry::H, &Geometry::F, &Geometry::K, &Geometry::tip}) {
    EXPECT_EQ(calc_length(g_.*point - other.*point), 0.0);
  }
  for (auto bar : {&Geometry::L_tl, &Geometry::L_rs, &Geometry::L_lv, &Geometry::L_fs})
    EXPECT_EQ(g_.*bar, other.*bar);
}

}  // namespace
}  // namespace rodeo
