// SPDX-License-Identifier: MIT
// Expressions: read, or refused with a sentence; what is printed of one that was read is read again as the same expression.
#include "kinematics/expr/expr.h"

#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>

#include "kinematics/expr/parse.h"

namespace {

using rodeo::expr::Expr;

std::optional<Expr> find_name(const std::string& name) {
  if (name.size() > 2) return std::nullopt;
  return rodeo::expr::symbol(name);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  int stream = 0;
  const rodeo::expr::Scope scope{find_name, {"a", "b", "t"}, &stream};
  std::optional<Expr> read;
  try {
    read = rodeo::expr::build_expression({reinterpret_cast<const char*>(data), size}, scope);
  } catch (const std::invalid_argument&) {
    return 0;
  }
  if (rodeo::expr::to_text(*read).empty()) std::abort();
  return 0;
}
