// SPDX-License-Identifier: MIT
// What a recording says of its machine tick by tick: read, never computed. Nothing of the recording's kernel is loaded.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/record/recording.h"
#include "engine/step/tick_values.h"

namespace rodeo::engine {

struct RecordedState {
  std::int64_t tick = 0;
  std::uint32_t status = 0;  // the session's
  std::int64_t passed = 0;   // ticks before this one that are recorded without a state
  bool follows = true;       // nothing is missing between this state and the one before
  double time = 0;           // s, as it is recorded
  double residual = 0, margin = 0;
  std::vector<DriveState> drives;
  std::vector<double> outputs, loads;
  std::vector<double> inputs;  // the time, then what comes from outside
  bool has_inputs = true;      // recordings of before have none: nothing was felt there

  [[nodiscard]] TickValues values() const noexcept;
};

/// The states that are there, in order, the start first. Throws IoError if the file has changed.
class StateReader {
 public:
  explicit StateReader(const Recording& recording);
  ~StateReader();
  StateReader(const StateReader&) = delete;
  StateReader& operator=(const StateReader&) = delete;

  /// False at the end.
  [[nodiscard]] bool next(RecordedState& state);

 private:
  class Walk;
  std::unique_ptr<Walk> walk_;
};

}  // namespace rodeo::engine
