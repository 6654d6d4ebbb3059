// SPDX-License-Identifier: MIT
// One small function a check, each of them: read, judge, say what to change. A file that cannot be read gives
// a warning that names it, since "not known" is no reason to call a machine fit.
#include "engine/doctor/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <fstream>
#include <limits>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

namespace rodeo::engine {
namespace {

namespace fs = std::filesystem;

constexpr int kCapIpcLock = 14;  // linux/capability.h
constexpr int kCapSysNice = 23;
constexpr int kCapSysResource = 24;
constexpr long kWantedPriority = 80;              // above threaded interrupts, which have 50
constexpr long kWantedLockedBytes = 256L << 20U;  // program, libraries and stacks, with room
constexpr long kCoarseTimerNs = 1000;             // without high-resolution timers it is a tick, 1 to 10 ms
constexpr long kRtPeriodShareUs = 900'000;        // of 1 s; the kernel's own default is 950 000
constexpr const char* kLimitsFile = "/etc/security/limits.d/rodeo.conf";

/// The file's text without its closing blanks; nothing if it cannot be read.
std::optional<std::string> find_text(const Machine& machine, const std::string& file) {
  std::ifstream in(machine.root / file);
  if (!in) return std::nullopt;
  std::ostringstream all;
  all << in.rdbuf();  // this way a read that fails gives no exception but no text
  std::string text = all.str();
  text.erase(text.find_last_not_of(" \t\n") + 1);
  return text;
}

std::optional<long> find_number(std::string_view text, int base = 10) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Finding unknown(std::string check, const std::string& file) {
  return {std::move(check), Verdict::warn, fmt::format("not known: /{} is missing or strange", file),
          "run on Linux with /proc and /sys mounted and readable"};
}

/// The word after `key` in the line of the file that begins with it; empty if there is none.
std::string find_word(const Machine& machine, const std::string& file, std::string_view key) {
  std::istringstream lines(find_text(machine, file).value_or(""));
  std::string line;
  while (std::getline(lines, line)) {
    if (line.starts_with(key)) break;
  }
  std::istringstream words(line.starts_with(key) ? line.substr(key.size()) : "");
  std::string word;
  words >> word;
  return word;
}

/// The soft limit called `name` in /proc/self/limits; "unlimited" is the largest long.
std::optional<long> find_limit(const Machine& machine, std::string_view name) {
  const std::string soft = find_word(machine, "proc/self/limits", name);
  return soft == "unlimited" ? std::numeric_limits<long>::max() : find_number(soft);
}

bool has_capability(const Machine& machine, int bit) {
  const auto mask = find_number(find_word(machine, "proc/self/status", "CapEff:"), 16);
  return mask && ((*mask >> bit) & 1) != 0;
}

/// The cores of a list such as "0-3,6"; nothing if it is no such list.
std::optional<std::set<long>> find_cores(std::string_view list) {
  std::set<long> cores;
  while (!list.empty()) {
    const std::string_view item = list.substr(0, list.find(','));
    list.remove_prefix(std::min(item.size() + 1, list.size()));
    const auto dash = item.find('-');
    const auto first = find_number(item.substr(0, dash));
    const auto last = dash == item.npos ? first : find_number(item.substr(dash + 1));
    if (!first || !last) return std::nullopt;
    for (long core = *first; core <= *last; ++core) cores.insert(core);
  }
  return cores;
}

/// A mainline kernel with the real-time patches says so in /sys/kernel/realtime and in `uname -v`.
Finding check_kernel(const Machine& machine) {
  const auto release = find_text(machine, "proc/sys/kernel/osrelease");
  const auto version = find_text(machine, "proc/sys/kernel/version");
  if (!release || !version) return unknown("kernel", "proc/sys/kernel/version");
  const bool is_realtime =
      find_text(machine, "sys/kernel/realtime") == "1" || version->find("PREEMPT_RT") != std::string::npos;
  if (is_realtime) return {"kernel", Verdict::ok, *release + ", PREEMPT_RT", ""};
  return {"kernel", Verdict::warn, *release + ", not PREEMPT_RT",
          "install a real-time kernel: apt install linux-image-rt-amd64, then reboot"};
}

Finding check_clock_source(const Machine& machine) {
  const std::string file = "sys/devices/system/clocksource/clocksource0/current_clocksource";
  const auto source = find_text(machine, file);
  if (!source) return unknown("clock source", file);
  static const std::set<std::string> kGood{"tsc", "arch_sys_counter", "riscv_clocksource"};
  if (kGood.contains(*source)) return {"clock source", Verdict::ok, *source, ""};
  if (*source == "jiffies") {
    return {"clock source", Verdict::fail, *source + ", which counts ticks of milliseconds",
            "boot without clocksource=jiffies"};
  }
  const bool is_virtual = source->find("kvm") != std::string::npos ||
                          source->find("hyperv") != std::string::npos ||
                          source->find("xen") != std::string::npos;
  if (is_virtual) {
    return {"clock source", Verdict::warn,
            *source + ", so this is a virtual machine, which its host may halt", "run on the bare machine"};
  }
  return {"clock source", Verdict::warn, *source + ", which is slow to read",
          "boot with clocksource=tsc tsc=reliable if the processor's counter is sound"};
}

Finding check_timer(const Machine& machine) {
  const long ns = machine.timer_resolution_ns;
  if (ns <= kCoarseTimerNs) return {"timer resolution", Verdict::ok, fmt::format("{} ns", ns), ""};
  return {"timer resolution", Verdict::fail, fmt::format("{} ns", ns),
          "boot without highres=off, with a kernel that has CONFIG_HIGH_RES_TIMERS"};
}

Finding check_priority(const Machine& machine) {
  if (has_capability(machine, kCapSysNice)) return {"real-time priority", Verdict::ok, "CAP_SYS_NICE", ""};
  const auto limit = find_limit(machine, "Max realtime priority");
  if (!limit) return unknown("real-time priority", "proc/self/limits");
  if (*limit >= kWantedPriority)
    return {"real-time priority", Verdict::ok, fmt::format("up to {}", *limit), ""};
  const Verdict verdict = *limit > 0 ? Verdict::warn : Verdict::fail;
  const std::string found = *limit > 0 ? fmt::format("only up to {}", *limit) : "not allowed";
  return {
      "real-time priority", verdict, found,
      fmt::format("put '@realtime - rtprio 95' in {}, join the group realtime, log in again", kLimitsFile)};
}

Finding check_memory_lock(const Machine& machine) {
  if (has_capability(machine, kCapSysResource)) return {"locked memory", Verdict::ok, "CAP_SYS_RESOURCE", ""};
  const auto limit = find_limit(machine, "Max locked memory");
  if (!limit) return unknown("locked memory", "proc/self/limits");
  if (*limit == std::numeric_limits<long>::max()) return {"locked memory", Verdict::ok, "unlimited", ""};
  const std::string found = fmt::format("up to {} KiB", *limit / 1024);
  if (*limit >= kWantedLockedBytes) return {"locked memory", Verdict::ok, found, ""};
  const bool is_part = has_capability(machine, kCapIpcLock);  // given up before a machine is loaded
  return {"locked memory", is_part ? Verdict::warn : Verdict::fail,
          is_part ? "CAP_IPC_LOCK, without the machine's own: " + found : found,
          fmt::format("put '@realtime - memlock unlimited' in {}, join the group realtime, log in again",
                      kLimitsFile)};
}

Finding check_throttling(const Machine& machine) {
  const std::string file = "proc/sys/kernel/sched_rt_runtime_us";
  const auto share = find_number(find_text(machine, file).value_or(""));
  if (!share) return unknown("real-time throttling", file);
  if (*share == -1) return {"real-time throttling", Verdict::ok, "off", ""};
  const std::string found = fmt::format("real-time tasks get {} us", *share);
  const std::string change = "sysctl -w kernel.sched_rt_runtime_us=950000";
  if (*share >= kRtPeriodShareUs) return {"real-time throttling", Verdict::ok, found, ""};
  return {"real-time throttling", *share == 0 ? Verdict::fail : Verdict::warn, found, change};
}

/// Every core's governor; empty where the kernel does not scale frequencies, as in most virtual machines.
std::set<std::string> find_governors(const Machine& machine, const std::set<long>& cores) {
  std::set<std::string> governors;
  for (const long core : cores) {
    const auto governor =
        find_text(machine, fmt::format("sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor", core));
    if (governor) governors.insert(*governor);
  }
  return governors;
}

Finding check_governor(const Machine& machine, const std::set<long>& cores) {
  std::set<std::string> governors = find_governors(machine, cores);
  if (governors.empty()) return {"governor", Verdict::ok, "none: the kernel does not change frequencies", ""};
  if (governors == std::set<std::string>{"performance"}) return {"governor", Verdict::ok, "performance", ""};
  governors.erase("performance");
  return {"governor", Verdict::warn, fmt::format("{}", fmt::join(governors, ", ")),
          "cpupower frequency-set -g performance"};
}

Finding check_cores(const std::set<long>& cores) {
  if (cores.empty()) return unknown("cores", "sys/devices/system/cpu/online");
  const std::string found = fmt::format("{} online", cores.size());
  if (cores.size() > 1) return {"cores", Verdict::ok, found, ""};
  return {"cores", Verdict::warn, found, "use two or more, so that the loop has one to itself"};
}

Finding check_isolated(const Machine& machine, const std::set<long>& cores) {
  const std::string file = "sys/devices/system/cpu/isolated";
  const auto text = find_text(machine, file);
  const auto isolated = text ? find_cores(*text) : std::nullopt;
  if (!isolated) return unknown("isolated cores", file);
  if (!isolated->empty()) return {"isolated cores", Verdict::ok, *text, ""};
  const long last = cores.empty() ? 1 : *cores.rbegin();
  return {"isolated cores", Verdict::warn, "none",
          fmt::format("boot with isolcpus={0} nohz_full={0} rcu_nocbs={0} and run the loop there", last)};
}

/// The chosen mode stands in brackets: always [madvise] never.
Finding check_hugepages(const Machine& machine) {
  const std::string file = "sys/kernel/mm/transparent_hugepage/enabled";
  const auto modes = find_text(machine, file);
  if (!modes) return {"transparent hugepages", Verdict::ok, "none in this kernel", ""};
  const auto open = modes->find('[');
  const auto close = modes->find(']');
  if (open == std::string::npos || close == std::string::npos) return unknown("transparent hugepages", file);
  const std::string mode = modes->substr(open + 1, close - open - 1);
  if (mode != "always") return {"transparent hugepages", Verdict::ok, mode, ""};
  return {"transparent hugepages", Verdict::warn, "always: the kernel may stop a task to merge its pages",
          fmt::format("echo madvise > /{}", file)};
}

}  // namespace

Machine build_this_machine() {
  timespec resolution{};
  clock_getres(CLOCK_MONOTONIC, &resolution);
  return {"/", resolution.tv_sec * 1'000'000'000L + resolution.tv_nsec};
}

std::vector<Finding> build_findings(const Machine& machine) {
  const std::string online = find_text(machine, "sys/devices/system/cpu/online").value_or("");
  const std::set<long> cores = find_cores(online).value_or(std::set<long>{});
  return {check_kernel(machine),          check_clock_source(machine), check_timer(machine),
          check_priority(machine),        check_memory_lock(machine),  check_throttling(machine),
          check_governor(machine, cores), check_cores(cores),          check_isolated(machine, cores),
          check_hugepages(machine)};
}

bool is_fit(const std::vector<Finding>& findings) {
  return std::none_of(findings.begin(), findings.end(),
                      [](const Finding& finding) { return finding.verdict == Verdict::fail; });
}

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok: return "ok";
    case Verdict::warn: return "warn";
    case Verdict::fail: return "fail";
  }
  return "?";
}

}  // namespace rodeo::engine
