// SPDX-License-Identifier: MIT
// One live run, from its ports to its report.
#include "tools/rodeo/run_live.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/io/printable.h"
#include "engine/net/error.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/fraction_bar.h"
#include "tools/rodeo/run_console.h"
#include "tools/rodeo/run_faults.h"
#include "tools/rodeo/run_notices.h"
#include "tools/rodeo/run_report.h"

namespace rodeo::tools {
namespace {

constexpr double kNano = 1e9;
constexpr double kUsualDuration = 10;  // s, of a run that is tried
constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

void warn(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) engine::print_sentence("warning: {}", warning);
}

/// Of a rate that does not divide a second into whole nanoseconds: what is kept instead.
std::string describe_period(std::int64_t period) {
  if (std::int64_t{1'000'000'000} % period == 0) return "";
  const auto exact = static_cast<double>(period);
  return fmt::format(" (a period of {:.6f} ms, that is {:.9g} Hz)", exact / 1e6, kNano / exact);
}

/// Whatever happens, the loop ends before what it is made of.
struct Stopped {
  LoopThread& thread;
  ~Stopped() { thread.stop(); }
};

class LiveRun {
 public:
  LiveRun(const RunOptions& options, const engine::ModelFolder& model, engine::Session& session,
          std::unique_ptr<engine::Recorder> recorder, std::unique_ptr<engine::Input> input)
      : options_(options),
        name_(model.name),
        session_(session),
        first_tick_(session.tick_number()),
        ports_(options, model, session, std::move(recorder), std::move(input)),
        loop_options_(build_options()),
        loop_(session, clock_, loop_options_, ports_.build_loop_ports()),
        notices_({model.name, engine::build_machine_interface(model).drives, ports_.endpoint(),
                  options.timeout, is_latching(options),
                  static_cast<double>(session.options().period) / kNano}) {}

  /// False if the recording is not whole, or if the machine was halted.
  bool run(LoopThread& thread) {
    warn(ports_.warnings());
    thread.start(loop_);
    const Stopped stopped{thread};
    warn(thread.realtime().warnings);
    engine::print_sentence("{}: runs at {} Hz{}{}", name_, options_.rate,
                           describe_period(session_.options().period), ports_.describe_ways());
    watch_thread(thread);
    print_notices();
    error_ = ports_.close();
    engine::print_text(build_report(thread));
    if (!error_.empty()) engine::print_sentence("{}", error_);
    return !print_halt() && error_.empty();
  }
  /// Every bit that was ever set.
  [[nodiscard]] std::uint32_t status_seen() const noexcept { return loop_.statistics().status_any; }

 private:
  [[nodiscard]] engine::LoopOptions build_options() const {
    engine::LoopOptions result = build_loop_options(
        options_, ports_.is_listening(), session_.stepper().kernel().free_count() > 0, ports_.input_end());
    if (options_.duration && result.last_tick != kEndless) result.last_tick += first_tick_;
    return result;
  }

  void watch_thread(const LoopThread& thread) {
    FractionBar bar;
    const auto report = [&] {
      bar.finish();
      engine::print_text(build_report(thread), stderr);
    };
    const auto show = [&] {
      for (const std::string& notice : take_notices()) {
        bar.finish();
        engine::print_sentence("{}", notice);
      }
      if (loop_options_.last_tick != kEndless) bar.show(calc_fraction());
    };
    const auto say = [&](const std::string& what) {
      bar.finish();
      engine::print_sentence("{}: {:.3f} s: {}", name_, static_cast<double>(loop_.statistics().time) / kNano,
                             what);
    };
    watch({loop_, ports_.verbs(), report, show, say}, signals_, thread.done_file());
  }

  [[nodiscard]] std::vector<std::string> take_notices() {
    const std::int64_t now = clock_.now();
    const engine::LoopStatistics& statistics = loop_.statistics();
    const std::uint32_t news = loop_.take_status_news();
    std::vector<engine::TickNote> notes;
    for (engine::TickNote note; loop_.try_take_note(note);) notes.push_back(note);
    NoticeLook look{static_cast<double>(now) / kNano,
                    static_cast<double>(statistics.time) / kNano,
                    statistics.status,
                    news,
                    ports_.find_link(now),
                    notes};
    look.lost = statistics.lost;
    look.lag = static_cast<double>(statistics.lag) / kNano;
    std::ranges::copy(statistics.risen, look.risen.begin());
    std::ranges::copy(statistics.fallen, look.fallen.begin());
    return notices_.take(look);
  }

  void print_notices() {
    for (const std::string& notice : take_notices()) engine::print_sentence("{}", notice);
  }

  /// True if there was one: the run did not keep its time, whatever came afterwards.
  [[nodiscard]] bool print_halt() const {
    const engine::LoopStatistics& statistics = loop_.statistics();
    if (statistics.halts == 0) return false;
    const std::int64_t tick = statistics.first_halt;
    engine::print_sentence(
        "{}: halted by a late tick at {:.6g} s, tick {}{}: 'rodeo doctor' says what keeps this computer "
        "from being in time; --overrun skip goes on",
        name_, static_cast<double>(tick * session_.options().period) / kNano, tick,
        statistics.halts > 1 ? fmt::format(", the first of {}", statistics.halts.load()) : "");
    return true;
  }

  [[nodiscard]] double calc_fraction() const {
    const auto period = static_cast<double>(session_.options().period);
    const double tick = static_cast<double>(loop_.statistics().time.load()) / period;
    const auto first = static_cast<double>(first_tick_);
    return (tick - first) / (static_cast<double>(loop_options_.last_tick) - first);
  }

  [[nodiscard]] std::string build_report(const LoopThread& thread) const {
    const std::int64_t period = session_.options().period;
    const RunFacts facts{name_,
                         period,
                         first_tick_ * period,
                         thread.calc_load(),
                         thread.realtime(),
                         session_.stepper().kernel().drive_count() > 0};
    auto report = build_run_report(loop_.statistics(), facts);
    ports_.add_to(report);
    const auto replace = nlohmann::json::error_handler_t::replace;  // a file name may be any bytes
    return options_.json ? report.dump(2, ' ', false, replace) + "\n" : format_run_report(report);
  }

  const RunOptions& options_;
  std::string name_;
  engine::Session& session_;
  std::int64_t first_tick_;
  SignalFile signals_;  // before any thread: they inherit that signals do not reach them
  RunPorts ports_;
  engine::MonotonicClock clock_;
  engine::LoopOptions loop_options_;
  engine::Loop loop_;
  RunNotices notices_;
  std::string error_;
};

}  // namespace

void run_live(const RunOptions& options, const engine::ModelFolder& model, engine::Session& session,
              LoopThread& thread, std::unique_ptr<engine::Recorder> recorder,
              std::unique_ptr<engine::Input> input) {
  const auto run = std::make_unique<LiveRun>(options, model, session, std::move(recorder), std::move(input));
  const double duration = options.duration.value_or(kUsualDuration);
  warn(describe_long_step(model, session, std::llround(duration * kNano)));
  if (!run->run(thread)) throw CLI::RuntimeError(fault);
  const std::vector<std::string> faults = describe_faults(model, session, run->status_seen());
  for (const std::string& why : faults) engine::print_sentence("{}: {}", model.name, why);
  if (!faults.empty()) throw CLI::RuntimeError(fault);
}

void report_live_errors(const std::function<void()>& work) {
  try {
    report_engine_errors(work);
  } catch (const engine::AddressError& error) {
    throw CLI::ValidationError(error.what());
  } catch (const engine::NetError& error) {
    engine::print_sentence("{}", error.what());
    throw CLI::RuntimeError(fault);
  }
}

}  // namespace rodeo::tools
