// SPDX-License-Identifier: MIT
// Inside kinematics/multibond: joints in the general form of boudon-2019, held by springs or multipliers. THEORY V8, V9.
#pragma once
#include <numbers>

#include "kinematics/multibond/bodies.h"
#include "kinematics/spatial/independent.h"

namespace rodeo::multibond {

/// A joint's name as the name of a frame: `crank.B-coupler.B` has dots of its own.
inline std::string frame_name(std::string name) {
  for (char& c : name) {
    if (c == '.' || c == '-' || c == ' ') c = '_';
  }
  return name;
}

/// Of the rows that multipliers hold, over a walk of the motion in strides of 0.1: it comes within 0.05 of a singular pose.
inline constexpr double kLeastPivot = 0.05;

class JointBuilder : protected BodyBuilder {
 protected:
  JointBuilder(const Machine& machine, const spatial::Pose& pose, const std::vector<BodyRates>& rates,
               const Options& options)
      : BodyBuilder(machine, pose, rates),
        options_(options),
        left_out_(options.hold == Hold::multiplier ? find_redundant() : std::vector<spatial::Row>()),
        stiffness_(add_parameter("joint_stiffness", options.stiffness)),
        damping_(add_parameter("joint_damping", options.damping)) {
    for (const spatial::Joint& joint : machine.joints) add_joint(joint);
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

  // ---- what a joint leaves free: THEORY S8

  enum class Free {
    turn,
    slide,
    spin
  };  // the angle about its axis, the distance along it, the whole relative spin

  /// What one number of friction acts on.
  [[nodiscard]] static Free find_free(const spatial::Joint& joint) {
    if (spatial::has_turn(joint.kind)) return Free::turn;
    return spatial::has_slide(joint.kind) ? Free::slide : Free::spin;
  }
  [[nodiscard]] static Domain domain_of(Free free) {
    return free == Free::slide ? Domain::translation : Domain::rotation;
  }
  [[nodiscard]] static int dimension_of(Free free) { return free == Free::spin ? kSpace : 1; }

  /// Its rate, a 1-junction.
  int add_free(const std::string& name, const spatial::Joint& joint, Free free) {
    if (free == Free::spin) return spin_of(joint);
    return add_rows(name, free == Free::turn ? spin_of(joint) : velocity_of(joint),
                    {row_of(joint.axis_first.value())}, domain_of(free));
  }
  /// Where the pose has it.
  [[nodiscard]] double calc_free(const spatial::Joint& joint, Free free) const {
    const spatial::BodyFrames frames = spatial::build_plain_frames(machine_);
    const spatial::BodyStates states = spatial::build_states(pose_, frames);
    if (free == Free::turn)
      return spatial::calc_turn_angle(spatial::build_turn_data(machine_, joint, frames), states);
    spatial::RowTerms unused;
    return spatial::calc_row(spatial::build_slide_data(machine_, joint, frames), states, unused).residual;
  }

  void add_functional(const std::string& name, const spatial::Joint& joint,
                      const spatial::FreeElement& element, Free free) {
    const bool stiff = element.stiffness.value != 0, damped = element.damping.value != 0;
    if (!stiff && !damped) return;
    const Domain domain = domain_of(free);
    const int part = add_free(name, joint, free), dimension = dimension_of(free);
    if (damped) bond(part, add(name + ".B", Kind::R, domain, {element.damping.expr}), dimension, domain);
    if (!stiff) return;
    bond(part, add(name + ".K", Kind::K, domain, {element.stiffness.expr}), dimension, domain);
    graph_.starts.push_back({name + ".K.displacement", calc_free(joint, free) - element.rest.value, where_});
  }

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

  /// Relative velocity and spin in the first body's axes; a joint that holds and damps neither of them has no junction for it.
  int velocity_of(const spatial::Joint& joint) {
    const auto [found, is_new] = relative_velocities_.try_emplace(frame_name(joint.name), -1);
    if (is_new)
      found->second = add_relative_velocity(found->first, joint.first, joint.second, find_reach(joint));
    return found->second;
  }
  int spin_of(const spatial::Joint& joint) {
    const auto [found, is_new] = relative_spins_.try_emplace(frame_name(joint.name), -1);
    if (is_new) found->second = add_relative_spin(found->first, joint.first.body, joint.second.body);
    return found->second;
  }

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
    Matrix places, turns;
    for (const spatial::Component& component : find_held(joint)) {
      const Eigen::Vector3d axis = frame.F.col(component.axis);
      switch (component.kind) {
        case spatial::ComponentKind::place: places.push_back(row_of(axis)); break;
        case spatial::ComponentKind::turn: turns.push_back(row_of(axis)); break;
        case spatial::ComponentKind::twist: turns.push_back(build_twist(joint)); break;
        case spatial::ComponentKind::screw: add_screw(name, joint); break;
      }
    }
    if (turns.size() == 2 && options_.hold == Hold::spring) carry_round(name + ".angle.C", turns);
    if (!places.empty())
      hold(name + ".place", add_rows(name + ".place", velocity_of(joint), places, Domain::translation),
           static_cast<int>(places.size()), Domain::translation);
    if (!turns.empty())
      hold(name + ".angle", add_rows(name + ".angle", spin_of(joint), turns, Domain::rotation),
           static_cast<int>(turns.size()), Domain::rotation);
    add_functional(name + ".free_turn", joint, joint.turn,
                   spatial::has_turn(joint.kind) ? Free::turn : Free::spin);
    add_functional(name + ".free_slide", joint, joint.slide, Free::slide);
  }

