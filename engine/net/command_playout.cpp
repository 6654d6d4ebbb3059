// SPDX-License-Identifier: MIT
#include "engine/net/command_playout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace rodeo::engine {
namespace {

/// s of one quintic, at least.
constexpr double kSpacing = 0.01;
/// s around a packet whose neighbours say what its rate and acceleration are, at least.
constexpr double kHalf = 0.02;
/// s within which a position that does not agree with its rates is taken on: rates that were sent are believed longer than found ones.
constexpr double kAgreeing = 0.1;
constexpr double kAgreeingSent = 0.3;
/// s: of differences that are larger than a motion within the jerk could take away, the mean over so long is; by the rate, within so long.
constexpr double kDiffering = 0.1;
constexpr double kAgreeingRough = 0.4;
constexpr double kAgreeingJerk = 0.25;
/// s: without a packet for so long the motion goes on as it was.
constexpr double kBlind = 0.05;
constexpr double kBlindPackets = 3;
/// s: for so long a position with a rate goes on at it.
constexpr double kLongestRamp = 0.2;
/// s of coming to rest, or of returning, after that.
constexpr double kSettling = 0.1;
/// The jerk of a quintic from rest to rest is this times Δx/h³: if the drive has as much, the rest of a way is one quintic.
constexpr double kRestJerk = 60;
/// Rounding.
constexpr double kReached = 1 + 1e-6;
/// s: a packet that is nearer is this one.
constexpr double kSameTime = 1e-9;
/// Packets, or s, before a stream is played: until then its pace is not known.
constexpr std::uint64_t kFirstPackets = 4;
constexpr double kLongestStart = 0.1;
/// The next quintic leads to a packet that is at least this part of a spacing ahead: packets are not punctual.
constexpr double kPunctual = 0.6;
/// The part of a drive's acceleration below which noise is let be, and how the answer to it grows, falls, and is bounded.
constexpr double kQuiet = 0.1;
constexpr double kRougher = 1.2;
constexpr double kSmoother = 0.998;
constexpr double kSmoothest = 3.3;
/// s of delay that smoothing may lead to, and what the clock adds besides: headroom, and the grid of periods.
constexpr double kLongestDelay = 0.1;
constexpr double kHeadroom = 0.0005;
/// s: an engine that stands still for longer has let packets wait for longer than any delay makes up for; within kBacklog thereafter they
/// come, and those that were sent later than the first by this more than they came later have waited less.
constexpr double kStall = 0.06;
constexpr double kBacklog = 0.25;
constexpr double kWaited = 0.005;
/// Of the jitter that is: packets that are earlier or later than any before come, too.
constexpr double kJitters = 1.5;
constexpr double kNoiseMean = 0.1;
/// Of what is quiet: one bend counts for no more, so that a single step is no noise.
constexpr double kLargestBend = 3;

bool is_rate_mode(CommandMode mode) {
  return mode == CommandMode::rate || mode == CommandMode::rate_acceleration;
}
bool has_acceleration(CommandMode mode) {
  return mode == CommandMode::motion || mode == CommandMode::rate_acceleration;
}

/// How far rates alone lead: the integral of the cubic through them.
double calc_way(const DriveState& begin, const DriveState& end, double h) {
  return h * (begin.rate + end.rate) / 2 + h * h * (begin.acceleration - end.acceleration) / 12;
}

}  // namespace

CommandPlayout::CommandPlayout(std::span<const DriveLimits> limits, std::size_t forces, double period,
                               std::optional<double> delay)
    : clock_(period, delay),
      packets_(limits, forces),
      period_(period),
      delay_(delay),
      motion_(limits.size()) {
  for (std::size_t d = 0; d < limits.size(); ++d) {
    const double most = limits[d].acceleration.value_or(std::numeric_limits<double>::infinity());
    motion_[d].quiet = kQuiet * most * kQuiet * most;
    motion_[d].most = limits[d].jerk.value_or(std::numeric_limits<double>::infinity());
  }
}

bool CommandPlayout::is_rate() const noexcept { return is_rate_mode(mode_); }
double CommandPlayout::calc_spacing() const noexcept {
  return std::max(smoothing_ * kSpacing, clock_.interval());
}
/// What is ahead costs delay, what is past does not: of a rough stream more of it is asked.
StreamFit::Window CommandPlayout::calc_window() const noexcept {
  if (has_acceleration(mode_)) return {0, 0};
  const double ahead = std::max(smoothing_ * kHalf, clock_.interval());
  return {smoothing_ * std::sqrt(smoothing_) * ahead, ahead};
}

void CommandPlayout::begin_tick(std::int64_t now, std::int64_t time) noexcept {
  const double since = ticked_at_ ? static_cast<double>(now - *ticked_at_) / 1e9 : 0;
  ticked_at_ = now;
  if (since <= kStall + 2 * period_) return;
  is_stalled_ = true;
  pace_ = clock_.interval();
  stalled_until_ = time + std::llround(kBacklog * 1e9);
}

