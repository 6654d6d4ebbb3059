// SPDX-License-Identifier: MIT
// A machine that forces move, written out: its rows, L D Lᵀ of S = J W⁻¹ Jᵀ, and the corrections of accelerations and multipliers.
// THEORY K12, K14.
#include <fmt/format.h>

#include "kinematics/codegen/flat_routine.h"
#include "kinematics/codegen/spatial_flat.h"
#include "kinematics/codegen/spatial_symbols.h"

namespace rodeo::codegen {
namespace {

using expr::Op;
using ExprRow = std::vector<Expr>;

constexpr std::size_t kMostMoves = 60;
constexpr std::size_t kMostOperations = 20000;
constexpr double kDamping = 1e-13;

Expr sum(Expr total, Expr part) { return total.is_number(0) ? part : total + part; }
Expr larger(Expr a, Expr b) { return expr::operation(Op::max, {a, b}); }

class FlatFree {
 public:
  explicit FlatFree(const SpatialNumbers& n) : n_(n), moves_(static_cast<std::size_t>(n.mass.size())) {
    build_rows();
    const std::vector<ExprRow> S = build_schur();
    for (std::size_t i = 0; i < n_.kept; ++i) store_.add(1.0 / or_one(S[i][i]));
    factorise(S);
    for (ExprRow& row : J_) keep(row);
    for (ExprRow& row : L_) keep(row);
  }

  FlatText write() {
    const FlatRoutine parts[] = {write_rows(), write_residual(), write_correction()};
    FlatText flat{fmt::format("#define N_FLAT {}\n", store_.values().size() + 1), 0};
    for (const FlatRoutine& part : parts) {
      flat.text += part.text;
      flat.operations += part.operations;
    }
    return flat;
  }

 private:
  static Expr or_one(Expr e) {
    return expr::operation(Op::select, {expr::operation(Op::less, {0.0, e}), e, 1.0});
  }
  [[nodiscard]] double weight(std::size_t i) const { return n_.weight[static_cast<Eigen::Index>(i)]; }
  [[nodiscard]] double mass(std::size_t i) const { return n_.mass[static_cast<Eigen::Index>(i)]; }
  void keep(ExprRow& row) {
    for (Expr& e : row) e = store_.keep(e);
  }

  /// J, and what J a has to be: the store begins with it.
  void build_rows() {
    const auto x = build_array(symbols_, Space::state, "x", static_cast<std::size_t>(n_.q.size()));
    const auto v = build_array(symbols_, Space::drive, "v", moves_);
    const auto u = build_array(symbols_, Space::parameter, "p", 3 * n_.machine.drives.size());
    const auto gain = build_array(symbols_, Space::derived, "k", 1);
    const auto bodies = build_symbol_bodies(x, v, 1.0);
    for (std::size_t i = 0; i < n_.kept; ++i) {
      const spatial::RowData& data = n_.data[i];
      const bool is_driven = n_.rows[i].drive >= 0;
      const std::size_t d = is_driven ? 3 * static_cast<std::size_t>(n_.rows[i].drive) : 0;
      const SymbolRow row = build_symbol_row(data, bodies, is_driven ? u[d] : Expr(data.value), 1.0);
      ExprRow line(moves_, 0.0);
      for (std::size_t k = 0; k < 12; ++k) {
        const int body = k < 6 ? data.first : data.second;
        if (body > 0) line[6 * static_cast<std::size_t>(body - 1) + k % 6] = row.d[k / 6][k % 6];
      }
      const Expr rate = times(line, v) - (is_driven ? u[d + 1] : Expr(0.0));
      store_.add((is_driven ? u[d + 2] : Expr(0.0)) - row.bias -
                 gain[0] * (2.0 * rate + gain[0] * row.error));
      J_.push_back(line);
    }
  }

  [[nodiscard]] static Expr times(const ExprRow& row, const ExprRow& x) {
    Expr total = 0.0;
    for (std::size_t i = 0; i < row.size(); ++i) total = sum(total, row[i] * x[i]);
    return total;
  }

  [[nodiscard]] std::vector<ExprRow> build_schur() const {
    std::vector<ExprRow> S;
    for (std::size_t i = 0; i < n_.kept; ++i) {
      ExprRow weighted = J_[i], line;
      for (std::size_t k = 0; k < moves_; ++k) weighted[k] = Expr(1.0 / weight(k)) * weighted[k];
      for (std::size_t j = 0; j <= i; ++j) line.push_back(times(weighted, J_[j]));
      S.push_back(line);
    }
    return S;
  }

