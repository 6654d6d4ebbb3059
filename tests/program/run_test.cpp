// SPDX-License-Identifier: MIT
// `rodeo run` as a user meets it, on the hand-written four-bar: report, exit status, sentences, signals, UDP, recording. What
// depends on time is waited for, never timed.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <nlohmann/json.hpp>
#include <set>

#include "engine/io/csv.h"
#include "engine/record/recording.h"
#include "engine/session/session.h"
#include "tests/program/live_program.h"
#include "tests/record/load_recording.h"

namespace rodeo::tools {
namespace {

using namespace testing_support;
using engine::testing_support::read_file;
using engine::testing_support::TemporaryFolder;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class Run : public testing::Test {
 protected:
  Run() {
    engine::testing_support::write_model_folder(folder_ / "model",
                                                R"("speed": 1, "acceleration": 4, "start": 1, "upper": 3)");
  }
  int run(const std::string& arguments) {
    const std::string command = fmt::format("cd '{}' && '{}' run {} </dev/null >out 2>err",
                                            folder_.path().string(), RODEO_PROGRAM, arguments);
    const int status = WEXITSTATUS(std::system(command.c_str()));
    out_ = read_file(folder_ / "out");
    err_ = read_file(folder_ / "err");
    return status;
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void put(const std::string& name, const std::string& text) const {
    engine::testing_support::write_file(folder_ / name, text);
  }
  /// Starts one that runs until it is stopped, and waits until it runs.
  [[nodiscard]] std::unique_ptr<LiveProgram> start(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"run", path("model"), "--no-realtime"});
    auto program = std::make_unique<LiveProgram>(folder_.path(), arguments);
    EXPECT_TRUE(program->wait_for_err("runs at")) << program->err();
    return program;
  }

