// SPDX-License-Identifier: MIT
// Other parameters, the same compiled kernel.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/codegen/compare.h"

namespace rodeo::codegen {
namespace {

/// Every parameter that is a number in the file, 1 % larger.
Overrides all_one_per_cent_more(const std::string& file) {
  Overrides overrides;
  for (const expr::Parameter& parameter : machine::build_machine_from_file(file).parameters) {
    if (parameter.value.is_number() || parameter.number < 0)
      overrides.emplace_back(parameter.name, 1.01 * parameter.number);
  }
  return overrides;
}

std::vector<std::string> as_options(const Overrides& overrides) {
  std::vector<std::string> options;
  for (const auto& [name, value] : overrides) {
    std::ostringstream text;
    text.precision(17);
    text << name << "=" << value;
    options.push_back(text.str());
  }
  return options;
}

class OtherParameters : public testing::TestWithParam<std::string> {};

/// Some lengths longer and others shorter, so that the shape changes and not only the scale.
Overrides uneven(const std::string& file) {
  Overrides overrides = all_one_per_cent_more(file);
  for (std::size_t i = 1; i < overrides.size(); i += 2) overrides[i].second *= 0.99 / 1.01;
  return overrides;
}

TEST_P(OtherParameters, GivenToInitAgreeWithTheOracle) {
  const std::string file = config(GetParam());
  for (const Overrides& overrides : {all_one_per_cent_more(file), uneven(file)}) {
    ASSERT_GE(overrides.size(), 4U);
    const Comparison result = compare_with_oracle(file, overrides, 400, 40, 0.1);
    std::printf("  %zu parameters, %d poses, reach %.2f: position %.1e, velocity %.1e, acceleration %.1e\n",
                overrides.size(), result.compared, result.reach, result.position, result.velocity,
                result.acceleration);
    EXPECT_GE(result.compared, 200);
    EXPECT_LE(std::max({result.position, result.velocity, result.acceleration}), 1e-10) << result.worst;
  }
}

TEST_P(OtherParameters, GivenToTheBuildTakeTheSameCompiledKernel) {
  const std::string file = config(GetParam());
  const fs::path plain = built_folder(file);
  const fs::path other = built_folder(file, as_options(uneven(file)));
  ASSERT_NE(plain, other);
  EXPECT_TRUE(read_text(plain / "kernel.so") == read_text(other / "kernel.so"));
  EXPECT_TRUE(read_text(plain / "kernel.c") == read_text(other / "kernel.c"));
  const auto a = nlohmann::json::parse(read_text(plain / "interface.json"));
  const auto b = nlohmann::json::parse(read_text(other / "interface.json"));
  EXPECT_EQ(a["model_fingerprint"], b["model_fingerprint"]);
  EXPECT_NE(a["parameters"], b["parameters"]);
}

/// The folder's parameters and start values, given to init, are the pose that the offline side assembled.
TEST_P(OtherParameters, OfTheFolderStartTheKernelInTheAssembledPose) {
  const std::string file = config(GetParam());
  const std::vector<std::string> options = as_options(uneven(file));
  const fs::path folder = built_folder(file, options);
  const auto interface = nlohmann::json::parse(read_text(folder / "interface.json"));
  std::vector<double> parameters, start;
  for (const auto& parameter : interface["parameters"]) parameters.push_back(parameter["value"]);
  for (const auto& drive : interface["drives"]) start.push_back(drive["start"]);
  Instance instance(load_kernel(folder / "kernel.so"));
  ASSERT_EQ(instance.init(parameters, start), RODEO_OK);
  const reference::AbsoluteOracle oracle(machine::build_machine_from_file(file, options));
  reference::Vector q;
  ASSERT_TRUE(oracle.try_start(start, q));
  for (std::size_t s = 0; s < instance.k->n_states; ++s) {
    for (std::size_t b = 1; b < oracle.machine().bodies.size(); ++b) {
      if (instance.k->states[s].name != oracle.machine().bodies[b].name + ".angle") continue;
      EXPECT_NEAR(instance.state()[s], static_cast<double>(q[static_cast<Eigen::Index>(3 * b - 1)]), 1e-12);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, OtherParameters, testing::Values("four_bar", "wheel_loader", "excavator"),
                         [](const auto& param_info) { return param_info.param; });

}  // namespace
}  // namespace rodeo::codegen
