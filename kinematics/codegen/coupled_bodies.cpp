// SPDX-License-Identifier: MIT
#include "kinematics/codegen/coupled_bodies.h"

#include <algorithm>
#include <cmath>

#include "kinematics/machine/closure.h"
#include "kinematics/machine/rank.h"
#include "kinematics/text/fault.h"

namespace rodeo::codegen {
namespace {

using machine::Row;
using Jacobian = Eigen::SparseMatrix<double>;

constexpr double kNoEntry = 1e-9;  // dimensionless: below it a coordinate is not in a constraint

std::size_t at(int index) { return static_cast<std::size_t>(index); }

class CoupledBodies {
 public:
  CoupledBodies(const Placement& known, const machine::Assembly& start, const std::vector<Row>& redundant)
      : known_(known), machine_(known.linkage().machine()), start_(start), redundant_(redundant) {
    number_coordinates();
    find_rows();
  }

  std::vector<int> find() {
    row_of_.assign(at(count_), -1);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      seen_.assign(at(count_), false);
      if (!try_match(static_cast<int>(r))) fail();
    }
    return find_smallest();
  }

 private:
  [[noreturn]] void fail() const {
    throw text::ModelError(machine_.where,
                           "the start pose is singular: its joints and drives do not determine the positions "
                           "of all bodies there; start from another pose");
  }

  /// Three a body without a place, two where its direction is known.
  void number_coordinates() {
    column_.assign(3 * machine_.bodies.size(), -1);
    for (int b = 1; b < static_cast<int>(machine_.bodies.size()); ++b) {
      if (known_.is_placed(b)) continue;
      for (int c = 0; c < (known_.has_direction(b) ? 2 : 3); ++c) {
        column_[at(3 * (b - 1) + c)] = count_++;
        body_of_.push_back(b);
      }
    }
  }

  // ---- constraints

  [[nodiscard]] std::vector<int> bodies_of(const Row& row) const {
    if (row.joint >= 0) {
      const machine::Joint& joint = known_.linkage().joint(row.joint);
      return {joint.first.body, joint.second.body};
    }
    const machine::Drive& drive = known_.linkage().drive(row.drive);
    const bool by_points =
        drive.kind == machine::DriveKind::cylinder || drive.kind == machine::DriveKind::slide;
    if (by_points) return {drive.first.body, drive.second.body};
    return {drive.first_body, drive.second_body};
  }

  [[nodiscard]] bool is_redundant(const Row& row) const {
    return std::any_of(redundant_.begin(), redundant_.end(), [&](const Row& other) {
      return row.joint >= 0 && other.joint == row.joint && other.component == row.component;
    });
  }

  /// Derivatives by the coordinates that are numbered here.
  [[nodiscard]] Jacobian calc_jacobian(const std::vector<Row>& rows) const {
    const Jacobian whole = machine::Closure(machine_, rows, start_.drive_values).calc_jacobian(start_.pose);
    std::vector<Eigen::Triplet<double>> entries;
    for (int c = 0; c < whole.outerSize(); ++c) {
      if (column_[at(c)] < 0) continue;
      for (Jacobian::InnerIterator it(whole, c); it; ++it) {
        if (std::abs(it.value()) > kNoEntry)
          entries.emplace_back(static_cast<int>(it.row()), column_[at(c)], it.value());
      }
    }
    Jacobian part(static_cast<Eigen::Index>(rows.size()), count_);
    part.setFromTriplets(entries.begin(), entries.end());
    return part;
  }

  /// As many independent ones as there are coordinates.
  void find_rows() {
    std::vector<Row> others;
    for (const Row& row : machine::build_rows(machine_, true)) {
      const std::vector<int> bodies = bodies_of(row);
      if (std::all_of(bodies.begin(), bodies.end(), [&](int b) { return known_.is_placed(b); })) continue;
      (is_redundant(row) ? others : rows_).push_back(row);
    }
    if (static_cast<int>(rows_.size()) != count_) {
      rows_.insert(rows_.end(), others.begin(), others.end());
      const std::vector<int> dependent = machine::RowRank(calc_jacobian(rows_)).find_dependent_rows();
      for (std::size_t d = dependent.size(); d-- > 0;) rows_.erase(rows_.begin() + dependent[d]);
    }
    if (static_cast<int>(rows_.size()) != count_) fail();
    const Jacobian jacobian = calc_jacobian(rows_);
    columns_of_.resize(rows_.size());
    for (int c = 0; c < jacobian.outerSize(); ++c) {
      for (Jacobian::InnerIterator it(jacobian, c); it; ++it)
        columns_of_[static_cast<std::size_t>(it.row())].push_back(c);
    }
  }

  /// Gives the row a coordinate of its own; those that have one already may move on to another.
  bool try_match(int row) {
    for (const int column : columns_of_[at(row)]) {
      if (seen_[at(column)]) continue;
      seen_[at(column)] = true;
      if (row_of_[at(column)] >= 0 && !try_match(row_of_[at(column)])) continue;
      row_of_[at(column)] = row;
      return true;
    }
    return false;
  }

  // ---- sets of bodies

  /// Every body that this one's constraints lead to, itself among them.
  [[nodiscard]] std::vector<bool> find_reach(int body) const {
    std::vector<bool> reach(machine_.bodies.size(), false);
    std::vector<int> stack{body};
    reach[at(body)] = true;
    while (!stack.empty()) {
      const int here = stack.back();
      stack.pop_back();
      for (int c = 0; c < 3; ++c) {
        const int column = column_[at(3 * (here - 1) + c)];
        if (column < 0) continue;
        for (const int other : bodies_of(rows_[at(row_of_[at(column)])])) {
          if (known_.is_placed(other) || reach[at(other)]) continue;
          reach[at(other)] = true;
          stack.push_back(other);
        }
      }
    }
    return reach;
  }

  [[nodiscard]] std::vector<int> find_smallest() const {
    std::vector<int> smallest;
    for (const int body : body_of_) {
      const std::vector<bool> reach = find_reach(body);
      std::vector<int> bodies;
      for (std::size_t b = 0; b < reach.size(); ++b) {
        if (reach[b]) bodies.push_back(static_cast<int>(b));
      }
      if (smallest.empty() || bodies.size() < smallest.size()) smallest = bodies;
    }
    return smallest;
  }

  const Placement& known_;
  const machine::Machine& machine_;
  const machine::Assembly& start_;
  const std::vector<Row>& redundant_;
  int count_ = 0;             // of coordinates
  std::vector<int> column_;   // of x, y, angle of every moving body among them, or -1
  std::vector<int> body_of_;  // a coordinate each
  std::vector<Row> rows_;
  std::vector<std::vector<int>> columns_of_;  // a row each
  std::vector<int> row_of_;                   // a coordinate each
  std::vector<bool> seen_;
};

}  // namespace

std::vector<int> find_coupled_bodies(const Placement& known, const machine::Assembly& start,
                                     const std::vector<Row>& redundant) {
  return CoupledBodies(known, start, redundant).find();
}

}  // namespace rodeo::codegen