  TemporaryFolder folder_;
  std::string out_, err_;
};

TEST_F(Run, ReportsAsJsonAfterItsDuration) {
  ASSERT_EQ(run("model --duration 0.25 --no-realtime --json"), 0) << err_;
  const json report = json::parse(out_);
  EXPECT_EQ(report.at("name"), "four_bar");
  EXPECT_EQ(report.at("period_ns"), 1'000'000);
  EXPECT_GE(report.at("ticks").get<int>() + report.at("lost").get<int>(), 250);
  EXPECT_EQ(report.at("time_ns"), 1'000'000 * (report.at("ticks").get<int>() + report.at("lost").get<int>()));
  for (const char* key : {"wake_up_latency_ns", "step_time_ns", "input_age_ns", "send_time_ns"}) {
    for (const char* part : {"p50", "p99", "p99.9", "p99.99", "max"}) {
      EXPECT_TRUE(report.at(key).at(part).is_number()) << key << part;
    }
  }
  EXPECT_EQ(report.at("wake_up_latency_ns").at("count"), report.at("ticks"));
  EXPECT_LT(report.at("residual_max_m"), 1e-12);
  EXPECT_EQ(report.at("at_rest"), true);
  EXPECT_EQ(report.at("realtime").at("fifo"), false);
  EXPECT_EQ(err_, "four_bar: runs at 1000 Hz\n");
}

TEST_F(Run, TellsThePeriodOfARateThatDoesNotDivideASecond) {
  ASSERT_EQ(run("model --rate 300 --duration 0.05 --no-realtime --json"), 0) << err_;
  EXPECT_EQ(err_, "four_bar: runs at 300 Hz (a period of 3.333333 ms, that is 300.00003 Hz)\n");
  EXPECT_EQ(json::parse(out_).at("period_ns"), 3'333'333);
}

TEST_F(Run, ReportsAsATable) {
  ASSERT_EQ(run("model --rate 500 --duration 0.1 --no-realtime"), 0) << err_;
  EXPECT_THAT(out_, HasSubstr(" ticks of 2 ms, "));
  for (const char* word :
       {"p50", "p99", "p99.9", "p99.99", "max", "wake-up latency", "step time", "late ", "lost ",
        "closure error", "status          ok, drives at rest", "checksum", "processor"}) {
    EXPECT_THAT(out_, HasSubstr(word));
  }
  EXPECT_THAT(out_, Not(HasSubstr("packets"))) << "there is no port";
}

/// The same inputs in a session, without loop, thread or clock.
std::string calc_checksum(const std::string& model_folder, const std::string& csv, int ticks) {
  const auto model = engine::ModelFolder::build_from(model_folder);
  engine::Session session(model, {}, {{"start", model.start}});
  engine::CsvInput input(engine::build_csv_from_file(csv, {"crank"}));
  std::vector<engine::Command> commands(1);
  for (int i = 1; i <= ticks; ++i) {
    input.sample(i * 1'000'000LL, commands);
    session.tick({0, engine::Verb::none, 0, 0, commands});
  }
  return fmt::format("{:016x}", session.checksum());
}

TEST_F(Run, ComputesTheSameBitsAsASessionWithoutALoop) {
  put("in.csv", "t,crank\n0,1.0\n0.1,1.1\n0.3,0.9\n");
  ASSERT_EQ(run("model --input in.csv --overrun slip --no-realtime --json"), 0) << err_;
  const json report = json::parse(out_);
  EXPECT_EQ(report.at("ticks"), 300) << "to the end of the input";
  EXPECT_EQ(report.at("checksum"), calc_checksum(path("model"), path("in.csv"), 300));
}

TEST_F(Run, RefusesACommandLineThatIsWrongInASentence) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"model --rate 20000", "--rate: '20000' must be a number between 1 and 10000 (see 'rodeo run --help')"},
      {"model --overrun never", "--overrun: never not in {"},
      {"model --initial low", "--initial: 'low': must be NAME:drive=value,..."},
      {"model --initial low:crank", "--initial: 'low:crank': must be NAME:drive=value,..."},
      {"model --initial low:boom=1", "--initial: 'low:boom=1': there is no drive 'boom' (there is crank)"},
      {"model --initial low:crank=1x", "'1x' is no number (rad or m, as in low:crank=0.5)"},
      {"model --initial low:crank=nan", "'nan' is no number (rad or m, as in low:crank=0.5)"},
      {"model --initial low:crank=3.5", "3.5 is out of the range of drive 'crank', any to 3"},
      {"model --input in.csv --listen 127.0.0.1:0", "--input excludes --listen"},
      {"model --listen nowhere", "'nowhere'"},
      {"model --site s.yaml", "--site requires --listen"},
      {"model --delay 20", "--delay requires --listen"},
      {"model --key k", "--key requires --listen"},
      {"model --plain rate", "--plain requires --listen"},
      {"model --allow 10.0.0.1", "--allow requires --listen"},
      {"model --insecure", "--insecure requires --listen"},
      {"model --listen 127.0.0.1:0 --allow ::1",
       "--allow ::1: nobody comes from an IPv6 address to 127.0.0.1:0: listen on one, as in [::]:5005"},
      {"model --publish 127.0.0.1:9,signals=zz", "there is no signal 'zz'"},
  };
  for (const auto& [arguments, sentence] : wrong) {
    EXPECT_EQ(run(arguments + " --duration 0.01"), 2) << arguments;
    EXPECT_THAT(err_, HasSubstr(sentence));
    EXPECT_EQ(std::count(err_.begin(), err_.end(), '\n'), 1) << err_;
    EXPECT_EQ(out_, "");
  }
}

TEST_F(Run, RefusesWhatIsNoModelOrInput) {
  EXPECT_EQ(run("nowhere --duration 0.01"), 1);
  EXPECT_THAT(err_, HasSubstr("nowhere: there is no such file or folder"));
  EXPECT_EQ(run("model --input nowhere.csv"), 1);
  EXPECT_THAT(err_, HasSubstr("cannot read 'nowhere.csv'"));
  EXPECT_EQ(run("model --record nowhere/run.mcap"), 1);
  EXPECT_THAT(err_, HasSubstr("cannot write 'nowhere/run.mcap'"));
}

TEST_F(Run, RefusesAnInitialConditionThatTheMachineCannotTake) {
  EXPECT_EQ(run("model --initial far:crank=-1e7 --duration 0.01 --no-realtime"), 1);
  EXPECT_EQ(err_, "four_bar: the machine cannot take the initial condition 'far'\n");
}

