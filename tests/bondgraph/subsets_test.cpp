// SPDX-License-Identifier: MIT
// Subsets: names, parameters, ports, starts, nesting, cycles, and faults in their own files.
#include <gmock/gmock.h>

#include "tests/bondgraph/reading.h"

namespace rodeo::bondgraph {
namespace {

using testing::HasSubstr;

constexpr const char* kSpring = R"(parameters: {k: 2, b: k/10}
ports: [p]
elements: {spring: {K: k}, damper: {R: b*_Xspring_}}
junctions: {p: 1}
bonds: [p -> spring, p -> damper]
start: {spring.displacement: k/2}
signals: {s: p.flow}
outputs: {o: spring.effort}
)";

/// A mass with a subset `a` on its junction.
std::string with_subset(const std::string& use, const std::string& more = "") {
  return around_mass("  a: " + use + "\n", "  - v -> a.p\n", more);
}

class Subsets : public testing::Test {
 protected:
  void SetUp() override { folder_.write("spring.yaml", kSpring); }
  Graph read(const std::string& text) { return build_graph_from_file(folder_.write("m.yaml", text)); }
  std::string faults(const std::string& text) {
    folder_.write("m.yaml", text);
    return folder_.faults_of_file("m.yaml");
  }
  Folder folder_;
};

TEST_F(Subsets, GiveTheirElementsTheNameOfTheUse) {
  const Graph graph = read(with_subset("{subset: spring.yaml}"));
  EXPECT_EQ(element(graph, "a.spring").value[0], Expr(2.0));
  EXPECT_EQ(element(graph, "a.damper").value[0], 0.2 * displacement_of("a.spring"));
  EXPECT_EQ(graph.signals.at(0).name, "a.s");
  EXPECT_EQ(graph.signals[0].value, flow_of("a.p"));
  EXPECT_EQ(graph.outputs.at(0).name, "a.o");
  EXPECT_EQ(graph.outputs[0].value, effort_of("a.spring"));
  EXPECT_EQ(graph.bonds.back().head, graph.find_element("a.p"));
}

TEST_F(Subsets, TakeParametersAsExpressionsOfTheIncluder) {
  const Graph graph =
      read(with_subset("{subset: spring.yaml, with: {k: 3*stiff}}", "parameters: {stiff: 4}\n"));
  const Expr k = 3.0 * expr::symbol("stiff");
  EXPECT_EQ(element(graph, "a.spring").value[0], k);
  EXPECT_EQ(element(graph, "a.damper").value[0],
            k / 10.0 * displacement_of("a.spring"));  // the default of b follows k
  EXPECT_EQ(graph.starts.at(0).value, 6.0);
  EXPECT_EQ(graph.parameters.size(), 1u);
}

TEST_F(Subsets, TakeSignalsAndVariablesAsParameters) {
  const Graph graph =
      read(with_subset("{subset: spring.yaml, with: {b: mass.flow + gain}}", "signals: {gain: 2*t}\n"));
  EXPECT_EQ(element(graph, "a.damper").value[0],
            (flow_of("mass") + expr::variable("gain")) * displacement_of("a.spring"));
}

TEST_F(Subsets, AreUsedAnyNumberOfTimes) {
  const Graph graph =
      read(around_mass("  a: {subset: spring.yaml}\n  b: {subset: spring.yaml, with: {k: 9}}\n",
                       "  - v -> a.p\n  - v -> b.p\n"));
  EXPECT_EQ(element(graph, "a.spring").value[0], Expr(2.0));
  EXPECT_EQ(element(graph, "b.spring").value[0], Expr(9.0));
}

TEST_F(Subsets, OuterStartsStandOverInnerOnes) {
  const Graph graph = read(with_subset("{subset: spring.yaml}", "start: {a.spring.displacement: 7}\n"));
  ASSERT_EQ(graph.starts.size(), 1u);
  EXPECT_EQ(graph.starts[0].value, 7.0);
}

TEST_F(Subsets, AreSeenFromOutsideByFullName) {
  const Graph graph = read(
      with_subset("{subset: spring.yaml}", "outputs: {x: a.spring.displacement + a.s, y: _Xa.spring_}\n"));
  EXPECT_EQ(graph.outputs[1].value, displacement_of("a.spring") + expr::variable("a.s"));
  EXPECT_EQ(graph.outputs[2].value, displacement_of("a.spring"));
}

TEST_F(Subsets, PortsMayHaveOuterNames) {
  folder_.write("inner.yaml",
                "ports: {B: end}\nelements: {r: {R: 1}}\njunctions: {end: 1}\nbonds: [end -> r]\n");
  const Graph graph =
      read(around_mass("  a: {subset: inner.yaml}\n", "  - v -> a.B\n", "outputs: {o: a.B.flow}\n"));
  EXPECT_EQ(graph.bonds.back().head, graph.find_element("a.end"));
  EXPECT_EQ(graph.outputs[0].value, flow_of("a.end"));
}

TEST_F(Subsets, APortMayEndInNothing) {
  folder_.write("rod.yaml",
                "ports: [p, q]\nelements: {r: {R: 1}}\njunctions: {p: 1, z: 0, q: 1}\nbonds: [p -> z, z -> "
                "r, z -> q]\n");
  EXPECT_EQ(read(with_subset("{subset: rod.yaml}")).elements.size(), 7u);
}

TEST_F(Subsets, NestWithoutLimit) {
  folder_.write("deep0.yaml", kSpring);
  for (int level = 1; level <= 30; ++level) {
    folder_.write("deep" + std::to_string(level) + ".yaml",
                  "parameters: {k: 1}\nports: {p: in.p}\nelements: {in: {subset: deep" +
                      std::to_string(level - 1) + ".yaml, with: {k: k + 1}}}\n");
  }
  const Graph graph = read(with_subset("{subset: deep30.yaml}"));
  EXPECT_EQ(graph.elements.size(), 6u);
  EXPECT_EQ(graph.elements[2].value[0], Expr(31.0));
}

TEST_F(Subsets, CyclesNameTheChain) {
  folder_.write("one.yaml", "elements:\n  x: {subset: two.yaml}\n");
  folder_.write("two.yaml", "elements:\n\n  y: {subset: one.yaml}\n");
  EXPECT_THAT(faults("elements:\n  a: {subset: one.yaml}\n"),
              HasSubstr("two.yaml:3: subset 'y': a cycle of subsets: one.yaml:2 -> two.yaml:3 -> one.yaml: a "
                        "subset cannot contain itself"));
  EXPECT_THAT(faults("elements:\n  a: {subset: m.yaml}\n"),
              HasSubstr("m.yaml:2: subset 'a': a cycle of subsets: m.yaml:2 -> m.yaml"));
}

TEST_F(Subsets, ThatMultiplyAreStopped) {
  folder_.write("m0.yaml", "junctions: {j: 1}\n");
  for (int level = 1; level <= 25; ++level) {
    const std::string use = "{subset: m" + std::to_string(level - 1) + ".yaml}";
    folder_.write("m" + std::to_string(level) + ".yaml", "elements: {a: " + use + ", b: " + use + "}\n");
  }
  EXPECT_THAT(faults("elements: {a: {subset: m25.yaml}}\n"),
              HasSubstr("the model grows over 500000 elements"));
}

TEST_F(Subsets, FaultsInTheirFileAreReportedOnceAndThere) {
  folder_.write("bad.yaml", "ports: [p]\nelements:\n  r: {R: zz}\njunctions: {p: 1}\nbonds: [p -> r]\n");
  EXPECT_EQ(faults(around_mass("  a: {subset: bad.yaml}\n  b: {subset: bad.yaml}\n",
                               "  - v -> a.p\n  - v -> b.p\n")),
            "bad.yaml:3: element 'r': unknown name 'zz'; known: t");
}

TEST_F(Subsets, UnknownFilesParametersAndPortsAreFaults) {
  EXPECT_THAT(faults(with_subset("{subset: none.yaml}")),
              HasSubstr("m.yaml:4: subset 'a': there is no file 'none.yaml' beside"));
  EXPECT_EQ(faults(with_subset("{subset: spring.yaml, with: {kk: 3}}")),
            "m.yaml:4: subset 'a': 'spring.yaml' has no parameter 'kk' (did you mean 'k'?); it has k, b");
  EXPECT_EQ(faults(around_mass("  a: {subset: spring.yaml}\n", "  - v -> a.q\n")),
            "m.yaml:9: bond 'v -> a.q': subset 'a' has no port 'q' (it has p)");
  EXPECT_THAT(faults(around_mass("  a: {subset: spring.yaml}\n", "  - v -> a.spring\n")),
              HasSubstr("subset 'a' has no port 'spring' (it has p)"));
  EXPECT_THAT(faults(around_mass("  a: {subset: spring.yaml}\n", "  - v -> a\n")),
              HasSubstr("'a' is a subset: name one of its ports (a.p)"));
  EXPECT_THAT(faults(around_mass("  a: {subset: spring.yaml}\n", "  - v -> c.p\n")),
              HasSubstr("'c.p': there is no subset 'c'"));
  EXPECT_THAT(faults(with_subset("{subset: spring.yaml, wit: {k: 3}}")),
              HasSubstr("subset 'a': unknown key 'wit'"));
  EXPECT_THAT(faults(with_subset("{subset: spring.yaml, with: 3}")),
              HasSubstr("with: a map NAME: VALUE is needed here"));
}

TEST_F(Subsets, PortsToNowhereAreFaults) {
  folder_.write("bad.yaml", "ports: [p, q]\nelements: {r: {R: 1}}\njunctions: {p: 1}\nbonds: [p -> r]\n");
  EXPECT_THAT(faults(with_subset("{subset: bad.yaml}")),
              HasSubstr("bad.yaml:1: port 'q': there is no element or junction 'q'"));
}

TEST_F(Subsets, ParametersWithoutDefaultMustBeGiven) {
  folder_.write(
      "need.yaml",
      "parameters: {k: }\nports: [p]\nelements: {r: {R: 1 + k}}\njunctions: {p: 1}\nbonds: [p -> r]\n");
  EXPECT_EQ(faults(with_subset("{subset: need.yaml}")),
            "m.yaml:4: subset 'a': give its parameter 'k', as in with: {k: 1}");
  EXPECT_EQ(faults(with_subset("{subset: need.yaml, with: {k: 4}}")), "");
}

TEST_F(Subsets, ParametersThatDependOnThemselvesAreFaults) {
  folder_.write(
      "loop.yaml",
      "parameters: {k: b, b: k}\nports: [p]\nelements: {r: {R: k}}\njunctions: {p: 1}\nbonds: [p -> r]\n");
  EXPECT_THAT(faults(with_subset("{subset: loop.yaml}")),
              HasSubstr("loop.yaml:1: parameter 'b': parameter 'k' depends on itself"));
  EXPECT_EQ(faults(with_subset("{subset: loop.yaml, with: {k: 2}}")), "");
}

TEST_F(Subsets, ParametersThatAreNotFiniteAreFaults) {
  EXPECT_THAT(faults(with_subset("{subset: spring.yaml, with: {k: 1/z}}", "parameters: {z: 0}\n")),
              HasSubstr("m.yaml:4: parameter 'k': '1/z' is not finite"));
}

/// A brake that looks at another subset's signal and at its spring.
constexpr const char* kBrake = R"(parameters: {of: subset, b: 3}
ports: [p]
elements: {r: {R: b + of.s + of.spring.displacement}}
junctions: {p: 1}
bonds: [p -> r]
)";

