// SPDX-License-Identifier: MIT
// A replay as a video: pictures drawn off-screen and handed to ffmpeg through a pipe, which encodes them. Whole or not at all.
#pragma once
#include <string>
#include <vector>

#include "viz/app/hud.h"
#include "viz/app/stage.h"

namespace rodeo::viz {

/// Seconds of the replay that the pictures show: `fps` a second of the video, which runs `speed` times as fast as the replay. The
/// last is at its end or less than a picture before.
[[nodiscard]] std::vector<double> build_video_times(double begin, double end, double fps, double speed);

/// Before the work. Throws SceneError.
void check_video_name(const std::string& path);

/// `state`: all but the sample and the time. A size that is odd becomes even, as encoders want it. Throws SceneError: cannot be
/// written; RenderError: there is no ffmpeg, or it failed.
void write_video(const ViewOptions& options, Stage& stage, const Track& track, HudState state);

}  // namespace rodeo::viz
