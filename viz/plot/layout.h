// SPDX-License-Identifier: MIT
// From logs to a figure: which columns share a panel, what the axes are called, where the phases are.
#pragma once
#include <string>
#include <vector>

#include "viz/plot/figure.h"
#include "viz/plot/table.h"

namespace rodeo::plot {

struct Request {
  std::string x = "t";
  std::vector<std::string> y{};  // none: drives and outputs
  std::vector<Phase> phases{};
  std::string title{};
  std::string x_label{};                // empty: from the column
  std::vector<std::string> y_labels{};  // one a panel, from the top; the rest from the columns
  bool radians = false;
  bool log = false;  // magnitudes on a logarithmic axis; 0 is a gap
};

/// Columns of one unit share a panel; drives and outputs, chosen by nobody, do not. Several logs lie over each other, told apart by
/// name and dash. Throws IoError for a column that a log has not.
[[nodiscard]] Figure build_figure(const std::vector<Table>& logs, const Request& request);

/// Short names for legends: the files' names without folder and ending where that tells them apart.
[[nodiscard]] std::vector<std::string> build_log_names(const std::vector<Table>& logs);

}  // namespace rodeo::plot
