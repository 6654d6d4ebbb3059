// SPDX-License-Identifier: MIT
// Inside kinematics/machine: bodies and pins of a machine as rods. THEORY R1-R3.
//   body B    w (angle), vx and vy of its centre G                                      R1
//   point P   v_P = v_G + w ẑ × p_GP: a 0-junction a component, centre -> 0 -> pin, and a transformer w -> 0 with
//             modulus ∂v_P/∂w                                                           R2
//   pin       one 1-junction a component for all points that share it; on the ground its flow is 0   R3
#pragma once
#include <map>
#include <set>
#include <string>

#include "kinematics/machine/pins.h"
#include "kinematics/machine/rods_graph.h"
#include "kinematics/machine/rods_points.h"

namespace rodeo::machine {

/// Whether a constraint row of a joint is to be left out.
[[nodiscard]] bool is_redundant(const RodOptions& options, int joint, int component);

/// 1-junctions of a body, and where it is.
struct RodBody {
  int w = -1;
  int v[2] = {-1, -1};
  Expr angle;
  RodCentre centre;
};

class RodBodies {
 public:
  /// Adds all bodies, then all points that the graph needs. All must outlive this.
  RodBodies(const Machine& machine, const RodOptions& options, RodGraph& graph);

  /// Not of the ground.
  [[nodiscard]] const RodBody& of(int body) const { return bodies_.at(body); }
  /// The 1-junction of a point's velocity along x (0) or y (1).
  [[nodiscard]] int pin(PointRef ref, int component);
  /// The velocity of a point p of a body's frame, one component, into the 1-junction `velocity`.
  void add_component(const RodBody& body, const Expr2& p, int component, const std::string& point,
                     int velocity, const Where& where);

 private:
  void add_body(int b, const RodPoints& points);
  void add_inertias(const Body& body, const RodBody& nodes);
  void add_inertia(const std::string& name, const std::string& symbol, int junction, Expr value,
                   const Where& where, bondgraph::Domain domain);
  void add_weight(const std::string& name, int junction, Expr value, const Where& where);

  void join_pins();
  [[nodiscard]] std::string pin_name(PointRef ref);
  void add_point(PointRef ref);
  void add_ground_point(PointRef ref);

  const Machine& machine_;
  const RodOptions& options_;
  RodGraph& graph_;
  std::map<int, RodBody> bodies_;
  Pins pins_[2];                     // a component each: redundant rows join in one only
  std::set<int> pinned_[2];          // pins that a joint is at
  std::map<int, int> pin_nodes_[2];  // 1-junctions of pins
  std::map<int, std::string> pin_of_group_;
  std::set<std::string> pin_names_;
  std::map<std::string, int> pin_counts_;
};

}  // namespace rodeo::machine
