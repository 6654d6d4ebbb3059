// SPDX-License-Identifier: MIT
// On which side of each threshold a run is, and what holds where it slides along one: with the motions f₊ and f₋ of the two sides leading to
// the threshold, f = f₋ + w (f₊ - f₋) with the weight w that keeps it there (Filippov). Several slide at once by the sum of such
// terms. THEORY X9.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "kinematics/expr/expr.h"
#include "kinematics/solve/solve.h"

namespace rodeo::simulate {

class Sides {
 public:
  /// Weights of sliding(), in its order; false where they cannot be computed.
  using Weigher = std::function<bool(double t, solve::In states, solve::Out out)>;

  Sides() = default;
  explicit Sides(std::vector<expr::Expr> symbols) : symbols_(std::move(symbols)), values_(symbols_.size()) {}

  [[nodiscard]] const std::vector<expr::Expr>& symbols() const noexcept { return symbols_; }
  /// 1 above, 0 below; of one that slides it means nothing.
  [[nodiscard]] const std::vector<double>& values() const noexcept { return values_; }
  [[nodiscard]] bool is_above(std::size_t k) const noexcept { return values_[k] > 0; }
  [[nodiscard]] bool slides(std::size_t k) const noexcept;
  [[nodiscard]] const std::vector<std::size_t>& sliding() const noexcept { return sliding_; }

  /// Ends sliding too.
  void set(std::size_t k, bool above);
  void slide(std::size_t k);
  void set_weigher(Weigher weigher) { weigher_ = std::move(weigher); }

  /// `run(out)` computes something with the present sides; where none slides, that is it. `states`: those of the reduced form.
  bool mix(double t, solve::In states, solve::Out out, const std::function<bool(solve::Out)>& run);
  /// As `mix`, with every sliding threshold below first, then above one by one: `take(i, out)` with i = 0, 1, ..., sliding().size().
  bool try_each(solve::Out out, const std::function<bool(solve::Out)>& run,
                const std::function<void(std::size_t, solve::In)>& take);

 private:
  std::vector<expr::Expr> symbols_;
  std::vector<double> values_;
  std::vector<std::size_t> sliding_;
  Weigher weigher_;
};

}  // namespace rodeo::simulate
