// SPDX-License-Identifier: MIT
// `rodeo simulate` of machines that move by their forces, as a user meets it.
#include <cmath>

#include "tests/program/free_support.h"

namespace rodeo::tools {
namespace {

using testing::HasSubstr;
using testing_support::FreeProgram;
using testing_support::Result;
using testing_support::Table;

TEST_F(FreeProgram, WritesALogOfAMachineWithoutDrives) {
  const Result result = run("simulate '" + config("free/pendulum") +
                            "' -p J=0 --method minimal --duration 2 --rate 100 -o log.csv");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "note: independent coordinates: rod.angle\n");
  const Table log = read_table("log.csv");
  EXPECT_EQ(log.header, "t,rod.angle,rod.rate,bob.x,bob.y,energy,energy_error,residual");
  ASSERT_EQ(log.rows.size(), 201U);
  EXPECT_EQ(log.rows[0][0], 0);
  EXPECT_NEAR(log.rows[200][0], 2, 1e-12);
  for (const auto& row : log.rows) {
    EXPECT_NEAR(row[3] * row[3] + row[4] * row[4], 1, 1e-12);
    EXPECT_NEAR(0.5 * row[2] * row[2] + 9.81 * row[4], 0,
                1e-5);  // ½v² + gy, from rest at y = 0; RK4 at 10 ms
  }
}

TEST_F(FreeProgram, KnowsEveryMethodAndSolver) {
  for (const char* method :
       {"minimal --solver euler", "minimal --solver cvode", "lagrange --alpha 20 --beta 20",
        "lagrange-implicit", "rc --frequency 5000 --damping-ratio 1", "rc --solver rk4",
        "zcp --tolerance 1e-9"}) {
    const Result result = run("simulate '" + config("free/slider_crank") + "' --method " + method +
                              " --duration 0.1 -o log.csv");
    EXPECT_EQ(result.status, 0) << method << ": " << result.err;
    EXPECT_EQ(read_table("log.csv").rows.size(), 101U) << method;
  }
}

TEST_F(FreeProgram, TellsWhatEachMethodDid) {
  const std::string model =
      "simulate '" + config("free/slider_crank") + "' --duration 0.1 -o log.csv --method ";
  EXPECT_EQ(run(model + "lagrange").err, "note: Baumgarte's gains: alpha 100, beta 100 1/s\n");
  EXPECT_EQ(run(model + "zcp").err, "note: 8 break variables; index 3 before, 1 after\n");
  EXPECT_THAT(run(model + "rc").err, HasSubstr("note: adds frequencies of "));
}

TEST_F(FreeProgram, LetsDrivesGo) {
  const Result result =
      run("simulate '" + config("double_pendulum") + "' --free all --duration 0.1 --columns all -o log.csv");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(
      read_table("log.csv").header,
      "t,rod1,rod2,rod1.angle,rod2.angle,rod1.rate,rod2.rate,tip.x,tip.y,energy,energy_error,residual,rod1."
      "origin.x,"
      "rod1.origin.y,rod2.origin.x,rod2.origin.y,energy.kinetic,energy.potential,work,ground.A-rod1.A.fx,"
      "ground.A-rod1.A.fy,rod1.B-rod2.B.fx,rod1.B-rod2.B.fy");
  const Result held =
      run("simulate '" + config("double_pendulum") + "' --free rod2 --duration 0.1 -o log.csv");
  EXPECT_EQ(held.status, 0) << held.err;
  EXPECT_THAT(held.err, HasSubstr("note: held at the start: rod1 (--free lets a drive go)\n"));
}

TEST_F(FreeProgram, MovesAsTheCompiledKernelDoes) {
  // Symbolic, reduced and compiled there; numeric in absolute coordinates here; the same steps of the same equation.
  for (const char* name : {"free/pendulum", "free/slider_crank", "free/wheel_loader_free"}) {
    const std::string model = "simulate '" + config(name) + "' --duration 1 ";
    const Result kernel = run(model + "-o kernel.csv"),
                 library = run(model + "--method minimal -o library.csv");
    ASSERT_EQ(kernel.status, 0) << kernel.err;
    ASSERT_EQ(library.status, 0) << library.err;
    const Table one = read_table("kernel.csv"), other = read_table("library.csv");
    ASSERT_EQ(one.rows.size(), other.rows.size());
    std::istringstream columns(other.header);
    for (std::string column; std::getline(columns, column, ',');) {
      if (!column.ends_with(".angle") && !column.ends_with(".rate")) continue;
      for (std::size_t i = 0; i < one.rows.size(); ++i) {
        ASSERT_NEAR(one.rows[i][one.find(column)], other.rows[i][other.find(column)], 1e-10)
            << name << " " << column;
      }
    }
  }
}

TEST_F(FreeProgram, CarriesItsWeightInItsPin) {
  // Hung at rest straight down, the pin carries m g upwards.
  const Result result = run("simulate '" + config("free/pendulum") +
                            "' -p m=2 -p J=0 --method lagrange --duration 0.01 --columns all -o log.csv");
  ASSERT_EQ(result.status, 0) << result.err;
  const Table log = read_table("log.csv");
  // From the horizontal, at rest: all weight is free to fall, and the pin of a point mass carries nothing.
  EXPECT_NEAR(log.rows[0][log.find("pin.fx")], 0, 1e-9);
  EXPECT_NEAR(log.rows[0][log.find("pin.fy")], 0, 1e-6);
  const Result hung = run("simulate '" + config("free/pendulum") +
                          "' -p m=2 -p J=1 --method lagrange --duration 0.01 --columns all -o log.csv");
  ASSERT_EQ(hung.status, 0) << hung.err;
  // With inertia J the mass falls at g m L²/(m L² + J): the pin holds the rest, m g J/(m L² + J).
  const Table held = read_table("log.csv");
  EXPECT_NEAR(held.rows[0][held.find("pin.fy")], 2 * 9.81 / 3, 1e-9);
}

TEST_F(FreeProgram, RefusesWhatDoesNotFitInOneSentence) {
  const auto refused = [&](const std::string& arguments, int status, const std::string& sentence) {
    const Result result = run(arguments);
    EXPECT_EQ(result.status, status) << arguments;
    EXPECT_THAT(result.err, HasSubstr(sentence)) << arguments;
    EXPECT_FALSE(std::filesystem::exists(folder() / "no.csv")) << arguments;
  };
  const std::string pendulum = "simulate '" + config("free/pendulum") + "' -p J=0 -o no.csv ";
  refused(pendulum + "--method minimal", 2,
          "rodeo simulate: --duration: is needed: the machine moves by its forces");
  refused(pendulum + "--duration 1 --method rk4 --solver cvode", 2,
          "rodeo simulate: --method: rk4 is a step of the compiled kernel: with --free or --solver choose "
          "minimal, "
          "lagrange, lagrange-implicit, rc or zcp");
  refused(pendulum + "--duration 1 --method minimal --input in.csv", 1,
          "pendulum.yaml: the machine has no inputs, and --input was given: an input is a force without a "
          "value, and "
          "drives are held by this method");
  refused(pendulum + "--duration 1 --method minimal --solver ida", 2,
          "rodeo simulate: --solver: method minimal is an ordinary equation: it takes euler, rk4 or cvode");
  refused(pendulum + "--duration 1 --method rc", 1,
          "body 'rod': method rc needs an inertia above 0 of every body");
  refused("simulate '" + config("crank_slider") + "' --method minimal --duration 1 -o no.csv", 1,
          "nothing is left to move freely: the joints and drives fix mobility 1; let a drive go with --free "
          "NAME");
  refused("simulate '" + config("crank_slider") + "' --free crunk --duration 1 -o no.csv", 1,
          "--free crunk: there is no such drive (there are crank)");
  refused(pendulum + "--duration 1 --method newmark", 2, "rodeo simulate: --method: newmark not in {");
  refused(pendulum + "--duration 1 --solver newmark", 2, "rodeo simulate: --solver: newmark not in {");
}

TEST_F(FreeProgram, RefusesOptionsThatWouldDoNothing) {
  const std::string pendulum = "simulate '" + config("free/pendulum") + "' --duration 1 -o no.csv ";
  const std::string graph = "simulate '" + config("graphs/rlc") + "' --duration 1 -o no.csv ";
  const std::string see = " (see 'rodeo simulate --help')\n";
  const auto refused = [&](const std::string& arguments, const std::string& sentence) {
    const Result result = run(arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_EQ(result.err, "rodeo simulate: " + sentence + see) << arguments;
  };
  refused(pendulum + "--method minimal --closure none",
          "--closure: is for imposed motion: method minimal keeps the joints closed in its own way");
  refused(pendulum + "--method rc --gain 3",
          "--gain: is for imposed motion: method rc keeps the joints closed in its own way");
  refused(pendulum + "--method zcp --form full",
          "--form: is for bond graphs: method zcp has a form of its own");
  refused(pendulum + "--method zcp --alpha 3", "--alpha: is a gain of method lagrange: zcp has none");
  refused(pendulum + "--method lagrange --frequency 300",
          "--frequency: is of the springs in the joints of method rc: lagrange has none");
  const std::string who =
      "is for machines that move by their forces, with --method minimal, lagrange, lagrange-implicit, rc or "
      "zcp";
  refused(pendulum + "--beta 3", "--beta: " + who);
  for (const std::string option : {"--free x", "--solver cvode", "--settle", "--alpha 1"})
    refused(graph + option, option.substr(0, option.find(' ')) + ": " + who);
  refused(graph + "--method minimal",
          "--method: minimal is for machines: a bond graph takes euler, rk4, cvode, adams or ida");
}

/// By the compiled kernel and by the library the same.
TEST_F(FreeProgram, SaysWhatKeepsAMachineFromMovingByItsForces) {
  const std::string arm = R"(name: arm
ground: {points: {O: [0, 0]}}
bodies:
  arm: {points: {O: [0, 0]}, MASS}
joints: [{revolute: [ground.O, arm.O]}]
start: {arm: 0}
GRAVITY
)";
  const auto refused = [&](const std::string& mass, const std::string& gravity, const std::string& sentence) {
    std::string text = arm;
    text.replace(text.find("MASS"), 4, mass);
    text.replace(text.find("GRAVITY"), 7, gravity);
    std::ofstream(folder() / "arm.yaml") << text;
    for (const char* method : {"", " --method minimal"}) {
      const Result result = run(std::string("simulate arm.yaml --duration 0.1 -o no.csv") + method);
      EXPECT_EQ(result.status, 1) << method;
      EXPECT_EQ(result.err, sentence + "\n") << method;
    }
  };
  const std::string down = "gravity: [0, -9.81]";
  refused(
      "mass: 2, com: [1, 0], inertia: 1", "",
      "arm.yaml: there is no gravity, no force and no start rate, so nothing would move: add 'gravity: [0, "
      "-9.81]', 'forces:' or 'start: {rates: ...}'");
  refused("mass: 2, inertia: 0", down,
          "arm.yaml:4: body 'arm': inertia 0, and the joints let it turn about its centre of mass, which no "
          "body does "
          "without inertia; give it one (kg m²)");
  refused("mass: 2", down,
          "arm.yaml:4: body 'arm': inertia 0, and the joints let it turn about its centre of mass, which no "
          "body does "
          "without inertia; give it one (kg m²)");
  refused("mass: 0", down, "arm.yaml:4: body 'arm': mass must be positive, not 0");
  refused("mass: -2", down, "arm.yaml:4: body 'arm': mass must be positive, not -2");
  refused("mass: 2, inertia: -1", down, "arm.yaml:4: body 'arm': inertia must not be negative, not -1");
  refused("com: [1, 0]", down,
          "arm.yaml:4: body 'arm': com without mass means nothing: give its mass (kg), or leave it out");
}

TEST_F(FreeProgram, NeedsTheMachineFileForItsMethods) {
  ASSERT_EQ(run("build '" + config("free/pendulum") + "' -o built").status, 0);
  const std::string sentence =
      "built: this is a built folder, which moves by its kernel: the methods of free motion need the machine "
      "file\n";
  EXPECT_EQ(run("simulate built --method minimal --duration 0.1 -o no.csv").err, sentence);
  EXPECT_EQ(run("compare built --duration 0.1").err, sentence);
}

TEST_F(FreeProgram, MovesAPointMassByTheKernelToo) {
  // A01 as its file says: with -p J=0 the ball is a point.
  const Result result = run("simulate '" + config("free/pendulum") + "' -p J=0 --duration 2 -o log.csv");
  ASSERT_EQ(result.status, 0) << result.err;
  const Table log = read_table("log.csv");
  const std::size_t rate = log.find("rod.rate"), y = log.find("bob.y");
  for (const auto& row : log.rows) EXPECT_NEAR(0.5 * row[rate] * row[rate] + 9.81 * row[y], 0, 1e-9);
}

TEST_F(FreeProgram, SettlesItsStartByTheSpringsOfRc) {
  for (const char* method : {"minimal", "lagrange", "zcp"}) {
    const Result result = run("simulate '" + config("free/slider_crank") +
                              "' --settle --duration 0.1 -o log.csv --method " + method);
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.err,
                testing::ContainsRegex(
                    "^note: settled by springs in the joints: open by 0\\.00222 m as written, [0-9.e-]+ m "
                    "after; [0-9.e-]+ \\(m, rad\\) from the start that is projected at once\n"));
    const Table log = read_table("log.csv");
    const double crank = log.rows[0][log.find("crank.angle")], rod = log.rows[0][log.find("rod.angle")];
    EXPECT_NEAR(0.2 * std::sin(crank) + 0.6 * std::sin(rod), 0, 1e-9) << method;
    EXPECT_NEAR(log.rows[0][log.find("crank.rate")], 4, 1e-9) << method;
  }
}

