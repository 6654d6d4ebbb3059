// SPDX-License-Identifier: MIT
// favre-1998's pendulum from its bond graph: the Lagrange equations (9), those with Baumgarte's corrector (12), the dynamic
// equations (6) before reduction and the multipliers (8), (11), all proved for every value of the symbols. Dots are momenta over mass.
#include "tests/bondgraph/reading.h"
#include "tests/reduction/paper.h"

namespace rodeo::reduction {
namespace {

class Pendulum {
 public:
  explicit Pendulum(const std::vector<std::string>& overrides = {})
      : model_(
            build_model(bondgraph::build_graph_from_file(config("graphs/pendulum_favre.yaml"), overrides))),
        solved_(model_) {}

  /// As printed; xd and yd are the velocities.
  [[nodiscard]] Expr operator()(std::string_view print) const {
    return expr::build_expression(print, {[&](const std::string& name) -> std::optional<Expr> {
                                            if (name == "x") return bondgraph::displacement_of("mx");
                                            if (name == "y") return bondgraph::displacement_of("my");
                                            if (name == "xd")
                                              return bondgraph::momentum_of("mx") / expr::symbol("m");
                                            if (name == "yd")
                                              return bondgraph::momentum_of("my") / expr::symbol("m");
                                            if (name == "lambda") return lambda_symbol();
                                            return expr::symbol(name);
                                          },
                                          {},
                                          nullptr});
  }
  /// d²/dt² of x or y.
  [[nodiscard]] Expr acceleration(const std::string& mass) const {
    return solved_(state_rates(model_).at(find(mass))) / expr::symbol("m");
  }
  [[nodiscard]] Expr full_acceleration(const std::string& mass) const {
    const FullEquations full = build_full(model_.graph, model_.causality, model_.system, model_.solution);
    return full.rates.at(find(mass)) / expr::symbol("m");
  }
  [[nodiscard]] Expr multiplier() const { return solved_(model_.solution.values[place(lambda())]); }
  [[nodiscard]] const Model& model() const { return model_; }

 private:
  [[nodiscard]] std::size_t find(const std::string& mass) const {
    for (std::size_t s = 0; s < model_.system.states.size(); ++s) {
      if (model_.system.states[s].name == mass + ".momentum") return s;
    }
    throw std::out_of_range(mass);
  }
  [[nodiscard]] int lambda() const { return effort_index(find_bond(model_.graph, "constraint", "rod")); }
  [[nodiscard]] Expr lambda_symbol() const { return model_.system.variables[place(lambda())].symbol; }

