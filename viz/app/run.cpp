// SPDX-License-Identifier: MIT
#include "viz/app/run.h"

#include <fmt/format.h>
#include <osg/Notify>

#include <cstdlib>
#include <optional>

#include "viz/app/benchmark.h"
#include "viz/app/picture_file.h"
#include "viz/app/pictures.h"
#include "viz/app/video.h"
#include "viz/feed/log_file.h"

namespace rodeo::viz {
namespace {

/// OSG's own chatter says less than our sentences.
void silence_osg() {
  if (std::getenv("OSG_NOTIFY_LEVEL") == nullptr) osg::setNotifyLevel(osg::FATAL);
}

HudState build_state(const ViewOptions& options, const Stage& stage, const Track& track) {
  HudState state;
  state.begin = track.begin_time();
  state.end = track.end_time();
  state.speed = options.speed;
  state.source = options.replay;
  state.warnings = stage.troubles();
  const double span = state.end - state.begin;
  state.rate = span > 0 ? static_cast<double>(track.count() - 1) / span : 0;
  return state;
}

void write_screenshots(const ViewOptions& options, Stage& stage, const Track& track) {
  check_picture_name(options.screenshot);
  std::vector<double> times = options.times;
  for (const long tick : options.ticks)
    times.push_back(track.time(std::min<std::size_t>(static_cast<std::size_t>(tick), track.count() - 1)));
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

Track build_track(const ViewOptions& options, const Scene& scene) {
  if (!options.replay.empty()) return build_track_from_log(options.replay, scene);
  Track track(scene.bodies.size(), scene.drives.size());
  track.add(build_start_sample(scene));
  return track;
}

}  // namespace

int run(const ViewOptions& options) {
  silence_osg();
  const Scene scene = build_scene(options.folder);
  const Track track = build_track(options, scene);
  Stage stage(scene, options, &track);
  for (const std::string& trouble : stage.troubles()) fmt::print(stderr, "{}\n", trouble);
  if (options.benchmark) return run_benchmark(options, stage, track, build_state(options, stage, track));
  if (!options.video.empty()) write_video(options, stage, track, build_state(options, stage, track));
  if (options.video.empty() || !options.screenshot.empty()) write_screenshots(options, stage, track);
  return 0;
}

}  // namespace rodeo::viz
