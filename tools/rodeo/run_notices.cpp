// SPDX-License-Identifier: MIT
#include "tools/rodeo/run_notices.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/net/refusal_text.h"
#include "engine/session/session.h"

namespace rodeo::tools {
namespace {

using engine::Refusal;

constexpr double kPause = 1;    // s between two sentences about one thing
constexpr double kStall = 0.1;  // s that are lost between two looks before it is said
constexpr int kMostNotes = 10;  // verbs that have their line within one kPause
constexpr const char* kRearm = "key A here or 'rodeo drive --rearm' releases it";
constexpr std::uint32_t kLatches = engine::kStaleLatched | engine::kStopped | engine::kHalted;

double to_seconds(std::int64_t ns) { return static_cast<double>(ns) / 1e9; }

/// Simulated, of a moment of the loop's clock since the last looks: both run alike between two ticks.
double find_time(const NoticeLook& look, std::int64_t moment) {
  return std::min(look.time, look.time - (look.now - to_seconds(moment)));
}

/// Of the last of these bits that fell.
double find_fall(const NoticeLook& look, std::uint32_t bits) {
  std::int64_t time = 0;
  for (; bits != 0; bits &= bits - 1) time = std::max(time, look.fallen[std::countr_zero(bits)]);
  return to_seconds(time);
}

std::string times(std::uint64_t count) { return count > 1 ? fmt::format(" ({} times)", count) : ""; }

std::string describe_origin(const engine::Origin& origin) {
  const std::string name = origin.name.data();
  if (name.empty() || name == "terminal") return name.empty() ? "" : ", from the terminal";
  return fmt::format(", from {}, session {:016x}", name, origin.session);
}

std::string describe_verb(const engine::TickNote& note) {
  using engine::Verb;
  switch (note.verb) {
    case Verb::run: return "run";
    case Verb::freeze: return "freeze";
    case Verb::step: return "single step";
    case Verb::reset: return "reset";
    case Verb::load: return fmt::format("initial condition {}", note.slot);
    case Verb::snapshot: return fmt::format("snapshot {}", note.slot);
    case Verb::restore: return fmt::format("return to snapshot {}", note.slot);
    case Verb::release: return "release";
    default: return "rearm";
  }
}

std::string describe_refusal(engine::VerbRefusal why) {
  using engine::VerbRefusal;
  switch (why) {
    case VerbRefusal::moving: return "the machine moves: let it come to rest; to jump, freeze it (key F)";
    case VerbRefusal::stopped: return "the machine is in emergency stop: rearm it first (key A)";
    case VerbRefusal::one_step:
      return "it was not let go of since the stop: send a packet without it, then one with it, or press the "
             "key once";
    case VerbRefusal::commanded:
      return "the machine is commanded to move: command rate 0 or the position where it stands";
    default: return "there is none";
  }
}

bool is_jump(const engine::TickNote& note) {
  using engine::Verb;
  return note.verb == Verb::reset || note.verb == Verb::load || note.verb == Verb::restore;
}

std::string describe_note(const engine::TickNote& note) {
  const std::string from = describe_origin(note.origin);
  if (note.is_stop) return fmt::format("emergency stop{}", from);
  const std::string what = describe_verb(note);
  if (note.refusal != engine::VerbRefusal::none)
    return fmt::format("{} refused{}: {}", what, from, describe_refusal(note.refusal));
  return fmt::format("{}{}{}", what, from, is_jump(note) ? ": the machine jumped" : "");
}

}  // namespace

std::uint64_t RunNotices::Throttle::take(std::uint64_t more, double now) {
  waiting += more;
  if (waiting == 0 || now - said < kPause) return 0;
  said = now;
  return std::exchange(waiting, 0);
}

void RunNotices::say(double time, const std::string& what) {
  said_.push_back({time, fmt::format("{}: {:.3f} s: {}", facts_.name, time, what)});
}

void RunNotices::take_notes(const NoticeLook& look) {
  if (look.now - notes_since_ >= kPause) {
    if (notes_left_ > 0) say(look.time, fmt::format("{} more verbs came within a second", notes_left_));
    notes_since_ = look.now;
    notes_said_ = notes_left_ = 0;
  }
  for (const engine::TickNote& note : look.notes) {
    if (++notes_said_ > kMostNotes && !note.is_stop) {
      ++notes_left_;
    } else {
      say(to_seconds(note.time), describe_note(note));
    }
  }
}

/// What has begun; empty for a bit that is nobody's concern.
std::string RunNotices::describe(std::uint32_t bit) const {
  switch (bit) {
    case engine::kWaiting:
      return fmt::format("waits for the first command at {} (rodeo drive FILE --to {})", facts_.endpoint,
                         facts_.endpoint);
    case engine::kStale:
      return fmt::format(
          "stale: no command for {:g} ms, the machine brakes and {}", facts_.timeout,
          facts_.is_latching ? fmt::format("is latched: {}", kRearm) : "goes on with the next command");
    case engine::kStopped: return fmt::format("stopped: the machine brakes: {}", kRearm);
    case engine::kHalted: return fmt::format("halted by a late tick (--overrun halt): {}", kRearm);
    case engine::kHoldSingular: return "held: a singular pose is ahead: command another way";
    case engine::kHoldOpen: return "held: the loops of the commanded pose do not close: command another way";
    case engine::kHoldAbrupt: return "stopped within one tick: a singular pose could not be seen ahead";
    case engine::kBadInput: return "a command was refused by the kernel: the machine brakes";
    default: return "";
  }
}

std::string RunNotices::describe_sender(const NoticeLook& look) const {
  const bool is_known = look.link && look.link->commander;
  return is_known ? fmt::format(", from {}", engine::to_text(*look.link->commander)) : "";
}

void RunNotices::take_rises(const NoticeLook& look, std::uint32_t begun) {
  if (((look.status | look.news) & engine::kWaiting) != 0) begun &= ~std::uint32_t{engine::kStale};
  if ((look.status & engine::kWaiting) == 0) begun &= ~std::uint32_t{engine::kWaiting};  // over: it is armed
  for (std::size_t i = 0; i < kBits; ++i) {
    const std::uint32_t bit = std::uint32_t{1} << i;
    const std::string what = describe(bit);
    if (what.empty()) continue;
    const std::uint64_t count = of_bits_[i].take((begun & bit) != 0 ? 1 : 0, look.now);
    if (count > 0) say(to_seconds(look.risen[i]), what + times(count));
  }
}

void RunNotices::take_falls(const NoticeLook& look) {
  const std::uint32_t ended = before_ & ~look.status;
  const bool was_waiting = ((before_ | look.news) & engine::kWaiting) != 0;
  const bool is_armed = was_waiting && (look.status & (engine::kWaiting | engine::kStale)) == 0;
  const double resumed = find_fall(look, engine::kStale);
  if (is_armed) return say(resumed, fmt::format("armed: commands come{}", describe_sender(look)));
  if ((ended & kLatches) != 0 && (look.status & kLatches) == 0)
    return say(find_fall(look, ended & kLatches), "rearmed");
  const bool is_back = (ended & engine::kStale) != 0 && (look.status & engine::kSafeState) == 0;
  if (is_back) say(resumed, fmt::format("commands come again{}", describe_sender(look)));
}

void RunNotices::take_refusals(const NoticeLook& look) {
  for (std::size_t i = 1; i < engine::kRefusalCount; ++i) {
    const auto why = static_cast<Refusal>(i);
    const std::uint64_t more = look.link->counts.refused[i] - counts_.refused[i];
    const std::uint64_t count = of_refusals_[i].take(more, look.now);
    if (count == 0) continue;
    const bool is_last = look.link->last_refusal == why;
    say(find_time(look, look.link->refused_at[i]),
        fmt::format("refused {} packet{}{}: {}: {}", count, count == 1 ? "" : "s",
                    is_last ? fmt::format(" of {}", engine::to_text(look.link->last_refused)) : "",
                    engine::refusal_name(why), engine::refusal_advice(why)));
  }
}

void RunNotices::take_clips(const NoticeLook& look) {
  const std::uint64_t count = of_clips_.take(look.link->counts.clipped - counts_.clipped, look.now);
  if (count == 0 || !look.link->last_clip) return;
  const engine::Clip& clip = *look.link->last_clip;
  const engine::Channel& drive = facts_.drives.at(clip.drive);
  say(find_time(look, look.link->clipped_at),
      fmt::format("clipped {} command{} of {}: drive '{}' at {:.6g} {}{}, its {} ends at {:.6g}", count,
                  count == 1 ? "" : "s", engine::to_text(look.link->last_clipped), drive.name, clip.value,
                  drive.unit, clip.is_rate ? "/s" : "", clip.is_rate ? "speed" : "range", clip.limit));
}

void RunNotices::take_rivals(const NoticeLook& look) {
  const bool are_new = std::exchange(rivals_since_, look.link->rivals_since) != look.link->rivals_since;
  if (of_rivals_.take(look.link->rivals ? 1 : 0, look.now) == 0 || !look.link->rivals) return;
  say(are_new ? find_time(look, look.link->rivals_since) : look.time,
      fmt::format("two senders command in turns, {} and {}: the one that began first is followed: stop "
                  "the other",
                  engine::to_text(look.link->rivals->first), engine::to_text(look.link->rivals->second)));
}

void RunNotices::take_drops(const NoticeLook& look) {
  const std::uint64_t count = of_drops_.take(look.link->counts.dropped - counts_.dropped, look.now);
  if (count == 0) return;
  say(look.time,
      fmt::format("dropped {} datagram{}: they come faster than they can be read: find who floods {}", count,
                  count == 1 ? "" : "s", facts_.endpoint));
}

/// A tick now and then is counted in the report. Longer, everybody who watches has seen it.
void RunNotices::take_stalls(const NoticeLook& look) {
  const std::uint64_t lost = look.lost - std::exchange(lost_, look.lost);
  const double slipped = look.lag - std::exchange(lag_, look.lag);
  const double skipped = static_cast<double>(lost) * facts_.period;
  if (std::max(skipped, slipped) < kStall) return;
  const std::string what = skipped >= kStall ? fmt::format("{} ticks, {:.3g} s, were lost", lost, skipped)
                                             : fmt::format("{:.3g} s behind the clock", slipped);
  say(look.time,
      fmt::format("the engine stood still: {}: 'rodeo doctor' says what keeps this computer from being in "
                  "time",
                  what));
}

std::vector<std::string> RunNotices::take(const NoticeLook& look) {
  said_.clear();
  take_stalls(look);
  take_notes(look);
  take_falls(look);
  take_rises(look, (look.status | look.news) & ~before_);
  before_ = look.status;
  if (look.link) take_link(look);
  std::ranges::stable_sort(said_, {}, &Sentence::time);
  std::vector<std::string> texts;
  for (Sentence& sentence : said_) texts.push_back(std::move(sentence.text));
  return texts;
}

void RunNotices::take_link(const NoticeLook& look) {
  take_refusals(look);
  take_clips(look);
  take_rivals(look);
  take_drops(look);
  counts_ = look.link->counts;
}

}  // namespace rodeo::tools
