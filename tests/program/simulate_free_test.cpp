// SPDX-License-Identifier: MIT
// `rodeo simulate` of machines that move by their forces, as a user meets it.
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
  refused(pendulum + "--duration 1 --method minimal --input loading", 2,
          "rodeo simulate: --input: is for drives: these methods hold them or let them go");
  refused(pendulum + "--duration 1 --method minimal --solver ida", 2,
          "rodeo simulate: --solver: method minimal is an ordinary equation: it takes euler, rk4 or cvode");
  refused(pendulum + "--duration 1 --method rc", 1,
          "body 'rod': method rc needs an inertia above 0 of every body");
  refused("simulate '" + config("crank_slider") + "' --method minimal --duration 1 -o no.csv", 1,
          "nothing is left to move freely: the joints and drives fix mobility 1; let a drive go with --free "
          "NAME");
  refused("simulate '" + config("crank_slider") + "' --free crunk --duration 1 -o no.csv", 1,
          "--free crunk: there is no such drive (there are crank)");
}

}  // namespace
}  // namespace rodeo::tools
