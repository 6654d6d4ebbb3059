// SPDX-License-Identifier: MIT
// Where a machine was put elsewhere, a track is not joined: nothing is drawn between.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "viz/feed/track.h"

namespace rodeo::viz {
namespace {

/// The ground and a body that swings on a circle of 1 m, 100 states a second, and is reset to angle 0 at some of them.
Track build_track(const std::vector<std::size_t>& resets, double rate = 1.5) {
  Track track(2, 0);
  double angle = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    const bool is_reset = std::find(resets.begin(), resets.end(), i) != resets.end();
    angle = is_reset ? 0 : angle + 0.01 * rate * std::min(1.0, static_cast<double>(i) / 20);
    Sample sample;
    sample.time = 0.01 * static_cast<double>(i);
    sample.bodies.resize(2);
    sample.bodies[1].pose = {std::cos(angle), std::sin(angle), angle};
    track.add(sample);
  }
  return track;
}

TEST(Track, OfAMotionIsJoinedEverywhere) {
  for (const double rate : {0.01, 1.5, 30.0}) {
    const Track track = build_track({}, rate);
    for (std::size_t r = 0; r < track.count(); ++r) EXPECT_TRUE(track.is_joined(r)) << rate << ": " << r;
  }
}

TEST(Track, OfAResetIsNotJoinedThereAndNowhereElse) {
  const Track track = build_track({120, 250});
  for (std::size_t r = 0; r < track.count(); ++r) EXPECT_EQ(track.is_joined(r), r != 120 && r != 250) << r;
  const Sample before = track.row(119), between = track.sample(0.01 * 119.5);
  EXPECT_EQ(between.bodies[1].pose.angle, before.bodies[1].pose.angle)
      << "no way between: it stays until then";
  EXPECT_EQ(track.sample(0.01 * 120).bodies[1].pose.angle, 0);
}

TEST(Track, ForgetsItsBreaksWithItsRows) {
  Track track = build_track({120});
  track.forget_before(1.0);
  EXPECT_FALSE(track.is_joined(20));
  EXPECT_TRUE(track.is_joined(19));
  track.clear();
  EXPECT_TRUE(track.empty());
}

/// The live end: a reset is known when it arrives, and stays known when the next state does.
TEST(Track, SeesAResetAtOnce) {
  Track track = build_track({299});
  EXPECT_FALSE(track.is_joined(299));
  Sample next = track.row(299);
  next.time += 0.01;
  track.add(next);
  EXPECT_FALSE(track.is_joined(299));
  EXPECT_TRUE(track.is_joined(300));
}

/// Rows a second apart say nothing of the motion between them.
TEST(Track, OfSparseStatesIsJoined) {
  Track track(1, 0);
  for (int i = 0; i < 5; ++i) {
    Sample sample;
    sample.time = i;
    sample.bodies.resize(1);
    sample.bodies[0].pose.x = i < 2 ? 0 : 3;
    track.add(sample);
  }
  EXPECT_TRUE(track.is_joined(2));
  EXPECT_EQ(track.sample(1.5).bodies[0].pose.x, 1.5);
}

}  // namespace
}  // namespace rodeo::viz