/// Has this packet, or the one that the stream began with, waited for the engine?
bool CommandPlayout::is_of_stall(const TimedCommand& packet) noexcept {
  if (packet.arrival >= stalled_until_) return false;
  if (std::exchange(is_stalled_, false)) return true;
  if (!clock_.is_timed()) return packet.arrival - arrived_ < std::llround(pace_ / 2 * 1e9);
  return packet.arrival - packet.sent < first_way_ - std::llround(kWaited * 1e9);
}

void CommandPlayout::start(const TimedCommand& packet, std::span<const Command> commands,
                           std::span<const double> forces) noexcept {
  if (packet.session != session_) is_untimed_ = false;
  mode_ = packet.mode;
  session_ = packet.session;
  has_any_ = true;
  is_playing_ = false;
  is_coasting_ = false;
  smoothing_ = 1;
  first_way_ = packet.arrival - packet.sent;
  clock_.start(packet.sent, packet.arrival, packet.sent > 0 && !is_untimed_, packet.least_delay);
  packets_.clear(mode_);
  packets_.add(0, commands, forces);
}

void CommandPlayout::add(const TimedCommand& packet, std::span<const Command> commands,
                         std::span<const double> forces) noexcept {
  const std::uint64_t count = packet.sequence > sequence_ ? packet.sequence - sequence_ : 1;
  sequence_ = packet.sequence;
  const bool is_same = has_any_ && packet.session == session_ && packet.mode == mode_ && !is_of_stall(packet);
  arrived_ = packet.arrival;
  const double before = clock_.sent();
  if (!is_same || !clock_.try_note(packet.sent, packet.arrival, count))
    return start(packet, commands, forces);
  if (clock_.is_timed() && !clock_.is_believed()) {
    is_untimed_ = true;
    return start(packet, commands, forces);
  }
  if (clock_.sent() > before) packets_.add(clock_.sent(), commands, forces);
}

/// The quintic of these ends: Δx, v and a at both. Δx for itself: the difference of two positions has lost the digits that the jerk needs.
void CommandPlayout::set(std::size_t drive, const DriveState& end, double way) noexcept {
  Quintic& q = motion_[drive];
  q.begin = q.end;
  q.end = {q.begin.position + way, end.rate, end.acceleration};
  const double h = end_ - begin_;
  const auto& [x0, v0, a0] = q.begin;
  const auto& [x1, v1, a1] = q.end;
  q.c3 = (20 * way - (8 * v1 + 12 * v0) * h - (3 * a0 - a1) * h * h) / (2 * h * h * h);
  q.c4 = (-30 * way + (14 * v1 + 16 * v0) * h + (3 * a0 - 2 * a1) * h * h) / (2 * h * h * h * h);
  q.c5 = (12 * way - 6 * (v1 + v0) * h - (a0 - a1) * h * h) / (2 * h * h * h * h * h);
}

DriveState CommandPlayout::calc_at(std::size_t drive, double time) const noexcept {
  const Quintic& q = motion_[drive];
  const double u = time - begin_;
  const auto& [x, v, a] = q.begin;
  return {x + u * (v + u * (a / 2 + u * (q.c3 + u * (q.c4 + u * q.c5)))),
          v + u * (a + u * (3 * q.c3 + u * (4 * q.c4 + u * 5 * q.c5))),
          a + u * (6 * q.c3 + u * (12 * q.c4 + u * 20 * q.c5))};
}

/// From the first packet, as it moves: a drive that stands still catches up by its own limits.
void CommandPlayout::begin() noexcept {
  is_playing_ = true;
  begin_ = end_ = used_ = packets_.time(0);
  for (std::size_t d = 0; d < motion_.size(); ++d) {
    const Command& first = packets_.raw(0, d);
    motion_[d].end = {is_rate() ? 0 : first.position, first.rate, first.acceleration};
    if (mode_ == CommandMode::position) motion_[d].end = packets_.calc_at(0, d, calc_window(), kSpacing / 2);
    motion_[d].mean = motion_[d].change = motion_[d].noise = motion_[d].off = 0;
  }
}

/// A packet's state, `ahead` s after it.
DriveState CommandPlayout::calc_predicted(std::size_t index, std::size_t drive, double ahead) const noexcept {
  DriveState at = packets_.calc_at(index, drive, calc_window(), kSpacing / 2);
  // The last word of a sender that has stopped is taken at its word.
  const bool is_last = index + 1 == packets_.count();
  if (is_last && mode_ == CommandMode::rate &&
      clock_.is_overdue(packets_.time(index) + kBlindPackets * clock_.interval()))
    at = {0, packets_.raw(index, drive).rate, 0};
  return {at.position + ahead * (at.rate + ahead * at.acceleration / 2), at.rate + ahead * at.acceleration,
          at.acceleration};
}

