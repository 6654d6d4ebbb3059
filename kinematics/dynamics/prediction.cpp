// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/prediction.h"

#include <algorithm>
#include <cmath>

namespace rodeo::dynamics {

void Prediction::begin(double t, const Vector& q, const Vector& v, const Vector& a) {
  time_ = t;
  q_ = q;
  v_ = v;
  past_[0] = a;
  samples_ = 1;
  for (Vector& d : derivative_) d.setZero(a.size());
}

void Prediction::add(double t, const Vector& q, const Vector& v, const Vector& a) {
  const double period = t - time_;
  const bool equal = samples_ == 1 || std::abs(period - period_) < 1e-6 * period;
  if (samples_ == 0 || !(period > 0) || !equal) {
    begin(t, q, v, a);
    return;
  }
  period_ = period;
  std::rotate(past_.begin(), past_.begin() + 3, past_.end());
  past_[0] = a;
  time_ = t;
  q_ = q;
  v_ = v;
  samples_ = std::min(samples_ + 1, 4);
  calc_derivatives();
}

// One-sided differences of four samples.
void Prediction::calc_derivatives() {
  if (!is_cubic()) return;
  const auto& [a0, a1, a2, a3] = past_;
  derivative_[0] = (11 * a0 - 18 * a1 + 9 * a2 - 2 * a3) / (6 * period_);
  derivative_[1] = (2 * a0 - 5 * a1 + 4 * a2 - a3) / (period_ * period_);
  derivative_[2] = (a0 - 3 * a1 + 3 * a2 - a3) / (period_ * period_ * period_);
}

void Prediction::calc(const System& system, double t, Vector& q, Vector& v, Vector& a) const {
  const double h = t - time_;
  const Vector &a0 = past_[0], &j = derivative_[0], &s = derivative_[1], &c = derivative_[2];
  a = a0 + h * (j + h / 2 * (s + h / 3 * c));
  v = v_ + h * (a0 + h / 2 * (j + h / 3 * (s + h / 4 * c)));
  q = q_;
  system.move(q, h * (v_ + h / 2 * (a0 + h / 3 * (j + h / 4 * (s + h / 5 * c)))));
}

}  // namespace rodeo::dynamics
