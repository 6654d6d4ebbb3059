// SPDX-License-Identifier: MIT
// Constraints with multipliers, run: favre-1998's pendulum, whose length drifts without a corrector and stays with one, and a
// knife-edge skate, whose path is known in closed form.
#include <cmath>
#include <cstdio>
#include <numbers>

#include "tests/simulate/running.h"

namespace rodeo::simulate {
namespace {

Model pendulum(const std::vector<std::string>& overrides = {}) {
  return reduction::build_model(bondgraph::build_graph_from_file(
      std::string(RODEO_SOURCE_DIR) + "/configs/graphs/pendulum_favre.yaml", overrides));
}

const std::vector<std::string> kBare{"alpha=0", "beta=0"};

/// Largest |length − l| in each tenth of a run.
std::vector<double> calc_drift(const Model& model, double rate, double duration) {
  GraphRun graph(model, {}, {.rate = rate, .duration = duration, .columns = {"error"}});
  std::vector<double> tenths(10, 0.0);
  std::size_t tick = 0;
  EXPECT_TRUE(graph.run([&](std::span<const double> row) {
    double& worst = tenths[std::min<std::size_t>(9, 10 * tick++ / graph.tick_count())];
    worst = std::max(worst, std::abs(row[1]));
  }));
  return tenths;
}

/// 10⁶ steps of 2 ms, of order 4.
TEST(FavrePendulum, DriftsOnlyWithoutItsCorrector) {
  const std::vector<double> bare = calc_drift(pendulum(kBare), 500, 2000);
  const std::vector<double> held = calc_drift(pendulum(), 500, 2000);
  EXPECT_GT(bare[9], 5 * bare[0]) << "it grows with time";
  EXPECT_GT(bare[9], 1e3 * held[9]);
  EXPECT_LT(held[9], 1.5 * held[0]) << "it is bounded";
  std::printf("drift in m over the tenths of 10^6 steps: bare %.3g ... %.3g, held %.3g ... %.3g\n", bare[0],
              bare[9], held[0], held[9]);
}

/// From the horizontal, the angle φ from the vertical obeys φ̇² = 2 g/l cos φ; its period is 4 K(sin 45°) √(l/g).
TEST(FavrePendulum, HasThePeriodOfThePendulum) {
  const double period = 4 * std::comp_ellint_1(std::sqrt(0.5)) * std::sqrt(1 / 9.81);
  for (const FormKind form : {FormKind::reduced, FormKind::full}) {
    const Log log = run(pendulum(), {.form = form,
                                     .method = MethodKind::ida,
                                     .rate = 1 / (period / 1000),
                                     .duration = period * 1.0005,
                                     .tolerance = 1e-10});
    EXPECT_NEAR(log.at(1000, "x"), 1, 1e-5) << (form == FormKind::full ? "full" : "reduced");
    EXPECT_NEAR(log.at(250, "y"), 1, 1e-5);
    EXPECT_NEAR(log.at(500, "x"), -1, 1e-5);
    EXPECT_NEAR(log.at(777, "error"), 0, 1e-7);
  }
}

/// The rod pulls with 3 m g at the bottom: 2 l λ.
TEST(FavrePendulum, HasTheForceInItsRodAsTheMultiplier) {
  const double quarter = std::comp_ellint_1(std::sqrt(0.5)) * std::sqrt(1 / 9.81);
  const Log log = run(pendulum(), {.rate = 1000 / quarter,
                                   .duration = quarter * 1.0005,
                                   .columns = {"rod.effort", "rod.flow", "rod.displacement"}});
  EXPECT_NEAR(2 * log.at(1000, "rod.effort"), 3 * 9.81, 1e-4);
  EXPECT_NEAR(log.at(1000, "rod.flow"), 0, 1e-9);
  EXPECT_NEAR(log.at(1000, "rod.displacement"), 0, 1e-9);
}

/// A start that is off by 0.1 is drawn in as the corrector says: Φ̈ + 10 Φ̇ + 25 Φ = 0 from Φ₀, so Φ = Φ₀ (1 + 5t) e^(−5t).
TEST(FavrePendulum, DrawsAWrongStartIn) {
  const Model model = pendulum({"l=0.9"});
  bondgraph::Graph graph = model.graph;
  for (bondgraph::Start& start : graph.starts) {
    if (start.variable == "mx.displacement") start.value = 1.0;
  }
  const Model off = reduction::build_model(graph);
  const Log log = run(off, {.duration = 1, .columns = {"rod.displacement"}});
  for (const std::size_t tick : {0, 100, 500, 1000}) {
    const double t = 1e-3 * static_cast<double>(tick);
    EXPECT_NEAR(log.at(tick, "rod.displacement"), 0.19 * (1 + 5 * t) * std::exp(-5 * t), 1e-9) << t;
  }
}

TEST(Constraint, NotesAStartThatDoesNotFulfilIt) {
  const auto notes = [](const Model& model) { return GraphRun(model, {}, {}).notes(); };
  const auto off = [](const std::vector<std::string>& overrides) {
    bondgraph::Graph graph = pendulum(overrides).graph;
    graph.file = "p.yaml";
    for (bondgraph::Start& start : graph.starts) {
      if (start.variable == "mx.displacement") start.value = 1.1;
    }
    return reduction::build_model(graph);
  };
  EXPECT_THAT(notes(pendulum()), testing::IsEmpty());
  EXPECT_THAT(notes(off({})),
              testing::ElementsAre("p.yaml: constraint 'rod': the start does not fulfil it, its position is "
                                   "0.21; the corrector draws it in"));
  EXPECT_THAT(notes(off(kBare)),
              testing::ElementsAre("p.yaml: constraint 'rod': the start does not fulfil it, its position is "
                                   "0.21; nothing draws it in: change the start, or give it a corrector"));
}

/// On a slope g′, turning at ω from rest: x = g′/(2ω²) sin² ωt, y = g′/(2ω²)(ωt − sin(2ωt)/2).
TEST(Skate, RunsAlongItsCycloid) {
  const Model model = config("skate.yaml");
  const double w = 2, size = 3 / (2 * w * w), t = 4;
  const double x = size * std::pow(std::sin(w * t), 2), y = size * (w * t - std::sin(2 * w * t) / 2);
  const Log rk4 = run(model, {.duration = t, .columns = {"x", "y", "edge.flow"}});
  EXPECT_NEAR(rk4.last("x"), x, 1e-10);  // h⁴ of 1 ms, and constants near 1
  EXPECT_NEAR(rk4.last("y"), y, 1e-10);
  EXPECT_NEAR(rk4.last("edge.flow"), 0, 1e-10);
  for (const FormKind form : {FormKind::reduced, FormKind::full}) {
    const Log ida = run(model, {.form = form, .method = MethodKind::ida, .duration = t, .tolerance = 1e-10});
    EXPECT_NEAR(ida.last("x"), x, 1e-6);
    EXPECT_NEAR(ida.last("y"), y, 1e-6);
  }
}

/// A start that slides across at v₀ is drawn in by the PD corrector: Φ̇ = v₀ e^(−γt).
TEST(Skate, DrawsAWrongStartIn) {
  const Model model = config("skate.yaml");
  bondgraph::Graph graph = model.graph;
  graph.starts.push_back(
      {"my.momentum", 0.2, graph.where});  // ẏ = 0.1: across the edge, which points along x
  const Log log = run(reduction::build_model(graph), {.duration = 1, .columns = {"edge.flow"}});
  for (const std::size_t tick : {0, 200, 1000}) {
    EXPECT_NEAR(log.at(tick, "edge.flow"), -0.1 * std::exp(-5e-3 * static_cast<double>(tick)), 1e-10);
  }
}

}  // namespace
}  // namespace rodeo::simulate
