// SPDX-License-Identifier: MIT
// What a graph may hold, run: rules, libraries, noise, signals, modulated elements, inputs with slopes, differential causality of
// every kind, algebraic loops. Full and reduced forms agree; each has a closed form besides, where there is one.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <numbers>

#include "tests/simulate/running.h"

namespace rodeo::simulate {
namespace {

constexpr double kTolerance = 1e-10;
constexpr double kAccumulated = 1e3 * kTolerance;

RunOptions fine(FormKind form, double duration, std::vector<std::string> columns = {}) {
  return {.form = form,
          .method = MethodKind::ida,
          .duration = duration,
          .tolerance = kTolerance,
          .columns = std::move(columns)};
}

/// Both forms give this value of a column at the end.
void expect_both(const Model& model, double duration, const std::string& column, double expected,
                 const InputTable& table = {}, double tolerance = kAccumulated) {
  for (const FormKind form : {FormKind::reduced, FormKind::full}) {
    EXPECT_NEAR(run(model, fine(form, duration, {column}), table).last(column), expected,
                tolerance * std::max(1.0, std::abs(expected)))
        << column << (form == FormKind::full ? " full" : " reduced");
  }
}

InputTable table_of(std::vector<double> times, std::vector<double> values) {
  return {std::move(times), std::move(values), 1};
}

// ---- inputs

TEST(Inputs, AreLinearBetweenRowsAndHeldOutside) {
  Inputs inputs(table_of({1, 2, 4}, {10, 20, 0}));
  double out[2];
  const auto expect = [&](double t, double value, double slope) {
    inputs.sample(t, out);
    EXPECT_DOUBLE_EQ(out[0], value) << t;
    EXPECT_DOUBLE_EQ(out[1], slope) << t;
  };
  expect(0.5, 10, 0);
  expect(1.5, 15, 10);
  expect(2, 20, -10);  // a row begins its segment
  expect(3, 10, -10);
  expect(9, 0, 0);
  expect(1.25, 12.5, 10);  // backwards, as a solver may ask
  inputs.set_interval(1, 2);
  expect(2, 20, 10);  // the end of an interval belongs to it
}

/// A flow source drives a mass and a damper: the effort that it needs is m u̇ + b u.
TEST(Inputs, GiveTheirSlopesWhereAMassIsDriven) {
  const Model model = model_of(R"(
domain: translation
elements: {u: {Sf: }, mass: {I: 3}, damper: {R: 2}, place: {K: 0}}
junctions: {v: 1}
bonds: [u -> v, v -> mass, v -> damper, v -> place]
)");
  const InputTable table = table_of({0, 1, 2}, {0, 4, 4});
  expect_both(model, 0.5, "u.effort", 3 * 4 + 2 * 2, table);
  expect_both(model, 1.5, "u.effort", 2 * 4, table);
  expect_both(model, 1.5, "mass.momentum", 12, table);
  expect_both(model, 1.5, "place.displacement", 2 + 2, table);
}

// ---- differential causality

/// A voltage put on two capacitors: their charges follow it, the current is (C1 + C2) u̇ + u/R.
TEST(DifferentialCausality, OfCapacitorsOnAVoltage) {
  const Model model = model_of(R"(
domain: electric
elements: {u: {Se: 5*sin(2*t)}, C1: {C: 0.25}, K2: {K: 2}, load: {R: 10}}
junctions: {node: 0}
bonds: [u -> node, node -> C1, node -> K2, node -> load]
)");
  EXPECT_EQ(model.system.differential_ports.size(), 2u);
  const double t = 0.7, u = 5 * std::sin(2 * t), rate = 10 * std::cos(2 * t);
  expect_both(model, t, "u.flow", (0.25 + 0.5) * rate + u / 10);
  expect_both(model, t, "K2.displacement", 0.5 * u);
}

/// An inertia that grows with the angle, behind a gear: both ports differential against a motor's inertia.
TEST(DifferentialCausality, OfAnInertiaThatVaries) {
  const Model model = model_of(R"(
domain: rotation
elements:
  torque: {Se: 2}
  motor: {I: 1}
  angle: {K: 0}
  drum: {I: 2 + sin(angle.displacement)}
junctions: {w: 1}
bonds: [torque -> w, w -> motor, w -> angle, w -> drum]
)");
  // (3 + sin θ) ω is the whole momentum, 2t.
  for (const FormKind form : {FormKind::reduced, FormKind::full}) {
    const Log log = run(model, fine(form, 2, {"w.flow", "angle.displacement"}));
    EXPECT_NEAR((3 + std::sin(log.last("angle.displacement"))) * log.last("w.flow"), 4, 4 * kAccumulated);
  }
}

/// Two coils with a common core, in series: the field is one port differential, one integral.
TEST(DifferentialCausality, OfAField) {
  const Model model = model_of(R"(
domain: electric
elements:
  battery: {Se: 12}
  coils: {I: [[3, 1], [1, 2]]}
  loss: {R: 7}
junctions: {i: 1}
bonds: [battery -> i, i -> coils, i -> coils, i -> loss]
)");
  // L = 3 + 2 + 2·1 = 7, so i = 12/7 (1 − e^−t).
  expect_both(model, 1.5, "loss.flow", 12.0 / 7 * (1 - std::exp(-1.5)));
}

// ---- algebraic loops

/// Two resistors in series between a battery and a capacitor: a chain of R to R, class 2.
TEST(AlgebraicLoop, LinearOnesAreSolvedInEveryForm) {
  const Model model = model_of(R"(
domain: electric
elements: {battery: {Se: 9}, R1: {R: 2}, R2: {R: 4}, R3: {R: 3}, C: {C: 0.5}}
junctions: {i: 1, node: 0, j: 1}
bonds: [battery -> i, i -> R1, i -> node, node -> R2, node -> j, j -> R3, j -> C]
)");
  // Thévenin: 9·4/6 = 6 V behind 4/3 + 3 ohm.
  const double tau = (4.0 / 3 + 3) * 0.5;
  expect_both(model, 1, "C.effort", 6 * (1 - std::exp(-1 / tau)));
}

/// A force on a nonlinear damper alone: e = 3 f + f³ must be turned round. f = 2 at 14, and nothing moves it.
TEST(AlgebraicLoop, NonlinearOnesAreIterated) {
  const Model model = model_of(R"(
domain: translation
elements: {push: {Se: 14*t}, damper: {R: {effort: 3*f + f^3}}, place: {K: 0}}
junctions: {v: 1}
bonds: [push -> v, v -> damper, v -> place]
)");
  expect_both(model, 1, "damper.flow", 2);
  // t = (3f + f³)/14, so ∫ f dt = ∫ f (3 + 3f²)/14 df = (3 f²/2 + 3 f⁴/4)/14 from 0 to 2.
  expect_both(model, 1, "place.displacement", (6.0 + 12.0) / 14);
}

/// Dry friction beside a viscous one, an effort to turn round whose law has a corner: f = 0 up to 5 N, then (e − 5)/2.
TEST(AlgebraicLoop, OfALawWithACornerIsBisected) {
  const Model model = model_of(R"(
domain: translation
elements: {push: {Se: 10*t}, damper: {R: {effort: 2*f + 5*sgn(f)}}, place: {K: 0}}
junctions: {v: 1}
bonds: [push -> v, v -> damper, v -> place]
)");
  const Log log = run(model, {.duration = 1, .columns = {"damper.flow"}});
  EXPECT_NEAR(log.at(250, "damper.flow"), 0, 1e-9);
  EXPECT_NEAR(log.at(750, "damper.flow"), 1.25, 1e-9);
  EXPECT_NEAR(log.last("damper.flow"), 2.5, 1e-9);
}

/// A net of 4 × 4 nodes, a resistor along every edge, a battery at one corner, a capacitor at the other.
struct Net {
  static constexpr int kSide = 4;
  struct Edge {
    int a, b;
    double resistance;
  };
  std::vector<Edge> edges;

