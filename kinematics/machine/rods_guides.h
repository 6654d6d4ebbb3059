// SPDX-License-Identifier: MIT
// Inside kinematics/machine: sliders and prismatic joints of a machine of rods. THEORY R4, R5.
//   slider    n·v_b = 0 on the ground, n across the guide; on a moving guide v_b = v_a + s' u + s w_a n   R4
//   prismatic the same, and w_b = w_a                                                                     R5
#pragma once
#include <map>
#include <string>

#include "kinematics/machine/rods_bodies.h"

namespace rodeo::machine {

class RodGuides {
 public:
  /// Adds all guides. All must outlive this.
  RodGuides(const Machine& machine, const RodOptions& options, RodGraph& graph, RodBodies& bodies);

  /// The 1-junction of a guide's sliding velocity s', made where there is none.
  [[nodiscard]] int slide(int joint);
  /// Guides whose position is a state, by joint, and its name.
  [[nodiscard]] const std::map<int, std::string>& kept() const { return kept_; }

 private:
  void add_guide(int j);
  [[nodiscard]] const Drive* find_drive(int joint) const;
  int add_slide_state(int j, const std::string& name);
  void add_slide(int j, const std::string& name);
  void add_slide_component(const Joint& joint, const std::string& name, int c, int velocity, Expr along,
                           Expr across);
  void add_slide_alone(int j, const std::string& name);
  void add_across(const Joint& joint);
  void hold_angle(const Joint& joint);
  void feed_along(int zero, const Joint& joint, const Expr2& d, const std::string& name);
  [[nodiscard]] Expr2 direction_of(const Joint& joint) const;
  [[nodiscard]] std::string note_of(const Joint& joint) const;
  [[nodiscard]] const Joint& joint(int j) const { return machine_.joints[static_cast<std::size_t>(j)]; }

  const Machine& machine_;
  const RodOptions& options_;
  RodGraph& graph_;
  RodBodies& bodies_;
  std::map<int, int> slides_;  // by joint
  std::map<int, std::string> kept_;
};

}  // namespace rodeo::machine
