// SPDX-License-Identifier: MIT
// Is this machine fit for real time? Reads what Linux says about itself under /proc and /sys and judges each
// point that has made fixed-rate loops late: the kernel, its clocks, the permissions, the cores and their
// power saving. Load time only: it allocates and reads files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rodeo::engine {

/// fail: a real-time loop cannot work. warn: it works, with worse jitter.
enum class Verdict { ok, warn, fail };

struct Finding {
  std::string check;  ///< what was looked at, such as "governor"
  Verdict verdict = Verdict::ok;
  std::string found;   ///< what is there
  std::string change;  ///< what to do about it; empty if ok
};

/// Where the answers come from. Another root than "/" is a copy of a machine's /proc and /sys.
struct Machine {
  std::filesystem::path root = "/";
  long timer_resolution_ns = 1;  ///< of CLOCK_MONOTONIC, which no readable file tells
};

/// This computer.
[[nodiscard]] Machine build_this_machine();

/// One finding a check, always the same checks in the same order.
[[nodiscard]] std::vector<Finding> build_findings(const Machine& machine);

/// No check failed.
[[nodiscard]] bool is_fit(const std::vector<Finding>& findings);

/// "ok", "warn" or "fail".
[[nodiscard]] const char* verdict_name(Verdict verdict);

}  // namespace rodeo::engine
