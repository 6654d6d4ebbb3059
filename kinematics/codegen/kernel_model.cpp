// SPDX-License-Identifier: MIT
// Routines of a kernel. The step takes directions and places from closed forms; the other routines take the states as
// given: angles by sine and cosine, places along the joints from the ground.
#include "kinematics/codegen/kernel_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kinematics/codegen/block_rows.h"
#include "kinematics/codegen/free_motion.h"
#include "kinematics/codegen/loads.h"
#include "kinematics/codegen/motion.h"
#include "kinematics/codegen/outputs.h"
#include "kinematics/codegen/tree.h"
#include "kinematics/machine/closure.h"

namespace rodeo::codegen {
namespace {

using machine::Drive;
using machine::DriveKind;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// What a state of the graph is: `crank.J` a body's angle, `lift.angle`, `lift.length`, `guide.s`.
struct StateMeaning {
  enum class Kind { body_angle, cylinder_angle, cylinder_length, slide };
  Kind kind = Kind::body_angle;
  int index = 0;  // of the body, drive or joint
  Channel channel;
};

class KernelBuilder {
 public:
  /// `machine` has the free coordinates behind its drives.
  KernelBuilder(const machine::Machine& machine, const machine::Assembly& start,
                const machine::Mobility& mobility, const machine::FreeCoordinates& free,
                const SharedChannels& shared)
      : machine_(machine),
        start_(start),
        measured_(shared.measured),
        motion_(build_motion_model(machine, mobility)),
        positions_(build_positions(machine, start, mobility.redundant, free.coordinates.empty())) {
    model_.free_count = free.coordinates.size();
    model_.free_rates = free.rates;
    for (const reduction::State& state : motion_.system.states) meanings_.push_back(find_meaning(state));
    add_slide_states();
    for (IteratedBlock& block : positions_.iterated) {
      for (const BlockUnknown& unknown : block.what) block.starts.push_back(build_start(unknown));
    }
    for (std::size_t s = 0; shared.states.empty() && s < meanings_.size(); ++s) order_.push_back(s);
    for (const Channel& state : shared.states) order_.push_back(find_or_add_meaning(state));
  }

  KernelModel build(const machine::Mobility& mobility) {
    model_.name = machine_.name;
    model_.parameters = machine_.parameters;
    add_drives();
    add_states();
    model_.outputs = name_outputs(machine_);
    build_step();
    build_from_states();
    add_loads(mobility);
    return std::move(model_);
  }

 private:
  // ---- channels

  [[nodiscard]] StateMeaning find_meaning(const reduction::State& state) const {
    const std::string element = state.name.substr(0, state.name.rfind('.'));
    const std::size_t dot = element.rfind('.');
    const std::string owner = element.substr(0, dot);
    const std::string what = element.substr(dot + 1);
    if (what == "J") return {StateMeaning::Kind::body_angle, find_body(owner), {owner + ".angle", "rad"}};
    if (what == "angle")
      return {StateMeaning::Kind::cylinder_angle, find_drive(owner), {owner + ".angle", "rad"}};
    if (what == "length")
      return {StateMeaning::Kind::cylinder_length, find_drive(owner), {owner + ".length", "m"}};
    return {StateMeaning::Kind::slide, find_slide(owner), {owner + ".slide", "m"}};
  }

  /// A state of another chart that this one's graph does without: the position along a guide.
  [[nodiscard]] std::size_t find_or_add_meaning(const Channel& state) {
    for (std::size_t s = 0; s < meanings_.size(); ++s) {
      if (meanings_[s].channel.name == state.name) return s;
    }
    const std::string owner = state.name.substr(0, state.name.rfind('.'));
    meanings_.push_back({StateMeaning::Kind::slide, find_slide(owner), state});
    return meanings_.size() - 1;
  }

  /// Positions along guides that the graph does without, where a block begins from them or bodies are placed by them (K8).
  void add_slide_states() {
    std::vector<int> slides;
    for (const IteratedBlock& block : positions_.iterated) {
      for (const BlockUnknown& unknown : block.what) {
        if (unknown.kind == BlockUnknown::Kind::slide) slides.push_back(unknown.index);
      }
    }
    std::vector<bool> has_state(machine_.joints.size(), false);
    for (const StateMeaning& meaning : meanings_) {
      if (meaning.kind == StateMeaning::Kind::slide) has_state[at(meaning.index)] = true;
    }
    for (const int joint : slides) add_slide_state(joint, has_state);
    for (const int joint : find_placing_slides(machine_, has_state)) add_slide_state(joint, has_state);
  }

