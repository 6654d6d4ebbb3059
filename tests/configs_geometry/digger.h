// SPDX-License-Identifier: MIT
// Boom, arm and bucket of an excavator or a backhoe, solved by hand. Each cylinder turns its own pair of bodies, so the
// three relative angles come from three triangles and the bucket's four-bar:
//   Q from |Q-A|, |Q-P| = boom cylinder;  U from |U-C|, |U-T| = arm cylinder;
//   J from |J-V| = bucket cylinder, |J-G| = L_r;  K from |K-J| = L_pl, |K-H| = |HK|
#pragma once
#include "plane.h"

namespace rodeo::configs_geometry {

/// Which side of the boom the boom cylinder is on: below, extending raises; above, extending lowers.
enum class BoomCylinder { below, above };

struct DiggerStance {
  Vec C, H, tip;
  double boom = 0.0, arm = 0.0, rocker = 0.0, link = 0.0, bucket = 0.0;  // angles of the bodies
};

class Digger {
 public:
  Digger(const machine::Machine& m, const std::string& arm, BoomCylinder side)
      : boom_stroke(find_range(m, "boom_cylinder")),
        arm_stroke(find_range(m, arm + "_cylinder")),
        bucket_stroke(find_range(m, "bucket_cylinder")),
        side_(side),
        A_(find_point(m, "ground", "A")),
        P_(find_point(m, "ground", "P")),
        C_(find_point(m, "boom", "C")),
        Q_(find_point(m, "boom", "Q")),
        T_(find_point(m, "boom", "T")),
        H_(find_point(m, arm, "H")),
        U_(find_point(m, arm, "U")),
        V_(find_point(m, arm, "V")),
        G_(find_point(m, arm, "G")),
        K_(find_point(m, "bucket", "K")),
        tip_(find_point(m, "bucket", "tip")),
        L_r_(find_bar(m, "rocker", "J")),
        L_pl_(find_bar(m, "link", "K")) {}

  const Range boom_stroke, arm_stroke, bucket_stroke;

  [[nodiscard]] double calc_boom(double cylinder) const {
    const double r = calc_length(Q_);
    const Vec Q =
        side_ == BoomCylinder::below ? calc_apex(A_, P_, r, cylinder) : calc_apex(P_, A_, cylinder, r);
    return calc_wrapped(calc_angle(Q - A_) - calc_angle(Q_));
  }
  /// The arm's angle on the boom.
  [[nodiscard]] double calc_arm(double cylinder) const {
    const Vec U = calc_apex(T_, C_, cylinder, calc_length(U_));
    return calc_wrapped(calc_angle(U - C_) - calc_angle(U_));
  }
  /// The bucket's angle on the arm; it curls through -90 degrees, and past -180 where the linkage does.
  [[nodiscard]] double calc_bucket(double cylinder) const {
    return calc_wrapped(calc_angle(calc_K(cylinder) - H_) - calc_angle(K_));
  }

  /// Sines of the angles that tell how far each triangle is from a dead point.
  [[nodiscard]] double calc_boom_sine(double cylinder) const {
    return std::abs(calc_sine(P_ - A_, turned(Q_, calc_boom(cylinder))));
  }
  [[nodiscard]] double calc_arm_sine(double cylinder) const {
    return std::abs(calc_sine(T_ - C_, turned(U_, calc_arm(cylinder))));
  }
  /// Bucket cylinder against rocker.
  [[nodiscard]] double calc_rocker_sine(double cylinder) const {
    const Vec J = calc_J(cylinder);
    return calc_sine(V_ - J, G_ - J);
  }
  /// Push link against bucket arm.
  [[nodiscard]] double calc_link_sine(double cylinder) const {
    const Vec J = calc_J(cylinder), K = calc_K(cylinder);
    return calc_sine(J - K, H_ - K);
  }
  /// Rocker against push link: zero where the bucket stands still.
  [[nodiscard]] double calc_still_sine(double cylinder) const {
    const Vec J = calc_J(cylinder), K = calc_K(cylinder);
    return calc_sine(K - J, J - G_);
  }

  [[nodiscard]] DiggerStance calc_stance(double boom, double arm, double bucket) const {
    const Vec J = calc_J(bucket), K = calc_K(bucket);
    DiggerStance s;
    s.boom = calc_boom(boom);
    s.arm = s.boom + calc_arm(arm);
    s.rocker = calc_wrapped(s.arm + calc_angle(J - G_));
    s.link = calc_wrapped(s.arm + calc_angle(K - J));
    s.bucket = calc_wrapped(s.arm + calc_bucket(bucket));
    s.C = A_ + turned(C_, s.boom);
    s.H = s.C + turned(H_, s.arm);
    s.tip = s.H + turned(tip_, s.bucket);
    return s;
  }

  /// Calls visit(stance) all over the three strokes.
  template <class Visit>
  void visit_workspace(Visit visit) const {
    constexpr int kSteps = 60;
    visit_range(boom_stroke, kSteps, [&](double boom) {
      visit_range(arm_stroke, kSteps, [&](double arm) {
        visit_range(bucket_stroke, kSteps, [&](double bucket) { visit(calc_stance(boom, arm, bucket)); });
      });
    });
  }

 private:
  BoomCylinder side_;
  Vec A_, P_, C_, Q_, T_, H_, U_, V_, G_, K_, tip_;  // each in its body's frame
  double L_r_, L_pl_;

  // J and K in the arm's frame.
  [[nodiscard]] Vec calc_J(double cylinder) const { return calc_apex(V_, G_, cylinder, L_r_); }
  [[nodiscard]] Vec calc_K(double cylinder) const {
    return calc_apex(calc_J(cylinder), H_, L_pl_, calc_length(K_));
  }
};

/// How far the teeth go.
struct Envelope {
  double depth = 0.0, reach = 0.0, ground_reach = 0.0, height = 0.0, dump_height = 0.0;
};

/// Searched on a grid of poses: right to about 2 cm. On the ground: teeth within 5 cm of it. Dumping: teeth down.
inline Envelope calc_envelope(const Digger& digger) {
  Envelope e;
  digger.visit_workspace([&](const DiggerStance& s) {
    e.depth = std::max(e.depth, -s.tip.y);
    e.reach = std::max(e.reach, s.tip.x);
    e.height = std::max(e.height, s.tip.y);
    if (std::abs(s.tip.y) < 0.05) e.ground_reach = std::max(e.ground_reach, s.tip.x);
    if (std::abs(s.bucket + 90.0 * kDegree) < 3.0 * kDegree) e.dump_height = std::max(e.dump_height, s.tip.y);
  });
  return e;
}

}  // namespace rodeo::configs_geometry
