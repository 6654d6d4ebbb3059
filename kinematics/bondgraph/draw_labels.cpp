// SPDX-License-Identifier: MIT
// Labels: Graphviz's HTML-like ones, so that kind, value and name have sizes of their own.
#include "kinematics/bondgraph/draw_labels.h"

#include <fmt/format.h>

#include <unordered_map>

namespace rodeo::bondgraph::drawing {
namespace {

constexpr std::size_t kMaxValueText = 26;
constexpr double kMaxWrittenSize = 5000;  // longer ones are not written out to be cut

/// At most `most` characters, counted in UTF-8.
std::string shorten(const std::string& text, std::size_t most) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins_character = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
    if (begins_character && ++count > most) return text.substr(0, i) + "…";
  }
  return text;
}

/// The name as it reads inside a subset: the innermost frame that both are in is left out.
std::string name_within(const std::string& name, std::string subset) {
  for (; !subset.empty(); subset = subset_of(subset)) {
    if (name.starts_with(subset + ".")) return name.substr(subset.size() + 1);
  }
  return name;
}

/// `rod1.J.displacement` is `_XJ_` in rod1: Bondin's names are short enough for a label.
Expr short_variable(Expr symbol, const std::string& subset) {
  std::string name = name_within(symbol->name, subset);
  const std::size_t dot = name.rfind('.');
  const std::string quantity = dot == std::string::npos ? "" : name.substr(dot + 1);
  if (quantity == "displacement") name = "_X" + name.substr(0, dot) + "_";
  if (quantity == "flow") name = "_V" + name.substr(0, dot) + "_";
  return expr::symbol(name, symbol->kind);
}

/// Operations of an expression written out: what is shared in memory stands many times in the text.
double written_size(Expr value) {
  std::unordered_map<std::uint32_t, double> sizes;
  for (const Expr e : expr::reachable({value})) {
    double size = 1;
    for (const Expr arg : e->args) size += sizes.at(arg.id());
    sizes.emplace(e.id(), size);
  }
  return sizes.at(value.id());
}

std::string short_text(Expr value, const std::string& subset) {
  if (written_size(value) > kMaxWrittenSize) return "…";
  return expr::to_text(expr::substitute(value, [&](Expr symbol) { return short_variable(symbol, subset); }));
}

std::string value_text(const Element& element) {
  if (element.is_junction()) return {};
  if (element.is_input()) return "input";
  if (element.constraint) return "λ";
  if (element.shape.is_matrix()) return fmt::format("[{}×{}]", element.shape.rows, element.shape.columns);
  if (element.shape.is_list()) return fmt::format("[{}]", element.shape.rows);
  const std::string text = short_text(element.value.at(0), subset_of(element.name));
  return element.law == Law::linear ? text : (element.kind == Kind::I ? "f = " : "e = ") + text;
}

std::string name_below(const std::string& name) {
  return fmt::format(R"(<br/><font point-size="8" color="#666666">{}</font>)", escape_html(local_name(name)));
}

std::string core_label(const Element& element) {
  const std::string value = shorten(value_text(element), kMaxValueText);
  std::string label = fmt::format("<b>{}{}</b>{}{}", element.condition ? "X" : "", kind_text(element.kind),
                                  value.empty() ? "" : " : ", escape_html(value));
  if (element.is_junction()) label = fmt::format("<font point-size=\"16\">{}</font>", label);
  return label + name_below(element.name);
}

}  // namespace

std::string escape_html(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default: escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return escaped;
}

std::string quote(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string subset_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(0, dot);
}
std::string local_name(const std::string& name) { return name.substr(name.rfind('.') + 1); }

std::string node_text(const Element& element) {
  return fmt::format("{} [label=<{}>];\n", quote(element.name), core_label(element));
}

std::string note_node(const Element& element) {
  return fmt::format("{} [label=<<font point-size=\"9\" color=\"#b35900\"><i>{}</i></font>>];\n",
                     quote("note " + element.name), escape_html(element.note));
}

std::string note_leader(const Element& element) {
  return fmt::format("{} -> {} [dir=none, style=dotted, color=\"#b35900\"];\n", quote(element.name),
                     quote("note " + element.name));
}

std::string note_text(const Element& element) {
  if (element.note.empty()) return {};
  const auto bare = [](std::string line) {
    return line.substr(0, line.size() - 1);
  };  // without its line feed
  return fmt::format("{{ rank=same; {} {} }}\n", bare(note_node(element)), bare(note_leader(element)));
}

std::string signal_text(const Signal& signal) {
  const std::string value = shorten(short_text(signal.value, subset_of(signal.name)), kMaxValueText);
  return fmt::format(
      "{} [shape=box, style=rounded, color=\"#999999\", margin=\"0.08,0.04\", label=<{}{}{}>];\n",
      quote("signal " + signal.name), signal.integrates ? "∫ " : "", escape_html(value),
      name_below(signal.name));
}

}  // namespace rodeo::bondgraph::drawing
