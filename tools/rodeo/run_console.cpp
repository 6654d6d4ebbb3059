// SPDX-License-Identifier: MIT
// poll() over the terminal, the signals and the loop's end.
#include "tools/rodeo/run_console.h"

#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>

#include "engine/io/printable.h"
#include "engine/session/key_map.h"

namespace rodeo::tools {
namespace {

constexpr int kShowMs = 100;  // between two calls of ConsoleTargets::show

sigset_t build_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) sigaddset(&set, signal);
  return set;
}

void take_signal(const ConsoleTargets& targets, int signal) {
  if (signal == SIGUSR1) return targets.report();
  if (signal != 0) targets.loop.request_stop();
}

/// False at the end of the input: a terminal that was closed.
bool take_keys(const ConsoleTargets& targets) {
  std::array<char, 64> keys{};
  const ssize_t n = read(STDIN_FILENO, keys.data(), keys.size());
  for (ssize_t i = 0; i < n; ++i) press(keys[static_cast<std::size_t>(i)], targets);
  return n > 0;
}

}  // namespace

SignalFile::SignalFile() {
  std::signal(
      SIGXFSZ,
      SIG_IGN);  // a recording that has grown too large is an error of its file, not the machine's end
  std::signal(SIGPIPE, SIG_IGN);
  const sigset_t set = build_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  file_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (file_ < 0) throw std::runtime_error("cannot make a signalfd");
}

SignalFile::~SignalFile() {
  close(file_);
  const sigset_t set = build_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

int SignalFile::take() const {
  signalfd_siginfo info{};
  return read(file_, &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo) : 0;
}

struct RawTerminal::Settings {
  termios before;
};

RawTerminal::RawTerminal() {
  // To change the terminal of another job stops the whole program.
  if (isatty(STDIN_FILENO) == 0 || tcgetpgrp(STDIN_FILENO) != getpgrp()) return;
  termios settings{};
  if (tcgetattr(STDIN_FILENO, &settings) != 0) return;
  saved_ = new Settings{settings};
  settings.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // ISIG stays: Ctrl-C is SIGINT
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  settings.c_cc[VSUSP] = _POSIX_VDISABLE;  // a loop that is suspended misses every tick
  tcsetattr(STDIN_FILENO, TCSANOW, &settings);
}

RawTerminal::~RawTerminal() {
  if (saved_ != nullptr) tcsetattr(STDIN_FILENO, TCSANOW, &saved_->before);
  delete saved_;
}

std::string keys_line() {
  return fmt::format("keys, small or capital: {}, ? report", engine::key_map_line());
}

bool press(char key, const ConsoleTargets& targets) {
  const char capital = engine::to_capital(key);
  if (const auto wish = engine::find_key_wish(capital)) {
    if (wish->emergency_stop) {
      targets.verbs.stop_now();
      return true;
    }
    const bool is_put = targets.verbs.try_put(wish->verb, wish->slot);
    if (targets.say)
      targets.say(fmt::format("key {}: {}", capital,
                              is_put ? engine::describe_key(capital) : "too many keys at once, not done"));
    return is_put;
  }
  switch (capital) {
    case engine::kQuitKey: targets.loop.request_stop(); return true;
    case '?': targets.report(); return true;
    default: return false;
  }
}

void watch(const ConsoleTargets& targets, const SignalFile& signals, int done_file) {
  const RawTerminal terminal;
  if (terminal.is_raw()) engine::print_sentence("{}", keys_line());
  std::array<pollfd, 3> files{pollfd{done_file, POLLIN, 0}, pollfd{signals.file(), POLLIN, 0},
                              pollfd{terminal.is_raw() ? STDIN_FILENO : -1, POLLIN, 0}};
  while ((files[0].revents & POLLIN) == 0) {
    if (poll(files.data(), files.size(), kShowMs) < 0) continue;
    if (files[1].revents != 0) take_signal(targets, signals.take());
    if (files[2].revents != 0 && !take_keys(targets)) files[2].fd = -1;
    targets.show();
  }
}

}  // namespace rodeo::tools
