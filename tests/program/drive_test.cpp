// SPDX-License-Identifier: MIT
// `rodeo drive` as a user meets it: the program against a receiver of this test's own, on loopback. What depends on time is
// waited for, never timed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>

#include <thread>

#include "engine/net/sender.h"
#include "engine/session/session.h"
#include "tests/net/support.h"
#include "tests/program/live_program.h"
#include "tools/rodeo/drive_notices.h"

namespace rodeo::tools {
namespace {

using engine::testing_support::LoopSample;
using engine::testing_support::on_loopback;
using engine::testing_support::PlainSocket;
using engine::testing_support::read_file;
using engine::testing_support::TemporaryFolder;
using engine::testing_support::two_drives;
using engine::testing_support::write_file;
using testing::HasSubstr;
using testing::StartsWith;
using testing_support::LiveProgram;
using testing_support::wait_for;

class Drive : public testing::Test {
 protected:
  void listen(const engine::ReceiverOptions& options = on_loopback()) {
    receiver_ = std::make_unique<engine::Receiver>(thread_, two_drives(), options);
  }
  [[nodiscard]] std::string where() const { return to_text(receiver_->endpoint()); }
  int drive(const std::string& arguments) {
    const std::string command = fmt::format("cd '{}' && '{}' drive {} </dev/null >out 2>err",
                                            folder_.path().string(), RODEO_PROGRAM, arguments);
    const int status = WEXITSTATUS(std::system(command.c_str()));
    err_ = read_file(folder_ / "err");
    return status;
  }
  void put(const std::string& name, const std::string& text) const { write_file(folder_ / name, text); }

