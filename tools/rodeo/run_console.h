// SPDX-License-Identifier: MIT
// What a person and the system ask of a running loop: keys of the terminal, signals. All of it in the main thread, which has
// nothing else to do; the loop is only told through its ports and flags.
#pragma once
#include <functional>
#include <string>

#include "engine/loop/loop.h"
#include "engine/loop/operator_port.h"

namespace rodeo::tools {

/// SIGINT, SIGTERM, SIGHUP and SIGUSR1 as a file to be read, in place of their usual effect. Made before any other thread.
class SignalFile {
 public:
  SignalFile();
  ~SignalFile();
  SignalFile(const SignalFile&) = delete;
  SignalFile& operator=(const SignalFile&) = delete;

  [[nodiscard]] int file() const noexcept { return file_; }
  /// The next one; 0 if there is none.
  [[nodiscard]] int take() const;

 private:
  int file_;
};

/// Every key at once, no echo, as long as this lives; nothing if standard input is no terminal, or one that another job has.
class RawTerminal {
 public:
  RawTerminal();
  ~RawTerminal();
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

  [[nodiscard]] bool is_raw() const noexcept { return saved_ != nullptr; }

 private:
  struct Settings;
  Settings* saved_ = nullptr;
};

/// What the keys do, for the person at them, in one line.
[[nodiscard]] std::string keys_line();

/// Who is told what.
struct ConsoleTargets {
  engine::Loop& loop;
  engine::OperatorPort& verbs;
  std::function<void()> report;                   // '?' and SIGUSR1
  std::function<void()> show;                     // ten times a second: what has happened, a progress bar
  std::function<void(const std::string&)> say{};  // what a key has asked for
};

/// What a key does; true if there is such a key.
bool press(char key, const ConsoleTargets& targets);

/// Until `done_file` is readable.
void watch(const ConsoleTargets& targets, const SignalFile& signals, int done_file);

}  // namespace rodeo::tools
