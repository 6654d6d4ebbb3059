// SPDX-License-Identifier: MIT
// A machine made ready to move by its forces: checked, drives let go or held, redundant rows found and named, and a
// start that satisfies every constraint in position and velocity. THEORY D5.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "kinematics/dynamics/planar_system.h"
#include "kinematics/dynamics/saddle.h"

namespace rodeo::dynamics {

/// A start rate that the constraints did not allow.
struct RateChange {
  std::string name;
  double asked = 0.0, got = 0.0;
};

struct Problem {
  Problem(std::unique_ptr<System> independent, std::unique_ptr<System> all)
      : owned(std::move(independent)),
        owned_all(std::move(all)),
        system(*owned),
        redundant_system(*owned_all) {}

  std::unique_ptr<System> owned, owned_all;
  System& system;                      // redundant rows left out
  System& redundant_system;            // all rows
  Vector q, v;                         // the start, consistent
  int mobility = 0;                    // degrees of freedom that move
  std::vector<std::string> redundant;  // rows, by name
  std::vector<std::string> held;       // drives
  std::vector<RateChange> changes;
  std::vector<std::pair<std::string, double>>
      rates;           // at the start, asked for or not; none without start.rates
  double moved = 0.0;  // the largest move that closed the start pose, m
};

struct ProblemOptions {
  std::vector<std::string> released;  // names of drives that do not hold; `all` for every one
};

/// Throws ModelError with all that keeps the machine from moving by its forces.
[[nodiscard]] Problem build_problem(const machine::Machine& machine, const machine::Assembly& start,
                                    const ProblemOptions& options = {});

/// A start rate that is asked for, as a row of v.
struct WantedRate {
  std::string name;
  double value = 0.0;
  RowTerms row;
  double unit = 1.0;  // 1 for angles, the machine's size for lengths
};
/// Of all velocities that the rows allow, the one that comes nearest to the rates asked for, and moves as little else as can be:
/// machine::calc_start_speeds. Notes those that it could not have. `others`: what else has a rate.
[[nodiscard]] Vector calc_start_velocity(Problem& problem, std::vector<WantedRate> rates,
                                         const std::vector<WantedRate>& others);
/// The start's velocity, from the rates that the machine asks for.
void set_start_velocity(Problem& problem, const machine::Machine& machine, const machine::Assembly& start);
/// Closes the start pose, and notes how far it had to move.
void close_start(Problem& problem);
/// A fault for every body without inertia that may turn about itself freely: nothing resists it.
void check_inertia(Problem& problem, text::Faults& faults);
/// Faults for drives to be released that are none.
void check_released(const std::vector<std::string>& drives, const text::Where& where,
                    const ProblemOptions& options, text::Faults& faults);
[[nodiscard]] bool is_released(const ProblemOptions& options, const std::string& drive);
/// Whether anything is left to move, and anything that moves it.
void check_motion(const Problem& problem, const text::Where& where, int all_mobility, bool is_still,
                  const char* gravity, text::Faults& faults);

/// What comes from outside, for every method; a payload that is an input weighs nothing even so (build_loaded).
void set_inputs(Problem& problem, const ForceInputs& inputs);

/// A fault if nothing would ever move: no gravity, no force, no start rate.
void check_forces(const machine::Machine& machine, text::Faults& faults);
/// A fault for every body without inertia that the joints let turn about its centre of mass. All bodies have masses.
void check_point_masses(const machine::Machine& machine, const machine::Assembly& start,
                        text::Faults& faults);

/// The nearest q (in the norm of the masses) that closes all rows; false if there is none near.
bool close_position(const System& system, Saddle& saddle, Vector& q, Workspace& work);
/// The nearest v with J v = 0. `work` holds the rows at q.
void close_velocity(Saddle& saddle, const Workspace& work, Vector& v);

}  // namespace rodeo::dynamics
