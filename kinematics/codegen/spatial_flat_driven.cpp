// SPDX-License-Identifier: MIT
// A driven machine written out: J = L U in a fixed order, and what is solved with it. Lengths are in sizes of the machine. THEORY K14.
#include <fmt/format.h>

#include <algorithm>

#include "kinematics/codegen/flat_lu.h"
#include "kinematics/codegen/spatial_flat.h"
#include "kinematics/codegen/spatial_symbols.h"
#include "kinematics/expr/eval.h"

namespace rodeo::codegen {
namespace {

using spatial::RowData;
using spatial::RowKind;

constexpr std::size_t kMostMoves = 60;
constexpr std::size_t kMostOperations = 20000;

/// In which axes rows and turns are written: whatever gives pivots that stay large.
struct Layout {
  bool places_in_ground = false;  // of joints that hold all three
  bool turns_in_parents =
      false;  // in the axes of the body that the joint to the ground's side has for its first
};

/// The axis of the ground that stands for a place, where the joint holds all three.
std::optional<int> find_axis(const SpatialNumbers& n, std::size_t row) {
  int before = 0, all = 0;
  for (std::size_t i = 0; i < n.rows.size(); ++i) {
    if (n.data[i].kind != RowKind::along || n.rows[i].drive >= 0 || n.rows[i].joint != n.rows[row].joint)
      continue;
    before += i < row ? 1 : 0;
    ++all;
  }
  const bool is_place = n.data[row].kind == RowKind::along && n.rows[row].drive < 0;
  return is_place && all == 3 ? std::optional(before) : std::nullopt;
}

/// Whose axes a body's turns are written in. A tree from the ground, along joints that hold most turns.
std::vector<int> find_parents(const SpatialNumbers& n) {
  std::vector<int> parents(n.machine.bodies.size(), -1);
  parents[0] = 0;
  const auto count = [&](const RowData& row) {
    return std::count_if(n.data.begin(), n.data.end(), [&](const RowData& other) {
      return other.is_angle() && other.first == row.first && other.second == row.second;
    });
  };
  for (std::size_t placed = 1; placed < parents.size(); ++placed) {
    const RowData* best = nullptr;
    for (const RowData& row : n.data) {
      if ((parents[row.first] < 0) == (parents[row.second] < 0)) continue;
      if (best == nullptr || count(row) > count(*best)) best = &row;
    }
    if (best == nullptr) break;
    // The axes that a joint turns about are fixed in its first body.
    parents[parents[best->first] < 0 ? best->first : best->second] = best->first;
  }
  for (std::size_t b = 0; b < parents.size(); ++b) {
    if (parents[b] < 0) parents[b] = static_cast<int>(b);
  }
  return parents;
}

class FlatDriven {
 public:
  FlatDriven(const SpatialNumbers& n, const std::vector<spatial::Vector>& motion, const Layout& layout)
      : n_(n), layout_(layout), moves_(static_cast<std::size_t>(n.mass.size())) {
    for (std::size_t b = 0; b < n.machine.bodies.size(); ++b) parents_.push_back(static_cast<int>(b));
    if (layout.turns_in_parents) parents_ = find_parents(n);
    const auto x = build_array(symbols_, Space::state, "x", static_cast<std::size_t>(n_.q.size()));
    const std::vector<ExprRow> matrix = build_matrix(x);
    order_ = build_order(matrix, x, motion);
    if (!is_possible()) return;
    lu_.emplace(matrix, order_);
    store_.add(lu_->margin());
    lu_->keep(store_);
    for (auto& rotation : back_) {
      for (Triple& row : rotation.rows) row = {store_.keep(row[0]), store_.keep(row[1]), store_.keep(row[2])};
    }
  }

  [[nodiscard]] bool is_possible() const { return order_.pivots.size() == moves_; }
  [[nodiscard]] double share() const { return order_.share; }

  FlatText write() {
    const FlatRoutine parts[] = {write_factors(), write_correction(), write_tangents(),
                                 write_accelerations()};
    FlatText flat{fmt::format("#define N_FLAT {}\n", store_.values().size()), 0};
    for (const FlatRoutine& part : parts) {
      flat.text += part.text;
      flat.operations += part.operations;
    }
    return flat;
  }

 private:
  [[nodiscard]] double unit_of(std::size_t i) const { return n_.data[i].is_angle() ? 1.0 : n_.size; }

  [[nodiscard]] std::vector<SymbolBody> build_bodies(const ExprRow& x, const ExprRow& v) const {
    std::vector<SymbolBody> bodies = build_symbol_bodies(x, v, n_.size);
    for (std::size_t b = 1; b < bodies.size(); ++b) {
      bodies[b].is_own = parents_[b] == static_cast<int>(b);
      bodies[b].T = bodies[static_cast<std::size_t>(parents_[b])].R;
    }
    return bodies;
  }

  [[nodiscard]] SymbolRow build_row(std::size_t i, const std::vector<SymbolBody>& bodies, Expr value) const {
    return build_symbol_row(n_.data[i], bodies, value, n_.size,
                            layout_.places_in_ground ? find_axis(n_, i) : std::nullopt);
  }

