// SPDX-License-Identifier: MIT
// What the parts of the bond-graph reader share; nobody else includes it.
//
// A file is read in three passes over the tree of subset instances. `declare` makes every element, junction and signal
// known by name; `connect` reads the bonds, so that every variable's components are known; `define` reads what refers to
// variables: values, signals, starts, outputs. Every instance of a subset
// reads its file's tree anew with its own parameters, which are expressions of the outermost file's parameters.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "kinematics/bondgraph/graph.h"
#include "kinematics/bondgraph/library.h"
#include "kinematics/text/yaml.h"

namespace rodeo::bondgraph::reading {

using text::Node;

inline constexpr std::size_t kMaxElements = 500'000;  // a stop for subsets that double at every level
inline constexpr std::size_t kMaxCandidates = 2000;   // names that "did you mean" looks through

/// One use of a file: the model itself, or a subset of it.
struct Instance {
  const Node* root = nullptr;
  std::string file;
  std::string canonical;  // the same file has the same
  std::string prefix;     // "" or "rod1."
  Instance* parent = nullptr;
  const Node* use = nullptr;  // `{subset: ..., with: ...}` in the parent
  Domain domain = Domain::unset;
  std::unordered_map<std::string, Expr>
      parameters;                              // what a parameter stands for, in the model's own parameters
  std::unordered_map<std::string, int> ports;  // outer name -> element
  /// `parameters: {body: subset}`: what `body.R11` is looked for in; nullptr where it could not be read.
  std::unordered_map<std::string, const Instance*> others;
  expr::Scope scope;

  /// `elements:` in file order: an element with the node of its value, or a subset.
  struct Item {
    std::string name;
    int element = -1;
    const Node* value = nullptr;
    std::unique_ptr<Instance> subset;
  };
  std::vector<Item> items;
  std::vector<std::pair<int, const Node*>> conditions;  // of controlled junctions
  std::unordered_map<std::string, Instance*> subsets;
};

struct SubsetFile {
  std::string path;
  std::string canonical;
  std::shared_ptr<const Node> root;
};

/// A variable that only the law being read knows: `f`, `x` or `p`.
struct OwnVariable {
  std::string name;
  Expr variable;
};

struct Reader {
  Graph graph;
  text::Faults faults;
  bool structure_is_known =
      true;  // false when an element or bond could not be read: counting bonds would mislead
  std::unordered_map<std::string, int> elements;  // full name -> index, -1 for one that could not be read
  std::size_t declared = 0;                       // entries of `elements:` met
  std::unordered_map<std::string, int> signals;   // full name -> index
  std::unordered_map<std::string, std::size_t> starts;
  std::unordered_map<std::string, SubsetFile> files;                   // by "includer\nname"
  std::unordered_map<std::string, std::shared_ptr<const Node>> texts;  // by canonical path
  std::vector<int> ports;  // of the elements, parallel to graph.elements; components of a vector bond count
  std::vector<bool> takes_default_domain;                    // its domain is only its file's default
  std::unordered_map<int, std::pair<Domain, Domain>> sides;  // of two-ports that name them
  std::unordered_map<int, std::size_t> least_bonds;  // of ports: 1 of a subset's, 0 of the model's own
  std::unordered_set<std::string> refused;           // subsets given to others that cannot use them
  std::unordered_set<int> displaced;                 // inertias in graph.displacement_of_inertia
  std::optional<OwnVariable> own;
  int next_random_stream = 0;
  std::unordered_map<std::uint32_t, std::optional<double>> constants;  // of expressions of parameters alone