std::string with_brake(const std::string& with) {
  return around_mass("  a: {subset: spring.yaml}\n  c: {subset: brake.yaml, with: " + with + "}\n",
                     "  - v -> a.p\n  - v -> c.p\n");
}

TEST_F(Subsets, AreGivenToOtherSubsetsByName) {
  folder_.write("brake.yaml", kBrake);
  EXPECT_EQ(element(read(with_brake("{of: a}")), "c.r").value[0],
            3.0 + expr::variable("a.s") + displacement_of("a.spring"));
}

TEST_F(Subsets, HandOnWhatTheyWereGiven) {
  folder_.write("brake.yaml", kBrake);
  folder_.write("outer.yaml",
                "parameters: {from: subset}\nports: {p: inner.p}\nelements:\n  inner: {subset: brake.yaml, "
                "with: {of: from}}\n  more: {R: from.s}\nbonds: [inner.p -> more]\n");
  const Graph graph =
      read(around_mass("  c: {subset: outer.yaml, with: {from: a}}\n  a: {subset: spring.yaml}\n",
                       "  - v -> a.p\n  - v -> c.p\n"));
  EXPECT_EQ(element(graph, "c.inner.r").value[0], 3.0 + expr::variable("a.s") + displacement_of("a.spring"));
  EXPECT_EQ(element(graph, "c.more").value[0], expr::variable("a.s"));
}