TEST_F(Run, OfADriveWithoutLimitsStartsWhereItsInputBegins) {
  engine::testing_support::write_model_folder(folder_ / "free", R"("start": 1, "upper": 2)");
  put("in.csv", "t,crank\n0,1.8\n0.05,1.8\n");
  ASSERT_EQ(run("free --input in.csv --overrun slip --no-realtime --json"), 0) << err_;
  EXPECT_EQ(json::parse(out_).at("status_seen"), json::array()) << "no jump, no limit";
  const auto model = engine::ModelFolder::build_from(path("free"));
  engine::Session session(model, {}, {{"start", {1.8}}});
  const std::array hold{engine::Command::at(1.8)};
  for (int i = 0; i < 50; ++i) session.tick({0, engine::Verb::none, 0, 0, hold});
  EXPECT_EQ(json::parse(out_).at("checksum"), fmt::format("{:016x}", session.checksum()));
}

TEST_F(Run, WarnsOfWhatTheMachineForbidsAndGoesOn) {
  EXPECT_EQ(run("model --core 4000 --duration 0.01"), 0);
  EXPECT_THAT(err_, HasSubstr("warning: not on core 4000: there is no such core\n"));
  EXPECT_THAT(out_, HasSubstr("four_bar: "));
}

TEST_F(Run, RefusesToListenBeyondLoopbackUnlessToldTo) {
  EXPECT_EQ(run("model --listen 0.0.0.0:0 --duration 0.01 --no-realtime"), 3);
  EXPECT_THAT(err_, HasSubstr("--insecure"));
  EXPECT_EQ(run("model --listen 0.0.0.0:0 --allow 0.0.0.0/0 --duration 0.01 --no-realtime"), 3);
  EXPECT_THAT(err_, HasSubstr("--insecure"));
  EXPECT_EQ(run("model --listen 0.0.0.0:0 --insecure --duration 0.01 --no-realtime"), 0) << err_;
  EXPECT_THAT(err_, HasSubstr("warning: "));
}

TEST_F(Run, HelpHasAnExample) {
  EXPECT_EQ(run("--help"), 0);
  EXPECT_THAT(out_, HasSubstr("Example: rodeo run "));
  for (const char* option : {"--overrun", "--profile", "--listen", "--publish", "--record", "--core"}) {
    EXPECT_THAT(out_, HasSubstr(option));
  }
}

TEST_F(Run, BrakesToRestAndReportsWhenItIsTerminated) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    put("in.csv", "t,crank.rate\n0,0.3\n1000,0.3\n");
    const auto program = start({"--input", path("in.csv"), "--json", "--record", path("run.mcap")});
    ASSERT_TRUE(wait_for([&] { return json::parse(program->ask()).at("at_rest") == false; }));
    program->kill(signal);
    EXPECT_EQ(program->wait(), 0) << program->err();
    const json report = json::parse(program->out());
    EXPECT_EQ(report.at("at_rest"), true);
    EXPECT_EQ(report.at("unrecorded"), 0);
    const auto recording = engine::testing_support::load_recording(path("run.mcap"));
    EXPECT_THAT(recording.missing(), testing::IsEmpty());
    EXPECT_EQ(recording.last_tick() * 1'000'000, report.at("time_ns")) << "up to the tick at rest";
  }
}

TEST_F(Run, LeavesARecordingThatCanBeReadWhenItIsKilled) {
  const auto program = start({"--json", "--record", path("run.mcap")});
  std::int64_t synced = 0;
  ASSERT_TRUE(wait_for([&] {
    synced = json::parse(program->ask()).at("recording").at("synced_tick");
    return synced > 100;
  }));
  program->kill(SIGKILL);
  EXPECT_EQ(program->wait(), -1);
  const auto recording = engine::testing_support::load_recording(path("run.mcap"));
  EXPECT_GE(recording.last_tick(), synced) << "what was synced is there";
}

TEST_F(Run, GoesOnWhenTheDiskIsFullAndSaysSo) {
  const std::string command = fmt::format(
      "cd '{}' && (ulimit -f 400; exec '{}' run model --record run.mcap --duration 1.5 --no-realtime --json) "
      "</dev/null >out 2>err",
      folder_.path().string(), RODEO_PROGRAM);
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 3);
  EXPECT_THAT(read_file(folder_ / "err"), HasSubstr("run.mcap"));
  const json report = json::parse(read_file(folder_ / "out"));
  EXPECT_GE(report.at("ticks").get<int>() + report.at("lost").get<int>(), 1500) << "the machine went on";
  EXPECT_GT(report.at("unrecorded"), 0);
}

