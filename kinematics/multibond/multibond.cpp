// SPDX-License-Identifier: MIT
// Bodies, points, joints, drives and forces as vector elements.
#include "kinematics/multibond/multibond.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <optional>
#include <set>

#include "kinematics/multibond/vectors.h"
#include "kinematics/spatial/problem.h"

namespace rodeo::multibond {
namespace {

using bondgraph::Domain;
using bondgraph::Element;
using bondgraph::Graph;
using bondgraph::Kind;
using spatial::Machine;
using spatial::PointRef;

constexpr int kSpace = 3;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// A joint's name as the name of a frame: `crank.B-coupler.B` has dots of its own.
std::string frame_name(std::string name) {
  for (char& c : name) {
    if (c == '.' || c == '-' || c == ' ') c = '_';
  }
  return name;
}

class Builder {
 public:
  Builder(const Machine& machine, const spatial::Pose& pose, const std::vector<BodyRates>& rates,
          const Options& options)
      : machine_(machine), pose_(pose), rates_(rates), options_(options) {}

  Graph build() {
    graph_.name = machine_.name;
    graph_.file = machine_.file;
    graph_.where = machine_.where;
    graph_.parameters = machine_.parameters;
    stiffness_ = add_parameter("joint_stiffness", options_.stiffness);
    damping_ = add_parameter("joint_damping", options_.damping);
    for (int b = 1; b < static_cast<int>(machine_.bodies.size()); ++b) add_body(b);
    for (const spatial::Joint& joint : machine_.joints) add_joint(joint);
    for (const spatial::Drive& drive : machine_.drives) add_drive(drive);
    for (const spatial::Force& force : machine_.forces) add_force(force);
    for (const spatial::Output& output : machine_.outputs) add_output(output);
    return std::move(graph_);
  }

 private:
  // ---- small parts

  Expr add_parameter(std::string name, double value) {
    const auto taken = [&](const expr::Parameter& p) { return p.name == name; };
    while (std::any_of(graph_.parameters.begin(), graph_.parameters.end(), taken)) name += '_';
    expr::Parameter parameter;
    parameter.name = name;
    parameter.number = value;
    parameter.value = value;
    graph_.parameters.push_back(parameter);
    return expr::symbol(name);
  }

  int add(const std::string& name, Kind kind, Domain domain, std::vector<Expr> value = {},
          bondgraph::Shape shape = {}) {
    Element element;
    element.name = name;
    element.kind = kind;
    element.domain = domain;
    element.value = std::move(value);
    element.shape = shape;
    element.where = where_;
    return add_element(graph_, std::move(element));
  }
  int add_matrix(const std::string& name, Kind kind, Domain domain, const Matrix& matrix) {
    std::vector<Expr> value;
    for (const auto& row : matrix) value.insert(value.end(), row.begin(), row.end());
    return add(name, kind, domain, std::move(value),
               {static_cast<int>(matrix.size()), static_cast<int>(matrix[0].size())});
  }
  void bond(int tail, int head, int dimension, Domain domain) {
    const int made = add_bond(graph_, tail, head, where_, dimension);
    graph_.bonds[at(made)].domain = domain;
  }
  void add_signal(const std::string& name, Expr value, std::optional<double> start = std::nullopt) {
    bondgraph::Signal signal;
    signal.name = name;
    signal.value = value;
    signal.integrates = start.has_value();
    signal.start = start.value_or(0.0);
    signal.where = where_;
    graph_.signals.push_back(signal);
  }
  void add_start(const std::string& element, const char* quantity, const Eigen::Vector3d& values) {
    for (int k = 0; k < kSpace; ++k)
      graph_.starts.push_back({bondgraph::variable_name(element, quantity, k + 1), values[k], where_});
  }
  [[nodiscard]] static Vec3 vector_of(const std::string& element, const char* quantity) {
    Vec3 result;
    for (int k = 0; k < kSpace; ++k)
      result[at(k)] = expr::variable(bondgraph::variable_name(element, quantity, k + 1));
    return result;
  }
  [[nodiscard]] const std::string& body_name(int b) const { return machine_.bodies[at(b)].name; }