  void add_slide_state(int joint, std::vector<bool>& has_state) {
    if (has_state[at(joint)]) return;
    has_state[at(joint)] = true;
    meanings_.push_back(
        {StateMeaning::Kind::slide, joint, {machine_.joints[at(joint)].name + ".slide", "m"}});
  }

  /// By the states of the tick before.
  [[nodiscard]] Expr build_start(const BlockUnknown& unknown) const {
    const auto is_meant = [&](const StateMeaning& meaning) {
      if (meaning.index != unknown.index) return false;
      switch (unknown.kind) {
        case BlockUnknown::Kind::body_angle: return meaning.kind == StateMeaning::Kind::body_angle;
        case BlockUnknown::Kind::slide: return meaning.kind == StateMeaning::Kind::slide;
        case BlockUnknown::Kind::cylinder_angle: break;
      }
      return meaning.kind == StateMeaning::Kind::cylinder_angle;
    };
    const auto found = std::find_if(meanings_.begin(), meanings_.end(), is_meant);
    const Expr state = state_symbol(found->channel.name);
    return unknown.kind == BlockUnknown::Kind::slide ? state * (1.0 / machine::calc_size(machine_)) : state;
  }

  [[nodiscard]] int find_body(const std::string& name) const {
    return static_cast<int>(std::find_if(machine_.bodies.begin(), machine_.bodies.end(),
                                         [&](const auto& b) { return b.name == name; }) -
                            machine_.bodies.begin());
  }
  [[nodiscard]] int find_drive(const std::string& name) const {
    return static_cast<int>(std::find_if(machine_.drives.begin(), machine_.drives.end(),
                                         [&](const auto& d) { return d.name == name; }) -
                            machine_.drives.begin());
  }
  /// A slide is named by its drive, else by its joint.
  [[nodiscard]] int find_slide(const std::string& name) const {
    const int drive = find_drive(name);
    if (at(drive) < machine_.drives.size() && machine_.drives[at(drive)].kind == DriveKind::slide)
      return machine_.drives[at(drive)].joint;
    return static_cast<int>(std::find_if(machine_.joints.begin(), machine_.joints.end(),
                                         [&](const auto& j) { return j.name == name; }) -
                            machine_.joints.begin());
  }

  static std::optional<double> number(const std::optional<machine::Quantity>& quantity) {
    return quantity ? std::optional(quantity->value) : std::nullopt;
  }

  void add_drives() {
    for (std::size_t d = 0; d < machine_.drives.size(); ++d) {
      const Drive& drive = machine_.drives[d];
      const bool angular = drive.kind == DriveKind::angle || drive.kind == DriveKind::relative_angle;
      model_.drives.push_back({{drive.name, angular ? "rad" : "m"},
                               start_.drive_values[d],
                               number(drive.lower),
                               number(drive.upper),
                               number(drive.speed),
                               number(drive.acceleration),
                               number(drive.jerk)});
    }
  }

  void add_states() {
    for (const std::size_t s : order_) {
      model_.states.push_back(meanings_[s].channel);
      model_.start_states.push_back(start_value(meanings_[s]));
    }
  }

  [[nodiscard]] double start_value(const StateMeaning& meaning) const {
    switch (meaning.kind) {
      case StateMeaning::Kind::body_angle: return start_.pose.bodies[at(meaning.index)].angle;
      case StateMeaning::Kind::cylinder_length: return start_.drive_values[at(meaning.index)];
      case StateMeaning::Kind::cylinder_angle: {
        const machine::Vec2 a =
            machine::calc_position(machine_, start_.pose, machine_.drives[at(meaning.index)].first);
        const machine::Vec2 b =
            machine::calc_position(machine_, start_.pose, machine_.drives[at(meaning.index)].second);
        return std::atan2(b.y - a.y, b.x - a.x);
      }
      case StateMeaning::Kind::slide: break;
    }
    return calc_slide(machine_, start_.pose, meaning.index);
  }

