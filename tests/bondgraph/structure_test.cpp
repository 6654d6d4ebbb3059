// SPDX-License-Identifier: MIT
// Numbers of bonds, and domains.
#include <gmock/gmock.h>

#include "tests/bondgraph/reading.h"

namespace rodeo::bondgraph {
namespace {

using testing::HasSubstr;

TEST(Structure, ElementWithoutABondIsAFault) {
  EXPECT_EQ(faults_of(around_mass("  x: {R: 1}\n", "")),
            "m.yaml:4: element 'x': it has no bond: add one, such as junction -> x");
  EXPECT_THAT(faults_of(around_mass("  x: {Se: 1}\n", "")), HasSubstr("such as x -> junction"));
}

TEST(Structure, OnePortHasOneBond) {
  EXPECT_EQ(faults_of(around_mass("  x: {R: 1}\n", "  - v -> x\n  - v -> x\n")),
            "m.yaml:4: element 'x': a R has one port, and it has 2 bonds: put a junction between them, or "
            "make it a field with a matrix");
}

TEST(Structure, TwoPortHasOneBondInAndOneOut) {
  EXPECT_EQ(
      faults_of(around_mass("  n: {TF: 1}\n  x: {R: 1}\n", "  - v -> n\n  - x -> n\n")),
      "m.yaml:4: element 'n': a TF needs one bond that enters and one that leaves; 2 enter and 0 leave");
}

TEST(Structure, JunctionJoinsAtLeastTwo) {
  EXPECT_EQ(faults_of("elements: {a: {Se: 1}}\njunctions: {j: 1, k: 0}\nbonds: [a -> j]\n"),
            "m.yaml:2: junction 'j': it has 1 bond and joins nothing: add a bond or remove it\n"
            "m.yaml:2: junction 'k': it has no bond and joins nothing: add a bond or remove it");
}

TEST(Structure, FileWithPortsMayLeaveThemOpen) {
  EXPECT_EQ(faults_of("ports: [x]\njunctions: {x: 1}\n"), "");
}

TEST(Structure, EmptyGraphIsAFault) {
  EXPECT_THAT(faults_of("name: nothing\n"), HasSubstr("the bond graph is empty"));
}

TEST(Structure, IsNotCountedWhenABondCouldNotBeRead) {
  EXPECT_THAT(faults_of("elements: {a: {Se: 1}, b: {R: 1}}\nbonds: [a - b]\n"),
              testing::Not(HasSubstr("no bond")));
}

TEST(Domains, DefaultIsForAllAndAnElementMayNameItsOwn) {
  const Graph graph =
      build_from_text("domain: electric\n" + around_mass("  g: {GY: 3}\n  j: {I: 1, domain: rotation}\n",
                                                         "  - v -> g\n  - g -> j\n"));
  EXPECT_EQ(element(graph, "mass").domain, Domain::electric);
  EXPECT_EQ(element(graph, "j").domain, Domain::rotation);
  EXPECT_EQ(element(graph, "g").domain, Domain::unset);
  EXPECT_EQ(element(graph, "v").domain, Domain::electric);
  EXPECT_EQ(graph.bonds[2].domain, Domain::electric);
  EXPECT_EQ(graph.bonds[3].domain, Domain::rotation);
}

TEST(Domains, SpreadThroughJunctionsToWhatHasNone) {
  const Graph graph = build_from_text(around_mass("  x: {R: 1, domain: hydraulic}\n", "  - v -> x\n"));
  EXPECT_EQ(element(graph, "mass").domain, Domain::hydraulic);
  EXPECT_EQ(element(graph, "v").domain, Domain::hydraulic);
}

TEST(Domains, WithoutAnyEverythingJoins) {
  EXPECT_EQ(element(build_from_text(with_element("{R: 1}")), "x").domain, Domain::unset);
}

TEST(Domains, BondWithoutATransducerIsAFault) {
  EXPECT_EQ(faults_of("domain: electric\n" + around_mass("  j: {I: 1, domain: rotation}\n", "  - v -> j\n")),
            "m.yaml:10: bond 'v -> j' joins electric ('push', by its file's default) to rotation ('j') "
            "without a transducer: put a TF or GY "
            "between them, or correct a 'domain:'");
}

TEST(Domains, TwoPortMayNameBothSides) {
  const std::string fine =
      around_mass("  g: {GY: 3, domains: [electric, rotation]}\n  j: {I: 1}\n", "  - v -> g\n  - g -> j\n");
  EXPECT_EQ(element(build_from_text(fine), "mass").domain, Domain::electric);
  EXPECT_EQ(element(build_from_text(fine), "j").domain, Domain::rotation);
  EXPECT_THAT(faults_of("domain: thermal\n" + fine),
              HasSubstr("bond 'v -> g' joins thermal ('push', by its file's default) to electric ('g')"));
}

TEST(Domains, TwoPortMayStayInOne) {
  const Graph graph = build_from_text(
      around_mass("  n: {TF: 3, domain: rotation}\n  j: {R: 1}\n", "  - v -> n\n  - n -> j\n"));
  EXPECT_EQ(element(graph, "n").domain, Domain::rotation);
  EXPECT_EQ(element(graph, "j").domain, Domain::rotation);
}

TEST(Domains, UnknownOnesAreFaults) {
  EXPECT_EQ(faults_of(with_element("{R: 1, domain: elektric}")),
            "m.yaml:4: element 'x': there is no domain 'elektric' (did you mean 'electric'?); the domains "
            "are translation, rotation, hydraulic, "
            "electric, acoustic, thermal");
  EXPECT_THAT(faults_of(with_element("{R: 1, domains: [electric, rotation]}")),
              HasSubstr("'domains' is the pair of domains of a two-port"));
}

}  // namespace
}  // namespace rodeo::bondgraph