  /// A row left out is made up for by the rows kept, unless these are singular somewhere on the way: three parallel cranks, each of
  /// which is needed where the other two are in line.
  void check_choice(const spatial::RowChoice& choice) const {
    if (choice.left_out.empty() || choice.least_pivot >= kLeastPivot) return;
    const spatial::Row& row = choice.left_out.front();
    throw text::ModelError(
        spatial::row_where(machine_, row),
        fmt::format("{}: it is redundant, and whichever rows are left out, the rest is singular somewhere in "
                    "the motion (pivot {:.2g}): multipliers are not determined there; hold the joints by "
                    "springs, --hold springs",
                    spatial::row_name(machine_, row), choice.least_pivot));
  }

  /// Joint rows that follow from the others, chosen over a walk of the motion (THEORY S12).
  [[nodiscard]] std::vector<spatial::Row> find_redundant() const {
    spatial::Assembly start;
    start.assembled = true;
    start.pose = pose_;
    for (const spatial::Drive& drive : machine_.drives)
      start.drive_values.push_back(spatial::calc_drive_value(machine_, pose_, drive));
    const spatial::RowChoice choice =
        spatial::choose_rows(machine_, start, spatial::calc_mobility(machine_, start));
    check_choice(choice);
    return choice.left_out;
  }

  /// Multipliers of redundant rows are not determined: these rows are left out. Springs share their load.
  [[nodiscard]] std::vector<spatial::Component> find_held(const spatial::Joint& joint) const {
    const int index = static_cast<int>(&joint - machine_.joints.data());
    const std::vector<spatial::Component> all = spatial::build_components(joint);
    std::vector<spatial::Component> held;
    for (int c = 0; c < static_cast<int>(all.size()); ++c) {
      const bool is_left_out = std::any_of(left_out_.begin(), left_out_.end(), [&](const spatial::Row& row) {
        return row.joint == index && row.component == c;
      });
      if (!is_left_out) held.push_back(all[at(c)]);
    }
    return held;
  }

  /// Held: the velocity along the axis less pitch/2π times the spin about it.
  void add_screw(const std::string& name, const spatial::Joint& joint) {
    const Matrix along = {row_of(joint.axis_first.value())};
    const int slide = add_rows(name + ".screw_slide", velocity_of(joint), along, Domain::translation);
    const Eigen::Vector3d lead = -joint.pitch.value / (2 * std::numbers::pi) * joint.axis_first.value();
    const int selection = add_matrix(name + ".lead", Kind::TF, Domain::unset, {row_of(lead)});
    const int sum = add(name + ".screw_sum", Kind::zero, Domain::translation);
    const int held = add(name + ".screw", Kind::one, Domain::translation);
    bond(spin_of(joint), selection, kSpace, Domain::rotation);
    bond(selection, sum, 1, Domain::translation);
    bond(slide, sum, 1, Domain::translation);
    bond(sum, held, 1, Domain::translation);
    hold(name + ".screw", held, 1, Domain::translation);
  }

  Options options_;
  std::vector<spatial::Row> left_out_;
  Expr stiffness_, damping_;
  std::map<std::string, int> relative_velocities_, relative_spins_;
};

}  // namespace rodeo::multibond
