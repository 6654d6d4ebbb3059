// SPDX-License-Identifier: MIT
// Lines of a chart: they end where the machine is put elsewhere, and only there.
#include "viz/feed/chart.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rodeo::viz {
namespace {

Scene build_scene() {
  return build_scene_from_text(R"({"name": "one", "bodies": [
    {"name": "ground", "colour": "#808080", "points": {"O": [0, 0]}, "start": [0, 0, 0]},
    {"name": "arm", "colour": "#ff0000", "points": {"O": [0, 0], "T": [1, 0]}, "start": [0, 0, 0]}],
    "joints": [], "drives": [], "outputs": [],
    "measures": [{"name": "level", "unit": "rad", "start": 0}]})",
                               "scene.json");
}

/// An arm that turns for `seconds`, 1000 states a second, and is put back to 0 every `period` of them.
Track build_track(const Scene& scene, int count, int period) {
  Track track(scene);
  for (int i = 0; i < count; ++i) {
    const double angle = 0.002 * (i % period);
    Sample sample = build_start_sample(scene);
    sample.time = 0.001 * i;
    sample.bodies[1].pose = {0, 0, angle};
    sample.measures[0] = {angle, 2};
    track.add(sample);
  }
  return track;
}

TEST(Chart, BreaksAtAReset) {
  const Scene scene = build_scene();
  const Track track = build_track(scene, 6000, 1900);
  for (const char* name : {"arm.angle", "level"}) {
    SCOPED_TRACE(name);
    const Signal signal(scene, name);
    const ChartLines lines = build_chart(track, scene, signal, track.sample(5.9), 10);
    ASSERT_EQ(lines.size(), 4u);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      EXPECT_NEAR(lines[i].front().first, 1.9 * static_cast<double>(i), 1e-9);
      EXPECT_EQ(lines[i].front().second, 0);
      EXPECT_NEAR(lines[i].back().second, i < 3 ? 2 * 1.899 : 2 * 0.2, 1e-9) << "each goes to its end";
      for (std::size_t p = 1; p < lines[i].size(); ++p)
        EXPECT_GE(lines[i][p].second, lines[i][p - 1].second) << "no way back is drawn";
    }
  }
}

TEST(Chart, OfAMotionIsOneLine) {
  const Scene scene = build_scene();
  const Track track = build_track(scene, 3000, 100000);
  const ChartLines lines = build_chart(track, scene, Signal(scene, "level"), track.sample(2.5), 1);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NEAR(lines[0].front().first, 1.5, 2e-3);
  EXPECT_NEAR(lines[0].back().first, 2.5, 1e-9);
  EXPECT_LE(lines[0].size(), 404u);
}

/// A replay that begins again shows what is before its time, not what was shown before.
TEST(Chart, OfAReplayThatBeginsAgainHasNothingOfItsEnd) {
  const Scene scene = build_scene();
  const Track track = build_track(scene, 3000, 100000);
  const ChartLines lines = build_chart(track, scene, Signal(scene, "level"), track.sample(0.25), 10);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NEAR(lines[0].back().second, 0.5, 1e-9);
}

TEST(Signal, OfALengthOrAngleHasItsRate) {
  const Scene scene = build_scene();
  const Track track = build_track(scene, 10, 100);
  EXPECT_EQ(Signal(scene, "level.rate").calc_value(scene, track.sample(0.005)), 2);
  EXPECT_EQ(Signal(scene, "level.rate").unit(), "rad/s");
  EXPECT_NEAR(Signal(scene, "level").calc_value(scene, track.sample(0.0055)), 0.011, 1e-12);
}

}  // namespace
}  // namespace rodeo::viz
