// SPDX-License-Identifier: MIT
// `rodeo replay` and `rodeo simulate --input RECORDING` as a user meets them: one hash for a live run, its replay, its simulation
// and its replay on a processor without FMA; take-over from any tick.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/codegen/built_kernel.h"
#include "tests/program/live_program.h"
#include "tests/program/recording_support.h"
#include "tests/record/forge.h"
#include "tests/record/load_recording.h"
#include "tools/rodeo/kernel_trust.h"

namespace rodeo::tools {
namespace {

using namespace testing_support;
using engine::Recording;
using nlohmann::json;
using testing::HasSubstr;
using testing::MatchesRegex;

class ReplayCommand : public testing::Test {
 protected:
  /// As if it had been run here.
  ReplayCommand() { remember_kernel((run_.folder() / "model").string()); }
  ProgramResult run(const std::string& arguments, const std::string& environment = "") const {
    return run_rodeo(run_.folder().path(), arguments, environment);
  }
  [[nodiscard]] std::string checksum() { return to_hex(run_.session().checksum()); }

  RecordedRun run_;
};

TEST_F(ReplayCommand, VerifiesInOneLine) {
  run_.record(700);
  const ProgramResult result = run("replay run.mcap --verify");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, MatchesRegex("run.mcap: four_bar, 700 ticks, [0-9.]+ s in [-+0-9.e]+ s, checksum " +
                                       checksum() + ", identical\n"));
  EXPECT_THAT(run("replay run.mcap").out, HasSubstr("checksum " + checksum() + "\n"));
}

TEST_F(ReplayCommand, ReportsAsJson) {
  run_.record(700);
  const json report = json::parse(run("replay run.mcap --verify --json").out);
  EXPECT_EQ(report.at("model"), "four_bar");
  EXPECT_EQ(report.at("ticks"), 700);
  EXPECT_EQ(report.at("recorded_ticks"), 700);
  EXPECT_EQ(report.at("simulated_s"), static_cast<double>(run_.session().time()) / 1e9);
  EXPECT_EQ(report.at("checksum"), checksum());
  EXPECT_EQ(report.at("identical"), true);
  EXPECT_EQ(report.at("first_different_tick"), nullptr);
  EXPECT_EQ(report.at("missing"), json::array());
}

TEST_F(ReplayCommand, FailsAtTheFirstTickThatDiffers) {
  record_wrong(run_);
  const ProgramResult result = run("replay run.mcap --verify");
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr(", differs from tick 10 on\n"));
  const json report = json::parse(run("replay run.mcap --verify --json").out);
  EXPECT_EQ(report.at("identical"), false);
  EXPECT_EQ(report.at("first_different_tick"), 10);
  EXPECT_EQ(run("replay run.mcap").status, 0) << "without --verify it only runs";
}

/// What export, plot and view show is the recorded state: a recording is verified if that is what was computed.
TEST_F(ReplayCommand, DoesNotVerifyAStateThatWasChangedWithItsChecksums) {
  double tip = 0;
  run_.record(300, {}, [&](const engine::TickInput&) {
    if (run_.session().tick_number() <= 200) tip = run_.session().stepper().outputs()[9];
  });
  using engine::testing_support::bytes_of;
  const double other = 3 * tip;
  write_file(run_.path(), engine::testing_support::repair(engine::testing_support::replace_all(
                              read_file(run_.path()), bytes_of(tip), bytes_of(other))));
  const ProgramResult result = run("replay run.mcap --verify");
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out,
              MatchesRegex("(.|\n)*, the recorded tip.x of tick [0-9]+ is not the computed one\n"));
  const json report = json::parse(run("replay run.mcap --verify --json").out);
  EXPECT_EQ(report.at("identical"), false);
  EXPECT_EQ(report.at("what_differs"), "tip.x");
  EXPECT_EQ(run("replay run.mcap --take-over 250 --no-realtime --duration 0.01").status, 1);
}

TEST_F(ReplayCommand, DoesNotVerifyAttachmentsThatWereChanged) {
  run_.record(300);
  write_file(run_.path(), engine::testing_support::repair(engine::testing_support::replace_all(
                              read_file(run_.path()), "\"warn_margin\": 0.15", "\"warn_margin\": 0.14")));
  for (const char* command : {"replay run.mcap --verify", "export run.mcap -o log.csv"}) {
    const ProgramResult result = run(command);
    EXPECT_EQ(result.status, 1) << command;
    EXPECT_EQ(result.err,
              "note: run.mcap: attached session.json is not what was recorded: the digest is another one\n");
  }
}

