// SPDX-License-Identifier: MIT
#include "viz/scene/stl_check.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "viz/scene/words.h"

namespace rodeo::viz {
namespace {

/// 80 bytes of anything, the number of triangles, 50 bytes each.
std::string find_binary_fault(std::string_view text) {
  constexpr std::size_t kHead = 84, kEach = 50;
  if (text.size() < kHead) return ": the file is cut off within its head";
  std::uint32_t count = 0;
  std::memcpy(&count, text.data() + kHead - sizeof count, sizeof count);
  if (count == 0) return ": has no triangles";
  const std::size_t whole = (text.size() - kHead) / kEach;
  if (whole < count) return fmt::format(": has {} of its {} triangles, the file is cut off", whole, count);
  return "";
}

/// Line by line: solid, then per triangle facet normal, outer loop, three vertices, endloop, endfacet, at the end endsolid.
class TextCheck {
 public:
  std::string find_fault(std::string_view text) {
    while (!text.empty() && fault_.empty()) {
      const std::size_t end = text.find('\n');
      ++line_;
      look(split_words(text.substr(0, end)), std::min(end, text.size()));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    if (fault_.empty() && next_ != kSolid) fault_ = ": ends without 'endsolid', the file is cut off";
    if (fault_.empty() && triangles_ == 0) fault_ = ": has no triangles";
    return fault_;
  }

 private:
  enum Place : std::size_t { kSolid, kFacet, kLoop, kFirst, kSecond, kThird, kLoopEnd, kFacetEnd };
  struct Line {
    const char* first;
    const char* second;   // nullptr: none
    std::size_t numbers;  // behind these words
  };
  static constexpr std::array kLines{Line{"solid", nullptr, 0},   Line{"facet", "normal", 3},
                                     Line{"outer", "loop", 0},    Line{"vertex", nullptr, 3},
                                     Line{"vertex", nullptr, 3},  Line{"vertex", nullptr, 3},
                                     Line{"endloop", nullptr, 0}, Line{"endfacet", nullptr, 0}};
  static constexpr std::size_t kLongestLine = 200;  // the reader's own arrays

  void say(const std::string& what) { fault_ = fmt::format(":{}: {}", line_, what); }

  void look(const std::vector<std::string_view>& words, std::size_t length) {
    if (words.empty()) return;
    if (length > kLongestLine) return say(fmt::format("a line has {} letters", length));
    if (next_ == kFacet && words[0] == "endsolid") {
      next_ = kSolid;
    } else if (next_ == kSolid && words[0] == "solid") {
      next_ = kFacet;
    } else {
      look_at_line(words);
    }
  }

  void look_at_line(const std::vector<std::string_view>& words) {
    const Line& line = kLines[next_];
    const std::size_t begin = line.second == nullptr ? 1 : 2;
    const bool is_right = words[0] == line.first && words.size() == begin + line.numbers &&
                          (line.second == nullptr || words[1] == line.second);
    if (next_ == kSolid || !is_right) {
      return say(fmt::format("'{}' stands where '{}{}{}' belongs", words[0], line.first,
                             line.second == nullptr ? "" : " ", line.second == nullptr ? "" : line.second));
    }
    for (std::size_t i = begin; i < words.size(); ++i) {
      double value = 0;
      if (!read_whole(words[i], value) || !std::isfinite(value))
        return say(fmt::format("'{}' is no number", words[i]));
    }
    if (next_ == kFacetEnd) ++triangles_;
    next_ = next_ == kFacetEnd ? kFacet : static_cast<Place>(next_ + 1);
  }

  std::string fault_;
  Place next_ = kSolid;
  int line_ = 0;
  long triangles_ = 0;
};

}  // namespace

std::string find_stl_fault(std::string_view text) {
  const bool is_text = text.starts_with("solid") && text.find("facet") != std::string_view::npos;
  return is_text ? TextCheck().find_fault(text) : find_binary_fault(text);
}

}  // namespace rodeo::viz
