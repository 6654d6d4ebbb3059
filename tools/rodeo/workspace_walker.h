// SPDX-License-Identifier: MIT
// A machine that is led from drive positions to drive positions by its kernel, for `rodeo workspace`.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/step/follower.h"
#include "engine/step/model_folder.h"
#include "tools/rodeo/workspace_reach.h"

namespace rodeo::tools {

class Walker {
 public:
  /// At the start. Throws KernelError: no such output, a start that the kernel refuses.
  Walker(const engine::ModelFolder& model, const std::string& where, const std::string& output);

  /// In one step or, where that does not close, in smaller ones; through poses in which branches meet, as a machine that runs. False if
  /// there is no way.
  bool go(const std::vector<double>& target);

  [[nodiscard]] Place place() const {
    return {{outputs_[x_], outputs_[y_], z_ ? outputs_[*z_] : 0.0}, instance_.calc_margin()};
  }
  [[nodiscard]] bool is_spatial() const { return z_.has_value(); }

  struct Saved {
    std::vector<double> at;
    std::vector<unsigned char> bytes;
  };
  [[nodiscard]] Saved save() const;
  void restore(const Saved& saved);

 private:
  /// How often a step is halved where an iterated block does not close in one.
  static constexpr int kHalvings = 10;
  /// The margin below which one step may lead onto another branch.
  static constexpr double kNearMeeting = 0.1;

  bool go(const std::vector<double>& target, int halvings);
  void find_columns(const engine::ModelFolder& model, const std::string& where, const std::string& output);
  engine::KernelStatus try_step(const std::vector<double>& target);
  void set_values(const std::vector<double>& target);
  bool try_pass();

  engine::Instance instance_;
  engine::Follower follower_;
  std::vector<double> outputs_, values_, at_;
  std::size_t x_ = 0, y_ = 0;
  std::optional<std::size_t> z_;  // in space
};

}  // namespace rodeo::tools