TEST_F(ReplayCommand, DoesNotVerifyACutOffRecordingButComparesAsFarAsItGoes) {
  run_.record(1500);
  const std::string whole = read_file(run_.path());
  write_file(run_.path(), whole.substr(0, whole.size() * 3 / 4));
  const ProgramResult result = run("replay run.mcap --verify");
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(
      result.out,
      MatchesRegex("(.|\n)*, not verified: ([0-9]+) of [0-9]+ recorded ticks compared and identical\n"));
  EXPECT_THAT(result.err, HasSubstr("note: run.mcap: is cut off: "));
  const json report = json::parse(run("replay run.mcap --verify --json").out);
  EXPECT_EQ(report.at("identical"), false);
  EXPECT_EQ(report.at("first_different_tick"), nullptr);
  EXPECT_EQ(report.at("ticks"), report.at("recorded_ticks"));
  EXPECT_EQ(report.at("missing").size(), 1U);
}

/// A flipped bit in the first chunk, with kernels as users have them: driven, and free, whose motion has a history.
TEST_F(ReplayCommand, GoesOnBehindAHoleOfGeneratedKernels) {
  for (const char* config : {"wheel_loader", "free/slider_crank"}) {
    const std::string model = codegen::built_folder(codegen::config(config));
    const std::string input = config == std::string("wheel_loader") ? "--input loading" : "";
    ASSERT_EQ(
        run(fmt::format("run '{}' {} --duration 2 --no-realtime --record run.mcap", model, input)).status, 0);
    std::string bytes = read_file(run_.path());
    const Recording whole = engine::testing_support::load_recording(run_.path());
    const std::size_t data = bytes.find("rodeo.State");  // schemas stand before the chunks
    bytes[data + (bytes.size() - data) / 3] ^= 4;
    write_file(run_.path(), bytes);
    const ProgramResult result = run("replay run.mcap --verify --json");
    EXPECT_EQ(result.status, 1) << config;
    const json report = json::parse(result.out);
    EXPECT_EQ(report.at("identical"), false);
    EXPECT_EQ(report.at("first_different_tick"), nullptr) << config;
    EXPECT_EQ(report.at("missing").size(), 1U);
    EXPECT_LE(report.at("ticks_not_compared"), 64) << config;
    EXPECT_GT(report.at("ticks"), whole.tick_count() / 2) << config;
    EXPECT_EQ(report.at("simulated_s"), static_cast<double>(whole.last_tick()) / 1000) << config;
    const int passed =
        report.at("ticks_not_compared").get<int>();  // 0 where a checkpoint is next behind the hole
    EXPECT_THAT(run("replay run.mcap --verify").out,
                HasSubstr(fmt::format(
                    ", not verified: {} of {} recorded ticks compared and identical{}\n",
                    report.at("ticks").get<int>(), report.at("recorded_ticks").get<int>(),
                    passed == 0 ? "" : fmt::format(", {} behind a hole could not be compared", passed))));
  }
}

/// Damage of any kind, and every command that reads a recording: status 1 and a sentence, never silence.
TEST_F(ReplayCommand, EveryCommandTellsADamagedRecording) {
  run_.record(700);
  const std::string whole = read_file(run_.path());
  std::vector<std::string> damaged;
  for (std::size_t i = 0; i < 20; ++i) damaged.push_back(whole.substr(0, whole.size() * i / 20));
  for (std::size_t i = 0; i < 20; ++i) {
    damaged.push_back(whole);
    damaged.back()[whole.size() * (2 * i + 1) / 40] ^= 0x10;
  }
  damaged.push_back(whole + '\0');
  for (std::size_t i = 0; i < damaged.size(); ++i) {
    write_file(run_.path("bad.mcap"), damaged[i]);
    const ProgramResult result = run("replay bad.mcap --verify");
    EXPECT_EQ(result.status, 1) << i << result.out;
    EXPECT_THAT(result.err, HasSubstr("bad.mcap")) << i;
    EXPECT_THAT(result.out, testing::Not(HasSubstr(", identical\n"))) << i;
    if (i % 7 != 3) continue;
    for (const char* command : {"replay bad.mcap", "export bad.mcap -o log.csv", "plot bad.mcap -o log.html",
                                "simulate model -p L1=0.45000000000000007 --input bad.mcap -o sim.csv"}) {
      const ProgramResult other = run(command);
      EXPECT_EQ(other.status, 1) << i << ": " << command;
      EXPECT_THAT(other.err, HasSubstr("bad.mcap")) << i << ": " << command;
    }
  }
}

