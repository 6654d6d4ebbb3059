// SPDX-License-Identifier: MIT
// What the user drew: bodies with points, joints, drives, where it starts. Checked, with every number both as an
// expression of the parameters (for equations) and as a value (for poses). Planar; SI and radians.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "kinematics/expr/expr.h"
#include "kinematics/expr/parse.h"
#include "kinematics/text/fault.h"

namespace rodeo::machine {

using expr::Expr;
using text::Where;

/// A number of the file: how it was written, and what it is.
struct Quantity {
  Expr expr;
  double value = 0.0;
};

/// p_BP: a point in its body's own frame.
struct Point {
  std::string name;
  Quantity x, y;
  Where where;
};

/// How a body looks; nothing moves by it.
struct Look {
  std::string mesh;    // a file, as written: relative to the machine file; empty: drawn from its points
  std::string colour;  // `#rrggbb`; empty: the viewer's choice
};

struct Body {
  std::string name;
  std::vector<Point> points;
  std::optional<Quantity> mass, com_x, com_y, inertia;  // com in the body's frame, inertia about it
  Look look;
  Where where;
};

/// body 0 is the ground.
struct PointRef {
  int body = 0;
  int point = 0;
};

enum class JointKind { revolute, slider, prismatic };

/// slider: the second point stays on a line through the first, fixed in the first body along `direction`.
/// prismatic: the same, and the second body's angle less the first's is held at `angle`.
struct Joint {
  JointKind kind = JointKind::revolute;
  std::string name;  // as given, else `crank.B-coupler.B`
  PointRef first, second;
  Quantity direction_x, direction_y;  // a unit vector in the first body's frame
  Quantity angle;
  Where where;
};

enum class DriveKind { angle, relative_angle, cylinder, slide };

struct Drive {
  DriveKind kind = DriveKind::angle;
  std::string name;
  int first_body = 0;      // relative_angle: measured from it; angle: 0
  int second_body = 0;     // angle: the driven body
  PointRef first, second;  // cylinder, slide
  int joint = -1;          // slide: the slider or prismatic joint whose direction it moves along
  std::optional<Quantity> lower, upper;  // range, or retracted and retracted + stroke
  std::optional<Quantity> speed, acceleration, jerk;
  std::optional<double> radius;  // cylinder, how it looks: of the barrel, m
  std::vector<double> across;    // and where it is across the machine, m: several for a pair
  Where where;
};

enum class ForceKind { spring, damper, torque, force, friction, payload, stop, contact };

/// Everything that pushes, and mass that comes and goes. Values may depend on t and on inputs (input_symbol).
struct Force {
  ForceKind kind = ForceKind::spring;
  std::string name;        // where the file gives one
  PointRef first, second;  // spring, damper, stop: both; force, contact: first
  int body = 0;            // torque, payload
  int against = 0;         // torque: the body that feels the opposite
  int joint = -1;          // friction
  Quantity stiffness, rest_length, damping, viscous;
  std::optional<Quantity> lower, upper;  // stop: of the distance; contact: lower, of the height
  Expr value_x, value_y;                 // force; torque in value_x
  Expr mass, com_x, com_y;               // payload; com in the body's frame
  Where where;
};

/// A force, torque or payload that comes from outside while the machine runs: `dig.x` in N. Starts at 0.
struct ForceInput {
  std::string name;
  std::string unit;
};
[[nodiscard]] Expr input_symbol(const std::string& name);

struct Output {
  std::string name;
  PointRef point;
  Where where;
};

enum class MeasureKind { length, angle };

/// An output that is a number: the distance of two points (m), or the angle of a body, in space of a joint (rad).
struct Measure {
  MeasureKind kind = MeasureKind::length;
  std::string name;
  PointRef first, second;  // length
  int of = 0;              // angle: the body; in space the joint
  int drive = -1;          // of the same name: it imposes this, and the two have one column
  Where where;
};

/// A start value: exact for a drive, a hint for a body's angle.
struct StartValue {
  std::string name;
  double value = 0.0;
  Where where;
};

struct Machine {
  std::string name;
  std::string file;
  std::vector<expr::Parameter> parameters;
  std::vector<Body> bodies;  // bodies[0] is the ground, named "ground"
  std::vector<Joint> joints;
  std::vector<Drive> drives;
  std::vector<Force> forces;
  std::vector<ForceInput> inputs;
  std::optional<Quantity> gravity_x, gravity_y;
  std::vector<std::optional<double>>
      start_angles;  // a body each; ground 0; no value where the file gives none
  std::vector<std::optional<double>> start_drives;  // a drive each
  std::vector<std::optional<double>> start_slides;  // a joint each; sliders and prismatic joints only
  bool is_drawing = false;                          // every frame is that of the ground in the pose drawn
  std::vector<StartValue> start_rates;
  std::vector<Output> outputs;
  std::vector<Measure> measures;
  Where where;  // the file as a whole

  [[nodiscard]] const Point& point(PointRef ref) const { return bodies[ref.body].points[ref.point]; }
  [[nodiscard]] std::string point_name(PointRef ref) const {
    return bodies[ref.body].name + "." + point(ref).name;
  }
};

/// Whether this YAML root is a machine (has bodies or drawing) rather than a bond graph (has elements or junctions).
[[nodiscard]] bool is_machine(const text::Node& root);

/// Reads both formats of the contract; throws ModelError with every fault of the file.
[[nodiscard]] Machine build_machine(const text::Node& root, const std::string& file,
                                    const std::vector<std::string>& overrides = {});
[[nodiscard]] Machine build_machine_from_file(const std::string& path,
                                              const std::vector<std::string>& overrides = {});

}  // namespace rodeo::machine
