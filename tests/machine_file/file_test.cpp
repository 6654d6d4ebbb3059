// SPDX-License-Identifier: MIT
// Files that are no model at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/machine_file/sample.h"

namespace rodeo::machine {
namespace {

namespace fs = std::filesystem;
using testing::StartsWith;

class MachineFile : public testing::Test {
 protected:
  MachineFile() {
    std::string name = testing::TempDir() + "rodeo_machine_XXXXXX";
    path_ = fs::path(::mkdtemp(name.data())) / "m.yaml";
  }
  ~MachineFile() override { fs::remove_all(path_.parent_path()); }

  void write(const std::string& text) const { std::ofstream(path_) << text; }

  /// What the reader says after the path.
  std::string faults() const {
    try {
      static_cast<void>(build_machine_from_file(path_.string()));
    } catch (const text::ModelError& error) {
      EXPECT_THAT(error.what(), StartsWith(path_.string() + ":"));
      return std::string(error.what()).substr(path_.string().size());
    }
    return {};
  }

  fs::path path_;
};

TEST_F(MachineFile, IsRead) {
  write(kFourBar);
  EXPECT_EQ(faults(), "");
}

TEST_F(MachineFile, IsRefusedWhenItIsNotThere) {
  EXPECT_EQ(faults(), ": cannot be read: No such file or directory");
}

TEST_F(MachineFile, IsRefusedWhenItIsAFolder) {
  fs::create_directory(path_);
  EXPECT_EQ(faults(), ": this is a folder, not a model file");
}

TEST_F(MachineFile, IsRefusedWhenItIsEmpty) {
  write("");
  EXPECT_EQ(faults(), ": the file is empty: begin with one that 'rodeo new NAME' writes");
  write("# nothing but a comment\n");
  EXPECT_EQ(faults(), ": the file is empty: begin with one that 'rodeo new NAME' writes");
}

TEST_F(MachineFile, IsRefusedWhenItHas100Megabytes) {
  write("name: big\n");
  fs::resize_file(path_, std::uintmax_t{100} << 20);  // sparse: takes no room
  EXPECT_EQ(faults(),
            ": the file has 100 MB, a model file at most 16 MB: split it into subsets, or check that it is a "
            "model");
}

TEST_F(MachineFile, IsRefusedWhenItIsNotYaml) {
  write("name: x\nbodies: {crank: [1, 2\n");
  EXPECT_THAT(faults(), testing::MatchesRegex(":[0-9]+: this is not YAML: .*"));
  write(
      "\x7f"
      "ELF\x02\x01\x01");
  EXPECT_THAT(faults(), StartsWith(":1: "));
}

TEST_F(MachineFile, IsRefusedWhenItIsAListOrAWord) {
  write("- a\n- b\n");
  EXPECT_EQ(faults(), ":1: a model is a map of keys such as 'name:', this is a list");
  write("hello\n");
  EXPECT_EQ(faults(), ":1: a model is a map of keys such as 'name:', this is a single value");
}

TEST_F(MachineFile, IsRefusedWhenItHasASecondDocument) {
  write(kFourBar + "---\nname: other\n");
  EXPECT_EQ(faults(), ":18: a second document begins here ('---'): a model file has one");
}

TEST_F(MachineFile, MayEndAndBeginWithDocumentMarks) {
  write("---\n" + kFourBar + "...\n");
  EXPECT_EQ(faults(), "");
}

}  // namespace
}  // namespace rodeo::machine
