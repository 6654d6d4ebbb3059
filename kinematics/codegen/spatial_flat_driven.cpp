// SPDX-License-Identifier: MIT
// A driven machine written out: J = L U in a fixed order, and what is solved with it. Lengths are in sizes of the machine. THEORY K14.
#include <fmt/format.h>

#include <algorithm>

#include "kinematics/codegen/flat_routine.h"
#include "kinematics/codegen/pivot_order.h"
#include "kinematics/codegen/spatial_flat.h"
#include "kinematics/codegen/spatial_symbols.h"
#include "kinematics/spatial/driven.h"

namespace rodeo::codegen {
namespace {

using expr::Op;
using Row = std::vector<Expr>;

constexpr std::size_t kMostMoves = 60;
constexpr std::size_t kMostOperations = 20000;

/// Numbers of all rows in a pose, dimensionless.
Eigen::MatrixXd calc_matrix(const SpatialNumbers& n, const spatial::Pose& pose) {
  spatial::Rows rows;
  spatial::calc_rows(n.data, spatial::build_states(pose, n.frames), rows);
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(n.data.size()), n.mass.size());
  for (std::size_t i = 0; i < n.data.size(); ++i) {
    const double unit = n.data[i].is_angle() ? 1.0 : n.size;
    for (int k = 0; k < 12; ++k) {
      const int body = k < 6 ? n.data[i].first : n.data[i].second;
      if (body == 0) continue;
      const double d = rows.terms[i].d[static_cast<std::size_t>(k / 6)][static_cast<std::size_t>(k % 6)];
      J(static_cast<Eigen::Index>(i), 6 * (body - 1) + k % 6) = d * (k % 6 < 3 ? n.size : 1.0) / unit;
    }
  }
  return J;
}

class FlatDriven {
 public:
  FlatDriven(const SpatialNumbers& n, const std::vector<spatial::Pose>& poses)
      : n_(n), moves_(static_cast<std::size_t>(n.mass.size())) {
    set_rows();
    Eigen::MatrixXi pattern(static_cast<Eigen::Index>(matrix_.size()), static_cast<Eigen::Index>(moves_));
    for (std::size_t i = 0; i < matrix_.size(); ++i) {
      for (std::size_t j = 0; j < moves_; ++j) pattern(i, j) = matrix_[i][j].is_number(0) ? 0 : 1;
    }
    std::vector<Eigen::MatrixXd> samples;
    for (const spatial::Pose& pose : poses) samples.push_back(calc_matrix(n, pose));
    order_ = build_pivot_order(pattern, samples);
    if (is_possible()) factorise();
  }

  [[nodiscard]] bool is_possible() const { return order_.pivots.size() == moves_; }

  FlatText write() {
    const FlatRoutine parts[] = {write_factors(), write_correction(), write_tangents(), write_accelerations()};
    FlatText flat{fmt::format("#define N_FLAT {}\n", store_.values().size()), 0};
    for (const FlatRoutine& part : parts) {
      flat.text += part.text;
      flat.operations += part.operations;
    }
    return flat;
  }

 private:
  [[nodiscard]] Expr value_of(std::size_t i, const std::vector<Expr>& drives) const {
    return n_.rows[i].drive < 0 ? Expr(n_.data[i].value) : drives[3 * static_cast<std::size_t>(n_.rows[i].drive)];
  }
  [[nodiscard]] double unit_of(std::size_t i) const { return n_.data[i].is_angle() ? 1.0 : n_.size; }

