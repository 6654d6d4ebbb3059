// SPDX-License-Identifier: MIT
// One JSON, one table of it.
#include "tools/rodeo/run_report.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "engine/net/status_names.h"

namespace rodeo::tools {
namespace {

using nlohmann::ordered_json;

constexpr std::array<std::pair<const char*, double>, 4> kQuantiles{
    {{"p50", 0.5}, {"p99", 0.99}, {"p99.9", 0.999}, {"p99.99", 0.9999}}};

constexpr std::array<std::pair<const char*, const char*>, 5> kTimes{
    {{"wake_up_latency_ns", "wake-up latency"},
     {"step_time_ns", "step time"},
     {"input_age_ns", "input age"},
     {"command_delay_ns", "command delay"},
     {"send_time_ns", "send time"}}};

ordered_json build_quantiles(const engine::Histogram& histogram) {
  ordered_json result{{"count", histogram.count()}};
  for (const auto& [name, part] : kQuantiles) result[name] = histogram.calc_quantile(part);
  result["max"] = histogram.max();
  return result;
}

/// Simulated time, ns; null if there was none.
ordered_json calc_first_halt(const engine::LoopStatistics& statistics, const RunFacts& facts) {
  if (statistics.halts == 0) return nullptr;
  return statistics.first_halt.load() * facts.period;
}

/// Three digits and a unit: `4.12 us`.
std::string format_time(std::int64_t nanoseconds) {
  const auto value = static_cast<double>(nanoseconds);
  if (value < 1e3) return fmt::format("{} ns", nanoseconds);
  if (value < 1e6) return fmt::format("{:.4g} us", value / 1e3);
  return value < 1e9 ? fmt::format("{:.4g} ms", value / 1e6) : fmt::format("{:.4g} s", value / 1e9);
}

std::string format_times(const ordered_json& report) {
  std::string text = fmt::format("  {:16}", "");
  for (const auto& [name, part] : kQuantiles) text += fmt::format("{:>11}", name);
  text += fmt::format("{:>11}\n", "max");
  for (const auto& [key, title] : kTimes) {
    const ordered_json& times = report.at(key);
    if (times.at("count") == 0) continue;
    text += fmt::format("  {:16}", title);
    for (const auto& [name, part] : kQuantiles) text += fmt::format("{:>11}", format_time(times.at(name)));
    text += fmt::format("{:>11}\n", format_time(times.at("max")));
  }
  return text;
}

std::string join(const ordered_json& names, const char* nothing) {
  return names.empty() ? nothing : fmt::format("{}", fmt::join(names.get<std::vector<std::string>>(), ", "));
}

/// `accepted 2998, refused 2 (sequence 1, tag 1)`
std::string format_packets(const ordered_json& packets) {
  std::vector<std::string> reasons;
  for (const auto& [reason, count] : packets.at("refused_by_reason").items()) {
    if (count != 0) reasons.push_back(fmt::format("{} {}", reason, count.dump()));
  }
  return fmt::format("accepted {}, clipped {}, refused {}{}, underruns {}, dropped {}",
                     packets.at("accepted").dump(), packets.at("clipped").dump(),
                     packets.at("refused").dump(),
                     reasons.empty() ? "" : fmt::format(" ({})", fmt::join(reasons, ", ")),
                     packets.at("underruns").dump(), packets.at("dropped").dump());
}

/// What the ports have added.
std::string format_ports(const ordered_json& report) {
  std::string text;
  if (report.contains("packets"))
    text += fmt::format("  packets         {}\n", format_packets(report["packets"]));
  for (const auto& each : report.value("sent", ordered_json::array())) {
    text += fmt::format("  sent            {}: {}, unreachable {}, failed {}, skipped {}\n",
                        each.at("destination").get<std::string>(), each.at("sent").dump(),
                        each.at("unreachable").dump(), each.at("failed").dump(), each.at("skipped").dump());
  }
  if (!report.contains("recording")) return text;
  const ordered_json& recording = report["recording"];
  return text + fmt::format("  recording       {}: {} ticks, {} lost, {} bytes\n",
                            recording.at("file").get<std::string>(), recording.at("ticks").dump(),
                            recording.at("lost").dump(), recording.at("bytes").dump());
}

/// `5 s`; of a session that was taken over also where it began and ended: `5 s (8 s to 13 s)`.
std::string format_span(const ordered_json& report) {
  const double begin = report.at("begin_ns").get<double>() / 1e9;
  const double end = report.at("time_ns").get<double>() / 1e9;
  const std::string span = fmt::format("{:.6g} s", end - begin);
  return begin == 0 ? span : fmt::format("{} ({:.6g} s to {:.6g} s)", span, begin, end);
}

/// `2, the first at 12.345 s`
std::string format_halts(const ordered_json& report) {
  if (report.at("halts") == 0) return "";
  return fmt::format("  halts           {}, the first at {:.6g} s\n", report.at("halts").dump(),
                     report.at("first_halt_ns").get<double>() / 1e9);
}

/// null of a machine without drives.
const char* format_rest(const ordered_json& is_at_rest) {
  if (is_at_rest.is_null()) return "";
  return is_at_rest == true ? ", drives at rest" : ", drives moving";
}

std::string format_realtime(const ordered_json& realtime) {
  std::vector<std::string> granted;
  for (const auto& [name, is_granted] : realtime.items()) {
    if (is_granted == true) granted.push_back(name);
  }
  return granted.empty() ? "none" : fmt::format("{}", fmt::join(granted, ", "));
}

}  // namespace

ordered_json build_run_report(const engine::LoopStatistics& statistics, const RunFacts& facts) {
  return {{"name", facts.name},
          {"period_ns", facts.period},
          {"begin_ns", facts.begin},
          {"time_ns", statistics.time.load()},
          {"ticks", statistics.ticks.load()},
          {"late", statistics.late.load()},
          {"lost", statistics.lost.load()},
          {"stale", statistics.stale.load()},
          {"unrecorded", statistics.unrecorded.load()},
          {"lag_ns", statistics.lag.load()},
          {"lag_max_ns", statistics.lag_max.load()},
          {kTimes[0].first, build_quantiles(statistics.wake)},
          {kTimes[1].first, build_quantiles(statistics.step)},
          {kTimes[2].first, build_quantiles(statistics.input_age)},
          {kTimes[3].first, build_quantiles(statistics.delay)},
          {kTimes[4].first, build_quantiles(statistics.send)},
          {"residual_max_m", statistics.residual_max.load()},
          {"status", engine::list_status(statistics.status)},
          {"status_seen", engine::list_status(statistics.status_any)},
          {"halts", statistics.halts.load()},
          {"first_halt_ns", calc_first_halt(statistics, facts)},
          {"at_rest", facts.has_drives ? ordered_json(statistics.is_at_rest.load()) : ordered_json()},
          {"checksum", fmt::format("{:016x}", statistics.checksum.load())},
          {"processor", facts.load},
          {"realtime",
           {{"fifo", facts.realtime.is_fifo},
            {"locked", facts.realtime.is_locked},
            {"pinned", facts.realtime.is_pinned}}}};
}

std::string format_run_report(const ordered_json& report) {
  const auto number = [&](const char* key) { return report.at(key).dump(); };
  const std::int64_t period = report.at("period_ns");
  std::string text = fmt::format("{}: {} ticks of {}, {}\n", report.at("name").get<std::string>(),
                                 number("ticks"), format_time(period), format_span(report));
  text += format_times(report);
  text += fmt::format("  ticks           late {}, lost {}, stale {}; lag {}, at most {}\n", number("late"),
                      number("lost"), number("stale"), format_time(report.at("lag_ns")),
                      format_time(report.at("lag_max_ns")));
  text += format_halts(report);
  text += fmt::format("  closure error   {:.3g} m at most\n", report.at("residual_max_m").get<double>());
  text += format_ports(report);
  text += fmt::format("  status          {}{}; seen: {}\n", join(report.at("status"), "ok"),
                      format_rest(report.at("at_rest")), join(report.at("status_seen"), "nothing else"));
  text += fmt::format("  checksum        {}\n", report.at("checksum").get<std::string>());
  return text + fmt::format("  processor       {:.2f} % of a core; real time: {}\n",
                            100 * report.at("processor").get<double>(),
                            format_realtime(report.at("realtime")));
}

}  // namespace rodeo::tools
