// SPDX-License-Identifier: MIT
// The unit of a log's column. A log is SI and radians and does not say so, but the names of the contract do: `.angle` is rad,
// `.x` is m, a rate or an acceleration is that of what stands before its dot. The position of a drive is rad where it is a
// body's angle or the difference of two, on every row; else it is a cylinder's or slide's, m. One that rests at 0 does not tell.
// Names of a bond graph's log do not tell (an effort is N, Pa or V): its units stand in a file beside it (Table::units).
#pragma once
#include <string>

#include "viz/plot/table.h"

namespace rodeo::plot {

struct Unit {
  std::string si;        // rad, m/s ...; empty: a number, or not known
  std::string quantity;  // angle, position ...: what an axis is called that has several of them
  std::string shown;     // on the axis
  double factor = 1;     // from si to shown
};

[[nodiscard]] Unit find_unit(const Table& table, const std::string& column, bool radians);

/// `boom.angle (deg)`
[[nodiscard]] std::string build_label(const std::string& name, const Unit& unit);

/// Is this the position of a drive, as far as the header tells? Also the lone words of a bond graph's log or of an input cycle.
[[nodiscard]] bool is_drive(const std::string& column);
/// Is this a coordinate of an output point, `tip.x`? In space also `tip.z`.
[[nodiscard]] bool is_output(const Table& table, const std::string& column);

}  // namespace rodeo::plot
