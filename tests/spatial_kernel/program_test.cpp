// SPDX-License-Identifier: MIT
// The program with machines in space: logs, the loop at 1 kHz with its recording, a planar machine and its lift, and what is refused.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "tests/spatial_kernel/support.h"

namespace rodeo::spatial_kernel {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Program : public testing::Test {
 protected:
  struct Ran {
    int status;
    std::string out, err;
  };
  [[nodiscard]] Ran run(const std::string& arguments) const {
    const fs::path out = folder_ / "out.txt", err = folder_ / "err.txt";
    const std::string command = "RODEO_CACHE='" + (folder_ / "cache").string() + "' '" RODEO_PROGRAM "' " +
                                arguments + " > '" + out.string() + "' 2> '" + err.string() + "'";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(out), read_file(err)};
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

  TemporaryFolder folder_;
};

struct Log {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;

  explicit Log(const std::string& path) {
    std::ifstream file(path);
    std::string line, word;
    std::getline(file, line);
    std::istringstream header(line);
    while (std::getline(header, word, ',')) names.push_back(word);
    while (std::getline(file, line)) {
      rows.emplace_back();
      std::istringstream values(line);
      while (std::getline(values, word, ',')) rows.back().push_back(std::strtod(word.c_str(), nullptr));
    }
  }
  [[nodiscard]] std::size_t column(const std::string& name) const {
    const auto found = std::find(names.begin(), names.end(), name);
    EXPECT_NE(found, names.end()) << name;
    return static_cast<std::size_t>(found - names.begin());
  }
};

std::string rssr() { return "'" RODEO_SOURCE_DIR "/configs/spatial/rssr.yaml'"; }

TEST_F(Program, WritesTheLogOfAMachineInSpace) {
  write_file(path("turn.csv"), "t,crank\n0,0\n1,6.283185307179586\n");
  ASSERT_EQ(run("build " + rssr() + " -o " + path("built")).status, 0);
  const Ran ran =
      run("simulate " + path("built") + " --input " + path("turn.csv") + " -o " + path("log.csv"));
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Log log(path("log.csv"));
  std::vector<std::string> wanted{"t", "crank", "bearing.angle", "pivot.angle"};
  for (const char* body : {"crank", "rod", "rocker"}) {
    for (const char* part : {".origin.x", ".origin.y", ".origin.z", ".qw", ".qx", ".qy", ".qz"})
      wanted.push_back(std::string(body) + part);
  }
  for (const char* body : {"crank", "rod", "rocker"}) {
    for (const char* part : {".wx", ".wy", ".wz", ".origin.vx", ".origin.vy", ".origin.vz"})
      wanted.push_back(std::string(body) + part);
  }
  for (const char* name : {"C.x", "C.y", "C.z", "B.x", "B.y", "B.z", "residual"}) wanted.emplace_back(name);
  EXPECT_EQ(log.names, wanted);
  ASSERT_EQ(log.rows.size(), 1001u);
  for (const auto& row : log.rows) EXPECT_LE(row.back(), 1e-12);
}

TEST_F(Program, RunsAtOneKilohertzAndReplaysItsRecordingBitForBit) {
  const Ran ran = run("run " + rssr() + " --rate 1000 --duration 0.5 --record " + path("run.mcap"));
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Ran replay = run("replay " + path("run.mcap") + " --verify");
  EXPECT_EQ(replay.status, 0) << replay.out << replay.err;
  const Ran exported = run("export " + path("run.mcap") + " -o " + path("export.csv"));
  ASSERT_EQ(exported.status, 0) << exported.err;
  const Log log(path("export.csv"));
  EXPECT_GE(log.rows.size(), 400u);
  for (const auto& row : log.rows) EXPECT_LE(row[log.column("residual")], 1e-12);
}

TEST_F(Program, RunsAFreeTopAndReplaysIt) {
  const Ran ran =
      run("run '" RODEO_SOURCE_DIR "/configs/spatial/heavy_top.yaml' --rate 1000 --duration 0.3 --record " +
          path("top.mcap"));
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Ran replay = run("replay " + path("top.mcap") + " --verify");
  EXPECT_EQ(replay.status, 0) << replay.out << replay.err;
}

/// Begins at rest, as a run does; three turns on and back.
const char* const kSpin = "t,crank\n0,0\n0.05,0\n0.35,18.849555921538759\n0.65,0\n";

TEST_F(Program, SimulatesTheBitsThatItRuns) {
  write_file(path("spin.csv"), kSpin);
  const std::string top = "'" RODEO_SOURCE_DIR "/configs/spatial/heavy_top.yaml'";
  for (const std::string& model : {rssr() + " --input " + path("spin.csv"), top + " --duration 0.2"}) {
    const Ran ran = run("run " + model + " --no-realtime --overrun slip --record " + path("run.mcap"));
    ASSERT_EQ(ran.status, 0) << ran.err;
    ASSERT_EQ(run("export " + path("run.mcap") + " --columns all -o " + path("run.csv")).status, 0);
    const Ran simulated = run("simulate " + model + " --columns all -o " + path("log.csv"));
    ASSERT_EQ(simulated.status, 0) << simulated.err;
    EXPECT_EQ(read_file(path("run.csv")), read_file(path("log.csv")));
  }
}

TEST_F(Program, GoesOnWithARecordingBitForBitWhateverItsAnglesWere) {
  write_file(path("spin.csv"), kSpin);
  const std::string live = " --no-realtime --overrun slip --input " + path("spin.csv") + " --record ";
  ASSERT_EQ(run("run " + rssr() + live + path("run.mcap")).status, 0);
  const Ran taken = run("replay " + path("run.mcap") + " --take-over 250" + live + path("on.mcap"));
  ASSERT_EQ(taken.status, 0) << taken.err;  // after two turns
  ASSERT_EQ(run("export " + path("run.mcap") + " -o " + path("run.csv")).status, 0);
  ASSERT_EQ(run("export " + path("on.mcap") + " -o " + path("on.csv")).status, 0);
  EXPECT_EQ(read_file(path("run.csv")), read_file(path("on.csv")));
  const Log log(path("on.csv"));
  ASSERT_EQ(log.rows.size(), 651u);
  for (const auto& row : log.rows)
    EXPECT_NEAR(row[log.column("bearing.angle")], row[log.column("crank")], 1e-12);
}

TEST_F(Program, IntegratesTheRatesOfAMachineInSpace) {
  write_file(path("spin.csv"), kSpin);
  for (const char* closure : {"none", "baumgarte --gain 50"}) {
    const Ran ran = run("simulate " + rssr() + " --input " + path("spin.csv") + " --closure " + closure +
                        " -o " + path("log.csv"));
    ASSERT_EQ(ran.status, 0) << ran.err;
    const Log log(path("log.csv"));
    double off = 0, open = 0;
    for (const auto& row : log.rows) {
      off = std::max(off, std::abs(row[log.column("bearing.angle")] - row[log.column("crank")]));
      open = std::max(open, row[log.column("residual")]);
    }
    EXPECT_LT(off, 1e-5);  // RK4 at 63 rad/s: drift, but no turn lost
    EXPECT_LT(open, 1e-5);
    EXPECT_GT(open, 1e-13) << "it was closed exactly";
  }
}

TEST_F(Program, RefusesOptionsThatDoNothing) {
  const std::string top =
      "simulate '" RODEO_SOURCE_DIR "/configs/spatial/heavy_top.yaml' --duration 1 -o x.csv ";
  for (const char* option : {"--closure none", "--closure baumgarte", "--gain 5"}) {
    const Ran ran = run(top + option);
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.err, "rodeo simulate: " + std::string(option).substr(0, std::string(option).find(' ')) +
                           ": is for motion that drives impose altogether: this machine moves by its forces "
                           "and keeps its joints closed in its own way; leave the option out (see 'rodeo "
                           "simulate --help')\n");
  }
}

