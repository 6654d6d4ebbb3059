// SPDX-License-Identifier: MIT
// What moves bodies in space: gravity, springs, dampers, torques, point forces, friction, the elements in joints' free
// coordinates, stops and contacts, and the gyroscopic moment −w × (I w); and the energy they store, bring and take. THEORY S8, S14.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "kinematics/dynamics/load_program.h"
#include "kinematics/dynamics/system.h"
#include "kinematics/spatial/joint.h"

namespace rodeo::spatial {

using dynamics::Power;

/// Data about the centres of mass. Not to be shared between threads: expressions of time run in a workspace of their own.
class Forces {
 public:
  /// `mass`: the diagonal of M, six a body.
  Forces(const Machine& machine, const BodyFrames& frames, Vector mass);
  ~Forces();
  Forces(Forces&&) noexcept;
  Forces& operator=(Forces&&) noexcept;

  /// Without it every input is 0.
  void set_inputs(dynamics::ForceInputs inputs) { outside_ = std::move(inputs); }
  /// Sets f, six a body: force in ground axes, moment in the body's.
  Power calc(double t, const BodyStates& bodies, Vector& f);
  [[nodiscard]] double calc_potential(const BodyStates& bodies) const;
  /// Neither gravity nor any force.
  [[nodiscard]] bool empty() const noexcept;

 private:
  struct Spring {
    RowData ends;
    double stiffness, rest_length, damping;
  };
  /// Of a joint's free coordinate; `spins`: of the whole relative spin, damping only.
  struct Element {
    RowData coordinate;
    bool spins;
    double stiffness, rest, damping;
  };
  /// Of the distance between two points.
  struct Stop {
    RowData ends;
    double stiffness, damping;
    std::optional<double> lower, upper;
  };
  /// Of a point with the ground: the plane n·p = height.
  struct Contact {
    int body;
    Vector3 p, normal;
    double stiffness, damping, viscous, height;
  };
  struct Load {
    int body, against, axis_body;
    bool is_torque;
    Vector3 p;
    Matrix3 R;  // from the axes of `axis_body` to its frame of motion
  };

  void add_element(const Machine& machine, const Joint& joint, const BodyFrames& frames, double viscous);
  void add_elements(const Machine& machine, const BodyFrames& frames);
  void add_force(const Machine& machine, const Force& force, const BodyFrames& frames,
                 std::vector<expr::Expr>& roots);
  void apply_springs(const BodyStates& bodies, Vector& f, Power& power) const;
  void apply_elements(const BodyStates& bodies, Vector& f, Power& power) const;
  void apply_stops(const BodyStates& bodies, Vector& f, Power& power) const;
  void apply_contacts(const BodyStates& bodies, Vector& f, Power& power) const;
  [[nodiscard]] double calc_stop_potential(const BodyStates& bodies) const;
  void apply_loads(double t, const BodyStates& bodies, Vector& f, Power& power);

  Vector3 gravity_ = Vector3::Zero();
  Vector mass_;
  std::vector<Spring> springs_;
  std::vector<Element> elements_;
  std::vector<Stop> stops_;
  std::vector<Contact> contacts_;
  std::vector<Load> loads_;
  std::unique_ptr<dynamics::LoadProgram> program_;  // three results a load
  std::size_t input_count_ = 0;
  dynamics::ForceInputs outside_;
};

}  // namespace rodeo::spatial
