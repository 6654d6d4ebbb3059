// SPDX-License-Identifier: MIT
// Rules without else, starts of dependent ports, and algebraic loops whose laws have no slope at zero.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>

#include "kinematics/reduction/equations.h"
#include "tests/simulate/running.h"

namespace rodeo::simulate {
namespace {

using testing::HasSubstr;

RunOptions with(MethodKind method, double seconds, FormKind form = FormKind::reduced) {
  RunOptions options;
  options.method = method;
  options.form = form;
  options.duration = seconds;
  options.columns = {"all"};
  return options;
}

/// A relay: ±10 N on 10 kg, over at 2 and at 1 m/s. Between the thresholds neither condition holds: up to 2 at t = 2, then a triangle.
TEST(RulesWithoutElse, KeepTheValueBefore) {
  // rk4 looks at the tick: its threshold is between two of them.
  const auto build = [](const char* upper) {
    return model_of(fmt::format(R"(
name: relay
domain: translation
elements:
  push: {{Se: "if (_Vmass_ > {}) {{ -10 }}; if (_Vmass_ < 1) {{ 10 }};"}}
  mass: {{I: 10}}
junctions: {{v: 1}}
bonds: [push -> v, v -> mass]
)",
                                upper));
  };
  const auto check = [&](const RunOptions& options, double tolerance) {
    const Log log = run(build(options.method == MethodKind::rk4 ? "1.9995" : "2"), options);
    for (const auto& [row, speed] :
         std::map<std::size_t, double>{{1500, 1.5}, {2500, 1.5}, {3500, 1.5}, {3750, 1.75}, {4250, 1.75}})
      EXPECT_NEAR(log.at(row, "mass.flow"), speed, tolerance) << method_text(*options.method) << row;
  };
  check(with(MethodKind::cvode, 4.5), 1e-6);
  check(with(MethodKind::ida, 4.5), 1e-6);
  check(with(MethodKind::ida, 4.5, FormKind::full), 1e-6);
  check(with(MethodKind::rk4, 4.5), 5e-3);  // a tick late at each of its switches
}

/// A gear of two inertias: one state, the other's flow is twice the first's.
std::string geared(const std::string& start) {
  return "name: gear\ndomain: rotation\nelements:\n  a: {I: 3}\n  b: {I: 1}\n  n: {TF: 2}\n"
         "junctions: {va: 1, vb: 1}\nbonds: [va -> a, va -> n, n -> vb, vb -> b]\nstart: {" +
         start + "}\n";
}

TEST(Starts, OfADependentPortMoveTheState) {
  for (const std::string start : {"b.flow: 4", "a.flow: 2", "a.flow: 2, b.flow: 4"}) {
    const Log log = run(model_of(geared(start)), with(MethodKind::rk4, 0.01));
    EXPECT_NEAR(log.at(0, "a.flow"), 2, 1e-9) << start;
    EXPECT_NEAR(log.at(0, "b.flow"), 4, 1e-9) << start;
  }
  EXPECT_THAT(failure_of(model_of(geared("a.flow: 2, b.flow: 5")), with(MethodKind::rk4, 0.01)),
              HasSubstr("contradicts the other starts"));
}

/// A free four-bar of library rods: the rates of coupler and rocker follow from the crank's, by the closed loop:
/// L1 w1 e1' + L2 w2 e2' + L3 w3 e3' = 0 with e' = (-sin, cos).
TEST(Starts, OfLibraryRodsInALoopAreConsistent) {
  const auto build = [](const std::string& crank, const std::string& rocker) {
    const double L0 = 1.4, L1 = 0.5, L2 = 1.2, L3 = 1.0, a1 = std::acos(-1) / 3;
    const double qx = L0 - L1 * std::cos(a1), qy = -L1 * std::sin(a1), q = std::hypot(qx, qy);
    const double a2 = std::atan2(qy, qx) + std::acos((L2 * L2 + q * q - L3 * L3) / (2 * L2 * q));
    const double a3 = std::atan2(qy - L2 * std::sin(a2), qx - L2 * std::cos(a2));
    const auto rod = [](double length, double angle, const std::string& more) {
      return fmt::format("{{subset: planar_rod.yaml, with: {{L: {}, angle: {:.17g}, g: 9.81{}}}}}\n", length,
                         angle, more);
    };
    return "name: rods\nelements:\n  crank: " + rod(L1, a1, crank) + "  coupler: " + rod(L2, a2, "") +
           "  rocker: " + rod(L3, a3, rocker) +
           "  O: {subset: ground_pin.yaml}\n  Q: {subset: ground_pin.yaml}\nbonds: [O.x -> crank.Ax, O.y -> "
           "crank.Ay, crank.Bx -> coupler.Ax, crank.By -> coupler.Ay, coupler.Bx -> rocker.Ax, coupler.By -> "
           "rocker.Ay, rocker.Bx -> Q.x, rocker.By -> Q.y]\n";
  };
  const auto rates = [&](const std::string& crank, const std::string& rocker) {
    const std::string file = std::string(RODEO_SOURCE_DIR) + "/configs/graphs/test.yaml";
    const Model model = reduction::build_model(
        bondgraph::build_graph(text::build_yaml_from_text(build(crank, rocker), file), file));
    const Log log = run(model, with(MethodKind::rk4, 0.001));
    return std::array{log.at(0, "crank.J.flow"), log.at(0, "coupler.J.flow"), log.at(0, "rocker.J.flow"),
                      log.at(0, "coupler.J.displacement"), log.at(0, "rocker.J.displacement")};
  };
  const auto [w1, w2, w3, a2, a3] = rates(", rate: 2", "");
  const double a1 = std::acos(-1) / 3;
  EXPECT_NEAR(w1, 2, 1e-9);
  EXPECT_NEAR(0.5 * w1 * std::sin(a1) + 1.2 * w2 * std::sin(a2) + w3 * std::sin(a3), 0, 1e-9);
  EXPECT_NEAR(0.5 * w1 * std::cos(a1) + 1.2 * w2 * std::cos(a2) + w3 * std::cos(a3), 0, 1e-9);
  const auto by_rocker = rates("", fmt::format(", rate: {:.17g}", w3));
  EXPECT_NEAR(by_rocker[0], 2, 1e-8) << "the crank's rate from the rocker's";
  EXPECT_NEAR(by_rocker[1], w2, 1e-8);
}

const std::string kQuadratic = R"(
name: quad
domain: hydraulic
elements:
  p: {Se: 100}
  r1: {R: {effort: "3*abs(f)*f"}}
  r2: {R: {effort: "2*abs(f)*f"}}
junctions: {s: 1}
bonds: [p -> s, s -> r1, s -> r2]
)";

/// 3 f² + 2 f² = 100.
TEST(Loops, OfTwoQuadraticResistorsAreSolved) {
  const Model model = model_of(kQuadratic);
  for (const RunOptions& options : {with(MethodKind::rk4, 0.01), with(MethodKind::cvode, 0.01),
                                    with(MethodKind::ida, 0.01, FormKind::full)})
    EXPECT_NEAR(run(model, options).last("r1.flow"), std::sqrt(20), 1e-8);
  const auto sections = reduction::build_full_sections(model, reduction::Format::plain);
  EXPECT_EQ(sections.front().equations.back().left, "0") << "a law that is not linear in its break variable";
}

}  // namespace
}  // namespace rodeo::simulate