  TemporaryFolder folder_;
  engine::NetThread thread_;
  std::unique_ptr<engine::Receiver> receiver_;
  LoopSample loop_;
  std::string err_;
};

const std::string kCycle = "t,lift,tilt\n0,1.5,0\n0.2,1.51,1\n";

TEST_F(Drive, SendsACycleToItsEnd) {
  listen();
  put("x.csv", kCycle);
  ASSERT_EQ(drive("x.csv --to " + where()), 0) << err_;
  EXPECT_THAT(
      err_,
      StartsWith(
          "sends motion (positions, rates and accelerations within the machine's limits) to loader at " +
          where() + ", 1000 packets a second\n"));
  EXPECT_THAT(err_, testing::ContainsRegex("\n[0-9]+ packets sent to 127.0.0.1:[0-9]+"));
  const std::uint64_t sent = std::stoull(err_.substr(err_.find('\n') + 1));
  EXPECT_GE(sent, 2U);
  EXPECT_LE(sent, 600U) << "0.2 s, and what the machine needs to come to rest";
  EXPECT_TRUE(wait_for([&] { return receiver_->counts().accepted == sent; }));
  EXPECT_EQ(receiver_->counts().refused_total(), 0U);
  loop_.take(*receiver_);
  loop_.take(*receiver_, loop_.sample.arrival + 1'000'000'000);
  EXPECT_EQ(loop_.commands[0].position, 1.51) << "the last packet is the end, standing still";
  EXPECT_EQ(loop_.commands[0].rate, 0);
  EXPECT_EQ(loop_.commands[1].position, 1);
}

TEST_F(Drive, SendsWithAKey) {
  put("key", std::string(64, '7') + "\n");
  std::filesystem::permissions(folder_ / "key", std::filesystem::perms(0600));
  engine::ReceiverOptions options = on_loopback();
  options.key = engine::build_key_from_file((folder_ / "key").string()).key;
  listen(options);
  put("x.csv", kCycle);
  ASSERT_EQ(drive("x.csv --key key --to " + where()), 0) << err_;
  EXPECT_TRUE(wait_for([&] { return receiver_->counts().accepted >= 2; }));
  EXPECT_EQ(receiver_->counts().refused_total(), 0U);
  EXPECT_EQ(drive("x.csv --to " + where()), 3);
  EXPECT_THAT(err_, HasSubstr(where() + " takes packets with a tag only: give --key FILE"));
}

TEST_F(Drive, TakesOverWithTheInstructorsKeyAndHasNothingToDoWithAViewers) {
  put("all", "operator " + std::string(64, '1') + "\ninstructor " + std::string(64, '2') + "\n");
  put("instructor", "instructor " + std::string(64, '2') + "\n");
  put("viewer", "viewer " + std::string(64, '3') + "\n");
  put("x.csv", kCycle);
  const engine::KeyFile keys = engine::build_key_from_file((folder_ / "all").string());
  engine::ReceiverOptions options = on_loopback();
  options.key = keys.keys[0];
  options.instructor_key = keys.keys[1];
  options.silence = 60;  // whoever has sent once commands
  listen(options);
  engine::Sender other(where(), keys.keys[0]);
  other.say_hello(std::chrono::seconds(5));
  ASSERT_TRUE(other.send(engine::CommandMode::rate, std::vector<double>(2)));
  ASSERT_TRUE(wait_for([&] { return receiver_->counts().accepted == 1; }));
  EXPECT_EQ(drive("x.csv --key all --to " + where()), 3) << "the operator, by its first line";
  EXPECT_EQ(drive("x.csv --key viewer --to " + where()), 1);
  EXPECT_THAT(err_,
              HasSubstr("viewer: a viewer's key commands nothing: use the operator's or the instructor's\n"));
  EXPECT_EQ(drive("x.csv --key instructor --to " + where()), 0) << err_;
  EXPECT_GT(receiver_->counts().accepted, 10U);
}

TEST_F(Drive, SaysThatTheMachineIsLatchedAndRearmsItWithTheFirstPacket) {
  listen();
  put("x.csv", kCycle);
  loop_.sample.status = engine::kStaleLatched | engine::kHalted;
  loop_.take(*receiver_);
  ASSERT_EQ(drive("x.csv --to " + where()), 3);
  EXPECT_THAT(err_,
              StartsWith("warning: loader is latched (stale_latched, halted) and does not move: 'rodeo drive "
                         "--rearm' or key A of 'rodeo run' releases it\n"));
  EXPECT_THAT(err_, HasSubstr("\nrodeo: loader was latched all the time: it did nothing of x.csv\n"));
  loop_.take(*receiver_);
  EXPECT_EQ(loop_.sample.verb, engine::Verb::release) << "of its end, and nothing else";
  ASSERT_EQ(drive("x.csv --rearm --to " + where()), 0);
  EXPECT_THAT(err_, StartsWith("loader was latched (stale_latched, halted): rearmed\n"));
  loop_.take(*receiver_);
  EXPECT_EQ(loop_.sample.verb, engine::Verb::rearm);
  loop_.take(*receiver_);
  EXPECT_EQ(loop_.sample.verb, engine::Verb::release) << "once";
}

/// Halted, stopped or frozen in the middle of a cycle: whoever waits for the end of it must not take it for done.
TEST_F(Drive, FailsIfTheMachineWasLatchedOrHeldOnTheWay) {
  put("x.csv", "t,lift,tilt\n0,1.5,0\n0.5,1.51,0\n");
  const auto drive_with = [&](std::uint32_t status, bool is_released) {
    listen();
    LiveProgram program(folder_.path(), {"drive", (folder_ / "x.csv").string(), "--to", where()});
    EXPECT_TRUE(wait_for([&] { return receiver_->counts().accepted > 0; }));
    loop_.sample.status = status;
    loop_.take(*receiver_);
    if (is_released) {
      EXPECT_TRUE(program.wait_for_err("warning: "));
      loop_.sample.status = 0;
      loop_.take(*receiver_);
    }
    const int ended = program.wait();
    return fmt::format("{} {}", ended, program.err());
  };
  const std::string file = (folder_ / "x.csv").string();
  EXPECT_THAT(drive_with(0, false), testing::StartsWith("0 "));
  const std::string halted = drive_with(engine::kHalted, false);
  EXPECT_THAT(halted, testing::StartsWith("3 "));
  EXPECT_THAT(halted,
              HasSubstr("\nrodeo: loader was latched (halted) on the way: it did not do all of " + file));
  const std::string frozen = drive_with(engine::kFrozen, false);
  EXPECT_THAT(frozen, testing::StartsWith("3 "));
  EXPECT_THAT(frozen,
              HasSubstr("\nrodeo: loader stands still (frozen): it did not reach the end of " + file));
  put("x.csv", "t,lift,tilt\n0,1.5,0\n2.5,1.51,0\n");
  EXPECT_THAT(drive_with(engine::kHalted, true), testing::StartsWith("3 ")) << "rearmed later on";
}

TEST(DriveNotices, SayOfAMachineWithoutDrivesThatItTakesNoInputs) {
  engine::Answer answer;
  answer.machine.name = "susp";
  DriveNotices notices(answer, false);
  answer.status = engine::kHalted;
  EXPECT_THAT(notices.take(answer),
              testing::ElementsAre("warning: susp is latched (halted) and takes no inputs: 'rodeo drive "
                                   "--rearm' or key A of 'rodeo run' releases it"));
}

TEST_F(Drive, RearmsAStoppedMachineByRatesOfZeroInTwoStepsBeforeTheCycle) {
  listen();
  put("x.csv", kCycle);
  loop_.sample.status = engine::kStopped;
  loop_.take(*receiver_);
  LiveProgram program(folder_.path(), {"drive", (folder_ / "x.csv").string(), "--rearm", "--to", where()});
  const auto is_rearmed = [&] {
    loop_.sample.two_steps = false;
    loop_.take(*receiver_);
    return loop_.sample.verb == engine::Verb::rearm && loop_.sample.two_steps;
  };
  ASSERT_TRUE(wait_for(is_rearmed));
  for (const engine::Command& command : loop_.commands) {
    EXPECT_EQ(command.kind, engine::Command::Kind::rate);
    EXPECT_EQ(command.rate, 0);
  }
  loop_.sample.status = 0;
  const auto is_driven = [&] {
    loop_.take(*receiver_);
    return loop_.commands[0].kind == engine::Command::Kind::position;
  };
  EXPECT_TRUE(wait_for(is_driven)) << "then the cycle";
}

TEST_F(Drive, SaysWhileItDrivesThatTheMachineIsLatchedAndItsPacketsAreRefused) {
  put("key", std::string(64, '7') + "\n");
  engine::ReceiverOptions options = on_loopback();
  options.key = engine::build_key_from_file((folder_ / "key").string()).key;
  options.instructor_key = engine::Key{1};
  listen(options);
  put("x.csv", kCycle);
  LiveProgram program(folder_.path(), {"drive", (folder_ / "x.csv").string(), "--loop", "--to", where(),
                                       "--key", (folder_ / "key").string()});
  ASSERT_TRUE(wait_for([&] { return receiver_->counts().accepted > 0; }));
  loop_.sample.status = engine::kStopped;
  loop_.take(*receiver_);
  EXPECT_TRUE(program.wait_for_err("warning: loader is latched (stopped) and does not move"));
  engine::Sender other(where(), engine::Key{1}, engine::Role::instructor);
  other.say_hello(std::chrono::seconds(5));
  ASSERT_TRUE(other.send(engine::CommandMode::rate, std::vector<double>(2)));
  EXPECT_TRUE(program.wait_for_err("packets: replaced: another sender has taken over: stop one of the two"));
}

TEST_F(Drive, SaysWhenNobodyAnswers) {
  const PlainSocket silent;
  put("x.csv", kCycle);
  const std::string nobody = fmt::format("127.0.0.1:{}", silent.port());
  EXPECT_EQ(drive("x.csv --to " + nobody), 3);
  EXPECT_THAT(err_, HasSubstr("nobody answers at " + nobody + ": is 'rodeo run' listening there?\n"));
}

TEST_F(Drive, SaysWhatIsWrongWithTheCycle) {
  listen();
  put("x.csv", "t,boom,tilt\n0,1,2\n");
  EXPECT_EQ(drive("x.csv --to " + where()), 1);
  EXPECT_EQ(err_, "x.csv:1: column 'boom' is no drive of this machine (it has lift, tilt)\n");
  EXPECT_EQ(drive("nothing --to " + where()), 1);
  EXPECT_EQ(
      err_,
      "cannot read 'nothing': there is no such file, and no cycle of that name (there are digging, loading, "
      "loading_cylinders, loading_cylinders_smooth)\n");
  EXPECT_EQ(receiver_->counts().accepted, 0U);
}

TEST_F(Drive, NotesPositionsBeyondTheRangeAsSimulateDoesAndStandsAtTheEndStop) {
  listen();
  put("x.csv", "t,lift,tilt\n0,5,2\n");
  EXPECT_EQ(drive("x.csv --to " + where()), 0);
  EXPECT_THAT(err_,
              StartsWith("note: x.csv: drive 'lift': 1 of 1 row is beyond its range of 1.23 to 1.99 m, "
                         "first at 0 s, at most by 3.01 m (5 m at 0 s): the drive is kept at its limit\n"));
  ASSERT_TRUE(wait_for([&] { return receiver_->counts().accepted > 0; }));
  EXPECT_EQ(receiver_->counts().refused_total() + receiver_->counts().clipped, 0U);
  loop_.take(*receiver_);
  loop_.take(*receiver_, loop_.sample.arrival + 1'000'000'000);
  EXPECT_EQ(loop_.commands[0].position, 1.99);
}

/// lift in millimetres from 1.23 m, and the other way round: the cycle stays in metres, and what arrives is the cycle.
TEST_F(Drive, SendsACycleAsTheSiteOfTheEngineWantsIt) {
  engine::ReceiverOptions options = on_loopback();
  options.site = {{-0.001, 1.99}, {1, 0}};
  listen(options);
  put("x.csv", kCycle);
  ASSERT_EQ(drive("x.csv --to " + where()), 0) << err_;
  EXPECT_THAT(err_,
              StartsWith("loader has a site (lift = -0.001 * sent +1.99 m): the cycle, in the machine's own "
                         "units, is sent as it wants it\n"));
  ASSERT_TRUE(wait_for([&] { return receiver_->counts().accepted > 0; }));
  EXPECT_EQ(receiver_->counts().refused_total() + receiver_->counts().clipped, 0U);
  loop_.take(*receiver_);
  loop_.take(*receiver_, loop_.sample.arrival + 1'000'000'000);
  EXPECT_NEAR(loop_.commands[0].position, 1.51, 1e-12);
  EXPECT_EQ(loop_.commands[1].position, 1);
}

TEST_F(Drive, RefusesAWrongCommandLine) {
  EXPECT_EQ(drive("x.csv"), 2);
  EXPECT_EQ(drive("--to 127.0.0.1:9"), 2);
  EXPECT_THAT(err_, HasSubstr("give one of FILE, --gamepad MAP.yaml and --keyboard"));
  EXPECT_EQ(drive("x.csv --to nowhere"), 2);
  EXPECT_THAT(err_, HasSubstr("'nowhere' must be HOST:PORT"));
  EXPECT_EQ(drive("--keyboard --loop --to 127.0.0.1:9"), 2);
  listen();
  EXPECT_EQ(drive("--keyboard --to " + where()), 2);
  EXPECT_THAT(err_, HasSubstr("--keyboard: needs a terminal as standard input"));
}

TEST_F(Drive, DoesNotDriveWhileAnotherSenderCommandsAndReleasesTheCommandAtItsEnd) {
  listen();
  put("x.csv", kCycle);
  engine::Sender other(where(), std::nullopt);
  other.say_hello(std::chrono::seconds(5));
  {
    const std::jthread sending([&](const std::stop_token& stop) {
      for (; !stop.stop_requested(); std::this_thread::sleep_for(std::chrono::milliseconds(5)))
        other.send(engine::CommandMode::rate, std::vector<double>(2));
    });
    ASSERT_TRUE(wait_for([&] { return receiver_->counts().accepted > 0; }));
    EXPECT_EQ(drive("x.csv --to " + where()), 3);
    EXPECT_THAT(err_, HasSubstr("another sender commands loader: end it, or take over with the instructor's "
                                "key (--key)\n"));
    EXPECT_EQ(receiver_->counts().refused_total(), 0U) << "it sends nothing";
  }
  EXPECT_EQ(drive("x.csv --to " + where()), 0) << err_;
  EXPECT_FALSE(other.say_hello(std::chrono::seconds(5)).is_occupied) << "it has released the command";
  EXPECT_EQ(receiver_->counts().refused_for(engine::Refusal::role), 0U);
}

TEST_F(Drive, IsKilledAndStartedAgainAndLetInSoon) {
  listen();
  put("x.csv", kCycle);
  const std::vector<std::string> arguments{"drive", (folder_ / "x.csv").string(), "--loop", "--to", where()};
  auto first = std::make_unique<LiveProgram>(folder_.path(), arguments);
  ASSERT_TRUE(wait_for([&] { return receiver_->counts().accepted >= 5; })) << first->err();
  first->kill(SIGKILL);
  EXPECT_EQ(first->wait(), -1);
  loop_.take(*receiver_);
  const std::uint64_t session = receiver_->sampled_session();
  const std::uint64_t accepted = receiver_->counts().accepted;
  LiveProgram second(folder_.path(), arguments);
  ASSERT_TRUE(wait_for([&] { return receiver_->counts().accepted >= accepted + 5; })) << second.err();
  loop_.take(*receiver_);
  EXPECT_NE(receiver_->sampled_session(), session);
  EXPECT_EQ(receiver_->counts().refused_total(), 0U);
  second.kill(SIGINT);
  EXPECT_EQ(second.wait(), 0) << "a loop is ended by its user";
}

TEST_F(Drive, EndsWithAFaultWhenTheEngineGoes) {
  listen();
  put("x.csv", kCycle);
  LiveProgram program(folder_.path(), {"drive", (folder_ / "x.csv").string(), "--loop", "--to", where()});
  ASSERT_TRUE(wait_for([&] { return receiver_->counts().accepted >= 5; })) << program.err();
  receiver_.reset();
  EXPECT_EQ(program.wait(), 3);
  EXPECT_THAT(program.err(), HasSubstr("nobody answers at "));
}

TEST_F(Drive, GoesOnWithAnEngineThatWasStartedAnew) {
  put("key", std::string(64, '7') + "\n");
  engine::ReceiverOptions options = on_loopback();
  options.key = engine::build_key_from_file((folder_ / "key").string()).key;
  listen(options);
  put("x.csv", kCycle);
  LiveProgram program(folder_.path(), {"drive", (folder_ / "x.csv").string(), "--loop", "--to", where(),
                                       "--key", (folder_ / "key").string()});
  ASSERT_TRUE(wait_for([&] { return receiver_->counts().accepted >= 5; })) << program.err();
  options.listen.port = receiver_->endpoint().port;
  options.nonce = engine::build_nonce();
  receiver_.reset();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // so that some packet finds nobody
  listen(options);
  EXPECT_TRUE(wait_for([&] { return receiver_->counts().accepted >= 5; })) << program.err();
}

/// `rodeo drive --keyboard` at the other end of a terminal.
class AtATerminal : public Drive {
 protected:
  void start() {
    const std::string to = where();
    pid_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
    ASSERT_GE(pid_, 0);
    if (pid_ != 0) return;
    ::execl(RODEO_PROGRAM, RODEO_PROGRAM, "drive", "--keyboard", "--to", to.c_str(),
            static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ~AtATerminal() override {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    if (terminal_ >= 0) ::close(terminal_);
  }
  void type(const std::string& keys) const {
    EXPECT_EQ(::write(terminal_, keys.data(), keys.size()), std::ssize(keys));
  }
  /// Whether the newest command of the first drive becomes this rate.
  bool becomes(double rate) {
    return wait_for([&] {
      loop_.take(*receiver_);
      has_stopped_ = has_stopped_ || loop_.sample.emergency_stop;
      if (loop_.sample.verb != engine::Verb::none) verbs_.push_back(loop_.sample.verb);
      return loop_.sample.has_any && std::abs(loop_.commands[0].rate - rate) < 1e-12;
    });
  }
  pid_t pid_ = -1;
  int terminal_ = -1;
  bool has_stopped_ = false;
  std::vector<engine::Verb> verbs_;
};

TEST_F(AtATerminal, KeysMoveDrivesAndSendVerbs) {
  listen();
  start();
  ASSERT_TRUE(becomes(0)) << "packets come before any key: the watchdog is fed";
  type("qq");
  EXPECT_TRUE(becomes(0.06));
  type("aaa");
  EXPECT_TRUE(becomes(-0.03));
  type("FR");
  EXPECT_TRUE(wait_for([&] {
    becomes(-0.03);
    return verbs_.size() == 2;
  }));
  EXPECT_EQ(verbs_, (std::vector{engine::Verb::freeze, engine::Verb::run}));
  type("E");
  EXPECT_TRUE(becomes(0));
  EXPECT_TRUE(wait_for([&] {
    becomes(0);
    return has_stopped_;
  }));
  type("q");
  EXPECT_TRUE(becomes(0.03));
  type("Q");
  EXPECT_TRUE(becomes(0)) << "the last packet stops the machine";
  int status = -1;
  std::array<char, 4096> screen{};
  while (::read(terminal_, screen.data(), screen.size()) > 0) continue;  // until the program closes it
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace rodeo::tools
