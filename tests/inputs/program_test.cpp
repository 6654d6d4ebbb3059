// SPDX-License-Identifier: MIT
// Forces and payloads as a user sends them: `rodeo drive` to `rodeo run`, recorded, replayed, taken over, exported, plotted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/inputs/built_machine.h"
#include "tests/net/support.h"
#include "tests/program/free_support.h"
#include "tests/program/live_program.h"

namespace rodeo::tools {
namespace {

using namespace testing_support;
using engine::testing_support::PlainSocket;
using engine::testing_support::write_file;
using inputs_testing::built;
using inputs_testing::calc_lift_force;
using nlohmann::json;
using testing::HasSubstr;

/// Held, a payload comes, then somebody pushes, then the cylinder moves.
const std::string kArmCycle =
    "t,lift,load.mass,dig.x,dig.y\n"
    "0,1.4142135623730951,0,0,0\n"
    "0.2,1.4142135623730951,0,0,0\n"
    "0.201,1.4142135623730951,200,0,0\n"
    "0.4,1.4142135623730951,200,0,0\n"
    "0.401,1.4142135623730951,200,0,-500\n"
    "0.6,1.4142135623730951,200,0,-500\n"
    "0.8,1.45,200,10,-500\n";

/// The same without the motion, for a sender that may be late: its last packet is the one that counts.
const std::string kHeldCycle =
    "t,lift,load.mass,dig.x,dig.y\n"
    "0,1.4142135623730951,0,0,0\n"
    "0.1,1.4142135623730951,200,0,0\n"
    "0.2,1.4142135623730951,200,0,0\n"
    "0.3,1.4142135623730951,200,0,-500\n";

class Inputs : public FreeProgram {
 protected:
  void put(const std::string& name, const std::string& text) const { write_file(folder() / name, text); }
  [[nodiscard]] std::unique_ptr<LiveProgram> start(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin() + 1, {"--no-realtime", "--overrun", "slip"});
    auto program = std::make_unique<LiveProgram>(folder(), arguments);
    EXPECT_TRUE(program->wait_for_err("runs at")) << program->err();
    return program;
  }
  [[nodiscard]] static std::string find_port(const LiveProgram& program) {
    const std::string err = program.err(), before = "listens on ";
    const std::size_t at = err.find(before) + before.size();
    return err.substr(at, err.find_first_of(",\n", at) - at);
  }
  /// Waits for a published state, as JSON.
  [[nodiscard]] bool wait_for_state(const std::function<bool(const json&)>& is_it) const {
    return wait_for([&] {
      const auto packet = listener_.receive();
      return !packet.empty() && is_it(json::parse(packet.begin(), packet.end()));
    });
  }
  [[nodiscard]] std::string destination(const std::string& signals) const {
    return fmt::format("127.0.0.1:{},rate=100,format=json,signals={}", listener_.port(), signals);
  }
  static void stop(LiveProgram& program) {
    program.kill(SIGTERM);
    EXPECT_EQ(program.wait(), 0) << program.err();
  }
  void expect_identical(const std::string& recording) const {
    const Result verified = run("replay " + recording + " --verify");
    EXPECT_EQ(verified.status, 0) << verified.err;
    EXPECT_THAT(verified.out, HasSubstr(", identical\n"));
  }