/// A sender of plain packets, and a receiver, with a port of the system's choice.
class Socket {
 public:
  Socket() : file_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = build_address(0);
    ::bind(file_, reinterpret_cast<sockaddr*>(&address), sizeof address);
  }
  ~Socket() { ::close(file_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  [[nodiscard]] int port() const {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    ::getsockname(file_, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
  }
  void send(double value, int port) const {
    const sockaddr_in address = build_address(port);
    ::sendto(file_, &value, sizeof value, 0, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }
  /// Waits for a packet; its length.
  [[nodiscard]] ssize_t receive() const {
    std::array<char, 2000> packet{};
    return ::recv(file_, packet.data(), packet.size(), 0);
  }

 private:
  static sockaddr_in build_address(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }
  int file_;
};

int find_port(const std::string& err) {
  const std::string before = "listens on 127.0.0.1:";
  return std::stoi(err.substr(err.find(before) + before.size()));
}

TEST_F(Run, IsDrivenOverUdpBrakesWhenTheSenderFallsSilentAndResumes) {
  const auto program = start({"--listen", "127.0.0.1:0", "--plain", "rate", "--json"});
  const int port = find_port(program->err());
  for (int sender = 0; sender < 2; ++sender) {  // the second one is a restarted sender
    const Socket socket;
    EXPECT_TRUE(wait_for([&] {
      socket.send(sender == 0 ? 0.2 : -0.2, port);
      return json::parse(program->ask()).at("at_rest") == false;
    }));
    EXPECT_TRUE(wait_for([&] {  // silent
      const json report = json::parse(program->ask());
      return report.at("at_rest") == true && report.at("status") == json::array({"stale"});
    }));
  }
  program->kill(SIGTERM);
  EXPECT_EQ(program->wait(), 0);
  const json report = json::parse(program->out());
  EXPECT_GE(report.at("packets").at("accepted"), 2);
  EXPECT_GT(report.at("input_age_ns").at("count"), 0);
}

TEST_F(Run, OfARigIsArmedByTheFirstCommandAndLatchesWhenItFallsSilent) {
  const auto program = start({"--listen", "127.0.0.1:0", "--plain", "rate", "--on-stale", "latch", "--json"});
  const int port = find_port(program->err());
  const Socket socket;
  EXPECT_TRUE(program->wait_for_err("four_bar: ")) << program->err();
  EXPECT_TRUE(program->wait_for_err(fmt::format("waits for the first command at 127.0.0.1:{}", port)));
  EXPECT_EQ(json::parse(program->ask()).at("status"), json::array({"stale", "waiting"}));
  EXPECT_TRUE(wait_for([&] {
    socket.send(0.2, port);
    return json::parse(program->ask()).at("at_rest") == false;
  })) << "it moves";
  EXPECT_TRUE(program->wait_for_err(fmt::format("armed: commands come, from 127.0.0.1:{}", socket.port())));
  EXPECT_TRUE(
      program->wait_for_err("stale: no command for 200 ms, the machine brakes and is latched: key A here or "
                            "'rodeo drive --rearm' releases it"));
  EXPECT_TRUE(wait_for([&] {
    socket.send(0.2, port);
    const json report = json::parse(program->ask());
    return report.at("status") == json::array({"stale_latched"}) && report.at("at_rest") == true;
  })) << "commands alone do not release it";
  program->kill(SIGTERM);
  EXPECT_EQ(program->wait(), 0);
}

TEST_F(Run, ClipsWhatIsBeyondALimitAndSaysSo) {
  const auto program = start({"--listen", "127.0.0.1:0", "--plain", "position", "--json"});
  const int port = find_port(program->err());
  const Socket socket;
  EXPECT_TRUE(wait_for([&] {
    socket.send(3.001, port);  // its range ends at 3
    const auto status = json::parse(program->ask()).at("status").get<std::set<std::string>>();
    return status.contains("at_upper") && !status.contains("stale");
  })) << "it goes to the end of its range";
  EXPECT_THAT(program->err(), HasSubstr(fmt::format("of 127.0.0.1:{}: drive 'crank' at 3.001 rad, its range "
                                                    "ends at 3\n",
                                                    socket.port())));
  const json packets = json::parse(program->ask()).at("packets");
  EXPECT_EQ(packets.at("refused"), 0);
  EXPECT_EQ(packets.at("clipped"), packets.at("accepted"));
  program->kill(SIGTERM);
  EXPECT_EQ(program->wait(), 0);
}

TEST_F(Run, NamesTwoSendersByTheirAddresses) {
  const auto program = start({"--listen", "127.0.0.1:0", "--plain", "rate", "--json"});
  const int port = find_port(program->err());
  const Socket one, two;
  EXPECT_TRUE(wait_for([&] {
    one.send(0.1, port);
    two.send(-0.1, port);
    return program->err().find("two senders command in turns, ") != std::string::npos;
  }));
  EXPECT_THAT(program->err(), HasSubstr(fmt::format("127.0.0.1:{}", one.port())));
  EXPECT_THAT(program->err(), HasSubstr(fmt::format("127.0.0.1:{}", two.port())));
  program->kill(SIGTERM);
  EXPECT_EQ(program->wait(), 0);
}

TEST_F(Run, ThatWasHaltedEndsWithAFaultAndTheInstant) {
  put("in.csv", "t,crank.rate\n0,0.3\n1000,0.3\n");
  const auto program = start({"--input", path("in.csv"), "--overrun", "halt", "--rate", "1000", "--json"});
  ASSERT_TRUE(wait_for([&] {  // a program that is stopped is late
    program->kill(SIGSTOP);
    ::usleep(20'000);
    program->kill(SIGCONT);
    return json::parse(program->ask()).at("halts") > 0;
  }));
  program->kill(SIGTERM);
  EXPECT_EQ(program->wait(), 3);
  const json report = json::parse(program->out());
  EXPECT_THAT(program->err(), HasSubstr("four_bar: halted by a late tick at "));
  EXPECT_THAT(program->err(), HasSubstr(fmt::format(
                                  ", tick {}", report.at("first_halt_ns").get<std::int64_t>() / 1'000'000)));
  EXPECT_THAT(program->err(), HasSubstr("s: halted by a late tick (--overrun halt): key A here"))
      << "at once, too";
}

TEST_F(Run, CountsWhatItRefuses) {
  const auto program = start({"--listen", "127.0.0.1:0", "--json"});
  const Socket socket;
  socket.send(0.2, find_port(program->err()));  // no header
  EXPECT_TRUE(wait_for([&] { return json::parse(program->ask()).at("packets").at("refused") == 1; }));
  EXPECT_TRUE(program->wait_for_err(
      fmt::format("refused 1 packet of 127.0.0.1:{}: wrong_length: not the length", socket.port())));
  program->kill(SIGTERM);
  EXPECT_EQ(program->wait(), 0);
  const json packets = json::parse(program->out()).at("packets");
  EXPECT_EQ(packets.at("accepted"), 0);
  EXPECT_EQ(packets.at("refused_by_reason").at("wrong_length"), 1);
}

TEST_F(Run, TwoOnOnePortIsASentenceForTheSecond) {
  const auto program = start({"--listen", "127.0.0.1:0"});
  const int port = find_port(program->err());
  EXPECT_EQ(run(fmt::format("model --listen 127.0.0.1:{} --duration 0.01 --no-realtime", port)), 3);
  EXPECT_THAT(err_, HasSubstr(fmt::format("cannot listen on 127.0.0.1:{}: ", port)));
  program->kill(SIGTERM);
  EXPECT_EQ(program->wait(), 0) << "the first does not mind";
}

TEST_F(Run, PublishesAndDoesNotMindAReceiverThatVanishes) {
  auto receiver = std::make_unique<Socket>();
  const auto program = start({"--publish", fmt::format("127.0.0.1:{},large", receiver->port()), "--json"});
  EXPECT_GT(receiver->receive(), 0);
  EXPECT_GT(receiver->receive(), 0);
  receiver.reset();
  EXPECT_TRUE(wait_for([&] { return json::parse(program->ask()).at("sent").at(0).at("unreachable") > 0; }));
  program->kill(SIGTERM);
  EXPECT_EQ(program->wait(), 0);
  const json report = json::parse(program->out());
  EXPECT_EQ(report.at("send_time_ns").at("count"), report.at("ticks"));
}

}  // namespace
}  // namespace rodeo::tools
