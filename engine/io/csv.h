// SPDX-License-Identifier: MIT
// Input cycles as CSV: header `t,<drive>,...` with positions (rad, m), or `<drive>.rate` with velocities, every drive
// once; rows in order of t (s), linear between them; two rows of one time are a step. A drive with both columns goes from row to row
// on the cubic that has both there (Hermite), without steps in its rate; so does one whose rows are all at most 10 ms apart, which are
// samples of a motion: its rates are those of the parabola through the neighbours. Before the first row and after the last one a position stands
// still and a rate stays as it is there. A machine whose forces are inputs may have a column for each; without one it is 0.
// Blank lines and lines that begin with # do not count. Between two samples nothing is lost: what rates and forces do between
// them that the trapezoid of the two does not hold is added to the second (CsvInput).
#pragma once
#include <cstddef>
#include <istream>
#include <memory>
#include <string>
#include <vector>

#include "engine/io/input.h"

namespace rodeo::engine {

/// The rows of a file, one column a drive in the machine's order, then one a force.
struct CsvTable {
  std::vector<double> times;         // s, never falling, at most two of one time
  std::vector<Command::Kind> kinds;  // one a drive
  std::vector<double> values;        // row by row
  std::vector<bool> is_cubic;        // one a column: its slopes are given, or found from its neighbours
  std::vector<bool>
      is_sampled;              // one a column, or none: true of what lies, as a payload, and gives no impulse
  std::vector<double> slopes;  // as values; 0 where none is given

  [[nodiscard]] std::size_t row_count() const noexcept { return times.size(); }
  [[nodiscard]] double value(std::size_t row, std::size_t drive) const noexcept {
    return values[row * kinds.size() + drive];
  }
  [[nodiscard]] double slope(std::size_t row, std::size_t drive) const noexcept {
    return slopes[row * kinds.size() + drive];
  }
};

/// What the columns are: drives of a machine, or inputs of a bond graph, which have values only.
enum class CsvColumns { drives, inputs };

/// Reads a file, or standard input for `-`; throws IoError.
[[nodiscard]] CsvTable build_csv_from_file(const std::string& path, const std::vector<std::string>& drives,
                                           CsvColumns columns = CsvColumns::drives,
                                           const std::vector<std::string>& forces = {});
/// `name` is what errors call it.
[[nodiscard]] CsvTable build_csv(std::istream& in, const std::string& name,
                                 const std::vector<std::string>& drives,
                                 CsvColumns columns = CsvColumns::drives,
                                 const std::vector<std::string>& forces = {});

/// A table as commands: at a row, the rate of a position is the one given there, or that of the segment which begins there;
/// its acceleration is that of the cubic which begins there (at the last row: which ends there), or 0.
///
/// Rates and forces are integrated by whoever asks, from sample to sample. Where rows stand between the samples at a and b, the second is
///     f(b) + (∫ f dt from a to b - (b - a) (f(a) + f(b))/2) / (b - a),
/// so that the sum over the samples has the integral of the rows: a pulse shorter than a tick counts. Positions are sampled.
class CsvInput : public Input {
 public:
  explicit CsvInput(CsvTable table) : table_(std::move(table)) {}

  [[nodiscard]] std::int64_t end() const noexcept override;
  void sample(std::int64_t time, std::span<Command> commands) noexcept override;
  void sample_forces(std::int64_t time, std::span<double> values) noexcept override;
  [[nodiscard]] const CsvTable& table() const noexcept { return table_; }

 private:
  void find_row(double t) noexcept;
  [[nodiscard]] bool is_sampled(std::size_t column) const noexcept {
    return column < table_.is_sampled.size() && table_.is_sampled[column];
  }
  /// What the trapezoid from `begin` to `end` lacks of the column's integral, a second; 0 where no row is between them.
  [[nodiscard]] double calc_lacking(std::size_t column, double begin, double end) const noexcept;
  [[nodiscard]] double calc_value(std::size_t column, double t, bool before) const noexcept;
  [[nodiscard]] Command calc_command(std::size_t drive, double t) const noexcept;
  [[nodiscard]] Command calc_cubic(std::size_t drive, double t) const noexcept;
  [[nodiscard]] Command calc_last(std::size_t drive) const noexcept;

  CsvTable table_;
  std::size_t row_ = 0;                     // the segment of the last sample begins here
  double commands_at_ = 0, forces_at_ = 0;  // s: the last samples
};

}  // namespace rodeo::engine
