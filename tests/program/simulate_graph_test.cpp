// SPDX-License-Identifier: MIT
// `rodeo simulate GRAPH.yaml` as a user meets it: logs, options, refusals.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;

const std::string kGraphs = std::string(RODEO_SOURCE_DIR) + "/configs/graphs/";

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// The last row of a log, by its header.
std::map<std::string, double> last_row(const std::string& log) {
  std::istringstream lines(log);
  std::string header, line, last;
  std::getline(lines, header);
  while (std::getline(lines, line)) last = line;
  std::map<std::string, double> row;
  std::istringstream names(header), values(last);
  for (std::string name, value; std::getline(names, name, ',') && std::getline(values, value, ',');) {
    row[name] = std::strtod(value.c_str(), nullptr);
  }
  return row;
}

class SimulateGraph : public testing::Test {
 protected:
  SimulateGraph() {
    std::string name = testing::TempDir() + "rodeo_simulate_graph_XXXXXX";
    folder_ = ::mkdtemp(name.data());
    fs::copy_file(kGraphs + "rlc.yaml", folder_ / "rlc.yaml");
    write("mass.yaml",
          "name: mass\ndomain: translation\nelements:\n  push: {Se: }\n  mass: {I: 2}\njunctions: {v: 1}\n"
          "bonds: [push -> v, v -> mass]\noutputs: {speed: mass.flow}\n");
    write("push.csv", "t,push\n0,0\n1,4\n");
  }
  ~SimulateGraph() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  int run(const std::string& arguments) {
    const std::string command =
        fmt::format("cd '{0}' && '{1}' simulate {2} >out 2>err", folder_.string(), RODEO_PROGRAM, arguments);
    const int status = WEXITSTATUS(std::system(command.c_str()));
    out_ = read(folder_ / "out");
    err_ = read(folder_ / "err");
    return status;
  }
  void expect_refusal(const std::string& arguments, int status, const std::string& sentence) {
    EXPECT_EQ(run(arguments), status) << arguments;
    EXPECT_EQ(err_, sentence + "\n") << arguments;
    EXPECT_EQ(fs::exists(folder_ / "log.csv"), status == 3) << arguments;  // the rows up to a fault
  }

  fs::path folder_;
  std::string out_, err_;
};

TEST_F(SimulateGraph, WritesOutputsAndStatesARowATick) {
  ASSERT_EQ(run("rlc.yaml --duration 0.01 --rate 100000 -o log.csv"), 0) << err_;
  EXPECT_EQ(err_, "");
  const std::string log = read(folder_ / "log.csv");
  EXPECT_TRUE(log.starts_with("t,current,voltage,coil.momentum,capacitor.displacement\n0,0,0,0,0\n"))
      << log.substr(0, 200);
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1002);
  EXPECT_EQ(last_row(log)["t"], 0.01);
}

TEST_F(SimulateGraph, GivesOneAnswerByEveryMethodAndInBothForms) {
  ASSERT_EQ(run("rlc.yaml --duration 0.004 --rate 100000 -o -"), 0) << err_;
  const auto rk4 = last_row(out_);
  for (const char* options :
       {"--method cvode", "--method adams", "--method ida", "--form full", "--form full --method ida"}) {
    ASSERT_EQ(run(fmt::format("rlc.yaml --duration 0.004 --tolerance 1e-10 {} -o -", options)), 0) << err_;
    EXPECT_NEAR(last_row(out_)["voltage"], rk4.at("voltage"), 1e-5) << options;
  }
}

TEST_F(SimulateGraph, TakesParametersAndColumns) {
  ASSERT_EQ(
      run("rlc.yaml --duration 0.2 --rate 100000 -p V=3 --columns resistor.effort,capacitor.effort -o -"), 0)
      << err_;
  EXPECT_TRUE(out_.starts_with("t,resistor.effort,capacitor.effort\n"));
  EXPECT_NEAR(last_row(out_)["capacitor.effort"], 3, 1e-9);  // e^(-375 0.2) is nothing
  ASSERT_EQ(run("rlc.yaml --duration 0 --columns all -o -"), 0) << err_;
  EXPECT_EQ(out_.substr(0, out_.find('\n')),
            "t,current,voltage,coil.momentum,capacitor.displacement,battery.effort,battery.flow,coil.effort,"
            "coil.flow,"
            "resistor.effort,resistor.flow,capacitor.effort,capacitor.flow,current.flow");
}

TEST_F(SimulateGraph, FollowsAnInputToItsEnd) {
  ASSERT_EQ(run("mass.yaml --input push.csv -o -"), 0) << err_;
  EXPECT_EQ(last_row(out_)["t"], 1);
  EXPECT_NEAR(last_row(out_)["speed"], 1, 1e-12);  // ∫ 4t dt/2
}

