// SPDX-License-Identifier: MIT
// Logs, recordings, phases and the time of a replay, without a window.
#include "engine/io/input.h"
#include "tests/feed/feed_support.h"
#include "tests/record/recorded_run.h"
#include "tools/rodeo/view_log.h"
#include "viz/feed/folder_watch.h"
#include "viz/feed/log_file.h"
#include "viz/feed/playback.h"
#include "viz/feed/signal.h"

namespace rodeo::viz {
namespace {

using namespace testing_support;

constexpr double kRounding = 1e-12;

class LogTest : public ::testing::Test {
 protected:
  Track read(const std::string& text) {
    write_file(path, text);
    return build_track_from_log(path, scene);
  }
  std::string refusal(const std::string& text) {
    return sentence_of<SceneError>([&] { static_cast<void>(read(text)); });
  }

  ArmFolder folder;
  Scene scene = folder.build();
  std::string path = (folder / "log.csv").string();
};

TEST_F(LogTest, RowsAreStatesAndWhatIsNotToldIsDerived) {
  const Track track = read("t,turn,arm.angle\n0,0,0\n0.1,0.05,0.05\n# a comment\n0.2,0.1,0.1\r\n");
  ASSERT_EQ(track.count(), 3U);
  const Sample sample = track.sample(0.15);
  EXPECT_NEAR(sample.bodies[1].pose.angle, 0.075, kRounding);
  EXPECT_NEAR(sample.bodies[1].rate, 0.5, kRounding);
  EXPECT_NEAR(sample.drives[0].position, 0.075, kRounding);
  EXPECT_EQ(sample.tick, 1);
}

TEST_F(LogTest, TickStatusAndLostAreTakenWhereTheyStand) {
  const Track track = read("t,tick,lost,status,margin,arm.angle\n0,40,2,65536,0.25,0\n");
  const Sample sample = track.row(0);
  EXPECT_EQ(sample.tick, 40);
  EXPECT_EQ(sample.lost, 2U);
  EXPECT_EQ(sample.status, 65536U);
  EXPECT_EQ(sample.margin, 0.25);
}

TEST_F(LogTest, WhatIsNoLogIsRefusedWithItsLine) {
  EXPECT_EQ(refusal("a,b\n1,2\n"), path + ":1: is no log (it has no column 't')");
  EXPECT_EQ(refusal("t,boom.angle\n1,2\n"),
            path + ":1: is no log of the machine 'arm' (it has no column arm.angle)");
  EXPECT_EQ(refusal("t,arm.angle\n0,0\n0,1\n"), path + ":3: time does not rise");
  EXPECT_EQ(refusal("t,arm.angle\n0,0\n1\n"), path + ":3: has 1 values, the header has 2");
  EXPECT_EQ(refusal("t,arm.angle\n0,nan\n"), path + ":2: 'nan' is no number");
  EXPECT_EQ(refusal("t,arm.angle\n"), path + ": has no rows");
  EXPECT_EQ(refusal(""), path + ": is empty");
  EXPECT_EQ(
      refusal("\x89MCAP0\r\n and so on"),
      path + ": is a recording: 'rodeo view MODEL --replay' makes a log of it, rodeo-view reads logs only");
}

/// The scene of the hand-written four-bar, with the length of crank that RecordedRun gives it.
void write_four_bar_scene(const std::filesystem::path& folder) {
  write_file(folder / "scene.json", R"({"name": "four_bar", "bodies": [
  {"name": "ground", "colour": "#8a8f94", "points": {"O": [0, 0], "Q": [1.4, 0]}, "start": [0, 0, 0]},
  {"name": "crank", "colour": "#e69f00", "points": {"O": [0, 0], "B": [0.45000000000000007, 0]}, "start": [0, 0, 0]},
  {"name": "coupler", "colour": "#e69f00", "points": {"B": [0, 0], "C": [1.2, 0]}, "start": [0, 0, 0]},
  {"name": "rocker", "colour": "#e69f00", "points": {"Q": [0, 0], "C": [1, 0]}, "start": [0, 0, 0]}],
 "joints": [{"kind": "revolute", "name": "a", "first": ["ground", "O"], "second": ["crank", "O"]},
  {"kind": "revolute", "name": "b", "first": ["crank", "B"], "second": ["coupler", "B"]},
  {"kind": "revolute", "name": "c", "first": ["coupler", "C"], "second": ["rocker", "C"]},
  {"kind": "revolute", "name": "d", "first": ["ground", "Q"], "second": ["rocker", "Q"]}],
 "drives": [{"name": "crank", "kind": "angle", "unit": "rad"}], "outputs": []})");
}

