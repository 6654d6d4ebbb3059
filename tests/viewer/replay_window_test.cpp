// SPDX-License-Identifier: MIT
// A replay in a real window, driven by real keys and a real mouse; what they did is measured in the pictures that the key p writes.
#include "tests/viewer/viewer_support.h"

namespace rodeo::viz {
namespace {

using namespace testing_support;

/// Four states a second apart: the crank turns by half a radian from one to the next.
class ReplayWindowTest : public ViewerTest {
 protected:
  void SetUp() override {
    ViewerTest::SetUp();
    if (IsSkipped()) return;
    write_file(folder / "log.csv",
               "t,crank,crank.angle,coupler.angle,rocker.angle\n"
               "0,0,0,0.5,1\n1,0.5,0.5,0.5,1\n2,1,1,0.6,1.1\n3,1.5,1.5,0.7,1.2\n");
  }

  /// What is built of a file that goes away with the test does too.
  void use_own_cache() const { ::setenv("RODEO_CACHE", (folder / "cache").c_str(), 1); }

  void show(std::vector<std::string> more) {
    std::vector<std::string> words{model().string(), "--replay", "log.csv", "--time", "1"};
    words.insert(words.end(), more.begin(), more.end());
    start(words);
  }
};

TEST_F(ReplayWindowTest, KeysGoFromStateToState) {
  write_file(folder / "phases.csv", "t,phase\n0.5,A\n2.5,B\n");
  auto words = side();
  words.insert(words.end(), {"--phases", "phases.csv"});
  show(words);
  expect_crank(take_picture(), 0.5);
  press("period");
  expect_crank(take_picture(), 1);
  press("comma");
  press("comma");
  expect_crank(take_picture(), 0);
  press("End");
  expect_crank(take_picture(), 1.5);
  press("Left");
  expect_crank(take_picture(), 1);
  press("n");
  expect_crank(take_picture(), 1.25);
  press("Home");
  expect_crank(take_picture(), 0);
  press("Escape");
  EXPECT_EQ(viewer->wait(), 0);
}

TEST_F(ReplayWindowTest, TheMouseOnTheBarScrubs) {
  show(side());
  // The bar is 30 lines of 720 from the bottom, and 26 from both edges.
  const double scale = kHeight / 720.0;
  const int left = static_cast<int>(std::lround(26 * scale)), right = kWidth - left;
  const int y = static_cast<int>(std::lround(kHeight - 28 * scale));
  const auto place = [&](double part) { return left + static_cast<int>(std::lround(part * (right - left))); };
  screen->xdotool(fmt::format("mousemove --window {} {} {} click 1", id, place(0.5), y));
  expect_crank(take_picture(), 0.75);
  // Held and drawn along, and slipped off the bar.
  screen->xdotool(fmt::format("mousemove --window {0} {1} {2} mousedown 1", id, place(0.5), y));
  screen->xdotool(fmt::format("mousemove --window {0} {1} {2}", id, place(0.25), y));
  screen->xdotool(fmt::format("mousemove --window {0} {1} {2} mouseup 1", id, place(0.25), y - 200));
  expect_crank(take_picture(), 0.375);
}

TEST_F(ReplayWindowTest, SpaceLetsItRunToItsEndAndThere) {
  auto words = side();
  words.insert(words.end(), {"--speed", "20"});
  show(words);
  press("space");
  EXPECT_TRUE(wait_for([&] {
    const Vec2 seen = take_picture().find_middle(mark(1));
    const Vec2 end = pixel(0.5 * std::cos(1.5), 0.5 * std::sin(1.5));
    return std::hypot(seen.x - end.x, seen.y - end.y) < kPixels;
  }));
}

TEST_F(ReplayWindowTest, EveryToggleShowsSomethingAndTakesItAway) {
  show({"--size", "640x480"});
  press("End");
  const Pixels before = take_picture();
  ASSERT_TRUE(before.is_there());
  for (const char* key : {"t", "j", "w", "x", "l", "u", "h"}) {
    press(key);
    EXPECT_FALSE(take_picture() == before) << key;
    press(key);
    EXPECT_TRUE(take_picture() == before) << key;
  }
  for (const char* key : {"F2", "F3", "F4"}) {
    press(key);
    EXPECT_FALSE(take_picture() == before) << key;
  }
  press("F1");
  EXPECT_TRUE(take_picture() == before);
}

TEST_F(ReplayWindowTest, TheMouseTurnsTheCameraAndVPutsItBack) {
  show({"--size", "640x480"});
  const Pixels before = take_picture();
  const auto drag = [&](int button) {
    screen->xdotool(fmt::format("mousemove --window {} 320 240 mousedown {}", id, button));
    screen->xdotool(fmt::format("mousemove --window {} 380 260", id));
    screen->xdotool(fmt::format("mouseup {}", button));
  };
  for (const int button : {1, 2, 3}) {
    drag(button);
    EXPECT_FALSE(take_picture() == before) << button;
    press("v");
    EXPECT_TRUE(take_picture() == before) << button;
  }
  screen->xdotool("click 4");
  EXPECT_FALSE(take_picture() == before);
}

TEST_F(ReplayWindowTest, AChannelsWindowIsWhereItsFileSays) {
  write_file(folder / "left.yaml", "yaw: 30\nwindow: [100, 50, 400, 300]\n");
  show({"--channel", "left.yaml"});
  const std::string geometry = screen->xdotool("getwindowgeometry " + id);
  EXPECT_NE(geometry.find("Position: 100,50"), std::string::npos) << geometry;
  EXPECT_NE(geometry.find("Geometry: 400x300"), std::string::npos) << geometry;
}

/// So that pictures of several channels join.
TEST_F(ReplayWindowTest, AChannelsPictureHasTheSizeOfItsWindow) {
  write_file(folder / "left.yaml", "yaw: 30\nwindow: [100, 50, 400, 300]\n");
  const std::string view =
      fmt::format("cd '{}' && '{}' view model --channel left.yaml ", folder.path().string(), RODEO_PROGRAM);
  for (const auto& [more, size] :
       {std::pair<std::string, std::string>{"", "400 x 300"}, {"--size 640x480", "640 x 480"}}) {
    ASSERT_EQ(run_shell(view + more + " --screenshot left.ppm 2>&1").second, "");
    const std::string picture = read_file(folder / "left.ppm");
    std::istringstream header(picture);
    std::string kind;
    int width = 0, height = 0;
    header >> kind >> width >> height;
    EXPECT_EQ(fmt::format("{} x {}", width, height), size);
  }
}

TEST_F(ReplayWindowTest, ATimeBeyondTheReplayIsRefused) {
  for (const std::string time : {"100", "-1"}) {
    const auto [status, said] =
        run_shell(fmt::format("cd '{}' && '{}' view model --replay log.csv --time={} --screenshot "
                              "late.png 2>&1",
                              folder.path().string(), RODEO_PROGRAM, time));
    EXPECT_EQ(status, 2);
    EXPECT_EQ(said.find("--time " + time + ": what is shown goes from 0 to "), 0U) << said;
    EXPECT_FALSE(std::filesystem::exists(folder / "late.png"));
  }
}

TEST_F(ReplayWindowTest, ABrokenChannelFileIsTheUsersFault) {
  write_file(folder / "left.yaml", "yaw: [1]\n");
  Program broken(folder.path(), "broken", {RODEO_PROGRAM, "view", model().string(), "--channel", "left.yaml"},
                 screen->display());
  EXPECT_EQ(broken.wait(), 1);
  EXPECT_EQ(broken.err().substr(0, 12), "left.yaml:1:");
}

TEST_F(ReplayWindowTest, ARecordingIsShownByTheProgram) {
  const std::string rodeo = fmt::format("cd '{}' && '{}' ", folder.path().string(), RODEO_PROGRAM);
  write_file(folder / "in.csv", "t,crank.rate\n0,1\n1,1\n");
  ASSERT_EQ(
      run_shell(rodeo +
                "run model --input in.csv --overrun slip --duration 1 --record run.mcap >/dev/null 2>&1")
          .first,
      0);
  ASSERT_EQ(run_shell(rodeo +
                      "view model --replay run.mcap --tick 800 --screenshot tick.png --no-hud --camera side "
                      "--view=-1,-0.75,1,0.75 --mark-pins --size 640x480 2>&1")
                .second,
            "");
  // From 60 degrees on at 1 rad/s: this drive has no limits, and `slip` makes every tick however busy the machine is.
  const Pixels picture(folder / "tick.png");
  const double begin = 60 * std::acos(-1.0) / 180;
  expect_crank(picture, begin + 0.8);
}

TEST_F(ReplayWindowTest, AnEditedMachineIsShownAtOnceAndAFaultyEditIsNot) {
  use_own_cache();
  const std::string text = read_file(RODEO_SOURCE_DIR "/configs/four_bar.yaml");
  const auto with_length = [&](const std::string& length) {
    std::string edited = text;
    const std::string old = "L1: 0.5";
    EXPECT_NE(edited.find(old), std::string::npos);
    return edited.replace(edited.find(old), old.size(), "L1: " + length);
  };
  const auto shows = [&](double length) {
    return wait_for([&] {
      const Vec2 seen = take_picture().find_middle(mark(1));
      const double angle = std::acos(-1.0) / 3;
      const Vec2 expected = pixel(length * std::cos(angle), length * std::sin(angle));
      return std::hypot(seen.x - expected.x, seen.y - expected.y) < kPixels;
    });
  };
  write_file(folder / "bar.yaml", text);
  auto words = side();
  words.insert(words.begin(), {"view", "bar.yaml", "--watch"});
  start(words, RODEO_PROGRAM);
  EXPECT_TRUE(shows(0.5));
  write_file(folder / "bar.yaml", with_length("0.4"));
  EXPECT_TRUE(shows(0.4));
  write_file(folder / "bar.yaml", with_length("0.4*nonsense"));
  EXPECT_TRUE(viewer->wait_for_err("nonsense"));
  EXPECT_TRUE(shows(0.4));
  write_file(folder / "bar.yaml", with_length("0.3"));
  EXPECT_TRUE(shows(0.3));
  press("Escape");
  EXPECT_EQ(viewer->wait(), 0);
}

TEST_F(ReplayWindowTest, AnEditedMeshIsShownAtOnce) {
  use_own_cache();
  std::string text = read_file(RODEO_SOURCE_DIR "/configs/four_bar.yaml");
  const std::string body = "crank:   {";
  ASSERT_NE(text.find(body), std::string::npos);
  write_file(folder / "bar.yaml", text.replace(text.find(body), body.size(), body + "mesh: crank.obj, "));
  const auto write_mesh = [&](double height) {
    write_file(folder / "crank.obj",
               fmt::format("v 0 0 0\nv 0.5 0 0\nv 0.5 {0} 0\nv 0 {0} 0\nf 1 2 3\nf 1 3 4\n", height));
  };
  write_mesh(0.05);
  auto words = side();
  words.insert(words.begin(), {"view", "bar.yaml", "--watch"});
  start(words, RODEO_PROGRAM);
  const Pixels before = take_picture();
  EXPECT_TRUE(take_picture() == before);
  write_mesh(0.125);
  EXPECT_TRUE(wait_for([&] { return !(take_picture() == before); }));
  EXPECT_EQ(viewer->err().find("mesh"), std::string::npos) << viewer->err();
}

TEST_F(ReplayWindowTest, WithoutADisplayItSaysWhatToDo) {
  Program blind(folder.path(), "blind", {RODEO_PROGRAM, "view", model().string()});
  EXPECT_EQ(blind.wait(), 3);
  EXPECT_EQ(
      blind.err(),
      "rodeo-view: no window can be opened (DISPLAY is not set): --screenshot FILE.png or --video FILE.mp4 "
      "draw without one\n");
}

TEST(ViewCommand, WithoutAViewerItNamesThePackages) {
  const TemporaryFolder folder;
  fs::copy_file(RODEO_PROGRAM, folder / "rodeo");
  Program alone(folder.path(), "alone", {(folder / "rodeo").string(), "view", "x.yaml"});
  EXPECT_EQ(alone.wait(), 3);
  EXPECT_EQ(alone.err(),
            fmt::format("rodeo: the viewer is not there ('{}'): it is built where OpenSceneGraph and EGL are "
                        "installed, on Debian libopenscenegraph-dev and libegl-dev\n",
                        fs::canonical(folder.path()).string() + "/rodeo-view"));
}

TEST(ViewCommand, WhatIsWrongIsSaidBeforeAnythingIsStarted) {
  const TemporaryFolder folder;
  const auto view = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {RODEO_PROGRAM, "view"});
    Program program(folder.path(), "view", words);
    const int status = program.wait();
    return fmt::format("{} {}", status, program.err());
  };
  EXPECT_EQ(view({"nothing.yaml"}), "1 nothing.yaml: there is no such file or folder\n");
  EXPECT_EQ(view({"x", "--follow", "127.0.0.1"}).substr(0, 2), "2 ");
  EXPECT_EQ(view({"x", "--command", "127.0.0.1:5"}),
            "2 rodeo view: --command requires --follow (see 'rodeo view --help')\n");
  EXPECT_EQ(
      view({".", "-p", "L1=2"}),
      "2 rodeo view: -p: a built folder shows the numbers that it was built with: give the machine file (see "
      "'rodeo view --help')\n");
}

}  // namespace
}  // namespace rodeo::viz
