// SPDX-License-Identifier: MIT
#include "viz/app/options.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <map>

#include "engine/io/printable.h"
#include "engine/net/destination.h"
#include "viz/app/channel_file.h"
#include "viz/app/in_range.h"
#include "viz/feed/scene_file.h"

namespace rodeo::viz {
namespace {

constexpr int kLargest = 16384;  // pixels

/// Numbers with a separator between them; as many as asked for, or none at all.
std::vector<double> split_numbers(const std::string& text, char separator, std::size_t count) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at <= end) {
    double value = 0;
    const auto result = std::from_chars(at, end, value);
    if (result.ec != std::errc() || !std::isfinite(value)) return {};
    numbers.push_back(value);
    if (result.ptr == end) break;
    if (*result.ptr != separator) return {};
    at = result.ptr + 1;
  }
  return numbers.size() == count ? numbers : std::vector<double>();
}

void read_size(const std::string& text, ViewOptions& options) {
  const auto numbers = split_numbers(text, 'x', 2);
  const auto is_well = [](double n) { return n == std::floor(n) && n >= 16 && n <= kLargest; };
  if (numbers.empty() || !is_well(numbers[0]) || !is_well(numbers[1]))
    throw CLI::ValidationError("--size", "'" + text + "' must be WIDTHxHEIGHT in pixels, as in 1280x720");
  options.width = static_cast<int>(numbers[0]);
  options.height = static_cast<int>(numbers[1]);
  options.is_size_given = true;
}

void read_view(const std::string& text, ViewOptions& options) {
  const auto n = split_numbers(text, ',', 4);
  if (n.empty() || n[2] <= n[0] || n[3] <= n[1])
    throw CLI::ValidationError("--view", "'" + text + "' must be x0,y0,x1,y1 in metres, as in -3,-1,5,4");
  options.view = {n[0], n[1], n[2], n[3]};
}

void read_eye(const std::string& text, ViewOptions& options) {
  const auto n = split_numbers(text, ',', 3);
  if (n.empty())
    throw CLI::ValidationError("--eye", "'" + text + "' must be x,y,z in metres, as in -1.5,2.8,0");
  options.eye = {n[0], n[1], n[2]};
}

/// CLI11's checks return a sentence, the engine throws one.
std::string check_source(const std::string& text) {
  try {
    static_cast<void>(engine::build_destination(text));
  } catch (const engine::AddressError& error) {
    return error.what();
  }
  return "";
}

std::string check_address(const std::string& text) {
  try {
    static_cast<void>(engine::build_endpoint(text));
  } catch (const engine::AddressError& error) {
    return error.what();
  }
  return "";
}

std::string check_picture(const std::string& name) {
  const bool fits = name.ends_with(".png") || name.ends_with(".ppm");
  return fits ? "" : "'" + name + "' must end in .png or .ppm";
}

void add_sources(CLI::App& app, ViewOptions& options) {
  auto* follow =
      app.add_option("--follow", options.follow,
                     "HOST:PORT[,interface=eth0] where the engine's states arrive: an address of this "
                     "computer, or a multicast group")
          ->check(check_source);
  app.add_option("--signals", options.signals, "Of those states, if not all: as in 'rodeo run --publish'")
      ->needs(follow);
  app.add_option("--replay", options.replay, "A recording (.mcap) or a log (.csv)")->excludes(follow);
  auto* command = app.add_option("--command", options.command,
                                 "With --follow: HOST:PORT of the engine: keys freeze, run, reset, drive it")
                      ->check(check_address)
                      ->needs(follow);
  app.add_option("--key", options.key, "With --command: the engine's key file")->needs(command);
  app.add_option("--phases", options.phases, "CSV with columns t,phase: marked, key n jumps to the next");
  app.add_flag("--watch", options.watch, "Show the machine anew when its file or folder has changed");
}

void add_pictures(CLI::App& app, ViewOptions& options) {
  app.add_option(
         "--screenshot", options.screenshot,
         "Write a picture (.png, .ppm) without a window; with several --time or --tick '{}' in its name "
         "is the number of the picture")
      ->check(check_picture);
  app.add_option("--video", options.video,
                 "Write the replay as a video (.mp4 ...) without a window, by ffmpeg");
  app.add_option_function<std::string>(
      "--size", [&options](const std::string& text) { read_size(text, options); }, "Pixels, as in 1920x1080");
  app.add_option("--fps", options.fps, "Pictures a second of the video")
      ->check(in_range(1.0, 240.0))
      ->capture_default_str();
  app.add_option("--speed", options.speed, "Of the replay: 0.25 is slow motion")
      ->check(in_range(0.001, 1000.0));
  app.add_option("--time", options.times, "Second of the replay; may be repeated")->allow_extra_args(false);
  app.add_option("--tick", options.ticks, "Tick of the replay; may be repeated")->allow_extra_args(false);
  app.add_option("--samples", options.samples,
                 "Of each pixel: smooth edges; without a graphics card a window has none if not given")
      ->check(in_range(0, 16))
      ->capture_default_str();
  app.add_flag("--benchmark", options.benchmark,
               "Draw off-screen as fast as it goes and print pictures a second");
}