TEST_F(Subsets, ThatAreMissingOrWrongWhereOneIsNeededAreFaults) {
  folder_.write("brake.yaml", kBrake);
  EXPECT_EQ(faults(with_brake("{}")),
            "m.yaml:5: subset 'c': give its parameter 'of', the name of another subset; there are a");
  EXPECT_EQ(faults(with_brake("{of: b}")),
            "m.yaml:5: subset 'c': its parameter 'of' is the name of another subset, not 'b'; there are a");
  EXPECT_EQ(
      faults(with_brake("{of: [a]}")),
      "m.yaml:5: subset 'c': its parameter 'of' is the name of another subset, not a list; there are a");
  EXPECT_EQ(
      faults(with_brake("{of: mass}")),
      "m.yaml:5: subset 'c': its parameter 'of' is the name of another subset, not 'mass'; there are a");
}

TEST_F(Subsets, ThatStandAloneHaveNoOthersToBeGiven) {
  folder_.write("brake.yaml", kBrake);
  EXPECT_EQ(faults(with_subset("{subset: brake.yaml}")),
            "m.yaml:4: subset 'a': give its parameter 'of', the name of another subset; there is none");
}

TEST_F(Subsets, AreAskedForSignalsTheyHave) {
  folder_.write("brake.yaml",
                "parameters: {of: subset}\nports: [p]\nelements: {r: {R: of.S1}}\njunctions: {p: 1}\nbonds: "
                "[p -> r]\n");
  EXPECT_EQ(faults(with_brake("{of: a}")),
            "m.yaml:5: subset 'c': its parameter 'of' is subset 'a', which has no signal 'S1'; it has s");
  folder_.write(
      "brake.yaml",
      "parameters: {of: subset}\nports: [p]\nelements: {r: {R: of}}\njunctions: {p: 1}\nbonds: [p -> r]\n");
  EXPECT_EQ(faults(with_brake("{of: a}")),
            "brake.yaml:3: element 'r': 'of' stands for a subset: name one of its signals or variables, as "
            "in of.s");
}

