// SPDX-License-Identifier: MIT
// C functions that share an array of values: one computes and stores them, others take them from there. THEORY K14.
#pragma once
#include <string>
#include <vector>

#include "kinematics/codegen/symbols.h"

namespace rodeo::codegen {

/// Values that a routine leaves in an array for others. Numbers stay numbers.
class FlatStore {
 public:
  /// The value as others see it: `f[12]`, its negative, or a number.
  [[nodiscard]] Expr keep(Expr e);
  /// At the next place, even if it is there already.
  Expr add(Expr e);
  [[nodiscard]] const std::vector<Expr>& values() const noexcept { return values_; }
  /// In a routine that takes them.
  void name(Symbols& symbols, Space space) const;

 private:
  [[nodiscard]] static Expr symbol_of(std::size_t place);
  std::vector<Expr> values_;
  std::unordered_map<std::uint32_t, std::size_t> places_;
};

struct FlatRoutine {
  std::string text;
  std::size_t operations = 0;
};
/// A function that sets r to the values; `arrays` are its arguments, a letter each as spaces have them: p, k, u, x.
[[nodiscard]] FlatRoutine build_flat_routine(Symbols& symbols, const char* name, const std::string& arrays,
                                             const std::vector<Expr>& values);

}  // namespace rodeo::codegen