void add_camera(CLI::App& app, ViewOptions& options) {
  static const std::map<std::string, CameraKind> kinds{{"orbit", CameraKind::orbit},
                                                       {"follow", CameraKind::follow},
                                                       {"side", CameraKind::side},
                                                       {"cab", CameraKind::cab}};
  app.add_option("--camera", options.camera, "orbit, follow, side (orthographic, to scale) or cab")
      ->transform(CLI::CheckedTransformer(kinds).description(""));
  app.add_option_function<std::string>(
      "--view", [&options](const std::string& text) { read_view(text, options); },
      "x0,y0,x1,y1: what the side camera shows, m; all that moves if not given");
  app.add_option_function<std::string>(
      "--eye", [&options](const std::string& text) { read_eye(text, options); },
      "x,y,z: where the cab camera sits, m");
  app.add_option("--channel", options.channel_file,
                 "YAML or JSON file of one channel of a display: position, yaw, pitch, level, field_of_view, "
                 "window, screen");
  app.add_option("--ground", options.ground, "Height of the ground, m");
}

void add_looks(CLI::App& app, ViewOptions& options) {
  app.add_option("--chart", options.charts, "A signal's last seconds, as in tip.y; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--trail", options.trails, "Output whose path is drawn, or none; the first if not given")
      ->allow_extra_args(false);
  app.add_option("--trail-colour", options.trail_colour, "By time or by speed")
      ->check(CLI::IsMember({"time", "speed"}))
      ->capture_default_str();
  app.add_flag("--names", options.shows_names, "Names of joints");
  app.add_flag("--frames", options.shows_frames, "Frames of bodies");
  app.add_flag("--arrows", options.shows_arrows, "Velocities of pins");
  app.add_flag("--mark-pins", options.marks_pins,
               "A flat disc of a colour of its own on every joint, for measuring");
  app.add_flag("!--no-hud", options.has_hud, "Without figures");
  app.add_flag("!--no-shadow", options.has_shadow, "Without shadow");
}

}  // namespace

void add_view_options(CLI::App& app, ViewOptions& options) {
  add_sources(app, options);
  add_pictures(app, options);
  add_camera(app, options);
  add_looks(app, options);
}

void check_view_options(const ViewOptions& options) {
  const bool is_several = options.times.size() + options.ticks.size() > 1;
  if (is_several && !options.screenshot.empty() && options.screenshot.find("{}") == std::string::npos) {
    throw CLI::ValidationError(
        "--screenshot",
        "one name for several --time or --tick: write {} where the picture's number goes, as in p{}.png");
  }
  if (options.video.empty() || !options.replay.empty() || !options.follow.empty()) return;
  throw CLI::ValidationError(
      "--video",
      "is a film of a replay: give --replay with a recording (rodeo run --record) or a log (rodeo simulate "
      "-o); a picture of the start is --screenshot");
}

bool read_options(int argc, char** argv, ViewOptions& options, int& status) {
  CLI::App app("Shows a machine: its states live, a recording or a log", "rodeo-view");
  app.add_option("FOLDER", options.folder, "A folder made by 'rodeo build'")->required();
  add_view_options(app, options);
  app.footer("Example: rodeo view configs/wheel_loader.yaml --replay log.csv");
  try {
    app.parse(argc, argv);
    check_view_options(options);
    if (!options.channel_file.empty()) options.channel = build_channel(options.channel_file);
    if (options.channel.window && !options.is_size_given) {
      options.width = (*options.channel.window)[2];
      options.height = (*options.channel.window)[3];
    }
    options.is_samples_given = app.count("--samples") > 0;
    return true;
  } catch (const CLI::CallForHelp& help) {
    status = app.exit(help);
  } catch (const CLI::ParseError& error) {
    engine::print_sentence("rodeo-view: {}", error.what());
    status = 2;
  } catch (const SceneError& error) {
    engine::print_sentence("{}", error.what());
    status = 1;
  }
  return false;
}

}  // namespace rodeo::viz