TEST_F(ReplayCommand, RefusesWithASentence) {
  run_.record(100);
  EXPECT_EQ(run("replay none.mcap").err, "cannot read 'none.mcap': No such file or directory\n");
  write_file(run_.path("empty.mcap"), "");
  const ProgramResult empty = run("replay empty.mcap --verify");
  EXPECT_EQ(empty.status, 1);
  EXPECT_EQ(empty.err, "empty.mcap: is empty\n");
  const ProgramResult listen = run("replay run.mcap --listen 127.0.0.1:0");
  EXPECT_EQ(listen.status, 2);
  EXPECT_THAT(listen.err, HasSubstr("--listen: is for a live run: it needs --take-over"));
  const ProgramResult rate = run("replay run.mcap --take-over 5 --rate 100");
  EXPECT_EQ(rate.status, 2);
  EXPECT_THAT(rate.err, HasSubstr("--rate: is what the recording says"));
  EXPECT_EQ(run("replay run.mcap --take-over 5 --verify").status, 2);
}

TEST_F(ReplayCommand, TakesOverAtATickAndTheNewRecordingIsOneRun) {
  run_.record(700);
  const std::int64_t last = run_.session().tick_number();
  const ProgramResult result =
      run("replay run.mcap --take-over 300 --no-realtime --duration 0.05 --record on.mcap --json");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, MatchesRegex("(.|\n)*run.mcap: takes over at tick 30[0-9], 0.6[0-9]* s\n(.|\n)*"));
  const json live = json::parse(result.out);
  EXPECT_EQ(live.at("recording").at("lost"), 0);
  EXPECT_EQ(live.at("begin_ns").get<std::int64_t>() +
                live.at("period_ns").get<std::int64_t>() *
                    (live.at("ticks").get<std::int64_t>() + live.at("lost").get<std::int64_t>()),
            live.at("time_ns"))
      << "the ticks of this run are those behind its begin";
  const ProgramResult verified = run("replay on.mcap --verify");
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  EXPECT_THAT(verified.out, HasSubstr(", identical\n"));
  ASSERT_EQ(run("export run.mcap --columns all -o old.csv").status, 0);
  ASSERT_EQ(run("export on.mcap --columns all -o new.csv").status, 0);
  const std::string before = read_file(run_.path("old.csv")), after = read_file(run_.path("new.csv"));
  const std::size_t same = before.find("\n0.6") + 1;  // tick 300 is at 0.6 s
  EXPECT_EQ(before.substr(0, same), after.substr(0, same));
  EXPECT_LT(engine::testing_support::load_recording(run_.path("on.mcap")).last_tick(), last);
}

TEST_F(ReplayCommand, TakesOverItsOwnFile) {
  run_.record(100);
  const ProgramResult result =
      run("replay run.mcap --take-over 50 --no-realtime --duration 0.01 --record run.mcap");
  ASSERT_EQ(result.status, 0);
  EXPECT_THAT(result.out,
              testing::ContainsRegex("ticks of 2 ms, 0.01 s \\(0.1[0-9]* s to 0.11[0-9]* s\\)\n"));
  EXPECT_THAT(run("replay run.mcap --verify").out, HasSubstr(", identical\n"));
}

TEST_F(ReplayCommand, TakesOverNothingThatIsNotThere) {
  run_.record(100);
  const std::int64_t last = run_.session().tick_number();
  const ProgramResult beyond = run("replay run.mcap --take-over 99999 --no-realtime");
  EXPECT_EQ(beyond.status, 1);
  EXPECT_EQ(beyond.err, fmt::format("run.mcap: tick 99999 cannot be taken over, the last one is {}\n", last));
}

TEST_F(ReplayCommand, TakesOverNothingThatDiffers) {
  record_wrong(run_);
  const ProgramResult differs = run("replay run.mcap --take-over 15 --no-realtime");
  EXPECT_EQ(differs.status, 1);
  EXPECT_THAT(
      differs.err,
      HasSubstr("run.mcap: computed again it differs from tick 10 on, there is nothing to take over"));
}

TEST_F(ReplayCommand, SimulateHasTheSameHashAndTheSameLog) {
  run_.record(700);
  ASSERT_EQ(run("export run.mcap --columns all -o log.csv").status, 0);
  const ProgramResult same =
      run("simulate model -p L1=0.45000000000000007 --input run.mcap --columns all -o sim.csv");
  EXPECT_EQ(same.status, 0);
  EXPECT_EQ(same.err, "checksum " + checksum() + "\n");
  EXPECT_TRUE(read_file(run_.path("sim.csv")) == read_file(run_.path("log.csv")));
}

