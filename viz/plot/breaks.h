// SPDX-License-Identifier: MIT
// Where a machine was put elsewhere (reset, load, restore) a curve has no line: a gap stands there.
#pragma once
#include "viz/plot/table.h"

namespace rodeo::plot {

/// A row of gaps between two rows that no motion joins: a position has gone much farther than its rate tells, before, between and
/// after. Looks at columns whose rate the log has too (`boom.angle` and `boom.rate`, `tip.x` and `tip.vx`, `lift` and `lift.rate`).
void break_at_jumps(Table& table);

/// A row of gaps at the end.
void add_gap(Table& table);

}  // namespace rodeo::plot
