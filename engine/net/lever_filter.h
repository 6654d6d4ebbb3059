// SPDX-License-Identifier: MIT
// Positions of a lever behind a converter: counts that flicker though the hand rests. A lever is recognised by three changes in turn,
// up, down, up, of no more than two counts each, where a count is the smallest change that the stream has had: ramps, set-points and positions
// with all their digits do not do that, or have a count that is nothing. From then on a value counts once it has left the
// band of one count to each side of the one before (backlash), so that a hand that rests commands rest. No heap.
#pragma once

namespace rodeo::engine {

class LeverFilter {
 public:
  /// `coarsest`: a change that is larger is no count.
  void clear(double coarsest) noexcept;
  [[nodiscard]] double calc_next(double value) noexcept;
  [[nodiscard]] bool is_lever() const noexcept { return flickers_ >= kFlickers; }

 private:
  static constexpr int kFlickers = 2;  // changes that were the reverse of the one before

  void note(double change) noexcept;

  double coarsest_ = 0;
  double count_ = 0;   // 0: not known
  double change_ = 0;  // the last one that was one
  double raw_ = 0;
  double value_ = 0;
  int flickers_ = 0;
  bool has_any_ = false;
};

}  // namespace rodeo::engine
