// SPDX-License-Identifier: MIT
#include "tools/rodeo/drive_run.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <utility>

#include "tools/rodeo/drive_clock.h"

namespace rodeo::tools {
namespace {

using engine::CommandMode;

constexpr std::chrono::seconds kPatience{1};
/// Slots that are made up for at once: what a socket holds.
constexpr std::uint64_t kMostLate = 200;
/// For the answer to the last question, ms.
constexpr int kLastWait = 200;
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

}  // namespace

DriveReport run_drive(const DriveRun& run) { return Driver(run).drive(); }

}  // namespace rodeo::tools
