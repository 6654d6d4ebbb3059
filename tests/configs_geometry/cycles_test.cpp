// SPDX-License-Identifier: MIT
// The cycles of configs/cycles stay within the limits of their machines, begin at the start pose, repeat, and do what
// their README says. Rates are finite differences: exact for the speed, since input is linear between rows.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "digger.h"

namespace rodeo::configs_geometry {
namespace {

constexpr double kStep = 0.05;        // seconds from row to row
constexpr double kWritten = 1.0e-12;  // decimals of the files

struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

Table read_table(const std::string& name) {
  std::ifstream in(std::string(RODEO_SOURCE_DIR) + "/configs/cycles/" + name + ".csv");
  Table table;
  std::string line;
  std::getline(in, line);
  table.header = split(line);
  while (std::getline(in, line)) table.rows.push_back(split(line));
  return table;
}

using Column = std::vector<double>;

Column find_column(const Table& table, const std::string& name) {
  const auto i = std::ranges::find(table.header, name) - table.header.begin();
  Column column;
  for (const auto& row : table.rows) column.push_back(std::stod(row.at(i)));
  return column;
}

double calc_largest_speed(const Column& q) {
  double largest = 0.0;
  for (std::size_t i = 1; i < q.size(); ++i) largest = std::max(largest, std::abs(q[i] - q[i - 1]) / kStep);
  return largest;
}

/// Repeated without end: the last row is the first.
double calc_largest_acceleration(const Column& q) {
  const std::size_t n = q.size() - 1;
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double second = q[(i + 1) % n] - 2.0 * q[i] + q[(i + n - 1) % n];
    largest = std::max(largest, std::abs(second) / (kStep * kStep));
  }
  return largest;
}

void expect_within(const Column& q, const machine::Drive& drive) {
  EXPECT_GE(*std::ranges::min_element(q), drive.lower.value().value) << drive.name;
  EXPECT_LE(*std::ranges::max_element(q), drive.upper.value().value) << drive.name;
  EXPECT_LE(calc_largest_speed(q), drive.speed.value().value) << drive.name;
  EXPECT_LE(calc_largest_acceleration(q), drive.acceleration.value().value) << drive.name;
}

struct Cycle {
  const char *file, *machine;
  double duration;
};

class Cycles : public testing::TestWithParam<Cycle> {
 protected:
  const Table table_ = read_table(GetParam().file);
  const machine::Machine m_ = build_config(GetParam().machine);
};

TEST_P(Cycles, HaveAColumnForEveryDriveAndARowEvery50Milliseconds) {
  std::vector<std::string> header{"t"};
  for (const machine::Drive& d : m_.drives) header.push_back(d.name);
  EXPECT_EQ(table_.header, header);
  const Column t = find_column(table_, "t");
  for (std::size_t i = 0; i < t.size(); ++i) ASSERT_NEAR(t[i], kStep * double(i), 1e-9);
  EXPECT_NEAR(t.back(), GetParam().duration, 1e-9);
}

TEST_P(Cycles, KeepToRangesSpeedsAndAccelerations) {
  for (const machine::Drive& d : m_.drives) expect_within(find_column(table_, d.name), d);
}

TEST_P(Cycles, EndWhereTheyBegan) {
  for (std::size_t i = 1; i < table_.header.size(); ++i)
    EXPECT_EQ(table_.rows.front()[i], table_.rows.back()[i]);
}

INSTANTIATE_TEST_SUITE_P(All, Cycles,
                         testing::Values(Cycle{"loading", "wheel_loader", 30.0},
                                         Cycle{"loading_cylinders", "wheel_loader_cylinders", 30.0},
                                         Cycle{"digging", "excavator", 20.0}),
                         [](const auto& cycle) { return std::string(cycle.param.file); });

/// Letters of the phases, and when each begins.
std::map<char, double> read_phases() {
  std::map<char, double> phases;
  for (const auto& row : read_table("loading_phases").rows) phases[row.at(1).at(0)] = std::stod(row.at(0));
  return phases;
}

class LoadingCycle : public testing::Test {
 protected:
  const machine::Machine m_ = build_config("wheel_loader");
  const Table table_ = read_table("loading");
  const Column boom_ = find_column(table_, "boom"), tilt_ = find_column(table_, "tilt_lever");
  const std::map<char, double> phases_ = read_phases();

