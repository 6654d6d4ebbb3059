// SPDX-License-Identifier: MIT
#include "engine/net/stream_clock.h"

#include <algorithm>
#include <cmath>

namespace rodeo::engine {
namespace {

/// How fast the lag may change, s/s, how fast that, 1/s, and that, 1/s²: a command at 0.15 m/s is played with 0.003 m/s² more.
constexpr DriveLimits kSlew{{}, {}, 0.05, 0.02, 0.1};
/// s over which differences are remembered: between one and two of these.
constexpr double kWindow = 2;
/// s without a packet after which what comes is a new stream.
constexpr double kPause = 0.25;
/// s by which a sender's clock may jump.
constexpr double kJump = 0.5;
/// The longest lag beyond the quickest packet, s: what is later is lost.
constexpr double kLongest = 0.5;
/// The lag is left as it is while it is too long by less than this, s and part of it.
constexpr double kSpare = 0.002;
constexpr double kSparePart = 0.25;
/// And made longer by this more than is needed, s, so that a drift does not ask for more at every tick.
constexpr double kHeadroom = 0.0005;
/// Of a period: rounding of times.
constexpr double kSamePhase = 1e-6;
/// A drift that is less is let be, and the largest that is followed.
constexpr double kSteady = 5e-4;
constexpr double kMostDrift = 0.015;
constexpr double kUsualInterval = 0.01;
/// Packets in a row whose loss the lag makes up for, and one.
constexpr double kMostLost = 4;
/// Of the running mean of intervals, and of the filter of arrivals, whose gain falls to this as packets come.
constexpr double kMean = 0.05;
constexpr double kPhase = 0.02;
/// Packets before the sender's times are judged, and by what factor they may differ from the arrivals.
constexpr std::uint64_t kJudged = 16;
constexpr double kWrongUnit = 20;

double to_seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

}  // namespace

StreamClock::StreamClock(double period, std::optional<double> fixed) noexcept
    : period_(period), fixed_(fixed), slew_(kSlew, period) {}

void StreamClock::start(std::int64_t sent, std::int64_t arrival, bool is_timed, double least_delay) noexcept {
  is_timed_ = is_timed;
  least_delay_ = std::min(least_delay, kLongest);
  is_believed_ = sent > 0;
  first_sent_ = last_sent_ = sent;
  first_arrival_ = arrival;
  sent_ = last_arrival_ = 0;
  interval_ = kUsualInterval;
  packets_ = 1;
  window_ = before_ = {0, 0, 0};
  window_end_ = kWindow;
  has_before_ = false;
  line_ = line_since_ = drift_ = residual_ = 0;
  now_ = wanted_ = 0;
  lag_ = {};
}

double StreamClock::least() const noexcept { return std::min(window_.least, before_.least); }
double StreamClock::largest() const noexcept {
  return std::min(std::max(window_.largest, before_.largest), least() + kLongest);
}

/// No longer than a few packets: the pause of a sender is no loss.
double StreamClock::largest_step() const noexcept {
  return std::min(std::max(window_.step, before_.step), kMostLost * interval_);
}

void StreamClock::widen(double difference, double step) noexcept {
  if (last_arrival_ >= window_end_) {
    follow_drift();
    before_ = window_;
    has_before_ = true;
    window_ = {difference, difference, step};
    window_end_ = last_arrival_ + kWindow;
  }
  window_.least = std::min(window_.least, difference);
  window_.largest = std::max(window_.largest, difference);
  window_.step = std::max(window_.step, step);
}

/// Of two slopes in turn the lesser: a way through the network that has become longer is no drift. What has come already is
/// laid along the new line.
void StreamClock::follow_drift() noexcept {
  if (!is_timed_ || !has_before_) return;
  const double slope = (window_.least - before_.least) / kWindow;
  const double agreed =
      slope * residual_ > 0 ? std::copysign(std::min(std::abs(slope), std::abs(residual_)), slope) : 0;
  residual_ = slope;
  if (std::abs(agreed) < kSteady) return;
  const double drift = std::clamp(drift_ + agreed, -kMostDrift, kMostDrift);
  const double way = (drift - drift_) * kWindow;
  line_ = calc_line(last_arrival_);
  line_since_ = last_arrival_;
  drift_ = drift;
  residual_ = 0;
  if (way > 0) window_.least = std::min(window_.least + way, window_.largest);
  if (way < 0) window_.largest = std::max(window_.largest + way, window_.least);
}

/// Sent so long after the packet before as the mean says, and drawn towards the arrival.
double StreamClock::calc_regular(double arrival, std::uint64_t count) noexcept {
  const double steps = static_cast<double>(std::max<std::uint64_t>(count, 1));
  if (packets_ < kJudged) {  // the mean from the first one on
    const auto before = static_cast<double>(packets_ - 1);
    interval_ = std::max(arrival, 1e-6) / before;
    return std::max(arrival, sent_);
  }
  const double expected = sent_ + steps * interval_;
  const double error = arrival - expected;
  if (std::abs(error) > std::max(3 * interval_, 0.05)) return std::max(arrival, sent_);
  const double phase = std::max(kPhase, 2 / static_cast<double>(packets_));
  interval_ += phase * phase / 4 * error / steps;  // critically damped
  return std::max(expected + phase * error, sent_);
}

/// Times that stand still, run backwards or count something else than nanoseconds are none.
void StreamClock::judge(std::int64_t sent, std::int64_t arrival) noexcept {
  if (sent <= last_sent_) is_believed_ = false;
  if (packets_ != kJudged) return;
  const double theirs = to_seconds(sent - first_sent_);
  const double ours = to_seconds(arrival - first_arrival_);
  if (theirs * kWrongUnit < ours || theirs > kWrongUnit * (ours + kPause)) is_believed_ = false;
}

bool StreamClock::try_note(std::int64_t sent, std::int64_t arrival, std::uint64_t count) noexcept {
  const double came = to_seconds(arrival - first_arrival_);
  if (came - last_arrival_ > kPause) return false;
  ++packets_;
  judge(sent, arrival);
  last_sent_ = sent;
  const double when = is_timed_ ? to_seconds(sent - first_sent_) : calc_regular(came, count);
  const double step = when - sent_;
  const bool is_jump = is_believed_ && std::abs(came - when - (last_arrival_ - sent_)) > kJump;
  if (is_timed_ && (is_jump || step > kPause)) return false;
  last_arrival_ = came;
  sent_ = when;
  if (is_timed_ && packets_ <= 4) interval_ = when / static_cast<double>(packets_ - 1);
  const double each = step / static_cast<double>(std::max<std::uint64_t>(count, 1));
  if (is_timed_ && packets_ > 4) interval_ += kMean * (std::min(each, kMostLost * interval_) - interval_);
  widen(came - when - calc_line(came), step);
  return true;
}

/// The next longer one with which what is played is a whole number of periods behind the first packet.
double StreamClock::calc_on_grid(double lag) const noexcept {
  if (drift_ != 0) return lag;
  return now_ - period_ * std::floor((now_ - lag) / period_ + kSamePhase);
}

void StreamClock::tick(std::int64_t time, double need, bool is_playing) noexcept {
  now_ = to_seconds(time - first_arrival_);
  const double least_lag = fixed_ ? least() + *fixed_ : largest() + need + period_;
  const double wish = fixed_ ? least_lag : std::max(least_lag, least() + least_delay_);
  const double spare = std::max(kSpare, kSparePart * (wanted_ - least()));
  if (fixed_) {
    wanted_ = wish;
  } else if (!is_playing || wish < wanted_ - spare) {
    wanted_ = calc_on_grid(wish);
  } else if (least_lag > wanted_) {
    wanted_ = calc_on_grid(least_lag + kHeadroom);
  }
  if (is_playing) {
    lag_ = slew_.calc_next(lag_, Command::at(calc_line(now_) + wanted_, drift_)).state;
  } else {
    lag_ = {calc_line(now_) + wanted_, drift_, 0};
  }
}

}  // namespace rodeo::engine
