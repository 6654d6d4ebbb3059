// SPDX-License-Identifier: MIT
#include "kinematics/machine/motion_samples.h"

#include <algorithm>

#include "kinematics/machine/closure.h"
#include "kinematics/machine/rank.h"

namespace rodeo::machine {
namespace {

constexpr double kStep = 0.05;  // the fastest body a sample: radians, or sizes of the machine
constexpr int kMostSamples =
    640;                        // of all walks together: about two turns there and two back for one freedom
constexpr int kMixedWalks = 4;  // beside those along one freedom each

using Vector = Eigen::VectorXd;

class Walker {
 public:
  Walker(const Machine& machine, const Assembly& start, const Mobility& mobility)
      : machine_(machine), start_(start.pose), joints_(machine, build_kept(machine, mobility), {}) {}

  std::vector<Pose> run() {
    const Eigen::MatrixXd moves = calc_moves(start_);
    if (moves.cols() == 0) return {};
    std::vector<Vector> directions;
    for (Eigen::Index i = 0; i < moves.cols(); ++i) directions.emplace_back(moves.col(i));
    std::mt19937 random(3);
    for (int i = 0; moves.cols() > 1 && i < kMixedWalks; ++i) directions.push_back(mix(moves, random));
    const int steps = kMostSamples / (2 * static_cast<int>(directions.size()));
    for (const Vector& direction : directions) {
      walk(direction, steps);
      walk(-direction, steps);
    }
    return std::move(samples_);
  }

 private:
  static std::vector<Row> build_kept(const Machine& machine, const Mobility& mobility) {
    std::vector<Row> rows = build_rows(machine, false);
    std::erase_if(rows, [&](const Row& row) {
      return std::any_of(mobility.redundant.begin(), mobility.redundant.end(),
                         [&](const Row& r) { return r.joint == row.joint && r.component == row.component; });
    });
    return rows;
  }

  [[nodiscard]] Eigen::MatrixXd calc_moves(const Pose& pose) const {
    return RowRank(joints_.calc_jacobian(pose)).build_free_moves();
  }

  static Vector mix(const Eigen::MatrixXd& moves, std::mt19937& random) {
    Vector parts(moves.cols());
    for (double& part : parts) part = next_uniform(random);
    return moves * parts;
  }

  void walk(Vector direction, int steps) {
    Pose pose = start_;
    for (int i = 0; i < steps; ++i) {
      const Eigen::MatrixXd moves = calc_moves(pose);
      direction = moves * (moves.transpose() * direction);
      const double size = direction.cwiseAbs().maxCoeff();
      if (!(size > 0)) return;
      direction /= size;
      const Closed next = build_closed(joints_, joints_.calc_moved(pose, kStep * direction));
      if (!next.ok() || !is_in_range(next.pose)) return;
      pose = next.pose;
      samples_.push_back(pose);
    }
  }

  [[nodiscard]] bool is_in_range(const Pose& pose) const {
    return std::all_of(machine_.drives.begin(), machine_.drives.end(), [&](const Drive& drive) {
      const double value = calc_drive_value(machine_, pose, drive);
      return !(drive.lower && value < drive.lower->value) && !(drive.upper && value > drive.upper->value);
    });
  }

  const Machine& machine_;
  const Pose& start_;
  Closure joints_;
  std::vector<Pose> samples_;
};

}  // namespace

std::vector<Pose> sample_motion(const Machine& machine, const Assembly& start, const Mobility& mobility) {
  return Walker(machine, start, mobility).run();
}

}  // namespace rodeo::machine