  void set_rows() {
    const auto x = build_array(symbols_, Space::state, "x", static_cast<std::size_t>(n_.q.size()));
    const auto u = build_array(symbols_, Space::drive, "u", 3 * n_.machine.drives.size());
    const auto bodies = build_symbol_bodies(x, {}, n_.size);
    for (std::size_t i = 0; i < n_.data.size(); ++i) {
      const SymbolRow row = build_symbol_row(n_.data[i], bodies, value_of(i, u), n_.size);
      Row line(moves_, 0.0);
      for (std::size_t k = 0; k < 12; ++k) {
        const int body = k < 6 ? n_.data[i].first : n_.data[i].second;
        if (body > 0) line[6 * static_cast<std::size_t>(body - 1) + k % 6] = row.d[k / 6][k % 6];
      }
      matrix_.push_back(line);
      store_.add(row.error);
    }
  }

  /// Gauss; rows that get no pivot are left alone. After the errors the store has the margin.
  void factorise() {
    std::vector<bool> waits(matrix_.size(), false);
    for (const Pivot& p : order_.pivots) waits[static_cast<std::size_t>(p.row)] = true;
    Expr margin = 1.0;
    for (const Pivot& p : order_.pivots) {
      const auto r = static_cast<std::size_t>(p.row), c = static_cast<std::size_t>(p.column);
      const Expr pivot = matrix_[r][c], inverse = 1.0 / pivot;
      waits[r] = false;
      const Expr size = expr::operation(Op::abs, {pivot});
      if (!size.is_number() || size->value < order_.columns[p.column])
        margin = expr::operation(Op::min, {margin, Expr(1.0 / order_.columns[p.column]) * size});
      for (std::size_t i = 0; i < matrix_.size(); ++i) {
        if (!waits[i] || matrix_[i][c].is_number(0)) continue;
        const Expr part = matrix_[i][c] * inverse;
        matrix_[i][c] = part;
        for (std::size_t j = 0; j < moves_; ++j) {
          if (!is_done(j)) matrix_[i][j] = j == c ? part : matrix_[i][j] - part * matrix_[r][j];
        }
      }
      matrix_[r][c] = inverse;
      done_.push_back(c);
    }
    store_.add(margin);
    for (const Pivot& p : order_.pivots) {
      for (Expr& e : matrix_[static_cast<std::size_t>(p.row)]) e = store_.keep(e);
    }
  }
  [[nodiscard]] bool is_done(std::size_t column) const {
    return std::find(done_.begin(), done_.end(), column) != done_.end();
  }

  /// Moves (m, rad) of which the rows' dimensionless changes are b.
  [[nodiscard]] Row solve(Row b) const {
    const auto& pivots = order_.pivots;
    for (std::size_t k = 0; k < pivots.size(); ++k) {
      for (std::size_t i = k + 1; i < pivots.size(); ++i) {
        const auto r = static_cast<std::size_t>(pivots[i].row);
        b[r] = b[r] - matrix_[r][static_cast<std::size_t>(pivots[k].column)] *
                          b[static_cast<std::size_t>(pivots[k].row)];
      }
    }
    Row x(moves_, 0.0);
    for (std::size_t k = pivots.size(); k-- > 0;) {
      const auto r = static_cast<std::size_t>(pivots[k].row), c = static_cast<std::size_t>(pivots[k].column);
      Expr sum = b[r];
      for (std::size_t i = k + 1; i < pivots.size(); ++i) {
        const auto j = static_cast<std::size_t>(pivots[i].column);
        sum = sum - matrix_[r][j] * x[j];
      }
      x[c] = matrix_[r][c] * sum;
    }
    for (std::size_t j = 0; j < moves_; ++j) x[j] = Expr(j % 6 < 3 ? n_.size : 1.0) * x[j];
    return x;
  }

  FlatRoutine write_factors() {
    return build_flat_routine(symbols_, "flat_factors",
                              "const double* restrict x, const double* restrict u", store_.values());
  }

  FlatRoutine write_correction() const {
    Symbols symbols;
    const auto f = build_array(symbols, Space::state, "f", store_.values().size());
    Row b;
    for (std::size_t i = 0; i < matrix_.size(); ++i) b.push_back(-f[i]);
    return build_flat_routine(symbols, "flat_correction", "const double* restrict x", solve(b));
  }

