// SPDX-License-Identifier: MIT
// A value ends where its YAML does: in `{...}` at a comma or bracket, in a block at a comment or the end of the line, in
// quotes at the closing one. The caller reads the new text again and compares, so a layout that is not met here is
// refused, never written.
#include "tools/rodeo/offline_rewrite.h"

#include <algorithm>

namespace rodeo::tools {
namespace {

constexpr const char* kBlank = " \t";

std::size_t find_line(const std::string& text, int line) {
  std::size_t at = 0;
  for (; line > 1; --line) at = text.find('\n', at) + 1;
  return at;
}

/// Where `name:` begins, from `at` on, as a key: after a blank, a bracket or a comma.
std::size_t find_key(const std::string& text, const std::string& name, std::size_t at) {
  for (at = text.find(name + ":", at); at != std::string::npos; at = text.find(name + ":", at + 1)) {
    if (at == 0 || std::string_view(" \t\n{,").find(text[at - 1]) != std::string_view::npos) return at;
  }
  return text.size();
}

std::size_t find_end(const std::string& text, std::size_t begin, bool in_brackets) {
  if (begin < text.size() && (text[begin] == '"' || text[begin] == '\'')) {
    return std::min(text.find(text[begin], begin + 1), text.size() - 1) + 1;
  }
  std::size_t end = begin;
  for (; end < text.size() && text[end] != '\n'; ++end) {
    if (in_brackets && (text[end] == ',' || text[end] == '}')) break;
    if (text[end] == '#' && (text[end - 1] == ' ' || text[end - 1] == '\t')) break;
  }
  while (end > begin && std::string_view(kBlank).find(text[end - 1]) != std::string_view::npos) --end;
  return end;
}

/// Plain where YAML reads it as it stands, on either side of a bracket; else in quotes.
std::string quote_if_needed(const std::string& value) {
  const bool is_plain =
      value.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.+-*/^() ") ==
      std::string::npos;
  const bool begins_well =
      value.find_first_of("*+/^) ") != 0 && !value.starts_with("- ") && !value.ends_with(' ');
  return is_plain && begins_well ? value : '"' + value + '"';
}

}  // namespace

std::string build_with_parameter(const std::string& text, const text::Node& root, const std::string& name,
                                 const std::string& value) {
  const text::Node& parameters = *root.find("parameters");
  const auto entry = std::find_if(parameters.entries.begin(), parameters.entries.end(),
                                  [&](const text::Entry& e) { return e.key == name; });
  const std::size_t section = find_key(text, "parameters", 0);
  const bool in_brackets = text.find('{', section) < text.find('\n', section);
  const std::size_t key =
      find_key(text, name, std::max(find_line(text, entry->where.line), in_brackets ? section : 0));
  const std::size_t begin = std::min(text.find_first_not_of(kBlank, key + name.size() + 1), text.size());
  const std::size_t end = find_end(text, begin, in_brackets);
  std::string changed = quote_if_needed(value);
  // A comment stays in its column where there is room.
  std::size_t rest = std::min(text.find_first_not_of(kBlank, end), text.size());
  if (rest < text.size() && text[rest] == '#') {
    const std::size_t width = rest - begin;
    changed.resize(std::max(width, changed.size() + 1), ' ');
  } else {
    rest = end;
  }
  return text.substr(0, begin) + changed + text.substr(rest);
}

}  // namespace rodeo::tools
