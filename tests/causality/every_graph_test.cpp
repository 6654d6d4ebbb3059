// SPDX-License-Identifier: MIT
// Every completed graph obeys its nodes' rules: all configs, and random trees of junctions with loops. Numbers of
// arbitrary bonds of the paper's machines.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>

#include "kinematics/causality/causality.h"
#include "kinematics/machine/rods.h"
#include "tests/causality/rules.h"

namespace rodeo::causality {
namespace {

using bondgraph::Element;
using bondgraph::Kind;

std::string configs() { return std::string(RODEO_SOURCE_DIR) + "/configs/"; }

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(EveryMachine, ObeysTheRulesInBothRodForms) {
  for (const std::string& file : files_in(configs())) {
    const machine::Machine machine = machine::build_machine_from_file(file);
    for (const machine::RodForm form : {machine::RodForm::traditional, machine::RodForm::equivalent}) {
      const Graph graph = machine::build_rods(machine, {form, true, {}});
      EXPECT_EQ(find_broken_rules(graph, assign_causality(graph).strokes), "") << file;
    }
  }
}

TEST(EveryGraph, OfTheConfigsObeysTheRules) {
  for (const std::string& file : files_in(configs() + "graphs")) {
    if (file.ends_with("library_damper.yaml")) continue;  // needs its library built
    const Graph graph = bondgraph::build_graph_from_file(file);
    EXPECT_EQ(find_broken_rules(graph, assign_causality(graph).strokes), "") << file;
  }
}

/// A random tree of alternating 0- and 1-junctions, a storage, R or source on each, and bonds that close loops.
class RandomGraph {
 public:
  explicit RandomGraph(unsigned seed) : generator_(seed) {}

  Graph build() {
    graph_.name = "random";
    const int junctions = pick(2, 15);
    for (int j = 0; j < junctions; ++j) add_junction(j);
    for (int loop = pick(0, 4); loop > 0; --loop) close_loop(junctions);
    return std::move(graph_);
  }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(generator_); }

  int add(const std::string& name, Kind kind, std::vector<expr::Expr> value) {
    Element element;
    element.name = name;
    element.kind = kind;
    element.value = std::move(value);
    return bondgraph::add_element(graph_, std::move(element));
  }

  void bond(int a, int b) {
    if (pick(0, 1) == 1) std::swap(a, b);
    bondgraph::add_bond(graph_, a, b, {});
  }

  /// a - TF or GY - b, drawn through in one direction; or a bond alone where the junctions differ.
  void join(int a, int b) {
    const bool alike = graph_.elements[static_cast<std::size_t>(a)].kind ==
                       graph_.elements[static_cast<std::size_t>(b)].kind;
    if (!alike && pick(0, 2) > 0) return bond(a, b);
    const int two_port =
        add("n" + std::to_string(graph_.elements.size()), pick(0, 4) == 0 ? Kind::GY : Kind::TF, {2.0});
    bondgraph::add_bond(graph_, a, two_port, {});
    bondgraph::add_bond(graph_, two_port, b, {});
  }

  void add_junction(int j) {
    const int node = add("j" + std::to_string(j), pick(0, 1) == 0 ? Kind::zero : Kind::one, {});
    if (j > 0) join(nodes_[static_cast<std::size_t>(pick(0, j - 1))], node);
    nodes_.push_back(node);
    for (int leaves = pick(1, 2); leaves > 0; --leaves) add_leaf(node);
  }

  void add_leaf(int node) {
    constexpr Kind kKinds[] = {Kind::I, Kind::I, Kind::C, Kind::K, Kind::R, Kind::R, Kind::Se, Kind::Sf};
    const Kind kind = kKinds[pick(0, 7)];
    const int leaf = add("x" + std::to_string(graph_.elements.size()), kind, {1.5});
    const bool is_source = kind == Kind::Se || kind == Kind::Sf;
    is_source ? bondgraph::add_bond(graph_, leaf, node, {}) : bondgraph::add_bond(graph_, node, leaf, {});
  }

