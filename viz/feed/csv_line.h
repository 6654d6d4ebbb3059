// SPDX-License-Identifier: MIT
// A line of a CSV file that a machine wrote: no quotes, commas between.
#pragma once
#include <string_view>
#include <vector>

namespace rodeo::viz {

/// The words of a line, without what a Windows editor leaves at its end.
[[nodiscard]] inline std::vector<std::string_view> split_csv(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  for (std::size_t at = 0;;) {
    const std::size_t comma = line.find(',', at);
    words.push_back(line.substr(at, comma - at));
    if (comma == std::string_view::npos) return words;
    at = comma + 1;
  }
}

/// Empty, or a comment.
[[nodiscard]] inline bool is_blank(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos || line[first] == '#';
}

}  // namespace rodeo::viz
