// SPDX-License-Identifier: MIT
// `rodeo replay`: a recording run again as fast as it can, compared tick by tick on request, or taken over.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/io/printable.h"
#include "engine/loop/rights.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/kernel_trust.h"
#include "tools/rodeo/output.h"
#include "tools/rodeo/replay_run.h"
#include "tools/rodeo/replay_take_over.h"
#include "tools/rodeo/run_faults.h"
#include "tools/rodeo/run_live.h"
#include "tools/rodeo/signing.h"

namespace rodeo::tools {

void add_replay(CLI::App& app);

namespace {

constexpr double kNano = 1e9;

struct ReplayOptions {
  std::string recording;
  std::string public_keys;
  bool verify = false;
  bool trust = false;
  std::optional<std::int64_t> take_over;
  RunOptions live;
};

struct ReplayReport {
  const engine::Recording& recording;
  ReplayResult result;
  std::vector<std::string> faults;  // for which the run ended with status 3
  bool is_verified;
  double elapsed;  // s
};

bool is_identical(const ReplayReport& report) {
  return !report.result.first_difference && report.recording.missing().empty();
}

/// Of a run that goes another way its checksum differs; of one whose states alone were changed it does not.
std::string build_difference(const ReplayResult& result) {
  if (result.what_differs == "checksum")
    return fmt::format("differs from tick {} on", *result.first_difference);
  return fmt::format("the recorded {} of tick {} is not the computed one", result.what_differs,
                     *result.first_difference);
}

/// What was not compared is not verified.
std::string build_verdict(const ReplayReport& report) {
  const ReplayResult& result = report.result;
  if (result.first_difference) return build_difference(result);
  if (is_identical(report)) return "identical";
  const std::string passed =
      result.passed == 0 ? "" : fmt::format(", {} behind a hole could not be compared", result.passed);
  return fmt::format("not verified: {} of {} recorded ticks compared and identical{}", result.ticks,
                     report.recording.tick_count(), passed);
}

std::string build_text(const ReplayReport& report) {
  const ReplayResult& result = report.result;
  const std::string verdict = report.is_verified ? ", " + build_verdict(report) : "";
  return fmt::format("{}: {}, {} tick{}, {} s in {:.3g} s, checksum {:016x}{}\n", report.recording.path(),
                     report.recording.model().name, result.ticks, result.ticks == 1 ? "" : "s",
                     static_cast<double>(result.time) / kNano, report.elapsed, result.checksum, verdict);
}

std::string build_json(const ReplayReport& report) {
  using nlohmann::ordered_json;
  const ReplayResult& result = report.result;
  ordered_json root{{"recording", report.recording.path()},
                    {"model", report.recording.model().name},
                    {"ticks", result.ticks},
                    {"ticks_not_compared", result.passed},
                    {"recorded_ticks", report.recording.tick_count()},
                    {"simulated_s", static_cast<double>(result.time) / kNano},
                    {"elapsed_s", report.elapsed},
                    {"checksum", fmt::format("{:016x}", result.checksum)},
                    {"identical", nullptr},
                    {"first_different_tick", nullptr},
                    {"what_differs", nullptr},
                    {"faults", report.faults},
                    {"missing", report.recording.missing()}};
  if (report.is_verified) root["identical"] = is_identical(report);
  if (report.is_verified && result.first_difference) {
    root["first_different_tick"] = *result.first_difference;
    root["what_differs"] = result.what_differs;
  }
  return root.dump(2, ' ', false, ordered_json::error_handler_t::replace) +
         "\n";  // a file name may be any bytes
}

/// As `rodeo run` reported them.
std::vector<std::string> list_faults(const engine::Recording& recording, const engine::Session& session,
                                     const ReplayResult& result) {
  std::vector<std::string> faults = describe_faults(recording.model(), session, result.status_seen);
  if (result.first_halt) {
    const auto time = static_cast<double>(*result.first_halt * session.options().period) / kNano;
    faults.push_back(fmt::format("halted by a late tick at {:.6g} s, tick {}", time, *result.first_halt));
  }
  return faults;
}

void run_again(const engine::Recording& recording, const ReplayOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  engine::Replay replay(recording);
  const ReplayResult result = run_replay(replay, recording.tick_count());
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  const ReplayReport report{recording, result, list_faults(recording, replay.session(), result),
                            options.verify, elapsed.count()};
  engine::print_text(options.live.json ? build_json(report) : build_text(report));
  print_missing(recording);
  for (const std::string& why : report.faults) engine::print_sentence("{}: {}", recording.model().name, why);
  if (options.verify && result.first_difference) throw CLI::RuntimeError(input_wrong);
  check_whole(recording);
  if (!report.faults.empty()) throw CLI::RuntimeError(fault);
}

/// The options of a live run belong to --take-over, but for those that the recording decides.
void check_options(const CLI::App& command, const ReplayOptions& options) {
  constexpr std::array kAlways{"RECORDING",   "--verify", "--trust", "--require-signature",
                               "--take-over", "--json",   "--help"};
  constexpr std::array kRecorded{"--rate", "--initial", "--on-stale", "--profile"};
  const auto contains = [](const auto& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();  // the long one, with its dashes
    if (option->count() == 0 || contains(kAlways, name)) continue;
    if (!options.take_over) throw CLI::ValidationError(name, "is for a live run: it needs --take-over");
    if (contains(kRecorded, name)) throw CLI::ValidationError(name, "is what the recording says");
  }
  if (options.take_over && options.trust) {
    throw CLI::ValidationError(
        "--trust",
        "runs without rights, and a live run needs some: build the machine here from its "
        "file, then its recordings can be taken over");
  }
  if (options.take_over && options.verify) {
    throw CLI::ValidationError("--verify", "runs to the end, --take-over does not: choose one");
  }
}

void run_command(const CLI::App& command, const ReplayOptions& options) {
  check_options(command, options);
  check_not_read(options.live.record, {options.live.input});
  // Without it the recording that is read is kept, under another name.
  if (options.live.overwrites) check_not_read(options.live.record, {options.recording});
  std::optional<LoopThread> thread;
  if (options.take_over) thread.emplace(build_realtime_options(options.live));
  if (!options.trust) engine::drop_capabilities();  // with --trust all rights are given up, which needs some
  check_required_signature(options.recording, options.public_keys);
  const engine::Recording recording =
      engine::Recording::build_runnable(options.recording, build_gate(options.recording, options.trust));
  thread ? take_over(recording, *options.take_over, options.live, *thread) : run_again(recording, options);
}

}  // namespace

void add_replay(CLI::App& app) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command =
      app.add_subcommand("replay", "A recording run again, bit for bit; or gone on with, live");
  command->add_option("RECORDING", options->recording, "A file that 'rodeo run --record' wrote")->required();
  add_require_signature_option(*command, options->public_keys);
  command->add_flag(
      "--verify", options->verify,
      "Compare every tick's checksum and every recorded state: exit status 1 if one differs or is "
      "missing");
  command->add_flag("--trust", options->trust,
                    "Run a kernel that was neither built nor run here, in a process without rights");
  command
      ->add_option(
          "--take-over", options->take_over,
          "TICK: replay up to there, then go on live with the options of 'rodeo run'; 0 is the start")
      ->check(CLI::NonNegativeNumber);
  add_loop_options(*command, options->live);
  command->footer(
      "Example: rodeo replay run.mcap --verify\n"
      "         rodeo replay run.mcap --take-over 12000 --listen 127.0.0.1:5005 --record other.mcap\n"
      "A recording that is not whole (cut off, a flipped bit, ticks lost by a slow disk) is run as far as it "
      "can be, on the\nother side of a hole too, says what is missing, and ends with exit status 1.\n"
      "A run that ended with a fault ends with it again, and with exit status 3.\n"
      "A recording carries its kernel. One that was built or run here is run again; a stranger's needs "
      "--trust.");
  command->callback([options, command] { report_live_errors([&] { run_command(*command, *options); }); });
}

}  // namespace rodeo::tools