  Net() {
    for (int i = 0; i < kSide * kSide; ++i) {
      const double size = 1.0 + 0.37 * i;
      if (i % kSide + 1 < kSide) edges.push_back({i, i + 1, size});
      if (i + kSide < kSide * kSide) edges.push_back({i, i + kSide, 2 * size});
    }
  }
  [[nodiscard]] std::string text() const {
    std::string elements = "domain: electric\nelements:\n  battery: {Se: 10}\n  store: {C: 0.3}\n";
    std::string junctions = "junctions:\n", bonds = "bonds:\n  - battery -> n0\n  - n15 -> store\n";
    for (int i = 0; i < kSide * kSide; ++i) junctions += fmt::format("  n{}: 0\n", i);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      elements += fmt::format("  r{}: {{R: {}}}\n", e, edges[e].resistance);
      junctions += fmt::format("  i{}: 1\n", e);
      bonds +=
          fmt::format("  - n{1} -> i{0}\n  - i{0} -> n{2}\n  - i{0} -> r{0}\n", e, edges[e].a, edges[e].b);
    }
    return elements + junctions + bonds;
  }
  /// Current into the capacitor's corner at its voltage, by the potentials of the nodes.
  [[nodiscard]] double calc_current(double store) const {
    constexpr int n = kSide * kSide;
    Eigen::MatrixXd balance = Eigen::MatrixXd::Zero(n, n);
    for (const Edge& edge : edges) {
      for (const auto& [from, to] : {std::pair{edge.a, edge.b}, {edge.b, edge.a}}) {
        balance(from, from) += 1 / edge.resistance;
        balance(from, to) -= 1 / edge.resistance;
      }
    }
    const Eigen::MatrixXd whole = balance;
    Eigen::VectorXd right = Eigen::VectorXd::Zero(n);
    for (const auto& [node, volt] : {std::pair{0, 10.0}, {n - 1, store}}) {
      balance.row(node).setZero();
      balance(node, node) = 1;
      right[node] = volt;
    }
    return -(whole * balance.fullPivLu().solve(right))[n - 1];
  }
};

TEST(AlgebraicLoop, BlocksThatAreTooLargeForCramerAreEliminated) {
  const Net net;
  const Model model = model_of(net.text());
  std::size_t largest = 0;
  for (const reduction::Block& block : model.solution.blocks)
    largest = std::max(largest, block.unknowns.size());
  EXPECT_GT(largest, reduction::kMaxCramer);
  // The net is one resistance seen from the capacitor.
  const double resistance = 10 / net.calc_current(0);
  EXPECT_NEAR(net.calc_current(4), 6 / resistance, 1e-12);
  expect_both(model, 1, "store.effort", 10 * (1 - std::exp(-1 / (0.3 * resistance))));
}

// ---- values

TEST(Values, RulesSwitchAsAnHandWrittenLoopDoes) {
  const Model model = config("conditional_damper.yaml");
  const Log log = run(model, {.method = MethodKind::euler, .duration = 2});
  double p1 = 0, p2 = 0;
  for (int i = 0; i < 2000; ++i) {
    const double slip = p1 / 100 - p2 / 50, size = std::abs(slip);
    const double force = (size <= 5 ? 750 : size <= 10 ? 1000 : 1500) * slip;
    const double t = i * 1e-3;
    p1 += 1e-3 * (12000 * std::sin(2 * t) - force);
    p2 += 1e-3 * force;
  }
  EXPECT_NEAR(log.last("I1.momentum"), p1, 1e-9 * std::abs(p1));
  EXPECT_NEAR(log.last("I2.momentum"), p2, 1e-9 * std::abs(p2));
}

TEST(Values, ALibraryGivesWhatItsRulesWouldGive) {
  const bondgraph::Folder folder;
  const std::string graphs = std::string(RODEO_SOURCE_DIR) + "/configs/graphs/";
  std::filesystem::copy_file(graphs + "library_damper.yaml", folder / "m.yaml");
  const std::string build =
      "gcc -shared -fPIC -o '" + (folder / "hardness.so") + "' '" + graphs + "hardness.c' -lm";
  ASSERT_EQ(std::system(build.c_str()), 0);
  const Model library = reduction::build_model(bondgraph::build_graph_from_file(folder / "m.yaml"));
  bondgraph::allow_library(folder / "hardness.so");
  const Model rules = config("conditional_damper.yaml");
  const RunOptions options{.duration = 1, .columns = {"slip"}};
  EXPECT_EQ(run(library, options).rows, run(rules, options).rows);
}

TEST(Values, NoiseHoldsForATickAndIsTheSameInEveryRun) {
  const Model model = model_of(R"(
domain: translation
elements: {push: {Se: rand - 0.5}, mass: {I: 2}}
junctions: {v: 1}
bonds: [push -> v, v -> mass]
)");
  const Log log = run(model, {.duration = 0.1, .columns = {"push.effort", "mass.momentum"}});
  double sum = 0;
  for (std::size_t i = 0; i + 1 < log.rows.size(); ++i) {
    sum += 1e-3 * log.at(i, "push.effort");
    EXPECT_NEAR(log.at(i + 1, "mass.momentum"), sum, 1e-15);
  }
  EXPECT_NE(log.at(0, "push.effort"), log.at(1, "push.effort"));
  EXPECT_EQ(log.rows, run(model, {.duration = 0.1, .columns = {"push.effort", "mass.momentum"}}).rows);
}

/// ẍ = −x by two integrals of signals, no bond in sight but one that the graph needs.
TEST(Signals, AreIntegrated) {
  const Model model = model_of(R"(
domain: translation
elements: {push: {MSe: position}, damper: {R: 1}}
junctions: {v: 1}
bonds: [push -> v, v -> damper]
signals:
  speed: {integrate: -position, start: 0}
  position: {integrate: speed, start: 1}
  energy: speed^2/2 + position^2/2
)");
  expect_both(model, 1, "position", std::cos(1.0));
  expect_both(model, 1, "damper.flow", std::cos(1.0));
  expect_both(model, 1, "energy", 0.5);
}

/// A crank that turns at constant speed moves a spring through a modulated transformer: x = r cos θ + const.
TEST(Modulated, TransformersFollowTheirAngle) {
  const Model model = model_of(R"(
parameters: {r: 0.2}
elements:
  speed: {Sf: 3, domain: rotation}
  angle: {K: 0, domain: rotation}
  crank: {MTF: -r*sin(angle.displacement), domains: [rotation, translation]}
  spring: {K: 100, domain: translation}
junctions: {w: 1}
bonds: [speed -> w, w -> angle, w -> crank, crank -> spring]
)");
  const double x = 0.2 * (std::cos(3.0) - 1);
  expect_both(model, 1, "spring.displacement", x);
  expect_both(model, 1, "speed.effort", -0.2 * std::sin(3.0) * 100 * x);
}

/// The four-bar of rods: a block of two. The loop stays closed, and the full form follows the same path.
TEST(FourBarRods, StayClosed) {
  const Model model = config("four_bar_rods.yaml");
  const InputTable table = table_of({0, 1}, {1, 2});
  const std::vector<std::string> columns{"crank.J.displacement", "coupler.J.displacement",
                                         "rocker.J.displacement"};
  const Log log = run(model, {.duration = 2, .columns = columns}, table);
  const double a = log.last(columns[0]), b = log.last(columns[1]), c = log.last(columns[2]);
  EXPECT_NEAR(a, std::numbers::pi / 3 + 1.5 + 2, 1e-12);
  EXPECT_NEAR(0.5 * std::cos(a) + 1.2 * std::cos(b) + std::cos(c), 1.4, 1e-9);
  EXPECT_NEAR(0.5 * std::sin(a) + 1.2 * std::sin(b) + std::sin(c), 0.0, 1e-9);
  const Log full = run(model, fine(FormKind::full, 0.5, columns), table);
  for (const std::string& column : columns)
    EXPECT_NEAR(full.last(column), log.at(500, column), 1e-7) << column;
}

/// What is not smooth has its own tests above.
TEST(EveryConfig, GivesTheSameStatesInBothForms) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(RODEO_SOURCE_DIR) + "/configs/graphs")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".yaml" || name == "library_damper.yaml")
      continue;  // its library is not built
    const Model model = config(name);
    const auto is_switched = [](const bondgraph::Element& element) { return element.condition.has_value(); };
    const auto& elements = model.graph.elements;
    if (std::any_of(elements.begin(), elements.end(), is_switched)) continue;  // in tests/hybrid
    InputTable table;
    table.count = model.system.inputs.size();
    if (table.count > 0) table.times = {0, 0.2};
    table.values.assign(2 * table.count, 1e-4);
    const Log reduced =
        run(model, {.method = MethodKind::cvode, .duration = 0.2, .tolerance = kTolerance}, table);
    const Log full = run(model, fine(FormKind::full, 0.2), table);
    for (const reduction::State& state : model.system.states) {
      const std::string& column = state.name;
      double size = 0.0;
      for (std::size_t row = 0; row < reduced.rows.size(); ++row)
        size = std::max(size, std::abs(reduced.at(row, column)));
      EXPECT_NEAR(full.last(column), reduced.last(column), 10 * kAccumulated * size) << name << ' ' << column;
    }
    ++count;
  }
  EXPECT_GE(count, 9);
}

TEST(Graph, WithoutStatesHasARowATick) {
  const Model model = model_of(R"(
domain: electric
elements: {battery: {Se: 3*t}, lamp: {R: 6}}
junctions: {i: 1}
bonds: [battery -> i, i -> lamp]
outputs: {current: lamp.flow}
)");
  expect_both(model, 2, "current", 1);
  for (const MethodKind method : {MethodKind::euler, MethodKind::rk4, MethodKind::cvode, MethodKind::adams}) {
    EXPECT_NEAR(run(model, {.method = method, .duration = 2}).last("current"), 1, 1e-12);
  }
}

TEST(Statistics, CountWhatTheSolverDid) {
  const Model model = config("rlc.yaml");
  const Log rk4 = run(model, {.rate = 1e5, .duration = 1e-2});
  EXPECT_EQ(rk4.statistics.steps, 1000);
  EXPECT_EQ(rk4.statistics.calls, 4000);
  const Log ida = run(model, {.form = FormKind::full, .rate = 1e4, .duration = 1e-2});
  EXPECT_GT(ida.statistics.newton_iterations, 0);
  EXPECT_GT(ida.statistics.steps, 100);
}

}  // namespace
}  // namespace rodeo::simulate
