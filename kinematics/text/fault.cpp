// SPDX-License-Identifier: MIT
// Texts of model errors.
#include "kinematics/text/fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace rodeo::text {
namespace {

std::string all_lines(const std::vector<Fault>& faults) {
  std::string lines;
  for (const Fault& fault : faults) {
    if (!lines.empty()) lines += '\n';
    const std::string place = to_string(fault.where);
    std::string line = place.empty() ? fault.text : place + ": " + fault.text;
    std::replace(line.begin(), line.end(), '\n', ' ');  // of a name: it must not look like a fault of its own
    lines += line;
  }
  return lines;
}

/// Levenshtein distance; names are short.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

Where build_where(std::string file, int line) {
  return {std::make_shared<const std::string>(std::move(file)), line};
}

std::string to_string(const Where& where) {
  if (!where.file) return {};
  return where.line > 0 ? fmt::format("{}:{}", *where.file, where.line) : *where.file;
}

ModelError::ModelError(std::vector<Fault> faults)
    : std::runtime_error(all_lines(faults)), faults_(std::move(faults)) {}

ModelError::ModelError(const Where& where, const std::string& text)
    : ModelError(std::vector<Fault>{{where, text}}) {}

void Faults::add(const ModelError& error) {
  list_.insert(list_.end(), error.faults().begin(), error.faults().end());
}

void Faults::throw_if_any() const {
  if (list_.empty()) return;
  std::vector<Fault> sorted = list_;
  std::map<std::string, std::size_t> order;  // files as they first appear
  const auto key = [&order](const Fault& fault) {
    const std::string file = fault.where.file ? *fault.where.file : "";
    return std::pair{order.emplace(file, order.size()).first->second, fault.where.line};
  };
  for (const Fault& fault : sorted) static_cast<void>(key(fault));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Fault& a, const Fault& b) { return key(a) < key(b); });
  throw ModelError(std::move(sorted));
}

std::string join_names(const std::vector<std::string>& names, std::size_t most) {
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
  const auto cut = names.begin() + static_cast<std::ptrdiff_t>(most);
  return fmt::format("{}, ... {} in all", fmt::join(names.begin(), cut, ", "), names.size());
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
  const std::size_t furthest = name.size() < 4 ? 1 : 2;
  for (std::size_t distance = 1; distance <= furthest; ++distance) {
    for (const std::string& candidate : candidates) {
      if (edit_distance(name, candidate) == distance) return fmt::format(" (did you mean '{}'?)", candidate);
    }
  }
  return {};
}

}  // namespace rodeo::text
