// SPDX-License-Identifier: MIT
// A ram that falls on a floor with spring and damper, against its closed form: the instant of touch is found the better the higher the rate.
#include "tests/free/machine_program.h"

namespace rodeo::codegen {
namespace {

using TouchProgram = MachineProgram;

constexpr double kG = 9.81, kM = 10, kK = 2e4, kD = 100, kHeight = 0.5;

struct Flight {
  double y, v;
};

/// On the floor: m y'' = -k y - d y' - m g, from y = 0 at speed v.
Flight calc_on_floor(double v, double t) {
  const double rest = -kM * kG / kK, a = kD / (2 * kM), w = std::sqrt(kK / kM - a * a);
  const double A = -rest, B = (v + a * A) / w, e = std::exp(-a * t), c = std::cos(w * t), s = std::sin(w * t);
  return {rest + e * (A * c + B * s), e * ((w * B - a * A) * c - (w * A + a * B) * s)};
}

/// At t after the first bounce and before the second: the floor lets go where -k y - d y' = 0.
double calc_height(double t) {
  const double touch = std::sqrt(2 * kHeight / kG), v = -kG * touch;
  double low = 1e-3, high = M_PI / std::sqrt(kK / kM);
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    const Flight at = calc_on_floor(v, middle);
    (-kK * at.y - kD * at.v > 0 ? low : high) = middle;
  }
  const Flight off = calc_on_floor(v, low);
  const double after = t - touch - low;
  return off.y + off.v * after - 0.5 * kG * after * after;
}

TEST_F(TouchProgram, ErrorsOfABounceFallWithTheRate) {
  write(R"(name: drop
ground: {points: {O: [0, 0]}}
bodies: {ram: {points: {P: [0, 0]}, mass: 10, com: [0, 0], inertia: 0.1}}
joints: [{prismatic: [ground.O, ram.P], direction: [0, 1], angle: 0, name: guide}]
gravity: [0, -9.81]
forces: [{contact: ram.P, stiffness: 2e4, damping: 100, name: floor}]
start: {guide: 0.5}
outputs: {tip: ram.P}
)");
  for (const double rate : {500.0, 1000.0, 2000.0, 5000.0, 20000.0}) {
    ASSERT_EQ(rodeo("simulate m.yaml --duration 0.7 -o log.csv --rate " + std::to_string(rate)),
              "status 0\n");
    const std::vector<double> row = read_rows("log.csv").back();
    const double error = std::abs(row[4] - calc_height(row[0]));  // t, angle, rate, tip.x, tip.y, residual
    EXPECT_LT(error, 50 / (rate * rate)) << rate;  // where the floor lets go the slope of the force jumps: h²
  }
}

}  // namespace
}  // namespace rodeo::codegen