  // ---- results

  [[nodiscard]] std::vector<Expr> outputs_of(const std::vector<Placed>& bodies,
                                             const std::vector<Expr>& angles, const Motion& motion) const {
    std::vector<DriveMotion> drives;
    for (const Drive& drive : machine_.drives)
      drives.push_back({drive_position(drive), drive_rate(drive), drive_acceleration(drive)});
    return build_outputs(machine_, bodies, angles, motion.bodies, drives);
  }

  using Parts = std::unordered_map<std::uint32_t, Expr>;

  /// Sines, cosines, arms and displacements of the graph's states by what the routine knows them as.
  [[nodiscard]] Parts build_parts(const std::vector<Frame>& frames, const std::vector<Vec>& cylinders,
                                  const std::vector<Expr>& lengths, const std::vector<Expr>& slides) const {
    Parts parts;
    for (std::size_t s = 0; s < motion_.system.states.size(); ++s) {
      const Expr symbol = motion_.system.states[s].symbol;
      const std::size_t i = at(meanings_[s].index);
      switch (meanings_[s].kind) {
        case StateMeaning::Kind::body_angle: add_body_parts(i, symbol, frames[i], parts); break;
        case StateMeaning::Kind::cylinder_angle:
          add_direction(symbol, (1.0 / lengths[i]) * cylinders[i], parts);
          break;
        case StateMeaning::Kind::cylinder_length: parts.emplace(symbol.id(), lengths[i]); break;
        case StateMeaning::Kind::slide: parts.emplace(symbol.id(), slides[i]); break;
      }
    }
    add_cylinder_parts(cylinders, parts);
    return parts;
  }

  static void add_direction(Expr angle, const Vec& unit, Parts& parts) {
    parts.emplace(expr::cos(angle).id(), unit.x);
    parts.emplace(expr::sin(angle).id(), unit.y);
  }

  /// A point's arm about the rod's reference stands in the graph as R(angle)·p (rods.h, R2).
  void add_body_parts(std::size_t b, Expr angle, const Frame& frame, Parts& parts) const {
    add_direction(angle, carry(frame, {1.0, 0.0}), parts);
    const machine::RodCentre& centre = motion_.centres[b];
    for (const machine::Point& point : machine_.bodies[b].points) {
      const Vec p = {point.x.expr - centre.x, point.y.expr - centre.y};
      if (is_zero(p)) continue;
      const Vec turned = times(p, direction(angle));
      const Vec arm = carry(frame, p);
      parts.emplace(turned.x.id(), arm.x);
      parts.emplace(turned.y.id(), arm.y);
    }
  }

  /// A cylinder is a rod of variable length: length · direction is the way from pin to pin.
  void add_cylinder_parts(const std::vector<Vec>& cylinders, Parts& parts) const {
    std::unordered_map<int, Expr> lengths;
    for (std::size_t s = 0; s < meanings_.size(); ++s) {
      if (meanings_[s].kind == StateMeaning::Kind::cylinder_length)
        lengths.emplace(meanings_[s].index, motion_.system.states[s].symbol);
    }
    for (std::size_t s = 0; s < meanings_.size(); ++s) {
      const int drive = meanings_[s].index;
      if (meanings_[s].kind != StateMeaning::Kind::cylinder_angle || !lengths.contains(drive)) continue;
      const Vec rod = lengths.at(drive) * direction(motion_.system.states[s].symbol);
      parts.emplace(rod.x.id(), cylinders[at(drive)].x);
      parts.emplace(rod.y.id(), cylinders[at(drive)].y);
    }
  }

  // ---- the step: closed forms

  void build_step() {
    const Positions& positions = positions_;
    std::vector<Frame> frames;
    for (const Placed& body : positions.bodies) frames.push_back(body.frame);
    std::vector<Expr> lengths;
    for (const Drive& drive : machine_.drives) lengths.push_back(drive_position(drive));
    const Motion motion = build_motion(machine_, motion_, frames,
                                       build_parts(frames, positions.cylinders, lengths, positions.slides),
                                       positions.known, true);
    const std::vector<Expr> angles = body_angles(positions);
    model_.step.iterated = positions.iterated;
    model_.step.margins = positions.margins;
    model_.step.solves = motion.solves;
    for (const std::size_t s : order_) model_.step.results.push_back(state_value(s, positions, angles));
    const std::vector<Expr> outputs = outputs_of(positions.bodies, angles, motion);
    model_.step.results.insert(model_.step.results.end(), outputs.begin(), outputs.end());
    for (const Drive& coordinate : measured_) measure(coordinate, positions, angles, motion);
    if (model_.free_count > 0) {
      const std::size_t first = machine_.drives.size() - model_.free_count;
      model_.accelerations = build_free_motion(machine_, first, positions, motion);
    }
    model_.position_steps = positions.solved;
    model_.velocity_blocks = motion.blocks;
  }

