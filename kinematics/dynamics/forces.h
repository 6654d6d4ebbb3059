// SPDX-License-Identifier: MIT
// What moves the bodies: gravity, springs, dampers, torques, point forces, viscous friction; and the energy they
// store, bring and take. THEORY D3.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kinematics/dynamics/load_program.h"
#include "kinematics/dynamics/system.h"
#include "kinematics/machine/machine.h"

namespace rodeo::dynamics {

/// The forces of one machine, as data about the centres of mass. Not to be shared between threads: expressions of time
/// are run in a workspace of their own.
class Forces {
 public:
  Forces(const machine::Machine& machine, std::vector<double> masses, const std::vector<Point2>& centres);
  ~Forces();
  Forces(Forces&&) noexcept;
  Forces& operator=(Forces&&) noexcept;

  /// Without it every input is 0.
  void set_inputs(ForceInputs inputs) { outside_ = std::move(inputs); }
  /// Sets f, three a body.
  Power calc(double t, const BodyStates& bodies, Vector& f);
  [[nodiscard]] double calc_potential(const BodyStates& bodies) const;
  /// Neither gravity nor any force.
  [[nodiscard]] bool empty() const noexcept;

 private:
  struct Spring {
    int first, second;
    Point2 p1, p2;
    double stiffness, rest_length, damping;
  };
  struct Friction {
    int first, second;
    bool turns;  // a pin; else along u of the first body
    Point2 p1, p2, u;
    double viscous;
  };
  struct Load {  // a torque, or a force at p; its value is in the results of the program
    int body, against;
    bool is_torque;
    Point2 p;
  };
  struct Stop {  // of the distance between two points
    int first, second;
    Point2 p1, p2;
    double stiffness, damping;
    std::optional<double> lower, upper;
  };
  struct Contact {  // of a point with the ground at a height
    int body;
    Point2 p;
    double stiffness, damping, viscous, height;
  };

  void add_stops(const BodyStates& bodies, Vector& f, Power& power) const;
  void add_contacts(const BodyStates& bodies, Vector& f, Power& power) const;
  void add_springs(const BodyStates& bodies, Vector& f, Power& power) const;
  void add_frictions(const BodyStates& bodies, Vector& f, Power& power) const;
  void add_loads(double t, const BodyStates& bodies, Vector& f, Power& power);

  Point2 gravity_ = Point2::Zero();
  std::vector<double> masses_;
  std::vector<Spring> springs_;
  std::vector<Friction> frictions_;
  std::vector<Load> loads_;
  std::vector<Stop> stops_;
  std::vector<Contact> contacts_;
  std::unique_ptr<LoadProgram> program_;  // two results a load
  std::size_t input_count_ = 0;
  ForceInputs outside_;
};

}  // namespace rodeo::dynamics
