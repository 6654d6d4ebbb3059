// SPDX-License-Identifier: MIT
#include "viz/plot/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "engine/io/input.h"

namespace rodeo::plot {
namespace {

using testing::ElementsAre;

Table table_of(const std::string& text) {
  std::istringstream in(text);
  return build_table(in, "log.csv");
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const engine::IoError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Table, HasTheColumnsOfALog) {
  const Table table = table_of("# a comment\nt, boom ,tip.x\r\n0,1,2\n\n0.5,-1e-3,+4\n");
  EXPECT_THAT(table.names, ElementsAre("t", "boom", "tip.x"));
  EXPECT_EQ(table.row_count(), 2U);
  EXPECT_THAT(table.at("boom"), ElementsAre(1, -1e-3));
  EXPECT_THAT(table.at("tip.x"), ElementsAre(2, 4));
}

TEST(Table, TakesNanAndInfForGaps) {
  const Table table = table_of("t,a\n0,nan\n1,inf\n2,3\n");
  EXPECT_TRUE(std::isnan(table.at("a")[0]));
  EXPECT_TRUE(std::isnan(table.at("a")[1]));
  EXPECT_EQ(table.at("a")[2], 3);
}

TEST(Table, SaysWhatIsWrongWithFileAndLine) {
  EXPECT_EQ(error_of([] { table_of(""); }),
            "log.csv: is empty: a log has a header and rows, as 'rodeo simulate' writes it");
  EXPECT_EQ(error_of([] { table_of("t,a\n"); }), "log.csv: has no rows under its header");
  EXPECT_EQ(error_of([] { table_of("t,a\n0,1\n1,up\n"); }), "log.csv:3: 'a' is 'up', not a number");
  EXPECT_EQ(error_of([] { table_of("t,a\n0,1\n1,\n"); }),
            "log.csv:3: 'a' is empty: every row needs every value");
  EXPECT_EQ(error_of([] { table_of("t,a\n0\n"); }), "log.csv:2: 1 value, the header has 2 columns");
  EXPECT_EQ(error_of([] { table_of("t,a,a\n0,1,2\n"); }), "log.csv:1: the header has the column 'a' twice");
  EXPECT_EQ(error_of([] { table_of("t,,a\n0,1,2\n"); }), "log.csv:1: a column of the header has no name");
  EXPECT_EQ(error_of([] { (void)build_table_from_file("/nowhere/x.csv"); }),
            "cannot read '/nowhere/x.csv': No such file or directory");
}

TEST(Table, NamesTheNearestColumns) {
  const Table table = table_of("t,boom.angle,bucket.angle,boom.rate,tip.x\n0,0,0,0,0\n");
  EXPECT_EQ(error_of([&] { (void)table.at("bom.angle"); }),
            "log.csv: there is no column 'bom.angle' (the nearest are boom.angle, bucket.angle, boom.rate)");
  EXPECT_THAT(find_nearest(table.names, "boom", 2), ElementsAre("boom.rate", "boom.angle"));
}

std::vector<Phase> phases_of(const std::string& text) {
  std::istringstream in(text);
  return build_phases(in, "phases.csv");
}

TEST(Phases, HaveTimesAndNames) {
  const auto phases = phases_of("t,phase\n0,A\n1.5,to the heap\n");
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[1].t, 1.5);
  EXPECT_EQ(phases[1].name, "to the heap");
}

TEST(Phases, SayWhatIsWrong) {
  EXPECT_EQ(error_of([] { phases_of("time,letter\n0,A\n"); }),
            "phases.csv: the first line of a file of phases must be 't,phase'");
  EXPECT_EQ(error_of([] { phases_of("t,phase\n2,A\n1,B\n"); }),
            "phases.csv:3: time runs backwards, from 2 to 1 s");
  EXPECT_EQ(error_of([] { phases_of("t,phase\nsoon,A\n"); }), "phases.csv:2: 't' is 'soon', not a number");
}

}  // namespace
}  // namespace rodeo::plot