TEST_F(Program, TakesParametersWithAFileAndRefusesThemWithAFolder) {
  const std::string rest = " -p r=0.1 --duration 0.01 -o " + path("log.csv");
  const Ran ran = run("simulate " + rssr() + rest);
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Log log(path("log.csv"));
  EXPECT_NEAR(log.rows[0][log.column("B.y")], 0.1, 1e-15);
  ASSERT_EQ(run("build " + rssr() + " -o " + path("built")).status, 0);
  const Ran folder = run("simulate " + path("built") + rest);
  EXPECT_EQ(folder.status, 1);
  EXPECT_EQ(folder.err, "rssr: the kernel has no parameter 'r' (it has none)\n");
}

/// The planar wheel loader and the same file with `space: 3`, through the loading cycle.
TEST_F(Program, MovesALiftedPlanarMachineAsThePlanarKernelDoes) {
  std::string text = read_file(RODEO_SOURCE_DIR "/configs/wheel_loader.yaml");
  const std::size_t at = text.find("name: wheel_loader");
  ASSERT_NE(at, std::string::npos);
  write_file(path("lifted.yaml"), text.insert(at, "space: 3\n"));
  const std::string rest = " --input loading --rate 200 --columns all -o ";
  const Ran planar =
      run("simulate '" RODEO_SOURCE_DIR "/configs/wheel_loader.yaml'" + rest + path("planar.csv"));
  ASSERT_EQ(run("build " + path("lifted.yaml") + " -o " + path("lifted")).status, 0);
  const Ran lifted = run("simulate " + path("lifted") + rest + path("lifted.csv"));
  ASSERT_EQ(planar.status, 0) << planar.err;
  ASSERT_EQ(lifted.status, 0) << lifted.err;
  const Log a(path("planar.csv")), b(path("lifted.csv"));
  ASSERT_EQ(a.rows.size(), b.rows.size());
  double worst = 0, load = 0;
  int compared = 0;
  for (const std::string& name : a.names) {
    const auto found = std::find(b.names.begin(), b.names.end(), name);
    if (found == b.names.end() || name == "margin" || name == "status") continue;
    const bool is_load = name.ends_with(".fx") || name.ends_with(".fy") || name.ends_with(".torque");
    for (std::size_t r = 0; r < a.rows.size(); ++r) {
      const double x = a.rows[r][a.column(name)], y = b.rows[r][b.column(name)];
      (is_load ? load : worst) = std::max(is_load ? load : worst, std::abs(x - y));
    }
    ++compared;
  }
  EXPECT_GT(compared, 60);
  EXPECT_LT(worst, 1e-9);
  EXPECT_LT(load, 1e-6);  // of about 1e5 N
}

