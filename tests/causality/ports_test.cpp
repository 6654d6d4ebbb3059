// SPDX-License-Identifier: MIT
// Ports that get a causality of their own, and in which order. THEORY C2.
#include "kinematics/causality/ports.h"

#include <gmock/gmock.h>

#include "tests/bondgraph/reading.h"

namespace rodeo::causality {
namespace {

using bondgraph::build_from_text;
using bondgraph::Graph;
using testing::ElementsAre;

constexpr const char* kGraph = R"(
name: ports
domain: translation
elements:
  plain: {I: 1}
  friction: {R: 2}
  free: {K: 0}
  turned: {C: 3}
  lever: {TF: cos(turned.displacement)}
  push: {Se: 1}
junctions: {a: 1, b: 1}
bonds:
  - push -> a
  - a -> plain
  - a -> friction
  - a -> lever
  - lever -> b
  - b -> turned
  - b -> free
)";

std::vector<std::string> names_of(const Graph& graph, const std::vector<Port>& ports) {
  std::vector<std::string> names;
  for (const Port& port : ports) names.push_back(graph.elements[static_cast<std::size_t>(port.element)].name);
  return names;
}

TEST(StoragePorts, ThatModulateSomethingComeFirst) {
  const Graph graph = build_from_text(kGraph);
  EXPECT_THAT(names_of(graph, find_storage_ports(graph)), ElementsAre("turned", "plain"));
}

TEST(Ports, OfResistorsAndSourcesAreNoStoragePorts) {
  const Graph graph = build_from_text(kGraph);
  EXPECT_THAT(names_of(graph, find_resistor_ports(graph)), ElementsAre("friction"));
  std::vector<std::string> sources;
  for (const bondgraph::Element& element : graph.elements) {
    if (acts_as_source(element)) sources.push_back(element.name);
  }
  EXPECT_THAT(sources, testing::UnorderedElementsAre("free", "push"));
}

}  // namespace
}  // namespace rodeo::causality
