// SPDX-License-Identifier: MIT
// The spatial machine file: what is read, what is a lift, and what is said of mistakes.
#include "kinematics/machine/machine.h"
#include "tests/spatial/support.h"

namespace rodeo::spatial {
namespace {

using testing_support::build_text;
using testing_support::find_fault;

const char* const kGood = R"(
name: arm
parameters: {L: 0.5}
ground: {points: {O: [0, 0, 0]}, axes: {up: [0, 0, 2]}}
bodies:
  arm: {points: {O: [0, 0], P: [L, 0, 0.1]}, axes: {pin: [3, 0, 4]}, mass: 2, com: [L/2, 0], inertia: [0.1, 0.2, 0.2]}
  tool: {points: {P: [0, 0, 0]}, mass: 1, inertia: 0.3}
joints:
  - {cylindrical: [ground.O, arm.O], axis: [ground.up, arm.pin], name: post, damping: [1, 2], stiffness: [3, 4]}
  - {fixed: [arm.P, tool.P], angle: 30 deg}
drives:
  lift: {joint: post, motion: slide, range: [0, 1], speed: 0.2}
  turn: {angle: arm}
start: {turn: 0.4, tool: [0.1, 0.2, 0.3], rates: {post: 2, tool: {spin: [1, 2, 3]}}}
gravity: [0, 0, -9.81]
outputs: {tip: arm.P}
)";

std::string with(const std::string& from, const std::string& to) {
  std::string text = kGood;
  EXPECT_NE(text.find(from), std::string::npos) << from;
  return text.replace(text.find(from), from.size(), to);
}

std::string fault_with(const std::string& from, const std::string& to) {
  return find_fault([&] { (void)build_text(with(from, to)); });
}

TEST(SpatialFile, IsReadAsItIsWritten) {
  const Machine m = build_text(kGood);
  ASSERT_EQ(m.bodies.size(), 3u);
  EXPECT_EQ(m.bodies[1].points[0].at.value(), Vector3(0, 0, 0));
  EXPECT_EQ(m.bodies[1].points[1].at.value(), Vector3(0.5, 0, 0.1));
  EXPECT_EQ(m.bodies[1].points[1].at.x.expr, expr::symbol("L"));
  EXPECT_LT((m.bodies[1].axes[0].direction.value() - Vector3(0.6, 0, 0.8)).norm(), 1e-15);
  EXPECT_EQ(m.joints[0].axis_first.value(), Vector3(0, 0, 1));
  EXPECT_EQ(m.joints[0].slide.damping.value, 1);
  EXPECT_EQ(m.joints[0].turn.stiffness.value, 4);
  EXPECT_EQ(m.joints[1].name, "arm.P-tool.P");
  EXPECT_EQ(m.bodies[2].inertia->value(), Matrix3(0.3 * Matrix3::Identity()));
  ASSERT_EQ(m.drives.size(), 2u);
  EXPECT_EQ(m.drives[0].kind, DriveKind::slide);
  EXPECT_EQ(m.drives[1].joint, 0);  // the joint that turns the arm
  EXPECT_EQ(*m.start_drives[1], 0.4);
  EXPECT_EQ(*m.start_bodies[2].angles, Vector3(0.1, 0.2, 0.3));
  ASSERT_EQ(m.start_rates.size(), 2u);
  EXPECT_EQ(m.start_rates[1].kind, RateKind::spin);
}

TEST(SpatialFile, IsOneWithAPointInSpaceOrTheWord) {
  const auto is = [](const std::string& text) {
    return is_spatial(text::build_yaml_from_text(text, "t.yaml"));
  };
  EXPECT_TRUE(is(kGood));
  EXPECT_TRUE(is("space: 3\nbodies: {a: {points: {P: [0, 0]}}}"));
  EXPECT_FALSE(is("bodies: {a: {points: {P: [0, 0]}}}"));
}

TEST(SpatialFile, SaysWhatIsWrongInSentences) {
  EXPECT_EQ(fault_with("P: [L, 0, 0.1]", "P: [L, 0, 1, 2]"),
            "test.yaml:6: point 'arm.P': three numbers [x, y, z] are needed, not 4 (a decimal comma? write "
            "0.1, not 0,1)");
  EXPECT_EQ(fault_with("pin: [3, 0, 4]", "pin: [0, 0, 0]"),
            "test.yaml:6: axis 'arm.pin' [0, 0, 0] points nowhere: give it a length, as [0, 0, 1] has");
  EXPECT_EQ(fault_with("arm.pin]", "arm.bolt]"),
            "test.yaml:9: joint 'post': axis: body 'arm' has no axis 'bolt' (it has pin)");
  EXPECT_EQ(
      fault_with("[ground.up, arm.pin]", "[arm.pin, ground.up]"),
      "test.yaml:9: joint 'post': axis: a pair of axes is one of body 'ground', then one of body 'arm'");
  EXPECT_EQ(fault_with("motion: slide", "motion: swing"),
            "test.yaml:12: drive 'lift': a cylindrical joint has no motion 'swing' that could be driven");
  EXPECT_EQ(fault_with("{joint: post,", "{joint: mast,"),
            "test.yaml:12: drive 'lift': there is no joint 'mast' (there are post, arm.P-tool.P)");
  EXPECT_EQ(
      fault_with("name: arm", "name: arm\nspace: 2"),
      "test.yaml:3: space: it is 3 for a machine in space, and not there for one in the plane, not '2'");
  EXPECT_EQ(fault_with("name: arm", "name: arm\norientation: euler"),
            "test.yaml:3: orientation: it is quaternion or cardan, not 'euler'");
  EXPECT_EQ(fault_with("rates: {post: 2", "rates: {mast: 2"),
            "test.yaml:14: start rate 'mast': no drive, body or joint has this name (there are lift, turn, "
            "arm, tool, "
            "post)");
}

TEST(Inertia, ThatNoBodyCanHaveIsRefused) {
  EXPECT_EQ(fault_with("inertia: [0.1, 0.2, 0.2]", "inertia: [0.1, 0.2, 0.4]"),
            "test.yaml:6: body 'arm': inertia that no body can have: its principal moments are 0.1, 0.2 and "
            "0.4, and none "
            "may exceed the sum of the other two");
  EXPECT_EQ(fault_with("inertia: [0.1, 0.2, 0.2]", "inertia: [-0.1, 0.2, 0.2]"),
            "test.yaml:6: body 'arm': inertia that no body can have: its principal moments are -0.1, 0.2 and "
            "0.2, and "
            "none may be negative");
  EXPECT_EQ(fault_with("inertia: [0.1, 0.2, 0.2]", "inertia: [[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]]"),
            "test.yaml:6: body 'arm': inertia: the matrix must be symmetric, and has 0.1 and 0.2 across its "
            "diagonal");
  EXPECT_EQ(fault_with("inertia: [0.1, 0.2, 0.2]", "inertia: [1, 2]"),
            "test.yaml:6: body 'arm': inertia: one number (about z), three (about x, y, z), six (xx, yy, zz, "
            "xy, xz, yz) "
            "or a 3x3 matrix are needed, not 2");
  // A rod without thickness is a limit that a body can come to.
  EXPECT_EQ(fault_with("inertia: [0.1, 0.2, 0.2]", "inertia: [0, 0.2, 0.2]"), "");
}

TEST(Principal, AxesMakeTheMatrixDiagonal) {
  const Machine machine =
      build_text(with("inertia: [0.1, 0.2, 0.2]", "inertia: [0.3, 0.4, 0.5, 0.05, -0.02, 0.03]"));
  const BodyFrames frames = build_mass_frames(machine);
  const Matrix3 I = machine.bodies[1].inertia->value();
  const Matrix3 D = frames[1].R.transpose() * I * frames[1].R;
  EXPECT_LT((D - Matrix3(D.diagonal().asDiagonal())).norm(), 1e-15);
  EXPECT_NEAR(frames[1].R.determinant(), 1, 1e-14);
  EXPECT_NEAR(D.trace(), 1.2, 1e-14);
}

}  // namespace
}  // namespace rodeo::spatial
