// SPDX-License-Identifier: MIT
// The site files that come with Rodeo, and the one in the page that describes them.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "engine/net/site.h"

namespace rodeo::engine {
namespace {

const std::vector<Channel> kDrives{{"lift", "m"}, {"tilt", "m"}};

TEST(SiteExamples, OfConfigsCountsMillimetresOfExtension) {
  const auto site =
      build_site_from_file(RODEO_SOURCE_DIR "/configs/sites/wheel_loader_cylinders_mm.yaml", kDrives);
  EXPECT_DOUBLE_EQ(site[0].calc_position(760), 1.230 + 0.760) << "the stroke of the lift cylinder";
  EXPECT_DOUBLE_EQ(site[1].calc_position(0), 1.024) << "retracted";
  EXPECT_DOUBLE_EQ(site[1].calc_rate(-250), -0.25);
}

TEST(SiteExamples, OfThePageIsReadAsItSays) {
  std::ifstream file(RODEO_SOURCE_DIR "/engine/net/SITE.md");
  std::ostringstream page;
  page << file.rdbuf();
  const std::string text = page.str();
  const std::size_t begin = text.find("```yaml\n") + 8;
  const auto site =
      build_site_from_text(text.substr(begin, text.find("```", begin) - begin), "SITE.md", kDrives);
  EXPECT_DOUBLE_EQ(site[0].calc_position(500), 1.73);
  EXPECT_DOUBLE_EQ(site[1].calc_position(500), -0.5);
  EXPECT_DOUBLE_EQ(site[1].calc_rate(500), -0.5);
}

}  // namespace
}  // namespace rodeo::engine
