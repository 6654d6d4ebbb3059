// SPDX-License-Identifier: MIT
// What a kernel computes, before it is written: routines of expressions over the symbols of its inputs.
//   p:<parameter symbol itself>   q:<drive> v:<drive> a:<drive>   position, rate, acceleration of a drive
//   x:<state>                     a state, as stored or as given
//   s:<number>                    a branch, +1 or -1
//   o:<output>  t  u:<input>      what loads are made of: an output of a step, the time, an input of the machine
#pragma once
#include <string>
#include <vector>

#include "kinematics/codegen/positions.h"
#include "kinematics/machine/coordinates.h"
#include "kinematics/machine/rods.h"
#include "kinematics/reduction/blocks.h"

namespace rodeo::codegen {

struct Channel {
  std::string name;
  std::string unit;
};

/// A linear system solved at run time with pivoting: more unknowns than are worth writing out.
struct RunTimeSolve {
  std::vector<std::vector<Expr>> matrix;
  std::vector<Expr> right;
  std::vector<Expr> unknowns;  // symbols that later expressions use
};

/// Straight-line code: iterated blocks and run-time solves in their order, everything else by need.
struct Routine {
  std::vector<IteratedBlock> iterated;
  std::vector<RunTimeSolve> solves;
  std::vector<Margin> margins;
  std::vector<Expr> results;
};

struct DriveChannel {
  Channel channel;
  double start = 0.0;
  std::optional<double> lower, upper, speed, acceleration, jerk;
};

struct BlockReport {
  std::size_t unknowns = 0;
  std::string method;  // `explicit`, `Cramer`, `factorisation at run time`
};

/// A constraint that is kept by a multiplier: its two bodies, 0 the ground. THEORY L8.
struct MultiplierRow {
  int first = 0, second = 0;
  bool is_angle = false;  // radians, not metres
};

struct KernelModel {
  std::string name;
  std::vector<expr::Parameter> parameters;
  std::vector<DriveChannel> drives;  // those that nobody drives, which move by forces, come last:
  std::size_t free_count = 0;
  std::vector<double> free_rates;  // at the start
  std::size_t measured_count = 0;  // results of the step behind the outputs: 3 a coordinate of every chart
  std::vector<Channel> states;
  std::vector<double> start_states;
  std::vector<double> start_branches;  // +1 or -1 each
  std::vector<Channel> outputs;
  Routine step;                 // results: states, then outputs
  Routine derivatives;          // of the states at x: and v:
  Routine closure;              // residuals of the loops at x:, metres
  Routine poses;                // outputs at x:, v:, a:
  Routine branches;             // at x:, of the same signs as the branches
  std::vector<Channel> inputs;  // of the loads; the time first
  std::vector<Channel> loads;   // none where nothing weighs or pushes
  Routine loading;              // loads at o:, t, u:
  std::vector<BlockReport> load_blocks;
  Routine accelerations;  // of the free ones, at q:, v:, a: of the drives, t, u:
  std::vector<std::string> position_steps;
  std::vector<BlockReport> velocity_blocks;
  std::vector<std::string> notes;  // what a user should know of the start
  bool is_lagrange = false;        // all coordinates are free, kept together by multipliers; THEORY L8
  std::vector<MultiplierRow>
      rows;           // in the order of its factor; `accelerations` are then rows, forces, masses
  double size = 1.0;  // of the machine, m
  /// Further choices of the free coordinates, with the same channels. THEORY L7.
  std::vector<KernelModel> charts;
};

/// What the charts of one kernel agree on.
struct SharedChannels {
  std::vector<Channel> states;           // those of all charts
  std::vector<machine::Drive> measured;  // coordinates of all charts
};

/// A machine with fewer drives than degrees of freedom needs masses: the rest moves by its forces, in the coordinates
/// given. `start` picks the branches. Nothing shared: it is the only chart.
[[nodiscard]] KernelModel build_chart_model(const machine::Machine& machine, const machine::Assembly& start,
                                            const machine::Mobility& mobility,
                                            const machine::FreeCoordinates& free,
                                            const SharedChannels& shared = {});

[[nodiscard]] Expr drive_rate(const machine::Drive& drive);
[[nodiscard]] Expr drive_acceleration(const machine::Drive& drive);
[[nodiscard]] Expr state_symbol(const std::string& name);

/// angle + 2πk nearest to a given one: a call that the writer knows.
[[nodiscard]] Expr unwrapped(Expr angle, Expr near);

}  // namespace rodeo::codegen