 private:
  PlainSocket listener_;
};

/// A row of a log, by name.
struct Row {
  const Table& table;
  const std::vector<double>& values;
  double operator[](const std::string& name) const { return values[table.find(name)]; }
};

TEST_F(Inputs, OverUdpAreFeltRecordedReplayedAndExported) {
  put("cycle.csv", kHeldCycle);
  const auto program =
      start({"run", built("arm").folder, "--listen", "127.0.0.1:0", "--timeout", "1000", "--record",
             (folder() / "run.mcap").string(), "--publish", destination("*.force;input.*")});
  const Result driven = run("drive cycle.csv --to " + find_port(*program));
  ASSERT_EQ(driven.status, 0) << driven.err;
  const auto is_pushed = [](const json& state) { return state.at("input.dig.y") == -500; };
  EXPECT_TRUE(wait_for_state(is_pushed));
  const auto is_left = [](const json& state) {  // the sender is gone: the payload stays, nobody pushes
    return state.at("rodeo").at("status").get<unsigned>() == engine::kStale &&
           state.at("input.load.mass") == 200 && state.at("input.dig.y") == 0 &&
           std::abs(state.at("lift.force").get<double>() - calc_lift_force(200, 0)) < 1e-6;
  };
  EXPECT_TRUE(wait_for_state(is_left));
  stop(*program);

  expect_identical("run.mcap");
  ASSERT_EQ(run("export run.mcap --columns all -o log.csv").status, 0);
  const Table log = read_table("log.csv");
  int empty = 0, loaded = 0, pushed = 0;
  for (const auto& values : log.rows) {
    const Row row{log, values};
    const double expected = calc_lift_force(row["input.load.mass"], row["input.dig.y"]);
    ASSERT_NEAR(row["lift.force"], expected, 1e-8) << row["t"];
    empty += row["input.load.mass"] == 0 ? 1 : 0;
    loaded += row["input.load.mass"] == 200 && row["input.dig.y"] == 0 ? 1 : 0;
    pushed += row["input.dig.y"] == -500 ? 1 : 0;
  }
  EXPECT_GT(empty, 0);
  EXPECT_GT(loaded, 0);
  EXPECT_GT(pushed, 0);

  const Result again =
      run(fmt::format("simulate '{}' --input run.mcap --columns all -o again.csv", built("arm").folder));
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_TRUE(read("again.csv") == read("log.csv"));
  for (const char* log_file : {"log.csv", "run.mcap"}) {
    const Result plot = run(std::string("plot ") + log_file +
                            " --y lift.force --y pin.fy --y input.load.mass --y input.dig.y -o loads.svg");
    ASSERT_EQ(plot.status, 0) << plot.err;
    EXPECT_THAT(read("loads.svg"), testing::AllOf(HasSubstr("force (N)"), HasSubstr("input.load.mass (kg)")));
  }
}

TEST_F(Inputs, OfAFileGiveTheLogOfSimulateToTheLastDigit) {
  put("cycle.csv", kArmCycle);
  const std::string model = built("arm").folder;
  ASSERT_EQ(run(fmt::format("simulate '{}' --input cycle.csv --columns all -o sim.csv", model)).status, 0);
  const Result live =
      run(fmt::format("run '{}' --input cycle.csv --overrun slip --no-realtime --record run.mcap", model));
  ASSERT_EQ(live.status, 0) << live.err;
  ASSERT_EQ(run("export run.mcap --columns all -o log.csv").status, 0);
  EXPECT_TRUE(read("log.csv") == read("sim.csv"));
  EXPECT_EQ(read_table("log.csv").rows.size(), 801U);
}

TEST_F(Inputs, GoOnAfterATakeOver) {
  put("cycle.csv", kArmCycle);
  const std::string model = built("arm").folder;
  ASSERT_EQ(
      run(fmt::format("run '{}' --input cycle.csv --overrun slip --no-realtime --record run.mcap", model))
          .status,
      0);
  const auto program =
      start({"replay", (folder() / "run.mcap").string(), "--take-over", "500", "--listen", "127.0.0.1:0",
             "--record", (folder() / "on.mcap").string(), "--publish", destination("input.*")});
  put("on.csv", "t,lift,load.mass\n0,1.4142135623730951,50\n0.1,1.4142135623730951,50\n");
  ASSERT_EQ(run("drive on.csv --to " + find_port(*program)).status, 0);
  EXPECT_TRUE(wait_for_state([](const json& state) { return state.at("input.load.mass") == 50; }));
  stop(*program);
  expect_identical("on.mcap");
  ASSERT_EQ(run("export run.mcap --columns all -o old.csv").status, 0);
  ASSERT_EQ(run("export on.mcap --columns all -o new.csv").status, 0);
  const std::string before = read("old.csv"), after = read("new.csv");
  const std::size_t same = before.find("\n0.501") + 1;
  EXPECT_EQ(before.substr(0, same), after.substr(0, same));
  const Table log = read_table("new.csv");
  const std::size_t mass = log.find("input.load.mass");
  for (std::size_t i = 500; i < log.rows.size(); ++i) {
    ASSERT_NE(log.rows[i][mass], 0) << "until somebody says so the payload is that of tick 500";
  }
  const Row last{log, log.rows.back()};
  EXPECT_EQ(last["input.load.mass"], 50);
  EXPECT_NEAR(last["lift.force"], calc_lift_force(50, 0), 1e-8);
}

/// Nobody drives the wheel: what turns it is the torque of the log's own column, 0.25 kg m² and nothing else.
TEST_F(Inputs, TurnAMachineThatNobodyDrives) {
  put("torque.csv", "t,motor\n0,0\n0.1,2\n0.3,2\n0.4,-1\n0.6,-1\n");
  const auto program =
      start({"run", built("wheel").folder, "--listen", "127.0.0.1:0", "--timeout", "1000", "--record",
             (folder() / "run.mcap").string(), "--publish", destination("input.*")});
  const Result driven = run("drive torque.csv --to " + find_port(*program));
  ASSERT_EQ(driven.status, 0) << driven.err;
  EXPECT_TRUE(wait_for_state([](const json& state) { return state.at("input.motor") == -1; }));
  stop(*program);
  expect_identical("run.mcap");
  ASSERT_EQ(run("export run.mcap -o log.csv").status, 0);
  const Table log = read_table("log.csv");
  double rate = 0, smallest = 0;
  for (std::size_t i = 1; i < log.rows.size(); ++i) {
    const Row row{log, log.rows[i]}, before{log, log.rows[i - 1]};
    rate += row["input.motor"] * (row["t"] - before["t"]) / 0.25;
    ASSERT_NEAR(row["wheel.rate"], rate, 1e-11) << row["t"];
    smallest = std::min(smallest, row["input.motor"]);
  }
  EXPECT_EQ(smallest, -1);
}

TEST_F(Inputs, ThatTheMachineWouldRefuseAreToldBeforeTheyAreSent) {
  const auto program = start({"run", built("arm").folder, "--listen", "127.0.0.1:0"});
  put("bad.csv", "t,lift,load.mass\n0,1.4142135623730951,0\n1,1.4142135623730951,-100\n");
  const Result result = run("drive bad.csv --to " + find_port(*program));
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "bad.csv: load.mass is -100 kg at 1 s: a mass is not below 0\n");
  EXPECT_EQ(run(fmt::format("simulate '{}' --input bad.csv -o no.csv", built("arm").folder)).err,
            "bad.csv: load.mass is -100 kg at 1 s: a mass is not below 0\n");
  put("bad.csv", "t,lift,load.mass\n0,1.4142135623730951,0\n1,1.4142135623730951,1e13\n");
  for (const std::string& command :
       {fmt::format("simulate '{}' --input bad.csv -o no.csv", built("arm").folder),
        "drive bad.csv --to " + find_port(*program)}) {
    const Result heavy = run(command);
    EXPECT_EQ(heavy.status, 1);
    EXPECT_EQ(heavy.err, "bad.csv: load.mass is 1e+13 kg at 1 s: the machine takes no more than 1e+12\n");
  }
  put("other.csv", "t,lift,sand\n0,1.4142135623730951,0\n");
  EXPECT_EQ(run("drive other.csv --to " + find_port(*program)).err,
            "other.csv:1: column 'sand' is no drive or input of this machine (it has lift, load.mass, dig.x, "
            "dig.y)\n");
  stop(*program);
}

