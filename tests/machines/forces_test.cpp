// SPDX-License-Identifier: MIT
// Forces and stops as elements of a machine's bond graph: the accelerations that its reduced equations give, Booleans found by the
// conditions that the graph states, against Newton's law in coordinates of the centres of mass (kinematics/dynamics), which knows
// no bond graph. Poses and velocities are chosen at random and closed by the joints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <fstream>
#include <random>

#include "kinematics/dynamics/problem.h"
#include "kinematics/expr/eval.h"
#include "kinematics/machine/rods.h"
#include "kinematics/reduction/gates.h"
#include "kinematics/reduction/hybrid_equations.h"
#include "kinematics/text/yaml.h"
#include "tests/reduction/evaluated.h"

namespace rodeo::machine {
namespace {

using dynamics::Vector;

constexpr double kTolerance =
    1e-9;  // of the largest acceleration: two solutions of one linear system of a dozen unknowns

std::size_t at(int index) { return static_cast<std::size_t>(index); }

Machine from_text(const std::string& yaml) {
  return build_machine(text::build_yaml_from_text(yaml, "test.yaml"), "test.yaml");
}

Machine from_config(const std::string& file) {
  return build_machine_from_file(std::string(RODEO_SOURCE_DIR) + "/configs/" + file);
}

bondgraph::Graph graph_of(const Machine& machine) {
  RodOptions options;
  options.form = RodForm::traditional;
  options.driven = false;
  options.forces = true;
  return build_rods(machine, options);
}

reduction::Hybrid equations_of(const Machine& machine) {
  bondgraph::Graph graph = graph_of(machine);
  if (auto gated = reduction::build_gated(graph)) return std::move(*gated);
  return reduction::build_hybrid(std::move(graph));
}

/// Newton's law by a dense system, from the library's rows and forces.
class Newton {
 public:
  explicit Newton(const Machine& machine)
      : problem_(dynamics::build_problem(machine, build_start_pose(machine))), system_(problem_.system) {}

  /// A place and a velocity that the joints allow: a random walk that is drawn back to the start.
  void choose(std::mt19937& random, double far, double fast) {
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    dynamics::Saddle saddle(system_.weights());
    if (q.size() == 0) q = problem_.q;
    Vector next;
    do {
      next = q + 0.1 * (problem_.q - q);
      for (double& x : next) x += far * unit(random);
    } while (!dynamics::close_position(system_, saddle, next, work_));
    q = next;
    v = Vector::Zero(system_.velocities());
    for (double& x : v) x = fast * unit(random);
    system_.calc_rows(q, v, work_);
    saddle.factor(work_.rows.terms);
    dynamics::close_velocity(saddle, work_, v);
  }

  [[nodiscard]] Vector calc_acceleration(double t) {
    system_.calc(t, q, v, work_);
    const Eigen::Index n = v.size(), m = system_.row_count();
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n + m, n + m);
    Vector right(n + m);
    matrix.topLeftCorner(n, n).diagonal() = system_.mass();
    for (Eigen::Index i = 0; i < n; ++i) {
      const Vector column = dynamics::calc_product(work_.rows.terms, Vector::Unit(n, i));
      matrix.block(n, i, m, 1) = column;
      matrix.block(i, n, 1, m) = column.transpose();
    }
    right << work_.f, -work_.rows.bias;
    return matrix.fullPivLu().solve(right).head(n);
  }

  Vector q, v;

 private:
  dynamics::Problem problem_;
  dynamics::System& system_;
  dynamics::Workspace work_;
};

/// The bond graph's side: states by name, equations evaluated in their order.
class Reduced {
 public:
  explicit Reduced(const Machine& machine) : machine_(machine), hybrid_(equations_of(machine)) {
    for (const Body& body : machine.bodies) {
      centres_.emplace_back(body.com_x ? body.com_x->value : 0.0, body.com_y ? body.com_y->value : 0.0);
    }
    for (const Force& force : machine.forces) {  // the library's centre is that of body and payload together
      if (force.kind != ForceKind::payload) continue;
      const double mass = machine.bodies[at(force.body)].mass->value;
      const double load = expr::calc_value(force.mass, parameters());
      const Eigen::Vector2d place(expr::calc_value(force.com_x, parameters()),
                                  expr::calc_value(force.com_y, parameters()));
      centres_[at(force.body)] = (mass * centres_[at(force.body)] + load * place) / (mass + load);
    }
  }

