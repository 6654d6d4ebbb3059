// SPDX-License-Identifier: MIT
#include "viz/plot/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <numeric>

#include "engine/io/csv_lines.h"

namespace rodeo::plot {
namespace {

using engine::CsvLines;
using engine::IoError;

/// Letters to insert, delete or change to make `b` of `a` (Levenshtein).
std::size_t calc_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

void read_names(const CsvLines& lines, Table& table) {
  for (const std::string_view cell : lines.cells()) {
    if (cell.empty()) lines.refuse("a column of the header has no name");
    if (table.has(std::string(cell))) {
      lines.refuse(fmt::format("the header has the column {} twice", engine::quote_cell(cell)));
    }
    table.names.emplace_back(cell);
  }
  table.columns.resize(table.names.size());
}

/// None where the file is not there, or where it is of another log.
void read_units(const std::string& path, Table& table) {
  std::ifstream in(path);
  if (!in) return;
  CsvLines lines(in, path);
  if (!lines.next()) return;
  const std::vector<std::string> names(lines.cells().begin(), lines.cells().end());
  if (names != table.names || !lines.next()) return;
  lines.check_count(names.size());
  for (std::size_t c = 0; c < names.size(); ++c) table.units[names[c]] = std::string(lines.cells()[c]);
}

}  // namespace

std::size_t Table::find(const std::string& column) const noexcept {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin());
}

const std::vector<double>& Table::at(const std::string& column) const {
  constexpr std::size_t kShown = 3;
  const std::size_t index = find(column);
  if (index < names.size()) return columns[index];
  throw IoError(fmt::format("{}: there is no column '{}' (the nearest are {})", name, column,
                            fmt::join(find_nearest(names, column, kShown), ", ")));
}

Table build_table(std::istream& in, const std::string& name) {
  CsvLines lines(in, name);
  Table table{name, {}, {}, {}};
  if (!lines.next())
    lines.refuse_file("is empty: a log has a header and rows, as 'rodeo simulate' writes it");
  read_names(lines, table);
  while (lines.next()) {
    lines.check_count(table.names.size());
    for (std::size_t c = 0; c < table.names.size(); ++c) {
      const double value = lines.read_value(lines.cells()[c], table.names[c]);
      table.columns[c].push_back(std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN());
    }
  }
  if (table.row_count() == 0) lines.refuse_file("has no rows under its header");
  return table;
}

Table build_table_from_file(const std::string& path) {
  if (path == "-") return build_table(std::cin, "standard input");
  std::ifstream in = engine::open_csv(path);
  Table table = build_table(in, path);
  read_units(path + ".units", table);
  return table;
}

std::vector<Phase> build_phases(std::istream& in, const std::string& name) {
  CsvLines lines(in, name);
  const bool has_header = lines.next();
  if (!has_header || lines.cells() != std::vector<std::string_view>{"t", "phase"}) {
    lines.refuse_file("the first line of a file of phases must be 't,phase'");
  }
  std::vector<Phase> phases;
  while (lines.next()) {
    lines.check_count(2);
    const double t = lines.read_number(lines.cells()[0], "t");
    if (!phases.empty() && t < phases.back().t) {
      lines.refuse(fmt::format("time runs backwards, from {} to {} s", phases.back().t, t));
    }
    phases.push_back({t, std::string(lines.cells()[1])});
  }
  return phases;
}

std::vector<Phase> build_phases_from_file(const std::string& path) {
  std::ifstream in = engine::open_csv(path);
  return build_phases(in, path);
}

std::vector<std::string> find_nearest(const std::vector<std::string>& names, const std::string& wanted,
                                      std::size_t most) {
  const auto rank = [&](const std::string& each) {
    const bool holds = each.find(wanted) != std::string::npos;
    return std::pair(!holds, calc_distance(each, wanted));
  };
  std::vector<std::string> sorted = names;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  sorted.resize(std::min(most, sorted.size()));
  return sorted;
}

}  // namespace rodeo::plot
