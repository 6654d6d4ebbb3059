// SPDX-License-Identifier: MIT
// A real `rodeo run`, watched and commanded from a real window; what the keys did is read from the states that the engine publishes to the
// test, byte by byte.
#include <sys/ioctl.h>

#include <random>

#include "engine/net/destination.h"
#include "engine/net/fingerprint.h"
#include "tests/viewer/viewer_support.h"
#include "viz/feed/interface_file.h"

namespace rodeo::viz {
namespace {

using namespace testing_support;

constexpr std::uint32_t kFrozenBit = 1U << 16;

struct Seen {
  std::uint32_t status = 0;
  std::int64_t tick = 0;
  double crank = 0;
};

class LiveWindowTest : public ViewerTest {
 protected:
  void SetUp() override {
    ViewerTest::SetUp();
    if (IsSkipped()) return;
    listen = PlainSocket().port();  // free a moment ago
    viewed = PlainSocket().port();
  }

  void run_engine() {
    engine = std::make_unique<Program>(
        folder.path(), "engine",
        std::vector<std::string>{RODEO_PROGRAM, "run", model().string(), "--rate", "1000", "--listen",
                                 at(listen), "--publish", at(viewed), "--publish", at(probe.port()), "--json",
                                 "--no-realtime"});
    ASSERT_TRUE(engine->wait_for_err("runs at 1000 Hz")) << engine->err();
    ASSERT_TRUE(wait_for([&] { return newest().tick > 0; }));
  }

  void show(std::vector<std::string> more = {}) {
    std::vector<std::string> words{model().string(), "--follow", at(viewed)};
    words.insert(words.end(), more.begin(), more.end());
    start(words);
  }

  static std::string at(std::uint16_t port) { return fmt::format("127.0.0.1:{}", port); }

  /// The newest state that has come: older ones may wait in the socket. As before, if the engine is silent.
  Seen newest() {
    sockaddr_in from{};
    Datagram bytes;
    for (int waiting = 1; waiting > 0;) {
      if (Datagram next = probe.receive(from); !next.empty()) bytes = next;
      ::ioctl(probe.file(), FIONREAD, &waiting);
    }
    if (bytes.size() < 152) return last;
    std::memcpy(&last.status, &bytes[8], 4);
    std::memcpy(&last.tick, &bytes[48], 8);
    std::memcpy(&last.crank, &bytes[144], 8);
    return last;
  }

  bool wait_for_state(const std::function<bool(const Seen&)>& condition) {
    return wait_for([&] { return condition(newest()); });
  }

  void stop_engine() {
    engine->kill(SIGINT);
    EXPECT_EQ(engine->wait(), 0) << engine->err();
  }