  /// Rates of the momenta that are states, by the body whose angle they belong to.
  std::vector<std::pair<int, double>> calc(const Vector& q, const Vector& v, double t) {
    set_state(q, v, t);
    for (const std::string& name : hybrid_.coefficients) values_[name] = 0.0;
    if (hybrid_.is_gated()) {
      solve_blocks(model(), values_);  // for the velocities that conditions ask for
      switch_on();
    }
    solve_blocks(model(), values_);
    std::vector<std::pair<int, double>> found;
    const std::vector<expr::Expr> rates = reduction::state_rates(model());
    for (std::size_t s = 0; s < rates.size(); ++s) {
      const reduction::State& state = model().system.states[s];
      if (state.kind != reduction::State::Kind::momentum) continue;
      const int b = find_body(state.name);
      if (b > 0)
        found.emplace_back(b, expr::calc_value(rates[s], values_) / machine_.bodies[at(b)].inertia->value);
    }
    return found;
  }

  [[nodiscard]] const std::vector<bool>& booleans() const { return booleans_; }
  [[nodiscard]] const reduction::Model& model() const { return hybrid_.configurations.front().model; }

 private:
  [[nodiscard]] expr::Values parameters() const {
    expr::Values values;
    for (const expr::Parameter& parameter : machine_.parameters) values[parameter.name] = parameter.number;
    return values;
  }

  [[nodiscard]] int find_body(const std::string& state) const {
    for (std::size_t b = 1; b < machine_.bodies.size(); ++b) {
      if (state == machine_.bodies[b].name + ".J.momentum") return static_cast<int>(b);
    }
    return -1;
  }

  [[nodiscard]] Eigen::Vector2d place_of(PointRef ref, const Vector& q) const {
    const Point& point = machine_.point(ref);
    const Eigen::Vector2d p(point.x.value, point.y.value);
    if (ref.body == 0) return p;
    const Eigen::Index i = 3 * (ref.body - 1);
    return Eigen::Vector2d(q[i], q[i + 1]) + Eigen::Rotation2Dd(q[i + 2]) * (p - centres_[at(ref.body)]);
  }

  void set_state(const Vector& q, const Vector& v, double t) {
    values_ = parameters();
    values_["t"] = t;
    for (std::size_t b = 1; b < machine_.bodies.size(); ++b) {
      const auto i = static_cast<Eigen::Index>(3 * (b - 1));
      const Body& body = machine_.bodies[b];
      values_[body.name + ".J.displacement"] = q[i + 2];
      values_[body.name + ".J.momentum"] = body.inertia->value * v[i + 2];
      values_[body.name + ".Ix.momentum"] = body.mass->value * v[i];
      values_[body.name + ".Iy.momentum"] = body.mass->value * v[i + 1];
    }
    for (const Force& force : machine_.forces) set_lengths(force, q);
    for (const Joint& joint : machine_.joints) set_slide(joint, q);
  }

  void set_lengths(const Force& force, const Vector& q) {
    const Eigen::Vector2d a = place_of(force.first, q);
    const std::string& first = machine_.point(force.first).name;
    if (force.kind == ForceKind::contact) {
      values_["contact_" + first + ".height.displacement"] = a.y();
      values_["contact_" + first + ".place.displacement"] = a.x();
    }
    if (force.second.body == 0 && force.first.body == 0) return;
    const std::string& second = machine_.point(force.second).name;
    const Eigen::Vector2d gap = place_of(force.second, q) - a;
    const std::string points = first.size() + second.size() == 2 ? first + second : first + "_" + second;
    const std::string name = force.name.empty() ? points : force.name;
    values_[name + ".length.displacement"] = gap.norm();
    values_[name + ".angle.displacement"] = std::atan2(gap.y(), gap.x());
  }

  void set_slide(const Joint& joint, const Vector& q) {
    if (joint.kind == JointKind::revolute) return;
    const double angle = joint.first.body == 0 ? 0.0 : q[3 * joint.first.body - 1];
    const Eigen::Vector2d gap = place_of(joint.second, q) - place_of(joint.first, q);
    const Eigen::Vector2d u(joint.direction_x.value, joint.direction_y.value);
    values_[joint.name + ".s.displacement"] = (Eigen::Rotation2Dd(-angle) * gap).dot(u);
  }

  void switch_on() {
    booleans_.clear();
    for (std::size_t b = 0; b < hybrid_.coefficients.size(); ++b) {
      const expr::Expr condition =
          with_solution(model(), model().system.resolve(hybrid_.conditions.booleans[b].condition));
      booleans_.push_back(expr::calc_value(condition, values_) != 0);
      values_[hybrid_.coefficients[b]] = booleans_.back() ? 1.0 : 0.0;
    }
  }

