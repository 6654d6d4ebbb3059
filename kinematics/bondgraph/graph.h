// SPDX-License-Identifier: MIT
// A bond graph: elements joined by bonds with a power direction. Flat: subsets are instantiated by the reader (their
// elements carry names `rod1.J`), and `subset_of` keeps what belonged together for drawing.
//
// Effort e and flow f of a bond are counted positive with the power from its tail to its head. Elements of one port
// (I, C, R) have the bond pointing at them; sources have it pointing away. A bond drawn the other way round is turned
// by the sign of the law (THEORY B2), never silently.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kinematics/expr/expr.h"
#include "kinematics/expr/parse.h"
#include "kinematics/text/fault.h"

namespace rodeo::bondgraph {

using expr::Expr;
using text::Where;

/// K is C by its inverse: effort = value · displacement. MSe, MSf, MTF, MGY are Se, Sf, TF, GY whose value depends on
/// variables; they are the same kind here.
enum class Kind : std::uint8_t { Se, Sf, I, C, K, R, TF, GY, zero, one };

enum class Domain : std::uint8_t { unset, translation, rotation, hydraulic, electric, acoustic, thermal };

/// The end of a bond that receives the effort; flow goes the other way. none: not assigned.
enum class Stroke : std::uint8_t { none, tail, head };

/// Which law an element's value states.
enum class Law : std::uint8_t {
  linear,  // I: momentum = value·flow; C: displacement = value·effort; K: effort = value·displacement; R: effort = value·flow
  nonlinear,  // value is effort (R of flow, C and K of displacement) or flow (I of momentum), an expression of the element's own variable
};

/// Makes a Se the multiplier of a constraint, favre-1998: its effort is such that its own flow Φ̇ (into the element) obeys
///   Φ̈ + damping Φ̇ + stiffness Φ = 0.
/// Holonomic: damping 2α, stiffness β², Φ a function of displacements (the PID corrector). Non-holonomic: damping γ (the PD one).
struct Constraint {
  bool is_holonomic = false;
  Expr position;  // Φ, its integration constant included
  Expr damping;
  Expr stiffness;
};

/// How a value was written: a number (no rows), a list (rows without columns) or a matrix, row by row. A matrix of a
/// two-port has as many rows as its leaving bond has components, as many columns as its entering one.
struct Shape {
  int rows = 0, columns = 0;
  [[nodiscard]] bool is_list() const noexcept { return rows > 0 && columns == 0; }
  [[nodiscard]] bool is_matrix() const noexcept { return columns > 0; }
};

struct Element {
  std::string name;
  Kind kind = Kind::R;
  Domain domain = Domain::unset;
  Law law = Law::linear;
  /// One port: {value}. A field of n ports: n·n, row by row, ports in the order of the bonds. Se, Sf without a value: empty, an input.
  /// At a vector bond: one value for every component, or as many as `shape` says.
  std::vector<Expr> value;
  Shape shape;
  Where where;
  std::vector<int> bonds;  // indices into Graph::bonds, in file order; TF and GY: the bond that enters first
  /// How equations name its state or input, `X_crank`; empty: by kind and name. Of a junction: its first bond's effort.
  std::string symbol;
  std::string
      note;  // drawn beside it: favre-1998 figure 9, the integration constant of a position constraint
  std::optional<Constraint> constraint;
  /// A controlled junction (X0, X1, margetts figure 1): joined while this holds; else no effort (X0) or no flow (X1).
  std::optional<Expr> condition;

