// SPDX-License-Identifier: MIT
// The equations of a vector graph as its causality gives them, with vectors and matrices by name: flows of 1-junctions, efforts of
// 0-junctions, rates of the stored quantities, and what the matrices are. THEORY V1-V5.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kinematics/reduction/equations.h"

namespace rodeo::reduction {
namespace {

using bondgraph::Bond;
using bondgraph::Domain;
using bondgraph::Element;
using bondgraph::Kind;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

const char* flow_letter(Domain domain) {
  return domain == Domain::translation ? "v" : domain == Domain::rotation ? "w" : "f";
}
const char* effort_letter(Domain domain) {
  return domain == Domain::translation ? "F" : domain == Domain::rotation ? "T" : "e";
}

/// Whether a + or - between blanks stands outside of all brackets.
bool is_sum(const std::string& text) {
  int depth = 0;
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[') ++depth;
    if (text[i] == ')' || text[i] == ']') --depth;
    const bool is_sign = text[i] == ' ' && (text[i + 1] == '+' || text[i + 1] == '-') && text[i + 2] == ' ';
    if (is_sign && depth == 0) return true;
  }
  return false;
}

class VectorWriter {
 public:
  explicit VectorWriter(const VectorForm& form) : graph_(form.graph), strokes_(form.causality.strokes) {}

  std::vector<ShownSection> build() {
    ShownSection flows{"flows of 1-junctions", {}}, efforts{"efforts of 0-junctions", {}}, rates{"rates", {}};
    for (int e = 0; e < static_cast<int>(graph_.elements.size()); ++e) {
      const Element& element = graph_.elements[at(e)];
      if (element.kind == Kind::one)
        add(flows, junction_name(e), flow(strong_bond(e)), strong_bond(e), false);
      if (element.kind == Kind::zero)
        add(efforts, junction_name(e), effort(strong_bond(e)), strong_bond(e), true);
      if (element.is_storage()) add_rate(rates, e);
      if (element.constraint) add_constraint(rates, e);
    }
    std::vector<ShownSection> sections;
    for (ShownSection* section : {&flows, &efforts, &rates}) {
      if (!section->equations.empty()) sections.push_back(std::move(*section));
    }
    sections.push_back(build_matrices());
    if (!graph_.signals.empty()) sections.push_back(build_signals());
    return sections;
  }

 private:
  [[nodiscard]] const Bond& bond(int b) const { return graph_.bonds[at(b)]; }
  [[nodiscard]] const Element& element(int e) const { return graph_.elements[at(e)]; }
  /// The end that receives the effort gives the flow.
  [[nodiscard]] int flow_giver(int b) const {
    return strokes_[at(b)] == bondgraph::Stroke::head ? bond(b).head : bond(b).tail;
  }
  [[nodiscard]] int effort_giver(int b) const {
    return flow_giver(b) == bond(b).head ? bond(b).tail : bond(b).head;
  }

  /// The bond that brings a junction what its bonds share.
  [[nodiscard]] int strong_bond(int e) const {
    const bool is_one = element(e).kind == Kind::one;
    for (const int b : element(e).bonds) {
      if ((is_one ? flow_giver(b) : effort_giver(b)) != e) return b;
    }
    return element(e).bonds[0];
  }

  [[nodiscard]] std::string junction_name(int e) const {
    const Domain domain = bond(element(e).bonds[0]).domain;
    return fmt::format("{}_{}", element(e).kind == Kind::one ? flow_letter(domain) : effort_letter(domain),
                       element(e).name);
  }
  [[nodiscard]] std::string state_name(const Element& e) const {
    return (e.kind == Kind::I ? "P_" : "X_") + e.name;
  }

  [[nodiscard]] static std::string unit(const Bond& b, bool is_effort) {
    const bondgraph::Units& units = bondgraph::units_of(b.domain);
    return is_effort ? units.effort : units.flow;
  }
  void add(ShownSection& section, const std::string& left, const std::string& right, int b,
           bool is_effort) const {
    section.equations.push_back({left, right, unit(bond(b), is_effort)});
  }

  /// A value as a factor: a number or expression itself, a matrix by the name of its element.
  [[nodiscard]] std::string factor(int e) {
    const Element& own = element(e);
    if (own.value.size() > 1) {
      shown_.insert(e);
      return "[" + own.name + "]";
    }
    const std::string text = own.value.empty() ? own.name : expr::to_text(own.value[0]);
    return text.find_first_of(" +-*/") == std::string::npos ? text : "(" + text + ")";
  }

  /// What a law gives: a factor of what it is of, or the law itself where it is not linear and names its own variable.
  [[nodiscard]] std::string law(int e, const std::string& of, const char* inverse = "") {
    if (element(e).law == bondgraph::Law::nonlinear) return factor(e);
    return factor(e) + inverse + " " + of;
  }

  /// A value that stands alone, its sign before it.
  [[nodiscard]] std::string source(int e) {
    const Element& own = element(e);
    if (own.value.size() > 1 || own.value[0]->op != expr::Op::neg) return factor(e);
    const std::string text = expr::to_text(own.value[0]->args[0]);
    return "-" + (is_sum(text) ? "(" + text + ")" : text);
  }
  /// `K: 0`.
  [[nodiscard]] static bool is_nothing(const Element& element) {
    return std::all_of(element.value.begin(), element.value.end(), [](Expr v) { return v.is_number(0); });
  }

  /// Bonds of a junction but one, with the sign that the power directions give.
  template <typename Quantity>
  std::string sum(int e, int without, Quantity quantity) {
    const bool enters = bond(without).head == e;
    std::string text;
    for (const int b : element(e).bonds) {
      if (b == without) continue;
      const bool plus = (bond(b).head == e) != enters;
      add_part(text, plus, quantity(b));
    }
    return text.empty() ? "0" : text;
  }

