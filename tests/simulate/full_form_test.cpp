// SPDX-License-Identifier: MIT
// The full form by IDA on graphs with differential causality and zero-order causal paths: every column of its log against the reduced form
// by fixed steps, and against closed forms where there are some.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "tests/simulate/running.h"

namespace rodeo::simulate {
namespace {

RunOptions with(FormKind form, MethodKind method, double seconds, double rate = 1000) {
  RunOptions options;
  options.form = form;
  options.method = method;
  options.duration = seconds;
  options.rate = rate;
  options.columns = {"all"};
  return options;
}

Model from_library(const std::string& text) {
  const std::string file = std::string(RODEO_SOURCE_DIR) + "/configs/graphs/test.yaml";
  return reduction::build_model(bondgraph::build_graph(text::build_yaml_from_text(text, file), file));
}

/// The largest difference of a column to the reduced form by rk4 in steps of 50 µs, of the column's largest value.
double calc_worst(const Model& model, double seconds, std::string& where) {
  const Log full = run(model, with(FormKind::full, MethodKind::ida, seconds));
  const Log reduced = run(model, with(FormKind::reduced, MethodKind::rk4, seconds, 20000));
  double worst = 0;
  for (std::size_t c = 1; c < full.names.size(); ++c) {
    double size = 1e-3, off = 0;
    for (std::size_t row = 0; row < full.rows.size(); ++row) {
      const double expected = reduced.at(20 * row, full.names[c]);
      size = std::max(size, std::abs(expected));
      off = std::max(off, std::abs(full.rows[row][c] - expected));
    }
    if (off / size <= worst) continue;
    worst = off / size;
    where = full.names[c];
  }
  return worst;
}

struct Made {
  const char* name;
  std::string text;
  double tolerance = 1e-5;  // rates of dependent ports are known one order worse than states
};

const double kPi = std::numbers::pi;

std::string rod(double length, double angle, const std::string& more = "") {
  return fmt::format("{{subset: planar_rod.yaml, with: {{L: {}, angle: {:.17g}, g: 9.81{}}}}}\n", length,
                     angle, more);
}

std::string build_four_bar(const std::string& rate) {
  const double L0 = 1.4, L1 = 0.5, L2 = 1.2, L3 = 1.0, a1 = kPi / 3;
  const double qx = L0 - L1 * std::cos(a1), qy = -L1 * std::sin(a1), q = std::hypot(qx, qy);
  const double a2 = std::atan2(qy, qx) + std::acos((L2 * L2 + q * q - L3 * L3) / (2 * L2 * q));
  const double a3 = std::atan2(qy - L2 * std::sin(a2), qx - L2 * std::cos(a2));
  return "name: rods\nelements:\n  crank: " + rod(L1, a1, rate) + "  coupler: " + rod(L2, a2) +
         "  rocker: " + rod(L3, a3) +
         "  O: {subset: ground_pin.yaml}\n  Q: {subset: ground_pin.yaml}\nbonds: [O.x -> crank.Ax, O.y -> "
         "crank.Ay, "
         "crank.Bx -> coupler.Ax, crank.By -> coupler.Ay, coupler.Bx -> rocker.Ax, coupler.By -> rocker.Ay, "
         "rocker.Bx -> Q.x, rocker.By -> Q.y]\n";
}

std::vector<Made> list_graphs() {
  return {
      {"free_four_bar", build_four_bar(""), 1e-3},
      {"free_four_bar_with_a_rate", build_four_bar(", rate: 2"), 1e-3},
      {"double_pendulum",
       "name: p\nelements:\n  a: " + rod(1, 0.3) + "  b: " + rod(0.7, -0.3) +
           "  O: {subset: ground_pin.yaml}\nbonds: [O.x -> a.Ax, O.y -> a.Ay, a.Bx -> b.Ax, a.By -> b.Ay]\n",
       1e-3},
      {"slider_crank",
       "name: s\nelements:\n  a: " + rod(0.5, 1) + "  b: " + rod(1.5, -std::asin(0.5 * std::sin(1.0) / 1.5)) +
           "  O: {subset: ground_pin.yaml}\n  guide: {Sf: 0, domain: translation}\n  piston: {I: 2, domain: "
           "translation}\nbonds: [O.x -> a.Ax, O.y -> a.Ay, a.Bx -> b.Ax, a.By -> b.Ay, guide -> b.By, b.Bx "
           "-> "
           "piston]\n",
       1e-3},
      {"masses_behind_transformers", R"y(
domain: translation
elements: {F: {Se: 10}, a: {I: 2}, b: {I: 3}, c: {I: 4}, n1: {TF: 2}, n2: {TF: -0.5}, k: {K: 100}}
junctions: {va: 1, vb: 1, vc: 1}
bonds: [F -> va, va -> a, va -> n1, n1 -> vb, vb -> b, vb -> n2, n2 -> vc, vc -> c, vc -> k]
start: {k.displacement: 0.1}
)y"},
      {"capacitors_in_parallel", R"y(
domain: electric
elements: {u: {Se: 10*sin(5*t)}, r: {R: 100}, c1: {C: 1e-3}, c2: {C: 2e-3}}
junctions: {s: 1, p: 0}
bonds: [u -> s, s -> r, s -> p, p -> c1, p -> c2]
)y"},
      {"gyrator", R"y(
domain: electric
elements: {u: {Se: 10}, r1: {R: 2}, g: {GY: 3}, r2: {R: 5}, j: {I: 0.2}}
junctions: {a: 1, b: 1}
bonds: [u -> a, a -> r1, a -> g, g -> b, b -> r2, b -> j]
)y"},
      {"bridge", R"y(
domain: electric
elements: {u: {Se: 10*cos(4*t)}, r1: {R: 2}, r2: {R: 5}, r3: {R: 7}, r4: {R: 3}, r5: {R: 11}, l: {I: 0.4}}
junctions: {n1: 0, n2: 0, n3: 0, s1: 1, s2: 1, s3: 1, s4: 1, s5: 1}
bonds: [u -> n1, n1 -> s1, s1 -> r1, s1 -> n2, n1 -> s2, s2 -> r2, s2 -> n3, n2 -> s3, s3 -> r3, s3 -> n3,
        n2 -> s4, s4 -> r4, n3 -> s5, s5 -> r5, s5 -> l]
)y"},
      {"motor_with_a_gear", R"y(
domain: rotation
elements:
  u: {Se: 24*sin(2*t), domain: electric}
  ra: {R: 0.5, domain: electric}
  k: {GY: 0.05, domains: [electric, rotation]}
  rotor: {I: 2e-4}
  n: {TF: 1/20}
  load: {I: 0.3}
  shaft: {K: 50}
  end: {I: 0.1}
junctions: {i: 1, w: 1, wl: 1, z: 0, we: 1}
bonds: [u -> i, i -> ra, i -> k, k -> w, w -> rotor, w -> n, n -> wl, wl -> load, wl -> z, z -> shaft, z -> we, we -> end]
)y",
       1e-4},
      {"mass_on_a_lever", R"y(
domain: rotation
elements:
  M: {Se: 3}
  J: {I: 2}
  mx: {MTF: "-0.7*sin(_XJ_)", domains: [rotation, translation]}
  my: {MTF: "0.7*cos(_XJ_)", domains: [rotation, translation]}
  m1: {I: 1.5, domain: translation}
  m2: {I: 1.5, domain: translation}
  k: {K: 3, domain: translation}
junctions: {om: 1, vx: 1, vy: 1}
bonds: [M -> om, om -> J, om -> mx, mx -> vx, vx -> m1, om -> my, my -> vy, vy -> m2, vy -> k]
)y",
       1e-4},
      {"inertia_that_varies", R"y(
domain: rotation
elements: {M: {Se: 3}, J: {I: 2}, n: {MTF: "1+0.5*cos(_XJ_)"}, load: {
  I:
    "1+0.2*sin(_XJ_)"
  }
}
junctions: {a: 1, b: 1}
bonds: [M -> a, a -> J, a -> n, n -> b, b -> load]
)y"},
      {"quadratic_resistors", R"y(
domain: hydraulic
elements: {p: {Se: 100+10*sin(t)}, r1: {R: {effort: "3*abs(f)*f"}}, r2: {R: {effort: "2*abs(f)*f"}}, c: {C: 0.1}}
junctions: {s: 1}
bonds: [p -> s, s -> r1, s -> r2, s -> c]
)y"},
      {"resistors_alone", R"y(
domain: electric
elements: {u: {Se: 10*cos(400*t)}, r1: {R: 2}, r2: {R: 5}, r3: {R: 7}, r4: {R: 3}}
junctions: {a: 1, p: 0, b: 1}
bonds: [u -> a, a -> r1, a -> p, p -> r2, p -> b, b -> r3, b -> r4]
)y"},
      {"fast_voltage_beside_a_slow_coil", R"y(
domain: electric
elements: {u: {Se: 10*cos(400*t)}, r1: {R: 2}, r2: {R: 5}, r3: {R: 7}, r4: {R: 3}, slow: {Se: 1}, l: {I: 9}, r: {R: 1}}
junctions: {a: 1, p: 0, b: 1, c: 1}
bonds: [u -> a, a -> r1, a -> p, p -> r2, p -> b, b -> r3, b -> r4, slow -> c, c -> l, c -> r]
)y"},
  };
}

