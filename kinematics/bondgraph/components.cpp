// SPDX-License-Identifier: MIT
// Every element of a vector graph gives for each of its bonds' components the element that takes its place there.
#include "kinematics/bondgraph/components.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "kinematics/bondgraph/moduli.h"

namespace rodeo::bondgraph {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

class Expander {
 public:
  Expander(const Graph& source, const std::vector<Stroke>& strokes, bool splits)
      : source_(source), strokes_(strokes), splits_(splits) {
    for (const Element& element : source.elements) names_.insert(element.name);
    for (const Signal& signal : source.signals) names_.insert(signal.name);
  }

  Components run() {
    result_.graph.name = source_.name;
    result_.graph.file = source_.file;
    result_.graph.where = source_.where;
    result_.graph.parameters = source_.parameters;
    ends_.resize(source_.bonds.size());
    for (int e = 0; e < static_cast<int>(source_.elements.size()); ++e) place(e);
    for (int b = 0; b < static_cast<int>(source_.bonds.size()); ++b) join(b);
    for (const InnerBond& bond : inner_) add(bond.tail, bond.head, bond.domain, bond.where, -1);
    sort_two_ports();
    copy_names();
    return std::move(result_);
  }

 private:
  /// What stands at the two ends of each component of a bond.
  struct Ends {
    std::vector<int> tail, head;
  };
  struct InnerBond {
    int tail, head;
    Domain domain;
    Where where;
  };

  [[nodiscard]] const Element& element(int e) const { return source_.elements[at(e)]; }
  [[nodiscard]] const Bond& bond(int b) const { return source_.bonds[at(b)]; }
  [[nodiscard]] bool enters(int b, int e) const { return bond(b).head == e; }
  void set_ends(int b, int e, std::vector<int> ends) {
    (enters(b, e) ? ends_[at(b)].head : ends_[at(b)].tail) = std::move(ends);
  }

  [[nodiscard]] std::string unused(const std::string& wanted) {
    std::string name = wanted;
    while (!names_.insert(name).second) name += '_';
    return name;
  }
  [[nodiscard]] static std::string component_name(const std::string& name, int component) {
    return name + "_" + std::to_string(component);
  }

  int add_like(const Element& like, const std::string& name, Kind kind, std::vector<Expr> value) {
    Element made = like;
    made.name = name;
    made.kind = kind;
    made.value = std::move(value);
    made.shape = {};
    made.bonds.clear();
    return add_element(result_.graph, std::move(made));
  }

  void place(int e) {
    const Element& source = element(e);
    const int size = source.bonds.empty() ? 1 : bond(source.bonds[0]).dimension;
    const bool is_matrix_port = source.is_two_port() && source.shape.is_matrix();
    if (is_matrix_port) return source.bonds.size() == 1 ? place_ring(e) : place_matrix(e);
    if (size == 1) return place_whole(e, source.value, source.shape, 1);
    if (source.is_junction() || source.is_source() || source.is_two_port()) return place_split(e, size);
    if (source.law == Law::nonlinear)
      return splits_ ? place_split(e, size) : place_whole(e, source.value, source.shape, size);
    const std::vector<Expr> field = build_field(source, size);
    if (splits_ && is_diagonal(field, size)) return place_split(e, size);
    place_whole(e, field, {size, size}, size);
  }

  /// One element for all components.
  void place_whole(int e, std::vector<Expr> value, Shape shape, int size) {
    const int made = add_like(element(e), element(e).name, element(e).kind, std::move(value));
    result_.graph.elements[at(made)].shape = shape;
    copies_[e] = {made};
    for (const int b : element(e).bonds) set_ends(b, e, std::vector<int>(at(size), made));
  }

  /// One element a component.
  void place_split(int e, int size) {
    const Element& source = element(e);
    std::vector<int> parts;
    for (int k = 1; k <= size; ++k) {
      const std::string name = unused(component_name(source.name, k));
      parts.push_back(add_like(source, name, source.kind, find_own_value(source, k, size)));
      for (const char* quantity : {"effort", "flow", "displacement", "momentum"})
        renamed_.emplace(variable_name(source.name, quantity, k), variable_name(name, quantity));
    }
    copies_[e] = parts;
    for (const int b : source.bonds) set_ends(b, e, parts);
  }

  [[nodiscard]] static std::vector<Expr> find_own_value(const Element& source, int k, int size) {
    if (source.value.size() <= 1) return source.value;
    if (source.shape.is_list()) return {source.value[at(k - 1)]};
    return {source.value[at((k - 1) * (size + 1))]};
  }

