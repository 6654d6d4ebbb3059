// SPDX-License-Identifier: MIT
// Words and numbers of a line of a mesh file.
#pragma once
#include <charconv>
#include <string_view>
#include <vector>

namespace rodeo::viz {

[[nodiscard]] inline std::vector<std::string_view> split_words(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0;;) {
    const std::size_t begin = line.find_first_not_of(" \t\r", at);
    if (begin == std::string_view::npos) return words;
    at = line.find_first_of(" \t\r", begin);
    words.push_back(line.substr(begin, at - begin));
    if (at == std::string_view::npos) return words;
  }
}

/// False if the word is not a number from its first letter to its last.
template <typename T>
[[nodiscard]] bool read_whole(std::string_view word, T& value) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
  return result.ec == std::errc() && result.ptr == word.data() + word.size();
}

}  // namespace rodeo::viz
