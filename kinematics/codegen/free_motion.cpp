// SPDX-License-Identifier: MIT
#include "kinematics/codegen/free_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "kinematics/codegen/forces.h"
#include "kinematics/reduction/model.h"

namespace rodeo::codegen {
namespace {

using Parts = std::unordered_map<std::uint32_t, Expr>;

Vec replace(const Vec& v, const Parts& parts) {
  const std::vector<Expr> list = expr::replace_parts({v.x, v.y}, parts);
  return {list[0], list[1]};
}

/// Forces and moments about its origin, a body each.
class Wrenches final : public ForceSink {
 public:
  explicit Wrenches(std::size_t bodies) : forces_(bodies), moments_(bodies) {}

  void push(int body, const Vec& arm, const Vec& force) override {
    Vec& sum = forces_[static_cast<std::size_t>(body)];
    sum = sum + force;
    turn(body, cross(arm, force));
  }
  void turn(int body, Expr torque) override {
    Expr& sum = moments_[static_cast<std::size_t>(body)];
    sum = sum + torque;
  }
  /// Their power along velocities.
  [[nodiscard]] Expr calc_power(const std::vector<BodyMotion>& along) const {
    Expr power = 0.0;
    for (std::size_t b = 1; b < forces_.size(); ++b)
      power = power + dot(forces_[b], along[b].v) + moments_[b] * along[b].w;
    return power;
  }

 private:
  std::vector<Vec> forces_;
  std::vector<Expr> moments_;
};

class FreeBuilder {
 public:
  FreeBuilder(const machine::Machine& machine, std::size_t first, const Positions& positions,
              const Motion& motion)
      : machine_(machine), first_(first), positions_(positions), motion_(motion) {}

  Routine build() {
    routine_.iterated = positions_.iterated;
    routine_.margins = positions_.margins;
    const std::vector<BodyMotion> biased = build_bias();
    for (std::size_t f = first_; f < machine_.drives.size(); ++f) along_.push_back(build_along(f));
    const LoadPoints points(machine_, positions_.bodies, biased);
    Wrenches wrenches(machine_.bodies.size());
    static_cast<void>(add_forces(machine_, points, wrenches));
    std::vector<Expr> right;
    for (const auto& along : along_) right.push_back(wrenches.calc_power(along));
    solve(build_inertia(), right);
    return std::move(routine_);
  }

 private:
  /// The motion as it is, without the accelerations of the free coordinates.
  std::vector<BodyMotion> build_bias() {
    Parts parts;
    for (std::size_t f = first_; f < machine_.drives.size(); ++f)
      parts.emplace(drive_acceleration(machine_.drives[f]).id(), 0.0);
    for (RunTimeSolve solve : motion_.solves) {
      solve.right = expr::replace_parts(solve.right, parts);
      routine_.solves.push_back(std::move(solve));
    }
    std::vector<BodyMotion> bodies = motion_.bodies;
    for (BodyMotion& body : bodies) {
      body.alpha = expr::replace_parts({body.alpha}, parts)[0];
      body.a = replace(body.a, parts);
    }
    return bodies;
  }

  /// Solved blocks that the velocities need, directly or through another.
  [[nodiscard]] std::vector<bool> find_velocity_solves() const {
    std::unordered_set<std::uint32_t> wanted;
    const auto want = [&](const std::vector<Expr>& list) {
      for (const Expr symbol : expr::symbols_of(list)) wanted.insert(symbol.id());
    };
    for (const BodyMotion& body : motion_.bodies) want({body.w, body.v.x, body.v.y});
    std::vector<bool> needed(motion_.solves.size(), false);
    for (std::size_t s = motion_.solves.size(); s-- > 0;) {
      const RunTimeSolve& solve = motion_.solves[s];
      needed[s] = std::any_of(solve.unknowns.begin(), solve.unknowns.end(),
                              [&](Expr unknown) { return wanted.contains(unknown.id()); });
      if (needed[s]) want(solve.right);
    }
    return needed;
  }

