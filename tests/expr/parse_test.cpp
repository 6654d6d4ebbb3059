// SPDX-License-Identifier: MIT
// Text to expression: Bondin's functions, constants and operators (its section 4) and the contract's, against std.
#include "kinematics/expr/parse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <string>

#include "kinematics/expr/eval.h"

namespace rodeo::expr {
namespace {

Scope scope_of_x() {
  Scope scope;
  scope.find = [](const std::string& name) -> std::optional<Expr> {
    if (name == "x" || name == "y") return symbol(name);
    return std::nullopt;
  };
  scope.known = {"x", "y"};
  return scope;
}

double value(const std::string& text, double x = 0, double y = 0) {
  return calc_value(build_expression(text, scope_of_x()), {{"x", x}, {"y", y}});
}

std::string refusal(const std::string& text) {
  try {
    return "read as " + to_text(build_expression(text, scope_of_x()));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

struct Function {
  const char* name;
  std::function<double(double)> reference;
  std::vector<double> at;
};

const std::vector<double> kAnywhere{-1.3, -0.4, 0.2, 0.9, 2.4};
const std::vector<double> kInsideOne{-0.8, -0.1, 0.3, 0.7};
const std::vector<double> kPositive{0.1, 0.8, 2.0, 30.0};
const std::vector<double> kOverOne{1.2, 2.0, 7.5};

const Function kFunctions[] = {
    {"sin", [](double a) { return std::sin(a); }, kAnywhere},
    {"cos", [](double a) { return std::cos(a); }, kAnywhere},
    {"tan", [](double a) { return std::tan(a); }, kAnywhere},
    {"cot", [](double a) { return std::cos(a) / std::sin(a); }, kAnywhere},
    {"asin", [](double a) { return std::asin(a); }, kInsideOne},
    {"acos", [](double a) { return std::acos(a); }, kInsideOne},
    {"atan", [](double a) { return std::atan(a); }, kAnywhere},
    {"acot", [](double a) { return std::numbers::pi / 2 - std::atan(a); }, kAnywhere},
    {"ascot", [](double a) { return std::numbers::pi / 2 - std::atan(a); }, kAnywhere},
    {"sinh", [](double a) { return (std::exp(a) - std::exp(-a)) / 2; }, kAnywhere},
    {"cosh", [](double a) { return (std::exp(a) + std::exp(-a)) / 2; }, kAnywhere},
    {"tanh", [](double a) { return std::tanh(a); }, kAnywhere},
    {"coth", [](double a) { return std::cosh(a) / std::sinh(a); }, kAnywhere},
    {"arsinh", [](double a) { return std::asinh(a); }, kAnywhere},
    {"arcosh", [](double a) { return std::acosh(a); }, kOverOne},
    {"artanh", [](double a) { return std::atanh(a); }, kInsideOne},
    {"arcoth", [](double a) { return 0.5 * std::log((a + 1) / (a - 1)); }, kOverOne},
    {"sqr", [](double a) { return a * a; }, kAnywhere},
    {"sqrt", [](double a) { return std::sqrt(a); }, kPositive},
    {"exp", [](double a) { return std::exp(a); }, kAnywhere},
    {"lg", [](double a) { return std::log10(a); }, kPositive},
    {"ln", [](double a) { return std::log(a); }, kPositive},
    {"log", [](double a) { return std::log(a); }, kPositive},
    {"abs", [](double a) { return std::abs(a); }, kAnywhere},
    {"sgn", [](double a) { return a < 0 ? -1.0 : 1.0; }, kAnywhere},
    {"round", [](double a) { return std::floor(a + 0.5); }, kAnywhere},
};

/// Two ways to the same function differ by a few roundings.
constexpr double kRounding = 4e-15;

TEST(Parse, GivesTheValueOfEveryFunction) {
  for (const Function& f : kFunctions) {
    for (const double a : f.at) {
      EXPECT_NEAR(value(std::string(f.name) + "(x)", a), f.reference(a),
                  kRounding * (1 + std::abs(f.reference(a))))
          << f.name << "(" << a << ")";
    }
  }
}

/// Central difference of step h: error h² f'''/6 + 1e-16/h, smallest near h = 1e-5.
TEST(Differentiate, AgreesWithCentralDifferencesForEveryFunction) {
  constexpr double kStep = 1e-5;
  for (const Function& f : kFunctions) {
    const Expr e = build_expression(std::string(f.name) + "(x)", scope_of_x());
    const Expr derivative = differentiate(e, symbol("x"));
    for (const double a : f.at) {
      const double difference =
          (calc_value(e, {{"x", a + kStep}}) - calc_value(e, {{"x", a - kStep}})) / (2 * kStep);
      EXPECT_NEAR(calc_value(derivative, {{"x", a}}), difference, 2e-8 * (1 + std::abs(difference)))
          << f.name << "(" << a << ")";
    }
  }
}

TEST(Differentiate, AgreesWithCentralDifferencesForOperatorsAndFunctionsOfTwo) {
  constexpr double kStep = 1e-5;
  for (const char* text :
       {"x^3", "2^x", "x^y", "y^x", "x*y/(x + y)", "atan2(x, y)", "atan2(y, x)", "min(x, y)", "max(x, y*y)",
        "if(x < y, x*x, y)", "-x/y^2", "sin(x*y)^2*exp(-x)", "x%"}) {
    const Expr e = build_expression(text, scope_of_x());
    const Expr derivative = differentiate(e, symbol("x"));
    for (const double a : {0.3, 1.1, 2.7}) {
      const auto at = [](double v) { return Values{{"x", v}, {"y", 1.7}}; };
      const double difference = (calc_value(e, at(a + kStep)) - calc_value(e, at(a - kStep))) / (2 * kStep);
      EXPECT_NEAR(calc_value(derivative, at(a)), difference, 2e-8 * (1 + std::abs(difference)))
          << text << " at " << a;
    }
  }
}

TEST(Parse, KnowsConstantsFactorialAndPerCent) {
  EXPECT_EQ(value("pi"), std::numbers::pi);
  EXPECT_EQ(value("e"), std::numbers::e);
  EXPECT_EQ(value("5!"), 120);
  EXPECT_EQ(value("fac(5)"), 120);
  EXPECT_EQ(value("x!", 4), 24);
  EXPECT_EQ(value("50%"), 0.5);
  EXPECT_EQ(value("3!!"), 720);
  EXPECT_EQ(value("atan2(x, y)", 1, -2), std::atan2(1, -2));
  EXPECT_EQ(value("min(x, y)", 1, -2), -2);
  EXPECT_EQ(value("max(x, y)", 1, -2), 1);
}

TEST(Parse, BindsAsInMathematics) {
  EXPECT_EQ(value("1 + 2*3"), 7);
  EXPECT_EQ(value("(1 + 2)*3"), 9);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("(-2)^2"), 4);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2**3"), 8);
  EXPECT_EQ(value("2*-3"), -6);
  EXPECT_EQ(value("8/4/2"), 1);
  EXPECT_EQ(value("8 - 4 - 2"), 2);
  EXPECT_EQ(value("--3"), 3);
  EXPECT_EQ(value("-3!"), -6);
  EXPECT_EQ(value("2^3!"), 64);
  EXPECT_EQ(value("1.5e3"), 1500);
  EXPECT_EQ(value(".5"), 0.5);
}

TEST(Parse, ComparesAndDecides) {
  EXPECT_EQ(value("x < 2", 1), 1);
  EXPECT_EQ(value("x >= 2", 1), 0);
  EXPECT_EQ(value("x <= 1 and not x == 0", 1), 1);
  EXPECT_EQ(value("x != 1 or y > 3", 1, 4), 1);
  EXPECT_EQ(value("1 or 0 and 0"), 1);
  EXPECT_EQ(value("if(abs(x - y) <= 5, 750, 1500)", 1, 7), 1500);
  EXPECT_EQ(value("if(abs(x - y) <= 5, 750, 1500)", 1, 6), 750);
}

TEST(Parse, TakesAUnitAfterANumberAndASpace) {
  EXPECT_EQ(value("20 deg"), 20 * (std::numbers::pi / 180));
  EXPECT_EQ(value("-20 deg/2"), -10 * (std::numbers::pi / 180));
  EXPECT_EQ(value("350 mm"), 0.35);
  EXPECT_EQ(value("35 cm + 2 m"), 2.35);
  EXPECT_EQ(value("1 rad"), 1);
  EXPECT_EQ(refusal("20deg"), "'20deg' is no number: write * between factors, and a space before a unit");
  EXPECT_EQ(refusal("x deg"), "unexpected 'deg' after 'x '");
  const std::string units = ": units are deg, rad, mm, cm and m, and factors have a * between them";
  EXPECT_EQ(refusal("60 degrees"), "unexpected 'degrees' after '60 '" + units);
  EXPECT_EQ(refusal("(60 degrees + 1)*2"), "unexpected 'degrees' after '(60 '" + units);
  EXPECT_EQ(refusal("2 x"), "unexpected 'x' after '2 '" + units);
}

TEST(Parse, LetsAParameterHideAConstantButNoFunction) {
  Scope scope;
  scope.find = [](const std::string& name) { return std::optional(symbol(name)); };
  EXPECT_EQ(build_expression("e", scope), symbol("e"));
  EXPECT_EQ(build_expression("sin(sin)", scope), sin(symbol("sin")));
}

TEST(Parse, RefusesWithASentence) {
  EXPECT_EQ(refusal(""), "the expression is empty");
  EXPECT_EQ(refusal("2 +"), "'2 +' ends where a value is needed");
  EXPECT_EQ(refusal("2 3"), "unexpected '3' after '2 '");
  EXPECT_EQ(refusal("2x"), "'2x' is no number: write * between factors, and a space before a unit");
  EXPECT_EQ(refusal("(x"), "a ')' is missing in '(x'");
  EXPECT_EQ(refusal("sin(x"), "sin( is not closed by ')' in 'sin(x'");
  EXPECT_EQ(refusal("z"), "unknown name 'z' (did you mean 'x'?); known: x, y");
  EXPECT_EQ(refusal("atan2(x)"), "atan2() takes 2 arguments, not 1");
  EXPECT_EQ(refusal("1/0"), "a division by zero in '1/0'");
  EXPECT_EQ(refusal("1/(x - x)"), "a division by zero in '1/(x - x)'");
  EXPECT_EQ(refusal("1e999"), "the number '1e999' is not finite as a double");
  EXPECT_EQ(refusal("inf"), "'inf' is not a finite number");
  EXPECT_EQ(refusal("rand"), "'rand' has no meaning here: it changes from tick to tick");
  EXPECT_EQ(refusal("x $ y"), "unexpected '$ y' after 'x '");
  EXPECT_EQ(refusal("sinn(x)").substr(0, 46), "unknown function 'sinn' (did you mean 'sin'?);");
}

TEST(Parse, GivesEachRandAStreamOfItsOwnThatRepeatsByTick) {
  int next = 0;
  Scope scope;
  scope.next_random_stream = &next;
  const Expr e = build_expression("rand - rand()", scope);
  EXPECT_EQ(next, 2);
  Context at_7, again_7, at_8;
  at_7.tick = again_7.tick = 7;
  at_8.tick = 8;
  EXPECT_NE(calc_value(e, {}, at_7), 0);
  EXPECT_EQ(calc_value(e, {}, at_7), calc_value(e, {}, again_7));
  EXPECT_NE(calc_value(e, {}, at_7), calc_value(e, {}, at_8));
}

TEST(Parse, StopsAtTheDepthLimitWhateverNests) {
  const auto repeat = [](const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
  };
  const std::string deep = "the expression is nested deeper than 200 levels: split it into parameters";
  EXPECT_EQ(refusal(repeat("(", 10'000) + "x" + repeat(")", 10'000)), deep);
  EXPECT_EQ(refusal(repeat("sin(", 10'000) + "x" + repeat(")", 10'000)), deep);
  EXPECT_EQ(refusal(repeat("-", 10'000) + "x"), deep);
  EXPECT_EQ(refusal(repeat("not ", 10'000) + "x"), deep);
  EXPECT_EQ(refusal(repeat("x^", 10'000) + "x"), deep);
  EXPECT_EQ(value(repeat("(", 199) + "x" + repeat(")", 199), 3), 3);
}

TEST(Parse, StopsAChainThatIsTooLong) {
  std::string sum = "x";
  for (int i = 0; i < 100'000; ++i) sum += "*y+x";
  const std::string text = "the expression has more than 1000 operands: split it into parameters";
  EXPECT_EQ(refusal(sum), text);
  EXPECT_EQ(refusal("x" + std::string(100'000, '!')), text);
  EXPECT_EQ(refusal("x" + std::string(999, '!')).size(),
            std::string("read as ").size() + 999 * 5 + 1);  // fac(...)
}

text::Node scalar(const std::string& value, bool quoted = false) {
  text::Node node;
  node.kind = text::Node::Kind::scalar;
  node.scalar = value;
  node.quoted = quoted;
  node.where = text::build_where("m.yaml", 3);
  return node;
}

std::string fault_of(const text::Node& node) {
  text::Faults faults;
  static_cast<void>(read_expression(node, "mass", scope_of_x(), faults));
  try {
    faults.throw_if_any();
  } catch (const text::ModelError& error) {
    return error.what();
  }
  return {};
}

TEST(ReadExpression, KnowsAnExpressionThatYamlCutAtAComma) {
  EXPECT_EQ(fault_of(scalar("atan2(1")),
            "m.yaml:3: mass: the brackets of 'atan2(1' do not match: if the expression has a comma, YAML cut "
            "it there; "
            "put the whole expression in quotes");
  EXPECT_EQ(fault_of(scalar("atan2(1", true)), "m.yaml:3: mass: atan2( is not closed by ')' in 'atan2(1'");
  EXPECT_EQ(fault_of(scalar("atan2(1, 2)", true)), "");
}

TEST(ReadExpression, RefusesYamlsInfinities) {
  for (const char* text : {".inf", "-.inf", "+.Inf", ".nan"}) {
    EXPECT_EQ(fault_of(scalar(text)), std::string("m.yaml:3: mass: '") + text + "' is not a finite number");
  }
}

TEST(ReadParameters, EvaluatesInTheOrderTheyNeedEachOther) {
  text::Faults faults;
  const auto root = text::build_yaml_from_text("{a: 2*b, b: c + 1, c: 3}", "m.yaml");
  const auto list = read_parameters(&root, {"c=4"}, faults);
  ASSERT_TRUE(faults.empty());
  EXPECT_EQ(list[0].number, 10);
  EXPECT_EQ(list[0].value, 2.0 * symbol("b"));
}

TEST(ReadParameters, ReportsOneFaultAMistake) {
  text::Faults faults;
  const auto root = text::build_yaml_from_text("{a: 2*b, b: c + 1, c: 3 +, d: 1/a}", "m.yaml");
  const auto list = read_parameters(&root, {}, faults);
  EXPECT_EQ(faults.size(), 1u);
  static_cast<void>(read_value(symbol("d"), list, {}, "mass", faults));
  EXPECT_EQ(faults.size(), 1u);
}

TEST(IsName, AllowsLettersDigitsAndDashes) {
  for (const char* good : {"a", "boom", "rear_strut", "link-2", "_x", "größe"})
    EXPECT_TRUE(is_name(good)) << good;
  for (const char* bad : {"", "2nd", "a b", "a.b", "-a", "a/b", "a(", "a,b"})
    EXPECT_FALSE(is_name(bad)) << bad;
}

}  // namespace
}  // namespace rodeo::expr