  [[nodiscard]] bool is_junction() const noexcept { return kind == Kind::zero || kind == Kind::one; }
  [[nodiscard]] bool is_source() const noexcept { return kind == Kind::Se || kind == Kind::Sf; }
  [[nodiscard]] bool is_storage() const noexcept {
    return kind == Kind::I || kind == Kind::C || kind == Kind::K;
  }
  [[nodiscard]] bool is_two_port() const noexcept { return kind == Kind::TF || kind == Kind::GY; }
  /// An input over the input file or UDP: a source without a value.
  [[nodiscard]] bool is_input() const noexcept { return is_source() && value.empty() && !constraint; }
};

struct Bond {
  int tail = -1;  // element indices; power is positive from tail to head
  int head = -1;
  int dimension = 1;              // 0 while the reader does not know it
  Domain domain = Domain::unset;  // what its effort and flow are; found by the reader
  Where where;
};

/// A named signal: an expression, or the time integral of one.
struct Signal {
  std::string name;
  Expr value;
  bool integrates = false;
  double start = 0.0;
  Where where;
};

/// Which of an element's rules held last, counted from 1: where none holds, its value stays (Bondin's conditions have no else).
struct RuleMemory {
  std::string name;  // of the variable that stands for it in expressions
  Expr now;          // the rule that holds, or the variable itself
};

/// `start:` of a state: `spring.displacement: 0.1`.
struct Start {
  std::string variable;
  double value = 0.0;
  Where where;
  bool is_default = false;  // a subset's own, which nobody gave: it gives way to what the others imply
};

struct GraphOutput {
  std::string name;
  Expr value;
  Where where;
};

/// A function of a shared library that a value calls.
struct NativeCall {
  std::string library;  // as in the expression
  std::string function;
  std::string user;  // element 'damper'
  Where where;
};

struct Graph {
  std::string name;
  std::string file;
  std::vector<expr::Parameter> parameters;
  std::vector<Element> elements;  // junctions too
  std::vector<Bond> bonds;
  std::vector<Signal> signals;
  std::vector<Start> starts;
  std::vector<GraphOutput> outputs;
  std::vector<RuleMemory> memories;
  std::vector<NativeCall> native;
  /// Elements whose displacement (integral of flow) is used by name though they are I ports: `_XI_n_`.
  /// Found by the reader and by machine::build_graph.
  std::vector<int> displacement_of_inertia;
  Where where;

  [[nodiscard]] int find_element(const std::string& name) const;  // -1 when absent
  /// Whether any bond carries more than one component.
  [[nodiscard]] bool is_vector() const noexcept;
};

/// Variables of elements as expressions use them; the reader turns `_VI1_`, `_XI1_`, `_XC1_` into these names.
[[nodiscard]] Expr effort_of(const std::string& element);
[[nodiscard]] Expr flow_of(const std::string& element);
[[nodiscard]] Expr displacement_of(const std::string& element);
[[nodiscard]] Expr momentum_of(const std::string& element);
/// A variable of one port of a field of several, counted from 1: `field.flow_2`. `quantity` is effort, flow,
/// displacement or momentum; port 0 is the only port of an element of one: `spring.flow`.
[[nodiscard]] std::string variable_name(const std::string& element, const std::string& quantity,
                                        int port = 0);
/// Ports of an element: the rows of a field, 2 of a two-port, the bonds of a junction.
[[nodiscard]] int find_port_count(const Element& element);
/// Bonds of a two-port that enter it; the others leave it.
[[nodiscard]] std::size_t find_entering_count(const Graph& graph, int element);

[[nodiscard]] const char* kind_text(Kind kind);
[[nodiscard]] const char* domain_text(Domain domain);
/// Units of a domain: `N`, `m/s`, `m`, `N s` in translation.
struct Units {
  const char* effort;
  const char* flow;
  const char* displacement;
  const char* momentum;
};
[[nodiscard]] const Units& units_of(Domain domain);
/// Unit of an element's value: `kg` for I in translation. Empty without a domain and for two-ports and junctions.
[[nodiscard]] const char* value_unit(const Element& element);

/// Appends a bond and registers it with both elements; a two-port keeps the bond that enters first.
int add_bond(Graph& graph, int tail, int head, const Where& where, int dimension = 1);
int add_element(Graph& graph, Element element);

/// Reads a bond-graph file with its subsets; throws ModelError with every fault, those of the subsets' files too.
/// A subset's file is looked for beside the file that names it, in `library/` there, then in `configs/library` (and
/// `share/rodeo/configs/library`) of every folder above that file and above the running program.
[[nodiscard]] Graph build_graph_from_file(const std::string& path,
                                          const std::vector<std::string>& overrides = {});
[[nodiscard]] Graph build_graph(const text::Node& root, const std::string& file,
                                const std::vector<std::string>& overrides = {});

}  // namespace rodeo::bondgraph
