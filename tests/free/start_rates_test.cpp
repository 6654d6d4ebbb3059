// SPDX-License-Identifier: MIT
// Start rates: those that are named are met, the others are 0 where the joints allow it, and `check` lists them all. By hand.
#include <map>

#include "tests/free/machine_program.h"

namespace rodeo::codegen {
namespace {

class StartRatesProgram : public MachineProgram {
 protected:
  /// Of the first row, by name.
  [[nodiscard]] std::map<std::string, double> read_start(const std::string& how) const {
    const std::string told = rodeo("simulate m.yaml " + how + " --duration 0 --columns all -o log.csv");
    EXPECT_NE(told.find("status 0"), std::string::npos) << told;
    std::ifstream file(folder.path() / "log.csv");
    std::string header, row, name, value;
    std::getline(file, header);
    std::getline(file, row);
    std::istringstream names(header), values(row);
    std::map<std::string, double> start;
    while (std::getline(names, name, ',') && std::getline(values, value, ',')) start[name] = std::stod(value);
    return start;
  }
  /// In the plane by kernel and method, and in space by both.
  template <typename Claim>
  void for_all(const std::string& machine, const Claim& claim) const {
    for (const std::string how : {"", "--method minimal", "--method lagrange"}) {
      write(machine);
      SCOPED_TRACE("plane " + how);
      claim(read_start(how), false);
      write(machine + "space: 3\n");
      SCOPED_TRACE("space " + how);
      claim(read_start(how), true);
    }
  }
};

using Values = std::map<std::string, double>;

double rate(const Values& start, const std::string& body, bool is_space) {
  return start.at(body + (is_space ? ".wz" : ".rate"));
}

const std::string kChain = R"(name: chain
ground: {points: {O: [0, 0]}}
bodies:
  a: {points: {O: [0, 0], B: [0.5, 0]}, mass: 2, com: [0.2, 0.05], inertia: 0.05}
  b: {points: {B: [0, 0], C: [0.4, 0]}, mass: 1, com: [0.2, 0], inertia: 0.02}
  c: {points: {C: [0, 0], D: [0.3, 0]}, mass: 3, com: [0.1, 0], inertia: 0.01}
joints: [{revolute: [ground.O, a.O]}, {revolute: [a.B, b.B]}, {revolute: [b.C, c.C]}]
gravity: [0, -9.81]
start: {a: -10 deg, b: 0, c: 20 deg, rates: {a: 1}}
)";

TEST_F(StartRatesProgram, BodiesOfAChainThatAreNotNamedDoNotTurn) {
  for_all(kChain, [](const Values& start, bool is_space) {
    EXPECT_NEAR(rate(start, "a", is_space), 1, 1e-12);
    EXPECT_NEAR(rate(start, "b", is_space), 0, 1e-12);
    EXPECT_NEAR(rate(start, "c", is_space), 0, 1e-12);
  });
}

TEST_F(StartRatesProgram, ASlideThatIsNotNamedIsAtRest) {
  for_all(R"(name: cart
ground: {points: {O: [0, 0]}}
bodies:
  cart: {points: {O: [0, 0]}, mass: 2, com: [0, 0], inertia: 0.05}
  rod: {points: {O: [0, 0], B: [0.4, 0]}, mass: 1, com: [0.2, 0], inertia: 0.02}
joints: [{prismatic: [ground.O, cart.O], direction: [1, 0], angle: 0, name: rail}, {revolute: [cart.O, rod.O]}]
gravity: [0, -9.81]
start: {rod: -60 deg, rates: {rod: 2}}
)",
          [](const Values& start, bool is_space) {
            EXPECT_NEAR(rate(start, "rod", is_space), 2, 1e-12);
            EXPECT_NEAR(start.at("energy.kinetic"), 0.5 * (0.02 + 0.2 * 0.2) * 4, 1e-12);
          });
}