TEST_F(Inputs, AreNotCalledAsADriveIs) {
  put("twice.yaml",
      "name: twice\nground: {points: {O: [0, 0]}}\n"
      "bodies: {crank: {points: {O: [0, 0]}, mass: 1, com: [0.1, 0], inertia: 1}}\n"
      "joints: [{revolute: [ground.O, crank.O]}]\ndrives: {crank: {angle: crank}}\n"
      "forces:\n  - {torque: crank, name: crank}\n");
  EXPECT_EQ(
      run("check twice.yaml").err,
      "twice.yaml:7: force 1 (torque): the input 'crank' would be taken for the drive of that name: give it "
      "another name\n");
}

/// The largest step of a column between two rows.
double calc_largest_step(const Table& table, const std::string& column) {
  const std::size_t at = table.find(column);
  double largest = 0;
  for (std::size_t i = 1; i < table.rows.size(); ++i)
    largest = std::max(largest, std::abs(table.rows[i][at] - table.rows[i - 1][at]));
  return largest;
}

/// The same rows, and no drive limited on the way; forces without the combs of the linear cycle.
TEST_F(Inputs, OfTheSmoothLoadingCycleAreThoseOfLoadingWithoutItsCombs) {
  const std::string simulate =
      "simulate " + config("wheel_loader_cylinders") + " --columns all --rate 1000 --input ";
  ASSERT_EQ(run(simulate + "loading_cylinders -o linear.csv").status, 0);
  ASSERT_EQ(run(simulate + "loading_cylinders_smooth -o smooth.csv").status, 0);
  const Table linear = read_table("linear.csv"), smooth = read_table("smooth.csv");
  ASSERT_EQ(smooth.rows.size(), 30001U);
  const std::string cycles = std::string(RODEO_SOURCE_DIR) + "/configs/cycles/";
  std::filesystem::copy(cycles + "loading_cylinders.csv", folder() / "rows.csv");
  const Table rows = read_table("rows.csv");
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    for (const char* drive : {"lift", "tilt"}) {
      ASSERT_NEAR(smooth.rows[50 * i][smooth.find(drive)], rows.rows[i][rows.find(drive)], 1e-9) << i;
    }
  }
  for (const auto& row : smooth.rows) ASSERT_EQ(row[smooth.find("status")], 0) << row[0];
  for (const char* force : {"lift.force", "tilt.force"}) {
    EXPECT_LT(calc_largest_step(smooth, force), calc_largest_step(linear, force) / 2) << force;
    EXPECT_LT(calc_largest_step(linear, force), 3e3) << "kinks are rounded by the limit of jerk: no comb";
  }
}

