// SPDX-License-Identifier: MIT
// Machines that stress the reader and the builder, and every machine of configs/: the reduced rates of their states against
// central differences of assembled poses, which come from the joints alone and know no bond graph.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <filesystem>
#include <ostream>

#include "kinematics/expr/eval.h"
#include "kinematics/machine/pose.h"
#include "kinematics/machine/rods.h"
#include "kinematics/reduction/model.h"
#include "tests/reduction/evaluated.h"

namespace rodeo::machine {
namespace {

namespace fs = std::filesystem;

/// h = 2e-5: cutting error about h²·f'''/6 = 1e-9, rounding of a pose 1e-13/h = 1e-8.
constexpr double kStep = 2e-5;
constexpr double kTolerance = 1e-6;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// u·(p_b - p_a) in the first body's frame, u the guide's direction.
double calc_slide(const Machine& m, const Pose& pose, const Joint& joint) {
  const Vec2 a = calc_position(m, pose, joint.first);
  const Vec2 b = calc_position(m, pose, joint.second);
  const double angle = pose.bodies[at(joint.first.body)].angle;
  const Eigen::Vector2d gap = Eigen::Rotation2Dd(-angle) * Eigen::Vector2d(b.x - a.x, b.y - a.y);
  return gap.dot(Eigen::Vector2d(joint.direction_x.value, joint.direction_y.value));
}

/// Every state that a rod, a guide or a cylinder may keep, and the parameters, by name.
expr::Values calc_values(const Machine& m, const Pose& pose) {
  expr::Values values;
  for (const expr::Parameter& parameter : m.parameters) values[parameter.name] = parameter.number;
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    values[m.bodies[b].name + ".J.displacement"] = pose.bodies[b].angle;
  }
  for (const Joint& joint : m.joints) values[joint.name + ".s.displacement"] = calc_slide(m, pose, joint);
  for (const Drive& drive : m.drives) {
    if (drive.kind == DriveKind::slide) {
      values[drive.name + ".s.displacement"] = calc_slide(m, pose, m.joints[at(drive.joint)]);
    } else if (drive.kind == DriveKind::cylinder) {
      const Vec2 a = calc_position(m, pose, drive.first);
      const Vec2 b = calc_position(m, pose, drive.second);
      values[drive.name + ".angle.displacement"] = std::atan2(b.y - a.y, b.x - a.x);
      values[drive.name + ".length.displacement"] = std::hypot(b.x - a.x, b.y - a.y);
    }
  }
  return values;
}

struct Case {
  std::string file;
  std::vector<std::string> overrides{};
  std::size_t largest_block = 0;  // 0: any
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.file; }

class Rates : public testing::TestWithParam<Case> {
 protected:
  Rates()
      : machine_(build_machine_from_file(GetParam().file, GetParam().overrides)),
        start_(build_start_pose(machine_)) {}

  [[nodiscard]] reduction::Model build(RodForm form) const {
    RodOptions options;
    options.form = form;
    options.redundant = calc_mobility(machine_, start_).redundant;
    return reduction::build_model(build_rods(machine_, options));
  }

  [[nodiscard]] Assembly pose_near(const Pose& from, std::vector<double> drives, std::size_t d,
                                   double step) const {
    drives[d] += step;
    Assembly next = build_pose_near(machine_, from, drives);
    EXPECT_TRUE(next.assembled);
    return next;
  }

  /// From pose to pose, towards the middle of the drive's range where it has one.
  [[nodiscard]] double find_sweep(const Assembly& here, std::size_t d) const {
    const Drive& drive = machine_.drives[d];
    const bool is_high = drive.upper && here.drive_values[d] > (drive.lower->value + drive.upper->value) / 2;
    return is_high ? -0.02 : 0.02;
  }