  [[nodiscard]] static std::vector<Expr> build_field(const Element& source, int size) {
    if (source.shape.is_matrix()) return source.value;
    std::vector<Expr> field(at(size * size), 0.0);
    for (int k = 0; k < size; ++k)
      field[at(k * (size + 1))] = source.value[source.shape.is_list() ? at(k) : 0];
    return field;
  }

  [[nodiscard]] static bool is_diagonal(const std::vector<Expr>& field, int size) {
    for (int i = 0; i < size * size; ++i) {
      if (i % (size + 1) != 0 && !field[at(i)].is_number(0)) return false;
    }
    return true;
  }

  // ---- matrices

  /// e = r f with r skew, on one bond: a field that stores and dissipates nothing, or scalar gyrators in a ring (V5).
  void place_ring(int e) {
    const Element& source = element(e);
    const int size = source.shape.rows;
    if (!splits_) {
      const int made = add_like(source, source.name, Kind::R, source.value);
      result_.graph.elements[at(made)].shape = source.shape;
      copies_[e] = {made};
      return set_ends(source.bonds[0], e, std::vector<int>(at(size), made));
    }
    const std::vector<int> nodes = add_nodes(source, "", Kind::one, size);
    for (int i = 0; i < size; ++i) {
      for (int j = i + 1; j < size; ++j) {
        const Expr modulus = source.value[at(i * size + j)];
        if (!modulus.is_number(0)) add_scalar(e, Kind::GY, modulus, nodes[at(i)], nodes[at(j)], j, i);
      }
    }
    set_ends(source.bonds[0], e, nodes);
  }

  void place_matrix(int e) {
    const Element& source = element(e);
    const int out =
        *std::find_if(source.bonds.begin(), source.bonds.end(), [&](int b) { return !enters(b, e); });
    const bool gives_flow = strokes_[at(out)] == Stroke::tail;  // the effort of the leaving bond arrives here
    const bool inverts = source.kind == Kind::TF && !gives_flow;
    const expr::Matrix matrix = inverts ? build_inverse_transposed(source_, source) : build_matrix(source);
    if (splits_) return place_lattice(e, matrix, inverts);
    std::vector<Expr> value;
    for (const auto& row : matrix) value.insert(value.end(), row.begin(), row.end());
    const int made = add_like(source, source.name, source.kind, std::move(value));
    result_.graph.elements[at(made)].shape = source.shape;
    copies_[e] = {made};
    for (const int b : source.bonds) set_ends(b, e, std::vector<int>(at(bond(b).dimension), made));
  }

  [[nodiscard]] std::vector<int> add_nodes(const Element& source, const char* side, Kind kind, int size) {
    std::vector<int> nodes;
    for (int k = 1; k <= size; ++k)
      nodes.push_back(add_like(source, unused(component_name(source.name + side, k)), kind, {}));
    return nodes;
  }

  /// Junctions on both sides and a scalar two-port for every entry (V4). Turned round, the two-ports run from the leaving side to
  /// the entering one with moduli of the other sign, so that no modulus is divided by.
  void place_lattice(int e, const expr::Matrix& matrix, bool inverts) {
    const Element& source = element(e);
    const Kind in_kind = inverts ? Kind::zero : Kind::one;
    const Kind out_kind = source.kind == Kind::GY ? Kind::one : inverts ? Kind::one : Kind::zero;
    const std::vector<int> in = add_nodes(source, "_in", in_kind, source.shape.columns);
    const std::vector<int> out = add_nodes(source, "_out", out_kind, source.shape.rows);
    for (std::size_t j = 0; j < out.size(); ++j) {
      for (std::size_t i = 0; i < in.size(); ++i) {
        const Expr modulus = matrix[j][i];
        if (modulus.is_number(0)) continue;
        const auto row = static_cast<int>(j), column = static_cast<int>(i);
        if (inverts)
          add_scalar(e, source.kind, -modulus, out[j], in[i], row, column);
        else
          add_scalar(e, source.kind, modulus, in[i], out[j], row, column);
      }
    }
    end_open_nodes(e, in);
    end_open_nodes(e, out);
    for (const int b : source.bonds) set_ends(b, e, enters(b, e) ? in : out);
  }