TEST_F(Inputs, AreInTheLayoutsThatOtherProgramsPaste) {
  const std::string packet = fmt::format("packet '{}' --format ", built("arm").folder);
  put("packets.h", run(packet + "c").out);
  put("packets.py", run(packet + "python").out);
  put("main.c", R"(#include "packets.h"
#include <stdio.h>
#include <string.h>
int main(void) {
  static const uint8_t fingerprint[16] = RODEO_COMMAND_FINGERPRINT;
  struct rodeo_ramp_command command;
  size_t i;
  memset(&command, 0, sizeof command);
  memcpy(command.header.magic, "RDEC", 4);
  command.header.version = 1;
  command.header.mode = 3;
  memcpy(command.header.fingerprint, fingerprint, 16);
  command.header.session = 7;
  command.header.sequence = 42;
  command.positions.lift = 1.5;
  command.rates.lift = 0.25;
  command.inputs.load_mass = 200;
  command.inputs.dig_y = -500;
  for (i = 0; i < sizeof command; ++i) printf("%02x", ((const unsigned char*)&command)[i]);
  printf("\n");
  return 0;
}
)");
  put("main.py",
      "import packets\nassert packets.INPUTS == [('load.mass', 'kg'), ('dig.x', 'N'), ('dig.y', 'N')]\n"
      "print(packets.command([1.5, 0.25, 200, 0, -500], 7, 42, 0, mode=3).hex())\n");
  engine::testing_support::HandMade hand;
  hand.fingerprint = build_machine_interface(built("arm")).build_layout().fingerprint;
  hand.mode = 3;
  hand.sequence = 42;
  hand.values = {1.5, 0.25, 200, 0, -500};
  const std::string expected = engine::build_hex(hand.bytes()) + "\n";
  const auto shell = [&](const std::string& command) {
    const std::string in = fmt::format("cd '{}' && ({}) >out 2>err", folder().string(), command);
    EXPECT_EQ(std::system(in.c_str()), 0) << read("err");
    return read("out");
  };
  EXPECT_EQ(shell("gcc -std=c99 -Wall -Wextra -Werror -pedantic main.c -o main && ./main"), expected);
  EXPECT_EQ(shell("python3 main.py"), expected);
  const std::string script = run(packet + "simulink").out;
  EXPECT_THAT(script, HasSubstr("command.Bytes = 88;\n"));
  EXPECT_THAT(script, HasSubstr("command.Inputs = {'load.mass','dig.x','dig.y'};\n"));
}

}  // namespace
}  // namespace rodeo::tools
