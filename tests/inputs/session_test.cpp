// SPDX-License-Identifier: MIT
// Forces and payloads of a tick: what the machine feels of them, what is left of them in the safe state, what is recorded.
#include "engine/session/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "engine/net/signals.h"
#include "engine/record/recorder.h"
#include "engine/record/replay.h"
#include "engine/record/tick_messages.h"
#include "tests/inputs/built_machine.h"
#include "tests/record/load_recording.h"
#include "tests/step/count_allocations.h"

namespace rodeo::engine {
namespace {

using namespace inputs_testing;
using testing::ElementsAre;
using testing_support::allocation_count;
using testing_support::TemporaryFolder;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kStatic = 1e-9;  // N, of some 10^4: rounding

/// The arm, held at its start.
class Arm {
 public:
  void tick(const std::vector<double>& forces, std::uint8_t events = 0, Verb verb = Verb::none) {
    session_.tick({0, verb, 0, events, std::span(&hold_, 1), forces});
  }
  [[nodiscard]] double lift() const { return find_load(session_, "lift.force"); }
  [[nodiscard]] std::vector<double> felt() const {
    const auto inputs = session_.stepper().inputs().subspan(1);
    return {inputs.begin(), inputs.end()};
  }
  [[nodiscard]] Session& session() { return session_; }

 private:
  Session session_ = start("arm");
  Command hold_ = Command::at(kLiftStart);
};

TEST(SessionForces, AreFeltInTheTickThatBringsThem) {
  Arm arm;
  arm.tick({0, 0, 0});
  EXPECT_NEAR(arm.lift(), calc_lift_force(0, 0), kStatic);
  arm.tick({200, 0, 0});
  EXPECT_NEAR(arm.lift(), calc_lift_force(200, 0), kStatic);
  arm.tick({200, 0, -500});
  EXPECT_NEAR(arm.lift(), calc_lift_force(200, -500), kStatic);
  arm.tick({});
  EXPECT_NEAR(arm.lift(), calc_lift_force(0, 0), kStatic) << "a tick without any has none";
}

TEST(SessionForces, CeaseInTheSafeStateWhereAPayloadStays) {
  for (const std::uint8_t event : {kStaleInput, kEmergencyStop, kOverrun}) {
    Arm arm;
    arm.tick({200, 30, -500});
    arm.tick({200, 30, -500}, event);
    EXPECT_THAT(arm.felt(), ElementsAre(200, 0, 0)) << int{event};
    EXPECT_NEAR(arm.lift(), calc_lift_force(200, 0), kStatic);
    arm.tick({200, 30, -500}, kTwoSteps, Verb::rearm);
    EXPECT_THAT(arm.felt(), ElementsAre(200, 30, -500)) << "and come back with it over";
  }
}

/// A load of 200 kg was gone at the tick of a reset, and as long as the machine was frozen there.
TEST(SessionForces, AreFeltAtATickThatPlacesTheMachineAndInFreeze) {
  for (const Verb verb : {Verb::reset, Verb::load, Verb::restore}) {
    Arm arm;
    arm.tick({0, 0, 0}, 0, Verb::snapshot);
    arm.tick({200, 0, -500});
    arm.tick({200, 0, -500}, 0, verb);
    ASSERT_EQ(arm.session().status(), kJumped);
    EXPECT_THAT(arm.felt(), ElementsAre(200, 0, -500));
    EXPECT_NEAR(arm.lift(), calc_lift_force(200, -500), kStatic) << static_cast<int>(verb);
    arm.tick({200, 0, 0}, 0, Verb::freeze);
    arm.tick({100, 0, 0});
    EXPECT_NEAR(arm.lift(), calc_lift_force(100, 0), kStatic) << "frozen";
    arm.tick({50, 0, 0}, 0, verb);
    EXPECT_NEAR(arm.lift(), calc_lift_force(50, 0), kStatic) << "placed in freeze";
  }
}

/// So that a recording of before runs again bit for bit.
TEST(SessionForces, OfTheRulesOfBeforeAreNotFeltThere) {
  const Session arm = start("arm");
  SessionOptions options = arm.options();
  options.rules = 2;
  Session session(built("arm"), options, arm.conditions());
  const std::array hold{Command::at(kLiftStart)};
  const std::array<double, 3> forces{200, 0, -500};
  session.tick({.commands = hold, .forces = forces});
  session.tick({.verb = Verb::reset, .commands = hold, .forces = forces});
  EXPECT_NEAR(find_load(session, "lift.force"), calc_lift_force(0, 0), kStatic);
}

TEST(SessionForces, ThatAreNotFiniteAreAHeldTickWithThoseBefore) {
  Arm arm;
  arm.tick({200, 0, -500});
  arm.tick({200, kNan, 0});
  EXPECT_EQ(arm.session().status() & kBadInput, kBadInput);
  EXPECT_THAT(arm.felt(), ElementsAre(200, 0, -500));
  EXPECT_NEAR(arm.lift(), calc_lift_force(200, -500), kStatic);
  arm.tick({100, 0, 0});
  EXPECT_EQ(arm.session().status(), 0U);
  EXPECT_NEAR(arm.lift(), calc_lift_force(100, 0), kStatic);
}

/// rate = ∫ torque dt / inertia, and nothing else.
TEST(SessionForces, TurnAMachineThatNobodyDrives) {
  Session session = start("wheel");
  const auto names = build_names(session.stepper().kernel().outputs());
  const auto rate =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), "wheel.rate") - names.begin());
  double expected = 0;
  for (int i = 0; i < 1000; ++i) {
    const double torque = i < 600 ? 2.5 * std::sin(0.01 * i) : -1;
    session.tick({.commands = {}, .forces = std::span(&torque, 1)});
    expected += torque * 1e-3 / 0.25;
    ASSERT_NEAR(session.stepper().outputs()[rate], expected, 1e-12) << i;
  }
}

