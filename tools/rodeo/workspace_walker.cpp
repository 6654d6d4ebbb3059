// SPDX-License-Identifier: MIT
// Steps of a machine from pose to pose.
#include "tools/rodeo/workspace_walker.h"

#include <fmt/format.h>

#include <algorithm>

namespace rodeo::tools {

using engine::KernelError;
using engine::KernelStatus;

Walker::Walker(const engine::ModelFolder& model, const std::string& where, const std::string& output)
    : instance_(model.kernel),
      follower_(model.kernel),
      outputs_(model.kernel.output_count()),
      at_(model.start) {
  find_columns(model, where, output);
  const KernelStatus status = instance_.try_init(model.parameters, model.start);
  if (status != KernelStatus::ok || !go(model.start)) {
    throw KernelError(fmt::format("{}: the kernel refuses the start pose: see 'rodeo check'", where));
  }
}

bool Walker::go(const std::vector<double>& target) {
  set_values(target);
  return instance_.calc_margin() < kNearMeeting ? try_pass() : go(target, kHalvings);
}

bool Walker::go(const std::vector<double>& target, int halvings) {
  const KernelStatus status = try_step(target);
  if (status == KernelStatus::ok) return true;
  if (status == KernelStatus::singular) return halvings == kHalvings && try_pass();
  if (status != KernelStatus::open || halvings == 0) return false;
  const std::vector<double> from = at_;
  std::vector<double> middle(target.size());
  for (std::size_t d = 0; d < target.size(); ++d) middle[d] = (from[d] + target[d]) / 2;
  if (go(middle, halvings - 1) && go(target, halvings - 1)) return true;
  return false;
}

Walker::Saved Walker::save() const {
  Saved saved{at_, std::vector<unsigned char>(instance_.state_bytes())};
  instance_.save(saved.bytes);
  return saved;
}

void Walker::restore(const Saved& saved) {
  (void)instance_.try_restore(saved.bytes);  // its own bytes
  at_ = saved.at;
}

void Walker::find_columns(const engine::ModelFolder& model, const std::string& where,
                          const std::string& output) {
  const std::vector<std::string> names = engine::build_names(model.kernel.outputs());
  const auto find = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  x_ = find(output + ".x");
  y_ = find(output + ".y");
  if (const std::size_t z = find(output + ".z"); z < names.size()) z_ = z;
  if (x_ < names.size() && y_ < names.size()) return;
  std::vector<std::string> points;
  for (const std::string& name : names) {
    const bool is_point = name.ends_with(".x") && std::count(name.begin(), name.end(), '.') == 1;
    if (is_point) points.push_back(name.substr(0, name.size() - 2));
  }
  const bool is_number = find(output) < names.size();
  throw KernelError(fmt::format(
      "{}: {} '{}' (there {})", where,
      is_number ? "a workspace is of a point, and a length or angle is the output" : "there is no output",
      output, points.empty() ? "are none" : fmt::format("is {}", fmt::join(points, ", "))));
}

/// To the values; never onto another branch.
bool Walker::try_pass() { return follower_.try_step(instance_, at_, values_, outputs_) == 0; }

void Walker::set_values(const std::vector<double>& target) {
  values_.assign(3 * target.size(), 0);
  for (std::size_t d = 0; d < target.size(); ++d) values_[3 * d] = target[d];
}

KernelStatus Walker::try_step(const std::vector<double>& target) {
  set_values(target);
  const KernelStatus status = instance_.try_step(values_, outputs_);
  if (status == KernelStatus::ok) at_ = target;
  return status;
}

}  // namespace rodeo::tools