  FlatRoutine write_tangents() const {
    Symbols symbols;
    store_.name(symbols, Space::state);
    Row all;
    for (std::size_t d = 0; d < n_.machine.drives.size(); ++d) {
      Row b(matrix_.size(), 0.0);
      for (std::size_t i = 0; i < b.size(); ++i) {
        if (n_.rows[i].drive == static_cast<int>(d)) b[i] = 1.0 / unit_of(i);
      }
      const Row x = solve(b);
      all.insert(all.end(), x.begin(), x.end());
    }
    return build_flat_routine(symbols, "flat_tangents", "const double* restrict x", all);
  }

  FlatRoutine write_accelerations() const {
    Symbols symbols;
    store_.name(symbols, Space::state);
    const auto x = build_array(symbols, Space::parameter, "x", static_cast<std::size_t>(n_.q.size()));
    const auto v = build_array(symbols, Space::drive, "v", moves_);
    const auto a = build_array(symbols, Space::derived, "k", n_.machine.drives.size());
    const auto bodies = build_symbol_bodies(x, v, n_.size);
    Row b;
    for (std::size_t i = 0; i < matrix_.size(); ++i) {
      const int d = n_.rows[i].drive;
      const Expr bias = build_symbol_row(n_.data[i], bodies, 0.0, n_.size).bias;
      b.push_back((d < 0 ? Expr(0.0) : Expr(1.0 / unit_of(i)) * a[static_cast<std::size_t>(d)]) - bias);
    }
    return build_flat_routine(symbols, "flat_accelerations",
                              "const double* restrict x, const double* restrict p, const double* restrict u, "
                              "const double* restrict k",
                              solve(b));
  }

  const SpatialNumbers& n_;
  std::size_t moves_;
  Symbols symbols_;
  FlatStore store_;  // errors of all rows, the margin, L and U
  std::vector<Row> matrix_;
  std::vector<std::size_t> done_;  // columns
  PivotOrder order_;
};

/// As far as it goes, in strides of a tenth.
void walk(const spatial::Machine& machine, const spatial::Assembly& start, const spatial::Mobility& mobility,
          const std::vector<double>& along, std::vector<spatial::Pose>& poses) {
  constexpr int kStrides = 63;
  spatial::Driven driven(machine, start, mobility);
  const std::vector<double> none(along.size(), 0.0);
  std::vector<double> values = start.drive_values;
  for (int i = 1; i <= kStrides; ++i) {
    for (std::size_t d = 0; d < along.size(); ++d) {
      const spatial::Drive& drive = machine.drives[d];
      values[d] += 0.1 * along[d];
      if ((drive.lower && values[d] < drive.lower->value) || (drive.upper && values[d] > drive.upper->value))
        return;
    }
    if (driven.step(values, none, none) != spatial::DrivenStatus::ok) return;
    poses.push_back(driven.state().pose);
  }
}

}  // namespace

std::vector<spatial::Pose> build_motion(const spatial::Machine& machine, const spatial::Assembly& start,
                                        const spatial::Mobility& mobility) {
  std::vector<spatial::Pose> poses{start.pose};
  const std::size_t n = machine.drives.size();
  for (std::size_t d = 0; d < (n > 1 ? n + 1 : n); ++d) {
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> along(n, d == n ? sign : 0.0);
      if (d < n) along[d] = sign;
      walk(machine, start, mobility, along, poses);
    }
  }
  return poses;
}

FlatText build_flat_driven(const SpatialNumbers& n, const std::vector<spatial::Pose>& poses) {
  const FlatText none{"#define N_FLAT 0\n", 0};
  if (static_cast<std::size_t>(n.mass.size()) > kMostMoves) return none;
  FlatDriven flat(n, poses);
  if (!flat.is_possible()) return none;
  const FlatText text = flat.write();
  return text.operations <= kMostOperations ? text : none;
}

}  // namespace rodeo::codegen
