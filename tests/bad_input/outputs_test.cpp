// SPDX-License-Identifier: MIT
// Outputs of length and angle that are wrong: what is told has the line, the output and what to do.
#include "tests/bad_input/bad_input.h"

namespace rodeo::tools {
namespace {

class BadOutput : public BadInput {
 protected:
  /// The four-bar with an output on its line 16.
  void expect(const std::string& output, const std::string& sentence) const {
    write("m.yaml", kMachine + "outputs: {" + output + "}\n");
    expect_refusals("m.yaml", "m.yaml:16: " + sentence);
  }
};

TEST_F(BadOutput, NamesWhatIsNotThere) {
  expect("lift: {length: [ground.P, rocker.C]}",
         "output 'lift': body 'ground' has no point 'P' (it has O, Q)");
  expect("lift: {length: [grund.O, rocker.C]}",
         "output 'lift': there is no body 'grund' (there are ground, crank, coupler, rocker)");
  expect("level: {angle: rocket}",
         "output 'level': there is no body 'rocket' (there are ground, crank, coupler, rocker)");
  expect("level: {angle: ground}", "output 'level': the ground does not turn: name another body");
  expect("lift: {lenght: [ground.O, rocker.C]}",
         "output 'lift': unknown kind 'lenght' (did you mean 'length'?); the kinds are length, angle");
  expect("lift: {length: [ground.O, rocker.C], unit: mm}",
         "output 'lift': unknown key 'unit'; known here: length");
  expect("lift: {length: [ground.O, rocker.C], angle: rocker}",
         "output 'lift': it is both 'length' and 'angle': keep one of them");
}

TEST_F(BadOutput, OfALengthHasTwoPointsThatAreApart) {
  expect("lift: {length: [rocker.C]}",
         "output 'lift': exactly two are needed, [body.point, body.point], not 1");
  expect("lift: {length: rocker.C}",
         "output 'lift': exactly two are needed, [body.point, body.point], not a single value");
  expect("lift: {length: [ground.O, ground.Q]}",
         "output 'lift': both points are on body 'ground': it must be between two bodies");
  expect("lift: {length: [coupler.C, rocker.C]}",
         "output 'lift': coupler.C and rocker.C are in one place at the start, where a length has no rate: "
         "name two points that are apart, or change 'start'");
}

TEST_F(BadOutput, HasAColumnOfItsOwn) {
  expect("crank: {angle: rocker}",
         "output 'crank': a drive has this name, and it does not impose this angle: give the output another "
         "name");
  expect("rocker: {length: [ground.O, rocker.C]}",
         "output 'rocker': body 'rocker' has the column 'rocker.rate', and this is not its angle: give the "
         "output another name");
  expect("margin: {angle: rocker}", "output 'margin': this name is reserved: give the output another name");
  write("m.yaml", kMachine +
                      "forces: [{spring: [ground.O, rocker.C], stiffness: 9, rest_length: 1, name: "
                      "soft}]\noutputs: {soft: {length: [ground.O, rocker.C]}}\n");
  expect_refusals(
      "m.yaml",
      "m.yaml:17: output 'soft': force 'soft' has the column 'soft.rate': give the output another name");
  write("m.yaml", with(kMachine, "crank: {angle: crank}",
                       "crank: {angle: crank}\n  push: {cylinder: [ground.O, rocker.C]}") +
                      "outputs: {push: {length: [ground.Q, crank.B]}}\n");
  EXPECT_THAT(
      run("check m.yaml").err,
      testing::HasSubstr("m.yaml:17: output 'push': a drive has this name, and it does not impose this "
                         "length: give the output another name"));
}

}  // namespace
}  // namespace rodeo::tools