/// The next quintic, to `time`, as the packet says.
void CommandPlayout::lead_to(double time, bool is_fitted, std::size_t index) noexcept {
  begin_ = end_;
  end_ = time;
  const double h = end_ - begin_;
  const double ahead = is_fitted ? 0 : time - packets_.time(index);
  const double stretched = calc_spacing() / std::max(kSpacing, clock_.interval());
  const double agreeing = mode_ == CommandMode::position ? stretched * kAgreeing : kAgreeingSent;
  const double share = std::min(1.0, h / agreeing);
  for (std::size_t d = 0; d < motion_.size(); ++d) {
    DriveState end = calc_predicted(index, d, ahead);
    const double way = calc_way(motion_[d].end, end, h);
    const double off = end.position - (motion_[d].end.position + way);
    if (is_rate() && packets_.has_step(index, d, calc_window())) {  // the limiter's to make
      motion_[d].end = {motion_[d].end.position, packets_.raw(index, d).rate, 0};
      set(d, motion_[d].end, h * motion_[d].end.rate);
      continue;
    }
    const bool is_standing = mode_ == CommandMode::position && end.rate == 0 && end.acceleration == 0;
    const bool is_within = kRestJerk * std::abs(off) <= motion_[d].most * h * h * h;
    const DriveState longer = packets_.calc_at(index, d, {kAgreeing, 0}, 0);
    const bool has_stood = smoothing_ == 1 && longer.rate == 0 && longer.acceleration == 0;
    if (is_standing && (is_within || has_stood)) {
      if (!is_within)
        motion_[d].end = {end.position, 0, 0};  // a target that stands is the limiter's to reach
      set(d, end, end.position - motion_[d].end.position);
      motion_[d].end.position = end.position;  // without the rounding of the sum: it has arrived
    } else if (mode_ == CommandMode::position &&
               smoothing_ > 1) {  // by its rate: a coarse one must not be struck at
      end.rate += off / agreeing;
      set(d, end, calc_way(motion_[d].end, end, h));
    } else if (mode_ != CommandMode::position && !is_rate() && is_rough(d, share * off, h)) {
      note_difference(d, off, h);
      end.rate += motion_[d].off / kAgreeingRough;
      set(d, end, calc_way(motion_[d].end, end, h));
    } else {
      motion_[d].off = 0;
      set(d, end, is_rate() ? way : way + share * off);
    }
  }
}

/// Would it take more than a part of the jerk to be `off` less within h?
bool CommandPlayout::is_rough(std::size_t drive, double off, double h) const noexcept {
  return kRestJerk * std::abs(off) > kAgreeingJerk * motion_[drive].most * h * h * h;
}

void CommandPlayout::note_difference(std::size_t drive, double off, double h) noexcept {
  motion_[drive].off += std::min(1.0, h / kDiffering) * (off - motion_[drive].off);
}

/// Does a motion of |jerk| <= J lead from where the motion is to the packet? Its rate is within J·h²/4 of the trapezoid's; twice that is
/// allowed, as the limiter does. The position may be off by what rates and a trembling clock make of it.
bool CommandPlayout::is_reached(std::size_t index) const noexcept {
  const double h = packets_.time(index) - end_;
  for (std::size_t d = 0; d < motion_.size(); ++d) {
    const auto& [x, v, a] = motion_[d].end;
    const Command& to = packets_.raw(index, d);
    const double J = motion_[d].most;
    const double off = to.rate - v - h * (to.acceleration + a) / 2;
    if (!(std::abs(to.acceleration - a) <= J * h * kReached && std::abs(off) <= J * h * h / 2 * kReached))
      return false;
    const double way = calc_way(motion_[d].end, {0, to.rate, to.acceleration}, h);
    if (!is_rate() && std::abs(to.position - (x + way)) > J * kSpacing * kSpacing * kSpacing) return false;
  }
  return true;
}

/// The next quintic, to a packet that is reached: as it was sent, but that a position that is off is taken on unnoticed.
void CommandPlayout::copy(std::size_t index) noexcept {
  begin_ = end_;
  end_ = used_ = packets_.time(index);
  const double h = end_ - begin_;
  for (std::size_t d = 0; d < motion_.size(); ++d) {
    const Command& to = packets_.raw(index, d);
    const DriveState end{0, to.rate, to.acceleration};
    const double way = calc_way(motion_[d].end, end, h);
    const double off = to.position - (motion_[d].end.position + way);
    const double most = motion_[d].most * h * h * h / 24;
    const double share = std::isinf(most) ? 1 : std::min(1.0, h / kAgreeingSent);
    set(d, end, is_rate() ? way : way + std::clamp(share * off, -most, most));
  }
}