  [[nodiscard]] std::size_t row(char letter) const { return std::lround(phases_.at(letter) / kStep); }
  /// How far a drive goes between two letters; the sum of its steps, so that to and fro would show.
  [[nodiscard]] static double calc_path(const Column& q, std::size_t from, std::size_t to) {
    double path = 0.0;
    for (std::size_t i = from; i < to; ++i) path += std::abs(q[i + 1] - q[i]);
    return path;
  }
  /// One drive goes this way between two letters, without turning back, and the other holds.
  void expect_moves(char from, char to, const Column& moves, const Column& holds, int sign) const {
    const double change = moves[row(to)] - moves[row(from)];
    EXPECT_GT(sign * change, 0.0) << from << to;
    EXPECT_NEAR(calc_path(moves, row(from), row(to)), std::abs(change), 1e-9) << from << to;
    EXPECT_EQ(calc_path(holds, row(from), row(to)), 0.0) << from << to;
  }
  void expect_holds(char from, char to) const {
    EXPECT_EQ(calc_path(boom_, row(from), row(to)), 0.0) << from << to;
    EXPECT_EQ(calc_path(tilt_, row(from), row(to)), 0.0) << from << to;
  }
  /// The bucket's angle, by the two dyads of tests/loader.
  [[nodiscard]] double calc_bucket(double boom, double tilt) const {
    const Vec A = find_point(m_, "ground", "A"), D = find_point(m_, "ground", "D"),
              K = find_point(m_, "bucket", "K");
    const Vec E = A + turned(find_point(m_, "boom", "E"), boom),
              H = A + turned(find_point(m_, "boom", "H"), boom);
    const Vec R = D + turned({find_bar(m_, "tilt_lever", "R"), 0.0}, tilt);
    const Vec S = calc_apex(R, E, find_bar(m_, "rear_strut", "S"), find_bar(m_, "lever", "S"));
    const Vec F = E + turned(find_point(m_, "lever", "F"), calc_angle(S - E));
    const Vec Kw = calc_apex(F, H, find_bar(m_, "front_strut", "K"), calc_length(K));
    return calc_wrapped(calc_angle(Kw - H) - calc_angle(K));
  }
};

TEST_F(LoadingCycle, BeginsAtTheStartOfTheMachine) {
  EXPECT_NEAR(boom_.front(), find_start_drive(m_, "boom"), kWritten);
  EXPECT_NEAR(tilt_.front(), find_start_drive(m_, "tilt_lever"), kWritten);
}

TEST_F(LoadingCycle, HasTheFourteenLettersInOrder) {
  ASSERT_EQ(phases_.size(), 14u);
  EXPECT_EQ(phases_.begin()->first, 'A');
  EXPECT_EQ(phases_.rbegin()->first, 'N');
  EXPECT_EQ(phases_.at('A'), 0.0);
  EXPECT_EQ(phases_.at('N'), 30.0);
  for (char c = 'B'; c <= 'N'; ++c) EXPECT_GT(phases_.at(c), phases_.at(static_cast<char>(c - 1))) << c;
}

// romero-2006, section 6: A-B lower, C-D level, E-F roll back, G-H raise, I-J dump, K-L roll back, M-N lower.
TEST_F(LoadingCycle, MovesAsThePaperSays) {
  expect_moves('A', 'B', boom_, tilt_, -1);
  expect_moves('C', 'D', tilt_, boom_, -1);
  expect_moves('E', 'F', tilt_, boom_, +1);
  expect_moves('G', 'H', boom_, tilt_, +1);
  expect_moves('I', 'J', tilt_, boom_, -1);
  expect_moves('K', 'L', tilt_, boom_, +1);
  expect_moves('M', 'N', boom_, tilt_, -1);
}

TEST_F(LoadingCycle, HoldsInBetween) {
  for (const char* pair : {"BC", "DE", "FG", "HI", "JK", "LM"}) expect_holds(pair[0], pair[1]);
}

TEST_F(LoadingCycle, BucketIsLevelForLoadingRolledBackForCarryingAndDumpsItsLoad) {
  const auto bucket = [&](char letter) { return calc_bucket(boom_[row(letter)], tilt_[row(letter)]); };
  EXPECT_NEAR(bucket('D'), 0.0, 0.05 * kDegree);
  EXPECT_GT(bucket('F'), 40.0 * kDegree);
  EXPECT_GT(bucket('H'), 40.0 * kDegree);
  EXPECT_LT(bucket('J'), -45.0 * kDegree);
  EXPECT_GT(bucket('N'), 40.0 * kDegree);
}

/// Distance from a pin on the ground to an arm that turns about another.
double calc_extent(const machine::Machine& m, const std::string& drive, const std::string& pivot,
                   double angle) {
  const machine::Drive& d = find_named(m.drives, drive);
  const machine::Point &base = m.point(d.first), &arm = m.point(d.second);
  const Vec tip = find_point(m, "ground", pivot) + turned({arm.x.value, arm.y.value}, angle);
  return calc_length(tip - Vec{base.x.value, base.y.value});
}

TEST_F(LoadingCycle, CylindersMakeTheSameMotion) {
  const machine::Machine m = build_config("wheel_loader_cylinders");
  const Table table = read_table("loading_cylinders");
  const Column lift = find_column(table, "lift"), tilt = find_column(table, "tilt");
  ASSERT_EQ(lift.size(), boom_.size());
  for (std::size_t i = 0; i < lift.size(); ++i) {
    ASSERT_NEAR(lift[i], calc_extent(m, "lift", "A", boom_[i]), 2 * kWritten) << i;
    ASSERT_NEAR(tilt[i], calc_extent(m, "tilt", "D", tilt_[i]), 2 * kWritten) << i;
  }
}

TEST(LoadingCylinders, BeginAtTheStartOfTheMachine) {
  const machine::Machine m = build_config("wheel_loader_cylinders");
  const Table table = read_table("loading_cylinders");
  EXPECT_NEAR(find_column(table, "lift").front(), calc_extent(m, "lift", "A", find_start_angle(m, "boom")),
              kWritten);
  EXPECT_NEAR(find_column(table, "tilt").front(),
              calc_extent(m, "tilt", "D", find_start_angle(m, "tilt_lever")), kWritten);
}

class DiggingCycle : public testing::Test {
 protected:
  const machine::Machine m_ = build_config("excavator");
  const Digger d_{m_, "arm", BoomCylinder::below};
  const Table table_ = read_table("digging");
  const Column boom_ = find_column(table_, "boom_cylinder"), arm_ = find_column(table_, "arm_cylinder"),
               bucket_ = find_column(table_, "bucket_cylinder");

