// SPDX-License-Identifier: MIT
// A drawing surface without a screen: an EGL context that asks for neither an X server nor a graphics card, current in the thread that
// made it.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace rodeo::viz {

/// Pictures cannot be drawn here. Exit status 3.
class RenderError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Rows from the top, three bytes a pixel: red, green, blue.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;
};

class Offscreen {
 public:
  /// `samples`: of each pixel, where the system can. Throws RenderError.
  Offscreen(int width, int height, int samples);
  ~Offscreen();
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

  /// What was drawn last.
  [[nodiscard]] Picture read() const;

 private:
  int width_;
  int height_;
  void* display_ = nullptr;
  void* context_ = nullptr;
  void* surface_ = nullptr;
};

/// What is in the current context, whoever made it.
[[nodiscard]] Picture read_pixels(int width, int height);

}  // namespace rodeo::viz
