// SPDX-License-Identifier: MIT
#include "viz/scene/mesh_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "viz/scene/mesh.h"
#include "viz/scene/ply_check.h"
#include "viz/scene/stl_check.h"
#include "viz/scene/words.h"

namespace rodeo::viz {
namespace {

std::string read_all(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Looks through an OBJ file line by line. Only what draws surfaces is looked at: v, vt, vn and f.
class ObjCheck {
 public:
  std::string find_fault(std::string_view text) {
    while (!text.empty() && fault_.empty()) {
      const std::size_t end = text.find('\n');
      ends_in_line_ = end == std::string_view::npos;
      ++line_;
      look(split_words(text.substr(0, end)));
      text.remove_prefix(ends_in_line_ ? text.size() : end + 1);
    }
    if (fault_.empty()) look_at_end();
    return fault_;
  }

 private:
  static constexpr std::array<const char*, 3> kWhat{"vertex", "texture vertex", "normal"};

  void say(const std::string& what) { fault_ = fmt::format(":{}: {}", line_, what); }

  void look(const std::vector<std::string_view>& words) {
    is_face_ = !words.empty() && words[0] == "f";
    if (is_face_) return look_at_face(words);
    if (words.empty()) return;
    if (words[0] == "v") look_at_numbers(words, 0, 3);
    if (words[0] == "vt") look_at_numbers(words, 1, 1);
    if (words[0] == "vn") look_at_numbers(words, 2, 3);
  }

  void look_at_numbers(const std::vector<std::string_view>& words, std::size_t kind, std::size_t fewest) {
    ++counts_[kind];
    if (words.size() <= fewest)
      return say(fmt::format("a {} has {} numbers, not {}", kWhat[kind], words.size() - 1, fewest));
    for (std::size_t i = 1; i < words.size(); ++i) {
      double value = 0;
      if (!read_whole(words[i], value) || !std::isfinite(value))
        return say(fmt::format("'{}' is no number", words[i]));
    }
  }

  void look_at_face(const std::vector<std::string_view>& words) {
    ++faces_;
    if (words.size() < 4) return say(fmt::format("a face has {} corners", words.size() - 1));
    for (std::size_t i = 1; i < words.size() && fault_.empty(); ++i) look_at_corner(words[i], words[1]);
  }

  /// `4`, `4/2`, `4//7` or `4/2/7`: all corners of a face alike.
  void look_at_corner(std::string_view word, std::string_view model) {
    const auto slashes = [](std::string_view text) { return std::count(text.begin(), text.end(), '/'); };
    if (slashes(word) != slashes(model) || slashes(word) > 2)
      return say(fmt::format("'{}' is no corner of a face", word));
    std::string_view rest = word;
    for (std::size_t kind = 0; kind < 3 && fault_.empty(); ++kind) {
      const std::size_t slash = rest.find('/');
      if (const std::string_view index = rest.substr(0, slash); !index.empty())
        look_at_index(index, kind);
      else if (kind != 1)
        say(fmt::format("'{}' is no corner of a face", word));
      if (slash == std::string_view::npos) return;
      rest.remove_prefix(slash + 1);
    }
  }

  /// From 1 on, or from -1 backwards.
  void look_at_index(std::string_view word, std::size_t kind) {
    long index = 0;
    if (!read_whole(word, index)) return say(fmt::format("'{}' is no corner of a face", word));
    const long count = counts_[kind];
    if (index == 0 || index > count || index < -count)
      return say(fmt::format("a face names {} {}, there are {}", kWhat[kind], index, count));
    if (kind == 0) highest_ = std::max(highest_, index > 0 ? index : count + 1 + index);
  }

  void look_at_end() {
    if (faces_ == 0) return say("the file ends without a face");
    if (ends_in_line_ && is_face_ && highest_ < counts_[0])
      say(fmt::format("the file ends within a line, and no face names vertex {}", counts_[0]));
  }

  std::string fault_;
  int line_ = 0;
  long faces_ = 0;
  long highest_ = 0;  // vertex that a face names
  std::array<long, 3> counts_{};
  bool ends_in_line_ = false;
  bool is_face_ = false;
};

}  // namespace

std::string find_mesh_fault(const std::filesystem::path& path) {
  const std::string kind = find_extension(path);
  if (kind == "obj") return ObjCheck().find_fault(read_all(path));
  if (kind == "stl") return find_stl_fault(read_all(path));
  if (kind == "ply") return find_ply_fault(read_all(path));
  return "";
}

}  // namespace rodeo::viz