TEST_F(Subsets, ThatAreTheWrongOnesAreToldOnce) {
  folder_.write(
      "brake.yaml",
      "parameters: {of: subset}\nports: [p]\nelements: {r: {R: of.x}, q: {R: of.y}}\njunctions: {p: "
      "1}\nbonds: [p -> r, p -> q]\n");
  EXPECT_EQ(faults(with_brake("{of: a}")),
            "m.yaml:5: subset 'c': its parameter 'of' is subset 'a', which has no signal 'x' (did you mean "
            "'s'?); it has s");
  EXPECT_EQ(faults(with_brake("{of: c}")),
            "m.yaml:5: subset 'c': its parameter 'of' is the name of another subset, not 'c'; there are a");
}

TEST_F(Subsets, AreSearchedForTheSignalsThatAreNamed) {
  EXPECT_EQ(faults(with_subset("{subset: spring.yaml}", "outputs: {o: a.ss}\n")),
            "m.yaml:10: output 'o': 'a.ss': subset 'a' has no signal 'ss' (did you mean 's'?); it has s");
}

TEST_F(Subsets, WithValuesThatCannotBeReadAreReportedOnce) {
  folder_.write(
      "mass.yaml",
      "parameters: {m: 1}\nports: [p]\nelements: {body: {I: m}}\njunctions: {p: 1}\nbonds: [p -> body]\n");
  EXPECT_EQ(
      faults(with_subset("{subset: mass.yaml, with: {m: [1, 2]}}")),
      "m.yaml:4: parameter 'm' of subset 'a': a value is a number, an expression, a list of rules [{if: ..., "
      "then: ...}, {else: ...}] or {library: ..., function: ...}, not a list");
  EXPECT_EQ(
      faults(with_subset("{subset: mass.yaml, with: {m: 0}}")),
      "m.yaml:4: element 'a.body': I: 0 gives no flow for a momentum: leave the element out, or write K: 0");
}

