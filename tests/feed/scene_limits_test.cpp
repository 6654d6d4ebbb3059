// SPDX-License-Identifier: MIT
// A scene that one number makes too large is refused before anything is drawn of it: a grid to 1e308 m took 4 GB.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "viz/feed/scene_file.h"

namespace rodeo::viz {
namespace {

std::string scene_with(const std::string& x, const std::string& start) {
  return R"({"name": "one", "bodies": [{"name": "arm", "colour": "#ff0000", "points": {"O": [)" + x +
         R"(, 0]}, "start": [)" + start + R"(, 0, 0]}], "joints": [], "drives": [], "outputs": []})";
}

std::string why_not(const std::string& text) {
  try {
    static_cast<void>(build_scene_from_text(text, "scene.json"));
  } catch (const SceneError& error) {
    return error.what();
  }
  return "";
}

TEST(SceneLimits, CoordinatesAreOfAMachine) {
  EXPECT_EQ(why_not(scene_with("1e6", "-1e6")), "");
  EXPECT_EQ(why_not(scene_with("1e308", "0")),
            "scene.json: body 'arm', point 'O' is 1e+308, and at most 1000000 is shown: build the folder "
            "again with "
            "'rodeo build'");
  EXPECT_THAT(why_not(scene_with("0", "-1.1e6")),
              testing::HasSubstr("body 'arm', start is -1100000.0, and at most"));
}

TEST(SceneLimits, NestingIsRefusedWithoutAStack) {
  EXPECT_THAT(why_not(std::string(1'000'000, '[')), testing::HasSubstr("is cut off or no JSON"));
  EXPECT_THAT(why_not(std::string(1'000'000, '[') + std::string(1'000'000, ']')),
              testing::HasSubstr("is cut off or no JSON"));
}

}  // namespace
}  // namespace rodeo::viz
