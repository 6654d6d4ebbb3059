// SPDX-License-Identifier: MIT
#include "viz/feed/live_feed.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/net/link_log.h"
#include "engine/net/refusal_text.h"
#include "viz/feed/interface_file.h"
#include "viz/feed/signal.h"

namespace rodeo::viz {
namespace {

constexpr double kNano = 1e-9;
constexpr double kKept = 60;  // s of the past, for trails and charts
constexpr double kDropped = 15;
constexpr double kSilence = 0.5;      // s without a packet that are worth a word
constexpr double kGone = 0.2;         // s without a packet after which another engine may take its place
constexpr double kRivals = 0.5;       // s of two engines at once that are no restart
constexpr double kWarningTime = 3.0;  // s that a sentence about a packet stays

double seconds(LiveTime time) { return std::chrono::duration<double>(time.time_since_epoch()).count(); }
double seconds(LiveTime from, LiveTime to) { return std::chrono::duration<double>(to - from).count(); }

std::vector<engine::Channel> find_signals(const Scene& scene, const engine::Destination& from,
                                          const std::string& patterns) {
  const auto wanted = patterns.empty() ? from.signals : engine::build_signal_patterns(patterns);
  return build_signals(build_interface(scene.folder), wanted);
}

std::vector<std::string> names_of(const std::vector<engine::Channel>& signals) {
  std::vector<std::string> names;
  for (const engine::Channel& signal : signals) names.push_back(signal.name);
  return names;
}

std::string describe(Objection objection, const ObjectionCount& count, const std::string& machine) {
  const std::string from = engine::to_text(count.sender);
  switch (objection) {
    case Objection::strange: return fmt::format("{} sends packets that are no states: not shown", from);
    case Objection::json:
      return fmt::format("{} sends states as JSON: not shown, publish without format=json", from);
    case Objection::version:
      return fmt::format("{} sends states of another version of rodeo: not shown", from);
    case Objection::other_signals:
      return fmt::format(
          "{} sends states of another machine than '{}', or other signals of it (--signals): not shown", from,
          machine);
    case Objection::not_finite: return fmt::format("{} sends states that are not finite: not shown", from);
    case Objection::none: break;
  }
  return "";
}

const engine::Channel* find(const std::vector<engine::Channel>& signals, const std::string& name) {
  const auto found = std::find_if(signals.begin(), signals.end(),
                                  [&](const engine::Channel& signal) { return signal.name == name; });
  return found == signals.end() ? nullptr : &*found;
}

}  // namespace

void add_charted(Scene& scene, const engine::Destination& from, const std::string& signals,
                 const std::vector<std::string>& charts) {
  for (const std::string& chart : charts) {
    if (is_signal(scene, chart)) continue;
    const auto followed = find_signals(scene, from, signals);
    if (const engine::Channel* signal = find(followed, chart)) {
      scene.measures.push_back({chart, signal->unit, kUnknown});
    } else if (find(build_signals(build_interface(scene.folder), {"*"}), chart) != nullptr) {
      throw SceneError(fmt::format(
          "--chart: '{}' is not in the states that are followed: publish it, as in 'rodeo run --publish "
          "\"HOST:PORT,signals=*\"', and give --signals the same, as in --signals '*'",
          chart));
    }
  }
}

LiveFeed::LiveFeed(const Scene& scene, const engine::Destination& from, const std::string& signals)
    : scene_(scene),
      from_(from),
      signals_(find_signals(scene, from, signals)),
      columns_(scene, names_of(signals_)),
      receiver_(from, engine::build_state_fingerprint(signals_), signals_.size()),
      track_(scene) {
  if (!columns_.missing().empty())
    throw SceneError(fmt::format("--signals: the viewer needs {}, too", fmt::join(columns_.missing(), ", ")));
  if (columns_.unplaced()) {
    throw SceneError(
        fmt::format("--signals: do not tell where body '{0}' is: add {0}.origin.*", *columns_.unplaced()));
  }
}

void LiveFeed::update(LiveTime) {
  for (const Arrival& arrival : receiver_.take()) take(arrival);
  if (!track_.empty() && track_.end_time() - track_.begin_time() > kKept + kDropped)
    track_.forget_before(track_.end_time() - kKept);
}

/// An engine draws a nonce at its start, so a new one is a new run. While the old one still sends it is shown, and no other.
bool LiveFeed::is_ours(const Arrival& arrival) {
  if (!newest_ || newest_->nonce == arrival.header.nonce) return true;
  if (seconds(newest_at_, arrival.at) > kGone) return true;
  if (!rival_since_ || seconds(rival_last_, arrival.at) > kRivals) rival_since_ = arrival.at;
  rival_last_ = arrival.at;
  return false;
}

void LiveFeed::begin(const Arrival& arrival) {
  track_.clear();
  clock_.reset();
  newest_ = arrival.header;
}

void LiveFeed::take(const Arrival& arrival) {
  if (!is_ours(arrival)) return;
  if (!newest_ || newest_->nonce != arrival.header.nonce) {
    begin(arrival);
  } else if (arrival.header.tick <= newest_->tick) {
    return;  // overtaken on its way
  }
  newest_ = arrival.header;
  newest_at_ = arrival.at;
  note_link(arrival);
  add(arrival);
}

void LiveFeed::note_link(const Arrival& arrival) {
  const std::uint32_t status = arrival.header.status;
  if ((status & engine::kRefused) != 0) {
    refused_at_ = arrival.at;
    refusal_ = engine::find_refusal(status);
  }
  if ((status & engine::kClipped) != 0) clipped_at_ = arrival.at;
  if ((status & engine::kTwoSenders) != 0) two_senders_at_ = arrival.at;
}

/// Of the engine's commands, and who sends them; where is in its terminal.
void LiveFeed::describe_link(LiveTime now, std::vector<std::string>& warnings) const {
  const auto is_fresh = [&](const std::optional<LiveTime>& at) {
    return at && seconds(*at, now) < kWarningTime;
  };
  if (is_fresh(two_senders_at_))
    warnings.emplace_back("two senders command the machine in turns: stop one of them");
  if (is_fresh(refused_at_))
    warnings.push_back(fmt::format("the engine refuses packets: {}: {}", engine::refusal_name(refusal_),
                                   engine::refusal_advice(refusal_)));
  if (is_fresh(clipped_at_))
    warnings.emplace_back("a command is beyond the range or speed of its drive: clipped");
}

void LiveFeed::add(const Arrival& arrival) {
  const engine::StateHeader& header = arrival.header;
  Sample sample = build_start_sample(scene_);
  sample.time = kNano * static_cast<double>(header.simulated_time);
  sample.tick = header.tick;
  sample.status = header.status;
  sample.lost = header.lost;
  sample.lag = kNano * static_cast<double>(header.lag);
  sample.margin = header.margin;
  sample.residual = header.residual;
  columns_.fill(arrival.signals, sample);
  if (!columns_.has_rates() && !track_.empty()) {
    const Sample before = track_.row(track_.count() - 1);
    const double span = sample.time - before.time;
    for (std::size_t b = 0; b < sample.bodies.size(); ++b) {
      BodyState& body = sample.bodies[b];
      set_speeds(before.bodies[b].pose, span, body);
    }
  }
  track_.add(sample);
  clock_.add(sample.time, seconds(arrival.at));
}

Sample LiveFeed::calc_sample(LiveTime now) const {
  return track_.empty() ? build_start_sample(scene_) : track_.sample(clock_.calc_time(seconds(now)));
}

double LiveFeed::calc_rate() const noexcept { return clock_.interval() > 0 ? 1 / clock_.interval() : 0; }

std::string LiveFeed::calc_notice(LiveTime now) const {
  if (!newest_) return fmt::format("waiting for states at {}", engine::to_text(from_.endpoint));
  const double silence = seconds(newest_at_, now);
  return silence > std::max(kSilence, 4 * clock_.interval()) ? fmt::format("no data for {:.1f} s", silence)
                                                             : "";
}

std::vector<std::string> LiveFeed::calc_warnings(LiveTime now) const {
  std::vector<std::string> warnings;
  const auto objections = receiver_.objections();
  for (std::size_t i = 1; i < objections.size(); ++i) {
    if (objections[i].count == 0 || seconds(objections[i].last, now) > kWarningTime) continue;
    warnings.push_back(describe(static_cast<Objection>(i), objections[i], scene_.name));
  }
  const bool has_rival = rival_since_ && seconds(*rival_since_, rival_last_) > kRivals &&
                         seconds(rival_last_, now) < kWarningTime;
  if (has_rival)
    warnings.push_back(fmt::format("a second engine publishes to {}: its states are not shown",
                                   engine::to_text(from_.endpoint)));
  describe_link(now, warnings);
  return warnings;
}

}  // namespace rodeo::viz