/// The wheel's angle and rate after each of these verbs, a tick each.
std::vector<std::pair<double, double>> shake(const std::vector<Verb>& verbs) {
  Session session = start("shaken");
  const auto names = build_names(session.stepper().kernel().outputs());
  const auto find = [&](const char* name) {
    return session.stepper().outputs()[std::find(names.begin(), names.end(), name) - names.begin()];
  };
  std::vector<std::pair<double, double>> motion;
  for (const Verb verb : verbs) {
    session.tick({.verb = verb, .commands = {}});
    motion.emplace_back(find("wheel.angle"), find("wheel.rate"));
  }
  return motion;
}

std::vector<Verb> join(std::initializer_list<std::pair<Verb, int>> parts) {
  std::vector<Verb> verbs;
  for (const auto& [first, ticks] : parts) {
    verbs.insert(verbs.end(), ticks, Verb::none);
    verbs[verbs.size() - ticks] = first;
  }
  return verbs;
}

/// Forces of the time stand with the motion: what was frozen in between changes nothing of it, bit for bit.
TEST(OwnTime, StandsWhileTheMachineIsFrozen) {
  const auto whole = shake(join({{Verb::none, 200}}));
  EXPECT_NEAR(whole.back().second, 2.5 / 0.25 / 40 * (1 - std::cos(40 * 0.2)), 1e-6)
      << "∫ torque dt / inertia";
  const auto frozen = shake(join({{Verb::none, 60}, {Verb::freeze, 500}, {Verb::run, 140}}));
  EXPECT_EQ(frozen[300], whole[59]);
  EXPECT_EQ(frozen.back(), whole.back());
  const auto stepped = shake(join({{Verb::freeze, 7}, {Verb::step, 9}, {Verb::step, 33}, {Verb::run, 1}}));
  EXPECT_EQ(stepped.back(), whole[2]);
}