  void close_loop(int junctions) {
    const int a = pick(0, junctions - 1), b = pick(0, junctions - 1);
    if (a != b) join(nodes_[static_cast<std::size_t>(a)], nodes_[static_cast<std::size_t>(b)]);
  }

  std::mt19937 generator_;
  Graph graph_;
  std::vector<int> nodes_;
};

/// Whether any strokes obey all rules, by trying them: a bond at a time, nodes that are complete checked at once.
class Search {
 public:
  explicit Search(const Graph& graph) : graph_(graph), strokes_(graph.bonds.size(), Stroke::none) {
    for (std::size_t b = 0; b < graph.bonds.size(); ++b) order_.push_back(b);
    // leaves first, they prune at once
    std::stable_partition(order_.begin(), order_.end(),
                          [&](std::size_t b) { return is_leaf(graph.bonds[b]); });
  }
  bool run(std::size_t next = 0) {
    if (next == order_.size()) return true;
    for (const Stroke stroke : {Stroke::head, Stroke::tail}) {
      strokes_[order_[next]] = stroke;
      if (fits(graph_.bonds[order_[next]].head) && fits(graph_.bonds[order_[next]].tail) && run(next + 1))
        return true;
    }
    strokes_[order_[next]] = Stroke::none;
    return false;
  }

 private:
  [[nodiscard]] const Element& element(int e) const { return graph_.elements[static_cast<std::size_t>(e)]; }
  [[nodiscard]] bool is_leaf(const bondgraph::Bond& bond) const {
    return element(bond.head).bonds.size() == 1 || element(bond.tail).bonds.size() == 1;
  }
  /// Some number of strokes within reach obeys the rule.
  [[nodiscard]] bool fits(int e) const {
    int open = 0;
    for (const int b : element(e).bonds)
      open += strokes_[static_cast<std::size_t>(b)] == Stroke::none ? 1 : 0;
    const int now = count_strokes_at(graph_, strokes_, e);
    for (int more = 0; more <= open; ++more) {
      if (obeys_rule(element(e), now + more)) return true;
    }
    return false;
  }
  const Graph& graph_;
  std::vector<Stroke> strokes_;
  std::vector<std::size_t> order_;
};

TEST(EveryGraph, OfTwoHundredRandomOnesObeysTheRulesOrHasNoCausality) {
  int assigned = 0, backtracked = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const Graph graph = RandomGraph(seed).build();
    try {
      const Causality causality = assign_causality(graph);
      EXPECT_EQ(find_broken_rules(graph, causality.strokes), "") << "seed " << seed;
      EXPECT_EQ(causality.reason.empty(), causality.algorithm == Algorithm::sequential) << "seed " << seed;
      ++assigned;
      backtracked += causality.algorithm == Algorithm::backtracking ? 1 : 0;
    } catch (const text::ModelError& error) {
      EXPECT_THAT(error.what(),
                  testing::AnyOf(testing::HasSubstr("over-determined"), testing::HasSubstr("imposes")));
      EXPECT_FALSE(Search(graph).run()) << "seed " << seed << ": " << error.what();
    }
  }
  EXPECT_GT(assigned, 50);
  EXPECT_GT(backtracked, 0);
}

TEST(EveryMachine, HasThePapersNumberOfArbitraryBonds) {
  const std::map<std::string, std::size_t> expected{
      {"double_pendulum", 0}, {"crank_slider", 1}, {"four_bar", 2}};
  for (const auto& [name, count] : expected) {
    const machine::Machine machine = machine::build_machine_from_file(configs() + name + ".yaml");
    for (const machine::RodForm form : {machine::RodForm::traditional, machine::RodForm::equivalent}) {
      EXPECT_EQ(assign_causality(machine::build_rods(machine, {form, true, {}})).arbitrary_bonds.size(),
                count)
          << name;
    }
  }
}

}  // namespace
}  // namespace rodeo::causality
