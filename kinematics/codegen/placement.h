// SPDX-License-Identifier: MIT
// Inside kinematics/codegen: what is known of a machine's bodies and pins while they are placed one after the other. THEORY K1, K2.
#pragma once
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "kinematics/codegen/intersections.h"
#include "kinematics/codegen/linkage.h"
#include "kinematics/machine/pose.h"

namespace rodeo::codegen {

class Placement {
 public:
  /// Only the ground is placed. Both must outlive this.
  Placement(const Linkage& linkage, const machine::Assembly& start);

  [[nodiscard]] const Linkage& linkage() const { return linkage_; }

  // ---- of a body

  [[nodiscard]] bool has_direction(int body) const { return of(body).frame.has_value(); }
  [[nodiscard]] bool is_placed(int body) const { return of(body).frame && of(body).base; }
  [[nodiscard]] bool all_placed() const;
  [[nodiscard]] const Frame& frame(int body) const { return *of(body).frame; }
  /// Where it is known without an arc tangent.
  [[nodiscard]] const std::optional<Expr>& angle(int body) const { return of(body).angle; }
  void set_frame(int body, const Frame& frame, std::optional<Expr> angle);
  /// The point `local` of a body is at `place`.
  void set_base(int body, const Vec& local, const Vec& place) { of(body).base = {local, place}; }

  /// A vector of a body of known direction, on the page.
  [[nodiscard]] Vec carried(int body, const Vec& r) const { return carry(frame(body), r); }
  /// Where the point r of a placed body is.
  [[nodiscard]] Vec on_body(int body, const Vec& r) const;
  [[nodiscard]] Vec on_body(machine::PointRef ref) const { return on_body(ref.body, linkage_.local(ref)); }
  /// Direction of a guide on a body of known direction.
  [[nodiscard]] Vec guide(const machine::Joint& joint) const;

  // ---- of a pin

  /// Where a point's pin is, if anything that carries it is placed. What is told once is told ever after.
  [[nodiscard]] std::optional<Vec> place_of(machine::PointRef ref);
  void set_place(int pin, const Vec& place) { places_[pin] = place; }
  /// From one known pin to another: by the link that closed a loop, or within one body, else by their places.
  [[nodiscard]] Vec between(machine::PointRef from, machine::PointRef to);
  void add_link(int from, int to, const Vec& link) { links_.emplace(std::pair(from, to), link); }

  // ---- in the start pose

  [[nodiscard]] Numbers at_start(machine::PointRef ref) const;
  /// Direction of a guide, turned by a quarter: n = ẑ×u.
  [[nodiscard]] Numbers normal_at_start(const machine::Joint& joint) const;

 private:
  /// A point of a body and where it is.
  struct Base {
    Vec local, place;
  };
  struct Known {
    std::optional<Frame> frame;
    std::optional<Base> base;
    std::optional<Expr> angle;
  };
  [[nodiscard]] const Known& of(int body) const { return bodies_[static_cast<std::size_t>(body)]; }
  [[nodiscard]] Known& of(int body) { return bodies_[static_cast<std::size_t>(body)]; }

  const Linkage& linkage_;
  const machine::Assembly& start_;
  std::vector<Known> bodies_;
  std::map<int, Vec> places_;                 // of pins
  std::map<std::pair<int, int>, Vec> links_;  // from pin to pin
};

}  // namespace rodeo::codegen
