// SPDX-License-Identifier: MIT
#include "kinematics/text/yaml_hints.h"

#include <fmt/format.h>

#include <algorithm>

namespace rodeo::text {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

bool is_whole(std::string_view text) noexcept {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

/// `5`, `5 deg`.
bool starts_as_decimals(std::string_view text) noexcept {
  const std::size_t end = text.find_first_not_of("0123456789");
  return end != 0 && (end == std::string_view::npos || text[end] == ' ') && !text.empty();
}

bool is_plain(const Node& node) noexcept { return node.is_scalar() && !node.quoted; }

}  // namespace

int find_tab(std::string_view text, int line) noexcept {
  int number = 0, found = 0;
  while (!text.empty() && number <= line) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    const std::string_view now = text.substr(0, end + 1);
    const std::string_view indent = now.substr(0, std::min(now.find_first_not_of(" \t"), now.size()));
    if (number >= line - 1 && indent.find('\t') != std::string_view::npos) found = number;
    if (found == line) break;
    text.remove_prefix(end + 1);
  }
  return found;
}

bool is_decimals(std::string_view key, const Node& value) noexcept {
  return value.is_null() && starts_as_decimals(key);
}

void check_decimal_commas(const Node& node, Faults& faults) {
  for (const Node& item : node.items) check_decimal_commas(item, faults);
  for (std::size_t i = 0; i < node.entries.size(); ++i) {
    const Entry& entry = node.entries[i];
    check_decimal_commas(entry.value, faults);
    if (i == 0 || !is_decimals(entry.key, entry.value)) continue;
    const Entry& before = node.entries[i - 1];
    if (!is_plain(before.value) || !is_whole(before.value.scalar)) continue;
    faults.add(entry.where,
               fmt::format("{0}: '{1},{2}' has a decimal comma, where YAML ends the value: write {1}.{2}",
                           before.key, before.value.scalar, entry.key));
  }
}

bool is_cut_number(const Node& first, const Node& second) noexcept {
  return is_plain(first) && is_plain(second) && is_whole(first.scalar) && starts_as_decimals(second.scalar);
}

std::string find_comma_hint(const Node& list) {
  std::string pair = list.is_list() ? list.scalar : "";
  for (std::size_t i = 0; pair.empty() && i + 1 < list.items.size(); ++i) {
    if (is_cut_number(list.items[i], list.items[i + 1]))
      pair = list.items[i].scalar + "," + list.items[i + 1].scalar;
  }
  if (pair.empty()) return "";
  std::string number = pair;
  number[number.find(',')] = '.';
  return fmt::format(" (a decimal comma? write {}, not {})", number, pair);
}

}  // namespace rodeo::text