TEST(ViewLog, ARecordingIsShownTickByTickAsItWas) {
  engine::testing_support::RecordedRun run;
  struct Seen {
    std::int64_t tick;
    std::uint32_t status;
    double crank;
  };
  std::vector<Seen> seen{{0, run.session().status(), run.session().stepper().drives()[0].position}};
  run.record(800, {}, [&](const engine::TickInput&) {
    const engine::Session& session = run.session();
    seen.push_back({session.tick_number(), session.status(), session.stepper().drives()[0].position});
  });
  const std::string model = (run.folder() / "model").string();
  const std::string log = run.path("view.csv");
  testing::internal::CaptureStderr();
  EXPECT_TRUE(tools::write_view_log(run.path(), model, log));
  EXPECT_NE(
      testing::internal::GetCapturedStderr().find("was recorded with L1 = 0.45000000000000007, shown with"),
      std::string::npos);
  const TemporaryFolder shown;
  write_four_bar_scene(shown.path());
  engine::write_checksums(shown.path().string());
  const Track track = build_track_from_log(log, build_scene(shown.path()));
  ASSERT_EQ(track.count(), seen.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const Sample sample = track.row(i);
    EXPECT_EQ(sample.tick, seen[i].tick);
    EXPECT_EQ(sample.status, seen[i].status);
    EXPECT_EQ(sample.drives[0].position, seen[i].crank);
    EXPECT_EQ(sample.lost, static_cast<std::uint64_t>(seen[i].tick) - i);
    EXPECT_NEAR(sample.time, 0.002 * static_cast<double>(seen[i].tick), kRounding);
    // The pin between coupler and rocker, from both sides: what is shown is one machine.
    const Vec2 a = sample.bodies[2].pose.calc_world({1.2, 0}), b = sample.bodies[3].pose.calc_world({1, 0});
    EXPECT_NEAR(std::hypot(a.x - b.x, a.y - b.y), 0, 1e-9);
  }
}

/// Loads, inputs and accelerations are none of the scene's, but a log has them.
TEST(Charts, AreOfAnyColumnOfALog) {
  const TemporaryFolder shown;
  write_four_bar_scene(shown.path());
  engine::write_checksums(shown.path().string());
  const std::string log = (shown.path() / "log.csv").string();
  write_file(log,
             "t,crank,crank.angle,coupler.angle,rocker.angle,crank.torque,input.load.mass\n"
             "0,0,0,0.5,1,10,3\n1,0.5,0.5,0.5,1,20,3\n");
  Scene scene = build_scene(shown.path());
  add_charted(scene, log, {"crank.torque", "crank", "input.load.mass", "nothing"});
  const Track track = build_track_from_log(log, scene);
  const Signal torque(scene, "crank.torque"), mass(scene, "input.load.mass");
  EXPECT_EQ(torque.unit(), "N m");
  EXPECT_NEAR(torque.calc_value(scene, track.sample(0.5)), 15, kRounding);
  EXPECT_EQ(mass.unit(), "kg");
  EXPECT_NEAR(mass.calc_value(scene, track.sample(0.5)), 3, kRounding);
  EXPECT_THROW(Signal(scene, "nothing"), SceneError);
}

TEST(ViewLog, HasTheAccelerationsThatAreCharted) {
  engine::testing_support::RecordedRun run;
  run.record(10);
  const std::string model = (run.folder() / "model").string(), log = run.path("view.csv");
  testing::internal::CaptureStderr();
  for (const bool is_charted : {false, true}) {
    const std::vector<std::string> charts(is_charted ? 1 : 0, "crank.acceleration");
    EXPECT_TRUE(tools::write_view_log(run.path(), model, log, charts));
    const std::string text = engine::testing_support::read_file(log);
    EXPECT_EQ(text.substr(0, text.find('\n')).find(",crank.acceleration") != std::string::npos, is_charted);
  }
  static_cast<void>(testing::internal::GetCapturedStderr());
}

TEST(ViewLog, ARecordingOfAnotherModelIsRefused) {
  engine::testing_support::RecordedRun run;
  run.record(10);
  const std::string other = (run.folder() / "other").string();
  std::filesystem::create_directories(other);
  // Another kernel of the same channels: another fingerprint.
  const auto source = engine::testing_support::read_file(RODEO_SOURCE_DIR "/tests/kernel/four_bar_kernel.c");
  const std::string fingerprint = "4ba40000";
  ASSERT_NE(source.find(fingerprint), std::string::npos);
  std::string changed = source;
  changed.replace(changed.find(fingerprint), fingerprint.size(), "4ba4ffff");
  write_file(run.folder() / "other.c", changed);
  engine::testing_support::compile((run.folder() / "other.c").string(), other + "/kernel.so",
                                   "-I'" RODEO_SOURCE_DIR "/tests/kernel'");
  write_file(other + "/interface.json",
             R"({"name": "other_bar", "kernel": "kernel.so", "model_fingerprint": "4ba4ffff", "drives": [)"
             R"({"name": "crank", "unit": "rad"}]})");
  engine::write_checksums(other);
  EXPECT_EQ(sentence_of<engine::IoError>(
                [&] { static_cast<void>(tools::write_view_log(run.path(), other, run.path("x.csv"))); }),
            run.path() + ": was recorded from another model (four_bar, this is other_bar)");
}

/// From 1 s to 11 s.
Track build_even_track() {
  Track track(0, 0);
  for (int i = 0; i <= 100; ++i) {
    Sample sample;
    sample.time = 1 + 0.1 * i;
    track.add(sample);
  }
  return track;
}