TEST_F(Subsets, WhosePortsHaveAnotherDimensionAreFaultsOfTheBond) {
  folder_.write(
      "body.yaml",
      "ports: [p]\nelements: {body: {I: 2}}\njunctions: {p: 1}\nbonds: [{bond: p -> body, dimension: 3}]\n");
  EXPECT_EQ(faults("elements:\n  a: {subset: body.yaml}\n  push: {Se: [1, 2]}\nbonds:\n  - {bond: push -> "
                   "a.p, dimension: 2}\n"),
            "m.yaml:5: junction 'a.p': bond 'a.p -> a.body' has dimension 3 and bond 'push -> a.p' has "
            "dimension 2: a "
            "junction joins bonds of one dimension; put a TF with a matrix between");
}

TEST_F(Subsets, ThatAreGivenOthersAreNoModels) {
  folder_.write("brake.yaml", kBrake);
  EXPECT_EQ(folder_.faults_of_file("brake.yaml"),
            "brake.yaml:1: parameter 'of' stands for a subset of another file: use this one there, as in "
            "{subset: brake.yaml, with: {of: body}}");
}

TEST_F(Subsets, MayHaveAParameterOfThatName) {
  folder_.write("odd.yaml",
                "parameters: {subset: 2, k: subset}\nports: [p]\nelements: {r: {R: k}}\njunctions: {p: "
                "1}\nbonds: [p -> r]\n");
  EXPECT_EQ(element(read(with_subset("{subset: odd.yaml}")), "a.r").value[0], Expr(2.0));
}

TEST_F(Subsets, AreFoundInALibraryBesideAndAbove) {
  folder_.write("library/near.yaml", kSpring);
  folder_.write("configs/library/far.yaml", kSpring);
  const std::string deep = folder_.write("x/y/m.yaml", with_subset("{subset: far.yaml}"));
  EXPECT_EQ(read(with_subset("{subset: near.yaml}")).elements.size(), 6u);
  EXPECT_EQ(build_graph_from_file(deep).elements.size(), 6u);
}

TEST_F(Subsets, NotYamlIsReportedInTheirFile) {
  folder_.write("bad.yaml", "elements: [\n");
  EXPECT_THAT(faults(with_subset("{subset: bad.yaml}")), HasSubstr("this is not YAML"));
}

}  // namespace
}  // namespace rodeo::bondgraph