/// As far as the delay allows.
double CommandPlayout::calc_smoothest() const noexcept {
  const double spare =
      delay_ ? *delay_ : kLongestDelay - kJitters * clock_.jitter() - 2 * period_ - kHeadroom;
  return std::clamp(spare / (kSpacing + kHalf), 1.0, kSmoothest);
}

/// Mean accelerations that go to and fro: the product of two changes is negative. Ramps and bends of a motion are not.
void CommandPlayout::note_noise() noexcept {
  bool is_rough = false;
  bool is_quiet = true;
  for (Quintic& q : motion_) {
    const double mean = (q.end.rate - q.begin.rate) / (end_ - begin_);
    const double change = mean - q.mean;
    q.noise += kNoiseMean * (std::clamp(-change * q.change, 0.0, kLargestBend * q.quiet) - q.noise);
    q.mean = mean;
    q.change = change;
    is_rough = is_rough || q.noise > q.quiet;
    is_quiet = is_quiet && q.noise < q.quiet / 4;
  }
  if (is_rough) smoothing_ *= kRougher;
  if (is_quiet) smoothing_ *= kSmoother;
  smoothing_ = std::clamp(smoothing_, 1.0, calc_smoothest());
}

/// Where a drive goes that nobody commands any more, after `since` s.
void CommandPlayout::coast(std::size_t drive, double since) noexcept {
  const DriveState& at = motion_[drive].end;
  const Command& last = packets_.raw(packets_.count() - 1, drive);
  if (!is_rate() && last.rate == 0) return set(drive, {}, last.position - at.position);
  const double going = is_rate() ? last.rate : at.rate;
  const DriveState end{0, is_rate() || since < kLongestRamp ? going : 0, 0};
  set(drive, end, calc_way(at, end, end_ - begin_));
}

void CommandPlayout::coast() noexcept {
  const double since = end_ - packets_.time(packets_.count() - 1);
  begin_ = end_;
  end_ += kSettling;
  for (std::size_t d = 0; d < motion_.size(); ++d) coast(d, since);
}

/// The motion has come to the end of what it knows.
void CommandPlayout::go_on() noexcept {
  const std::size_t following = packets_.find_from(end_ + kSameTime);
  if (has_acceleration(mode_) && following < packets_.count() && is_reached(following)) {
    is_coasting_ = false;
    return copy(following);
  }
  const double spacing = calc_spacing();
  const std::size_t next = packets_.find_from(end_ + kPunctual * spacing);
  if (next < packets_.count()) {
    is_coasting_ = false;
    used_ = packets_.time(next);
    lead_to(used_, true, next);
    return note_noise();
  }
  if (!is_coasting_) ++underruns_;
  is_coasting_ = true;
  const std::size_t newest = packets_.count() - 1;
  const double blind = std::max(kBlind, kBlindPackets * spacing);
  if (end_ + spacing - packets_.time(newest) <= blind) return lead_to(end_ + spacing, false, newest);
  coast();
}

void CommandPlayout::hold_first(std::span<Command> out) const noexcept {
  for (std::size_t d = 0; d < out.size(); ++d) {
    const Command& first = packets_.raw(0, d);
    out[d] = is_rate() ? Command::moving(first.rate) : Command::at(first.position);
  }
}

/// They hold until the next packet.
void CommandPlayout::sample_forces(double time, std::span<double> out) const noexcept {
  if (out.empty()) return;
  const std::size_t behind = packets_.find_from(time + kSameTime);
  std::ranges::copy(packets_.forces(behind == 0 ? 0 : behind - 1), out.begin());
}

/// x(p(t)): v·p', a·p'² + v·p''. Of rates v(p(t)), which is what was asked: a·p'.
void CommandPlayout::sample(std::int64_t time, std::span<Command> out, std::span<double> forces) noexcept {
  if (!has_any_) return;
  clock_.tick(time, std::max(calc_spacing(), clock_.largest_step()) + calc_window().ahead, is_playing_);
  const double p = clock_.played();
  const bool is_known = clock_.packets() >= kFirstPackets || clock_.now() > kLongestStart;
  if (!is_playing_ && is_known && p >= packets_.time(0)) begin();
  sample_forces(p, forces);
  if (!is_playing_) return hold_first(out);
  while (p + kSameTime >= end_) go_on();
  const double pace = clock_.rate();
  for (std::size_t d = 0; d < out.size(); ++d) {
    const DriveState at = calc_at(d, p);
    const double acceleration = at.acceleration * pace * pace + at.rate * clock_.acceleration();
    out[d] = is_rate() ? Command::moving(at.rate, at.acceleration * pace)
                       : Command::at(at.position, at.rate * pace, acceleration);
  }
}

}  // namespace rodeo::engine
