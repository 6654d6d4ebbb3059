// SPDX-License-Identifier: MIT
#include "viz/feed/phase_file.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>

#include "viz/feed/csv_line.h"

namespace rodeo::viz {

Phases build_phases(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw SceneError(fmt::format("{}: cannot be read", path));
  Phases phases;
  bool has_header = false;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (is_blank(line)) continue;
    const auto words = split_csv(line);
    const auto refuse = [&](const std::string& why) {
      throw SceneError(fmt::format("{}:{}: {}", path, number, why));
    };
    if (!has_header) {
      if (words.size() != 2 || words[0] != "t" || words[1] != "phase") refuse("the header must be t,phase");
      has_header = true;
      continue;
    }
    if (words.size() != 2) refuse("must be a time and a phase");
    double time = 0;
    const char* end = words[0].data() + words[0].size();
    const auto result = std::from_chars(words[0].data(), end, time);
    if (result.ec != std::errc() || result.ptr != end || !std::isfinite(time))
      refuse(fmt::format("'{}' is no time", words[0]));
    if (!phases.empty() && time <= phases.back().first) refuse("time does not rise");
    phases.emplace_back(time, words[1]);
  }
  if (!has_header) throw SceneError(path + ": is empty");
  return phases;
}

}  // namespace rodeo::viz