TEST(OwnTime, IsThatOfThePoseToWhichAVerbReturns) {
  const auto whole = shake(join({{Verb::none, 200}}));
  EXPECT_EQ(shake(join({{Verb::none, 60}, {Verb::freeze, 5}, {Verb::reset, 3}, {Verb::run, 80}})).back(),
            whole[79]);
  const auto back = shake(
      join({{Verb::none, 60}, {Verb::snapshot, 40}, {Verb::freeze, 5}, {Verb::restore, 3}, {Verb::run, 80}}));
  EXPECT_EQ(back.back(), whole[139]);
}

/// Recordings of before have it run on.
TEST(OwnTime, OfOlderRulesIsThatOfTheTick) {
  const ModelFolder& model = built("shaken");
  for (const int rules : {2, 3}) {
    SessionOptions options;
    options.rules = rules;
    Session session(model, options, {{"start", model.start}});
    session.tick({.verb = Verb::freeze, .commands = {}});
    for (int i = 0; i < 9; ++i) session.tick({});
    EXPECT_EQ(session.own_time(), rules == 2 ? 10'000'000 : 0);
    EXPECT_EQ(session.time(), 10'000'000);
  }
}

TEST(OwnTime, IsInACheckpoint) {
  Session session = start("shaken"), other = start("shaken");
  session.tick({.verb = Verb::freeze, .commands = {}});
  for (int i = 0; i < 20; ++i) session.tick({.verb = i == 5 ? Verb::run : Verb::none, .commands = {}});
  std::vector<unsigned char> bytes(session.saved_bytes());
  session.save(bytes);
  ASSERT_EQ(other.try_restore(bytes), KernelStatus::ok);
  EXPECT_EQ(other.own_time(), session.own_time());
  for (int i = 0; i < 20; ++i) {
    session.tick({});
    other.tick({});
  }
  EXPECT_EQ(other.checksum(), session.checksum());
}

TEST(SessionForces, NeedNoMemory) {
  Arm arm;
  const std::vector<double> forces{200, 1, 2}, bad{kNan, 0, 0};
  const long before = allocation_count();
  for (int i = 0; i < 1000; ++i)
    arm.tick(i % 7 == 0 ? bad : forces, std::uint8_t(i % 5 == 0 ? kStaleInput : 0));
  EXPECT_EQ(allocation_count(), before);
}

/// Random commands and forces with everything that can happen to a tick in them.
class Script {
 public:
  explicit Script(const Kernel& kernel) : commands_(kernel.drive_count()), forces_(kernel.force_count()) {}

  TickInput next() {
    for (Command& command : commands_) command = Command::at(1.4 + 0.3 * draw(), 0.1 * draw());
    for (double& force : forces_) force = random_() % 50 == 0 ? kNan : 100 * (1 + draw());
    TickInput input{.commands = commands_, .forces = forces_};
    const auto dice = random_() % 100;
    if (dice < 3) input.events = kStaleInput;
    if (dice == 4) input.verb = Verb::snapshot;
    if (dice == 5) input.verb = Verb::restore;
    if (dice == 6) input.skipped = 3;
    if (dice == 7) input.forces = {};
    return input;
  }

 private:
  double draw() { return std::uniform_real_distribution<double>(-1, 1)(random_); }

  std::mt19937_64 random_{11};
  std::vector<Command> commands_;
  std::vector<double> forces_;
};

class RecordedForces : public testing::TestWithParam<const char*> {
 protected:
  /// What each tick was given; its checksum.
  void record(int ticks) {
    Session session = start(GetParam());
    Recorder recorder({.path = path()}, built(GetParam()), build_model_files(built(GetParam())), session);
    Script script(session.stepper().kernel());
    for (int i = 0; i < ticks; ++i) {
      const TickInput input = script.next();
      session.tick(input);
      recorder.record(input, session);
      forces_.emplace_back(input.forces.begin(), input.forces.end());
      checksums_.push_back(session.checksum());
    }
  }
  [[nodiscard]] std::string path() const { return (folder_ / "run.mcap").string(); }

  TemporaryFolder folder_;
  std::vector<std::vector<double>> forces_;
  std::vector<std::uint64_t> checksums_;
};

