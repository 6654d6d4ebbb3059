// SPDX-License-Identifier: MIT
// Values: variables of other ports, if-rules, fields, nonlinear laws, shared libraries, constants that are not finite.
#include <gmock/gmock.h>

#include <cstdlib>

#include "kinematics/bondgraph/library.h"
#include "kinematics/expr/eval.h"
#include "tests/bondgraph/reading.h"

namespace rodeo::bondgraph {
namespace {

using expr::Op;
using expr::operation;
using testing::HasSubstr;

Expr value_of(const std::string& value, const std::string& more = "") {
  return element(build_from_text(with_element(value, more)), "x").value.at(0);
}

TEST(Variables, AreReachedByElementAndQuantity) {
  EXPECT_EQ(value_of("{R: mass.flow}"), flow_of("mass"));
  EXPECT_EQ(value_of("{R: mass.momentum}"), momentum_of("mass"));
  EXPECT_EQ(value_of("{R: push.effort + t}"), effort_of("push") + expr::time_symbol());
  EXPECT_EQ(value_of("{K: 1 + x.displacement}"), 1.0 + displacement_of("x"));
  EXPECT_EQ(value_of("{R: v.flow}"), flow_of("v"));
}

TEST(Variables, AreReachedByBondinsNames) {
  EXPECT_EQ(value_of("{R: _Vmass_}"), flow_of("mass"));
  EXPECT_EQ(value_of("{R: _Xmass_}"), displacement_of("mass"));
  EXPECT_EQ(value_of("{K: _Xx_}"), displacement_of("x"));
}

TEST(Variables, DisplacementOfAnInertiaIsNotedOnce) {
  const Graph graph =
      build_from_text(with_element("{R: _Xmass_ + mass.displacement}", "outputs: {o: _Xmass_, p: x.flow}\n"));
  EXPECT_EQ(graph.displacement_of_inertia, std::vector{graph.find_element("mass")});
  EXPECT_TRUE(build_from_text(with_element("{K: _Xx_}")).displacement_of_inertia.empty());
}

TEST(Variables, ThatDoNotExistAreFaults) {
  EXPECT_EQ(faults_of(with_element("{R: mas.flow}")),
            "m.yaml:4: element 'x': 'mas.flow': there is no element 'mas' (did you mean 'mass'?)");
  EXPECT_EQ(faults_of(with_element("{R: _Vmas_}")),
            "m.yaml:4: element 'x': '_Vmas_': there is no element 'mas' (did you mean 'mass'?)");
  EXPECT_EQ(faults_of(with_element("{R: _Vpush_}")),
            "m.yaml:4: element 'x': '_Vpush_': _V..._ belongs to I ports and 'push' is a Se: write push.flow "
            "for one of its variables");
  EXPECT_EQ(faults_of(with_element("{R: _Xpush_}")),
            "m.yaml:4: element 'x': '_Xpush_': _X..._ belongs to I, C and K ports and 'push' is a Se: write "
            "push.effort for one of its variables");
  EXPECT_EQ(
      faults_of(with_element("{R: push.momentum}")),
      "m.yaml:4: element 'x': 'push.momentum': 'push' is a Se, which has no momentum (it has effort, flow)");
  EXPECT_THAT(faults_of(with_element("{R: v.effort}")),
              HasSubstr("'v' is a 1-junction, which has no effort (it has flow)"));
  EXPECT_THAT(faults_of(with_element("{R: mass.speed}")),
              HasSubstr("'speed' is none of effort, flow, displacement, momentum"));
}

TEST(Variables, OfATwoPortAreAmbiguous) {
  EXPECT_THAT(faults_of(around_mass("  n: {TF: 2}\n  x: {R: n.flow}\n", "  - v -> n\n  - n -> x\n")),
              HasSubstr("'n' is a two-port with two efforts and flows: name an element at one of its ends"));
}

TEST(Random, StreamsAreCountedOverTheModel) {
  const Graph graph =
      build_from_text(around_mass("  x: {R: rand + 1}\n  y: {R: 2*rand}\n", "  - v -> x\n  - v -> y\n"));
  EXPECT_EQ(element(graph, "x").value[0], expr::random_stream(0) + 1.0);
  EXPECT_EQ(element(graph, "y").value[0], 2.0 * expr::random_stream(1));
}

TEST(Rules, TheFirstThatHoldsGivesTheValue) {
  const Expr value =
      value_of("{R: [{if: \"_Vmass_ <= 5\", then: 750}, {if: \"_Vmass_ <= 10\", then: 1000}, {else: 1500}]}");
  for (const auto& [speed, hardness] : std::map<double, double>{{3, 750}, {5, 750}, {7, 1000}, {11, 1500}}) {
    EXPECT_EQ(expr::calc_value(value, {{"mass.flow", speed}}), hardness);
  }
}

TEST(Rules, NestAndEndInElse) {
  const Expr value = value_of("{R: [{if: t > 1, then: [{if: t > 2, then: 20}, {else: 10}]}, {else: 5}]}");
  EXPECT_EQ(expr::calc_value(value, {{"t", 0.0}}), 5.0);
  EXPECT_EQ(expr::calc_value(value, {{"t", 1.5}}), 10.0);
  EXPECT_EQ(expr::calc_value(value, {{"t", 3.0}}), 20.0);
}

TEST(Rules, WithoutElseAreAFault) {
  EXPECT_EQ(faults_of(with_element("{R: [{if: t > 1, then: 3}]}")),
            "m.yaml:4: element 'x': no rule for the remaining case: end the rules with {else: ...}");
  EXPECT_THAT(faults_of(with_element("{R: [{if: t > 1}, {else: 3}]}")),
              HasSubstr("element 'x': rule: key 'then' is missing"));
  EXPECT_THAT(faults_of(with_element("{R: [{else: 3}, {else: 4}]}")), HasSubstr("rule: key 'if' is missing"));
}

TEST(Values, OfAnyOtherShapeAreRefused) {
  EXPECT_THAT(faults_of(with_element("{R: [1, {a: 2}]}")),
              HasSubstr("element 'x': a value is a number, an expression, a list of rules"));
  EXPECT_THAT(faults_of(with_element("{R: {value: 2}}")), HasSubstr("element 'x': a value is a number"));
}

TEST(Fields, AreMatricesRowByRow) {
  const Graph graph = build_from_text(
      "parameters: {L: 3, M: 1}\nelements:\n  a: {Se: 1}\n  b: {Se: 2}\n  f: {I: [[L, M], [M, "
      "2*L]]}\njunctions: {u: 1, w: 1}\n"
      "bonds: [a -> u, u -> f, b -> w, w -> f]\noutputs: {o: f.flow_2}\n");
  const Element& field = element(graph, "f");
  ASSERT_EQ(field.value.size(), 4u);
  EXPECT_EQ(field.value[1], expr::symbol("M"));
  EXPECT_EQ(field.value[3], 2.0 * expr::symbol("L"));
  EXPECT_EQ(find_port_count(field), 2);
  EXPECT_EQ(graph.outputs[0].value, expr::variable("f.flow_2"));
}

TEST(Fields, FaultsNameTheRowAndThePorts) {
  EXPECT_THAT(faults_of(with_element("{R: [[1, 2], [3]]}")),
              HasSubstr("element 'x': the matrix of a field is square, and this row has 1 values, not 2"));
  EXPECT_EQ(faults_of(with_element("{R: [[1, 2], [2, 3]]}")),
            "m.yaml:4: element 'x': its matrix has 2 rows for 2 ports, and it has 1 bond");
  EXPECT_THAT(faults_of(with_element("{R: [[1, 2], [2, 3]]}", "outputs: {o: x.flow}\n")),
              HasSubstr("output 'o': 'x.flow': 'x' has 2 ports: write x.flow_1 to x.flow_2"));
  EXPECT_THAT(faults_of(with_element("{R: 1}", "outputs: {o: x.flow_1}\n")),
              HasSubstr("'x' has one port: write x.flow"));
}

TEST(Laws, NameTheirOwnVariableByALetter) {
  const Graph graph = build_from_text(
      around_mass("  r: {R: {effort: 3*abs(f)*f}}\n  k: {K: {effort: a*x + x^3}}\n  c: {C: {effort: 2*x}}\n  "
                  "i: {I: {flow: p/a}}\n",
                  "  - v -> r\n  - v -> k\n  - v -> c\n  - v -> i\n", "parameters: {a: 2}\n"));
  const Expr f = flow_of("r");
  EXPECT_EQ(element(graph, "r").value[0], 3.0 * operation(Op::abs, {f}) * f);
  EXPECT_EQ(element(graph, "r").law, Law::nonlinear);
  EXPECT_EQ(element(graph, "k").value[0],
            expr::symbol("a") * displacement_of("k") + pow(displacement_of("k"), 3.0));
  EXPECT_EQ(element(graph, "c").value[0], 2.0 * displacement_of("c"));
  EXPECT_EQ(element(graph, "i").value[0], momentum_of("i") / expr::symbol("a"));
  EXPECT_TRUE(graph.displacement_of_inertia.empty());
}

TEST(Laws, OfTheWrongVariableSayWhichIsRight) {
  EXPECT_EQ(faults_of(with_element("{R: {flow: 3}}")),
            "m.yaml:4: element 'x': the law of a R gives its effort from its flow f, as in {R: {effort: "
            "\"2*f^3\"}}");
  EXPECT_THAT(faults_of(with_element("{I: {effort: 3}}")),
              HasSubstr("the law of a I gives its flow from its momentum p"));
  EXPECT_THAT(faults_of(with_element("{Se: {effort: 3}}")), HasSubstr("a Se has a value, not a law"));
  EXPECT_THAT(faults_of(with_element("{R: {effort: 2*x}}")), HasSubstr("unknown name 'x'"));
}

TEST(Constants, ThatAreNotFiniteAreFaults) {
  EXPECT_EQ(faults_of(with_element("{R: 1/(a - b)}", "parameters: {a: 1, b: 1}\n")),
            "m.yaml:4: element 'x': '1/(a - b)' is not finite: check for a division by zero");
  EXPECT_THAT(faults_of(with_element("{R: mass.flow*(3/(a - b))}", "parameters: {a: 1, b: 1}\n")),
              HasSubstr("'3/(a - b)' is not finite"));
  EXPECT_THAT(faults_of(with_element("{R: 1/0}")), HasSubstr("element 'x': a division by zero in '1/0'"));
  EXPECT_THAT(faults_of(with_element("{R: .inf}")), HasSubstr("not a finite number"));
  EXPECT_THAT(
      faults_of(with_element("{R: 1}", "signals: {s: {integrate: t, start: 1/a}}\nparameters: {a: 0}\n")),
      HasSubstr("signal 's': '1/a' is not finite"));
}

TEST(Constants, InABranchThatIsNeverTakenDoNoHarm) {
  EXPECT_EQ(faults_of(with_element("{R: \"if(a > 0, 1/a, t)\"}", "parameters: {a: 0}\n")), "");
  EXPECT_THAT(faults_of(with_element("{R: \"if(t > 0, 1/a, t)\"}", "parameters: {a: 0}\n")),
              HasSubstr("'1/a' is not finite"));
}

TEST(Constants, ZeroOfIAndCIsRefusedAndOfKAllowed) {
  EXPECT_THAT(faults_of(with_element("{C: 0}")),
              HasSubstr("C: 0 gives no effort for a displacement: write K: 0"));
  EXPECT_THAT(faults_of(with_element("{I: a}", "parameters: {a: 0}\n")),
              HasSubstr("I: 0 gives no flow for a momentum"));
  EXPECT_EQ(faults_of(with_element("{K: 0}")), "");
  EXPECT_EQ(faults_of(with_element("{R: 0}")), "");
}

/// The source of configs/graphs/hardness.c as a library in a folder of its own, beside the model that uses it.
class Library : public testing::Test {
 protected:
  void SetUp() override {
    const std::string graphs = std::string(RODEO_SOURCE_DIR) + "/configs/graphs/";
    std::filesystem::copy_file(graphs + "library_damper.yaml", folder_ / "m.yaml");
    const std::string command =
        "gcc -shared -fPIC -o '" + (folder_ / "hardness.so") + "' '" + graphs + "hardness.c' -lm";
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
  Folder folder_;
};

TEST_F(Library, GivesComponentsOfAVectorBondTheirs) {
  folder_.write("v.yaml",
                "elements:\n  mass: {I: 2}\n  one: {R: {library: hardness.so, function: hardness, arguments: "
                "[mass.flow_1, 2]}}\n"
                "  each: {R: [{library: hardness.so, function: hardness, arguments: [mass.flow_1, 2]}, 5]}\n"
                "junctions: {v: 1}\nbonds: [{bond: v -> mass, dimension: 2}, v -> one, v -> each]\n");
  const Graph graph = build_graph_from_file(folder_ / "v.yaml");
  EXPECT_EQ(element(graph, "one").value.size(), 1u);
  ASSERT_EQ(element(graph, "each").value.size(), 2u);
  EXPECT_EQ(element(graph, "each").value[0]->op, Op::call);
  EXPECT_EQ(element(graph, "each").value[1], Expr(5.0));
}

TEST_F(Library, GivesAnElementItsValue) {
  const Graph graph = build_graph_from_file(folder_ / "m.yaml");
  const Expr value = element(graph, "damper").value.at(0);
  ASSERT_EQ(value->op, Op::call);
  EXPECT_EQ(value->args, (std::vector{expr::time_symbol(), flow_of("I1"), flow_of("I2")}));
  LibraryFunctions functions;
  EXPECT_THROW(static_cast<void>(functions.build_function(folder_ / "hardness.so", "hardness")),
               std::invalid_argument)
      << "nobody has allowed it";
  allow_library(folder_ / "hardness.so");
  expr::Context context;
  context.call = [&](const expr::Node& call, const std::vector<double>& args) {
    return functions.build_value(call, args);
  };
  EXPECT_EQ(expr::calc_value(value, {{"t", 0.0}, {"I1.flow", 9.0}, {"I2.flow", 2.0}}, context), 1000.0);
  EXPECT_EQ(expr::calc_value(value, {{"t", 0.0}, {"I1.flow", -9.0}, {"I2.flow", 2.0}}, context), 1500.0);
}

TEST_F(Library, ThatIsNotThereIsAFault) {
  folder_.write("a.yaml", with_element("{R: {library: none.so, function: hardness}}"));
  EXPECT_EQ(
      folder_.faults_of_file("a.yaml"),
      "a.yaml:4: element 'x': there is no library 'none.so': a library's path counts from the model file");
  folder_.write("b.yaml", with_element("{R: {library: hardness.so, function: softness}}"));
  EXPECT_EQ(folder_.faults_of_file("b.yaml"),
            "b.yaml:4: element 'x': library 'hardness.so' has no function 'softness': in C++ it must be "
            "extern \"C\"");
  folder_.write("c.yaml", with_element("{R: {library: c.yaml, function: softness}}"));
  EXPECT_THAT(folder_.faults_of_file("c.yaml"), HasSubstr("'c.yaml' is no shared library of a 64-bit Linux"));
  folder_.write("d.yaml", with_element("{R: {library: hardness.so, arguments: 3}}"));
  EXPECT_THAT(folder_.faults_of_file("d.yaml"), HasSubstr("key 'function' is missing"));
  EXPECT_THAT(folder_.faults_of_file("d.yaml"), HasSubstr("'arguments' is a list of expressions"));
}

}  // namespace
}  // namespace rodeo::bondgraph
