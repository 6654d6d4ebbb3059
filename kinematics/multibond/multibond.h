// SPDX-License-Identifier: MIT
// The multibond graph of a machine in space, after Tiernego and Bos (boudon-2019, figures 2 and 4). THEORY V6-V9.
//   body B     1-junction B.w: spin in the body's axes, with the inertia B.J and the gyrator B.gyro (e = ω × h);
//              1-junction B.v: velocity of the centre of mass in ground axes, with the mass B.m and its weight;
//              orientation as integrals of the spin: B.qw ... B.qz, or the Cardan angles B.a, B.b, B.c.
//   point P    B.P: velocity in ground axes, v + R (ω × r): a cross product (B.P.arm) and a rotation (B.P.turn).
//   joint      relative velocity of its points and relative spin in the first body's axes, then in those of the joint; what the
//              joint holds has a spring and a damper (parasitic elements, `stiffness` and `damping` of the graph's parameters) or a
//              multiplier, what it leaves free has functional elements or none.
//   stop       and contact: controlled junctions, the conditions of which are of a length or a height that a K of value 0 keeps. THEORY S14.
//   drive      an input, the rate of its coordinate, which holds by the same elements.
#pragma once
#include "kinematics/bondgraph/graph.h"
#include "kinematics/spatial/pose.h"

namespace rodeo::multibond {

/// What keeps a joint together.
enum class Hold { spring, multiplier };

struct Options {
  Hold hold = Hold::spring;
  double stiffness = 1e7;  // N/m; N m/rad for rotations
  double damping = 200.0;  // N s/m; N m s/rad
  double gamma = 20.0;     // 1/s, of multipliers
};

/// Of a body at the start: spin in its own axes, velocity of its centre of mass in ground axes.
struct BodyRates {
  spatial::Vector3 spin = spatial::Vector3::Zero(), velocity = spatial::Vector3::Zero();
};

/// `rates`: a body each, ground first. Throws ModelError for what has no place in the graph: a body without mass, a payload.
[[nodiscard]] bondgraph::Graph build_multibond(const spatial::Machine& machine, const spatial::Pose& pose,
                                               const std::vector<BodyRates>& rates,
                                               const Options& options = {});

/// At the machine's own start: its start pose, and its start rates as nearly as the joints allow, drives let go.
[[nodiscard]] bondgraph::Graph build_multibond(const spatial::Machine& machine, const Options& options = {});

}  // namespace rodeo::multibond
