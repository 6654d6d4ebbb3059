// SPDX-License-Identifier: MIT
// The page and the script of gnuplot as texts: they hold the data, and what a user writes cannot break out of its quotes.
#include "viz/plot/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "viz/plot/areas.h"
#include "viz/plot/gnuplot_script.h"

namespace rodeo::plot {
namespace {

using testing::HasSubstr;
using testing::Not;

Figure build_simple() {
  Figure figure;
  figure.title = "It's </script><b>";
  Panel panel;
  panel.x_label = "time (s)";
  panel.y_label = "boom.angle (deg)";
  panel.series.push_back(
      {"a\"b\\</script>", {0, 1, 2, 3}, {1.25, std::numeric_limits<double>::quiet_NaN(), -2, 1e-17}});
  panel.marks.push_back({1.5, std::nullopt, "B"});
  figure.panels.push_back(panel);
  return figure;
}

nlohmann::json find_data(const std::string& page) {
  const std::string key = "const figure = ";
  const std::size_t begin = page.find(key) + key.size();
  return nlohmann::json::parse(page.substr(begin, page.find(";\n", begin) - begin));
}

TEST(Page, HoldsTheDataAndItsGaps) {
  const auto data = find_data(build_page(build_simple()));
  const auto& series = data.at("panels").at(0).at("series").at(0);
  EXPECT_EQ(series.at("name"), "a\"b\\</script>");
  EXPECT_EQ(data.at("columns").at(series.at("x").get<std::size_t>()), nlohmann::json({0, 1, 2, 3}));
  EXPECT_EQ(data.at("columns").at(series.at("y").get<std::size_t>()),
            nlohmann::json({1.25, nullptr, -2, 1e-17}));
  EXPECT_EQ(data.at("panels").at(0).at("marks").at(0).at(2), "B");
}

TEST(Page, NeedsNoNetworkAndNoOtherFile) {
  const std::string page = build_page(build_simple());
  for (const char* word : {"http", "src=", "href=", "import", "@import", "fetch(", "XMLHttp", "url("}) {
    EXPECT_THAT(page, Not(HasSubstr(word))) << word;
  }
}

TEST(Page, LetsNoNameOutOfItsQuotes) {
  const std::string page = build_page(build_simple());
  EXPECT_THAT(page, HasSubstr("<title>It's &lt;/script>&lt;b></title>"));
  std::size_t ends = 0;
  for (std::size_t at = 0; (at = page.find("</script>", at)) != std::string::npos; ++at) ++ends;
  EXPECT_EQ(ends, 1U);
}

TEST(Page, WritesAColumnThatCurvesShareOnce) {
  Figure figure = build_simple();
  figure.panels[0].series.push_back({"other", {0, 1, 2, 3}, {4, 5, 6, 7}});
  EXPECT_EQ(find_data(build_page(figure)).at("columns").size(), 3U);
}

TEST(Page, ThinsALongLogAndKeepsItsPeak) {
  Figure figure = build_simple();
  Series series{"long", {}, {}};
  for (int i = 0; i < 300'000; ++i) {
    series.x.push_back(i * 1e-3);
    series.y.push_back(i == 123'456 ? 42 : 0);
  }
  figure.panels[0].series = {series};
  const auto data = find_data(build_page(figure));
  const auto y = data.at("columns").at(1).get<std::vector<double>>();
  EXPECT_LT(y.size(), 60'000U);
  EXPECT_EQ(*std::max_element(y.begin(), y.end()), 42);
}

TEST(Page, RunsOfAFieldGiveItsCellsBack) {
  Figure figure = build_simple();
  const double gap = std::numeric_limits<double>::quiet_NaN();
  figure.panels[0].field = Field{0, 0, 0.5, 3, 2, {gap, 0.5, 0.5, 0.25, gap, gap}};
  figure.panels[0].shade = {0, 0.5};
  EXPECT_EQ(find_data(build_page(figure)).at("panels").at(0).at("field").at("runs"),
            nlohmann::json({1, -1, 2, 1000, 1, 500, 2, -1}));
}

TEST(Page, HasAScriptThatParses) {
  if (std::system("node --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "node is not installed";
  const std::string page = build_page(build_simple());
  const std::size_t begin = page.find("<script>") + 8;
  const std::string file = testing::TempDir() + "rodeo_page_test.js";
  std::ofstream(file) << page.substr(begin, page.find("</script>", begin) - begin);
  EXPECT_EQ(std::system(("node --check '" + file + "'").c_str()), 0);
}

TEST(GnuplotScript, LetsNoNameOutOfItsQuotes) {
  Figure figure = build_simple();
  figure.title = "a'\nsystem('rm')";
  const std::string script = build_gnuplot_script(figure, Format::svg, "picture");
  EXPECT_THAT(script, HasSubstr("'a'' system(''rm'')'"));
  EXPECT_THAT(script, Not(HasSubstr("\nsystem")));
}

/// A value that is missing would be drawn across: seen in the picture, which has two strokes for one curve.
TEST(GnuplotScript, PartsACurveAtAGap) {
  const double gap = std::numeric_limits<double>::quiet_NaN();
  Figure figure = build_simple();
  figure.panels[0].series[0].x = {0, 1, 1, 1, 2, 3};
  figure.panels[0].series[0].y = {5, 6, gap, gap, 7, 8};
  const std::string script = build_gnuplot_script(figure, Format::svg, "picture");
  EXPECT_THAT(script, HasSubstr("<< EOD\n0 5\n1 6\n\n2 7\n3 8\nEOD\n"));
  EXPECT_THAT(script, Not(HasSubstr("nan\n")));
}

TEST(GnuplotScript, WritesPowersOfTenBesideALogarithmicAxis) {
  Figure figure = build_simple();
  EXPECT_THAT(build_gnuplot_script(figure, Format::png, "p"),
              HasSubstr("set format y '%g'\nset ytics autofreq\n"));
  figure.panels[0].is_log = true;
  figure.panels[0].series[0].y = {-12, -9, -3, 1};  // 14 decades with room: a number every second one
  EXPECT_THAT(build_gnuplot_script(figure, Format::png, "p"),
              HasSubstr("set format y '1e%g'\nset ytics 2\n"));
  EXPECT_EQ(find_data(build_page(figure)).at("panels").at(0).at("log"), true);
}

TEST(GnuplotScript, SizesThePictureAsAskedOrByItsPanels) {
  Figure figure = build_simple();
  figure.width = 800;
  figure.height = 300;
  EXPECT_THAT(build_gnuplot_script(figure, Format::png, "p"), HasSubstr("pngcairo size 800,300"));
  Figure stacked = build_simple();
  stacked.panels.resize(4, stacked.panels.front());
  EXPECT_GT(calc_size(stacked).height, calc_size(build_simple()).height);
}

TEST(Shades, GoFromTheFirstColourToTheLast) {
  EXPECT_EQ(calc_shade(-1).red, kShades[0].red);
  EXPECT_EQ(calc_shade(2).green, kShades[kShadeCount - 1].green);
  EXPECT_EQ(calc_shade(0.5).blue, kShades[kShadeCount / 2].blue);
}

}  // namespace
}  // namespace rodeo::plot
