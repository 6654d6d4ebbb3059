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

namespace rodeo::tools {
namespace {

using engine::Verb;

constexpr int kShowMs = 200;  // between two calls of ConsoleTargets::show

sigset_t build_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) sigaddset(&set, signal);
  return set;
}

struct VerbKey {
  char key;
  Verb verb;
};

constexpr std::array kVerbKeys{VerbKey{'r', Verb::run},      VerbKey{'f', Verb::freeze},
                               VerbKey{' ', Verb::step},     VerbKey{'0', Verb::reset},
                               VerbKey{'s', Verb::snapshot}, VerbKey{'b', Verb::restore},
                               VerbKey{'a', Verb::rearm}};

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
  return "keys: r run, f freeze, space step, 0 reset, 1-9 initial condition, s snapshot, b back to it, "
         "e emergency stop, a rearm, ? report, q quit";
}

bool press(char key, const ConsoleTargets& targets) {
  for (const VerbKey& each : kVerbKeys) {
    if (each.key == key) return targets.verbs.try_put(each.verb);
  }
  if (key >= '1' && key <= '9')
    return targets.verbs.try_put(Verb::load, static_cast<std::uint8_t>(key - '0'));
  switch (key) {
    case 'e': targets.verbs.stop_now(); return true;
    case 'q': targets.loop.request_stop(); return true;
    case '?': targets.report(); return true;
    default: return false;
  }
}

void watch(const ConsoleTargets& targets, const SignalFile& signals, int done_file) {
  const RawTerminal terminal;
  if (terminal.is_raw()) fmt::print(stderr, "{}\n", keys_line());
  std::array<pollfd, 3> files{pollfd{done_file, POLLIN, 0}, pollfd{signals.file(), POLLIN, 0},
                              pollfd{terminal.is_raw() ? STDIN_FILENO : -1, POLLIN, 0}};
  while ((files[0].revents & POLLIN) == 0) {
    if (poll(files.data(), files.size(), targets.show ? kShowMs : -1) < 0) continue;
    if (files[1].revents != 0) take_signal(targets, signals.take());
    if (files[2].revents != 0 && !take_keys(targets)) files[2].fd = -1;
    if (targets.show) targets.show();
  }
}

}  // namespace rodeo::tools
