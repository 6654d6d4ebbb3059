// SPDX-License-Identifier: MIT
// The printed text of every config, read by a reader of its own and solved for its symbols: it is closed, and what it says is what the
// model does. States are moved away from their start at random; rates come from the numeric program of the reduced form, positions from
// the machine's assembly.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include "kinematics/expr/eval.h"
#include "kinematics/simulate/forms.h"
#include "tests/printed/solved_page.h"
#include "tests/printed/sorted_page.h"
#include "tools/rodeo/offline_model.h"

namespace rodeo::printed {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargest = 200'000;  // characters: larger pages are read, but not solved
constexpr double kPrinted = 2e-4;          // coefficients have six digits, and loops amplify them

/// Symbols of one page that stand left of two equations.
std::vector<std::string> find_twice(const std::vector<Line>& lines) {
  std::vector<std::string> twice;
  std::set<Symbol> seen;
  for (const Line& line : lines) {
    if (line.left->op != "symbol") continue;
    if (!seen.insert(line.left->symbol).second) twice.push_back(line.text);
  }
  return twice;
}

/// Names that no line defines: left of an equation, or unknown of a system (a line whose left side is no symbol), or the multiplier F of a
/// constraint whose flow V is given.
std::vector<std::string> find_undefined(const Sorted& page) {
  std::set<std::string> defined{"t"}, used;
  for (const auto& [symbol, value] : page.parameters) defined.insert(symbol.name);
  for (const Line& line : page.starts) defined.insert(line.left->symbol.name);
  for (const Line& line : page.booleans) defined.insert(line.left->symbol.name);
  defined.insert(page.inputs.begin(), page.inputs.end());
  for (const Line& line : page.equations) {
    std::set<Symbol> own;
    list_symbols(line.left, own);
    if (line.left->op != "symbol") list_symbols(line.right, own);
    for (const Symbol& symbol : own) defined.insert(symbol.name);
    if (line.heading.find("constraint") != std::string::npos)
      defined.insert("F" + line.left->symbol.name.substr(1));
    std::set<Symbol> all;
    list_symbols(line.right, all);
    for (const Symbol& symbol : all) used.insert(symbol.name);
  }
  for (const std::string& name : defined) used.erase(name);
  return {used.begin(), used.end()};
}

/// Derivatives of inputs: nobody can find them from the page, so the list of inputs has them.
std::vector<std::string> find_unlisted(const Sorted& page) {
  std::vector<std::string> unlisted;
  std::set<Symbol> all;
  for (const auto* lines : {&page.equations, &page.positions}) {
    for (const Line& line : *lines) {
      list_symbols(line.left, all);
      list_symbols(line.right, all);
    }
  }
  for (const Symbol& symbol : all) {
    const bool is_input = std::find(page.inputs.begin(), page.inputs.end(), symbol.name) != page.inputs.end();
    if (is_input && symbol.order > 0 && !page.input_derivatives.contains(symbol))
      unlisted.push_back(symbol.name);
  }
  for (const Symbol& symbol : page.input_derivatives) {
    if (!all.contains(symbol)) unlisted.push_back("listed, but not used: " + symbol.name);
  }
  return unlisted;
}

/// The model's side.
struct Truth {
  reduction::Hybrid hybrid;
  std::optional<tools::LoadedMachine> machine;

  [[nodiscard]] const reduction::Model& model(std::size_t c) const { return hybrid.configurations[c].model; }
};

Truth load(const std::string& file) {
  tools::ModelOptions options;
  options.path = file;
  tools::Progress progress;
  Truth truth{{}, tools::load_checked_machine(options, progress)};
  truth.hybrid = tools::build_configurations(options, truth.machine, progress);
  return truth;
}

/// Of a momentum that is shown as a velocity, how much momentum a velocity is.
double calc_inertia(const reduction::Model& model, const reduction::State& state, const Symbol& shown) {
  if (shown.order == 0 || state.kind != reduction::State::Kind::momentum) return 1.0;
  expr::Values values;
  for (const auto& parameter : model.graph.parameters) values[parameter.name] = parameter.number;
  return expr::calc_value(model.graph.elements[static_cast<std::size_t>(state.element)].value[0], values);
}

class Comparison {
 public:
  Comparison(const Truth& truth, const Sorted& page, std::size_t configuration, unsigned seed)
      : truth_(truth),
        model_(truth.model(configuration)),
        page_(page),
        configuration_(configuration),
        random_(seed) {}