  Element& element(int index) { return graph.elements[static_cast<std::size_t>(index)]; }
  int ports_of(int index) const { return ports[static_cast<std::size_t>(index)]; }
};

// read_declarations.cpp
void declare(Reader& reader, Instance& instance);
[[nodiscard]] Domain read_domain(const Node& node, const std::string& what, text::Faults& faults);

// read_elements.cpp
void declare_element(Reader& reader, Instance& instance, const text::Entry& entry);
void add_declared(Reader& reader, const Instance& instance, const text::Entry& entry, Kind kind,
                  Domain domain, int ports);
/// Registers a name of elements and junctions; false and a fault when it is taken or no name.
[[nodiscard]] bool take_name(Reader& reader, const Instance& instance, const text::Entry& entry, int element);

// read_subsets.cpp
[[nodiscard]] std::unique_ptr<Instance> build_subset(Reader& reader, Instance& parent,
                                                     const std::string& name, const Node& use);
void bind_parameters(Reader& reader, Instance& instance);
/// Whether a parameter's default is the word `subset`: it stands for another subset of the file that gives it.
[[nodiscard]] bool stands_for_subset(const Node& parameters, const text::Entry& entry);

// read_names.cpp
void build_scope(Reader& reader, Instance& instance);
/// The element at the end of a bond, -1 when it could not be read. Throws std::invalid_argument for an unknown name.
[[nodiscard]] int find_end(const Reader& reader, const Instance& instance, const std::string& name);
/// `spring.displacement` as element and quantity; nullopt when the name does not end in a quantity.
struct Reference {
  int element;
  std::string quantity;
  int port;  // 0 for an element of one port
};
[[nodiscard]] std::optional<Reference> find_reference(const Reader& reader, const Instance& instance,
                                                      const std::string& name);
void note_displacement(Reader& reader, int element);

// read_values.cpp
/// A list of {if: ..., then: ...} is one value; a list of numbers, expressions, rules or functions is one a component.
[[nodiscard]] bool is_rules(const Node& node);
void read_element_value(Reader& reader, const Instance& instance, const Instance::Item& item);
[[nodiscard]] Expr read_value(Reader& reader, const Instance& instance, const Node& node,
                              const std::string& what);

struct LibraryName {
  std::string library, function;
  Where where;
};
/// A function of a shared library beside the file; `operands` are the time, then its arguments.
[[nodiscard]] Expr build_call(Reader& reader, const Instance& instance, const LibraryName& name,
                              const std::vector<Expr>& operands, const std::string& what);

// read_bondin.cpp
/// Bondin's own texts: `if (...) and (...) { 750 };` and `DLL$library$function$p1$p2$`.
[[nodiscard]] bool is_bondin(const Node& node);
[[nodiscard]] Expr read_bondin(Reader& reader, const Instance& instance, const Node& node,
                               const std::string& what);

// read_constraints.cpp
/// The value of a `lambda`: {position: ..., alpha: ..., beta: ...}, {gamma: ...} or nothing.
void read_constraint(Reader& reader, const Instance& instance, const Instance::Item& item);

// read_graph.cpp
void read_bonds(Reader& reader, const Instance& instance);
void read_conditions(Reader& reader, const Instance& instance);
void read_signals(Reader& reader, const Instance& instance);
void read_outputs(Reader& reader, const Instance& instance);

// read_starts.cpp
void read_starts(Reader& reader, const Instance& instance);

// check_values.cpp
/// Reports a constant part of the expression that is not finite.
void check_finite(Reader& reader, Expr value, const Where& where, const std::string& what);
/// The value of an expression of parameters alone; nullopt when it depends on more.
[[nodiscard]] std::optional<double> find_constant(Reader& reader, Expr value);
/// The same where a fixed value is needed: a fault and 0 when there is none.
[[nodiscard]] double read_constant(Reader& reader, Expr value, const Where& where, const std::string& what);
void check_signal_cycles(Reader& reader);

// check_conditions.cpp
/// Reports controlled junctions whose condition compares nothing.
void check_conditions(Reader& reader);

// dimensions.cpp
/// Dimensions of bonds that state none, from those that do: a junction has one, a two-port passes it on, and its matrix has two.
void spread_dimensions(Reader& reader);
/// Reports elements and junctions whose bonds and values do not fit each other.
void check_dimensions(Reader& reader);

// check_graph.cpp, check_domains.cpp
void check_structure(Reader& reader);
void check_domains(Reader& reader);

}  // namespace rodeo::bondgraph::reading