  /// Velocities of all bodies where coordinate f moves at 1 and every other drive stands: its transformers.
  std::vector<BodyMotion> build_along(std::size_t f) {
    Parts parts;
    for (std::size_t d = 0; d < machine_.drives.size(); ++d)
      parts.emplace(drive_rate(machine_.drives[d]).id(), d == f ? 1.0 : 0.0);
    const std::vector<bool> needed = find_velocity_solves();
    for (std::size_t s = 0; s < motion_.solves.size(); ++s) {
      if (!needed[s]) continue;
      RunTimeSolve solve = motion_.solves[s];
      solve.right = expr::replace_parts(solve.right, parts);
      for (Expr& unknown : solve.unknowns) {
        const Expr renamed = expr::variable(fmt::format("{}@{}", unknown->name, f));
        parts.emplace(unknown.id(), renamed);
        unknown = renamed;
      }
      routine_.solves.push_back(std::move(solve));
    }
    std::vector<BodyMotion> bodies(motion_.bodies.size());
    for (std::size_t b = 1; b < bodies.size(); ++b) {
      bodies[b].w = expr::replace_parts({motion_.bodies[b].w}, parts)[0];
      bodies[b].v = replace(motion_.bodies[b].v, parts);
    }
    return bodies;
  }

  // ---- Σ m v·v + J w w

  [[nodiscard]] std::vector<std::vector<Expr>> build_inertia() const {
    const std::size_t n = along_.size();
    std::vector<std::vector<Expr>> inertia(n, std::vector<Expr>(n));
    for (std::size_t b = 1; b < machine_.bodies.size(); ++b) {
      const machine::Body& body = machine_.bodies[b];
      if (!body.mass) continue;
      const LoadPoints points(machine_, positions_.bodies, along_[0]);
      add_mass(static_cast<int>(b), points.find_com(static_cast<int>(b)), body.mass->expr,
               body.inertia ? body.inertia->expr : Expr(0.0), inertia);
    }
    for (const machine::Force& force : machine_.forces) {
      if (force.kind == machine::ForceKind::payload)
        add_mass(force.body, {force.com_x, force.com_y}, force.mass, 0.0, inertia);
    }
    return inertia;
  }

  void add_mass(int body, const Vec& local, Expr mass, Expr inertia,
                std::vector<std::vector<Expr>>& sum) const {
    std::vector<Vec> v;
    std::vector<Expr> w;
    for (const auto& along : along_) {
      v.push_back(LoadPoints(machine_, positions_.bodies, along).find(body, local).v);
      w.push_back(along[static_cast<std::size_t>(body)].w);
    }
    for (std::size_t i = 0; i < v.size(); ++i) {
      for (std::size_t j = 0; j < v.size(); ++j)
        sum[i][j] = sum[i][j] + mass * dot(v[i], v[j]) + inertia * w[i] * w[j];
    }
  }

  void solve(std::vector<std::vector<Expr>> inertia, std::vector<Expr> right) {
    const std::size_t n = right.size();
    if (n <= kMaxWritten) {
      const reduction::Block block{std::vector<int>(n), inertia, right, true, {}};
      const Expr inverse = 1.0 / reduction::determinant(inertia);
      for (std::size_t i = 0; i < n; ++i)
        routine_.results.push_back(inverse * reduction::cramer_numerator(block, i));
      return;
    }
    RunTimeSolve system{std::move(inertia), std::move(right), {}};
    for (std::size_t i = 0; i < n; ++i) system.unknowns.push_back(expr::variable(fmt::format("free:{}", i)));
    routine_.results = system.unknowns;
    routine_.solves.push_back(std::move(system));
  }

  const machine::Machine& machine_;
  std::size_t first_;
  const Positions& positions_;
  const Motion& motion_;
  std::vector<std::vector<BodyMotion>> along_;
  Routine routine_;
};

}  // namespace

Routine build_free_motion(const machine::Machine& machine, std::size_t first, const Positions& positions,
                          const Motion& motion) {
  return FreeBuilder(machine, first, positions, motion).build();
}

}  // namespace rodeo::codegen