  // ---- bodies

  /// R_WB: nine signals of the body; the identity for the ground.
  [[nodiscard]] Matrix rotation(int b) const {
    Matrix R = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    if (b == 0) return R;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j)
        R[i][j] = expr::variable(fmt::format("{}.R{}{}", body_name(b), i + 1, j + 1));
    }
    return R;
  }
  /// Place of the centre of mass in ground axes.
  [[nodiscard]] Vec3 centre(int b) const {
    return b == 0 ? Vec3{0.0, 0.0, 0.0} : vector_of(body_name(b) + ".m", "displacement");
  }
  /// From the centre of mass (of the ground: its origin), in the body's axes.
  [[nodiscard]] Vec3 arm(PointRef ref) const {
    const spatial::Triple& p = machine_.point(ref).at;
    const spatial::Triple& com = machine_.bodies[at(ref.body)].com;
    if (ref.body == 0) return {p.x.expr, p.y.expr, p.z.expr};
    return {p.x.expr - com.x.expr, p.y.expr - com.y.expr, p.z.expr - com.z.expr};
  }
  [[nodiscard]] Vec3 place(PointRef ref) const { return centre(ref.body) + rotation(ref.body) * arm(ref); }

  void check_body(const spatial::Body& body) const {
    if (body.mass && body.inertia) return;
    throw text::ModelError(
        body.where, fmt::format("body '{}': a body of a bond graph needs a mass and an inertia", body.name));
  }

  void add_body(int b) {
    const spatial::Body& body = machine_.bodies[at(b)];
    where_ = body.where;
    check_body(body);
    const spatial::Inertia& I = *body.inertia;
    const std::string& name = body.name;
    const int w = add(name + ".w", Kind::one, Domain::rotation);
    const int J = add_matrix(name + ".J", Kind::I, Domain::rotation,
                             {{I.xx.expr, I.xy.expr, I.xz.expr},
                              {I.xy.expr, I.yy.expr, I.yz.expr},
                              {I.xz.expr, I.yz.expr, I.zz.expr}});
    bond(w, J, kSpace, Domain::rotation);
    // e = ω × h = −[h×] ω
    const int gyro = add_matrix(name + ".gyro", Kind::GY, Domain::rotation,
                                negative(skew(vector_of(name + ".J", "momentum"))));
    bond(w, gyro, kSpace, Domain::rotation);
    const int v = add(name + ".v", Kind::one, Domain::translation);
    const int m = add(name + ".m", Kind::I, Domain::translation, {body.mass->expr});
    bond(v, m, kSpace, Domain::translation);
    graph_.displacement_of_inertia.push_back(m);
    if (machine_.gravity) {
      const spatial::Triple& g = *machine_.gravity;
      const int weight = add(
          name + ".weight", Kind::Se, Domain::translation,
          {body.mass->expr * g.x.expr, body.mass->expr * g.y.expr, body.mass->expr * g.z.expr}, {kSpace, 0});
      bond(weight, v, kSpace, Domain::translation);
    }
    add_orientation(b);
    start_body(b);
    spins_[b] = w;
    velocities_[b] = v;
  }

  void start_body(int b) {
    const spatial::Body& body = machine_.bodies[at(b)];
    const spatial::BodyPose& pose = pose_.bodies[at(b)];
    add_start(body.name + ".m", "displacement", pose.place(body.com.value()));
    add_start(body.name + ".m", "momentum", body.mass->value * rates_[at(b)].velocity);
    add_start(body.name + ".J", "momentum", body.inertia->value() * rates_[at(b)].spin);
  }