  void compare(const reduction::Model& model, const Assembly& here, std::size_t d) const {
    const expr::Values ahead = calc_values(machine_, pose_near(here.pose, here.drive_values, d, kStep).pose);
    const expr::Values behind =
        calc_values(machine_, pose_near(here.pose, here.drive_values, d, -kStep).pose);
    expr::Values values = calc_values(machine_, here.pose);
    for (const reduction::Input& input : model.system.inputs) values[input.symbol->name] = 0.0;
    values[machine_.drives[d].name + ".input"] = 1.0;
    const std::vector<double> rates = calc_rates(model, values);
    for (std::size_t s = 0; s < rates.size(); ++s) {
      const std::string& name = model.system.states[s].name;
      if (name.ends_with(".Ix.displacement") || name.ends_with(".Iy.displacement"))
        continue;  // centres of mass
      const double expected = (ahead.at(name) - behind.at(name)) / (2 * kStep);
      EXPECT_NEAR(rates[s], expected, kTolerance * std::max(1.0, std::abs(expected)))
          << name << " by drive " << d;
    }
  }

  Machine machine_;
  Assembly start_;
};

TEST_P(Rates, AreThoseOfAssembledPosesWithBothRods) {
  ASSERT_TRUE(start_.assembled) << start_.worst;
  for (const RodForm form : {RodForm::equivalent, RodForm::traditional}) {
    const reduction::Model model = build(form);
    Assembly here = start_;
    for (int step = 0; step < 4; ++step) {
      for (std::size_t d = 0; d < machine_.drives.size(); ++d) {
        compare(model, here, d);
        here = pose_near(here.pose, here.drive_values, d, find_sweep(here, d));
      }
    }
  }
}

TEST_P(Rates, ComeFromBlocksNoLargerThanTheirLoops) {
  const reduction::Model model = build(RodForm::equivalent);
  std::size_t largest = 0;
  for (const int b : reduction::find_moving_blocks(model)) {
    largest = std::max(largest, model.solution.blocks[at(b)].unknowns.size());
  }
  EXPECT_TRUE(GetParam().largest_block == 0 || largest == GetParam().largest_block) << largest;
}

bool depends_on_motion(expr::Expr e) {
  const std::vector<expr::Expr> symbols = expr::symbols_of({e});
  return std::any_of(symbols.begin(), symbols.end(),
                     [](expr::Expr s) { return s->kind != expr::SymbolKind::parameter; });
}

/// What may vanish stands in a block's matrix, where `singular when` finds it.
TEST_P(Rates, DivideByNothingThatMovesOutsideBlocks) {
  for (const RodForm form : {RodForm::equivalent, RodForm::traditional}) {
    for (const expr::Expr e : expr::reachable(reduction::state_rates(build(form)))) {
      if (e.is_number() || e.is_symbol() || e->op != expr::Op::div) continue;
      EXPECT_FALSE(depends_on_motion(e->args[1])) << expr::to_text(e->args[1]);
    }
  }
}

std::string own(const std::string& name) { return RODEO_SOURCE_DIR "/tests/machines/" + name + ".yaml"; }

std::vector<Case> list_cases() {
  std::vector<Case> cases = {
      {own("six_bar_slide"), {}, 2},   {own("six_bar_slide"), {"a=10 deg"}, 2},
      {own("redundant_lift"), {}, 2},  {own("moving_guide"), {}, 2},
      {own("triad"), {}, 4},           {own("slanted_guide"), {}},
      {own("slanted_guide"), {"a=0"}}, {own("slanted_guide"), {"a=90 deg"}},
  };
  std::vector<fs::path> configs;
  for (const auto& entry : fs::directory_iterator(RODEO_SOURCE_DIR "/configs")) {
    if (entry.path().extension() == ".yaml") configs.push_back(entry.path());
  }
  std::sort(configs.begin(), configs.end());
  for (const fs::path& path : configs) {
    if (is_machine(text::build_yaml_from_file(path.string()))) cases.push_back({path.string(), {}});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Machines, Rates, testing::ValuesIn(list_cases()), [](const auto& test) {
  return fs::path(test.param.file).stem().string() + "_" + std::to_string(test.index);
});

}  // namespace
}  // namespace rodeo::machine
