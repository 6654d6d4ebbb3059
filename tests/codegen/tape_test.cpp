// SPDX-License-Identifier: MIT
// Tapes: what the check refuses, and what is counted.
#include "kinematics/codegen/tape.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace rodeo::codegen {
namespace {

Operand value(std::uint32_t index) { return {Space::value, false, index, 0.0}; }
Operand drive(std::uint32_t index) { return {Space::drive, false, index, 0.0}; }
Operand state(std::uint32_t index) { return {Space::state, false, index, 0.0}; }
Operand output(std::uint32_t index) { return {Space::output, false, index, 0.0}; }

/// A tape written by hand, with values numbered as they come.
class Hand {
 public:
  Hand& add(Code code, const std::vector<Operand>& operands, std::uint32_t values) {
    tape.instructions.push_back({code, static_cast<std::uint32_t>(tape.operands.size()),
                                 static_cast<std::uint32_t>(operands.size()), tape.values, values, 0});
    tape.operands.insert(tape.operands.end(), operands.begin(), operands.end());
    tape.values += values;
    return *this;
  }
  Tape tape;
};

std::string complaint(const Tape& tape) {
  try {
    check_tape(tape);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

TEST(CheckTape, AcceptsValuesThatAreAssignedOnceBeforeTheyAreUsed) {
  Hand hand;
  hand.add(Code::sine_cosine, {drive(0)}, 2).add(Code::multiply, {value(0), value(1)}, 1);
  hand.add(Code::store, {output(0), value(2)}, 0).add(Code::store, {state(0), value(1)}, 0);
  EXPECT_EQ(complaint(hand.tape), "");
}

TEST(CheckTape, RefusesAValueThatIsUsedBeforeItIsAssigned) {
  Hand hand;
  hand.add(Code::add, {drive(0), value(1)}, 1).add(Code::add, {drive(0), value(0)}, 1);
  EXPECT_EQ(complaint(hand.tape), "kernel tape: instruction 0 reads value 1 before it is assigned");
}

TEST(CheckTape, RefusesAValueThatIsAssignedTwice) {
  Hand hand;
  hand.add(Code::add, {drive(0), drive(1)}, 1).add(Code::add, {drive(0), drive(2)}, 1);
  hand.tape.instructions[1].first_value = 0;
  EXPECT_EQ(complaint(hand.tape), "kernel tape: instruction 1 assigns a value twice or out of order");
}

TEST(CheckTape, RefusesAValueOfABlockOutsideIt) {
  Hand hand;
  hand.add(Code::iterate, {state(0)}, 1).add(Code::multiply, {value(0), value(0)}, 1);
  hand.add(Code::correct, {value(1), value(0)}, 1);
  EXPECT_EQ(complaint(hand.tape), "");
  hand.add(Code::store, {output(0), value(1)}, 0);
  EXPECT_EQ(complaint(hand.tape), "kernel tape: instruction 3 reads value 1 outside its block");
}

TEST(CheckTape, RefusesToStoreBeforeTheLastRefusal) {
  Hand hand;
  hand.add(Code::store, {output(0), drive(0)}, 0).add(Code::test, {drive(1)}, 0);
  EXPECT_EQ(complaint(hand.tape), "kernel tape: instruction 1 can refuse after something was stored");
}

TEST(CheckTape, RefusesAStateThatIsReadAfterItWasStored) {
  Hand hand;
  hand.add(Code::store, {state(3), drive(0)}, 0).add(Code::store, {output(0), state(3)}, 0);
  EXPECT_EQ(complaint(hand.tape), "kernel tape: instruction 1 reads state 3 after it was stored");
}

TEST(CheckTape, RefusesAPlaceThatIsStoredTwice) {
  Hand hand;
  hand.add(Code::store, {output(3), drive(0)}, 0).add(Code::store, {output(3), drive(1)}, 0);
  EXPECT_EQ(complaint(hand.tape), "kernel tape: instruction 1 stores to a place a second time");
}

/// Gauss of 2 unknowns by hand: one factor; one product below, one for the right side, one in the back substitution; two
/// quotients.
TEST(CountOperations, CountsABlockAsOftenAsItCorrects) {
  Hand hand;
  hand.add(Code::add, {drive(0), drive(1)}, 1);
  hand.add(Code::iterate, {state(0), state(1)}, 2);
  hand.add(Code::sine_cosine_pair, {value(1), value(2)}, 4);
  hand.add(Code::correct, {value(3), value(4), value(3), value(4), value(5), value(6)}, 2);
  const Operations operations = count_operations(hand.tape);
  EXPECT_EQ(operations.adds, 1 + 4 * (3 + 2));
  EXPECT_EQ(operations.multiplies, 4 * 3);
  EXPECT_EQ(operations.divides, 4 * 3);
  EXPECT_EQ(operations.trigonometric, 4 * 4);
}

}  // namespace
}  // namespace rodeo::codegen