/// 2 kg on a guide, pushed by a force that rises with time: x = 8 t³/(6 m) to 1 s, then at 8 N.
TEST_F(FreeProgram, TakesForcesFromAnInputFile) {
  std::ofstream(folder() / "sled.yaml") << R"(name: sled
ground: {points: {O: [0, 0]}}
bodies: {sled: {points: {P: [0, 0]}, mass: 2, inertia: 0.1}}
joints: [{prismatic: [ground.O, sled.P], direction: [1, 0]}]
forces: [{force: sled.P, name: push}]
outputs: {place: sled.P}
)";
  std::ofstream(folder() / "in.csv") << "t,push.x\n0,0\n1,8\n2,8\n";
  for (const char* method : {"minimal", "minimal --solver cvode", "lagrange", "zcp", "rc"}) {
    const Result result =
        run(std::string("simulate sled.yaml --duration 2 --input in.csv -o log.csv --method ") + method);
    ASSERT_EQ(result.status, 0) << result.err;
    const Table log = read_table("log.csv");
    const std::size_t x = log.find("place.x");
    EXPECT_NEAR(log.rows[500][x], 8 * 0.125 / 12, 1e-6) << method;
    EXPECT_NEAR(log.rows[1000][x], 8.0 / 12, 1e-6) << method;
    EXPECT_NEAR(log.rows[2000][x], 8.0 / 12 + 2 + 2, 1e-5)
        << method;  // x + v t + ½ (F/m) t²: v = 2 m/s, F/m = 4 m/s²
  }
  const Result without = run("simulate sled.yaml --method minimal --duration 0.1 -o log.csv");
  EXPECT_THAT(without.err, HasSubstr("note: inputs count as 0 without --input: push.x, push.y\n"));
  const Result wrong = run("simulate '" + config("loads/wheel_loader_payload") +
                           "' --free lift --duration 0.1 -o log.csv --input drive.csv");
  EXPECT_EQ(wrong.status, 1);
  std::ofstream(folder() / "drive.csv") << "t,tilt,payload.mass\n0,1,0\n1,1,0\n";
  EXPECT_EQ(run("simulate '" + config("loads/wheel_loader_payload") +
                "' --free lift --duration 0.1 -o log.csv --input drive.csv")
                .err,
            "drive.csv:1: column 'tilt' is of a drive, and these methods hold drives where they start, or "
            "let them go "
            "with --free: leave the column out, or take a step of the compiled kernel\n");
  EXPECT_THAT(
      run("simulate '" + config("loads/wheel_loader_payload") + "' --free lift --duration 0.01 -o log.csv")
          .err,
      HasSubstr("note: a payload that is an input weighs nothing by these methods: payload.mass\n"));
}

/// A pendulum swings: it has no drives that could be at rest.
TEST_F(FreeProgram, ItsReportSaysNothingOfDrives) {
  const std::string model = "run '" + config("free/pendulum") + "' --no-realtime --duration 0.05";
  const Result table = run(model);
  ASSERT_EQ(table.status, 0) << table.err;
  EXPECT_THAT(table.out, testing::HasSubstr("  status          ok; seen: "));
  EXPECT_THAT(run(model + " --json").out, testing::HasSubstr("\"at_rest\": null"));
}

}  // namespace
}  // namespace rodeo::tools
