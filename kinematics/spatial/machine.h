// SPDX-License-Identifier: MIT
// A machine in space as the user wrote it: bodies with points and axes, joints, drives, forces, where it starts. Checked, with
// every number both as an expression of the parameters and as a value. SI and radians. THEORY S1-S3.
//
// A file is spatial if it says `space: 3` or has a point of three coordinates. A point of two coordinates has z = 0 and an
// axis that is not given is [0, 0, 1], so that a planar file with `space: 3` is its own lift.
#pragma once
#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "kinematics/expr/expr.h"
#include "kinematics/expr/parse.h"
#include "kinematics/machine/machine.h"
#include "kinematics/text/fault.h"

namespace rodeo::spatial {

using expr::Expr;
using machine::ForceInput;
using machine::Look;
using machine::Measure;
using machine::MeasureKind;
using machine::PointRef;
using machine::Quantity;
using text::Where;
using Vector3 = Eigen::Vector3d;

struct Triple {
  Quantity x, y, z;
  [[nodiscard]] Vector3 value() const { return {x.value, y.value, z.value}; }
};

/// p_BP: a point in its body's own frame.
struct Point {
  std::string name;
  Triple at;
  Where where;
};

/// A direction fixed in a body, of length 1.
struct Axis {
  std::string name;
  Triple direction;
  Where where;
};

/// About the centre of mass, in the body's axes: the matrix [xx xy xz; xy yy yz; xz yz zz].
struct Inertia {
  Quantity xx, yy, zz, xy, xz, yz;
  [[nodiscard]] Eigen::Matrix3d value() const;
};

struct Body {
  std::string name;
  std::vector<Point> points;
  std::vector<Axis> axes;
  std::optional<Quantity> mass;
  Triple com;  // in the body's frame
  std::optional<Inertia> inertia;
  Look look;
  Where where;
};

/// Between the first and the second body, the axis being `axis_first` in the one and `axis_second` in the other:
///   revolute        points together, axes along each other               keeps the angle about the axis
///   prismatic       second point on the line through the first, no turn  keeps the distance along the axis
///   cylindrical     second point on that line, axes along each other     keeps both
///   screw           cylindrical, the distance being pitch/2π times the angle
///   spherical       points together
///   universal       points together, axis_second across axis_first
///   planar          second point in the plane through the first across the axis, axes along each other
///   point_on_plane  second point in that plane
///   point_on_line   second point on the line; `slider` of a planar file
///   fixed           points together, no turn
enum class JointKind {
  revolute,
  prismatic,
  cylindrical,
  screw,
  spherical,
  universal,
  planar,
  point_on_plane,
  point_on_line,
  fixed,
};
[[nodiscard]] const char* kind_text(JointKind kind);
/// Whether the joint leaves an angle about its axis, a distance along it.
[[nodiscard]] bool has_turn(JointKind kind);
[[nodiscard]] bool has_slide(JointKind kind);

/// A spring and a damper in a free coordinate of a joint: its functional C and R elements.
struct FreeElement {
  Quantity stiffness, damping;
  Quantity rest;  // where the spring is at rest, rad or m
};

struct Joint {
  JointKind kind = JointKind::revolute;
  std::string name;  // as given, else `crank.B-coupler.B`
  PointRef first, second;
  Triple axis_first, axis_second;  // unit vectors in the frames of the first and the second body
  Quantity angle;           // prismatic, fixed: the second body is turned by it, about z of the first body
  Quantity pitch;           // screw: metres a turn
  FreeElement turn, slide;  // of the angle and of the distance, where the joint has them
  Where where;
};

enum class DriveKind { angle, cylinder, slide };

/// angle: of the second body against the first about an axis (a joint's, where one turns the one against the other), counted by
/// the part of the turn that is about this axis. cylinder: distance of two points. slide: distance along a joint's axis.
struct Drive {
  DriveKind kind = DriveKind::angle;
  std::string name;
  int first_body = 0, second_body = 0;
  Triple axis_first, axis_second;  // angle
  PointRef first, second;          // cylinder, slide
  int joint = -1;                  // slide; angle where it is a joint's
  std::optional<Quantity> lower, upper, speed, acceleration, jerk;
  std::optional<double> radius;  // cylinder, how it looks
  std::vector<double> across;
  Where where;
};

enum class ForceKind { spring, damper, torque, force, friction, payload, stop, contact };

/// Values may depend on t and on inputs (machine::input_symbol).
struct Force {
  ForceKind kind = ForceKind::spring;
  std::string name;
  PointRef first, second;  // spring, damper, stop: both; force, contact: first
  int body = 0;            // torque, payload
  int against = 0;         // torque: the body that feels the opposite
  int axis_body = 0;       // torque: `value` is in this body's axes
  int joint = -1;          // friction
  Quantity stiffness, rest_length, damping, viscous;
  std::optional<Quantity> lower, upper;  // stop: of the distance; contact: lower, of the height
  Triple normal;                         // contact: of the ground, of length 1, in ground axes
  std::array<Expr, 3> value;             // force: in ground axes; torque
  Expr mass;                             // payload
  std::array<Expr, 3> com;               // payload, in the body's frame
  Where where;
};

struct Output {
  std::string name;
  PointRef point;
  Where where;
};

/// What `start` says of a body: XYZ Cardan angles, R = Rx(a) Ry(b) Rz(c) from the body's axes to the ground's, and where its
/// frame's origin is. Hints: they pick the branch, and close what nothing else does.
struct StartBody {
  std::optional<Vector3> angles, origin;
};

/// A start rate: of a drive or a joint (value.x), of a body's spin in its own axes, or of its origin's velocity in ground axes.
enum class RateKind { drive, joint, spin, velocity };
struct StartRate {
  RateKind kind = RateKind::drive;
  int index = 0;                               // of the drive, joint or body
  std::array<std::optional<double>, 3> value;  // no value: left open
  std::string name;
  Where where;
};

/// How a body's orientation is carried: unit quaternions, or XYZ Cardan angles, which fail at b = ±90°.
enum class Orientation { quaternion, cardan };

struct Machine {
  std::string name;
  std::string file;
  std::vector<expr::Parameter> parameters;
  std::vector<Body> bodies;  // bodies[0] is the ground
  std::vector<Joint> joints;
  std::vector<Drive> drives;
  std::vector<Force> forces;
  std::vector<ForceInput> inputs;
  std::optional<Triple> gravity;
  Orientation orientation = Orientation::quaternion;
  std::vector<StartBody> start_bodies;              // a body each
  std::vector<std::optional<double>> start_drives;  // a drive each: exact
  std::vector<std::optional<double>>
      start_joints;  // a joint each: a hint for its angle, or distance if it has none
  std::vector<StartRate> start_rates;
  std::vector<Output> outputs;
  std::vector<Measure> measures;
  Where where;         // the file as a whole
  Where drives_where;  // the key `drives`, or the file's first line without one

  [[nodiscard]] const Point& point(PointRef ref) const { return bodies[ref.body].points[ref.point]; }
  [[nodiscard]] std::string point_name(PointRef ref) const {
    return bodies[ref.body].name + "." + point(ref).name;
  }
};

/// Whether a machine file (machine::is_machine) is one in space.
[[nodiscard]] bool is_spatial(const text::Node& root);

/// Throws ModelError with every fault of the file.
[[nodiscard]] Machine build_machine(const text::Node& root, const std::string& file,
                                    const std::vector<std::string>& overrides = {});
[[nodiscard]] Machine build_machine_from_file(const std::string& path,
                                              const std::vector<std::string>& overrides = {});

}  // namespace rodeo::spatial
