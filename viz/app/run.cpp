// SPDX-License-Identifier: MIT
#include "viz/app/run.h"

#include <fmt/format.h>
#include <osg/Notify>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "engine/io/printable.h"
#include "engine/net/error.h"
#include "viz/app/benchmark.h"
#include "viz/app/picture_file.h"
#include "viz/app/pictures.h"
#include "viz/app/player.h"
#include "viz/app/video.h"
#include "viz/app/window_run.h"
#include "viz/feed/live_feed.h"
#include "viz/feed/log_file.h"

namespace rodeo::viz {
namespace {

/// OSG's own chatter says less than our sentences.
void silence_osg() {
  if (std::getenv("OSG_NOTIFY_LEVEL") == nullptr) osg::setNotifyLevel(osg::FATAL);
}

HudState build_state(const ViewOptions& options, const Stage& stage, const Track& track) {
  HudState state = build_replay_state(options, track);
  state.warnings = stage.troubles();
  return state;
}

/// The state of this tick, or the last one before it.
double find_time(const Track& track, long tick) {
  std::size_t low = 0, high = track.count();  // ticks rise with the rows
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (track.row(middle).tick <= tick ? low : high) = middle;
  }
  return track.time(low);
}

void check_times(const ViewOptions& options, const Track& track) {
  constexpr double kRounding = 1e-9;
  for (const double time : options.times) {
    if (time >= track.begin_time() - kRounding && time <= track.end_time() + kRounding) continue;
    throw engine::AddressError(fmt::format("--time {}: what is shown goes from {:.6g} to {:.6g} s", time,
                                           track.begin_time(), track.end_time()));
  }
}

void write_screenshots(const ViewOptions& options, Stage& stage, const Track& track) {
  check_picture_name(options.screenshot);
  check_times(options, track);
  std::vector<double> times = options.times;
  for (const long tick : options.ticks) times.push_back(find_time(track, tick));
  if (times.empty()) times.push_back(track.begin_time());
  Studio studio(stage, options.width, options.height, options.samples);
  HudState state = build_state(options, stage, track);
  for (std::size_t i = 0; i < times.size(); ++i) {
    state.sample = track.sample(times[i]);
    std::string name = options.screenshot;
    if (const auto at = name.find("{}"); at != std::string::npos) name.replace(at, 2, std::to_string(i));
    write_picture(studio.take(state, &track), name);
  }
}

/// Of a machine that runs, as soon as its states come.
void write_live_screenshot(const ViewOptions& options, const Scene& scene) {
  constexpr std::chrono::seconds kPatience{5};
  check_picture_name(options.screenshot);
  const std::unique_ptr<Player> player = build_player(scene, options);
  Stage stage(scene, options, nullptr);
  HudState state;
  const auto until = LiveTime::clock::now() + kPatience;
  while (LiveTime::clock::now() < until &&
         (!state.has_data || state.rate == 0 || player->track() == nullptr)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    state = HudState();
    player->update(LiveTime::clock::now(), state);
  }
  for (const std::string& warning : state.warnings) engine::print_sentence("{}", warning);
  if (player->track() == nullptr)
    throw RenderError(fmt::format("no states came to {} within 5 s", options.follow));
  Studio studio(stage, options.width, options.height, options.samples);
  write_picture(studio.take(state, player->track()), options.screenshot);
}

void check_combination(const ViewOptions& options) {
  const bool draws_track = !options.video.empty() || options.benchmark;
  if (draws_track && !options.follow.empty())
    throw engine::AddressError("--follow: --video and --benchmark are of a replay");
}

}  // namespace

int run(const ViewOptions& options) {
  silence_osg();
  check_combination(options);
  const bool is_windowless = !options.screenshot.empty() || !options.video.empty() || options.benchmark;
  if (!is_windowless) {
    run_window(options);
    return 0;
  }
  Scene scene = build_scene(options.folder);
  add_charted(scene, options.replay, options.charts);
  if (!options.follow.empty()) {
    add_charted(scene, engine::build_destination(options.follow), options.signals, options.charts);
    write_live_screenshot(options, scene);
    return 0;
  }
  const Track track = build_track(options, scene);
  Stage stage(scene, options, &track);
  for (const std::string& trouble : stage.troubles()) engine::print_sentence("{}", trouble);
  if (options.benchmark) return run_benchmark(options, stage, track, build_state(options, stage, track));
  if (!options.video.empty()) write_video(options, stage, track, build_state(options, stage, track));
  if (options.video.empty() || !options.screenshot.empty()) write_screenshots(options, stage, track);
  return 0;
}

}  // namespace rodeo::viz