  void add_orientation(int b) {
    const Vec3 w = vector_of(body_name(b) + ".J", "flow");
    const Matrix R =
        machine_.orientation == spatial::Orientation::cardan ? add_cardan(b, w) : add_quaternion(b, w);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j)
        add_signal(fmt::format("{}.R{}{}", body_name(b), i + 1, j + 1), R[i][j]);
    }
  }

  /// q' = ½ q ∘ (0, ω); R is that of q/|q|, so that rounding does not stretch it.
  Matrix add_quaternion(int b, const Vec3& w) {
    const std::string& name = body_name(b);
    const Eigen::Quaterniond& start = pose_.bodies[at(b)].q;
    const auto part = [&](const char* p) { return expr::variable(name + "." + p); };
    const Expr a = part("qw"), x = part("qx"), y = part("qy"), z = part("qz");
    add_signal(name + ".qw", -0.5 * (x * w[0] + y * w[1] + z * w[2]), start.w());
    add_signal(name + ".qx", 0.5 * (a * w[0] + y * w[2] - z * w[1]), start.x());
    add_signal(name + ".qy", 0.5 * (a * w[1] + z * w[0] - x * w[2]), start.y());
    add_signal(name + ".qz", 0.5 * (a * w[2] + x * w[1] - y * w[0]), start.z());
    add_signal(name + ".s", 2.0 / (a * a + x * x + y * y + z * z));
    const Expr s = part("s");
    return {{1.0 - s * (y * y + z * z), s * (x * y - a * z), s * (x * z + a * y)},
            {s * (x * y + a * z), 1.0 - s * (x * x + z * z), s * (y * z - a * x)},
            {s * (x * z - a * y), s * (y * z + a * x), 1.0 - s * (x * x + y * y)}};
  }

  /// R = Rx(a) Ry(b) Rz(c), boudon-2019 figure 3; singular at b = ±90°.
  Matrix add_cardan(int b, const Vec3& w) {
    const std::string& name = body_name(b);
    const Eigen::Vector3d start = spatial::calc_cardan_angles(pose_.bodies[at(b)].q.toRotationMatrix());
    const auto part = [&](const char* p) { return expr::variable(name + "." + p); };
    const Expr ca = expr::cos(part("a")), sa = expr::sin(part("a")), cb = expr::cos(part("b")),
               sb = expr::sin(part("b")), cc = expr::cos(part("c")), sc = expr::sin(part("c"));
    add_signal(name + ".a", (w[0] * cc - w[1] * sc) / cb, start.x());
    add_signal(name + ".b", w[0] * sc + w[1] * cc, start.y());
    add_signal(name + ".c", w[2] - (w[0] * cc - w[1] * sc) * sb / cb, start.z());
    return {{cb * cc, -(cb * sc), sb},
            {ca * sc + sa * sb * cc, ca * cc - sa * sb * sc, -(sa * cb)},
            {sa * sc - ca * sb * cc, sa * cc + ca * sb * sc, ca * cb}};
  }

  // ---- points

  /// The 1-junction of a point's velocity in ground axes: v + R (ω × r), r in the body's axes.
  int add_point(const std::string& name, int b, const Vec3& r) {
    const int point = add(name, Kind::one, Domain::translation);
    if (b == 0) {
      bond(add(name + ".rest", Kind::Sf, Domain::translation, {0.0, 0.0, 0.0}, {kSpace, 0}), point, kSpace,
           Domain::translation);
      return point;
    }
    const int cross_product = add_matrix(name + ".arm", Kind::TF, Domain::unset, negative(skew(r)));
    const int turn = add_matrix(name + ".turn", Kind::TF, Domain::translation, rotation(b));
    const int sum = add(name + ".sum", Kind::zero, Domain::translation);
    bond(spins_.at(b), cross_product, kSpace, Domain::rotation);
    bond(cross_product, turn, kSpace, Domain::translation);
    bond(turn, sum, kSpace, Domain::translation);
    bond(velocities_.at(b), sum, kSpace, Domain::translation);
    bond(sum, point, kSpace, Domain::translation);
    return point;
  }

  int find_point(PointRef ref) {
    const std::string name = machine_.point_name(ref);
    const auto found = points_.find(name);
    if (found != points_.end()) return found->second;
    return points_[name] = add_point(name, ref.body, arm(ref));
  }

  /// The spin of a body in the axes of body `in`.
  int add_spin(const std::string& name, int b, int in) {
    if (b != 0 && b == in) return spins_.at(b);
    const int spin = add(name, Kind::one, Domain::rotation);
    if (b == 0) {
      bond(add(name + ".rest", Kind::Sf, Domain::rotation, {0.0, 0.0, 0.0}, {kSpace, 0}), spin, kSpace,
           Domain::rotation);
      return spin;
    }
    const int turn =
        add_matrix(name + ".turn", Kind::TF, Domain::rotation, transposed(rotation(in)) * rotation(b));
    bond(spins_.at(b), turn, kSpace, Domain::rotation);
    bond(turn, spin, kSpace, Domain::rotation);
    return spin;
  }

  // ---- joints

  /// second − first, a 1-junction.
  int add_difference(const std::string& name, int first, int second, Domain domain) {
    const int rest = add(name + ".between", Kind::zero, domain);
    const int difference = add(name, Kind::one, domain);
    bond(second, rest, kSpace, domain);
    bond(rest, first, kSpace, domain);
    bond(rest, difference, kSpace, domain);
    return difference;
  }

  /// Relative velocity of the second point, seen from the first body: the arm of the first reaches to the second point.
  int add_relative_velocity(const std::string& name, PointRef first, PointRef second,
                            const std::optional<Vec3>& reach) {
    const int p1 =
        reach && first.body != 0 ? add_point(name + ".reach", first.body, *reach) : find_point(first);
    const int ground_axes = add_difference(name + ".v", p1, find_point(second), Domain::translation);
    if (first.body == 0) return ground_axes;
    const int turn =
        add_matrix(name + ".into", Kind::TF, Domain::translation, transposed(rotation(first.body)));
    const int own_axes = add(name + ".u", Kind::one, Domain::translation);
    bond(ground_axes, turn, kSpace, Domain::translation);
    bond(turn, own_axes, kSpace, Domain::translation);
    return own_axes;
  }

  int add_relative_spin(const std::string& name, int first, int second) {
    return add_difference(name + ".w", add_spin(name + ".w1", first, first),
                          add_spin(name + ".w2", second, first), Domain::rotation);
  }

  /// rows · flow of `from`, a 1-junction of as many components.
  int add_rows(const std::string& name, int from, const Matrix& rows, Domain domain) {
    const int selection = add_matrix(name + ".part", Kind::TF, domain, rows);
    const int part = add(name, Kind::one, domain);
    bond(from, selection, kSpace, domain);
    bond(selection, part, static_cast<int>(rows.size()), domain);
    return part;
  }

  /// Springs and dampers, or a multiplier a component.
  void hold(const std::string& name, int part, int dimension, Domain domain) {
    if (options_.hold == Hold::spring) {
      bond(part, add(name + ".C", Kind::K, domain, {stiffness_}), dimension, domain);
      bond(part, add(name + ".R", Kind::R, domain, {damping_}), dimension, domain);
      return;
    }
    for (int k = 0; k < dimension; ++k)
      hold_component(fmt::format("{}.{}", name, k + 1), part, k, dimension, domain);
  }

  void hold_component(const std::string& name, int part, int k, int dimension, Domain domain) {
    const int multiplier = add(name + ".lambda", Kind::Se, domain);
    bondgraph::Constraint constraint;
    constraint.damping = options_.gamma;
    constraint.stiffness = 0.0;
    constraint.position = 0.0;
    graph_.elements[at(multiplier)].constraint = constraint;
    if (dimension == 1) return bond(part, multiplier, 1, domain);
    Matrix row(1, std::vector<Expr>(at(dimension), 0.0));
    row[0][at(k)] = 1.0;
    const int selection = add_matrix(name + ".part", Kind::TF, domain, row);
    bond(part, selection, dimension, domain);
    bond(selection, multiplier, 1, domain);
  }

  void add_functional(const std::string& name, int from, const Matrix& axis,
                      const spatial::FreeElement& element, double start, Domain domain) {
    const bool stiff = element.stiffness.value != 0, damped = element.damping.value != 0;
    if (!stiff && !damped) return;
    const int part = add_rows(name, from, axis, domain);
    if (stiff) {
      bond(part, add(name + ".K", Kind::K, domain, {element.stiffness.expr}), 1, domain);
      graph_.starts.push_back({name + ".K.displacement", start - element.rest.value, where_});
    }
    if (damped) bond(part, add(name + ".B", Kind::R, domain, {element.damping.expr}), 1, domain);
  }

  struct JointParts {
    int velocity = -1, spin = -1;  // relative, in the first body's axes
  };

  /// Where the second point is in the first body's axes. Held points are apart by what their springs give (THEORY V8); multipliers
  /// let them go nowhere.
  [[nodiscard]] std::optional<Vec3> find_reach(const spatial::Joint& joint) const {
    const bool slides =
        joint.kind != spatial::JointKind::revolute && joint.kind != spatial::JointKind::spherical &&
        joint.kind != spatial::JointKind::universal && joint.kind != spatial::JointKind::fixed;
    const int body = joint.first.body;
    if (slides) return transposed(rotation(body)) * (place(joint.second) - centre(body));
    if (options_.hold == Hold::multiplier) return std::nullopt;
    const Eigen::Matrix3d F = spatial::build_joint_frame(joint).F;
    const Vec3 stretch = vector_of(frame_name(joint.name) + ".place.C", "displacement");
    return arm(joint.first) + Matrix{row_of(F.row(0)), row_of(F.row(1)), row_of(F.row(2))} * stretch;
  }

  JointParts& parts_of(const spatial::Joint& joint) {
    const std::string name = frame_name(joint.name);
    JointParts& parts = parts_[name];
    if (parts.spin >= 0) return parts;
    parts.velocity = add_relative_velocity(name, joint.first, joint.second, find_reach(joint));
    parts.spin = add_relative_spin(name, joint.first.body, joint.second.body);
    return parts;
  }

  [[nodiscard]] static std::vector<Expr> row_of(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

  /// Two leans about axes at right angles are carried round by the spin about the third (THEORY V9). `name` is their spring's.
  static void carry_round(const std::string& name, Matrix& rows) {
    const auto entry = [&](std::size_t row, std::size_t k) { return rows[row][k]; };
    const Vec3 free = cross({entry(0, 0), entry(0, 1), entry(0, 2)}, {entry(1, 0), entry(1, 1), entry(1, 2)});
    const Expr first = expr::variable(bondgraph::variable_name(name, "displacement", 1));
    const Expr second = expr::variable(bondgraph::variable_name(name, "displacement", 2));
    for (std::size_t k = 0; k < 3; ++k) {
      rows[0][k] = rows[0][k] - second * free[k];
      rows[1][k] = rows[1][k] + first * free[k];
    }
  }

  /// What a universal joint holds: the spin about a₁ × R₁₂ a₂.
  [[nodiscard]] std::vector<Expr> build_twist(const spatial::Joint& joint) const {
    const Vec3 a = constant(joint.axis_first.value());
    const Vec3 b = transposed(rotation(joint.first.body)) *
                   (rotation(joint.second.body) * constant(joint.axis_second.value()));
    const Vec3 n = cross(a, b);
    return {n[0], n[1], n[2]};
  }

  void add_joint(const spatial::Joint& joint) {
    where_ = joint.where;
    const std::string name = frame_name(joint.name);
    const spatial::JointFrame frame = spatial::build_joint_frame(joint);
    const JointParts parts = parts_of(joint);
    Matrix places, turns;
    for (const spatial::Component& component : spatial::build_components(joint)) {
      const Eigen::Vector3d axis = frame.F.col(component.axis);
      switch (component.kind) {
        case spatial::ComponentKind::place: places.push_back(row_of(axis)); break;
        case spatial::ComponentKind::turn: turns.push_back(row_of(axis)); break;
        case spatial::ComponentKind::twist: turns.push_back(build_twist(joint)); break;
        case spatial::ComponentKind::screw: add_screw(name, parts, joint); break;
      }
    }
    if (turns.size() == 2 && options_.hold == Hold::spring) carry_round(name + ".angle.C", turns);
    if (!places.empty())
      hold(name + ".place", add_rows(name + ".place", parts.velocity, places, Domain::translation),
           static_cast<int>(places.size()), Domain::translation);
    if (!turns.empty())
      hold(name + ".angle", add_rows(name + ".angle", parts.spin, turns, Domain::rotation),
           static_cast<int>(turns.size()), Domain::rotation);
    const Matrix along = {row_of(joint.axis_first.value())};
    const double value = spatial::calc_joint_value(machine_, pose_, joint);
    add_functional(name + ".free_turn", parts.spin, along, joint.turn, value, Domain::rotation);
    add_functional(name + ".free_slide", parts.velocity, along, joint.slide, value, Domain::translation);
  }

  /// Held: the velocity along the axis less pitch/2π times the spin about it.
  void add_screw(const std::string& name, const JointParts& parts, const spatial::Joint& joint) {
    const Matrix along = {row_of(joint.axis_first.value())};
    const int slide = add_rows(name + ".screw_slide", parts.velocity, along, Domain::translation);
    const Eigen::Vector3d lead = -joint.pitch.value / (2 * std::numbers::pi) * joint.axis_first.value();
    const int selection = add_matrix(name + ".lead", Kind::TF, Domain::unset, {row_of(lead)});
    const int sum = add(name + ".screw_sum", Kind::zero, Domain::translation);
    const int held = add(name + ".screw", Kind::one, Domain::translation);
    bond(parts.spin, selection, kSpace, Domain::rotation);
    bond(selection, sum, 1, Domain::translation);
    bond(slide, sum, 1, Domain::translation);
    bond(sum, held, 1, Domain::translation);
    hold(name + ".screw", held, 1, Domain::translation);
  }

  // ---- drives and forces

  /// Unit vector from the first point to the second, in ground axes.
  [[nodiscard]] std::vector<Expr> build_direction(PointRef first, PointRef second) const {
    const Vec3 d = place(second) - place(first);
    const Expr length = expr::sqrt(dot(d, d));
    return {d[0] / length, d[1] / length, d[2] / length};
  }

  /// The rate of the distance of two points, a 1-junction of one component.
  int add_stretch(const std::string& name, PointRef first, PointRef second) {
    const int relative =
        add_difference(name + ".v", find_point(first), find_point(second), Domain::translation);
    return add_rows(name + ".stretch", relative, {build_direction(first, second)}, Domain::translation);
  }

  int add_driven(const spatial::Drive& drive) {
    const std::string name = "drive_" + drive.name;
    if (drive.kind == spatial::DriveKind::cylinder) return add_stretch(name, drive.first, drive.second);
    if (drive.kind == spatial::DriveKind::slide) {
      const spatial::Joint& joint = machine_.joints[at(drive.joint)];
      return add_rows(name + ".slide", parts_of(joint).velocity, {row_of(joint.axis_first.value())},
                      Domain::translation);
    }
    const int spin = add_relative_spin(name, drive.first_body, drive.second_body);
    return add_rows(name + ".angle", spin, {row_of(drive.axis_first.value())}, Domain::rotation);
  }

  /// The rate that comes from outside, and the elements that hold the coordinate to it.
  void add_drive(const spatial::Drive& drive) {
    where_ = drive.where;
    const Domain domain = drive.kind == spatial::DriveKind::angle ? Domain::rotation : Domain::translation;
    const int coordinate = add_driven(drive);
    const int source = add(drive.name, Kind::Sf, domain);
    const int sum = add("drive_" + drive.name + ".between", Kind::zero, domain);
    const int error = add("drive_" + drive.name + ".error", Kind::one, domain);
    bond(source, sum, 1, domain);
    bond(sum, coordinate, 1, domain);
    bond(sum, error, 1, domain);
    hold("drive_" + drive.name, error, 1, domain);
  }

  void add_force(const spatial::Force& force) {
    where_ = force.where;
    const std::string name =
        "force_" + (force.name.empty() ? std::to_string(++unnamed_) : frame_name(force.name));
    switch (force.kind) {
      case spatial::ForceKind::spring:
      case spatial::ForceKind::damper: return add_spring(name, force);
      case spatial::ForceKind::force: {
        const int source =
            add_load(name, Domain::translation, {force.value[0], force.value[1], force.value[2]});
        return bond(source, find_point(force.first), kSpace, Domain::translation);
      }
      case spatial::ForceKind::torque: return add_torque(name, force);
      case spatial::ForceKind::friction: return add_friction(name, force);
      case spatial::ForceKind::stop: return add_stop(name, force);
      case spatial::ForceKind::contact: return add_contact(name, force);
      case spatial::ForceKind::payload: break;
    }
    throw text::ModelError(force.where, "a payload has no place in the bond graph: give the body its mass");
  }

  int add_load(const std::string& name, Domain domain, std::vector<Expr> value) {
    return add(name, Kind::Se, domain, std::move(value), {kSpace, 0});
  }

  void add_spring(const std::string& name, const spatial::Force& force) {
    const int stretch = add_stretch(name, force.first, force.second);
    if (force.stiffness.value != 0) {
      bond(stretch, add(name + ".K", Kind::K, Domain::translation, {force.stiffness.expr}), 1,
           Domain::translation);
      const double length = (spatial::calc_position(machine_, pose_, force.second) -
                             spatial::calc_position(machine_, pose_, force.first))
                                .norm();
      graph_.starts.push_back({name + ".K.displacement", length - force.rest_length.value, where_});
    }
    if (force.damping.value != 0)
      bond(stretch, add(name + ".B", Kind::R, Domain::translation, {force.damping.expr}), 1,
           Domain::translation);
  }

  /// In the axes of `axis_body`, on `body` and, turned round, on `against`.
  void add_torque(const std::string& name, const spatial::Force& force) {
    const int source = add_load(name, Domain::rotation, {force.value[0], force.value[1], force.value[2]});
    const int first = add_spin(name + ".w1", force.against, force.axis_body);
    const int second = add_spin(name + ".w2", force.body, force.axis_body);
    bond(source, add_difference(name + ".w", first, second, Domain::rotation), kSpace, Domain::rotation);
  }

  void add_friction(const std::string& name, const spatial::Force& force) {
    const spatial::Joint& joint = machine_.joints[at(force.joint)];
    const bool slides = joint.kind == spatial::JointKind::prismatic;
    const Domain domain = slides ? Domain::translation : Domain::rotation;
    const JointParts parts = parts_of(joint);
    const int part =
        add_rows(name, slides ? parts.velocity : parts.spin, {row_of(joint.axis_first.value())}, domain);
    bond(part, add(name + ".B", Kind::R, domain, {force.viscous.expr}), 1, domain);
  }

  // ---- stops: THEORY X7

  /// Keeps the integral of a flow of one component.
  Expr keep(int one, const std::string& name, double start) {
    bond(one, add(name, Kind::K, Domain::translation, {0.0}), 1, Domain::translation);
    graph_.starts.push_back({name + ".displacement", start, where_});
    return bondgraph::displacement_of(name);
  }

  /// x beyond its end (below, or above), and k (x − end) + d x' of the same sign: it touches and does not pull.
  [[nodiscard]] static Expr pushes(const spatial::Force& force, bool below, Expr x, Expr rate, Expr end) {
    const auto less = [&](Expr a, Expr b) {
      return below ? expr::operation(expr::Op::less, {a, b}) : expr::operation(expr::Op::less, {b, a});
    };
    if (force.damping.value == 0) return less(x, end);
    const Expr effort = force.stiffness.expr * (x - end) + force.damping.expr * rate;
    return expr::operation(expr::Op::logical_and, {less(x, end), less(effort, 0.0)});
  }

  /// A 0-junction that is joined while the condition holds; behind it an effort and a damper.
  void add_controlled(int one, const std::string& name, Expr condition, Expr spring,
                      const machine::Quantity& damping) {
    const int contact = add(name, Kind::zero, Domain::translation);
    graph_.elements[at(contact)].condition = condition;
    const int inside = add(name + ".v", Kind::one, Domain::translation);
    bond(one, contact, 1, Domain::translation);
    bond(contact, inside, 1, Domain::translation);
    if (!spring.is_number(0))
      bond(add(name + ".spring", Kind::Se, Domain::translation, {-spring}), inside, 1, Domain::translation);
    if (damping.value != 0)
      bond(inside, add(name + ".damper", Kind::R, Domain::translation, {damping.expr}), 1,
           Domain::translation);
  }

  void add_stop(const std::string& name, const spatial::Force& force) {
    const int stretch = add_stretch(name, force.first, force.second);
    const Eigen::Vector3d gap = spatial::calc_position(machine_, pose_, force.second) -
                                spatial::calc_position(machine_, pose_, force.first);
    const Expr length = keep(stretch, name + ".length", gap.norm());
    const auto add_end = [&](const machine::Quantity& end, const char* which, bool below) {
      add_controlled(stretch, name + which,
                     pushes(force, below, length, bondgraph::flow_of(name + ".length"), end.expr),
                     force.stiffness.expr * (length - end.expr), force.damping);
    };
    if (force.lower) add_end(*force.lower, ".short", true);
    if (force.upper) add_end(*force.upper, ".long", false);
  }

  /// Along the normal a spring and a damper, along the ground a damper each way, all while the ground pushes.
  void add_contact(const std::string& name, const spatial::Force& force) {
    const int point = find_point(force.first);
    const Eigen::Vector3d n = force.normal.value();
    const int rise = add_rows(name + ".rise", point, {row_of(n)}, Domain::translation);
    const Expr height =
        keep(rise, name + ".height", n.dot(spatial::calc_position(machine_, pose_, force.first)));
    const Expr condition =
        pushes(force, true, height, bondgraph::flow_of(name + ".height"), force.lower->expr);
    add_controlled(rise, name + ".normal", condition, force.stiffness.expr * (height - force.lower->expr),
                   force.damping);
    if (force.viscous.value == 0) return;
    const Eigen::Vector3d a = n.unitOrthogonal(), b = n.cross(a);
    const auto drag = [&](const char* way, const Eigen::Vector3d& along) {
      const int slip = add_rows(name + way, point, {row_of(along)}, Domain::translation);
      add_controlled(slip, name + way + ".drag", condition, 0.0, force.viscous);
    };
    drag(".along", a);
    drag(".across", b);
  }

  void add_output(const spatial::Output& output) {
    const Vec3 p = place(output.point);
    const char* axes[] = {"x", "y", "z"};
    for (std::size_t k = 0; k < 3; ++k)
      graph_.outputs.push_back({output.name + "." + axes[k], p[k], output.where});
  }

  const Machine& machine_;
  const spatial::Pose& pose_;
  const std::vector<BodyRates>& rates_;
  Options options_;
  Graph graph_;
  Expr stiffness_, damping_;
  text::Where where_;
  std::map<int, int> spins_, velocities_;  // 1-junctions of the bodies
  std::map<std::string, int> points_;      // 1-junctions of the points
  std::map<std::string, JointParts> parts_;
  int unnamed_ = 0;
};

}  // namespace

Graph build_multibond(const Machine& machine, const spatial::Pose& pose, const std::vector<BodyRates>& rates,
                      const Options& options) {
  return Builder(machine, pose, rates, options).build();
}

Graph build_multibond(const Machine& machine, const Options& options) {
  const spatial::Assembly start = spatial::build_start_pose(machine);
  if (!start.assembled) {
    throw text::ModelError(start.where, fmt::format("the start pose does not assemble: {} is {:.3g} m open",
                                                    start.worst, start.residual));
  }
  const dynamics::Problem problem = spatial::build_problem(machine, start, {.released = {"all"}});
  const auto& system = dynamic_cast<const spatial::System&>(problem.system);
  std::vector<BodyRates> rates(machine.bodies.size());
  for (int b = 1; b < static_cast<int>(machine.bodies.size()); ++b)
    rates[at(b)] = {system.calc_spin(problem.v, b), problem.v.segment<3>(6 * (b - 1))};
  return build_multibond(machine, start.pose, rates, options);
}

}  // namespace rodeo::multibond
