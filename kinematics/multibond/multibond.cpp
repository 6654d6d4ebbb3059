// SPDX-License-Identifier: MIT
// Drives and forces as vector elements, on the bodies and joints of the machine.
#include "kinematics/multibond/multibond.h"

#include "kinematics/bondgraph/stops.h"
#include "kinematics/multibond/joints.h"
#include "kinematics/spatial/problem.h"

namespace rodeo::multibond {
namespace {

class Builder : private JointBuilder {
 public:
  Builder(const Machine& machine, const spatial::Pose& pose, const std::vector<BodyRates>& rates,
          const Options& options)
      : JointBuilder(machine, pose, rates, options) {}

  Graph build() {
    for (const spatial::Drive& drive : machine_.drives) add_drive(drive);
    for (const spatial::Force& force : machine_.forces) add_force(force);
    for (const spatial::Output& output : machine_.outputs) add_output(output);
    end_open_junctions();
    return std::move(graph_);
  }

 private:
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
      return add_rows(name + ".slide", velocity_of(joint), {row_of(joint.axis_first.value())},
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
      case spatial::ForceKind::force:
        return add_load(name, Domain::translation, force.value, find_point(force.first));
      case spatial::ForceKind::torque: return add_torque(name, force);
      case spatial::ForceKind::friction: return add_friction(name, force);
      case spatial::ForceKind::stop: return add_stop(name, force);
      case spatial::ForceKind::contact: return add_contact(name, force);
      case spatial::ForceKind::payload: break;
    }
    throw text::ModelError(force.where, "a payload has no place in the bond graph: give the body its mass");
  }

  /// Loads are linear in what comes from outside: the load at inputs of 0, and what a unit of one of them adds.
  [[nodiscard]] Vec3 build_load(const Vec3& value, const std::string& unit_of) const {
    Vec3 load;
    for (std::size_t k = 0; k < 3; ++k) {
      load[k] = expr::substitute(value[k], [&](Expr symbol) {
        for (const machine::ForceInput& input : machine_.inputs) {
          if (symbol == machine::input_symbol(input.name)) return Expr(input.name == unit_of ? 1.0 : 0.0);
        }
        return symbol;
      });
    }
    return load;
  }
  [[nodiscard]] static bool is_zero(const Vec3& v) {
    return std::all_of(v.begin(), v.end(), [](Expr x) { return x.is_number(0); });
  }

  /// A vector of expressions of time, and a source of one component for every input: an input of the graph, by its name.
  void add_load(const std::string& name, Domain domain, const Vec3& value, int on) {
    const Vec3 known = build_load(value, "");
    bool has_input = false;
    for (const machine::ForceInput& input : machine_.inputs) {
      const Vec3 share = build_load(value, input.name) - known;
      if (is_zero(share)) continue;
      has_input = true;
      const int part =
          add_rows(frame_name(input.name) + ".rate", on, {{share[0], share[1], share[2]}}, domain);
      bond(add(input.name, Kind::Se, domain), part, 1, domain);
    }
    if (has_input && is_zero(known)) return;
    bond(add(name, Kind::Se, domain, {known[0], known[1], known[2]}, {kSpace, 0}), on, kSpace, domain);
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
    const int first = add_spin(name + ".w1", force.against, force.axis_body);
    const int second = add_spin(name + ".w2", force.body, force.axis_body);
    add_load(name, Domain::rotation, force.value,
             add_difference(name + ".w", first, second, Domain::rotation));
  }

  void add_friction(const std::string& name, const spatial::Force& force) {
    const spatial::Joint& joint = machine_.joints[at(force.joint)];
    add_functional(name, joint, {.stiffness = {}, .damping = force.viscous, .rest = {}}, find_free(joint));
  }

  // ---- stops: THEORY X7

  /// Keeps the integral of a flow of one component.
  Expr keep(int one, const std::string& name, double start) {
    bond(one, add(name, Kind::K, Domain::translation, {0.0}), 1, Domain::translation);
    graph_.starts.push_back({name + ".displacement", start, where_});
    return bondgraph::displacement_of(name);
  }

  [[nodiscard]] static Expr damping_of(const machine::Quantity& damping) {
    return damping.value == 0 ? Expr(0.0) : damping.expr;
  }
  [[nodiscard]] static Expr pushes(const spatial::Force& force, bool below, Expr x, Expr rate, Expr end) {
    return bondgraph::build_push_condition(below, x, rate, end, force.stiffness.expr,
                                           damping_of(force.damping));
  }
  void add_part(int one, const std::string& name, Expr condition, Expr spring,
                const machine::Quantity& damping) {
    bondgraph::add_stop(graph_, one, {name, "F_" + name, condition, spring, damping_of(damping)}, where_);
  }

  void add_stop(const std::string& name, const spatial::Force& force) {
    const int stretch = add_stretch(name, force.first, force.second);
    const Eigen::Vector3d gap = spatial::calc_position(machine_, pose_, force.second) -
                                spatial::calc_position(machine_, pose_, force.first);
    const Expr length = keep(stretch, name + ".length", gap.norm());
    const auto add_end = [&](const machine::Quantity& end, const char* which, bool below) {
      const Expr condition = pushes(force, below, length, bondgraph::flow_of(name + ".length"), end.expr);
      add_part(stretch, name + which, condition, force.stiffness.expr * (length - end.expr), force.damping);
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
    add_part(rise, name + ".normal", condition, force.stiffness.expr * (height - force.lower->expr),
             force.damping);
    if (force.viscous.value == 0) return;
    const Eigen::Vector3d a = n.unitOrthogonal(), b = n.cross(a);
    const auto drag = [&](const char* way, const Eigen::Vector3d& along) {
      const int slip = add_rows(name + way, point, {row_of(along)}, Domain::translation);
      add_part(slip, name + way + ".drag", condition, 0.0, force.viscous);
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

  /// A body on which nothing acts: its 1-junction has its mass alone, and a force of zero.
  void end_open_junctions() {
    for (const auto& [body, v] : velocities_) {
      if (graph_.elements[at(v)].bonds.size() > 1) continue;
      where_ = machine_.bodies[at(body)].where;
      add_load(body_name(body) + ".none", Domain::translation, {0.0, 0.0, 0.0}, v);
    }
  }

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
