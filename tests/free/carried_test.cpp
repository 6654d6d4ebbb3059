// SPDX-License-Identifier: MIT
// Loops on a body that nobody drives and nothing holds: the common velocity cancels around the loop. What no force changes is
// the oracle: momentum along a rail, the fall of the common centre of mass.
#include "tests/free/machine_program.h"

namespace rodeo::codegen {
namespace {

using CarriedLoop = MachineProgram;

constexpr double kMasses[] = {10, 1, 2, 1.5};
constexpr double kMass = 14.5;
constexpr double kGravity = 9.81;

/// A four-bar on a cart; its outputs are the bodies' centres of mass.
std::string build_cart(const std::string& rail) {
  return R"(name: carried
ground: {points: {G: [0, 0]}}
bodies:
  cart: {points: {S: [0, 0], A: [0, 1], B: [1, 1]}, mass: 10, com: [0, 0], inertia: 1}
  l1: {points: {A: [0, 0], C: [0.5, 0], M: [0.25, 0]}, mass: 1, com: [0.25, 0], inertia: 0.02}
  l2: {points: {C: [0, 0], D: [1.2, 0], M: [0.6, 0]}, mass: 2, com: [0.6, 0], inertia: 0.2}
  l3: {points: {B: [0, 0], D: [0.9, 0], M: [0.45, 0]}, mass: 1.5, com: [0.45, 0], inertia: 0.1}
joints:
)" + rail +
         R"(  - {revolute: [cart.A, l1.A], name: a}
  - {revolute: [cart.B, l3.B], name: b}
  - {revolute: [l1.C, l2.C], name: c}
  - {revolute: [l2.D, l3.D], name: d}
start: {l1: -100 deg, l3: -80 deg, l2: 0, rates: {l1: 2}}
gravity: [0, -9.81]
outputs: {g0: cart.S, g1: l1.M, g2: l2.M, g3: l3.M}
)";
}

/// Of a row: the common centre of mass, from the last columns before the residual.
double calc_centre(const std::vector<double>& row, const std::vector<std::size_t>& columns) {
  double sum = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) sum += kMasses[i] * row[columns[i]];
  return sum / kMass;
}

std::vector<std::size_t> find_columns(const std::string& header, const std::string& axis) {
  std::vector<std::size_t> found;
  std::istringstream fields(header);
  std::string field;
  for (std::size_t i = 0; std::getline(fields, field, ','); ++i) {
    if (field[0] == 'g' && field.ends_with(axis)) found.push_back(i);
  }
  return found;
}

TEST_F(CarriedLoop, OnARailKeepsItsMomentum) {
  write(build_cart("  - {prismatic: [ground.G, cart.S], direction: [1, 0], name: rail}\n"));
  EXPECT_NE(rodeo("check m.yaml").find("status 0"), std::string::npos);
  for (const std::string method : {"", "--method minimal "}) {
    ASSERT_NE(rodeo("simulate m.yaml " + method + "--duration 2 --columns all -o log.csv").find("status 0"),
              std::string::npos);
    std::string header;
    std::getline(std::ifstream(folder.path() / "log.csv"), header);
    const auto columns = find_columns(header, ".x");
    ASSERT_EQ(columns.size(), 4U) << header;
    const auto rows = read_rows("log.csv");
    const double rate = (calc_centre(rows[1], columns) - calc_centre(rows[0], columns)) / rows[1][0];
    for (const auto& row : rows)
      ASSERT_NEAR(calc_centre(row, columns), calc_centre(rows[0], columns) + rate * row[0], 1e-9) << row[0];
  }
}

TEST_F(CarriedLoop, InFreeFlightFallsAsAPoint) {
  write(build_cart(""));
  EXPECT_NE(rodeo("check m.yaml").find("status 0"), std::string::npos);
  ASSERT_NE(rodeo("simulate m.yaml --duration 1 --columns all -o log.csv").find("status 0"),
            std::string::npos);
  std::string header;
  std::getline(std::ifstream(folder.path() / "log.csv"), header);
  const auto columns = find_columns(header, ".y");
  ASSERT_EQ(columns.size(), 4U) << header;
  const auto rows = read_rows("log.csv");
  const auto fall = [&](std::size_t i) {
    return calc_centre(rows[i], columns) + kGravity * rows[i][0] * rows[i][0] / 2;
  };
  const double rate = (fall(1) - fall(0)) / rows[1][0];
  for (std::size_t i = 0; i < rows.size(); ++i)
    ASSERT_NEAR(fall(i), fall(0) + rate * rows[i][0], 1e-9) << rows[i][0];
}

}  // namespace
}  // namespace rodeo::codegen
