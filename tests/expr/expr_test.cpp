// SPDX-License-Identifier: MIT
// Expressions as a shared graph: equal is identical, numbers fold, text reads back.
#include "kinematics/expr/expr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "kinematics/expr/eval.h"
#include "kinematics/expr/parse.h"
#include "kinematics/expr/short_text.h"

namespace rodeo::expr {
namespace {

const Expr x = symbol("x");
const Expr y = symbol("y");

TEST(Expr, IsOneNodeForEqualStructure) {
  EXPECT_EQ(sin(x) * y + 2.0, sin(x) * y + 2.0);
  EXPECT_EQ(x + y, y + x);
  EXPECT_EQ(x * y, y * x);
  EXPECT_EQ(-(-x), x);
  EXPECT_FALSE(x + y == x - y);
  EXPECT_FALSE(x / y == y / x);
}

TEST(Expr, HasALargerIdThanItsOperands) {
  for (const Expr e : reachable({sin(x * y) / (x + 3.0)})) {
    for (const Expr arg : e->args) EXPECT_LT(arg.id(), e.id());
  }
}

TEST(Expr, TellsAParameterFromAVariableAndFromTime) {
  EXPECT_FALSE(symbol("t") == time_symbol());
  EXPECT_FALSE(symbol("x") == variable("x"));
}

TEST(Expr, FoldsZeroOneAndNumbers) {
  EXPECT_EQ(x + 0.0, x);
  EXPECT_EQ(x * 1.0, x);
  EXPECT_EQ(x / 1.0, x);
  EXPECT_EQ(pow(x, 1.0), x);
  EXPECT_TRUE((x * 0.0).is_number(0));
  EXPECT_TRUE((x - x).is_number(0));
  EXPECT_TRUE((x / x).is_number(1));
  EXPECT_TRUE((Expr(2.0) * 3.0 + 1.0).is_number(7));
  EXPECT_EQ(x + x, 2.0 * x);
}

TEST(Expr, HasOneZero) { EXPECT_EQ(Expr(0.0), Expr(-0.0)); }

TEST(Expr, TakesSignsOutOfOddAndEvenFunctions) {
  EXPECT_EQ(sin(-x), -sin(x));
  EXPECT_EQ(cos(-x), cos(x));
}

TEST(Expr, KeepsADivisionByZeroForTheReaderToReport) {
  const Expr e = Expr(1.0) / 0.0;
  EXPECT_FALSE(e.is_number());
  EXPECT_TRUE(std::isinf(calc_value(e, {})));
}

TEST(Expr, ListsItsSymbols) {
  EXPECT_EQ(symbols_of({y * sin(x) + y}).size(), 2u);
  EXPECT_TRUE(symbols_of({Expr(3.0)}).empty());
}

TEST(Expr, ReplacesSymbolsAndFoldsWhatFollows) {
  const Expr e = substitute(x * y + 1.0, [](Expr s) { return s == x ? Expr(0.0) : s; });
  EXPECT_TRUE(e.is_number(1));
}

TEST(Program, GivesTheValuesOfCalcValue) {
  const Expr e = sin(x) * y + x / y, f = e * e - sqrt(y);
  Program program({e, f}, {x, y});
  const double in[] = {0.7, 1.9};
  double out[2];
  program.run(in, out);
  EXPECT_EQ(out[0], calc_value(e, {{"x", 0.7}, {"y", 1.9}}));
  EXPECT_EQ(out[1], calc_value(f, {{"x", 0.7}, {"y", 1.9}}));
}

TEST(Program, RefusesASymbolWithoutAnInput) { EXPECT_THROW(Program({x * y}, {x}), std::out_of_range); }

TEST(CalcRandom, DependsOnSeedStreamAndTickAlone) {
  EXPECT_EQ(calc_random(1, 2, 3), calc_random(1, 2, 3));
  EXPECT_NE(calc_random(1, 2, 3), calc_random(2, 2, 3));
  EXPECT_NE(calc_random(1, 2, 3), calc_random(1, 3, 3));
  EXPECT_NE(calc_random(1, 2, 3), calc_random(1, 2, 4));
}

TEST(CalcRandom, IsUniformBetweenZeroAndOne) {
  constexpr int kCount = 100'000;
  double sum = 0, squares = 0;
  for (int tick = 0; tick < kCount; ++tick) {
    const double u = calc_random(1, 0, static_cast<std::uint64_t>(tick));
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
    squares += u * u;
  }
  // the mean of kCount has a deviation of 0.29 / √kCount = 9e-4: five of them
  EXPECT_NEAR(sum / kCount, 0.5, 4.6e-3);
  EXPECT_NEAR(squares / kCount, 1.0 / 3.0, 4.8e-3);
}

/// Texts whose graph has every operator beside and inside every other that could need brackets.
const char* const kTexts[] = {
    "x + y*2",
    "(x + y)*2",
    "x - (y - 2)",
    "x - y - 2",
    "x/(y*2)",
    "x/y/2",
    "x/(y/2)",
    "x*(y/2)",
    "-x^2",
    "(-x)^2",
    "2^-x",
    "(x^y)^2",
    "x^y^2",
    "-(x + y)*3",
    "x*-y",
    "x/-2",
    "1e-7*x + 1e22",
    "-3 + x",
    "abs(-x*y)",
    "if(x < y, x, -y)",
    "(x < y) + (y < x)",
    "(x < y) < (y == x)",
    "(x or y) and 0",
    "x and y or 0",
    "x and (y or 0)",
    "not (x < y)",
    "not x == y",
    "not (x and y)",
    "1 - (not x)",
    "atan2(x, -y)",
    "min(x, max(y, 2))",
    "fac(3)*x + round(y)!",
    "x % + y%",
    "log(x) + lg(x) + ln(x)",
    "acot(x) + arcoth(x + 2)",
};

TEST(ToText, ReadsBackToAnEqualValue) {
  const Scope scope{[](const std::string& name) { return std::optional(symbol(name)); }, {}, nullptr};
  for (const char* text : kTexts) {
    const Expr e = build_expression(text, scope);
    const Expr back = build_expression(to_text(e), scope);
    for (const Values& at :
         {Values{{"x", 0.7}, {"y", 1.9}}, Values{{"x", 3.0}, {"y", 0.0}}, Values{{"x", 2.0}, {"y", 2.0}}}) {
      const double value = calc_value(e, at);
      // sums and products may be bracketed otherwise: a few roundings
      const double tolerance = std::isfinite(value) ? 4e-16 * (1 + std::abs(value)) : 0;
      if (std::isnan(value) || std::isinf(value)) continue;
      EXPECT_NEAR(calc_value(back, at), value, tolerance) << text << " -> " << to_text(e);
    }
  }
}

TEST(ToText, WritesAsAPersonWould) {
  EXPECT_EQ(to_text(x - y), "x - y");
  EXPECT_EQ(to_text(-sin(x) * y), "-y*sin(x)");
  EXPECT_EQ(to_text((x + y) / 3.0), "(x + y)/3");
}

TEST(ShortText, LeavesOutDigitsThatRoundingMade) {
  const Expr sum(1.2000000000000002);
  EXPECT_EQ(to_text(operation(Op::less, {sum, x})), "1.2000000000000002 < x");
  EXPECT_EQ(to_short_text(operation(Op::less, {sum, x})), "1.2 < x");
  EXPECT_EQ(to_short_text(sin(sum * x) + 0.30000000000000004), to_text(sin(Expr(1.2) * x) + 0.3));
}

TEST(ShortText, KeepsDigitsThatSomeoneWrote) {
  EXPECT_EQ(to_short_text(operation(Op::less, {x, Expr(1.23456789)})), "x < 1.23456789");
  EXPECT_EQ(to_short_text(operation(Op::less, {x, Expr(1.0 / 3)})),
            to_text(operation(Op::less, {x, Expr(1.0 / 3)})));
  EXPECT_EQ(to_short_text(operation(Op::less, {x, Expr(0.0)})), "x < 0");
  EXPECT_EQ(to_short_text(operation(Op::less, {x, Expr(2.0e7)})), "x < 20000000");
}

}  // namespace
}  // namespace rodeo::expr
