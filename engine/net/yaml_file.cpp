// SPDX-License-Identifier: MIT
#include "engine/net/yaml_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "engine/io/input.h"

namespace rodeo::engine {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;

std::string read_text(const std::string& path) {
  const auto fail = [&](int error) {
    throw IoError(fmt::format("cannot read '{}': {}", path, std::generic_category().message(error)));
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail(EISDIR);
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(errno);
  std::string text(kMostBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kMostBytes) throw IoError(fmt::format("{}: is larger than 1 MiB", path));
  return text;
}

}  // namespace

YamlNode YamlNode::build_from_file(const std::string& path) { return build_from_text(read_text(path), path); }

YamlNode YamlNode::build_from_text(const std::string& text, const std::string& file) {
  try {
    return {file, "", YAML::Load(text), YAML::Mark()};
  } catch (const YAML::Exception& error) {
    const int line = error.mark.is_null() ? 1 : error.mark.line + 1;
    throw IoError(fmt::format("{}:{}: is no YAML: {}", file, line, error.msg));
  }
}

void YamlNode::refuse(const std::string& why) const {
  const int line = std::max(0, mark_.is_null() ? 0 : mark_.line) + 1;
  throw IoError(fmt::format("{}:{}: {}{}{}", file_, line, what_, what_.empty() ? "" : ": ", why));
}

YamlNode YamlNode::named(std::string what) const { return {file_, std::move(what), node_, mark_}; }

std::vector<YamlEntry> YamlNode::entries() const {
  if (!node_.IsMap()) refuse("must be a map, as in {key: value}");
  std::vector<YamlEntry> found;
  for (const auto& pair : node_) {
    const YamlNode key(file_, what_, pair.first, pair.first.Mark());
    if (!pair.first.IsScalar()) key.refuse("a key must be a word");
    const std::string name = pair.first.Scalar();
    const auto is_same = [&](const YamlEntry& entry) { return entry.key == name; };
    if (std::any_of(found.begin(), found.end(), is_same)) {
      key.refuse(fmt::format("'{}' is there twice: leave one", name));
    }
    found.push_back({name, YamlNode(file_, what_, pair.second, pair.first.Mark())});
  }
  return found;
}

std::vector<YamlEntry> YamlNode::entries_of(const std::vector<std::string_view>& allowed) const {
  std::vector<YamlEntry> found = entries();
  for (const YamlEntry& entry : found) {
    if (std::find(allowed.begin(), allowed.end(), entry.key) != allowed.end()) continue;
    entry.value.refuse(
        fmt::format("there is no '{}' here (there is {})", entry.key, fmt::join(allowed, ", ")));
  }
  return found;
}

std::string YamlNode::text() const {
  if (!node_.IsScalar()) refuse("must be a word or a number");
  return node_.Scalar();
}

double YamlNode::number() const {
  const std::string word = text();
  const char* begin = word.data() + (word.starts_with('+') ? 1 : 0);
  double value = 0;
  const auto result = std::from_chars(begin, word.data() + word.size(), value);
  if (result.ec != std::errc() || result.ptr != word.data() + word.size() || !std::isfinite(value)) {
    refuse(fmt::format("'{}' is no number", word));
  }
  return value;
}

}  // namespace rodeo::engine
