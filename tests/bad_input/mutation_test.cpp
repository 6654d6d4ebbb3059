// SPDX-License-Identifier: MIT
// Every model of configs/ with a line deleted, a name exchanged or a number changed, by a fixed seed: what `check` passes, no
// later command refuses. RODEO_MUTATIONS=N tries N changes a model instead of the usual few.
#include <cctype>
#include <random>

#include "tests/bad_input/bad_input.h"
#include "tools/rodeo/offline_model.h"

namespace rodeo::tools {
namespace {

constexpr int kUsual = 3;  // changes a model

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// A word of a line: a name, or a number without its sign.
struct Word {
  std::size_t line, begin, size;
};

class Mutator {
 public:
  Mutator(const std::string& text, std::mt19937& random) : lines_(split_lines(text)), random_(random) {
    for (std::size_t i = 0; i < lines_.size(); ++i) find_words(i);
  }

  std::string build() {
    switch (pick(3)) {
      case 0: delete_line(); break;
      case 1: exchange_name(); break;
      default: change_number(); break;
    }
    std::string text;
    for (const std::string& line : lines_) text += line + "\n";
    return text;
  }

 private:
  std::size_t pick(std::size_t count) { return random_() % count; }

  void find_words(std::size_t i) {
    const std::string text = lines_[i].substr(0, lines_[i].find('#'));
    const auto is_part = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (!is_part(text[at])) continue;
      std::size_t end = at;
      while (end < text.size() && is_part(text[end])) ++end;
      const bool is_number = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
      (is_number ? numbers_ : names_).push_back({i, at, end - at});
      at = end;
    }
  }

  void delete_line() { lines_[names_[pick(names_.size())].line].clear(); }

  void exchange_name() {
    const Word to = names_[pick(names_.size())], from = names_[pick(names_.size())];
    replace(to, lines_[from.line].substr(from.begin, from.size));
  }

  void change_number() {
    if (numbers_.empty()) return delete_line();
    const Word word = numbers_[pick(numbers_.size())];
    const double value = std::strtod(lines_[word.line].substr(word.begin, word.size).c_str(), nullptr);
    const double changed[] = {0, -value, 10 * value, 0.1 * value, 1.3 * value, 1000 * value, value + 1, 100};
    replace(word, fmt::format("{}", changed[pick(std::size(changed))]));
  }

  void replace(const Word& word, const std::string& text) {
    lines_[word.line].replace(word.begin, word.size, text);
  }

  std::vector<std::string> lines_;
  std::mt19937& random_;
  std::vector<Word> names_, numbers_;
};

class Mutation : public BadInput, public testing::WithParamInterface<std::string> {
 protected:
  Mutation() {
    setenv("RODEO_CACHE", (folder_ / "cache").c_str(), 1);
    fs::copy(fs::path(RODEO_SOURCE_DIR) / "configs", folder_ / "work", fs::copy_options::recursive);
    const std::string graphs = (folder_ / "work/graphs").string();
    EXPECT_EQ(std::system(
                  fmt::format("cc -shared -fPIC -o '{0}/hardness.so' '{0}/hardness.c' -lm", graphs).c_str()),
              0);
  }
  ~Mutation() override { unsetenv("RODEO_CACHE"); }

  [[nodiscard]] static bool is_graph() { return GetParam().starts_with("graphs/"); }

  /// The option for a graph's inputs, all 0 at the start; nothing where it has none.
  [[nodiscard]] std::string build_input(const std::string& model) const {
    if (!is_graph()) return "";
    Progress progress;
    ModelOptions options;
    options.path = (folder_ / "work" / model).string();
    std::string header = "t", zeros;
    for (const auto& input :
         build_configurations(options, std::nullopt, progress).configurations.front().model.system.inputs) {
      header += "," + input.name;
      zeros += ",0";
    }
    if (zeros.empty()) return "";
    write("in.csv", header + "\n0" + zeros + "\n1" + zeros + "\n");
    return " --input in.csv";
  }

  void expect_passes(const std::string& model, const Result& check, const std::string& text) const {
    std::vector<std::string> commands{
        "equations " + model, "graph " + model + " -o new.dot",
        fmt::format("simulate {}{} --duration 0.005 -o log.csv", model, build_input(model))};
    if (!is_graph())
      commands.insert(commands.end(), {"draw " + model + " -o new.svg", "build " + model + " -o built"});
    for (const std::string& command : commands) {
      const Result result = run(command);
      if (result.status != 1) continue;
      EXPECT_THAT(check.out, testing::HasSubstr(result.err)) << command << " refuses what check passes:\n"
                                                             << text;
    }
  }
};

TEST_P(Mutation, ThatCheckPassesIsRefusedByNobody) {
  const std::string text = read_text(fs::path(RODEO_SOURCE_DIR) / "configs" / GetParam());
  const char* many = std::getenv("RODEO_MUTATIONS");
  std::mt19937 random(static_cast<std::uint32_t>(text.size()));
  const std::string model = (fs::path(GetParam()).parent_path() / "mutant.yaml").string();
  for (int i = 0; i < (many != nullptr ? std::atoi(many) : kUsual); ++i) {
    const std::string mutant = Mutator(text, random).build();
    write(model, mutant);
    const Result check = run("check " + model);
    ASSERT_LE(check.status, 1) << check.err << "\n" << mutant;
    if (check.status == 0) expect_passes(model, check, mutant);
  }
}

std::vector<std::string> list_models() {
  const fs::path configs = fs::path(RODEO_SOURCE_DIR) / "configs";
  std::vector<std::string> names;
  for (const char* folder : {"", "free", "loads", "spatial", "graphs"}) {
    for (const auto& entry : fs::directory_iterator(configs / folder)) {
      if (entry.path().extension() == ".yaml") names.push_back(fs::relative(entry.path(), configs).string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (const char c : info.param) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Configs, Mutation, testing::ValuesIn(list_models()), test_name);

}  // namespace
}  // namespace rodeo::tools
