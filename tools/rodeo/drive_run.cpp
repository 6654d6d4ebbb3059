// SPDX-License-Identifier: MIT
#include "tools/rodeo/drive_run.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <utility>

#include "engine/net/error.h"
#include "engine/session/session.h"
#include "tools/rodeo/drive_clock.h"

namespace rodeo::tools {
namespace {

using engine::CommandMode;

constexpr std::chrono::seconds kPatience{1};
/// Slots that are made up for at once: what a socket holds.
constexpr std::uint64_t kMostLate = 200;
/// For the answer to the last question, ms.
constexpr int kLastWait = 200;
/// Packets of rate 0 until a machine in emergency stop is released, us between them, and how many are before each rearm.
constexpr int kReleaseTries = 250;
constexpr int kReleasePause = 20'000;
constexpr int kRestTries = 10;
constexpr std::int64_t kQuestionPeriod = 1'000'000'000;  // ns

class Driver {
 public:
  explicit Driver(const DriveRun& run) : run_(run), clock_(run.rate) {}

  DriveReport drive() {
    std::array<pollfd, 3> files{pollfd{clock_.file(), POLLIN, 0}, pollfd{run_.signals.file(), POLLIN, 0},
                                pollfd{run_.has_keys ? STDIN_FILENO : -1, POLLIN, 0}};
    while (!is_ended_) {
      if (::poll(files.data(), files.size(), -1) < 0) continue;
      if (files[1].revents != 0) take_signal();
      if (files[2].revents != 0 && !is_ended_) take_keys();
      if (files[0].revents != 0 && !is_ended_) take_slot();
    }
    count(run_.sender.send(CommandMode::none, {}, engine::Verb::release));  // for who comes next
    ask_last();
    return report_;
  }

 private:
  /// Somebody wants to end: what is moving stops.
  void interrupt(bool is_whole) {
    is_ended_ = true;
    report_.is_whole = is_whole;
    if (out_.mode != CommandMode::rate && out_.mode != CommandMode::rate_acceleration) return;
    const std::size_t drives = run_.sender.answer().machine.drives.size();  // what lies or pushes stays
    std::fill_n(out_.values.begin(), drives * engine::value_count(out_.mode), 0.0);
    out_ = {out_.mode, out_.values, engine::Verb::none, 0, false, out_.least_delay};
    ++slot_;
    send();
  }

  void take_signal() {
    const int signal = run_.signals.take();
    if (signal != 0 && signal != SIGUSR1) interrupt(false);
  }

  void take_keys() {
    std::array<char, 64> keys{};
    const ssize_t n = ::read(STDIN_FILENO, keys.data(), keys.size());
    const bool goes_on = n > 0 && run_.source.press({keys.data(), static_cast<std::size_t>(n)});
    if (!goes_on) return interrupt(true);
    if (run_.on_key) run_.on_key();
  }

  void take_slot() {
    const std::uint64_t passed = clock_.take();
    if (passed == 0) return;
    const std::uint64_t sent = run_.source.is_written() ? std::min(passed, kMostLate) : 1;
    slot_ += static_cast<std::int64_t>(passed - sent);
    report_.missed += passed - sent;
    for (std::uint64_t i = 0; i < sent && !is_ended_; ++i) send_slot();
    listen(clock_.time(slot_));
    if (run_.show) run_.show(run_.source.fraction(clock_.time(slot_)));
  }

  void send_slot() {
    ++slot_;
    const bool is_more = run_.source.fill(clock_.time(slot_), out_);
    if (run_.rearms && std::exchange(is_first_, false)) out_.verb = engine::Verb::rearm;
    send();
    is_ended_ = !is_more;
    report_.is_whole = is_ended_;
  }

  /// A question a second; an answer is taken whenever it comes.
  void listen(std::int64_t time) {
    if (!run_.on_answer) return;
    if (run_.sender.try_answer()) run_.on_answer();
    if (time < next_question_) return;
    run_.sender.ask();
    next_question_ = time + kQuestionPeriod;
  }

  /// How the machine is at the end: nobody need be there any more.
  void ask_last() {
    if (!run_.on_answer) return;
    run_.sender.ask();
    for (int waited = 0; waited < kLastWait; ++waited) {
      if (run_.sender.try_answer()) return run_.on_answer();
      ::usleep(1000);
    }
  }

  void send() {
    if (out_.emergency_stop) count(run_.sender.send_emergency_stop());
    count(run_.sender.send(out_.mode, out_.values, out_.verb, out_.slot, begin_ + clock_.time(slot_),
                           out_.least_delay));
  }

  /// A packet that could not be sent: the engine is gone, or was started anew and has another nonce.
  void count(bool is_sent) {
    if (is_sent) {
      ++report_.packets;
    } else if (!is_ended_) {
      run_.sender.say_hello(kPatience);
    }
  }

  const DriveRun& run_;
  DriveClock clock_;
  /// Of slot 0, ns since 1970: packets are stamped with the moment they are for, not that at which this computer came to it.
  std::int64_t begin_ = std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
  std::int64_t slot_ = -1;
  Outgoing out_;
  DriveReport report_;
  bool is_ended_ = false;
  bool is_first_ = true;
  std::int64_t next_question_ = kQuestionPeriod;
};

bool is_stopped(const engine::Sender& sender) { return (sender.answer().status & engine::kStopped) != 0; }

/// Rates of 0, and what lies or pushes as the source has it at first.
std::vector<double> build_rest(const DriveRun& run) {
  Outgoing first;
  static_cast<void>(run.source.fill(0, first));
  const std::size_t drives = run.sender.answer().machine.drives.size();
  std::vector<double> values(drives, 0.0);
  const auto of_drives = static_cast<std::ptrdiff_t>(drives * engine::value_count(first.mode));
  values.insert(values.end(), first.values.begin() + of_drives, first.values.end());
  return values;
}

/// A machine in emergency stop is rearmed at rest and by rates of 0, before anything else is sent.
void release(const DriveRun& run) {
  const std::vector<double> rest = build_rest(run);
  for (int i = 1; i <= kReleaseTries && is_stopped(run.sender); ++i) {
    const engine::Verb verb = i % kRestTries == 0 ? engine::Verb::rearm : engine::Verb::none;
    if (!run.sender.send(CommandMode::rate, rest, verb)) run.sender.say_hello(kPatience);
    run.sender.ask();
    ::usleep(kReleasePause);
    static_cast<void>(run.sender.try_answer());
  }
  if (!is_stopped(run.sender)) return;
  throw engine::NetError(fmt::format("{} is in emergency stop and could not be rearmed within {} s",
                                     run.sender.answer().machine.name,
                                     kReleaseTries * kReleasePause / 1'000'000));
}

}  // namespace

DriveReport run_drive(const DriveRun& run) {
  if (!run.rearms || !is_stopped(run.sender)) return Driver(run).drive();
  release(run);
  DriveRun released = run;
  released.rearms = false;
  return Driver(released).drive();
}

}  // namespace rodeo::tools
