// SPDX-License-Identifier: MIT
// -o, --size and --title of the commands that draw figures, and the file that comes of them.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "viz/plot/figure.h"

namespace rodeo::tools {

struct PictureOptions {
  std::string output;
  std::string title;
  std::string size;  // WxH
};

/// The option -o, which is required.
CLI::Option* add_picture_options(CLI::App& command, PictureOptions& options);

/// Throws OutputError when the file cannot be written or is one that is read: before the work, not after it.
void check_picture(const PictureOptions& options, const std::vector<std::string>& read);

/// By the ending of the name: a page of our own for .html, else by gnuplot. Throws IoError and OutputError.
void write_picture(plot::Figure figure, const PictureOptions& options);

}  // namespace rodeo::tools
