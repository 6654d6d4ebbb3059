// SPDX-License-Identifier: MIT
// Units, panels, legends and phases, on logs written by hand.
#include "viz/plot/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/io/input.h"
#include "viz/plot/units.h"

namespace rodeo::plot {
namespace {

using testing::ElementsAre;

/// Two bodies; the drive `boom` is one's angle, `wrist` the difference of both, `lift` a length.
Table build_log(const std::string& name = "out/log.csv") {
  Table log{name,
            {"t", "boom", "wrist", "lift", "boom.angle", "bucket.angle", "boom.rate", "tip.x", "tip.y",
             "residual", "lift.length", "lift.acceleration", "boom.acceleration", "boom.origin.x", "margin"},
            {}};
  log.columns.resize(log.names.size());
  for (int i = 0; i <= 100; ++i) {
    const double t = 0.1 * i, a = 0.2 * t, b = 1 - 0.3 * t;
    const double row[] = {
        t, a, b - a, 1.5 + 0.1 * t, a, b, 0.2, 3 * std::cos(a), 3 * std::sin(a), 1e-16, 0, 0, 0, 0, 1};
    for (std::size_t c = 0; c < log.names.size(); ++c) log.columns[c].push_back(row[c]);
  }
  return log;
}

TEST(Units, FollowFromTheNamesOfALog) {
  const Table log = build_log();
  const auto si = [&](const std::string& column) { return find_unit(log, column, false).si; };
  EXPECT_EQ(si("t"), "s");
  EXPECT_EQ(si("boom.angle"), "rad");
  EXPECT_EQ(si("boom.rate"), "rad/s");
  EXPECT_EQ(si("boom.acceleration"), "rad/s²");
  EXPECT_EQ(si("lift.acceleration"), "m/s²");
  EXPECT_EQ(si("lift.length"), "m");
  EXPECT_EQ(si("tip.x"), "m");
  EXPECT_EQ(si("boom.origin.x"), "m");
  EXPECT_EQ(si("margin"), "");
}

TEST(Units, OfLoadsFollowFromTheirNames) {
  const Table log{
      "log.csv", {"t", "pin.fx", "lift.force", "boom.torque", "energy.kinetic", "power.lost"}, {}};
  const auto label = [&](const std::string& column) {
    return build_label(column, find_unit(log, column, false));
  };
  EXPECT_EQ(label("pin.fx"), "pin.fx (N)");
  EXPECT_EQ(label("lift.force"), "lift.force (N)");
  EXPECT_EQ(label("boom.torque"), "boom.torque (N m)");
  EXPECT_EQ(label("energy.kinetic"), "energy.kinetic (J)");
  EXPECT_EQ(label("power.lost"), "power.lost (W)");
  EXPECT_EQ(find_unit(log, "energy.kinetic", false).quantity, "energy");
}

TEST(Units, OfFreeMotionAndOfComparisonsFollowFromTheirNames) {
  const Table log{
      "log.csv", {"t", "energy", "energy_error", "rc.piston.rate.x", "rc.rod.angle", "rc.rod.rate"}, {}};
  const auto si = [&](const std::string& column) { return find_unit(log, column, false).si; };
  EXPECT_EQ(si("energy"), "J");
  EXPECT_EQ(si("energy_error"), "J");
  EXPECT_EQ(si("rc.piston.rate.x"), "m/s");
  EXPECT_EQ(si("rc.rod.rate"), "rad/s");
  EXPECT_FALSE(is_drive("energy_error"));
}

TEST(Units, OfMachinesInSpaceFollowFromTheirNames) {
  const Table log{"log.csv", {"t", "pin.angle", "rail.slide", "arm.wx", "arm.wx.rate", "tip.z"}, {}};
  const auto si = [&](const std::string& column) { return find_unit(log, column, false).si; };
  EXPECT_EQ(si("rail.slide"), "m");
  EXPECT_EQ(si("tip.z"), "m");
  EXPECT_EQ(si("arm.origin.vz"), "m/s");
  EXPECT_EQ(si("tip.az"), "m/s²");
  EXPECT_EQ(si("arm.wx"), "rad/s");
  EXPECT_EQ(si("arm.wx.rate"), "rad/s²");
  EXPECT_EQ(si("pin.fz"), "N");
  EXPECT_EQ(si("pin.mx"), "N m");
  EXPECT_EQ(si("arm.qw"), "");
}

TEST(Units, OfADriveFollowFromItsValues) {
  const Table log = build_log();
  EXPECT_EQ(find_unit(log, "boom", false).si, "rad");
  EXPECT_EQ(find_unit(log, "wrist", false).si, "rad");
  EXPECT_EQ(find_unit(log, "lift", false).si, "m");
  const Table cycle{"loading.csv", {"t", "boom"}, {{0, 1}, {0, 1}}};
  EXPECT_EQ(find_unit(cycle, "boom", false).si, "") << "an input cycle does not tell";
}

TEST(Units, OfADriveThatRestsAtZeroAreNotGuessed) {
  const Table log{"log.csv", {"t", "slide", "a.angle", "b.angle"}, {{0, 1}, {0, 0}, {0, 1}, {0, 1}}};
  EXPECT_EQ(find_unit(log, "slide", false).si, "") << "the difference of two equal angles is 0 too";
}

TEST(Units, ShowAnglesInDegreesUnlessRadiansAreAskedFor) {
  const Table log = build_log();
  const Unit degrees = find_unit(log, "boom.rate", false);
  EXPECT_EQ(build_label("boom.rate", degrees), "boom.rate (deg/s)");
  EXPECT_DOUBLE_EQ(degrees.factor, 180 / std::numbers::pi);
  const Unit radians = find_unit(log, "boom.rate", true);
  EXPECT_EQ(build_label("boom.rate", radians), "boom.rate (rad/s)");
  EXPECT_EQ(radians.factor, 1);
}

std::vector<std::string> y_labels(const Figure& figure) {
  std::vector<std::string> labels;
  for (const Panel& panel : figure.panels) labels.push_back(panel.y_label);
  return labels;
}

TEST(Layout, PutsDrivesAndOutputsIntoPanelsByThemselves) {
  const Figure figure = build_figure({build_log()}, {});
  EXPECT_THAT(y_labels(figure), ElementsAre("angle (deg)", "lift (m)", "position (m)"));
  EXPECT_EQ(figure.panels[0].series.size(), 2U);
  EXPECT_EQ(figure.panels[2].series[1].name, "tip.y");
  EXPECT_EQ(figure.panels[0].x_label, "time (s)");
}

TEST(Layout, DrawsAllThreeCoordinatesOfAnOutputInSpace) {
  const Table log{
      "log.csv", {"t", "tip.x", "tip.y", "tip.z", "arm.origin.z"}, {{0, 1}, {0, 1}, {0, 2}, {0, 3}, {0, 4}}};
  const Figure figure = build_figure({log}, {});
  ASSERT_EQ(figure.panels.size(), 1U);
  ASSERT_EQ(figure.panels[0].series.size(), 3U);
  EXPECT_EQ(figure.panels[0].series[2].name, "tip.z");
}

TEST(Layout, SharesAPanelAmongColumnsOfOneUnit) {
  const Figure figure =
      build_figure({build_log()}, {.y = {"boom.angle", "tip.y", "bucket.angle", "boom.rate", "boom.angle"}});
  EXPECT_THAT(y_labels(figure), ElementsAre("angle (deg)", "tip.y (m)", "boom.rate (deg/s)"));
  ASSERT_EQ(figure.panels[0].series.size(), 2U) << "asked for twice, drawn once";
  EXPECT_EQ(figure.panels[0].series[1].name, "bucket.angle");
  EXPECT_EQ(figure.panels[1].series[0].name, "") << "the axis says it";
  EXPECT_NEAR(figure.panels[0].series[0].y.back(), 2.0 * 180 / std::numbers::pi, 1e-9);
}

TEST(Layout, LaysLogsOverEachOtherAndNamesThem) {
  const std::vector<Table> logs{build_log("a/one.csv"), build_log("b/two.csv")};
  const Figure one = build_figure(logs, {.y = {"tip.y"}});
  EXPECT_EQ(one.panels[0].series[0].name, "one");
  EXPECT_EQ(one.panels[0].series[1].name, "two");
  EXPECT_NE(one.panels[0].series[0].dash, one.panels[0].series[1].dash);
  const Figure two = build_figure(logs, {.y = {"tip.x", "tip.y"}});
  EXPECT_EQ(two.panels[0].series[3].name, "two: tip.y");
  EXPECT_THAT(build_log_names({build_log("a/x.csv"), build_log("b/x.csv")}),
              ElementsAre("a/x.csv", "b/x.csv"));
}

TEST(Layout, MakesAPathOfTwoLengthsToScale) {
  const Figure path = build_figure({build_log()}, {.x = "tip.x", .y = {"tip.y"}});
  EXPECT_TRUE(path.panels[0].is_equal);
  EXPECT_EQ(path.panels[0].x_label, "tip.x (m)");
  EXPECT_FALSE(build_figure({build_log()}, {.x = "boom.angle", .y = {"tip.y"}}).panels[0].is_equal);
}

TEST(Layout, MarksPhasesByLinesOverTimeAndWithinTheLogOnly) {
  const Figure figure = build_figure(
      {build_log()},
      {.y = {"tip.y"}, .phases = {{-1, "early"}, {0, "A"}, {4.25, "B"}, {10, "N"}, {11, "late"}}});
  const auto& marks = figure.panels[0].marks;
  ASSERT_EQ(marks.size(), 3U);
  EXPECT_EQ(marks[1].x, 4.25);
  EXPECT_FALSE(marks[1].y.has_value());
  EXPECT_EQ(marks[2].text, "N");
}

TEST(Layout, MarksPhasesOnAPathWhereTheOutputIsThen) {
  const Figure figure = build_figure(
      {build_log()}, {.x = "tip.x", .y = {"tip.y"}, .phases = {{0, "A"}, {0.01, "B"}, {5, "C"}}});
  const auto& marks = figure.panels[0].marks;
  ASSERT_EQ(marks.size(), 2U);
  EXPECT_EQ(marks[0].text, "A B") << "at one place";
  EXPECT_NEAR(marks[1].x, 3 * std::cos(1.0), 1e-3);
  EXPECT_NEAR(*marks[1].y, 3 * std::sin(1.0), 1e-3);
}

TEST(Layout, TakesMagnitudesAsPowersOfTenAndZeroAsAGap) {
  const Table log{"log.csv", {"t", "error"}, {{0, 1, 2, 3}, {0, -1e-3, 10, 1e-12}}};
  const Figure figure = build_figure({log}, {.y = {"error"}, .log = true});
  ASSERT_TRUE(figure.panels[0].is_log);
  const std::vector<double>& y = figure.panels[0].series[0].y;
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_NEAR(y[1], -3, 1e-12);
  EXPECT_NEAR(y[2], 1, 1e-12);
  EXPECT_NEAR(y[3], -12, 1e-12);
}

TEST(Layout, RefusesAColumnThatOneOfTheLogsHasNot) {
  Table other{"short.csv", {"t", "tip.x"}, {{0, 1}, {0, 1}}};
  try {
    (void)build_figure({build_log(), other}, {.y = {"tip.y"}});
    FAIL();
  } catch (const engine::IoError& error) {
    EXPECT_STREQ(error.what(), "short.csv: there is no column 'tip.y' (the nearest are tip.x, t)");
  }
}

TEST(Frame, MakesAMetreAsLongOnBothAxes) {
  const Frame frame = calc_equal({{0, 4}, {0, 1}}, 800, 400);
  EXPECT_DOUBLE_EQ((frame.x.high - frame.x.low) / 800, (frame.y.high - frame.y.low) / 400);
  EXPECT_LE(frame.y.low, 0);
  EXPECT_GE(frame.y.high, 1);
}

TEST(Frame, HasRoomForAFlatCurve) {
  Panel panel;
  panel.series.push_back({"", {0, 1}, {2, 2}});
  const Frame frame = calc_frame(panel);
  EXPECT_LT(frame.y.low, 2);
  EXPECT_GT(frame.y.high, 2);
}

}  // namespace
}  // namespace rodeo::plot