std::vector<std::uint64_t> bits(std::span<const double> values) {
  std::vector<std::uint64_t> result;
  for (const double value : values) result.push_back(std::bit_cast<std::uint64_t>(value));
  return result;
}

TEST_P(RecordedForces, ComeBackBitForBitAndMakeTheSameRun) {
  record(2000);
  const Recording recording = testing_support::load_recording(path());
  EXPECT_THAT(recording.missing(), testing::IsEmpty());
  Replay replay(recording);
  for (std::size_t i = 0; i < checksums_.size(); ++i) {
    ASSERT_TRUE(replay.next());
    ASSERT_EQ(replay.session().checksum(), checksums_[i]) << i;
    forces_[i].resize(recording.model().kernel.force_count());  // none: 0
    ASSERT_EQ(bits(replay.recorded().input.forces), bits(forces_[i])) << i;
  }
  EXPECT_EQ(replay.first_difference(), std::nullopt);
}

/// Or the test above would pass with forces that do nothing.
TEST_P(RecordedForces, DecideTheRun) {
  record(200);
  const Recording recording = testing_support::load_recording(path());
  Session deaf = recording.build_session();
  TickReader reader(recording);
  for (RecordedTick tick; reader.next(tick);) {
    tick.input.forces = {};
    deaf.tick(tick.input);
  }
  EXPECT_NE(deaf.checksum(), checksums_.back());
}

INSTANTIATE_TEST_SUITE_P(Machines, RecordedForces, testing::Values("arm", "wheel"),
                         [](const auto& each) { return std::string(each.param); });

/// As a rodeo wrote it that recorded no forces: all were 0 then.
TEST(DecodeInput, TakesAMessageWithoutForces) {
  Session session = start("arm");
  const Kernel& kernel = session.stepper().kernel();
  const EntryLayout layout(kernel);
  std::vector<std::byte> entry(layout.bytes());
  const Command hold = Command::at(kLiftStart);
  const std::vector<double> forces{200, 1, -500};
  const TickInput input{.commands = std::span(&hold, 1), .forces = forces};
  session.tick(input);
  layout.fill(entry.data(), input, session, true);
  TickEncoder encoder(layout, 1'000'000);
  const std::string message(encoder.encode_input(entry.data()));
  TickBuffer buffer(kernel);
  RecordedTick tick;
  ASSERT_TRUE(decode_input(message, buffer, tick));
  EXPECT_THAT(tick.input.forces, ElementsAre(200, 1, -500));
  constexpr std::size_t kField = 2 + 3 * 9;  // key and length, then key and double of each
  ASSERT_TRUE(decode_input(message.substr(0, message.size() - kField), buffer, tick));
  EXPECT_THAT(tick.input.forces, ElementsAre(0, 0, 0));
  EXPECT_EQ(tick.tick, 1);
  EXPECT_FALSE(decode_input(message.substr(0, message.size() - 9), buffer, tick)) << "cut off";
}

TEST(SignalTable, HasLoadsAndInputsOnlyWhereTheyAreChosen) {
  Arm arm;
  arm.tick({200, 30, -500});
  const SignalTable all(arm.session().stepper().kernel());
  const SignalTable motion = all.build_motion();
  for (const Channel& channel : motion.channels()) {
    EXPECT_FALSE(channel.name.starts_with("input.") || channel.name.ends_with(".force")) << channel.name;
  }
  const SignalTable chosen = all.build_selection({"*.force", "input.*"});
  EXPECT_THAT(chosen.channels(), ElementsAre(Channel{"lift.force", "N"}, Channel{"input.load.mass", "kg"},
                                             Channel{"input.dig.x", "N"}, Channel{"input.dig.y", "N"}));
  std::vector<double> values(4);
  chosen.gather(arm.session().stepper(), values);
  EXPECT_THAT(values, ElementsAre(arm.lift(), 200, 30, -500));
}

}  // namespace
}  // namespace rodeo::engine