class PlaybackTest : public ::testing::Test {
 protected:
  Track track = build_even_track();
  Playback playback{track, {{2, "A"}, {5, "B"}}, 1};
};

TEST_F(PlaybackTest, RunsAtItsSpeedAndPausesAtTheEnd) {
  playback.advance(0.25);
  EXPECT_NEAR(playback.time(), 1.25, kRounding);
  playback.change_speed(-1);
  playback.advance(1);
  EXPECT_NEAR(playback.time(), 1.75, kRounding);
  EXPECT_FALSE(playback.is_paused());
  playback.advance(1000);
  EXPECT_EQ(playback.time(), track.end_time());
  EXPECT_TRUE(playback.is_paused());
  playback.toggle_pause();
  EXPECT_EQ(playback.time(), track.begin_time());
  EXPECT_FALSE(playback.is_paused());
}

TEST_F(PlaybackTest, StepsFromStateToStateAndPauses) {
  playback.advance(0.25);
  playback.step(1);
  EXPECT_EQ(playback.time(), track.time(3));
  EXPECT_TRUE(playback.is_paused());
  playback.advance(1);
  EXPECT_EQ(playback.time(), track.time(3));
  playback.step(-1);
  EXPECT_EQ(playback.time(), track.time(2));
  playback.go_to(1.25);
  playback.step(-1);  // between two states: the one before
  EXPECT_EQ(playback.time(), track.time(2));
  playback.step(-100);
  EXPECT_EQ(playback.time(), track.begin_time());
}

TEST_F(PlaybackTest, SpeedHasItsLadderAndItsEnds) {
  std::vector<double> speeds;
  for (int i = 0; i < 8; ++i) {
    playback.change_speed(1);
    speeds.push_back(playback.speed());
  }
  EXPECT_EQ(speeds, (std::vector<double>{2, 5, 10, 20, 50, 100, 100, 100}));
  for (int i = 0; i < 20; ++i) playback.change_speed(-1);
  EXPECT_EQ(playback.speed(), 0.01);
  Playback odd(track, {}, 0.3);
  odd.change_speed(1);
  EXPECT_EQ(odd.speed(), 0.5);
}

TEST_F(PlaybackTest, JumpsWithinTheReplayAndFromPhaseToPhase) {
  playback.jump(-1);
  EXPECT_EQ(playback.time(), 1);
  playback.jump(3);
  EXPECT_EQ(playback.time(), 4);
  playback.go_to_next_phase();
  EXPECT_EQ(playback.time(), 5);
  playback.go_to_next_phase();  // after the last the first
  EXPECT_EQ(playback.time(), 2);
  playback.go_to_part(0.5);
  EXPECT_NEAR(playback.time(), 6, kRounding);
}

TEST(Phases, AreReadInOrderOrRefusedWithTheirLine) {
  const TemporaryFolder folder;
  const std::string path = (folder / "phases.csv").string();
  const auto read = [&](const std::string& text) {
    write_file(path, text);
    return build_phases(path);
  };
  EXPECT_EQ(read("t,phase\n0,A\n1.5,B\n"), (Phases{{0, "A"}, {1.5, "B"}}));
  const auto refusal = [&](const std::string& text) {
    return sentence_of<SceneError>([&] { static_cast<void>(read(text)); });
  };
  EXPECT_EQ(refusal("t,name\n"), path + ":1: the header must be t,phase");
  EXPECT_EQ(refusal("t,phase\nx,A\n"), path + ":2: 'x' is no time");
  EXPECT_EQ(refusal("t,phase\n1,A\n1,B\n"), path + ":3: time does not rise");
  EXPECT_EQ(refusal("t,phase\n1\n"), path + ":2: must be a time and a phase");
  EXPECT_EQ(refusal(""), path + ": is empty");
}

TEST(FolderWatch, SeesAnotherTargetOfItsLinkOnceAndTheSentenceBesideIt) {
  const TemporaryFolder folder;
  for (const char* name : {"one", "two"}) {
    std::filesystem::create_directories(folder / name);
    write_file(folder / name / "scene.json", kScene);
  }
  const auto link = folder / "model";
  std::filesystem::create_directory_symlink(folder / "one", link);
  FolderWatch watch(link);
  EXPECT_FALSE(watch.take_change());
  std::filesystem::create_directory_symlink(folder / "two", folder / "model.new");
  std::filesystem::rename(folder / "model.new", link);
  EXPECT_TRUE(watch.take_change());
  EXPECT_FALSE(watch.take_change());
  EXPECT_EQ(watch.read_fault(), "");
  write_file(folder / "model.fault", "x.yaml:3: no\n");
  EXPECT_EQ(watch.read_fault(), "x.yaml:3: no");
  write_file(folder / "two" / "scene.json", std::string(kScene) + "\n");
  EXPECT_TRUE(watch.take_change());
  std::filesystem::remove(folder / "two" / "scene.json");
  EXPECT_FALSE(watch.take_change());  // being built: the next look sees more
}

}  // namespace
}  // namespace rodeo::viz