  /// Sentences about what is wrong.
  std::vector<std::string> run() {
    set_known();
    const std::vector<double> rates = calc_rates();
    const Solved solved = PageSolver(own_lines(), known_, constants_).solve();
    for (const Symbol& open : solved.open)
      say(fmt::format("{}{} is not determined", std::string(open.order, '\''), open.name));
    if (!(solved.residual < 1e-6))
      say(fmt::format("the equations contradict each other by {}", solved.residual));
    for (std::size_t s = 0; s < rates.size(); ++s) compare(s, rates[s], solved);
    return faults_;
  }

 private:
  void say(const std::string& sentence) { faults_.push_back(sentence); }
  double next() { return std::uniform_real_distribution<double>(-1, 1)(random_); }

  /// Lines of this configuration: all, or those whose heading begins with its Booleans.
  [[nodiscard]] std::vector<Line> own_lines() const {
    std::vector<Line> lines;
    for (const Line& line : page_.equations) {
      if (is_of(line.heading)) lines.push_back(line);
    }
    return lines;
  }
  [[nodiscard]] bool is_of(const std::string& heading) const {
    if (!truth_.hybrid.is_switched() || truth_.hybrid.is_gated()) return true;
    const auto& values = truth_.hybrid.configurations[configuration_].values;
    const auto holds = [&](const std::string& condition) {
      for (const std::string& part : split(condition, " and ")) {
        const bool is_not = part.starts_with("not ");
        const std::string name = is_not ? part.substr(4) : part;
        const std::size_t number = std::stoul(name.substr(1));
        if (values[number - 1] == is_not) return false;
      }
      return true;
    };
    if (heading.starts_with("while ")) {
      const auto all = split(heading.substr(6), ", or ");
      return std::any_of(all.begin(), all.end(), holds);
    }
    const bool has_own = heading.starts_with("b1") || heading.starts_with("not b1");
    return !has_own || holds(split(heading, ": ")[0]);
  }

  void set_known() {
    for (const auto& [symbol, value] : page_.parameters) {
      known_[symbol] = value;
      constants_.insert(symbol.name);
    }
    known_[{"t", 0}] = time_;
    known_[{"t", 1}] = 1;
    constants_.insert("t");
    for (const std::string& input : page_.inputs) {
      constants_.insert(input);
      for (const int order : {0, 1}) known_[{input, order}] = next();
    }
    set_states();
    for (std::size_t b = 0; b < page_.booleans.size(); ++b) {
      const Symbol name = page_.booleans[b].left->symbol;
      constants_.insert(name.name);
      known_[name] = is_on(b) ? 1 : 0;
    }
  }

  /// Gated: as drawn by lot; else as the configuration has it.
  [[nodiscard]] bool is_on(std::size_t b) {
    if (!truth_.hybrid.is_gated()) return truth_.hybrid.configurations[configuration_].values[b];
    gates_.push_back(next() > 0);
    return gates_.back();
  }

  void set_states() {
    const auto none = [](const Symbol&) -> double { throw std::runtime_error("a start that is no number"); };
    for (const Line& line : page_.starts) {
      const double start = calc(line.right, none)[0];
      const Symbol& symbol = line.left->symbol;
      const double value = start + 0.1 * next() * std::max(1e-3, std::abs(start));
      printed_[symbol] = value;
    }
    for (const auto& [symbol, value] : printed_) {
      if (is_state(symbol)) known_[symbol] = value;
    }
  }

