// SPDX-License-Identifier: MIT
// The progress line: on a terminal only, after its delay only, and gone at the end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>

#include "tools/rodeo/progress.h"

namespace rodeo::tools {
namespace {

using namespace std::chrono_literals;
using testing::EndsWith;
using testing::HasSubstr;

/// Two ends of a terminal or of a pipe.
struct Ends {
  int reader = -1, writer = -1;
  ~Ends() {
    ::close(reader);
    ::close(writer);
  }
};

/// What arrives until `last` is in it, or within five seconds; what is there already when `last` is empty.
std::string read_until(int file, const std::string& last) {
  std::string all;
  pollfd ready{file, POLLIN, 0};
  while ((last.empty() || all.find(last) == std::string::npos) &&
         ::poll(&ready, 1, last.empty() ? 0 : 5000) > 0) {
    char buffer[256];
    const ssize_t count = ::read(file, buffer, sizeof buffer);
    if (count <= 0) break;
    all.append(buffer, static_cast<std::size_t>(count));
  }
  return all;
}

TEST(Progress, ShowsItsStageOnATerminalAndGoesAway) {
  Ends terminal;
  ASSERT_EQ(::openpty(&terminal.reader, &terminal.writer, nullptr, nullptr, nullptr), 0);
  Progress progress(0ms, terminal.writer);
  progress.begin(Progress::causality);
  EXPECT_THAT(read_until(terminal.reader, "causality"),
              HasSubstr("[============............] causality, 0 s"));
  progress.finish();
  EXPECT_THAT(read_until(terminal.reader, ""), EndsWith("\r\x1b[K"));
}

TEST(Progress, IsSilentBeforeItsDelay) {
  Ends terminal;
  ASSERT_EQ(::openpty(&terminal.reader, &terminal.writer, nullptr, nullptr, nullptr), 0);
  {
    Progress progress(1h, terminal.writer);
    progress.begin(Progress::blocks);
  }
  EXPECT_EQ(read_until(terminal.reader, ""), "");
}

TEST(Progress, IsSilentWhereThereIsNoTerminal) {
  Ends pipe;
  int both[2];
  ASSERT_EQ(::pipe(both), 0);
  pipe.reader = both[0];
  pipe.writer = both[1];
  {
    Progress progress(0ms, pipe.writer);
    progress.begin(Progress::blocks);
    std::this_thread::sleep_for(20ms);
  }
  EXPECT_EQ(read_until(pipe.reader, ""), "");
}

TEST(Progress, CountsTheStagesThatAreBehind) {
  EXPECT_EQ(progress_line(Progress::reading, 2s), "[........................] reading, 2 s");
  EXPECT_EQ(progress_line(Progress::writing, 75s), "[=====================...] writing, 75 s");
}

}  // namespace
}  // namespace rodeo::tools
