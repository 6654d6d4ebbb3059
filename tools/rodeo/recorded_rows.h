// SPDX-License-Identifier: MIT
// A recording row by row, for export, plot and view: as it was recorded. Where states were thinned, the ticks between are
// computed if the kernel is a known one; a stranger's is never run by reading.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "engine/record/recording.h"
#include "engine/step/tick_values.h"

namespace rodeo::tools {

struct RecordedRow {
  std::int64_t tick = 0;
  double time = 0;           // s, simulated
  std::uint32_t status = 0;  // the session's
  std::int64_t lost = 0;     // ticks up to now that are not there
  bool is_behind_gap = false;
  engine::TickValues values;
};

class RecordedRows {
 public:
  /// Throws IoError and KernelError.
  explicit RecordedRows(const std::string& path);

  [[nodiscard]] const engine::Recording& recording() const noexcept { return recording_; }
  /// Every row, the start first. Ctrl-C: one line on stderr, exit status 3. Throws IoError, also where what is computed differs
  /// from what was recorded.
  void run(const std::function<void(const RecordedRow&)>& on_row) const;

 private:
  void read(const std::function<void(const RecordedRow&)>& on_row) const;
  void compute(const std::function<void(const RecordedRow&)>& on_row) const;

  engine::Recording recording_;
  bool is_computed_ = false;
};

}  // namespace rodeo::tools
