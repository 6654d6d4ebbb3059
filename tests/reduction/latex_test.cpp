// SPDX-License-Identifier: MIT
// LaTeX of equations: lines that fit a page, units, and documents that pdflatex compiles.
#include "kinematics/reduction/latex.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace rodeo::reduction {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(LatexUnit, HasItsPowersAboveTheLine) {
  EXPECT_EQ(latex_unit("m^3/s"), "\\mathrm{m^{3}/s}");
  EXPECT_EQ(latex_unit("rad/s²"), "\\mathrm{rad/s^{2}}");
  EXPECT_EQ(latex_unit("N m"), "\\mathrm{N\\,m}");
}

TEST(LatexWidth, OfAFractionIsThatOfItsWiderHalf) {
  EXPECT_NEAR(calc_latex_width("\\frac{a b c}{d}"), calc_latex_width("abc"), 0.5);
  EXPECT_GT(calc_latex_width("X_{\\mathrm{tilt\\_lever}}"), calc_latex_width("X_{\\mathrm{tilt}}"));
}

TEST(LatexBreak, ComesBeforeSignsOutsideOfBracketsFirst) {
  const std::string term = "aaaaaaaaaa \\sin\\left(b - c\\right)";
  EXPECT_THAT(break_latex(term + " + " + term + " - " + term, 12, 12),
              ElementsAre(term, "+ " + term, "- " + term));
}

TEST(LatexBreak, PartsABracketThatIsTooWideAndItsPairOfSigns) {
  const std::string sum = "aaaaaaaaaa + bbbbbbbbbb + cccccccccc";
  const auto lines = break_latex("k \\left(" + sum + "\\right)", 10, 10);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "k \\bigl(aaaaaaaaaa");
  EXPECT_EQ(lines[2], "+ cccccccccc\\bigr)");
}

TEST(LatexBreak, TurnsAWideFractionIntoAProduct) {
  const auto lines = break_latex("\\frac{aaaaaaaaaa + bbbbbbbbbb}{d}", 10, 10);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "\\frac{1}{d}\\bigl(aaaaaaaaaa");
}

TEST(LatexOfText, HasMatricesTransposesAndPowers) {
  EXPECT_EQ(latex_of_text("[bar.J]⁻¹ P_bar.J"), "\\left[\\mathrm{bar.J}\\right]^{-1} P_{\\mathrm{bar.J}}");
  EXPECT_EQ(latex_of_text("[0, -0.5*L; r^2, 1]"),
            "\\begin{bmatrix} 0 &  -0.5\\,L \\\\  r^{2} &  1 \\end{bmatrix}");
  EXPECT_EQ(latex_of_text("d/dt X_a"), "\\frac{d}{dt} X_{\\mathrm{a}}");
}

std::string read_file(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// All machines and graphs; subsets and maps of gamepads are none.
std::vector<fs::path> list_models() {
  std::vector<fs::path> models;
  for (const auto& entry : fs::recursive_directory_iterator(RODEO_SOURCE_DIR "/configs")) {
    const std::string folder = entry.path().parent_path().filename();
    const bool is_model = folder == "configs" || folder == "free" || folder == "graphs" ||
                          folder == "loads" || folder == "spatial";
    const bool needs_a_library = entry.path().filename() == "library_damper.yaml";
    if (is_model && !needs_a_library && entry.path().extension() == ".yaml") models.push_back(entry.path());
  }
  std::sort(models.begin(), models.end());
  return models;
}

/// Equations of all models, each in its usual form, in one document.
TEST(Latex, OfEveryConfigCompilesAndFitsThePage) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("rodeo_latex_{}", ::getpid());
  fs::create_directories(folder);
  std::ofstream page(folder / "all.tex");
  page << "\\documentclass{article}\n\\usepackage{amsmath,graphicx}\n\\usepackage[a4paper,margin=20mm]{"
          "geometry}\n"
          "\\allowdisplaybreaks\n\\begin{document}\n";
  int number = 0;
  for (const fs::path& model : list_models()) {
    const std::string part = fmt::format("part{}.tex", ++number);
    const std::string command =
        fmt::format("'{}' equations '{}' --format latex --fragment -o '{}' 2> '{}'", RODEO_PROGRAM,
                    model.string(), (folder / part).string(), (folder / "stderr.txt").string());
    ASSERT_EQ(std::system(command.c_str()), 0) << model << read_file(folder / "stderr.txt");
    page << "\\typeout{MODEL " << model.stem().string() << "}\n\\input{" << part << "}\n";
  }
  page << "\\end{document}\n";
  page.close();
  const std::string compile = fmt::format(
      "cd '{}' && max_print_line=1000 pdflatex -draftmode -interaction=nonstopmode all.tex > out.txt 2>&1",
      folder.string());
  const int status = std::system(compile.c_str());
  std::istringstream log(read_file(folder / "out.txt"));
  std::string line, model;
  const std::regex overfull(R"(Overfull \\hbox \(([0-9.]+)pt)");
  while (std::getline(log, line)) {
    std::smatch found;
    if (line.starts_with("MODEL ")) model = line.substr(6);
    const double over = std::regex_search(line, found, overfull) ? std::stod(found[1]) : 0;
    EXPECT_LT(over, 12) << model << ": " << line;
    EXPECT_FALSE(line.starts_with("!")) << model << ": " << line;
  }
  EXPECT_EQ(status, 0);
  fs::remove_all(folder);
}

TEST(Latex, AloneHasAPreambleAndAFragmentHasNone) {
  const auto run = [](const std::string& options) {
    const fs::path out = fs::temp_directory_path() / fmt::format("rodeo_latex_{}.tex", ::getpid());
    EXPECT_EQ(std::system(("'" RODEO_PROGRAM "' equations '" RODEO_SOURCE_DIR "/configs/four_bar.yaml' " +
                           options + " -o '" + out.string() + "'")
                              .c_str()),
              0);
    const std::string text = read_file(out);
    fs::remove(out);
    return text;
  };
  EXPECT_THAT(run("--format latex"), HasSubstr("\\documentclass"));
  EXPECT_THAT(run("--format latex --fragment"), testing::Not(HasSubstr("\\documentclass")));
}

}  // namespace
}  // namespace rodeo::reduction