class FullForms : public testing::TestWithParam<Made> {};
INSTANTIATE_TEST_SUITE_P(Made, FullForms, testing::ValuesIn(list_graphs()),
                         [](const auto& made) { return std::string(made.param.name); });

TEST_P(FullForms, GivesWhatTheReducedFormGives) {
  std::string where;
  const double worst = calc_worst(from_library(GetParam().text), 1.0, where);
  EXPECT_LT(worst, GetParam().tolerance) << where;
}

/// 10 V cos(400 t) over 2 Ω and 5 Ω beside 7 + 3 Ω: 10/(2 + 10/3) A through r1.
TEST(FullForm, OfResistorsAloneIsOhmsLawAtEveryRow) {
  const std::vector<Made> graphs = list_graphs();
  const auto made = std::find_if(graphs.begin(), graphs.end(),
                                 [](const Made& m) { return std::string(m.name) == "resistors_alone"; });
  const Log log = run(from_library(made->text), with(FormKind::full, MethodKind::ida, 1.0));
  for (const std::size_t row : {1u, 7u, 333u, 1000u})
    EXPECT_NEAR(log.at(row, "r1.flow"), 10 / (2 + 10.0 / 3) * std::cos(0.4 * static_cast<double>(row)), 1e-6);
}

/// What is not: no switch is blamed where there is none.
TEST(FullForm, NamesNoSwitchWhereThereIsNone) {
  const Model model = model_of(R"y(
domain: translation
elements: {F: {Se: "1/(0.5-t)^2"}, m: {I: 1}}
junctions: {v: 1}
bonds: [F -> v, v -> m]
)y");
  const std::string sentence = failure_of(model, with(FormKind::full, MethodKind::ida, 1.0));
  EXPECT_THAT(sentence, testing::HasSubstr("ida stopped at t = 0.5"));
  EXPECT_THAT(sentence, testing::Not(testing::HasSubstr("switch")));
}

}  // namespace
}  // namespace rodeo::simulate