  const Machine& machine_;
  reduction::Hybrid hybrid_;
  std::vector<Eigen::Vector2d> centres_;
  expr::Values values_;
  std::vector<bool> booleans_;
};

/// Compares at `count` states; which Booleans were true and which false at some.
struct Seen {
  std::vector<bool> on, off;
};
Seen compare(const Machine& machine, int count, double far, double fast) {
  Newton newton(machine);
  Reduced reduced(machine);
  std::mt19937 random(7);
  Seen seen;
  for (int i = 0; i < count; ++i) {
    newton.choose(random, far, fast);
    const double t = 0.1 * i;
    const Vector expected = newton.calc_acceleration(t);
    const auto found = reduced.calc(newton.q, newton.v, t);
    EXPECT_FALSE(found.empty());
    const double scale = std::max(1.0, expected.lpNorm<Eigen::Infinity>());
    for (const auto& [body, acceleration] : found)
      EXPECT_NEAR(acceleration, expected[3 * body - 1], kTolerance * scale)
          << machine.bodies[at(body)].name << " in state " << i;
    seen.on.resize(reduced.booleans().size());
    seen.off.resize(reduced.booleans().size());
    for (std::size_t b = 0; b < reduced.booleans().size(); ++b) {
      (reduced.booleans()[b] ? seen.on : seen.off)[b] = true;
    }
  }
  return seen;
}

/// The wheel loader with its stops close together and high ground, so that a walk about its start meets all of them.
Machine wheel_loader_in_a_narrow_place() {
  std::ifstream file(std::string(RODEO_SOURCE_DIR) + "/configs/free/wheel_loader_stops.yaml");
  std::string yaml(std::istreambuf_iterator<char>(file), {});
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"retracted: 1.230, stroke: 0.760", "retracted: 1.58, stroke: 0.08"},
           {"tip, height: 0", "tip, height: 1.9"},
           {"heel, height: 0", "heel, height: 1.4"}}) {
    const std::size_t found = yaml.find(from);
    EXPECT_NE(found, std::string::npos) << from;
    yaml.replace(found, from.size(), to);
  }
  return from_text(yaml);
}

TEST(ForcesInTheGraph, WheelLoaderOnItsStopsMovesAsNewtonSays) {
  const Seen seen = compare(wheel_loader_in_a_narrow_place(), 300, 0.8, 3.0);
  EXPECT_THAT(seen.on, testing::Each(true)) << "every stop was touched";
  EXPECT_THAT(seen.off, testing::Each(true));
}

TEST(ForcesInTheGraph, WheelLoaderThatIsCaughtMovesAsNewtonSays) {
  compare(from_config("free/wheel_loader_free.yaml"), 20, 0.3, 2.0);
}

constexpr const char* kEverything = R"(
name: everything
parameters: {k: 900, rest: 0.4}
gravity: [0.3, -9.81]
ground: {points: {O: [0, 0], P: [0.5, -0.4], S: [0.2, 0.1]}}
bodies:
  arm: {points: {O: [0, 0], B: [0.8, 0], Q: [0.4, 0.1]}, mass: 3, com: [0.35, 0.05], inertia: 0.2}
  fore: {points: {B: [0, 0], S: [0.1, 0], tip: [0.7, 0.05]}, mass: 2, com: [0.3, 0], inertia: 0.1}
  cart: {points: {C: [0.05, 0.02]}, mass: 1.5, com: [0.02, 0.01], inertia: 0.04}
joints:
  - {revolute: [ground.O, arm.O], name: shoulder}
  - {revolute: [arm.B, fore.B], name: elbow}
  - {prismatic: [fore.S, cart.C], direction: [1, 0], angle: 0, name: rail}
forces:
  - {spring: [ground.P, arm.Q], stiffness: k, rest_length: rest, damping: 12}
  - {spring: [arm.Q, fore.tip], stiffness: 200, rest_length: 0.7, name: strap}
  - {damper: [ground.S, fore.tip], damping: 5}
  - {torque: arm, value: 3*sin(t)}
  - {torque: fore, against: arm, value: 1.5}
  - {force: fore.tip, value: [2, -1 + t]}
  - {friction: shoulder, viscous: 0.4}
  - {friction: elbow, viscous: 0.3}
  - {friction: rail, viscous: 2.5}
  - {payload: arm, mass: 0.9, com: [0.6, 0.2]}
  - {stop: [ground.P, arm.Q], retracted: 0.5, stroke: 0.2, stiffness: 4.0e3}
  - {contact: fore.tip, height: 0.1, stiffness: 3.0e3, damping: 40, viscous: 3}
start: {arm: 0.7, fore: 0.2, cart: 0.2}
)";

TEST(ForcesInTheGraph, EveryKindOfForceMovesAsNewtonSays) {
  const Seen seen = compare(from_text(kEverything), 100, 0.8, 2.0);
  EXPECT_THAT(seen.on, testing::Each(true));
  EXPECT_THAT(seen.off, testing::Each(true));
}

