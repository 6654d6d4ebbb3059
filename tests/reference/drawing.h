// SPDX-License-Identifier: MIT
// Drawings read back, for tests: whether an SVG is well-formed, and its scale.
#pragma once
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

namespace rodeo::reference {

/// Tags that open and close in order, attributes in quotes, no stray & or <. Enough for what we write.
inline bool is_well_formed(const std::string& xml) {
  static const std::regex kTag(R"(<(/?)([A-Za-z]+)((?: [A-Za-z0-9-]+="[^"<&]*")* ?)(/?)>)");
  static const std::regex kText(R"((?:[^<>&]|&(?:amp|lt|gt|quot|apos);)*)");
  std::vector<std::string> open;
  std::size_t at = xml.find("?>") + 2;
  for (std::smatch m; std::regex_search(xml.begin() + static_cast<long>(at), xml.end(), m, kTag);) {
    if (!std::regex_match(m.prefix().first, m.prefix().second, kText)) return false;
    at += static_cast<std::size_t>(m.position(0) + m.length(0));
    if (m[1].length() == 0 && m[4].length() == 0) open.push_back(m[2]);
    if (m[1].length() == 0) continue;
    if (open.empty() || open.back() != m[2]) return false;
    open.pop_back();
  }
  return open.empty() && xml.find_first_not_of(" \n", at) == std::string::npos;
}

/// Pixels a metre, from the scale bar and the text under it.
inline double read_scale(const std::string& svg) {
  std::smatch bar, length;
  EXPECT_TRUE(std::regex_search(
      svg, bar, std::regex(R"re(<line x1="([^"]+)" y1="[^"]+" x2="([^"]+)"[^>]*class="scale")re")));
  EXPECT_TRUE(std::regex_search(svg, length, std::regex(R"re(>([0-9.e+-]+) m</text>)re")));
  return (std::stod(bar[2]) - std::stod(bar[1])) / std::stod(length[1]);
}

}  // namespace rodeo::reference