  [[nodiscard]] const Line* line_of(std::size_t s) const {
    std::set<std::uint32_t> seen;
    std::size_t row = 0;
    for (const auto& configuration : truth_.hybrid.configurations) {
      for (const auto& state : configuration.model.system.states) {
        if (!seen.insert(state.symbol.id()).second) continue;
        if (state.symbol == model_.system.states[s].symbol) return &page_.starts.at(row);
        ++row;
      }
    }
    return nullptr;
  }
  [[nodiscard]] bool is_state(const Symbol& symbol) const {
    for (std::size_t s = 0; s < model_.system.states.size(); ++s) {
      if (line_of(s)->left->symbol == symbol) return true;
    }
    return false;
  }

  std::vector<double> calc_rates() {
    const auto& system = model_.system;
    simulate::InputTable table{{time_, time_ + 1}, {}, system.inputs.size()};
    for (const double after : {0.0, 1.0}) {
      for (std::size_t i = 0; i < system.inputs.size(); ++i)
        table.values.push_back(known_.at({page_.inputs.at(i), 0}) + after * known_.at({page_.inputs[i], 1}));
    }
    simulate::Inputs inputs(table);
    for (const auto& memory : model_.graph.memories) {
      inputs.rules().symbols.push_back(expr::variable(memory.name));
      inputs.rules().values.push_back(1.0);
    }
    reduction::Model model = model_;
    set_gates(model);
    std::vector<double> states;
    for (std::size_t s = 0; s < system.states.size(); ++s) {
      const Symbol& shown = line_of(s)->left->symbol;
      states.push_back(printed_.at(shown) * calc_inertia(model_, system.states[s], shown));
    }
    std::vector<double> rates(states.size());
    simulate::ReducedForm form(model, inputs);
    inputs.set_interval(time_, time_ + 1);
    form.rate(time_, states, rates);
    return rates;
  }

  /// Gates of the model as those of the page.
  void set_gates(reduction::Model& model) const {
    for (std::size_t b = 0; b < truth_.hybrid.coefficients.size(); ++b) {
      expr::Parameter gate;
      gate.name = truth_.hybrid.coefficients[b];
      gate.number = gates_[b] ? 1.0 : 0.0;
      auto& all = model.graph.parameters;
      std::erase_if(all, [&](const auto& p) { return p.name == gate.name; });
      all.push_back(gate);
    }
  }

  void compare(std::size_t s, double rate, const Solved& solved) {
    const Symbol& shown = line_of(s)->left->symbol;
    const Symbol derivative{shown.name, shown.order + 1};
    const double expected = rate / calc_inertia(model_, model_.system.states[s], shown);
    const auto found = solved.values.find(derivative);
    if (found == solved.values.end())
      return say(fmt::format("the rate of {} is not given", line_of(s)->text));
    if (!(std::abs(found->second - expected) <= kPrinted * std::max(1.0, std::abs(expected))))
      say(fmt::format("the rate of {} is {:.9g}, not {:.9g}", model_.system.states[s].name, expected,
                      found->second));
  }

