// SPDX-License-Identifier: MIT
#include "viz/app/player.h"

#include <osgGA/GUIEventAdapter>

#include <algorithm>
#include <array>

#include "viz/feed/commander.h"
#include "viz/feed/live_feed.h"
#include "viz/feed/log_file.h"
#include "viz/feed/playback.h"

namespace rodeo::viz {
namespace {

using Key = osgGA::GUIEventAdapter::KeySymbol;

constexpr std::chrono::seconds kHintTime{4};

double seconds(LiveTime from, LiveTime to) { return std::chrono::duration<double>(to - from).count(); }

class ReplayPlayer final : public Player {
 public:
  ReplayPlayer(const Scene& scene, const ViewOptions& options)
      : track_(build_track(options, scene)),
        state_(build_replay_state(options, track_)),
        playback_(track_, state_.phases, options.speed) {
    if (!options.times.empty()) playback_.go_to(options.times.front());
    if (track_.count() < 2 || !options.times.empty()) playback_.step(0);  // stands there
  }

  void press(int key) override {
    switch (key) {
      case ' ': return playback_.toggle_pause();
      case '.': return playback_.step(1);
      case ',': return playback_.step(-1);
      case '[': return playback_.change_speed(-1);
      case ']': return playback_.change_speed(1);
      case Key::KEY_Left: return playback_.jump(-1);
      case Key::KEY_Right: return playback_.jump(1);
      case Key::KEY_Home: return playback_.go_to(track_.begin_time());
      case Key::KEY_End: return playback_.go_to(track_.end_time());
      case 'n': return playback_.go_to_next_phase();
      default: return;
    }
  }

  void scrub(double part) override { playback_.go_to_part(part); }

  void update(LiveTime now, HudState& state) override {
    if (last_) playback_.advance(seconds(*last_, now));
    last_ = now;
    const std::vector<std::string> warnings = std::move(state.warnings);
    state = state_;
    state.warnings = warnings;
    state.sample = track_.sample(playback_.time());
    state.speed = playback_.speed();
    state.is_paused = playback_.is_paused();
  }

  [[nodiscard]] const Track* track() const override { return &track_; }
  [[nodiscard]] bool is_still() const override { return playback_.is_paused(); }

 private:
  Track track_;
  HudState state_;
  Playback playback_;
  std::optional<LiveTime> last_;
};

class LivePlayer final : public Player {
 public:
  LivePlayer(const Scene& scene, const ViewOptions& options)
      : feed_(scene, engine::build_destination(options.follow), options.signals), source_(options.follow) {
    if (!options.command.empty())
      commander_ = std::make_unique<Commander>(scene, options.command, options.key);
  }

  void press(int key) override {
    if (!commander_) return hint(key);
    const auto wish = find_wish(key);
    wish ? commander_->send(*wish) : drive(key, true);
  }

  void release(int key) override {
    if (commander_) drive(key, false);
  }

  void update(LiveTime now, HudState& state) override {
    feed_.update(now);
    if (commander_ && feed_.newest()) commander_->note(*feed_.newest());
    state.is_live = true;
    state.source = source_;
    state.has_data = feed_.has_data();
    state.sample = feed_.calc_sample(now);
    state.rate = feed_.calc_rate();
    state.notice = feed_.calc_notice(now);
    for (const std::string& warning : feed_.calc_warnings(now)) state.warnings.push_back(warning);
    if (!commander_) {
      if (now < hint_until_) state.warnings.emplace_back("keys command the engine with --command HOST:PORT");
      return;
    }
    if (const std::string trouble = commander_->trouble(); !trouble.empty())
      state.warnings.push_back(trouble);
  }

  [[nodiscard]] const Track* track() const override { return feed_.has_data() ? &feed_.track() : nullptr; }
  [[nodiscard]] bool is_still() const override { return false; }

 private:
  /// The map of `rodeo run`; here `.` is one tick too, as it is one state in a replay.
  static std::optional<engine::KeyWish> find_wish(int key) {
    if (key == '.') return engine::KeyWish{engine::Verb::step, 0, false};
    const bool is_ascii = key > 0 && key < 128;
    return is_ascii ? engine::find_key_wish(engine::to_capital(static_cast<char>(key))) : std::nullopt;
  }

  void hint(int key) {
    constexpr std::array<int, 4> kArrows{Key::KEY_Up, Key::KEY_Down, Key::KEY_Left, Key::KEY_Right};
    const bool is_arrow = std::find(kArrows.begin(), kArrows.end(), key) != kArrows.end();
    if (is_arrow || find_wish(key)) hint_until_ = LiveTime::clock::now() + kHintTime;
  }

  void drive(int key, bool is_down) {
    switch (key) {
      case Key::KEY_Up: return commander_->drive(0, is_down ? 1 : 0);
      case Key::KEY_Down: return commander_->drive(0, is_down ? -1 : 0);
      case Key::KEY_Right: return commander_->drive(1, is_down ? 1 : 0);
      case Key::KEY_Left: return commander_->drive(1, is_down ? -1 : 0);
      default: return;
    }
  }

  LiveFeed feed_;
  std::string source_;
  std::unique_ptr<Commander> commander_;
  LiveTime hint_until_;  // somebody pressed a key that would be a command
};

}  // namespace

std::unique_ptr<Player> build_player(const Scene& scene, const ViewOptions& options) {
  if (!options.follow.empty()) return std::make_unique<LivePlayer>(scene, options);
  return std::make_unique<ReplayPlayer>(scene, options);
}

Track build_track(const ViewOptions& options, const Scene& scene) {
  if (!options.replay.empty()) return build_track_from_log(options.replay, scene);
  Track track(scene);
  track.add(build_start_sample(scene));
  return track;
}

HudState build_replay_state(const ViewOptions& options, const Track& track) {
  HudState state;
  state.begin = track.begin_time();
  state.end = track.end_time();
  state.speed = options.speed;
  state.source = options.replay;
  if (!options.phases.empty()) state.phases = build_phases(options.phases);
  const double span = state.end - state.begin;
  state.rate = span > 0 ? static_cast<double>(track.count() - 1) / span : 0;
  return state;
}

}  // namespace rodeo::viz
