// SPDX-License-Identifier: MIT
#include "viz/app/video.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "viz/app/encoder.h"
#include "viz/app/pictures.h"

namespace rodeo::viz {
namespace {

namespace fs = std::filesystem;

constexpr std::array kKinds{".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".gif"};

/// On a terminal only, and only where there is time to watch it.
class Progress {
 public:
  explicit Progress(std::size_t total) : total_(total), is_on_(::isatty(STDERR_FILENO) != 0) {}
  ~Progress() {
    if (is_shown_) fmt::print(stderr, "\r\033[K");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(std::size_t done) {
    using Seconds = std::chrono::duration<double>;
    const auto now = std::chrono::steady_clock::now();
    if (!is_on_ || Seconds(now - last_).count() < 0.1) return;
    last_ = now;
    const double part = static_cast<double>(done) / static_cast<double>(total_);
    const double left = Seconds(now - start_).count() * (1 - part) / std::max(part, 1e-9);
    constexpr std::size_t kWidth = 30;
    const auto filled = static_cast<std::size_t>(kWidth * part);
    fmt::print(stderr, "\r[{}{}] {} of {} pictures, {:.0f} s left\033[K", std::string(filled, '#'),
               std::string(kWidth - filled, ' '), done, total_, std::ceil(left));
    is_shown_ = true;
  }

 private:
  std::size_t total_;
  bool is_on_;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_ = start_;
};

int even(int size) { return size + size % 2; }

}  // namespace

std::vector<double> build_video_times(double begin, double end, double fps, double speed) {
  const double step = speed / fps;
  // A rounding must not lose the last picture of a replay that ends on one.
  const auto steps = static_cast<std::size_t>(std::floor((end - begin) / step + 1e-6));
  std::vector<double> times;
  for (std::size_t i = 0; i <= steps; ++i)
    times.push_back(std::min(begin + static_cast<double>(i) * step, end));
  return times;
}

void check_video_name(const std::string& path) {
  const fs::path file(path);
  if (std::find(kKinds.begin(), kKinds.end(), file.extension()) == kKinds.end()) {
    throw SceneError(fmt::format("'{}': a video's name ends in {}", path, fmt::join(kKinds, ", ")));
  }
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    throw SceneError(fmt::format("cannot write '{}': there is no folder '{}'", path, folder.string()));
  if (fs::is_directory(file, ignored))
    throw SceneError(fmt::format("cannot write '{}': it is a folder", path));
  if (::access(folder.c_str(), W_OK) != 0)
    throw SceneError(
        fmt::format("cannot write '{}': the folder '{}' may not be written", path, folder.string()));
}

void write_video(const ViewOptions& options, Stage& stage, const Track& track, HudState state) {
  check_video_name(options.video);
  const int width = even(options.width), height = even(options.height);
  const auto times = build_video_times(track.begin_time(), track.end_time(), options.fps, options.speed);
  Encoder encoder(options.video, width, height, options.fps);
  Studio studio(stage, width, height, options.samples);
  Progress progress(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    state.sample = track.sample(times[i]);
    encoder.add(studio.take(state, &track));
    progress.show(i + 1);
  }
  encoder.finish();
}

}  // namespace rodeo::viz
