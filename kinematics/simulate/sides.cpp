// SPDX-License-Identifier: MIT
#include "kinematics/simulate/sides.h"

#include <algorithm>

namespace rodeo::simulate {

bool Sides::slides(std::size_t k) const noexcept {
  return std::find(sliding_.begin(), sliding_.end(), k) != sliding_.end();
}

void Sides::set(std::size_t k, bool above) {
  std::erase(sliding_, k);
  values_[k] = above ? 1.0 : 0.0;
}

void Sides::slide(std::size_t k) {
  if (!slides(k)) sliding_.push_back(k);
}

bool Sides::try_each(solve::Out out, const std::function<bool(solve::Out)>& run,
                     const std::function<void(std::size_t, solve::In)>& take) {
  for (const std::size_t k : sliding_) values_[k] = 0.0;
  bool is_fine = run(out);
  take(0, out);
  for (std::size_t i = 0; i < sliding_.size(); ++i) {
    values_[sliding_[i]] = 1.0;
    is_fine = run(out) && is_fine;
    values_[sliding_[i]] = 0.0;
    take(i + 1, out);
  }
  return is_fine;
}

bool Sides::mix(double t, solve::In states, solve::Out out, const std::function<bool(solve::Out)>& run) {
  if (sliding_.empty()) return run(out);
  std::vector<double> weights(sliding_.size());
  if (!weigher_(t, states, weights)) return false;
  std::vector<double> below, sum;
  const bool is_fine = try_each(out, run, [&](std::size_t i, solve::In values) {
    if (i == 0) below.assign(values.begin(), values.end());
    if (i == 0) sum = below;
    for (std::size_t c = 0; i > 0 && c < sum.size(); ++c) sum[c] += weights[i - 1] * (values[c] - below[c]);
  });
  std::copy(sum.begin(), sum.end(), out.begin());
  return is_fine;
}

}  // namespace rodeo::simulate