  const Truth& truth_;
  const reduction::Model& model_;
  const Sorted& page_;
  std::size_t configuration_;
  std::mt19937 random_;
  double time_ = 0.37;
  std::map<Symbol, double> known_, printed_;
  std::set<std::string> constants_;
  std::vector<bool> gates_;
  std::vector<std::string> faults_;
};

std::vector<std::string> check(const Truth& truth, const std::string& text) {
  const Sorted page = sort(parse_page(text));
  std::vector<std::string> faults;
  for (const std::string& name : find_undefined(page)) faults.push_back("defined nowhere: " + name);
  for (const std::string& name : find_unlisted(page)) faults.push_back("no input in the list: d/dt " + name);
  const bool is_one = !truth.hybrid.is_switched() || truth.hybrid.is_gated();
  if (is_one) {
    for (const std::string& line : find_twice(page.equations)) faults.push_back("defined twice: " + line);
  }
  for (std::size_t c = 0; c < truth.hybrid.configurations.size(); ++c) {
    for (const unsigned seed : {1u, 2u}) {
      for (const std::string& fault : Comparison(truth, page, c, seed).run()) faults.push_back(fault);
    }
  }
  return faults;
}

std::vector<std::string> list_configs() {
  std::vector<std::string> files;
  for (const char* folder : {"configs", "configs/free", "configs/graphs", "configs/graphs/parts",
                             "configs/loads", "tests/printed/machines"}) {
    for (const auto& entry : fs::directory_iterator(std::string(RODEO_SOURCE_DIR) + "/" + folder)) {
      if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Printed : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Configs, Printed, testing::ValuesIn(list_configs()), [](const auto& file) {
  std::string name = fs::relative(file.param, RODEO_SOURCE_DIR).string();
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

TEST_P(Printed, TextIsClosedAndSaysWhatTheModelDoes) {
  for (const char* form : {"full", "reduced"}) {
    const auto [text, status] = print(GetParam(), form);
    if (status != 0) GTEST_SKIP() << "has no equations by itself";
    if (text.size() > kLargest) {  // a page of this size is for nobody; space is shown by vectors
      EXPECT_THAT(find_undefined(sort(parse_page(text))), testing::IsEmpty()) << form;
      EXPECT_THAT(find_unlisted(sort(parse_page(text))), testing::IsEmpty()) << form;
      continue;
    }
    EXPECT_THAT(check(load(GetParam()), text), testing::ElementsAre()) << form;
  }
}

/// At the printed start positions hold, and so do their derivatives with the printed rates.
TEST_P(Printed, PositionsHoldAtTheStartAndMoveWithTheRates) {
  const auto [text, status] = print(GetParam(), "reduced");
  const Sorted page = status == 0 ? sort(parse_page(text)) : Sorted{};
  if (page.positions.empty()) GTEST_SKIP() << "no machine in the plane";
  std::map<Symbol, double> known = page.parameters;
  std::set<std::string> constants;
  for (const auto& [symbol, value] : page.parameters) constants.insert(symbol.name);
  const auto none = [](const Symbol&) -> double { return 0; };
  for (const Line& line : page.starts) known[line.left->symbol] = calc(line.right, none)[0];
  double value = 0.3;
  for (const std::string& input : page.inputs) {
    constants.insert(input);
    known[{input, 0}] = value *= -1.1;
    known[{input, 1}] = 0.2;
  }
  for (const Line& line : page.booleans) {
    constants.insert(line.left->symbol.name);
    known[line.left->symbol] = 0;
  }
  for (auto& [symbol, start] : known) {
    if (symbol.order == 1 && start == 0) start = 0.7;  // the velocity of a free machine's body
  }
  Solved solved = PageSolver(page.equations, known, constants).solve();
  std::map<Symbol, double> moving = known;
  for (const Line& line : page.starts) {
    const Symbol rate{line.left->symbol.name, line.left->symbol.order + 1};
    moving[rate] = solved.values.at(rate);
  }
  const Solved positions = PageSolver(page.positions, moving, constants).solve();
  EXPECT_LT(positions.residual, 1e-5) << text;
  EXPECT_THAT(positions.open, testing::IsEmpty());
}

// ---- loads and accelerations against the compiled kernel, by `rodeo simulate`

struct Driven {
  const char* file;
  std::map<std::string, double> rates;           // of the drives
  std::map<std::string, std::string> columns{};  // of the log: symbols of the page
};

std::map<std::string, double> simulate_start(const Driven& driven) {
  const std::string folder = testing::TempDir(), input = folder + "printed_in.csv",
                    log = folder + "printed_log.csv";
  std::ofstream csv(input);
  csv << "t";
  for (const auto& [drive, rate] : driven.rates) csv << ',' << drive << ".rate";
  for (const char* time : {"0", "1"}) {
    csv << '\n' << time;
    for (const auto& [drive, rate] : driven.rates) csv << ',' << rate;
  }
  csv << '\n';
  csv.close();
  const std::string command = fmt::format(
      "'{}' simulate '{}/configs/{}' --input '{}' --duration 0.001 --columns all -o '{}' >/dev/null 2>&1",
      RODEO_PROGRAM, RODEO_SOURCE_DIR, driven.file, input, log);
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return read_first_row(log);
}

TEST(Loads, AndAccelerationsAreThoseOfTheKernel) {
  const std::vector<Driven> machines{
      {"four_bar.yaml",
       {{"crank", 2}},
       {{"crank.torque", "M_crank"}, {"coupler.acceleration", "d²/dt² X_coupler"}}},
      {"loads/wheel_loader_payload.yaml",
       {{"lift", 0}, {"tilt", 0}},
       {{"lift.force", "F_lift"}, {"tilt.force", "F_tilt"}}}};
  for (const Driven& driven : machines) {
    const Sorted page =
        sort(parse_page(print(std::string(RODEO_SOURCE_DIR) + "/configs/" + driven.file, "reduced").first));
    std::map<Symbol, double> known = page.parameters;
    std::set<std::string> constants(page.inputs.begin(), page.inputs.end());
    for (const auto& [symbol, value] : page.parameters) constants.insert(symbol.name);
    for (const Line& line : page.starts)
      known[line.left->symbol] = line.right->op == "neg" ? -line.right->args[0]->number : line.right->number;
    for (const std::string& input : page.inputs) {
      const auto rate = driven.rates.find(input.substr(2));
      known[{input, 0}] = rate == driven.rates.end() || input[0] == 'm' ? 0 : rate->second;
      known[{input, 1}] = 0;
    }
    const Solved solved = PageSolver(page.equations, known, constants).solve();
    const std::map<std::string, double> row = simulate_start(driven);
    for (const auto& [column, name] : driven.columns) {
      ASSERT_TRUE(row.contains(column)) << column;
      const double printed = solved.values.at(Parser(name).parse_all()->symbol);
      EXPECT_NEAR(printed, row.at(column), kPrinted * std::max(1.0, std::abs(row.at(column)))) << column;
    }
  }
}

/// configs/free/slider_crank.yaml: `rates: {crank: 4}`.
TEST(Start, HasTheRatesThatTheFileGives) {
  const std::string file = std::string(RODEO_SOURCE_DIR) + "/configs/free/slider_crank.yaml";
  for (const Line& line : sort(parse_page(print(file, "reduced").first)).starts) {
    if (line.left->symbol != Symbol{"X_crank", 1}) continue;
    EXPECT_NEAR(line.right->number, 4, 1e-8) << line.text;
  }
  EXPECT_THAT(print(file, "full").first, testing::HasSubstr("P_crank"));
}

// ---- a damaged page is found out

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(DamagedPage, IsFoundOut) {
  const std::string file = std::string(RODEO_SOURCE_DIR) + "/configs/four_bar.yaml";
  const Truth truth = load(file);
  for (const char* form : {"full", "reduced"}) {
    const std::string text = print(file, form).first;
    EXPECT_THAT(check(truth, text), testing::IsEmpty());
    const std::size_t begin = text.find("d/dt X_coupler"), line = text.rfind('\n', begin);
    const std::string without = text.substr(0, line) + text.substr(text.find('\n', begin));
    EXPECT_THAT(check(truth, without), testing::Not(testing::IsEmpty())) << form << ": a line is missing";
    EXPECT_THAT(check(truth, replaced(text, "w_crank", "w_other")), testing::Not(testing::IsEmpty()))
        << form << ": a symbol that nobody knows";
    EXPECT_THAT(check(truth, replaced(text, "L1  ", "L9  ")), testing::Not(testing::IsEmpty()))
        << form << ": a parameter without a value";
  }
  const std::string text = print(file, "reduced").first;
  EXPECT_THAT(check(truth, replaced(text, "= L1 sin(", "= -L1 sin(")), testing::Not(testing::IsEmpty()))
      << "a sign";
  EXPECT_THAT(check(truth, text.substr(0, text.find("\nblock")) + "  ( 9)  d/dt X_crank = w_crank\n" +
                               text.substr(text.find("\nblock"))),
              testing::Contains(testing::HasSubstr("defined twice")));
}

}  // namespace
}  // namespace rodeo::printed
