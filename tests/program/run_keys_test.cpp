// SPDX-License-Identifier: MIT
// The keys of `rodeo run`, pressed on a pseudo-terminal, and the terminal afterwards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <termios.h>

#include "tests/program/live_program.h"

namespace rodeo::tools {
namespace {

using namespace testing_support;
using testing::HasSubstr;

/// `rodeo run` with a terminal of its own.
class TerminalProgram {
 public:
  explicit TerminalProgram(const std::string& model) {
    pid_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (pid_ != 0) return;
    ::execl(RODEO_PROGRAM, RODEO_PROGRAM, "run", model.c_str(), "--no-realtime", "--initial",
            "high:crank=1.5", nullptr);
    ::_exit(127);
  }
  ~TerminalProgram() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      static_cast<void>(wait());
    }
    ::close(terminal_);
  }
  TerminalProgram(const TerminalProgram&) = delete;
  TerminalProgram& operator=(const TerminalProgram&) = delete;

  void press(char key) const { EXPECT_EQ(::write(terminal_, &key, 1), 1); }
  /// Everything that was shown up to and with `text`; forgets it.
  std::string read_until(const std::string& text) {
    EXPECT_TRUE(wait_for([&] { return read_some() && shown_.find(text) != std::string::npos; }))
        << "'" << text << "' is not in: " << shown_;
    return std::exchange(shown_, "");
  }
  /// Presses ? and returns the report.
  std::string ask() {
    press('?');
    return read_until("processor  ");
  }
  [[nodiscard]] bool is_raw() const {
    termios settings{};
    ::tcgetattr(terminal_, &settings);
    return (settings.c_lflag & (ICANON | ECHO)) == 0;
  }
  int wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  bool read_some() {
    std::array<char, 4096> buffer{};
    pollfd file{terminal_, POLLIN, 0};
    if (::poll(&file, 1, 0) > 0) {
      const ssize_t n = ::read(terminal_, buffer.data(), buffer.size());
      if (n > 0) shown_.append(buffer.data(), static_cast<std::size_t>(n));
    }
    return true;
  }

  int terminal_ = -1;
  pid_t pid_ = -1;
  std::string shown_;
};

class RunKeys : public testing::Test {
 protected:
  RunKeys() {
    engine::testing_support::write_model_folder(folder_ / "model",
                                                R"("speed": 1, "acceleration": 4, "start": 1)");
  }
  engine::testing_support::TemporaryFolder folder_;
};

TEST_F(RunKeys, AreToldOnceAndDoWhatTheySay) {
  TerminalProgram program((folder_ / "model").string());
  program.read_until(
      "keys, small or capital: R run, F freeze, N one tick, 0 reset to the start, S snapshot, B back to it, "
      "A "
      "rearm, E emergency stop, 1-9 initial condition, Q quit, ? report");
  EXPECT_TRUE(program.is_raw());
  const auto shows = [&](const std::string& status) {
    return wait_for(
        [&] { return program.ask().find("status          " + status + ",") != std::string::npos; });
  };
  program.press('f');
  program.read_until("s: key F: freeze");
  EXPECT_TRUE(shows("frozen"));
  program.press('n');
  program.read_until("s: key N: one tick");
  EXPECT_TRUE(shows("frozen"));
  program.press('R');
  program.read_until("s: key R: run");
  EXPECT_TRUE(shows("ok"));
  program.press('e');
  EXPECT_TRUE(shows("stopped"));
  program.press('a');
  EXPECT_TRUE(shows("ok"));
  EXPECT_THAT(program.ask(), testing::Not(HasSubstr("verb_refused")));
  program.press('b');  // no snapshot yet
  EXPECT_TRUE(wait_for([&] { return program.ask().find("verb_refused") != std::string::npos; }));
  program.press('s');
  program.read_until("s: key S: snapshot");
  program.press('b');
  program.read_until("s: key B: back to it");
  program.press('1');
  program.read_until("s: key 1: initial condition 1");
  program.press('0');
  program.read_until("s: key 0: reset to the start");
  program.press('x');
  const std::string report = program.ask();
  EXPECT_EQ(report.find("keys,"), std::string::npos) << "told once";
  program.press('q');
  program.read_until("processor  ");
  EXPECT_EQ(program.wait(), 0);
  EXPECT_FALSE(program.is_raw()) << "the terminal is as it was";
}

}  // namespace
}  // namespace rodeo::tools
