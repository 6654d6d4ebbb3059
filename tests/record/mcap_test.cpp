// SPDX-License-Identifier: MIT
// A recording in other people's hands: @mcap/core and protobufjs (which Foxglove is made of) read every number of it, zlib
// confirms every checksum, protoc (the protobuf library that PlotJuggler links) decodes it by its own schema.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <bit>

#include "tests/record/recorded_run.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;
using testing::HasSubstr;

struct Result {
  int status;
  std::string out;
};

Result run_command(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>&1").c_str(), "r"),
                                                   [](FILE*) { return 0; });  // closed below
  std::string text;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;)
    text.append(buffer.data(), n);
  return {WEXITSTATUS(pclose(pipe.get())), text};
}

std::string bits(double value) { return fmt::format("{:016x}", std::bit_cast<std::uint64_t>(value)); }

/// The field of a channel: these names need no more than their dots replaced.
std::string field(std::string name) {
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

/// The first lines that differ; empty if none does.
std::string find_difference(const std::string& a, const std::string& b) {
  std::istringstream lines_a(a);
  std::istringstream lines_b(b);
  for (std::string x, y; std::getline(lines_a, x);) {
    if (!std::getline(lines_b, y) || x != y) return x + "\n" + y;
  }
  return "";
}

/// What the other side should print, from the session itself.
class ExpectedLines {
 public:
  void add(const TickInput& input, const Session& session) {
    constexpr std::array kVerbs{"NONE", "RUN",      "FREEZE",  "STEP", "RESET",
                                "LOAD", "SNAPSHOT", "RESTORE", "REARM"};
    const Stepper& stepper = session.stepper();
    text_ += fmt::format("input {} {} VERB_{} {} {} 0 {:016x}", session.tick_number(), input.skipped,
                         kVerbs.at(static_cast<std::size_t>(input.verb)), input.slot, input.events,
                         session.checksum());
    for (std::size_t d = 0; d < input.commands.size(); ++d) {
      const Command& command = input.commands[d];
      text_ += fmt::format(" {}=KIND_{}:{}:{}:{}", field(stepper.kernel().drives()[d].name),
                           command.kind == Command::Kind::rate ? "RATE" : "POSITION", bits(command.position),
                           bits(command.rate), bits(command.acceleration));
    }
    text_ += fmt::format("\nstate {} {} {} {} {}", session.tick_number(),
                         bits(static_cast<double>(session.time()) / 1e9), session.status(),
                         bits(stepper.residual()), bits(stepper.margin()));
    for (std::size_t d = 0; d < stepper.drives().size(); ++d) {
      const DriveState& drive = stepper.drives()[d];
      text_ += fmt::format(" {}={}:{}:{}", field(stepper.kernel().drives()[d].name), bits(drive.position),
                           bits(drive.rate), bits(drive.acceleration));
    }
    for (std::size_t i = 0; i < stepper.outputs().size(); ++i) {
      text_ += fmt::format(" {}={}", field(stepper.kernel().outputs()[i].name), bits(stepper.outputs()[i]));
    }
    text_ += '\n';
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class OtherReader : public testing::Test {
 protected:
  OtherReader() {
    run_.record(1000, {}, [&](const TickInput& input) { expected_.add(input, run_.session()); });
  }
  RecordedRun run_;
  ExpectedLines expected_;
};

TEST_F(OtherReader, McapCoreReadsEveryTickBitForBitAndFindsAllChecksumsRight) {
  const std::string folder = (fs::path(RODEO_PROGRAM).parent_path() / "node").string();
  const std::string tests = RODEO_SOURCE_DIR "/tests/record";
  const Result installed = run_command(fmt::format("'{}/install_readers' '{}'", tests, folder));
  if (installed.status != 0) GTEST_SKIP() << "@mcap/core is not there: " << installed.out;
  const Result read = run_command(
      fmt::format("NODE_PATH='{}/node_modules' node '{}/read_mcap.js' '{}'", folder, tests, run_.path()));
  ASSERT_EQ(read.status, 0) << read.out.substr(0, 2000);
  const std::size_t begin = read.out.find("input ");
  EXPECT_EQ(find_difference(expected_.text(), read.out.substr(begin, expected_.text().size())), "");
  EXPECT_THAT(read.out, HasSubstr("\ndone true\n"));
  EXPECT_THAT(read.out,
              HasSubstr(fmt::format("\nindexed input 1000 state 1001 last {}\n", run_.session().time())));
  EXPECT_THAT(read.out,
              HasSubstr("\nstatistics messages 2001 channels 2 schemas 2 attachments 4 metadata 2 chunks "));
  for (const ModelFile& file : run_.files()) {
    EXPECT_THAT(read.out, HasSubstr(fmt::format("attachment {} {}\n", file.name, file.bytes.size())));
    EXPECT_THAT(read.out, HasSubstr("\nindexed attachment " + file.name + "\n"));
  }
  EXPECT_THAT(read.out, HasSubstr("\nmetadata rodeo model=four_bar\n"));
  EXPECT_THAT(read.out, HasSubstr("\nmetadata rodeo.end ticks=1000\n"));
}

TEST_F(OtherReader, ZlibFindsAllChecksumsRightAndProtocDecodesByTheSchemaInside) {
  if (run_command("command -v python3").status != 0) GTEST_SKIP() << "there is no python3";
  const std::string folder = run_.folder().path().string();
  const Result checked = run_command(fmt::format("python3 '{}/tests/record/check_mcap.py' '{}' '{}'",
                                                 RODEO_SOURCE_DIR, run_.path(), folder));
  ASSERT_EQ(checked.status, 0) << checked.out;
  EXPECT_THAT(checked.out,
              testing::MatchesRegex("well chunks=([0-9]+) indexes=[0-9]+ attachments=4 offsets=6\n"));
  if (run_command("command -v protoc").status != 0) GTEST_SKIP() << "there is no protoc";
  const auto decode = [&](const std::string& type, const std::string& file) {
    return run_command(
        fmt::format("cd '{}' && protoc --descriptor_set_in=schema.bin --decode={} <{}", folder, type, file));
  };
  const Result input = decode("rodeo.Input", "input.bin");
  EXPECT_EQ(input.status, 0) << input.out;
  EXPECT_THAT(input.out, HasSubstr("tick: 1\n"));
  EXPECT_THAT(input.out, HasSubstr("commands {\n  crank {\n"));
  const Result state = decode("rodeo.State", "state.bin");
  EXPECT_EQ(state.status, 0) << state.out;
  EXPECT_THAT(state.out, HasSubstr("drives {\n  crank {\n    position: 1.047"));
  EXPECT_THAT(state.out, HasSubstr("  coupler_angle: "));
}

}  // namespace
}  // namespace rodeo::engine
