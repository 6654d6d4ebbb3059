// SPDX-License-Identifier: MIT
// The same text on every run: five processes of `rodeo equations`, each with its own address layout, which GiNaC's order
// follows and ours must not.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

namespace {

std::string output_of(const std::string& arguments) {
  const std::string command =
      std::string(RODEO_PROGRAM) + " equations " + RODEO_SOURCE_DIR + "/configs/" + arguments + " 2>&1";
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");  // NOLINT(cert-env33-c): our own program
  if (pipe == nullptr) return text;
  std::array<char, 4096> buffer{};
  while (const std::size_t size = fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), size);
  EXPECT_EQ(pclose(pipe), 0) << command << "\n" << text;
  return text;
}

class EquationsText : public testing::TestWithParam<const char*> {};

TEST_P(EquationsText, IsTheSameInFiveProcesses) {
  const std::string first = output_of(GetParam());
  EXPECT_GT(first.size(), 100u);
  for (int run = 1; run < 5; ++run) EXPECT_EQ(output_of(GetParam()), first);
}

INSTANTIATE_TEST_SUITE_P(
    Configs, EquationsText,
    testing::Values("four_bar.yaml --form full", "four_bar.yaml --form full --rod traditional",
                    "double_pendulum.yaml --undriven", "four_bar.yaml --form reduced --format latex",
                    "crank_slider.yaml --form full --format html", "double_pendulum.yaml",
                    "wheel_loader.yaml", "wheel_loader.yaml --form full", "wheel_loader_cylinders.yaml",
                    "graphs/quarter_car.yaml --form full", "graphs/pi_motor.yaml"));

}  // namespace
