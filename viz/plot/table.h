// SPDX-License-Identifier: MIT
// A log in memory, column by column, and the phases of a cycle. Errors are IoErrors: whole sentences.
#pragma once
#include <istream>
#include <map>
#include <string>
#include <vector>

namespace rodeo::plot {

struct Table {
  std::string name;                // of the file, for legends and errors
  std::vector<std::string> names;  // of the columns
  std::vector<std::vector<double>> columns;
  std::map<std::string, std::string> units{};  // SI, by column, where a file beside the log has them

  [[nodiscard]] std::size_t row_count() const noexcept {
    return columns.empty() ? 0 : columns.front().size();
  }
  /// The index of the column of this name; the number of columns if there is none.
  [[nodiscard]] std::size_t find(const std::string& column) const noexcept;
  [[nodiscard]] bool has(const std::string& column) const noexcept { return find(column) < names.size(); }
  /// The same; throws IoError with the names that are nearest.
  [[nodiscard]] const std::vector<double>& at(const std::string& column) const;
};

/// A header and at least one row of numbers; `nan` and `inf` are gaps. Throws IoError.
[[nodiscard]] Table build_table(std::istream& in, const std::string& name);
/// `-` is standard input. Units are read from `PATH.units`, which `rodeo simulate` writes beside the log of a bond graph: the log's header and
/// a row of units.
[[nodiscard]] Table build_table_from_file(const std::string& path);

/// The begin of a phase of a cycle.
struct Phase {
  double t = 0;  // s
  std::string name;
};

/// A CSV with the columns t,phase, t rising. Throws IoError.
[[nodiscard]] std::vector<Phase> build_phases(std::istream& in, const std::string& name);
[[nodiscard]] std::vector<Phase> build_phases_from_file(const std::string& path);

/// The `most` names that are nearest to `wanted`: those that hold it first, then by the letters that differ.
[[nodiscard]] std::vector<std::string> find_nearest(const std::vector<std::string>& names,
                                                    const std::string& wanted, std::size_t most);

}  // namespace rodeo::plot