  /// A junction that no two-port reached has no effort (1) or no flow (0).
  void end_open_nodes(int e, const std::vector<int>& nodes) {
    for (const int node : nodes) {
      const auto touches = [node](const InnerBond& b) { return b.tail == node || b.head == node; };
      if (std::any_of(inner_.begin(), inner_.end(), touches)) continue;
      const Element junction = result_.graph.elements[at(node)];
      const Kind kind = junction.kind == Kind::one ? Kind::Se : Kind::Sf;
      const int source = add_like(junction, unused(junction.name + "_none"), kind, {0.0});
      inner_.push_back({source, node, bond(element(e).bonds[0]).domain, element(e).where});
    }
  }

  void add_scalar(int e, Kind kind, Expr modulus, int tail, int head, int row, int column) {
    const Element& source = element(e);
    const std::string name = unused(source.name + "_" + std::to_string(row + 1) + std::to_string(column + 1));
    const int made = add_like(source, name, kind, {modulus});
    inner_.push_back({tail, made, node_domain(e, tail), source.where});
    inner_.push_back({made, head, node_domain(e, head), source.where});
  }

  [[nodiscard]] Domain node_domain(int e, int node) const {
    const bool is_out = result_.graph.elements[at(node)].name.starts_with(element(e).name + "_out");
    for (const int b : element(e).bonds) {
      if (enters(b, e) != is_out) return bond(b).domain;
    }
    return Domain::unset;
  }

  // ---- bonds and names

  void add(int tail, int head, Domain domain, const Where& where, int of) {
    const int made = add_bond(result_.graph, tail, head, where);
    result_.graph.bonds[at(made)].domain = domain;
    result_.bond_of.push_back(of);
  }

  void join(int b) {
    for (int k = 0; k < bond(b).dimension; ++k)
      add(ends_[at(b)].tail[at(k)], ends_[at(b)].head[at(k)], bond(b).domain, bond(b).where, b);
  }

  /// Entering bonds first, components in their order.
  void sort_two_ports() {
    for (int e = 0; e < static_cast<int>(result_.graph.elements.size()); ++e) {
      std::vector<int>& own = result_.graph.elements[at(e)].bonds;
      if (!result_.graph.elements[at(e)].is_two_port()) continue;
      std::sort(own.begin(), own.end());
      std::stable_partition(own.begin(), own.end(),
                            [&](int b) { return result_.graph.bonds[at(b)].head == e; });
    }
  }

  [[nodiscard]] Expr rename(Expr value) const {
    return expr::substitute(value, [&](Expr symbol) {
      if (symbol->kind != expr::SymbolKind::variable) return symbol;
      const auto found = renamed_.find(symbol->name);
      return found == renamed_.end() ? symbol : expr::variable(found->second);
    });
  }

  void copy_names() {
    for (Element& made : result_.graph.elements) rename(made);
    result_.graph.signals = source_.signals;
    for (Signal& signal : result_.graph.signals) signal.value = rename(signal.value);
    result_.graph.memories = source_.memories;
    for (RuleMemory& memory : result_.graph.memories) memory.now = rename(memory.now);
    result_.graph.outputs = source_.outputs;
    for (GraphOutput& output : result_.graph.outputs) output.value = rename(output.value);
    result_.graph.starts = source_.starts;
    for (Start& start : result_.graph.starts) {
      const auto found = renamed_.find(start.variable);
      if (found != renamed_.end()) start.variable = found->second;
    }
    for (const int e : source_.displacement_of_inertia) {
      const std::vector<int>& made = copies_.at(e);
      std::copy(made.begin(), made.end(), std::back_inserter(result_.graph.displacement_of_inertia));
    }
  }

  void rename(Element& made) const {
    for (Expr& value : made.value) value = rename(value);
    if (made.condition) made.condition = rename(*made.condition);
    if (!made.constraint) return;
    made.constraint->position = rename(made.constraint->position);
    made.constraint->damping = rename(made.constraint->damping);
    made.constraint->stiffness = rename(made.constraint->stiffness);
  }

  const Graph& source_;
  const std::vector<Stroke>& strokes_;
  bool splits_;
  Components result_;
  std::vector<Ends> ends_;  // a vector bond each
  std::vector<InnerBond> inner_;
  std::unordered_map<int, std::vector<int>> copies_;  // elements in the place of an element
  std::unordered_set<std::string> names_;
  std::unordered_map<std::string, std::string> renamed_;  // variables
};

}  // namespace

Components build_components(const Graph& graph, const std::vector<Stroke>& strokes) {
  return Expander(graph, strokes, false).run();
}

Graph build_scalar(const Graph& graph, const std::vector<Stroke>& strokes) {
  return Expander(graph, strokes, true).run().graph;
}

}  // namespace rodeo::bondgraph
