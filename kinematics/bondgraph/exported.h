// SPDX-License-Identifier: MIT
// The functions that a shared library offers, read from its file: nothing of it is loaded or run.
#pragma once
#include <optional>
#include <set>
#include <string>

namespace rodeo::bondgraph {

/// None if the file is no shared library of a 64-bit Linux, or its tables are damaged.
[[nodiscard]] std::optional<std::set<std::string>> read_exported(const std::string& library);

}  // namespace rodeo::bondgraph