  /// Position, rate and acceleration of a coordinate, of this chart or another, as results of the step.
  void measure(const Drive& coordinate, const Positions& positions, const std::vector<Expr>& angles,
               const Motion& motion) {
    const LoadPoints points(machine_, positions.bodies, motion.bodies);
    std::vector<Expr> values;
    if (coordinate.kind == DriveKind::angle) {
      const BodyMotion& body = points.motion(coordinate.second_body);
      values = {angles[at(coordinate.second_body)], body.w, body.alpha};
    } else {
      const machine::Joint& joint = machine_.joints[at(coordinate.joint)];
      values = {positions.slides[at(coordinate.joint)], points.calc_slide_rate(joint),
                points.calc_slide_acceleration(joint)};
    }
    model_.step.results.insert(model_.step.results.end(), values.begin(), values.end());
    model_.measured_count += values.size();
  }

  /// The body's x axis is behind its vector `local` by the angle φ of that.
  [[nodiscard]] static Expr angle_of(const Frame& frame, const std::string& state) {
    const Expr behind = expr::operation(expr::Op::atan2, {frame.local.y, frame.local.x});
    const Expr angle = expr::operation(expr::Op::atan2, {frame.world.y, frame.world.x});
    return unwrapped(angle, state_symbol(state) + behind) - behind;
  }

  [[nodiscard]] std::vector<Expr> body_angles(const Positions& positions) const {
    std::vector<Expr> angles;
    for (std::size_t b = 0; b < positions.bodies.size(); ++b) {
      const Placed& body = positions.bodies[b];
      angles.push_back(body.angle ? *body.angle : angle_of(body.frame, machine_.bodies[b].name + ".angle"));
    }
    return angles;
  }

  [[nodiscard]] Expr state_value(std::size_t s, const Positions& positions,
                                 const std::vector<Expr>& angles) const {
    const std::size_t i = at(meanings_[s].index);
    switch (meanings_[s].kind) {
      case StateMeaning::Kind::body_angle: return angles[i];
      case StateMeaning::Kind::cylinder_angle:
        return angle_of({{1.0, 0.0}, positions.cylinders[i]}, meanings_[s].channel.name);
      case StateMeaning::Kind::cylinder_length: return drive_position(machine_.drives[i]);
      case StateMeaning::Kind::slide: break;
    }
    return positions.slides[i];
  }

  // ---- routines that take the states as they are

  void build_from_states() {
    std::vector<Expr> angles(machine_.bodies.size(), 0.0);
    std::vector<Frame> frames(machine_.bodies.size());
    std::vector<Vec> cylinders(machine_.drives.size());
    std::vector<Expr> lengths(machine_.drives.size()), slides(machine_.joints.size());
    for (const StateMeaning& meaning : meanings_) {
      const Expr x = state_symbol(meaning.channel.name);
      const std::size_t i = at(meaning.index);
      if (meaning.kind == StateMeaning::Kind::body_angle) angles[i] = x;
      if (meaning.kind == StateMeaning::Kind::body_angle) frames[i].world = direction(x);
      if (meaning.kind == StateMeaning::Kind::cylinder_angle) cylinders[i] = direction(x);
      if (meaning.kind == StateMeaning::Kind::cylinder_length) lengths[i] = x;
      if (meaning.kind == StateMeaning::Kind::slide) slides[i] = x;
    }
    for (std::size_t d = 0; d < lengths.size(); ++d) cylinders[d] = lengths[d] * cylinders[d];
    const auto parts = build_parts(frames, cylinders, lengths, slides);
    const Motion rates = build_motion(machine_, motion_, frames, parts, {}, false);
    const Tree tree = build_tree(machine_, frames, cylinders, slides);
    model_.derivatives.solves = rates.solves;
    for (const std::size_t s : order_)
      model_.derivatives.results.push_back(state_rate(s, frames, tree, rates));
    model_.closure.results = tree.residuals;
    add_branches(frames, tree);
    const Motion motion = build_motion(machine_, motion_, frames, parts, {}, true);
    std::vector<Placed> bodies;
    for (std::size_t b = 0; b < frames.size(); ++b) bodies.push_back({frames[b], tree.origins[b], angles[b]});
    model_.poses.solves = motion.solves;
    model_.poses.results = outputs_of(bodies, angles, motion);
    std::unordered_map<std::uint32_t, Expr> measured;  // no drive position is given here: lengths are states
    for (std::size_t d = 0; d < machine_.drives.size(); ++d)
      measured.emplace(drive_position(machine_.drives[d]).id(), lengths[d]);
    model_.poses.results = expr::replace_parts(model_.poses.results, measured);
  }

