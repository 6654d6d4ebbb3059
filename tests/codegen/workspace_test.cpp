// SPDX-License-Identifier: MIT
// The sampled workspace of certificates, and the tapes that it runs beside the compiled kernels of the same machines.
#include "kinematics/codegen/workspace.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "kinematics/codegen/build.h"
#include "kinematics/codegen/tape_run.h"
#include "tests/codegen/built_kernel.h"

namespace rodeo::codegen {
namespace {

class SampledWorkspace : public testing::TestWithParam<std::string> {};

/// Closed forms and iterated blocks alike.
TEST_P(SampledWorkspace, HasPosesThatCloseForEveryMachine) {
  const auto certificate =
      nlohmann::json::parse(read_text(fs::path(built_folder(GetParam())) / "certificate.json"));
  const auto& workspace = certificate["workspace"];
  EXPECT_GE(workspace["sampled"], 400);
  EXPECT_GE(workspace["closed"], 300);
  EXPECT_LE(workspace["largest_residual"], 1e-12);
  EXPECT_GE(workspace["smallest_margin"], 0.01);
}

INSTANTIATE_TEST_SUITE_P(Machines, SampledWorkspace,
                         testing::ValuesIn(find_machines({"configs", "tests/machines"})), machine_name);

Kernel build(const std::string& file) {
  const machine::Machine machine = machine::build_machine_from_file(file);
  const machine::Assembly start = machine::build_start_pose(machine);
  return build_kernel(machine, start, machine::calc_mobility(machine, start));
}

/// More drives than a grid has room for: scattered points, and no end of them is not one of the outcomes.
TEST(SampledWorkspace, OfManyDrivesIsScattered) {
  Kernel kernel = build(config("double_pendulum"));
  const auto step = [](const Kernel& k) { return sample_workspace(k.model, k.text.tapes); };
  EXPECT_EQ(step(kernel).sampled, 484);  // 22 x 22
  const DriveChannel drive = kernel.model.drives[0];
  for (int i = 0; i < 62; ++i) kernel.model.drives.push_back(drive);  // which the tape does not look at
  EXPECT_EQ(step(kernel).sampled, kWorkspacePoints);
}

/// The builder's own run of a tape against the compiled kernel: other functions, the same numbers but for their last bits.
class TapeRun : public testing::TestWithParam<std::string> {};

constexpr double kLastBits =
    1e-11;  // relative to 1 and the number: two libraries, through a velocity and an acceleration

TEST_P(TapeRun, ComputesWhatTheCompiledKernelDoes) {
  const std::string file = config(GetParam());
  const Kernel kernel = build(file);
  Instance instance(load_kernel(fs::path(built_folder(file)) / "kernel.so"));
  ASSERT_EQ(instance.init(), RODEO_OK);
  TapeArrays arrays;
  arrays.parameters = default_parameters(instance.k);
  arrays.derived.resize(kernel.text.tapes.derived_count);
  arrays.states = kernel.model.start_states;
  arrays.branches = kernel.model.start_branches;
  arrays.outputs.resize(instance.k->n_outputs);
  ASSERT_TRUE(TapeRunner(kernel.text.tapes.prepare).run(arrays, 0.01));
  TapeRunner step(kernel.text.tapes.step);
  std::vector<double> outputs;
  for (int i = 0; i < 300; ++i) {
    arrays.drives.assign(3 * instance.k->n_drives, 0.3);
    for (std::size_t d = 0; d < instance.k->n_drives; ++d)
      arrays.drives[3 * d] = instance.k->start_drives[d] + 0.05 * std::sin(0.02 * i);
    ASSERT_EQ(instance.step(arrays.drives, outputs), RODEO_OK);
    ASSERT_TRUE(step.run(arrays, 0.01));
    EXPECT_NEAR(step.margin(), instance.margin(), kLastBits);
    for (std::size_t o = 0; o < outputs.size(); ++o)
      ASSERT_NEAR(arrays.outputs[o], outputs[o], kLastBits * (1 + std::fabs(outputs[o])))
          << instance.k->outputs[o].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, TapeRun,
                         testing::Values("wheel_loader", "excavator", "scissor_lift", "triad",
                                         "moving_guide"),
                         [](const auto& param_info) { return param_info.param; });

}  // namespace
}  // namespace rodeo::codegen