TEST_F(SimulateGraph, LiftsTheLoadOfTheExample) {
  ASSERT_EQ(run(fmt::format("{0}cylinder_load.yaml --input {0}cylinder_load.csv -o -", kGraphs)), 0) << err_;
  // All the oil that the pump delivered, 3.5e-4 m³, less what leaks and is compressed: a few per cent.
  const double area = std::acos(-1.0) / 4 * 0.08 * 0.08;
  EXPECT_NEAR(last_row(out_)["stroke"], 3.5e-4 / area, 0.01 * 3.5e-4 / area);
  EXPECT_NEAR(last_row(out_)["pressure"], 800 * 9.81 / area, 0.01 * 800 * 9.81 / area);
}

TEST_F(SimulateGraph, RefusesACommandLineThatCannotBe) {
  const std::string see = " (see 'rodeo simulate --help')";
  expect_refusal("rlc.yaml --duration 1 --form full --method rk4 -o log.csv", 2,
                 "rodeo simulate: --method: rk4 cannot serve --form full, whose equations are "
                 "differential-algebraic: take "
                 "ida, or --form reduced" +
                     see);
  expect_refusal(
      "rlc.yaml --duration 1 --method heun -o log.csv", 2,
      "rodeo simulate: --method: heun is for machines: a bond graph takes euler, rk4, cvode, adams or ida" +
          see);
  expect_refusal("rlc.yaml --duration 1 --closure none -o log.csv", 2,
                 "rodeo simulate: --closure: is for machines: a bond graph has no loops to close" + see);
  expect_refusal("rlc.yaml -o log.csv", 2, "rodeo simulate: --duration: is needed without --input" + see);
}

TEST_F(SimulateGraph, RefusesInputsThatDoNotFit) {
  expect_refusal("mass.yaml --duration 1 -o log.csv", 1,
                 "mass.yaml:4: 'push' is a source without a value, an input: give --input a CSV file with a "
                 "column 'push', or "
                 "'push' a value");
  write("x.csv", "t,pull\n0,0\n");
  expect_refusal("mass.yaml --input x.csv -o log.csv", 1,
                 "x.csv:1: column 'pull' is no input of this graph (it has push)");
  write("x.csv", "t\n0\n");
  expect_refusal("mass.yaml --input x.csv -o log.csv", 1,
                 "x.csv:1: there is no column for input 'push': add 'push'");
  write("x.csv", "t,push,push\n0,0,0\n");
  expect_refusal("mass.yaml --input x.csv -o log.csv", 1, "x.csv:1: input 'push' has two columns: leave one");
  expect_refusal("mass.yaml --input none.csv -o log.csv", 1,
                 "cannot read 'none.csv': No such file or directory");
  expect_refusal(
      "rlc.yaml --input push.csv -o log.csv", 1,
      "rlc.yaml:3: the graph has no inputs, and --input was given: an input is a source without a value");
}

TEST_F(SimulateGraph, RefusesUnknownColumns) {
  expect_refusal("mass.yaml --input push.csv --columns speed,mass.sped -o log.csv", 1,
                 "mass.yaml:1: there is no column 'mass.sped': the log can hold speed, mass.momentum, push, "
                 "push.effort, "
                 "push.flow, mass.effort, mass.flow, v.flow");
}

TEST_F(SimulateGraph, FaultsWithStatus3WhereTheRunFails) {
  write("m.yaml",
        "domain: translation\nelements:\n  push: {MSe: 1/(0.5 - t)}\n  mass: {I: 1}\njunctions: {v: 1}\n"
        "bonds: [push -> v, v -> mass]\n");
  expect_refusal("m.yaml --duration 1 -o log.csv", 3,
                 "m.yaml: rk4: the rate of 'mass.momentum' is not finite at t = 0.5 s: take a smaller step "
                 "than 0.001 s or a method for stiff systems (cvode), or look for a division by zero there");
}

TEST_F(SimulateGraph, ReportsAGraphThatIsWrong) {
  write("m.yaml",
        "elements:\n  push: {Se: 1}\n  mass: {I: m}\njunctions: {v: 1}\nbonds: [push -> v, v -> mass]\n");
  EXPECT_EQ(run("m.yaml --duration 1 -o log.csv"), 1);
  EXPECT_THAT(err_, testing::StartsWith("m.yaml:3: element 'mass': unknown name 'm'"));
}

TEST_F(SimulateGraph, LeavesMachinesTheirOptions) {
  const std::string four_bar = std::string(RODEO_SOURCE_DIR) + "/configs/four_bar.yaml";
  const std::string see = " (see 'rodeo simulate --help')";
  expect_refusal(
      four_bar + " --duration 1 --method cvode -o log.csv", 2,
      "rodeo simulate: --method: cvode is for bond graphs: choose euler, heun, rk4 or exact" + see);
  expect_refusal(four_bar + " --duration 1 --columns tip.x -o log.csv", 2,
                 "rodeo simulate: --columns: takes 'all'; names of columns are for bond graphs" + see);
}

}  // namespace
}  // namespace rodeo::tools
