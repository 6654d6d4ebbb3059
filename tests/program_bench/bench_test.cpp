// SPDX-License-Identifier: MIT
// `rodeo bench`: exit status, the keys of its JSON, its sentences. No time is asserted: the machine decides that.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

std::string read_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class Bench : public testing::Test {
 protected:
  Bench() {
    std::string name = testing::TempDir() + "rodeo_bench_XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~Bench() override { fs::remove_all(folder_); }

  int run(const std::string& arguments) {
    const std::string command = fmt::format("cd '{0}' && RODEO_CACHE='{0}/cache' '{1}' {2} >out 2>err",
                                            folder_.string(), RODEO_PROGRAM, arguments);
    const int status = WEXITSTATUS(std::system(command.c_str()));
    out_ = read_text(folder_ / "out");
    err_ = read_text(folder_ / "err");
    return status;
  }
  static std::string loader() { return RODEO_SOURCE_DIR "/configs/wheel_loader.yaml"; }

  fs::path folder_;
  std::string out_, err_;
};

TEST_F(Bench, OfAMachineFileTellsTimeAndOperationsAsJson) {
  ASSERT_EQ(run("bench " + loader() + " --seconds 0.02 --json"), 0) << err_;
  const json report = json::parse(out_);
  EXPECT_EQ(report.at("name"), "wheel_loader");
  EXPECT_EQ(report.at("drives"), 2);
  EXPECT_EQ(report.at("outputs"), 66);
  EXPECT_TRUE(report.at("nanoseconds").at("median").is_number());
  EXPECT_GE(report.at("nanoseconds").at("p99"), report.at("nanoseconds").at("median"));
  EXPECT_GE(report.at("rounds"), 11);
  for (const char* kind : {"adds", "multiplies", "divides", "square_roots", "trigonometric"}) {
    EXPECT_GT(report.at("operations_per_step").at(kind), 0) << kind;
  }
}

TEST_F(Bench, OfABuiltFolderReadsItsCertificate) {
  ASSERT_EQ(run("build " + loader() + " -o built"), 0) << err_;
  ASSERT_EQ(run("bench built --seconds 0.02"), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("wheel_loader: a step, 2 drives in, 66 outputs"));
  EXPECT_THAT(out_, HasSubstr("ns 99th percentile"));
  EXPECT_THAT(out_, HasSubstr(" multiplies, "));
}

TEST_F(Bench, OfAMachineThatMovesByItsForcesTellsTheOperationsOfItsAccelerations) {
  const std::string crank = RODEO_SOURCE_DIR "/configs/free/slider_crank.yaml";
  ASSERT_EQ(run("bench " + crank + " --seconds 0.02 --json"), 0) << err_;
  const json report = json::parse(out_);
  EXPECT_GT(report.at("operations_of_accelerations").at("multiplies"),
            report.at("operations_per_step").at("multiplies"));
  ASSERT_EQ(run("bench " + loader() + " --seconds 0.02 --json"), 0) << err_;
  EXPECT_TRUE(json::parse(out_).at("operations_of_accelerations").is_null()) << "every motion is imposed";
}

TEST_F(Bench, OfAFolderThatIsNotWholeIsRefused) {
  ASSERT_EQ(run("build " + loader() + " -o built"), 0) << err_;
  fs::remove(folder_ / "built" / "certificate.json");
  EXPECT_EQ(run("bench built --seconds 0.02"), 1);
  EXPECT_EQ(err_, "built/certificate.json: is missing: build the folder again\n");
}

TEST_F(Bench, TakesAnotherParameterForAFolderAndForAFile) {
  ASSERT_EQ(run("build " + loader() + " -o built"), 0) << err_;
  EXPECT_EQ(run("bench built -p reach=1.2 --seconds 0.02"), 0) << err_;
  EXPECT_EQ(run("bench " + loader() + " -p reach=1.2 --seconds 0.02"), 0) << err_;
  EXPECT_EQ(run("bench built -p no_such=1 --seconds 0.02"), 1);
  EXPECT_THAT(err_, HasSubstr("no_such"));
}

TEST_F(Bench, OfNothingIsASentenceAndStatusOne) {
  EXPECT_EQ(run("bench nowhere"), 1);
  EXPECT_THAT(err_, HasSubstr("nowhere: there is no such file or folder"));
  EXPECT_EQ(out_, "");
}

TEST_F(Bench, HelpHasAnExample) {
  EXPECT_EQ(run("bench --help"), 0);
  EXPECT_THAT(out_, HasSubstr("Example: rodeo bench "));
  EXPECT_THAT(out_, HasSubstr("--json"));
}

}  // namespace
