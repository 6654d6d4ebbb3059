// SPDX-License-Identifier: MIT
// What files and networks say, as a terminal may show it: no name of theirs moves the cursor, rings, rewrites a line or looks
// like a line of our own. Whatever is printed goes through here.
#pragma once
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace rodeo::engine {

enum class Lines { joined, kept };

/// `text` with every control character, mark that turns the direction of writing and byte that is no UTF-8 as \xNN, byte by byte.
/// Lines::kept leaves line ends and tabs as they are, for a text of many lines.
[[nodiscard]] std::string build_printable(std::string_view text, Lines lines = Lines::joined);

/// One sentence on stderr, printable, and the end of its line.
template <typename... Args>
void print_sentence(fmt::format_string<Args...> format, Args&&... args) {
  fmt::print(stderr, "{}\n", build_printable(fmt::format(format, std::forward<Args>(args)...)));
}

/// A text of many lines, printable, as it is.
inline void print_text(std::string_view text, std::FILE* to = stdout) {
  fmt::print(to, "{}", build_printable(text, Lines::kept));
}

}  // namespace rodeo::engine
