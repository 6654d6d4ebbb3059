// SPDX-License-Identifier: MIT
// The text of kernels: the same bytes from every process and whatever was built before; every value assigned once before use.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "kinematics/codegen/build.h"
#include "tests/codegen/built_kernel.h"

namespace rodeo::codegen {
namespace {

class KernelText : public testing::TestWithParam<std::string> {};

std::string build_in_process(const std::string& file, const std::string& before = "") {
  const TemporaryFolder folder;
  const std::string cache = "RODEO_CACHE='" + (folder.path() / "cache").string() + "' ";
  const std::string out = (folder.path() / "out").string();
  const std::string said =
      run(before + " " + cache + "'" RODEO_PROGRAM "' build '" + file + "' -o '" + out + "'");
  const std::string text = read_text(fs::path(out) / "kernel.c");
  EXPECT_FALSE(text.empty()) << said;
  return text;
}

TEST(KernelTextOf, AMachineIsTheSameBytesInFiveProcesses) {
  for (const std::string machine : {"wheel_loader", "triad"}) {
    const std::string first = build_in_process(config(machine));
    for (int i = 1; i < 5; ++i) {
      const std::string padding =
          "RODEO_PADDING=" + std::string(static_cast<std::size_t>(997 * i), 'x');  // other addresses
      EXPECT_EQ(build_in_process(config(machine), padding), first) << machine;
    }
  }
}

std::string build_here(const std::string& file) {
  const machine::Machine machine = machine::build_machine_from_file(file);
  const machine::Assembly start = machine::build_start_pose(machine);
  return build_kernel(machine, start, machine::calc_mobility(machine, start)).text.source;
}

/// Expressions that are there already have other numbers: no name and no order may follow from that.
TEST(KernelTextOf, AMachineIsTheSameBytesWhateverTheProcessBuiltBefore) {
  std::vector<std::string> machines = find_machines({"configs"});
  std::reverse(machines.begin(), machines.end());
  for (const std::string& file : machines) static_cast<void>(build_here(file));
  static_cast<void>(build_here(config("triad")));
  for (const std::string machine :
       {"four_bar", "wheel_loader_cylinders", "wheel_loader", "excavator", "triad"})
    EXPECT_EQ(build_here(config(machine)), build_in_process(config(machine))) << machine;
}

/// The body of a static function of kernel.c, braces included.
std::string body_of(const std::string& source, const std::string& function) {
  const std::size_t head = source.find(" " + function + "(");
  const std::size_t begin = source.find('{', head);
  int depth = 0;
  for (std::size_t i = begin; i < source.size(); ++i) {
    if (source[i] == '{') ++depth;
    if (source[i] == '}' && --depth == 0) return source.substr(begin, i + 1 - begin);
  }
  return "";
}

std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < text.size();) {
    const auto is_word = [&](std::size_t at) {
      return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    if (text.compare(i, 2, "/*") == 0) {
      i = text.find("*/", i) + 2;
    } else if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
      ++i;
    } else if (is_word(i)) {
      std::size_t end = i;
      while (is_word(end)) ++end;
      tokens.push_back(text.substr(i, end - i));
      i = end;
    } else {
      tokens.emplace_back(1, text[i++]);
    }
  }
  return tokens;
}

bool is_value(const std::string& token) {
  return token.size() > 1 && token[0] == 't' &&
         std::all_of(token.begin() + 1, token.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// Reads statements in order. A value is declared (`const double t7 = ...;`, `double t8, t9;`), assigned by its declaration
/// or by a call that is given its address (rodeo_sincos(..., &t8, &t9)), and used everywhere else. Scopes end with their
/// brace.
class AssignedOnce {
 public:
  explicit AssignedOnce(const std::vector<std::string>& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) read(tokens, i);
  }
  std::vector<std::string> faults;
  int assigned = 0, used = 0;

 private:
  enum class State { declared, assigned };

  void read(const std::vector<std::string>& tokens, std::size_t i) {
    const std::string& token = tokens[i];
    if (token == "{") scopes_.emplace_back();
    if (token == "}") scopes_.pop_back();
    if (token == "double") declaring_ = true;
    if (token == ";") end_statement();
    if (token == "=" && declaring_) declaring_ = false;
    if (!is_value(token)) return;
    if (declaring_ && (tokens[i - 1] == "double" || tokens[i - 1] == ","))
      return declare(token, tokens[i + 1] == "=");
    if (tokens[i - 1] == "&") return assign(token);
    if (tokens[i + 1] == "=" && tokens[i + 2] != "=") return assign(token);
    use(token);
  }

  void end_statement() {
    if (!pending_.empty()) assign(pending_);
    pending_.clear();
    declaring_ = false;
  }

  void declare(const std::string& name, bool with_value) {
    if (!scopes_.back().emplace(name, State::declared).second) faults.push_back(name + " is declared twice");
    if (with_value) pending_ = name;  // assigned when its own formula has been read
  }

  State* find(const std::string& name) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      const auto found = scope->find(name);
      if (found != scope->end()) return &found->second;
    }
    return nullptr;
  }

  void assign(const std::string& name) {
    ++assigned;
    State* state = find(name);
    if (state == nullptr || *state == State::assigned) {
      faults.push_back(name + (state == nullptr ? " is assigned undeclared" : " is assigned twice"));
      return;
    }
    *state = State::assigned;
  }

  void use(const std::string& name) {
    ++used;
    const State* state = find(name);
    if (state == nullptr || *state != State::assigned)
      faults.push_back(name + " is used before it is assigned");
  }

  std::vector<std::map<std::string, State>> scopes_;
  std::string pending_;
  bool declaring_ = false;
};

TEST_P(KernelText, AssignsEveryValueExactlyOnceBeforeItIsUsed) {
  const std::string source = read_text(fs::path(built_folder(GetParam())) / "kernel.c");
  for (const std::string function : {"prepare", "advance", "derive", "close_loops", "show"}) {
    const std::string body = body_of(source, function);
    ASSERT_FALSE(body.empty()) << function;
    const AssignedOnce reading(tokens_of(body));
    EXPECT_EQ(reading.faults, std::vector<std::string>{}) << function;
    EXPECT_GE(reading.used, reading.assigned / 2) << function;
  }
}

TEST(AssignedOnceReader, SeesWhatIsWrong) {
  EXPECT_EQ(AssignedOnce(tokens_of("{ const double t1 = 2.0; const double t2 = t1 * t1; }")).faults.size(),
            0U);
  EXPECT_EQ(AssignedOnce(tokens_of("{ const double t1 = t2; const double t2 = 1.0; }")).faults.size(), 1U);
  EXPECT_EQ(AssignedOnce(tokens_of("{ const double t1 = t1 + 1.0; }")).faults.size(), 1U);
  EXPECT_EQ(AssignedOnce(tokens_of("{ double t1, t2; f(x, &t1, &t2); f(y, &t1, &t2); }")).faults.size(), 2U);
  EXPECT_EQ(AssignedOnce(tokens_of("{ double t1, t2; y = t1; }")).faults.size(), 1U);
  EXPECT_EQ(AssignedOnce(tokens_of("{ { const double t1 = 1.0; } y = t1; }")).faults.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Machines, KernelText,
                         testing::ValuesIn(find_machines({"configs", "tests/machines"})), machine_name);

}  // namespace
}  // namespace rodeo::codegen
