// SPDX-License-Identifier: MIT
// Positions of a lever behind a converter: counts that flicker though the hand rests. A lever is recognised by three changes in turn,
// up, down, up, of no more than two counts each, where a count is the smallest change that the stream has had: ramps, set-points and positions
// with all their digits do not do that, or have a count that is nothing. From then on a value that has stayed within two counts for 0.3 s
// is a hand that rests: it commands rest until it leaves its band. A hand that moves is passed on as it is. No heap.
#pragma once

namespace rodeo::engine {

class LeverFilter {
 public:
  /// `coarsest`: a change that is larger is no count.
  void clear(double coarsest) noexcept;
  /// `time`: s, rising.
  [[nodiscard]] double calc_next(double time, double value) noexcept;
  [[nodiscard]] bool is_lever() const noexcept { return flickers_ >= kFlickers; }

 private:
  static constexpr int kFlickers = 2;  // changes that were the reverse of the one before

  void note(double change) noexcept;
  void note_band(double time, double value) noexcept;

  double coarsest_ = 0;
  double count_ = 0;   // 0: not known
  double change_ = 0;  // the last one that was one
  double raw_ = 0;
  double low_ = 0, high_ = 0, since_ = 0;  // the band, and since when it has not been left
  double rest_ = 0;                        // of a hand that rests
  bool is_resting_ = false;
  int flickers_ = 0;
  bool has_any_ = false;
};

}  // namespace rodeo::engine