  std::uint16_t listen = 0, viewed = 0;
  PlainSocket probe;
  Seen last;
  std::unique_ptr<Program> engine;
};

TEST_F(LiveWindowTest, KeysDriveFreezeStepResetAndBringBack) {
  run_engine();
  show({"--command", at(listen)});
  const double begin = newest().crank;
  screen->xdotool("keydown Up");
  ASSERT_TRUE(wait_for_state([&](const Seen& s) { return s.crank > begin + 0.2; })) << viewer->err();
  press("f");
  ASSERT_TRUE(wait_for_state([](const Seen& s) { return (s.status & kFrozenBit) != 0; }));
  const Seen frozen = newest();
  ASSERT_TRUE(wait_for_state([&](const Seen& s) { return s.tick > frozen.tick + 100; }));
  EXPECT_EQ(newest().crank, frozen.crank);
  // One tick of 1 ms at 2 rad/s or, if it was not up to speed yet, less.
  press("period");
  ASSERT_TRUE(wait_for_state([&](const Seen& s) { return s.crank != frozen.crank; }));
  const Seen stepped = newest();
  EXPECT_GT(stepped.crank, frozen.crank);
  EXPECT_LE(stepped.crank, frozen.crank + 0.002 + 1e-9);
  EXPECT_NE(stepped.status & kFrozenBit, 0U);
  screen->xdotool("keyup Up");
  press("s");
  press("r");
  ASSERT_TRUE(wait_for_state([](const Seen& s) { return (s.status & kFrozenBit) == 0; }));
  screen->xdotool("keydown Down");
  ASSERT_TRUE(wait_for_state([&](const Seen& s) { return s.crank < stepped.crank - 0.1; }));
  screen->xdotool("keyup Down");
  press("f");
  press("b");
  EXPECT_TRUE(wait_for_state([&](const Seen& s) { return s.crank == stepped.crank; }));
  press("0");
  EXPECT_TRUE(wait_for_state([&](const Seen& s) { return s.crank == begin; }));
  press("Escape");
  EXPECT_EQ(viewer->wait(), 0);
  stop_engine();
}

/// Nobody tells a window of the release of a key that happens in another one.
TEST_F(LiveWindowTest, AHeldKeyEndsWithTheFocus) {
  run_engine();
  show({"--command", at(listen)});
  const Program other(folder.path(), "other", {RODEO_VIEW_PROGRAM, model().string()}, screen->display());
  std::string windows;
  ASSERT_TRUE(wait_for([&] {
    windows = screen->xdotool("search --onlyvisible --name '^rodeo: '");
    return std::count(windows.begin(), windows.end(), '\n') == 2;
  }));
  const std::string first = windows.substr(0, windows.find('\n'));
  const std::string second = windows.substr(windows.find('\n') + 1);
  screen->xdotool("windowfocus --sync " + id);
  ASSERT_TRUE(
      wait_for([&] { return press("p"), fs::exists(folder / "rodeo_view_1.png"); }));  // it has the keys
  const double begin = newest().crank;
  screen->xdotool("keydown Up");
  ASSERT_TRUE(wait_for_state([&](const Seen& s) { return s.crank > begin + 0.05; }));
  screen->xdotool("windowfocus --sync " + (first == id ? second : first));
  Seen before = newest();
  EXPECT_TRUE(wait_for_state([&](const Seen& s) {
    if (s.tick < before.tick + 100) return false;
    const bool is_at_rest = s.crank == before.crank;
    before = s;
    return is_at_rest;
  }));
  screen->xdotool("keyup Up");
}

TEST_F(LiveWindowTest, AKilledViewerIsNotNoticed) {
  run_engine();
  show({"--command", at(listen)});
  viewer->kill(SIGKILL);
  EXPECT_EQ(viewer->wait(), -SIGKILL);
  const Seen after = newest();
  EXPECT_TRUE(wait_for_state([&](const Seen& s) { return s.tick > after.tick + 300; }));
  stop_engine();
  const std::string report = engine->out();
  EXPECT_NE(report.find("\"refused\": 0"), std::string::npos) << report;
  EXPECT_NE(report.find("\"failed\": 0"), std::string::npos) << report;
  const std::string said = engine->err();  // that it runs, that it waits for a command, and no more
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 2) << said;
  EXPECT_NE(said.find("waits for the first command"), std::string::npos) << said;
}

TEST_F(LiveWindowTest, StartedLateItShowsWhereTheMachineIs) {
  run_engine();
  show({"--command", at(listen)});
  screen->xdotool("keydown Up");
  ASSERT_TRUE(wait_for_state([](const Seen& s) { return s.crank > 1.5; }));
  screen->xdotool("keyup Up");
  press("f");
  ASSERT_TRUE(wait_for_state([](const Seen& s) { return (s.status & kFrozenBit) != 0; }));
  press("Escape");
  EXPECT_EQ(viewer->wait(), 0);
  show(side());
  const double crank = newest().crank;
  EXPECT_TRUE(wait_for([&] {
    const Vec2 seen = take_picture().find_middle(mark(1));
    const Vec2 expected = pixel(0.5 * std::cos(crank), 0.5 * std::sin(crank));
    return std::hypot(seen.x - expected.x, seen.y - expected.y) < kPixels;
  }));
}

TEST_F(LiveWindowTest, StrangePacketsAreNamedOnceAndHarmNothing) {
  show(side());
  std::mt19937 random(9);
  for (int i = 0; i < 200; ++i) {
    Datagram bytes(1 + random() % 1400);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    probe.send(viewed, bytes);
  }
  probe.send(viewed, ArmState{.tick = 5}.bytes());
  EXPECT_TRUE(viewer->wait_for_err(
      fmt::format("127.0.0.1:{} sends packets that are no states: not shown\n", probe.port())));
  const std::string other = fmt::format(
      "127.0.0.1:{} sends states of another machine than 'four_bar', or other signals of it (--signals): not "
      "shown\n",
      probe.port());
  EXPECT_TRUE(viewer->wait_for_err(other));
  run_engine();  // and the right ones are shown
  EXPECT_TRUE(wait_for([&] { return take_picture().find_middle(mark(1)).x > 0; }));
  const PlainSocket another;  // the same complaint about another sender is not said again
  another.send(viewed, ArmState{.tick = 6}.bytes());
  take_picture();
  const std::string err = viewer->err();
  EXPECT_EQ(err.find("another machine"), err.rfind("another machine")) << err;
  press("Escape");
  EXPECT_EQ(viewer->wait(), 0);
}

TEST_F(LiveWindowTest, APictureOfARunningMachineNeedsNoWindow) {
  run_engine();
  Program blind(
      folder.path(), "blind",
      {RODEO_VIEW_PROGRAM, model().string(), "--follow", at(viewed), "--screenshot", "live.png", "--no-hud",
       "--camera", "side", "--view=-1,-0.75,1,0.75", "--mark-pins", "--size", "640x480"});
  EXPECT_EQ(blind.wait(), 0) << blind.err();
  expect_crank(Pixels(folder / "live.png"), std::acos(-1.0) / 3);
}

/// What `rodeo packet` tells the other side, which has it from the kernel.
TEST(Signals, AreThoseOfTheKernelInItsOrder) {
  for (const char* name : {"four_bar", "wheel_loader_cylinders"}) {
    const TemporaryFolder folder;
    const std::string command = fmt::format("cd '{}' && '{}' ", folder.path().string(), RODEO_PROGRAM);
    ASSERT_EQ(run_shell(fmt::format("{} build '{}/configs/{}.yaml' -o model >/dev/null 2>&1", command,
                                    RODEO_SOURCE_DIR, name))
                  .first,
              0);
    const Interface interface = build_interface(folder / "model");
    for (const char* pattern : {"", "*.angle;*", "*.y"}) {
      const std::string text =
          run_shell(fmt::format("{} packet model --format python --signals '{}'", command, pattern)).second;
      const auto signals = build_signals(
          interface, *pattern == 0 ? std::vector<std::string>() : engine::build_signal_patterns(pattern));
      EXPECT_NE(text.find(fmt::format("STATE_FINGERPRINT = bytes.fromhex(\"{}\")",
                                      engine::build_hex(engine::build_state_fingerprint(signals)))),
                std::string::npos)
          << name << ' ' << pattern;
    }
  }
}

}  // namespace
}  // namespace rodeo::viz
