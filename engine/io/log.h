// SPDX-License-Identifier: MIT
// A log as CSV: `t,<drive>...,<body>.angle...,<body>.rate...,<output>.x,<output>.y...,residual` (in space `t,<drive>...,
// <joint>.angle,<joint>.slide...`, the bodies' places and quaternions, their velocities, then outputs with `.z`), then `input.<name>` of every
// force from outside, 17 significant digits, and on request everything else that is known. All of it or none: the rows go to a nameless file in the same
// folder, which takes the log's name in finish() and of which a kill leaves nothing. `-` is standard output; a pipe or a device is written to directly.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/io/input.h"
#include "engine/step/tick_values.h"

namespace rodeo::engine {

/// Where a chain of symbolic links ends, so that the links survive.
[[nodiscard]] std::string find_link_target(const std::string& path);

/// A file that exists under its name only when it is whole. Throws IoError.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);
  void finish();

 private:
  [[noreturn]] void refuse(int error_number) const;
  void open_in_place();
  void open_temporary();
  void name_temporary();

  std::string path_;
  std::string target_;     // where links end
  std::string temporary_;  // empty if written in place, or while it has no name
  bool is_nameless_ = false;
  int file_ = -1;
};

/// Which numbers of a tick make a row, in which order.
class LogColumns {
 public:
  LogColumns(const Kernel& kernel, bool all);

  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  [[nodiscard]] std::size_t count() const noexcept { return names_.size(); }
  /// One value a column.
  void gather(double t, const TickValues& values, std::span<double> row) const noexcept;

 private:
  enum class Source { time, position, rate, acceleration, output, load, input, residual, margin, status };
  struct Column {
    Source source;
    std::size_t index;
  };
  void add(std::string name, Source source, std::size_t index = 0);
  void add_outputs(const Kernel& kernel, std::string_view ending, std::size_t dots);
  void add_body_rates(const Kernel& kernel);
  void add_joints(const Kernel& kernel);
  void add_spatial_bodies(const Kernel& kernel);
  void add_points(const Kernel& kernel);
  void add_inputs(const Kernel& kernel);
  void add_rest(const Kernel& kernel);
  [[nodiscard]] static double calc_value(const Column& column, double t, const TickValues& values) noexcept;

  std::vector<std::string> names_;
  std::vector<Column> columns_;
};

/// Header, then rows, then finish(); without finish() nothing is left behind.
class LogWriter {
 public:
  LogWriter(const std::string& path, LogColumns columns);

  void write(double t, const TickValues& values);
  void finish();

 private:
  void flush();

  LogColumns columns_;
  AtomicFile file_;
  std::vector<double> row_;
  std::string text_;
};

}  // namespace rodeo::engine
