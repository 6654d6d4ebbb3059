// SPDX-License-Identifier: MIT
// The command line of rodeo-view; `rodeo view` has the same, so that what is wrong is said before anything is built.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11 named it
class App;
}

namespace rodeo::viz {

enum class CameraKind { orbit, follow, side, cab };

/// Where a channel of a display of several looks from, against the camera that all of them share. In the eye's axes: x right,
/// y up, z back.
struct Channel {
  std::array<double, 3> position{};     // m
  double yaw = 0;                       // rad, to the left
  double pitch = 0;                     // rad, up
  bool is_level = false;                // the cab looks straight on, along the ground, wherever the tool is
  std::optional<double> field_of_view;  // rad, vertical
  std::optional<std::array<int, 4>> window;  // x, y, width, height
  int screen = 0;
};

struct ViewOptions {
  std::string folder;
  std::string follow;   // HOST:PORT[,interface=eth0]
  std::string signals;  // of the packets, as in --publish
  std::string replay;   // a recording or a log
  std::string command;  // HOST:PORT
  std::string key;
  std::string phases;
  std::string screenshot;
  std::string video;
  int width = 1280;
  int height = 720;
  bool is_size_given = false;
  double fps = 30;
  double speed = 1;
  std::vector<double> times;
  std::vector<long> ticks;
  CameraKind camera = CameraKind::orbit;
  std::optional<std::array<double, 4>> view;  // x0, y0, x1, y1 of the side camera, m
  std::optional<std::array<double, 3>> eye;   // of the cab camera, m
  std::optional<double> ground;
  std::vector<std::string> charts;
  std::vector<std::string> trails;  // outputs; `none`
  std::string trail_colour = "time";
  std::string channel_file;
  Channel channel;
  int samples = 4;
  bool is_samples_given = false;
  bool has_hud = true;
  bool has_shadow = true;
  bool marks_pins = false;
  bool shows_names = false;
  bool shows_frames = false;
  bool shows_arrows = false;
  bool watch = false;
  bool benchmark = false;
};

/// Everything but the folder. The files that are named are not read yet.
void add_view_options(CLI::App& app, ViewOptions& options);

/// What the options need of each other; throws CLI::ValidationError.
void check_view_options(const ViewOptions& options);

/// Reads the command line of rodeo-view; what is wrong with it, or --help, ends the program: `status` has how. False then.
[[nodiscard]] bool read_options(int argc, char** argv, ViewOptions& options, int& status);

}  // namespace rodeo::viz