TEST(ForcesInTheGraph, FrictionOnAGuideOfTheGroundMovesAsNewtonSays) {
  compare(from_text(R"(
name: crank_press
gravity: [0, -9.81]
ground: {points: {O: [0, 0], S: [0, -0.1]}}
bodies:
  crank: {points: {O: [0, 0], B: [0.3, 0]}, mass: 2, com: [0.1, 0.02], inertia: 0.05}
  rod: {points: {B: [0, 0], C: [0.9, 0]}, mass: 1, com: [0.45, 0], inertia: 0.07}
  piston: {points: {C: [0, 0]}, mass: 1.2, com: [0, 0], inertia: 0.02}
joints:
  - {revolute: [ground.O, crank.O]}
  - {revolute: [crank.B, rod.B]}
  - {revolute: [rod.C, piston.C]}
  - {prismatic: [ground.S, piston.C], direction: [0.96, 0.28], angle: 0, name: bore}
forces: [{friction: bore, viscous: 7}]
start: {crank: 1.0, rod: -0.3}
)"),
          30, 0.4, 2.0);
}

// ---- what is printed

std::string right_of(const std::vector<reduction::ShownSection>& sections, const std::string& left) {
  for (const reduction::ShownSection& section : sections) {
    for (const reduction::ShownEquation& equation : section.equations) {
      if (equation.left == left) return equation.right;
    }
  }
  return "none";
}

TEST(ForcesInTheGraph, LawsAreToldOnceWithTheirBooleans) {
  const auto sections = build_switched_sections(equations_of(from_config("free/wheel_loader_stops.yaml")),
                                                reduction::Format::text);
  EXPECT_EQ(right_of(sections, "F_PQ"), "d_lift d/dt l_PQ + F_PQ.short + F_PQ.long");
  EXPECT_EQ(right_of(sections, "F_PQ.long"), "b2 (d_stop d/dt l_PQ - k_stop (1.99 - l_PQ))");
  EXPECT_EQ(right_of(sections, "F_tip.y"), "b5 (k_soil y_tip + d_soil d/dt y_tip)");
  EXPECT_EQ(right_of(sections, "F_tip.x"), "20000 b5 d/dt x_tip");
  EXPECT_EQ(right_of(sections, "b2"), "[(1.99 < l_PQ) and (0 < d_stop d/dt l_PQ - k_stop (1.99 - l_PQ))]");
  EXPECT_EQ(right_of(sections, "d/dt l_PQ"), "-(Qy cos(X_PQ - X_boom) - Qx sin(X_PQ - X_boom)) d/dt X_boom");
}

TEST(ForcesInTheGraph, AParameterNamedLikeABooleanKeepsItsName) {
  const auto sections = build_switched_sections(equations_of(from_text(R"(
name: ball
parameters: {b1: 2}
gravity: [0, -9.81]
bodies: {ball: {points: {P: [0, 0], low: [0, -0.1]}, mass: b1, com: [0, 0], inertia: 0.1}}
ground: {points: {O: [0, 0]}}
joints: [{prismatic: [ground.O, ball.P], direction: [0, 1], angle: 0}]
forces: [{contact: ball.low, stiffness: 1000}]
)")),
                                                reduction::Format::text);
  EXPECT_EQ(right_of(sections, "on_b1"), "[(y_low < 0)]");
}

/// Six cylinders with both ends have 729 configurations, which nobody wants to see one by one.
TEST(ForcesInTheGraph, AnyNumberOfStopsIsOneSetOfEquations) {
  std::string yaml = "name: many\ngravity: [0, -9.81]\nground: {points: {O: [0, 0], P: [0, -1]}}\nbodies:\n";
  std::string joints = "joints:\n", forces = "forces:\n";
  for (int i = 0; i < 6; ++i) {
    const std::string name = "arm" + std::to_string(i);
    yaml += "  " + name + ": {points: {O: [0, 0], Q: [0.5, 0]}, mass: 1, com: [0.4, 0], inertia: 0.1}\n";
    joints += "  - {revolute: [ground.O, " + name + ".O]}\n";
    forces +=
        "  - {stop: [ground.P, " + name + ".Q], retracted: 0.8, stroke: 0.4, stiffness: 1000, damping: 10}\n";
  }
  const Machine machine = from_text(yaml + joints + forces);
  const reduction::Hybrid hybrid = equations_of(machine);
  EXPECT_TRUE(hybrid.is_gated());
  EXPECT_EQ(hybrid.reachable.count, 729.0);
  EXPECT_TRUE(hybrid.reachable.values.empty());
  EXPECT_EQ(find_coupled_blocks(hybrid.configurations.front().model).size(), 6u);
}

TEST(ForcesInTheGraph, ConfigurationsOfTheWheelLoaderAreCounted) {
  const reduction::Hybrid hybrid = equations_of(from_config("free/wheel_loader_stops.yaml"));
  EXPECT_EQ(hybrid.reachable.count,
            36.0);  // each cylinder short, long or between; tip and heel on the ground or not
  EXPECT_EQ(hybrid.reachable.values.size(), 36u);
}

}  // namespace
}  // namespace rodeo::machine