  /// A part that is a negative product gives its sign; of a sum, what is taken away has brackets.
  static void add_part(std::string& text, bool plus, std::string part) {
    if (part == "0") return;
    if (!is_sum(part) && part.front() == '-') {
      plus = !plus;
      part.erase(0, 1);
    } else if (is_sum(part) && !plus) {
      part = "(" + part + ")";
    }
    text += text.empty() ? (plus ? "" : "-") + part : (plus ? " + " : " - ") + part;
  }

  [[nodiscard]] int other_bond(int e, int b) const {
    return element(e).bonds[0] == b ? element(e).bonds[1] : element(e).bonds[0];
  }
  [[nodiscard]] static std::string bracketed(const std::string& text) {
    return is_sum(text) || text[0] == '-' ? "(" + text + ")" : text;
  }

  /// Stops in a cycle of junctions, which has no beginning.
  struct Depth {
    explicit Depth(int& count) : count_(++count) {}
    ~Depth() { --count_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    int& count_;
  };

  std::string flow(int b) {
    const Depth depth(depth_);
    if (depth_ > kDeepest) return fmt::format("f{}", b + 1);
    const int e = flow_giver(b);
    const Element& giver = element(e);
    switch (giver.kind) {
      case Kind::one: return junction_name(e);
      case Kind::zero: return sum(e, b, [this](int other) { return flow(other); });
      case Kind::TF: {
        const int other = other_bond(e, b);
        const std::string n = factor(e) + (bond(b).head == e ? "⁻¹" : "");
        return n + " " + bracketed(flow(other));
      }
      case Kind::GY: return factor(e) + "⁻¹ " + bracketed(effort(other_bond(e, b)));
      case Kind::I: return law(e, state_name(giver), "⁻¹");
      case Kind::R: return factor(e) + "⁻¹ " + bracketed(effort(b));
      case Kind::Sf: return giver.is_input() ? giver.name : factor(e);
      default:
        return fmt::format("d/dt ({}⁻¹ {})", factor(e), bracketed(effort(b)));  // differential causality
    }
  }

  std::string effort(int b) {
    const Depth depth(depth_);
    if (depth_ > kDeepest) return fmt::format("e{}", b + 1);
    const int e = effort_giver(b);
    const Element& giver = element(e);
    switch (giver.kind) {
      case Kind::zero: return junction_name(e);
      case Kind::one: return sum(e, b, [this](int other) { return effort(other); });
      case Kind::TF: {
        const std::string n = factor(e);
        const bool is_matrix = giver.value.size() > 1;
        const std::string turned =
            bond(b).head == e ? n + (is_matrix ? "ᵀ" : "") : n + (is_matrix ? "⁻ᵀ" : "⁻¹");
        return turned + " " + bracketed(effort(other_bond(e, b)));
      }
      case Kind::GY: {
        if (giver.bonds.size() == 1) return factor(e) + " " + bracketed(flow(b));
        return factor(e) + (bond(b).head == e && giver.value.size() > 1 ? "ᵀ " : " ") +
               bracketed(flow(other_bond(e, b)));
      }
      case Kind::K: return is_nothing(giver) ? "0" : law(e, state_name(giver));
      case Kind::C: return law(e, state_name(giver), "⁻¹");
      case Kind::R: return law(e, bracketed(flow(b)));
      case Kind::Se:
        return giver.constraint ? "lambda_" + giver.name : giver.is_input() ? giver.name : source(e);
      default: return fmt::format("d/dt ({} {})", factor(e), bracketed(flow(b)));
    }
  }

  void add_rate(ShownSection& section, int e) {
    const int b = element(e).bonds[0];
    const bool takes_effort = flow_giver(b) == e;
    if (takes_effort != (element(e).kind == Kind::I)) return;  // differential: no state
    section.equations.push_back(
        {"d/dt " + state_name(element(e)), takes_effort ? effort(b) : flow(b), unit(bond(b), takes_effort)});
  }

  void add_constraint(ShownSection& section, int e) {
    const std::string own = bracketed(flow(element(e).bonds[0]));
    section.equations.push_back({fmt::format("lambda_{} such that d/dt {}", element(e).name, own),
                                 fmt::format("-{} {}", expr::to_text(element(e).constraint->damping), own),
                                 {}});
  }

  [[nodiscard]] static bool is_diagonal(const Element& element) {
    return element.shape.is_list() && !element.is_source() && element.law == bondgraph::Law::linear;
  }

  ShownSection build_matrices() const {
    ShownSection section{"where", {}};
    for (const int e : shown_) {
      const Element& own = element(e);
      std::string rows;
      const auto columns = static_cast<std::size_t>(std::max(own.shape.columns, 1));
      for (std::size_t i = 0; i < own.value.size(); ++i)
        rows += (i == 0 ? "" : i % columns == 0 ? "; " : ", ") + expr::to_text(own.value[i]);
      section.equations.push_back(
          {"[" + own.name + "]", (is_diagonal(own) ? "diag " : "") + ("[" + rows + "]"), {}});
    }
    return section;
  }

  ShownSection build_signals() const {
    ShownSection section{"signals", {}};
    for (const bondgraph::Signal& signal : graph_.signals)
      section.equations.push_back(
          {(signal.integrates ? "d/dt " : "") + signal.name, expr::to_text(signal.value), {}});
    return section;
  }

  const Graph& graph_;
  const std::vector<bondgraph::Stroke>& strokes_;
  static constexpr int kDeepest = 12;
  int depth_ = 0;
  std::set<int> shown_;  // elements whose matrices were named
};

}  // namespace

std::vector<ShownSection> build_vector_sections(const Model& model) {
  return VectorWriter(*model.vector).build();
}

}  // namespace rodeo::reduction