  std::vector<ExprRow> build_matrix(const ExprRow& x) {
    const auto u = build_array(symbols_, Space::drive, "u", 3 * n_.machine.drives.size());
    const auto bodies = build_bodies(x, {});
    std::vector<ExprRow> matrix;
    for (std::size_t i = 0; i < n_.data.size(); ++i) {
      const RowData& data = n_.data[i];
      const int drive = n_.rows[i].drive;
      const SymbolRow row =
          build_row(i, bodies, drive < 0 ? Expr(data.value) : u[3 * static_cast<std::size_t>(drive)]);
      ExprRow line(moves_, 0.0);
      for (std::size_t k = 0; k < 12; ++k) {
        const int body = k < 6 ? data.first : data.second;
        if (body > 0) line[6 * static_cast<std::size_t>(body - 1) + k % 6] = row.d[k / 6][k % 6];
      }
      matrix.push_back(line);
      store_.add(row.error);
    }
    for (const SymbolBody& body : bodies) {  // from its axes T to its own
      Rotation back;
      for (std::size_t c = 0; c < 3; ++c)
        back.rows[c] = body.T.turned_back({body.R.rows[0][c], body.R.rows[1][c], body.R.rows[2][c]});
      back_.push_back(back);
    }
    return matrix;
  }

  [[nodiscard]] PivotOrder build_order(const std::vector<ExprRow>& matrix, const ExprRow& x,
                                       const std::vector<spatial::Vector>& motion) const {
    const auto rows = static_cast<Eigen::Index>(matrix.size()), columns = static_cast<Eigen::Index>(moves_);
    ExprRow entries;
    for (std::size_t j = 0; j < moves_; ++j) {
      for (const ExprRow& row : matrix) entries.push_back(row[j]);
    }
    Eigen::MatrixXi pattern(rows, columns);
    std::transform(entries.begin(), entries.end(), pattern.data(),
                   [](Expr e) { return e.is_number(0) ? 0 : 1; });
    expr::Program program(entries, x);
    std::vector<Eigen::MatrixXd> samples;
    for (const spatial::Vector& states : motion)
      program.run(states.data(), samples.emplace_back(rows, columns).data());
    return build_pivot_order(pattern, samples);
  }

  /// Moves (m, rad, in the bodies' axes) of which the rows' dimensionless changes are b.
  [[nodiscard]] ExprRow solve(const ExprRow& b) const {
    ExprRow x = lu_->solve(b);
    for (std::size_t i = 0; i < moves_; i += 6) {
      const std::size_t body = 1 + i / 6;
      for (std::size_t k = 0; k < 3; ++k) x[i + k] = Expr(n_.size) * x[i + k];
      if (parents_[body] == static_cast<int>(body)) continue;
      const Triple own = back_[body].turned({x[i + 3], x[i + 4], x[i + 5]});
      std::copy(own.begin(), own.end(), x.begin() + static_cast<std::ptrdiff_t>(i + 3));
    }
    return x;
  }

  FlatRoutine write_factors() { return build_flat_routine(symbols_, "flat_factors", "xu", store_.values()); }

  [[nodiscard]] FlatRoutine write_correction() const {
    Symbols symbols;
    const auto f = build_array(symbols, Space::state, "f", store_.values().size());
    ExprRow b;
    for (std::size_t i = 0; i < n_.data.size(); ++i) b.push_back(-f[i]);
    return build_flat_routine(symbols, "flat_correction", "x", solve(b));
  }

  [[nodiscard]] FlatRoutine write_tangents() const {
    Symbols symbols;
    store_.name(symbols, Space::state);
    ExprRow all;
    for (int d = 0; d < static_cast<int>(n_.machine.drives.size()); ++d) {
      ExprRow b(n_.data.size(), 0.0);
      for (std::size_t i = 0; i < b.size(); ++i) {
        if (n_.rows[i].drive == d) b[i] = 1.0 / unit_of(i);
      }
      const ExprRow x = solve(b);
      all.insert(all.end(), x.begin(), x.end());
    }
    return build_flat_routine(symbols, "flat_tangents", "x", all);
  }

  [[nodiscard]] FlatRoutine write_accelerations() const {
    Symbols symbols;
    store_.name(symbols, Space::state);
    const auto x = build_array(symbols, Space::parameter, "x", static_cast<std::size_t>(n_.q.size()));
    const auto v = build_array(symbols, Space::drive, "v", moves_);
    const auto a = build_array(symbols, Space::derived, "k", n_.machine.drives.size());
    const auto bodies = build_bodies(x, v);
    ExprRow b;
    for (std::size_t i = 0; i < n_.data.size(); ++i) {
      const int d = n_.rows[i].drive;
      const Expr given = d < 0 ? Expr(0.0) : Expr(1.0 / unit_of(i)) * a[static_cast<std::size_t>(d)];
      b.push_back(given - build_row(i, bodies, 0.0).bias);
    }
    return build_flat_routine(symbols, "flat_accelerations", "xpuk", solve(b));
  }

  const SpatialNumbers& n_;
  Layout layout_;
  std::size_t moves_;
  std::vector<int> parents_;  // a body each: whose axes its turns are in
  Symbols symbols_;
  FlatStore store_;  // errors of all rows, the margin, L and U, rotations
  PivotOrder order_;
  std::optional<FlatLu> lu_;
  std::vector<Rotation> back_;
};

}  // namespace

FlatText build_flat_driven(const SpatialNumbers& n, const std::vector<spatial::Vector>& motion) {
  FlatText best{"#define N_FLAT 0\n", 0};
  double share = 0.0;
  if (static_cast<std::size_t>(n.mass.size()) > kMostMoves) return best;
  for (const Layout& layout : {Layout{}, Layout{true, false}, Layout{false, true}, Layout{true, true}}) {
    FlatDriven flat(n, motion, layout);
    if (!flat.is_possible() || flat.share() < share) continue;
    FlatText text = flat.write();
    if (text.operations > kMostOperations || (flat.share() <= share && text.operations >= best.operations))
      continue;
    share = flat.share();
    best = std::move(text);
  }
  return best;
}

}  // namespace rodeo::codegen
