// SPDX-License-Identifier: MIT
// The channel files that come with Rodeo join without a gap, and the one in the page that describes them is read.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/kernel/build_kernel.h"
#include "viz/app/channel_file.h"

namespace rodeo::viz {
namespace {

constexpr double kDegree = 3.14159265358979323846 / 180;

TEST(ChannelExamples, OfConfigsJoinWithoutAGap) {
  const std::string folder = RODEO_SOURCE_DIR "/configs/channels/";
  const Channel left = build_channel(folder + "left.yaml"), centre = build_channel(folder + "centre.yaml"),
                right = build_channel(folder + "right.yaml");
  const auto& window = *centre.window;
  const double half = std::atan(std::tan(*centre.field_of_view / 2) * window[2] / window[3]);
  EXPECT_NEAR(left.yaw, 2 * half, 0.05 * kDegree) << "one horizontal field of view";
  EXPECT_EQ(right.yaw, -left.yaw);
  EXPECT_EQ((*left.window)[0] + (*left.window)[2], window[0]) << "side by side";
  EXPECT_EQ(window[0] + window[2], (*right.window)[0]);
}

TEST(ChannelExamples, OfThePageIsReadAsItSays) {
  std::ifstream file(RODEO_SOURCE_DIR "/viz/app/CHANNEL.md");
  std::ostringstream page;
  page << file.rdbuf();
  const std::string text = page.str();
  const std::size_t begin = text.find("```yaml\n") + 8;
  const engine::testing_support::TemporaryFolder folder;
  engine::testing_support::write_file(folder / "channel.yaml",
                                      text.substr(begin, text.find("```", begin) - begin));
  const Channel channel = build_channel((folder / "channel.yaml").string());
  EXPECT_NEAR(channel.yaw, 40 * kDegree, 1e-12);
  EXPECT_NEAR(*channel.field_of_view, 45 * kDegree, 1e-12);
  EXPECT_EQ((*channel.window)[3], 1024);
}

}  // namespace
}  // namespace rodeo::viz
