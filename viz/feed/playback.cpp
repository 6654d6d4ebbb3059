// SPDX-License-Identifier: MIT
#include "viz/feed/playback.h"

#include <algorithm>
#include <array>

namespace rodeo::viz {
namespace {

constexpr std::array kSpeeds{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0};

}  // namespace

Playback::Playback(const Track& track, Phases phases, double speed)
    : track_(track), phases_(std::move(phases)), time_(track.begin_time()), speed_(speed) {}

void Playback::advance(double seconds) noexcept {
  if (is_paused_) return;
  go_to(time_ + seconds * speed_);
  if (time_ >= track_.end_time()) is_paused_ = true;
}

void Playback::toggle_pause() noexcept {
  if (is_paused_ && time_ >= track_.end_time()) time_ = track_.begin_time();
  is_paused_ = !is_paused_;
}

void Playback::step(int states) noexcept {
  is_paused_ = true;
  const auto row = static_cast<std::ptrdiff_t>(track_.find_row(time_));
  // Between two states one back is the one before.
  const bool is_between = time_ > track_.time(static_cast<std::size_t>(row));
  const std::ptrdiff_t to = row + states + (states < 0 && is_between ? 1 : 0);
  const auto last = static_cast<std::ptrdiff_t>(track_.count()) - 1;
  time_ = track_.time(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(to, 0, last)));
}

void Playback::change_speed(int steps) noexcept {
  for (; steps > 0; --steps) {
    const auto next = std::upper_bound(kSpeeds.begin(), kSpeeds.end(), speed_ * (1 + 1e-9));
    if (next != kSpeeds.end()) speed_ = *next;
  }
  for (; steps < 0; ++steps) {
    const auto next = std::lower_bound(kSpeeds.begin(), kSpeeds.end(), speed_ * (1 - 1e-9));
    if (next != kSpeeds.begin()) speed_ = *(next - 1);
  }
}

void Playback::jump(double seconds) noexcept { go_to(time_ + seconds); }

void Playback::go_to(double time) noexcept {
  time_ = std::clamp(time, track_.begin_time(), track_.end_time());
}

void Playback::go_to_part(double part) noexcept {
  go_to(track_.begin_time() + part * (track_.end_time() - track_.begin_time()));
}

void Playback::go_to_next_phase() noexcept {
  if (phases_.empty()) return;
  const auto next = std::find_if(phases_.begin(), phases_.end(),
                                 [this](const auto& phase) { return phase.first > time_ + 1e-9; });
  const bool is_there = next != phases_.end() && next->first <= track_.end_time();
  go_to(is_there ? next->first : phases_.front().first);
}

}  // namespace rodeo::viz
