// SPDX-License-Identifier: MIT
// What `rodeo drive` makes of a cycle, of keys and of a gamepad, packet by packet, without a network.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include <map>
#include <sstream>

#include "engine/io/csv.h"
#include "engine/net/error.h"
#include "tools/rodeo/drive_cycle.h"
#include "tools/rodeo/drive_gamepad.h"
#include "tools/rodeo/drive_keyboard.h"

namespace rodeo::tools {
namespace {

using engine::CommandMode;
using engine::MachineInterface;
using engine::Verb;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int64_t kSecond = 1'000'000'000;

MachineInterface loader() {
  return {"loader", {{"lift", "m"}, {"tilt", "m"}}, {{1.0, 2.0, 0.5, 0.6}, {{}, {}, {}, {}}}};
}

std::unique_ptr<engine::Input> csv(const std::string& text) {
  std::istringstream in(text);
  return std::make_unique<engine::CsvInput>(engine::build_csv(in, "x.csv", {"lift", "tilt"}));
}

std::string cycle_error(const std::string& text, CycleOptions options = {}) {
  options.name = "x.csv";
  try {
    CycleSource(csv(text), loader(), options);
  } catch (const engine::IoError& error) {
    return error.what();
  }
  return "it drives";
}

const std::string kRamp = "t,lift,tilt\n0,1.0,5\n2,1.8,5\n4,1.8,3\n";

/// Rest to rest over d within V, A and J takes d/V + V/A + A/J; what is sent is the machine's own motion, jerk included.
TEST(CycleSource, SendsTheMotionThatTheMachineWouldMake) {
  MachineInterface machine = loader();
  machine.limits[0].jerk = 12;
  CycleSource source(csv(kRamp), machine, {});
  Outgoing out;
  EXPECT_TRUE(source.fill(kSecond, out));
  EXPECT_EQ(out.mode, CommandMode::motion);
  ASSERT_EQ(out.values.size(), 6U);
  const std::vector<double> before = out.values;
  double largest = 0;
  bool is_more = true;
  std::int64_t time = kSecond;
  while (is_more && time < 20 * kSecond) {
    const double was = out.values[4];
    is_more = source.fill(time += 10'000'000, out);
    largest = std::max(largest, std::abs(out.values[4] - was));
    ASSERT_LE(std::abs(out.values[2]), 0.5);
    ASSERT_LE(std::abs(out.values[4]), 0.6);
  }
  EXPECT_LE(largest, 12 * 0.01 * (1 + 1e-9)) << "the jerk, over 10 ms";
  EXPECT_GE(time, 4 * kSecond);
  EXPECT_THAT(out.values, ElementsAre(1.8, 3, 0, 0, 0, 0)) << "where everything stands";
}

TEST(CycleSource, SendsPositionsWithTheirRates) {
  CycleOptions options;
  options.mode = CommandMode::position_rate;
  CycleSource source(csv(kRamp), loader(), options);
  Outgoing out;
  EXPECT_TRUE(source.fill(kSecond, out));
  EXPECT_EQ(out.mode, CommandMode::position_rate);
  EXPECT_THAT(out.values, ElementsAre(DoubleNear(1.4, 1e-12), 5, DoubleNear(0.4, 1e-12), 0));
  EXPECT_TRUE(source.fill(3 * kSecond, out));
  EXPECT_THAT(out.values, ElementsAre(1.8, 4, 0, -1));
  EXPECT_EQ(source.fraction(3 * kSecond), 0.75);
  EXPECT_FALSE(source.fill(4 * kSecond, out)) << "the last one";
  EXPECT_THAT(out.values, ElementsAre(1.8, 3, 0, 0)) << "where everything stands";
}

TEST(CycleSource, SendsPositionsOrRatesAlone) {
  CycleOptions options;
  options.mode = CommandMode::position;
  Outgoing out;
  CycleSource(csv(kRamp), loader(), options).fill(kSecond, out);
  EXPECT_THAT(out.values, ElementsAre(DoubleNear(1.4, 1e-12), 5));
  options.mode = CommandMode::rate;
  CycleSource rates(csv(kRamp), loader(), options);
  rates.fill(kSecond, out);
  EXPECT_EQ(out.mode, CommandMode::rate);
  EXPECT_THAT(out.values, ElementsAre(DoubleNear(0.4, 1e-12), 0));
  EXPECT_FALSE(rates.fill(5 * kSecond, out));
  EXPECT_THAT(out.values, ElementsAre(0, 0));
  CycleSource written(csv("t,lift.rate,tilt.rate\n0,0.1,0\n2,0.3,1\n"), loader(), {});
  written.fill(kSecond, out);
  EXPECT_EQ(out.mode, CommandMode::rate_acceleration);
  EXPECT_THAT(out.values,
              ElementsAre(DoubleNear(0.2, 1e-12), 0.5, DoubleNear(0.1, 1e-9), DoubleNear(0.5, 1e-9)));
}

TEST(CycleSource, RunsFasterWithinTheMachinesSpeed) {
  CycleOptions options;
  options.mode = CommandMode::position_rate;
  options.speed = 2;
  CycleSource source(csv(kRamp), loader(), options);
  Outgoing out;
  EXPECT_TRUE(source.fill(kSecond / 2, out));
  EXPECT_THAT(out.values, ElementsAre(DoubleNear(1.4, 1e-12), 5, 0.5, 0))
      << "0.8 m/s is cut to the drive's 0.5";
  EXPECT_FALSE(source.fill(2 * kSecond, out));
}

TEST(CycleSource, BeginsAgain) {
  CycleOptions options;
  options.is_looped = true;
  options.mode = CommandMode::position_rate;
  CycleSource source(csv(kRamp), loader(), options);
  Outgoing first, again;
  EXPECT_TRUE(source.fill(kSecond, first));
  EXPECT_TRUE(source.fill(9 * kSecond, again));
  EXPECT_EQ(first.values, again.values);
}

TEST(CycleSource, StandsAtTheEndStopWhereItsPositionsGoBeyond) {
  CycleOptions options;
  options.mode = CommandMode::position_rate;
  CycleSource source(csv("t,lift,tilt\n0,1,5\n2,3,5\n"), loader(), options);
  Outgoing out;
  EXPECT_TRUE(source.fill(kSecond / 2, out));
  EXPECT_THAT(out.values, ElementsAre(DoubleNear(1.5, 1e-12), 5, 0.5, 0));
  EXPECT_TRUE(source.fill(kSecond + kSecond / 2, out));
  EXPECT_THAT(out.values, ElementsAre(2, 5, 0, 0));
}

TEST(CycleSource, SaysWhatTheMachineWouldRefuse) {
  EXPECT_EQ(cycle_error(kRamp), "it drives");
  EXPECT_EQ(cycle_error("t,lift.rate,tilt.rate\n0,0.6,0\n1,0,0\n"),
            "x.csv: lift moves at 0.6 m/s at 0 s, faster than the 0.5 that the machine takes");
  EXPECT_EQ(cycle_error("t,lift,tilt.rate\n0,1,0\n1,1,0\n"),
            "x.csv: a packet holds positions or rates, not both: give all columns alike");
  CycleOptions positions;
  positions.mode = CommandMode::position;
  EXPECT_EQ(cycle_error("t,lift.rate,tilt.rate\n0,0,0\n1,0,0\n", positions),
            "x.csv: its columns are rates: it can be sent with --mode rate or rate_acceleration only");
  positions.mode = CommandMode::rate_acceleration;
  EXPECT_EQ(
      cycle_error(kRamp, positions),
      "x.csv: its columns are positions: it can be sent with --mode motion, position_rate, position or rate");
}

TEST(KeyboardSource, AddsAFifthOfTheSpeedAPress) {
  KeyboardSource keys(loader());
  Outgoing out;
  EXPECT_TRUE(keys.press("qqw"));
  keys.fill(0, out);
  EXPECT_EQ(out.mode, CommandMode::rate);
  EXPECT_THAT(out.values, ElementsAre(0.2, 0.1));
  EXPECT_EQ(keys.status(), "lift +0.2 m/s, tilt +0.1 m/s");
  EXPECT_TRUE(keys.press("aaaaaaaaaaaaaaa"));
  keys.fill(0, out);
  EXPECT_THAT(out.values, ElementsAre(-0.5, 0.1)) << "never above the drive's speed";
  EXPECT_TRUE(keys.press(" "));
  keys.fill(0, out);
  EXPECT_THAT(out.values, ElementsAre(0, 0));
  EXPECT_TRUE(keys.press("eik?\n")) << "keys of drives that are not there";
  EXPECT_FALSE(keys.press("Q"));
}

TEST(KeyboardSource, TakesArrowsForTheFirstTwoDrivesAsTheViewerDoes) {
  KeyboardSource keys(loader());
  Outgoing arrows, letters;
  EXPECT_TRUE(keys.press("\x1b[A\x1b[A\x1b[C\x1bOD\x1b[D")) << "no escape among them";
  keys.fill(0, arrows);
  KeyboardSource same(loader());
  EXPECT_TRUE(same.press("qqwss"));
  same.fill(0, letters);
  EXPECT_EQ(arrows.values, letters.values);
  EXPECT_NE(arrows.values[0], 0);
  EXPECT_FALSE(keys.press("\x1b")) << "alone it ends";
}

TEST(KeyboardSource, SendsOneVerbAPacketAndAStopFirst) {
  KeyboardSource keys(loader());
  Outgoing out;
  keys.press("qFR3E");
  keys.fill(0, out);
  EXPECT_TRUE(out.emergency_stop);
  EXPECT_THAT(out.values, ElementsAre(0, 0));
  keys.fill(0, out);
  EXPECT_FALSE(out.emergency_stop);
  EXPECT_EQ(out.verb, Verb::freeze);
  keys.fill(0, out);
  EXPECT_EQ(out.verb, Verb::run);
  keys.fill(0, out);
  EXPECT_EQ(out.verb, Verb::load);
  EXPECT_EQ(out.slot, 3);
  keys.fill(0, out);
  EXPECT_EQ(out.verb, Verb::none);
  EXPECT_THAT(
      keys.help(),
      HasSubstr("keys: q a lift, w s tilt, arrows the first two drives; space stops; R run, F freeze, "));
}

class FakePad final : public Pad {
 public:
  bool update() override { return is_there; }
  [[nodiscard]] double axis(const std::string& name) const override {
    const auto found = axes.find(name);
    return found == axes.end() ? 0 : found->second;
  }
  [[nodiscard]] bool button(const std::string& name) const override {
    return std::find(down.begin(), down.end(), name) != down.end();
  }
  [[nodiscard]] std::string name() const override { return "fake"; }