TEST_F(ReplayCommand, SimulateSaysIfTheParametersAreOthers) {
  run_.record(700);
  const ProgramResult other = run("simulate model --input run.mcap -o sim.csv");
  EXPECT_EQ(other.status, 0);
  EXPECT_THAT(
      other.err,
      HasSubstr("note: run.mcap: not as recorded from tick 1 on, with L1 = 0.5, not 0.45000000000000007\n"));
  EXPECT_NE(find_checksum(other.err), checksum());
}

TEST_F(ReplayCommand, SimulateRefusesAnotherModelAndWhatTheRecordingDecides) {
  run_.record(20);
  engine::testing_support::compile_four_bar(run_.path("model/kernel.so"),
                                            "-DRODEO_TEST_FINGERPRINT='\"abcdef\"'");
  std::string text = read_file(run_.path("model/interface.json"));
  text.replace(text.find("4ba40000"), 8, "abcdef");
  write_file(run_.path("model/interface.json"), text);
  engine::write_checksums(run_.path("model"));
  const ProgramResult other = run("simulate model --input run.mcap -o sim.csv");
  EXPECT_EQ(other.status, 1);
  EXPECT_EQ(other.err,
            "run.mcap: was recorded from another model (four_bar 4ba40000, this is four_bar abcdef): 'rodeo "
            "replay' runs it "
            "with its own\n");
  const ProgramResult rate = run("simulate model --input run.mcap --rate 100 -o sim.csv");
  EXPECT_EQ(rate.status, 2);
  EXPECT_THAT(rate.err, HasSubstr("--rate: is what the recording says"));
  EXPECT_FALSE(std::filesystem::exists(run_.path("sim.csv")));
}

/// The whole way, with a generated kernel: live, replayed, simulated, and with other variants of the C library's functions.
TEST(OneHash, OfALiveRunItsReplayItsSimulationAndAProcessorWithoutFma) {
  const engine::testing_support::TemporaryFolder folder;
  const std::string model = codegen::built_folder(codegen::config("wheel_loader"));
  const ProgramResult live = run_rodeo(
      folder.path(),
      fmt::format("run '{}' --input loading --duration 0.5 --no-realtime --record run.mcap --json", model));
  ASSERT_EQ(live.status, 0) << live.err;
  const std::string hash = json::parse(live.out).at("checksum");
  EXPECT_EQ(hash.size(), 16U);
  const ProgramResult verified = run_rodeo(folder.path(), "replay run.mcap --verify");
  EXPECT_EQ(verified.status, 0) << verified.out;
  EXPECT_EQ(find_checksum(verified.out), hash);
  const std::string simulate = fmt::format("simulate '{}' --input run.mcap -o log.csv", model);
  EXPECT_EQ(run_rodeo(folder.path(), simulate).err, "checksum " + hash + "\n");
  for (const char* without :
       {"-FMA,-FMA4,-AVX2,-AVX2_Usable,-FMA_Usable", "-AVX2_Usable,-AVX2,-AVX_Usable,-AVX"}) {
    const std::string environment = fmt::format("GLIBC_TUNABLES=glibc.cpu.hwcaps={}", without);
    EXPECT_EQ(find_checksum(run_rodeo(folder.path(), "replay run.mcap --verify", environment).out), hash)
        << without;
  }
}

TEST(KilledRun, IsReplayedUpToWhatIsWhole) {
  const engine::testing_support::TemporaryFolder folder;
  engine::testing_support::write_model_folder(folder / "model");
  const std::string file = (folder / "run.mcap").string();
  LiveProgram live(folder.path(), {"run", (folder / "model").string(), "--no-realtime", "--record", file});
  ASSERT_TRUE(wait_for([&] {
    try {
      return engine::testing_support::load_recording(file).last_tick() > 0;
    } catch (const std::exception&) {
      return false;
    }
  }));
  const std::int64_t seen = engine::testing_support::load_recording(file).last_tick();
  live.kill(SIGKILL);
  EXPECT_EQ(live.wait(), -1);
  const ProgramResult result = run_rodeo(folder.path(), "replay run.mcap --verify --json");
  EXPECT_EQ(result.status, 1) << "what is not there was not compared";
  const json report = json::parse(result.out);
  EXPECT_EQ(report.at("identical"), false);
  EXPECT_EQ(report.at("first_different_tick"), nullptr);
  EXPECT_EQ(report.at("ticks"), report.at("recorded_ticks"));
  EXPECT_GE(engine::testing_support::load_recording(file).last_tick(), seen);
  EXPECT_EQ(report.at("missing").size(), 1U);
  EXPECT_THAT(result.err, HasSubstr("note: run.mcap: "));
}

}  // namespace
}  // namespace rodeo::tools
