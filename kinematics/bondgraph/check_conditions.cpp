// SPDX-License-Identifier: MIT
// A condition of a controlled junction is a comparison, or made of what is 0 or 1: signals that compare, parameters, numbers.
#include <fmt/format.h>

#include <unordered_set>

#include "kinematics/bondgraph/reader.h"

namespace rodeo::bondgraph::reading {
namespace {

using expr::Op;

bool compares(Op op) { return op == Op::less || op == Op::less_equal || op == Op::equal; }

/// Whether a quantity that changes by itself decides, rather than a comparison of it. Library functions are trusted.
class Search {
 public:
  explicit Search(const Reader& reader) : reader_(reader) {}

  bool finds_quantity(Expr e) {
    if (!seen_.insert(e.id()).second || compares(e->op) || e->op == Op::call) return false;
    if (e.is_symbol()) return is_quantity(e);
    const std::size_t first = e->op == Op::select ? 1 : 0;
    for (std::size_t i = first; i < e->args.size(); ++i) {
      if (finds_quantity(e->args[i])) return true;
    }
    return false;
  }

 private:
  bool is_quantity(Expr symbol) {
    if (symbol->kind != expr::SymbolKind::variable) return symbol->kind == expr::SymbolKind::time;
    const auto found = reader_.signals.find(symbol->name);
    if (found == reader_.signals.end()) return true;
    const Signal& signal = reader_.graph.signals[static_cast<std::size_t>(found->second)];
    return signal.integrates || finds_quantity(signal.value);
  }

  const Reader& reader_;
  std::unordered_set<std::uint32_t> seen_;
};

}  // namespace

void check_conditions(Reader& reader) {
  for (const Element& element : reader.graph.elements) {
    if (!element.condition || !Search(reader).finds_quantity(*element.condition)) continue;
    const std::string text = expr::to_text(*element.condition);
    reader.faults.add(element.where, fmt::format("junction '{}': '{}' is no condition: compare it with "
                                                 "something, as in {} < 0",
                                                 element.name, text, text));
  }
}

}  // namespace rodeo::bondgraph::reading
