// SPDX-License-Identifier: MIT
// The table 'Limits' of SECURITY.md: a small file that asks for much gets a sentence, in seconds and in a bounded memory.
#include "tests/bad_input/bad_input.h"

namespace rodeo::tools {
namespace {

using testing::HasSubstr;

class Limits : public BadInput {
 protected:
  /// With 1.5 GB of addresses and 20 s: who wants more ends with another status.
  void expect_bounded(const std::string& arguments, const std::string& sentence) const {
    const std::string command =
        fmt::format("cd '{0}/work' && ulimit -v 1500000 && timeout 20 '{1}' {2} >../out 2>../err",
                    folder_.string(), RODEO_PROGRAM, arguments);
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1) << arguments;
    EXPECT_THAT(read_text(folder_ / "err"), HasSubstr(sentence)) << arguments;
  }
  /// A file that claims `bytes` behind its text and has none of them on the disk.
  void write_sparse(const std::string& name, const std::string& text, std::uintmax_t bytes) const {
    write(name, text);
    fs::resize_file(folder_ / "work" / name, bytes);
  }
};

constexpr std::uintmax_t kHuge = 21'000'000'000;

std::string repeat(const std::string& text, int count, const std::string& between = "") {
  std::string all;
  for (int i = 0; i < count; ++i) all += (i > 0 ? between : "") + text;
  return all;
}

std::string graph_with(const std::string& value) {
  std::string names;
  for (int i = 0; i < 30; ++i) names += fmt::format("{}a{}: {}", i > 0 ? ", " : "", i, i + 1);
  return fmt::format(
      "name: g\ndomain: translation\nparameters: {{{}}}\nelements: {{push: {{Se: 1}}, mass: {{I: 2}}, x: "
      "{{R: "
      "\"{}\"}}}}\njunctions: {{v: 1}}\nbonds: [push -> v, v -> mass, v -> x]\n",
      names, value);
}

std::string sum_of_thirty() {
  std::string sum = "a0";
  for (int i = 1; i < 30; ++i) sum += fmt::format(" + a{}", i);
  return "(" + sum + ")";
}

TEST_F(Limits, OfTermsOnAPageOfEquations) {
  const std::string sentence =
      "a formula has more than 100000 terms when its products and powers are expanded";
  write("g.yaml", graph_with(sum_of_thirty() + "^7"));
  expect_bounded("equations g.yaml", sentence);
  write("g.yaml", graph_with(repeat(sum_of_thirty(), 7, "*")));
  expect_bounded("equations g.yaml", sentence);
  EXPECT_EQ(run("check g.yaml").status, 0) << "only to print it is too long";
  write("g.yaml", graph_with(sum_of_thirty() + "^2"));
  EXPECT_EQ(run("equations g.yaml").status, 0) << "465 terms";
}

TEST_F(Limits, OfNestedExpressions) {
  write("g.yaml", graph_with(repeat("(", 100'000) + "1" + repeat(")", 100'000)));
  expect_bounded("check g.yaml", "nested deeper than");
  write("g.yaml", graph_with(repeat("-", 100'000) + "1"));
  expect_bounded("check g.yaml", "nested deeper than");
  write("g.yaml", graph_with(repeat("1", 1'000'000, "+")));
  expect_bounded("check g.yaml", "operands: split it into parameters");
}

TEST_F(Limits, OfYaml) {
  write("m.yaml", "x: " + repeat("[", 100'000) + repeat("]", 100'000));
  expect_bounded("check m.yaml", "nested deeper than");
  std::string laughs = "a0: &a0 [" + repeat("1", 10, ",") + "]\n";
  for (int i = 1; i < 9; ++i)
    laughs += fmt::format("a{}: &a{} [{}]\n", i, i, repeat(fmt::format("*a{}", i - 1), 10, ","));
  write("m.yaml", laughs);
  expect_bounded("check m.yaml",
                 "more than 4000000 values in one file, with what its anchors and aliases repeat");
  std::string anchors;
  for (int i = 0; i < 400; ++i) anchors += fmt::format("&a{} [", i);
  write("m.yaml", "x: " + anchors + repeat("1", 40'000, ",") + repeat("]", 400));
  expect_bounded("check m.yaml",
                 "more than 4000000 values in one file, with what its anchors and aliases repeat");
  write_sparse("m.yaml", "x: 1\n", kHuge);
  expect_bounded("check m.yaml", "a model file at most 16 MB");
}

TEST_F(Limits, OfColumnsAndLines) {
  std::string names;
  for (int i = 0; i < 200'000; ++i) names += fmt::format(",c{}", i);
  const std::string rows = names + "\n0" + repeat(",1", 200'000) + "\n1" + repeat(",1", 200'000) + "\n";
  write("l.csv", "t" + rows);
  expect_bounded("plot l.csv -o x.svg", "l.csv:1: ");
  write("l.csv", "t" + names.substr(0, names.find(",c20000,")) + "\n0" + repeat(",1", 20'000) + "\n");
  expect_bounded("plot l.csv -o x.svg", "l.csv:1: 20001 columns, at most 10000 are read");
  write("l.csv", "t" + names.substr(0, names.find(",c1000,")) + "\n0" + repeat(",1", 1000) + "\n1" +
                     repeat(",2", 1000) + "\n");
  expect_bounded("plot l.csv -o x.svg",
                 "1000 columns to draw, at most 500 are drawn unasked: name those you want");
  EXPECT_EQ(run("plot l.csv --y c7 -o x.svg").status, 0);
  write_sparse("l.csv", "t,x\n", kHuge);
  expect_bounded("plot l.csv -o x.svg", "l.csv:2: the line is longer than 1 MB");
  write("g.yaml", std::regex_replace(graph_with("1"), std::regex("Se: 1"), "Se: "));
  expect_bounded("simulate g.yaml --input l.csv -o x.csv", "l.csv:1: column 'x' is no input of this graph");
}

TEST_F(Limits, OfRecordings) {
  const std::string magic = "\x89MCAP0\r\n";
  write_sparse("r.mcap", magic, kHuge);
  for (const char* command : {"replay r.mcap", "export r.mcap -o x.csv"})
    expect_bounded(command, "cannot read 'r.mcap': of its 20027 MB only 0 MB are on the disk");
  const std::uint64_t bytes = std::uint64_t{1} << 29;
  std::string head = magic + '\x09';  // an attachment, as it says
  for (int i = 0; i < 8; ++i) head += static_cast<char>(bytes >> 8 * i);
  write_sparse("r.mcap", head, (std::uintmax_t{63} << 20));
  expect_bounded("export r.mcap -o x.csv", "r.mcap: is cut off before its model was written whole");
}

TEST_F(Limits, OfInterfaces) {
  fs::create_directory(folder_ / "work/built");
  write_sparse("built/interface.json", "{\"name\": ", kHuge);
  expect_bounded("simulate built --duration 1 -o x.csv", "built/interface.json: is larger than 64 MB");
  write("built/interface.json", repeat("[", 1'000'000));
  expect_bounded("simulate built --duration 1 -o x.csv", "is cut off or no JSON");
}

}  // namespace
}  // namespace rodeo::tools
