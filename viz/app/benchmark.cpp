// SPDX-License-Identifier: MIT
#include "viz/app/benchmark.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>

#include "viz/app/pictures.h"
#include "viz/app/samples.h"

namespace rodeo::viz {
namespace {

constexpr int kWarmUp = 10;         // pictures: compiles shaders, loads what is drawn
constexpr double kStep = 1.0 / 30;  // s of the replay from one picture to the next
constexpr int kFewest = 30;

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double cpu_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto ms = [](const timeval& t) {
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_usec);
  };
  return ms(usage.ru_utime) + ms(usage.ru_stime);
}

}  // namespace

PictureCost measure_pictures(const ViewOptions& options, Stage& stage, const Track& track, HudState state,
                             double seconds) {
  Studio studio(stage, options.width, options.height, options.samples);
  const double span = std::max(track.end_time() - track.begin_time(), kStep);
  PictureCost sum;
  double cpu_start = 0;
  Clock::time_point start;
  for (int i = -kWarmUp; i < kFewest || since(start) < 1e3 * seconds; ++i) {
    if (i == 0) start = Clock::now(), cpu_start = cpu_time(), sum = {};
    state.sample = track.sample(track.begin_time() + std::fmod((i + kWarmUp) * kStep, span));
    const DrawTimes times = studio.draw_timed(state, &track);
    ++sum.pictures;
    sum.update += times.update, sum.cull += times.cull, sum.draw += times.draw, sum.finish += times.finish;
  }
  const double n = sum.pictures;
  return {sum.pictures,
          since(start) / n,
          sum.update / n,
          sum.cull / n,
          sum.draw / n,
          sum.finish / n,
          (cpu_time() - cpu_start) / n};
}

std::string describe_cost(const PictureCost& cost, const ViewOptions& options) {
  return fmt::format(
      "{:.1f} pictures a second ({} pictures of {}x{}, {} samples a pixel, {})\n"
      "{:.2f} ms a picture: update {:.2f}, cull {:.2f}, draw {:.2f}, finish {:.2f}; {:.2f} ms of "
      "processors\n",
      1e3 / cost.total, cost.pictures, options.width, options.height, options.samples,
      options.has_shadow ? "shadow" : "no shadow", cost.total, cost.update, cost.cull, cost.draw, cost.finish,
      cost.cpu);
}

int run_benchmark(const ViewOptions& options, Stage& stage, const Track& track, const HudState& state) {
  constexpr double kSeconds = 5;
  ViewOptions used = options;
  used.samples = find_window_samples(options);
  fmt::print("{}", describe_cost(measure_pictures(used, stage, track, state, kSeconds), used));
  return 0;
}

}  // namespace rodeo::viz