TEST_F(Program, BuildsPacksAndMeasuresAMachineInSpace) {
  const Ran built = run("build " + rssr() + " -o " + path("built"));
  ASSERT_EQ(built.status, 0) << built.err;
  for (const char* name : {"kernel.c", "kernel.so", "interface.json", "certificate.json", "scene.json"})
    EXPECT_TRUE(fs::exists(fs::path(path("built")) / name)) << name;
  EXPECT_THAT(read_file(path("built") + "/scene.json"), HasSubstr("\"space\": 3"));
  const Ran packet = run("packet " + path("built") + " --format c");
  EXPECT_EQ(packet.status, 0) << packet.err;
  EXPECT_THAT(packet.out, HasSubstr("rod_qw"));
  const Ran bench = run("bench " + path("built") + " --seconds 0.05 --json");
  EXPECT_EQ(bench.status, 0) << bench.err;
  EXPECT_THAT(bench.out, HasSubstr("instructions_per_step"));
}

TEST_F(Program, SaysWhatKeepsAMachineInSpaceFromMoving) {
  write_file(path("bad.yaml"), R"(name: bad
ground: {points: {O: [0, 0, 0]}}
bodies:
  bar: {points: {O: [0, 0, 0], tip: [1, 0, 0]}}
joints:
  - {spherical: [ground.O, bar.O]}
)");
  const Ran few = run("build " + path("bad.yaml") + " -o " + path("none"));
  EXPECT_EQ(few.status, 1);
  EXPECT_EQ(few.err,
            path("bad.yaml") +
                ":1: 0 drives for mobility 3: add 3 under 'drives', one for each degree of freedom, or "
                "give every body a mass so that it moves by its forces\n");
  write_file(path("far.yaml"), R"(name: far
ground: {points: {O: [0, 0, 0]}}
bodies:
  bar: {points: {O: [0, 0, 0], tip: [1, 0, 0]}}
joints:
  - {revolute: [ground.O, bar.O], axis: [0, 0, 1], name: pin}
drives:
  pin: {joint: pin, range: [0, 1]}
start: {pin: 2}
)");
  const Ran far = run("build " + path("far.yaml") + " -o " + path("none"));
  EXPECT_EQ(far.status, 1);
  EXPECT_EQ(far.err,
            path("far.yaml") +
                ":8: drive 'pin' starts at 2, outside its range (0 to 1): change 'start' or the range\n");
}

}  // namespace
}  // namespace rodeo::spatial_kernel