  Model model_;
  Solved solved_;
};

/// The same graph with the corrector left out of the file.
Model build_bare() {
  bondgraph::Graph graph = bondgraph::build_graph_from_file(config("graphs/pendulum_favre.yaml"));
  bondgraph::Constraint& constraint = *graph.elements[place(graph.find_element("rod"))].constraint;
  constraint.damping = constraint.stiffness = 0.0;
  return build_model(std::move(graph));
}

TEST(FavrePendulum, HasTheDynamicEquations6BeforeReduction) {
  const Pendulum p;
  EXPECT_TRUE(proved(p.full_acceleration("mx"), p("-2*x/m*lambda")));
  EXPECT_TRUE(proved(p.full_acceleration("my"), p("g - 2*y/m*lambda")));
}

TEST(FavrePendulum, HasTheLagrangeEquations9WithoutACorrector) {
  const Pendulum p;
  const Model bare = build_bare();
  const Solved solved(bare);
  const std::vector<Expr> rates = state_rates(bare);
  const std::string bracket = "(y*g + xd^2 + yd^2)";
  int found = 0;
  for (std::size_t s = 0; s < rates.size(); ++s) {
    const Expr acceleration = solved(rates[s]) / expr::symbol("m");
    if (bare.system.states[s].name == "mx.momentum") {
      EXPECT_TRUE(proved(acceleration, p("-x/(x^2 + y^2)*" + bracket)));
      ++found;
    } else if (bare.system.states[s].name == "my.momentum") {
      EXPECT_TRUE(proved(acceleration, p("g - y/(x^2 + y^2)*" + bracket)));
      ++found;
    }
  }
  EXPECT_EQ(found, 2);
}

TEST(FavrePendulum, HasBaumgartesEquations11And12) {
  const Pendulum p;
  const std::string bracket = "(y*g + xd^2 + yd^2 + 2*alpha*(x*xd + y*yd) + beta^2*(x^2 + y^2 - l^2)/2)";
  EXPECT_TRUE(proved(p.multiplier(), p("m/(2*x^2 + 2*y^2)*" + bracket)));
  EXPECT_TRUE(proved(p.acceleration("mx"), p("-x/(x^2 + y^2)*" + bracket)));
  EXPECT_TRUE(proved(p.acceleration("my"), p("g - y/(x^2 + y^2)*" + bracket)));
}

TEST(FavrePendulum, IsNotProvedEqualToSomethingElse) {
  const Pendulum p;
  EXPECT_FALSE(proved(p.acceleration("mx"), p("-x/(x^2 + y^2)*(y*g + xd^2 + yd^2)")));
}

TEST(FavrePendulum, HasAllItsMassesInIntegralCausality) {
  const Pendulum p;
  EXPECT_EQ(p.model().system.states.size(), 4u);
  EXPECT_TRUE(p.model().system.differential_ports.empty());
}

// ---- constraints that do not belong to their graph

std::string fault_of(const std::string& rod) {
  const std::string text = R"(domain: translation
elements:
  mx: {I: 1}
  my: {I: 1}
  by_x: {MTF: 2*_Xmx_}
  by_y: {MTF: 2*_Xmy_}
  rod: {lambda: )" + rod + R"(}
  weight: {Se: 3}
  still: {Se: 0}
junctions: {vx: 1, vy: 1, constraint: 0}
bonds: [still -> vx, vx -> mx, vx -> by_x, by_x -> constraint, weight -> vy, vy -> my, vy -> by_y, by_y -> constraint, constraint -> rod]
)";
  try {
    (void)build_model(bondgraph::build_from_text(text));
  } catch (const text::ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(Constraints, ThatFitTheirGraphAreTaken) {
  EXPECT_EQ(fault_of("{position: _Xmx_^2 + _Xmy_^2 - 4, alpha: 1, beta: 1}"), "");
  EXPECT_EQ(fault_of("{gamma: 3}"), "");
  EXPECT_EQ(fault_of(""), "");
}

TEST(Constraints, WhosePositionIsNotTheIntegralOfTheFlowAreRefused) {
  EXPECT_EQ(fault_of("{position: _Xmx_^2 - _Xmy_^2 - 4}"),
            "m.yaml:7: element 'rod': the rate of its position '_Xmx_^2 - _Xmy_^2 - 4' "
            "is not the flow "
            "that its bond brings; check the transformers' moduli, which are the position's derivatives, and "
            "the bonds' "
            "directions");
}

std::string fault_of_graph(const std::string& text) {
  try {
    (void)build_model(bondgraph::build_from_text(text));
  } catch (const text::ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(Constraints, ThatCannotActAreRefused) {
  EXPECT_EQ(fault_of_graph("elements: {u: {Sf: 1}, m: {I: 1}, rod: lambda}\njunctions: {v: 1}\n"
                           "bonds: [u -> v, v -> m, v -> rod]\n"),
            "m.yaml:1: element 'rod': the constraint cannot act, as its flow does not follow its multiplier: "
            "is the flow "
            "imposed by a source?");
  EXPECT_EQ(fault_of_graph("elements: {w: {Se: 1}, k: {K: 1}, b: {R: 2}, rod: lambda}\njunctions: {v: 1}\n"
                           "bonds: [w -> v, v -> k, v -> b, v -> rod]\n"),
            "m.yaml:1: element 'rod': the multiplier of a constraint acts on inertias, and here it changes "
            "its flow at once: put "
            "an I at the 1-junctions that the constraint holds");
  EXPECT_EQ(fault_of_graph("elements: {w: {Se: 1}, m: {I: 1}, r1: lambda, r2: lambda}\njunctions: {v: 1}\n"
                           "bonds: [w -> v, v -> m, v -> r1, v -> r2]\n"),
            "m.yaml:1: the equations of the loop m, r1, r2, v do not determine its efforts and flows: put an "
            "R, I or C into the "
            "loop, or take a bond out of it");
}

TEST(Constraints, WhosePositionIsNoFunctionOfDisplacementsAreRefused) {
  EXPECT_EQ(fault_of("{position: _Vmx_}"),
            "m.yaml:7: element 'rod': its position is a function of displacements, and not all that stands "
            "in it is one");
}

}  // namespace
}  // namespace rodeo::reduction