/// a and b stand upright, c and d lean to each other: ω_d = -ω_c and ω_b = ω_a + 2 ω_c, so that
/// ω_b² + ω_c² + ω_d² = (1 + 2 ω_c)² + 2 ω_c² is least for ω_c = -1/3. What hangs on c keeps its angle.
TEST_F(StartRatesProgram, OfALoopHaveTheLeastSumOfSquares) {
  for_all(R"(name: five_bar
parameters: {r: sqrt(2)}
ground: {points: {O: [0, 0], Q: [2, 0]}}
bodies:
  a: {points: {O: [0, 0], A: [1, 0]}, mass: 1, com: [0.5, 0], inertia: 0.02}
  b: {points: {Q: [0, 0], B: [1, 0]}, mass: 7, com: [0.5, 0], inertia: 0.02}
  c: {points: {A: [0, 0], C: [r, 0], E: [0.7, 0]}, mass: 3, com: [0.2, 0], inertia: 0.02}
  d: {points: {B: [0, 0], C: [r, 0]}, mass: 1, com: [0.2, 0], inertia: 0.2}
  e: {points: {E: [0, 0]}, mass: 1, com: [0.3, 0], inertia: 0.1}
gravity: [0, -9.81]
joints:
  - {revolute: [ground.O, a.O]}
  - {revolute: [ground.Q, b.Q]}
  - {revolute: [a.A, c.A]}
  - {revolute: [b.B, d.B]}
  - {revolute: [c.C, d.C]}
  - {revolute: [c.E, e.E]}
start: {a: 90 deg, b: 90 deg, c: 45 deg, d: 135 deg, e: 10 deg, rates: {a: 1}}
)",
          [](const Values& start, bool is_space) {
            EXPECT_NEAR(rate(start, "a", is_space), 1, 1e-9);
            EXPECT_NEAR(rate(start, "b", is_space), 1.0 / 3, 1e-9);
            EXPECT_NEAR(rate(start, "c", is_space), -1.0 / 3, 1e-9);
            EXPECT_NEAR(rate(start, "d", is_space), 1.0 / 3, 1e-9);
            EXPECT_NEAR(rate(start, "e", is_space), 0, 1e-9);
          });
}

/// Where rates are those of joints the others are too: b turns with a.
TEST_F(StartRatesProgram, OfJointsInSpaceLeaveTheOtherJointsAtRest) {
  write(R"(name: arm
ground: {points: {O: [0, 0, 0]}}
bodies:
  a: {points: {O: [0, 0, 0], B: [0.4, 0, 0]}, mass: 5, com: [0.2, 0, 0], inertia: [0.01, 0.1, 0.1]}
  b: {points: {B: [0, 0, 0], C: [0.3, 0, 0]}, mass: 3, com: [0.15, 0, 0], inertia: [0.01, 0.05, 0.05]}
joints:
  - {revolute: [ground.O, a.O], name: j1}
  - {revolute: [a.B, b.B], name: j2}
start: {j1: 20 deg, j2: 40 deg, rates: {j1: 1}}
gravity: [0, 0, -9.81]
)");
  for (const std::string how : {"", "--method minimal"}) {
    const Values start = read_start(how);
    EXPECT_NEAR(start.at("a.wz"), 1, 1e-12) << how;
    EXPECT_NEAR(start.at("b.wz"), 1, 1e-12) << how;
  }
  EXPECT_NE(rodeo("check m.yaml").find("j1 1, j2 0"), std::string::npos) << rodeo("check m.yaml");
}

TEST_F(StartRatesProgram, AreListedByCheck) {
  write(kChain);
  const std::string told = rodeo("check m.yaml");
  EXPECT_NE(told.find("rates at the start        a 1, b 0, c 0 (rad/s, m/s)"), std::string::npos) << told;
  write(std::regex_replace(kChain, std::regex(", rates: \\{a: 1\\}"), ""));
  EXPECT_EQ(rodeo("check m.yaml").find("rates at the start"), std::string::npos);
}

}  // namespace
}  // namespace rodeo::codegen