  void add_branches(const std::vector<Frame>& frames, const Tree& tree) {
    const auto place = [&](machine::PointRef ref) {
      const machine::Point& point = machine_.point(ref);
      return tree.origins[at(ref.body)] + carry(frames[at(ref.body)], {point.x.expr, point.y.expr});
    };
    for (const Branch& branch : positions_.branches) {
      const Vec way = place(branch.to) - place(branch.from);
      model_.start_branches.push_back(branch.at_start);
      if (branch.guide == nullptr) {
        model_.branches.results.push_back(cross(place(branch.beside) - place(branch.from), way));
        continue;
      }
      const Vec u = {branch.guide->direction_x.expr, branch.guide->direction_y.expr};
      model_.branches.results.push_back(dot(carry(frames[at(branch.guide->first.body)], u), way));
    }
  }

  [[nodiscard]] Expr state_rate(std::size_t s, const std::vector<Frame>& frames, const Tree& tree,
                                const Motion& rates) const {
    if (s < rates.state_rates.size()) return rates.state_rates[s];
    std::vector<Placed> bodies;
    for (std::size_t b = 0; b < frames.size(); ++b) bodies.push_back({frames[b], tree.origins[b], {}});
    return LoadPoints(machine_, bodies, rates.bodies)
        .calc_slide_rate(machine_.joints[at(meanings_[s].index)]);
  }

  void add_loads(const machine::Mobility& mobility) {
    if (!has_loads(machine_)) return;
    Loads loads = build_loads(machine_, mobility, machine_.drives.size() - model_.free_count);
    model_.inputs.push_back({"time", "s"});
    for (const machine::ForceInput& input : machine_.inputs)
      model_.inputs.push_back({input.name, input.unit});
    model_.loads = std::move(loads.channels);
    model_.loading = std::move(loads.routine);
    model_.load_blocks = std::move(loads.blocks);
  }

  const machine::Machine& machine_;
  const machine::Assembly& start_;
  const std::vector<Drive>& measured_;
  MotionModel motion_;
  Positions positions_;
  std::vector<StateMeaning> meanings_;  // of the system's states, then of those that other charts have
  std::vector<std::size_t> order_;      // of these, in the kernel
  KernelModel model_;
};

}  // namespace

Expr drive_rate(const machine::Drive& drive) { return expr::variable("v:" + drive.name); }
Expr drive_acceleration(const machine::Drive& drive) { return expr::variable("a:" + drive.name); }
Expr state_symbol(const std::string& name) { return expr::variable("x:" + name); }
Expr unwrapped(Expr angle, Expr near) { return expr::library_call("rodeo", "unwrap", {angle, near}); }

KernelModel build_chart_model(const machine::Machine& machine, const machine::Assembly& start,
                              const machine::Mobility& mobility, const machine::FreeCoordinates& free,
                              const SharedChannels& shared) {
  if (free.coordinates.empty()) return KernelBuilder(machine, start, mobility, free, shared).build(mobility);
  const machine::Machine whole = machine::build_with_coordinates(machine, free);
  const machine::Assembly placed = machine::build_with_coordinates(start, whole, free);
  return KernelBuilder(whole, placed, mobility, free, shared).build(mobility);
}

}  // namespace rodeo::codegen
