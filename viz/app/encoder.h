// SPDX-License-Identifier: MIT
// ffmpeg as a child that eats raw pictures. The file appears under its name when the last of them is in it.
#pragma once
#include <sys/types.h>

#include <string>

#include "viz/app/offscreen.h"

namespace rodeo::viz {

class Encoder {
 public:
  /// Starts ffmpeg. Throws RenderError: there is none.
  Encoder(const std::string& path, int width, int height, double fps);
  /// Without finish() ffmpeg is ended and nothing is left.
  ~Encoder();
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  /// Of the size given. Throws RenderError with ffmpeg's reason, or if a signal (SIGINT, SIGTERM) came.
  void add(const Picture& picture);
  /// Throws RenderError with ffmpeg's reason, SceneError if the file cannot be put in its place.
  void finish();

 private:
  void start(int width, int height, double fps);
  [[nodiscard]] int wait();
  [[noreturn]] void fail();
  [[nodiscard]] std::string find_reason() const;

  std::string path_;
  std::string draft_;
  pid_t child_ = -1;
  int pipe_ = -1;      // its standard input
  int messages_ = -1;  // a nameless file: its standard error
};

}  // namespace rodeo::viz