  bool is_there = true;
  std::map<std::string, double> axes;
  std::vector<std::string> down;
};

const std::vector<engine::Channel> kExcavator{
    {"boom_cylinder", "m"}, {"arm_cylinder", "m"}, {"bucket_cylinder", "m"}};

MachineInterface excavator() {
  const engine::DriveLimits limits{1.6, 2.8, 0.4, 1.5};
  return {"excavator", kExcavator, {limits, limits, limits}};
}

/// A source of this map, and its pad.
struct Played {
  explicit Played(const std::string& map, double rate = 1) {
    auto fake = std::make_unique<FakePad>();
    pad = fake.get();
    source = std::make_unique<GamepadSource>(
        std::move(fake), build_gamepad_map_from_text(map, "map.yaml", kExcavator), excavator(), rate);
  }
  std::vector<double> values() {
    source->fill(0, out);
    return out.values;
  }
  FakePad* pad;
  std::unique_ptr<GamepadSource> source;
  Outgoing out;
};

const std::string kLevers =
    "levers: {boom: boom_cylinder, arm: arm_cylinder, bucket: bucket_cylinder}\n"
    "defaults: {dead_band: 0, rate_limit: 1000}\n";

TEST(GamepadSource, FollowsTheIsoPattern) {
  Played play("pattern: iso\n" + kLevers);
  play.pad->axes = {{"righty", 1}};  // towards the driver: boom up
  EXPECT_THAT(play.values(), ElementsAre(0.4, 0, 0));
  play.pad->axes = {{"lefty", -0.5}};  // away: arm out
  EXPECT_THAT(play.values(), ElementsAre(0, -0.2, 0));
  play.pad->axes = {{"rightx", -1}};  // to the left: bucket curls
  EXPECT_THAT(play.values(), ElementsAre(0, 0, 0.4));
  play.pad->axes = {{"leftx", 1}};  // swing, which this machine has not
  EXPECT_THAT(play.values(), ElementsAre(0, 0, 0));
}

TEST(GamepadSource, FollowsTheSaePattern) {
  Played play("pattern: sae\n" + kLevers);
  play.pad->axes = {{"lefty", 1}};
  EXPECT_THAT(play.values(), ElementsAre(0.4, 0, 0));
  play.pad->axes = {{"righty", 1}};
  EXPECT_THAT(play.values(), ElementsAre(0, 0.4, 0));
  play.pad->axes = {{"rightx", 1}};
  EXPECT_THAT(play.values(), ElementsAre(0, 0, -0.4));
}

TEST(LeverShape, HasADeadBandAndACurve) {
  LeverShape shape;
  shape.dead_band = 0.2;
  EXPECT_EQ(shape.calc(0.2), 0);
  EXPECT_EQ(shape.calc(-0.19), 0);
  EXPECT_DOUBLE_EQ(shape.calc(0.6), 0.5);
  EXPECT_DOUBLE_EQ(shape.calc(-1), -1);
  EXPECT_DOUBLE_EQ(shape.calc(1.7), 1) << "an axis that shows more than it has";
  shape.curve = 0.5;
  EXPECT_DOUBLE_EQ(shape.calc(0.6), 0.5 * 0.5 + 0.5 * 0.125);
  EXPECT_DOUBLE_EQ(shape.calc(1), 1);
  shape.sign = -1;
  shape.scale = 0.25;
  EXPECT_DOUBLE_EQ(shape.calc(1), -0.25);
}

TEST(GamepadSource, LimitsHowFastARateChanges) {
  Played play("defaults: {dead_band: 0, rate_limit: 2}\naxes: {boom_cylinder: {axis: 0}}\n", 10);
  play.pad->axes = {{"0", 1}};
  for (const double expected :
       {0.2, 0.4, 0.6, 0.8, 1.0, 1.0}) {  // 2 full speeds a second, 10 packets a second
    EXPECT_NEAR(play.values()[0], 0.4 * expected, 1e-12);
  }
  play.pad->axes = {{"0", -1}};
  EXPECT_NEAR(play.values()[0], 0.4 * 0.8, 1e-12);
}

TEST(GamepadSource, TakesButtonsForADriveAndForVerbs) {
  Played play(
      "defaults: {rate_limit: 1000}\naxes: {arm_cylinder: {minus: leftshoulder, plus: rightshoulder}}\n"
      "buttons: {start: run, b: emergency_stop, x: {load: 2}, y: release}\n");
  play.pad->down = {"leftshoulder"};
  EXPECT_THAT(play.values(), ElementsAre(0, -0.4, 0));
  play.pad->down = {"leftshoulder", "rightshoulder"};
  EXPECT_THAT(play.values(), ElementsAre(0, 0, 0));
  play.pad->down = {"start", "x", "b"};
  play.values();
  EXPECT_TRUE(play.out.emergency_stop);
  EXPECT_EQ(play.out.verb, Verb::run);
  play.values();
  EXPECT_FALSE(play.out.emergency_stop) << "once a press";
  EXPECT_EQ(play.out.verb, Verb::load) << "the one that had to wait";
  EXPECT_EQ(play.out.slot, 2);
  play.values();
  EXPECT_EQ(play.out.verb, Verb::none);
  play.pad->down = {"y"};
  play.values();
  EXPECT_EQ(play.out.verb, Verb::release);
  play.pad->down = {};
  play.values();
  play.pad->down = {"start"};
  play.values();
  EXPECT_EQ(play.out.verb, Verb::run);
}

TEST(GamepadSource, SaysWhenThePadIsGone) {
  Played play("axes: {arm_cylinder: {axis: lefty}}\n");
  play.pad->is_there = false;
  EXPECT_THROW(play.values(), engine::NetError);
}

std::string map_error(const std::string& text) {
  try {
    static_cast<void>(build_gamepad_map_from_text(text, "map.yaml", kExcavator));
  } catch (const engine::IoError& error) {
    return error.what();
  }
  return "read";
}

TEST(GamepadMap, OfConfigsServeTheirMachines) {
  const std::string folder = RODEO_SOURCE_DIR "/configs/gamepads/";
  for (const char* name : {"excavator_iso.yaml", "excavator_sae.yaml"}) {
    const GamepadMap map = build_gamepad_map_from_file(folder + name, kExcavator);
    EXPECT_EQ(map.levers.size(), 3U) << name;
    EXPECT_EQ(map.buttons.size(), 5U) << name;
  }
  const GamepadMap loader =
      build_gamepad_map_from_file(folder + "wheel_loader.yaml", {{"boom", "rad"}, {"tilt_lever", "rad"}});
  EXPECT_EQ(loader.levers.size(), 2U);
  EXPECT_EQ(loader.levers[0].axis, "lefty");
}

TEST(GamepadMap, OfThePageAreReadAsTheySay) {
  std::ifstream file(RODEO_SOURCE_DIR "/tools/rodeo/GAMEPAD.md");
  std::ostringstream page;
  page << file.rdbuf();
  const std::string text = page.str();
  const std::vector<engine::Channel> drives{{"lift", "m"}, {"tilt", "m"}};
  std::vector<GamepadMap> maps;
  for (std::size_t at = text.find("```yaml\n"); at != std::string::npos; at = text.find("```yaml\n", at)) {
    const std::size_t end = text.find("```", at += 8);
    maps.push_back(build_gamepad_map_from_text(text.substr(at, end - at), "GAMEPAD.md", drives));
  }
  ASSERT_EQ(maps.size(), 2U);
  EXPECT_EQ(maps[0].levers[0].axis, "lefty");
  EXPECT_EQ(maps[0].levers[0].shape.scale, 0.5);
  EXPECT_EQ(maps[0].levers[1].plus, "rightshoulder");
  EXPECT_EQ(maps[0].buttons.size(), 5U);
  EXPECT_EQ(maps[1].levers[1].axis, "rightx") << "the bucket";
}

TEST(GamepadMap, SaysFileLineAndWhatThereIs) {
  EXPECT_EQ(
      map_error("axes:\n  boom: {axis: lefty}\n"),
      "map.yaml:2: 'boom' is no drive of this machine (it has boom_cylinder, arm_cylinder, bucket_cylinder)");
  EXPECT_EQ(map_error("axes:\n  arm_cylinder: {axis: left}\n"),
            "map.yaml:2: drive 'arm_cylinder': 'left' is no axis (there is leftx, lefty, rightx, righty, "
            "lefttrigger, "
            "righttrigger, or a number)");
  EXPECT_EQ(map_error("axes:\n  arm_cylinder: {sign: 1}\n"),
            "map.yaml:2: drive 'arm_cylinder': give it an axis, or the buttons minus and plus");
  EXPECT_EQ(map_error("axes:\n  arm_cylinder: {axis: lefty, dead_band: 1}\n"),
            "map.yaml:2: drive 'arm_cylinder': dead_band must be from 0 to 0.9");
  EXPECT_EQ(map_error("pattern: iso\n"),
            "map.yaml:1: a pattern needs levers, as in levers: {boom: boom_cylinder}");
  EXPECT_EQ(map_error("pattern: jcb\nlevers: {boom: boom_cylinder}\n"),
            "map.yaml:1: pattern 'jcb' must be iso or sae");
  EXPECT_EQ(map_error("levers: {boom: boom_cylinder}\n"), "map.yaml:1: levers need pattern: iso or sae");
  EXPECT_EQ(map_error("pattern: iso\nlevers: {boom: boom_cylinder}\naxes:\n  boom_cylinder: {axis: 1}\n"),
            "map.yaml:4: drive 'boom_cylinder': drive 'boom_cylinder' is mapped twice: leave one");
  EXPECT_THAT(map_error("axes: {arm_cylinder: {axis: 1}}\nbuttons: {q: run}\n"),
              HasSubstr("map.yaml:2: 'q' is no button (there is a, b, x, y, back"));
  EXPECT_THAT(map_error("axes: {arm_cylinder: {axis: 1}}\nbuttons: {a: jump}\n"),
              HasSubstr("map.yaml:2: 'jump' is no verb (there is emergency_stop, run"));
  EXPECT_EQ(map_error("buttons: {a: run}\n"),
            "map.yaml:1: no drive is mapped: give axes, or pattern and levers");
}

}  // namespace
}  // namespace rodeo::tools