  [[nodiscard]] DiggerStance calc_stance(double t) const {
    const std::size_t i = std::lround(t / kStep);
    return d_.calc_stance(boom_[i], arm_[i], bucket_[i]);
  }
};

TEST_F(DiggingCycle, BeginsAtTheStartOfTheMachine) {
  EXPECT_EQ(boom_.front(), find_start_drive(m_, "boom_cylinder"));
  EXPECT_EQ(arm_.front(), find_start_drive(m_, "arm_cylinder"));
  EXPECT_EQ(bucket_.front(), find_start_drive(m_, "bucket_cylinder"));
}

TEST_F(DiggingCycle, ReachesOutDigsCurlsRaisesAndDumps) {
  EXPECT_GT(calc_stance(3.4).tip.x, 9.2);  // reached out, teeth in the ground
  EXPECT_LT(calc_stance(3.4).tip.y, 0.0);
  double deepest = 0.0;
  for (double t = 3.4; t <= 8.6; t += kStep) deepest = std::min(deepest, calc_stance(t).tip.y);
  EXPECT_NEAR(deepest, -1.5, 0.05);
  for (double t = 8.6; t <= 11.4; t += kStep)  // the bucket holds its load: teeth up, towards the machine
    EXPECT_GT(calc_stance(t).bucket, 130.0 * kDegree) << t;
  EXPECT_GT(calc_stance(11.6).H.y, 3.5);
  EXPECT_GT(calc_stance(14.8).tip.y, 2.5);  // dumped, over a lorry's side
  EXPECT_GT(calc_stance(14.8).bucket, -30.0 * kDegree);
}

}  // namespace
}  // namespace rodeo::configs_geometry
