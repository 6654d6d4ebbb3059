// SPDX-License-Identifier: MIT
// Inside kinematics/multibond: bodies and points of a machine in space as vector elements. THEORY V6, V7.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "kinematics/multibond/multibond.h"
#include "kinematics/multibond/vectors.h"

namespace rodeo::multibond {

using bondgraph::Domain;
using bondgraph::Element;
using bondgraph::Graph;
using bondgraph::Kind;
using spatial::Machine;
using spatial::PointRef;

inline constexpr int kSpace = 3;

inline std::size_t at(int index) { return static_cast<std::size_t>(index); }

class BodyBuilder {
 protected:
  BodyBuilder(const Machine& machine, const spatial::Pose& pose, const std::vector<BodyRates>& rates)
      : machine_(machine), pose_(pose), rates_(rates) {
    graph_.name = machine.name;
    graph_.file = machine.file;
    graph_.where = machine.where;
    graph_.parameters = machine.parameters;
    for (int b = 1; b < static_cast<int>(machine.bodies.size()); ++b) add_body(b);
  }

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

  // ---- what moves relative to what

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

  [[nodiscard]] static std::vector<Expr> row_of(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

  const Machine& machine_;
  const spatial::Pose& pose_;
  const std::vector<BodyRates>& rates_;
  Graph graph_;
  text::Where where_;
  std::map<int, int> spins_, velocities_;  // 1-junctions of the bodies
  std::map<std::string, int> points_;      // 1-junctions of the points
};

}  // namespace rodeo::multibond
