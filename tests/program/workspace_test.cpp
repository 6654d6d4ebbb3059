// SPDX-License-Identifier: MIT
// `rodeo workspace` against closed forms: sectors of rings, arcs, the dead point of a four-bar.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <regex>

#include "tests/program/recording_support.h"

namespace rodeo::tools {
namespace {

using namespace testing_support;
using nlohmann::json;
using testing::HasSubstr;

constexpr double kDegree = std::numbers::pi / 180;

class WorkspaceCommand : public testing::Test {
 protected:
  WorkspaceCommand() {
    std::string name = testing::TempDir() + "rodeo_workspace_XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~WorkspaceCommand() override { std::filesystem::remove_all(folder_); }

  ProgramResult run(const std::string& arguments) const {
    return run_rodeo(folder_, "workspace " + arguments);
  }
  /// --json of a machine file with this text.
  json report(const std::string& text, const std::string& arguments = "") const {
    write_file(folder_ / "model.yaml", text);
    const ProgramResult result = run("model.yaml --json " + arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return json::parse(result.out);
  }

  std::filesystem::path folder_;
};

/// Two links of 1 m and 0.6 m, the drives their angles.
const std::string kArm = R"(name: arm
parameters: {L1: 1.0, L2: 0.6}
ground: {points: {O: [0, 0]}}
bodies:
  upper: {points: {O: [0, 0], E: [L1, 0]}}
  fore: {points: {E: [0, 0], tip: [L2, 0]}}
joints:
  - {revolute: [ground.O, upper.O]}
  - {revolute: [upper.E, fore.E]}
drives:
  shoulder: {angle: upper, range: [0, 120 deg]}
  elbow: {relative_angle: [upper, fore], range: [20 deg, 150 deg]}
start: {upper: 60 deg, fore: 120 deg}
outputs: {tip: fore.tip, elbow_pin: upper.E}
)";

/// r² = L1² + L2² + 2 L1 L2 cos(elbow), over a shoulder range of 120 deg.
double calc_arm_area(double l1, double l2) {
  return 120 * kDegree / 2 * 2 * l1 * l2 * (std::cos(20 * kDegree) - std::cos(150 * kDegree));
}

TEST_F(WorkspaceCommand, OfATwoLinkArmIsASectorOfARing) {
  const json arm = report(kArm);
  const double area = calc_arm_area(1.0, 0.6);
  EXPECT_NEAR(arm.at("area").get<double>(), area, arm.at("area_accuracy").get<double>());
  EXPECT_NEAR(arm.at("area").get<double>(), area, 2e-3 * area);
  EXPECT_LT(arm.at("area_accuracy").get<double>(), 0.02 * area);
  const double outer = std::sqrt(1.36 + 1.2 * std::cos(20 * kDegree));
  EXPECT_NEAR(arm.at("bounds").at("y").at(1).get<double>(), outer, 1e-4)
      << "straight up lies within the sector";
  EXPECT_EQ(arm.at("poses_reached"), arm.at("poses"));
  EXPECT_EQ(arm.at("smallest_margin").at("margin"), 1.0) << "nothing can be singular";
}

TEST_F(WorkspaceCommand, FollowsParameters) {
  const double area = calc_arm_area(1.0, 0.3);
  EXPECT_NEAR(report(kArm, "-p L2=0.3").at("area").get<double>(), area, 4e-3 * area);
}

TEST_F(WorkspaceCommand, OfAPointThatOneDriveMovesIsAnArc) {
  const json pin = report(kArm, "--output elbow_pin");
  EXPECT_EQ(pin.at("drives").size(), 1U);
  EXPECT_EQ(pin.at("area"), 0.0);
  EXPECT_NEAR(pin.at("length").get<double>(), 120 * kDegree, 1e-5);
}

/// A boom lifted by a cylinder, with a telescope: pin at the origin, cylinder from (0.6, -0.8) to a point 1 m along the boom.
const std::string kCrane = R"(name: crane
ground: {points: {O: [0, 0], P: [0.6, -0.8]}}
bodies:
  boom: {points: {O: [0, 0], Q: [1, 0], S: [0, 0]}}
  jib: {points: {S: [0, 0], tip: [0, 0]}}
joints:
  - {revolute: [ground.O, boom.O]}
  - {prismatic: [boom.S, jib.S], direction: [1, 0], angle: 0}
drives:
  lift: {cylinder: [ground.P, boom.Q], retracted: 1.0, stroke: 0.8}
  telescope: {slide: [boom.S, jib.S], range: [2, 3]}
start: {lift: 1.4, telescope: 2.5, boom: 35 deg, jib: 35 deg}
outputs: {tip: jib.tip}
)";

/// The angle between OP and the boom when the cylinder is this long: OP and OQ are 1 m.
double calc_lift_angle(double length) { return 2 * std::asin(length / 2); }

TEST_F(WorkspaceCommand, OfACraneOnACylinderIsASectorOfARingWithItsMarginAtTheLongestStroke) {
  const json crane = report(kCrane);
  const double sweep = calc_lift_angle(1.8) - calc_lift_angle(1.0);
  const double area = sweep / 2 * (9 - 4);
  EXPECT_NEAR(crane.at("area").get<double>(), area, crane.at("area_accuracy").get<double>());
  EXPECT_NEAR(crane.at("area").get<double>(), area, 3e-3 * area);
  // The transmission angle of the dyad is the one at Q, between cylinder and boom: 90 deg - half the lift angle.
  const auto& smallest = crane.at("smallest_margin");
  EXPECT_NEAR(smallest.at("drives").at("lift").get<double>(), 1.8, 1e-12);
  EXPECT_GT(smallest.at("margin").get<double>(), 0.01);
  const double angle = calc_lift_angle(1.8) + std::atan2(-0.8, 0.6);
  const double reach = smallest.at("drives").at("telescope").get<double>();
  EXPECT_NEAR(smallest.at("x").get<double>(), reach * std::cos(angle), 1e-9);
  EXPECT_NEAR(smallest.at("y").get<double>(), reach * std::sin(angle), 1e-9);
}

/// Three links that turn freely: a ring from 1 - 0.5 - 0.25 to 1 + 0.5 + 0.25.
TEST_F(WorkspaceCommand, OfThreeDrivesIsTheUnionOfAllTheyReach) {
  const json arm = report(R"(name: three
ground: {points: {O: [0, 0]}}
bodies:
  a: {points: {O: [0, 0], P: [1, 0]}}
  b: {points: {P: [0, 0], Q: [0.5, 0]}}
  c: {points: {Q: [0, 0], tip: [0.25, 0]}}
joints:
  - {revolute: [ground.O, a.O]}
  - {revolute: [a.P, b.P]}
  - {revolute: [b.Q, c.Q]}
drives: {a: {angle: a}, b: {angle: b}, c: {angle: c}}
start: {a: 10 deg, b: 20 deg, c: 30 deg}
outputs: {tip: c.tip}
)");
  const double area = std::numbers::pi * (1.75 * 1.75 - 0.25 * 0.25);
  EXPECT_EQ(arm.at("drives").size(), 3U);
  EXPECT_NEAR(arm.at("area").get<double>(), area, arm.at("area_accuracy").get<double>());
  EXPECT_NEAR(arm.at("area").get<double>(), area, 0.01 * area);
}

/// A crank that cannot turn around: at its end coupler and rocker, 0.5 m and 0.6 m, are one line.
TEST_F(WorkspaceCommand, EndsAtASingularPose) {
  const json bar = report(R"(name: locked
ground: {points: {O: [0, 0], Q: [1, 0]}}
bodies:
  crank: {points: {O: [0, 0], B: [0.8, 0]}}
  coupler: {points: {B: [0, 0], C: [0.5, 0]}}
  rocker: {points: {Q: [0, 0], C: [0.6, 0]}}
joints:
  - {revolute: [ground.O, crank.O]}
  - {revolute: [crank.B, coupler.B]}
  - {revolute: [coupler.C, rocker.C]}
  - {revolute: [ground.Q, rocker.Q]}
drives: {crank: {angle: crank}}
start: {crank: 40 deg, coupler: 60 deg, rocker: 110 deg}
outputs: {tip: crank.B}
)");
  const double end = std::acos((0.64 + 1 - 1.21) / 1.6);
  const double step = 2 * std::numbers::pi / 2000;
  const auto& y = bar.at("bounds").at("y");
  EXPECT_LT(bar.at("poses_reached"), bar.at("poses"));
  EXPECT_NEAR(y.at(1).get<double>(), 0.8 * std::sin(end), 0.8 * step);
  EXPECT_NEAR(y.at(0).get<double>(), -0.8 * std::sin(end), 0.8 * step);
  EXPECT_NEAR(bar.at("length").get<double>(), 0.8 * 2 * end, 0.8 * 2 * step);
  EXPECT_GE(bar.at("smallest_margin").at("margin").get<double>(), 0.01);
  EXPECT_LT(bar.at("smallest_margin").at("margin").get<double>(), 0.1);
}

/// A post that turns by ±90 deg, and an arm of 0.8 m that goes up and down on it by 0.5 m: half a cylinder.
const std::string kPost = R"(name: post
ground: {points: {O: [0, 0, 0]}}
bodies:
  post: {points: {O: [0, 0, 0], top: [0, 0, 1]}}
  arm: {points: {O: [0, 0, 0], tip: [0.8, 0, 0.1]}}
joints:
  - {revolute: [ground.O, post.O], axis: [0, 0, 1], name: turntable}
  - {prismatic: [post.O, arm.O], direction: [0, 0, 1], name: rail}
drives:
  turn: {joint: turntable, range: [-90 deg, 90 deg]}
  lift: {joint: rail, range: [0.2, 0.7]}
start: {turn: 20 deg, lift: 0.4}
outputs: {tip: arm.tip}
)";

TEST_F(WorkspaceCommand, InSpaceHasThreeProjections) {
  write_file(folder_ / "post.yaml", kPost);
  const ProgramResult result = run("post.yaml --json -o x.html");
  ASSERT_EQ(result.status, 0) << result.err;
  const json post = json::parse(result.out);
  EXPECT_EQ(post.at("drives").size(), 2U) << "a drive that moves z alone moves the output";
  const auto expect_area = [&](const char* view, double area) {
    const auto& got = post.at("areas").at(view);
    EXPECT_NEAR(got.at("area").get<double>(), area, got.at("area_accuracy").get<double>()) << view;
    EXPECT_LT(got.at("area_accuracy").get<double>(), 0.02) << view;
  };
  expect_area("xy", 0);
  expect_area("xz", 0.8 * 0.5);
  expect_area("yz", 1.6 * 0.5);
  const auto expect_bounds = [&](const char* axis, double low, double high) {
    EXPECT_NEAR(post.at("bounds").at(axis).at(0).get<double>(), low, 1e-4) << axis;
    EXPECT_NEAR(post.at("bounds").at(axis).at(1).get<double>(), high, 1e-4) << axis;
  };
  expect_bounds("x", 0, 0.8);
  expect_bounds("y", -0.8, 0.8);
  expect_bounds("z", 0.3, 0.8);
  EXPECT_FALSE(post.contains("area"));
  const std::string page = read_file(folder_ / "x.html");
  for (const char* labels :
       {R"re("x":"tip.x (m)","y":"tip.y (m)")re", R"re("x":"tip.x (m)","y":"tip.z (m)")re",
        R"re("x":"tip.y (m)","y":"tip.z (m)")re"})
    EXPECT_THAT(page, HasSubstr(labels));
}

/// One turn of a screw: as long as the hypotenuse of its circumference and its pitch.
TEST_F(WorkspaceCommand, OfAScrewIsAHelix) {
  const json helix = report(R"(name: screw
ground: {points: {O: [0, 0, 0]}}
bodies: {nut: {points: {O: [0, 0, 0], tip: [0.3, 0, 0]}}}
joints: [{screw: [ground.O, nut.O], axis: [0, 0, 1], pitch: 0.4, name: thread}]
drives: {turn: {joint: thread, range: [-180 deg, 180 deg]}}
outputs: {tip: nut.tip}
)");
  EXPECT_NEAR(helix.at("length").get<double>(), std::hypot(2 * std::numbers::pi * 0.3, 0.4), 1e-5);
  EXPECT_NEAR(helix.at("bounds").at("z").at(0).get<double>(), -0.2, 1e-9);
  EXPECT_NEAR(helix.at("bounds").at("z").at(1).get<double>(), 0.2, 1e-9);
}

/// Two lines of two points, as the page has them: `[a,b,null,c,d,null]`.
std::vector<std::array<double, 4>> read_lines(const std::string& page) {
  static const std::regex kLines(R"(\[([-0-9.e]+),([-0-9.e]+),null,([-0-9.e]+),([-0-9.e]+),null\])");
  std::vector<std::array<double, 4>> lines;
  for (std::sregex_iterator it(page.begin(), page.end(), kLines), end; it != end; ++it)
    lines.push_back({std::stod((*it)[1]), std::stod((*it)[2]), std::stod((*it)[3]), std::stod((*it)[4])});
  return lines;
}

/// Post and arm at the start, in the machine's axes though the viewer's y is up: x and y of the tip 0.8 m at 20 deg, z 0.4 + 0.1.
TEST_F(WorkspaceCommand, DrawsAMachineInSpaceInItsOwnAxes) {
  write_file(folder_ / "post.yaml", kPost);
  ASSERT_EQ(run("post.yaml -o x.html").status, 0);
  const auto lines = read_lines(read_file(folder_ / "x.html"));
  const auto has = [&](const std::array<double, 4>& wanted) {
    return std::any_of(lines.begin(), lines.end(), [&](const auto& line) {
      double off = 0;
      for (std::size_t i = 0; i < 4; ++i) off = std::max(off, std::abs(line[i] - wanted[i]));
      return off < 1e-8;
    });
  };
  EXPECT_TRUE(has({0, 0, 0, 0.8 * std::cos(20 * kDegree)}));
  EXPECT_TRUE(has({0, 0, 0, 0.8 * std::sin(20 * kDegree)}));
  EXPECT_TRUE(has({0, 1, 0.4, 0.5}));
}

TEST_F(WorkspaceCommand, DrawsEveryFormat) {
  write_file(folder_ / "arm.yaml", kArm);
  ASSERT_EQ(run("arm.yaml -o x.html").status, 0);
  const std::string page = read_file(folder_ / "x.html");
  EXPECT_THAT(page, HasSubstr("\"x\":\"tip.x (m)\""));
  EXPECT_THAT(page, HasSubstr("singularity margin"));
  if (std::system("gnuplot --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "gnuplot is not installed";
  for (const char* file : {"x.svg", "x.png", "x.pdf"}) {
    const ProgramResult result = run(std::string("arm.yaml -o ") + file);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_GT(read_file(folder_ / file).size(), 3000U) << file;
  }
  const std::string svg = read_file(folder_ / "x.svg");
  EXPECT_THAT(svg, HasSubstr(">tip.x (m)<"));
  EXPECT_THAT(svg, HasSubstr(">tip.y (m)<"));
  EXPECT_THAT(svg, HasSubstr("singularity margin"));
  EXPECT_THAT(svg, HasSubstr("data:image/png;base64")) << "the shaded region is within the file";
}

TEST_F(WorkspaceCommand, SaysWhatIsWrong) {
  write_file(folder_ / "arm.yaml", kArm);
  std::string no_range = kCrane;
  no_range.replace(no_range.find(", range: [2, 3]"), 15, "");
  write_file(folder_ / "crane.yaml", no_range);
  const std::vector<std::pair<std::string, std::string>> cases{
      {"arm.yaml --output tp", "arm.yaml: there is no output 'tp' (there is tip, elbow_pin)\n"},
      {"none.yaml", "none.yaml: there is no such file or folder\n"},
      {"crane.yaml",
       "crane.yaml: drive 'telescope' has no range: give it 'range: [low, high]' in the machine file\n"}};
  for (const auto& [arguments, sentence] : cases) {
    const ProgramResult result = run(arguments + " -o x.html");
    EXPECT_EQ(result.status, 1) << arguments;
    EXPECT_EQ(result.err, sentence);
  }
  const ProgramResult result = run("arm.yaml");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err, "rodeo workspace: -o: is needed, or --json (see 'rodeo workspace --help')\n");
}

/// x = 1 + cos, y = 0.2 + sin of the angle, once around: through both poses in which it lies flat, as `rodeo simulate` goes.
TEST_F(WorkspaceCommand, GoesThroughTheFlatPosesOfAParallelogram) {
  const json got = report(R"(name: para
ground: {points: {O: [0, 0], Q: [2, 0]}}
bodies:
  left: {points: {O: [0, 0], B: [1, 0]}}
  right: {points: {Q: [0, 0], C: [1, 0]}}
  deck: {points: {B: [0, 0], C: [2, 0], mid: [1, 0.2]}}
joints:
  - {revolute: [ground.O, left.O]}
  - {revolute: [ground.Q, right.Q]}
  - {revolute: [left.B, deck.B]}
  - {revolute: [right.C, deck.C]}
drives: {left: {angle: left}}
start: {left: 60 deg, right: 60 deg, deck: 0 deg}
outputs: {mid: deck.mid}
)");
  EXPECT_EQ(got.at("poses_reached"), got.at("poses"));
  const json& bounds = got.at("bounds");
  EXPECT_NEAR(bounds.at("x").at(0), 0, 1e-5);
  EXPECT_NEAR(bounds.at("x").at(1), 2, 1e-5);
  EXPECT_NEAR(bounds.at("y").at(0), -0.8, 1e-5);
  EXPECT_NEAR(bounds.at("y").at(1), 1.2, 1e-5);
}

}  // namespace
}  // namespace rodeo::tools