  /// Of S + eps diag S; rounding of a row that says nothing new does not become a pivot. On the diagonal 1/D.
  void factorise(const std::vector<ExprRow>& S) {
    for (std::size_t i = 0; i < n_.kept; ++i) {
      ExprRow line = S[i];
      Expr pivot = Expr(1.0 + kDamping) * S[i][i];
      for (std::size_t j = 0; j < i; ++j) {
        for (std::size_t k = 0; k < j; ++k) line[j] = line[j] - line[k] * L_[j][k];
      }
      for (std::size_t j = 0; j < i; ++j) {
        const Expr part = line[j] * L_[j][j];
        pivot = pivot - line[j] * part;
        line[j] = part;
      }
      const Expr size = or_one(S[i][i]);
      const Expr is_small = expr::operation(Op::less, {pivot, Expr(0.25 * kDamping) * size});
      line[i] = 1.0 / expr::operation(Op::select, {is_small, Expr(kDamping) * size, pivot});
      L_.push_back(line);
    }
  }

  [[nodiscard]] ExprRow solve(ExprRow b) const {
    for (std::size_t i = 0; i < b.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) b[i] = b[i] - L_[i][j] * b[j];
    }
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = L_[i][i] * b[i];
    for (std::size_t i = b.size(); i-- > 0;) {
      for (std::size_t j = 0; j < i; ++j) b[j] = b[j] - L_[i][j] * b[i];
    }
    return b;
  }

  /// f − Jᵀl
  [[nodiscard]] ExprRow less_rows(ExprRow f, const ExprRow& l) const {
    for (std::size_t i = 0; i < l.size(); ++i) {
      for (std::size_t k = 0; k < moves_; ++k) f[k] = f[k] - J_[i][k] * l[i];
    }
    return f;
  }

  FlatRoutine write_rows() { return build_flat_routine(symbols_, "flat_rows", "xupk", store_.values()); }

  /// r = f − M a − Jᵀl, what S is to be solved for, the largest residual and the size of what is balanced, in energies.
  [[nodiscard]] FlatRoutine write_residual() const {
    Symbols symbols;
    const auto s = build_array(symbols, Space::state, "f", store_.values().size());
    const auto a = build_array(symbols, Space::drive, "a", moves_);
    const auto l = build_array(symbols, Space::parameter, "l", n_.kept);
    const auto f = build_array(symbols, Space::derived, "k", moves_);
    ExprRow r, move, values;
    Expr left = 0.0, size = 0.0;
    for (std::size_t i = 0; i < moves_; ++i) {
      r.push_back(f[i] - Expr(mass(i)) * a[i]);
      size = sum(size, Expr(mass(i)) * (a[i] * a[i]) + Expr(1.0 / weight(i)) * (f[i] * f[i]));
    }
    r = less_rows(r, l);
    for (std::size_t i = 0; i < moves_; ++i) {
      move.push_back(Expr(1.0 / weight(i)) * r[i]);
      left = larger(left, move[i] * r[i]);
    }
    values = r;
    for (std::size_t i = 0; i < n_.kept; ++i) {
      const Expr open = s[i] - times(J_[i], a);
      values.push_back(times(J_[i], move) - open);
      left = larger(left, (open * open) * s[n_.kept + i]);
    }
    values.insert(values.end(), {left, size});
    return build_flat_routine(symbols, "flat_residual", "xupk", values);
  }

  /// Of accelerations, then multipliers; u is what flat_residual gave.
  [[nodiscard]] FlatRoutine write_correction() const {
    Symbols symbols;
    store_.name(symbols, Space::state);
    const auto r = build_array(symbols, Space::drive, "r", moves_ + n_.kept);
    const auto middle = r.begin() + static_cast<std::ptrdiff_t>(moves_);
    const ExprRow l = solve(ExprRow(middle, r.end()));
    ExprRow values = less_rows(ExprRow(r.begin(), middle), l);
    for (std::size_t i = 0; i < moves_; ++i) values[i] = Expr(1.0 / weight(i)) * values[i];
    values.insert(values.end(), l.begin(), l.end());
    return build_flat_routine(symbols, "flat_correction", "xu", values);
  }

  const SpatialNumbers& n_;
  std::size_t moves_;
  Symbols symbols_;
  FlatStore store_;  // right sides, reciprocals of the diagonal of S, then J, L and 1/D
  std::vector<ExprRow> J_, L_;
};

}  // namespace

FlatText build_flat_free(const SpatialNumbers& n) {
  const FlatText none{"#define N_FLAT 0\n", 0};
  if (static_cast<std::size_t>(n.mass.size()) > kMostMoves) return none;
  const FlatText text = FlatFree(n).write();
  return text.operations <= kMostOperations ? text : none;
}

}  // namespace rodeo::codegen
