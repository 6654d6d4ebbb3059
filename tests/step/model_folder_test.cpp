// SPDX-License-Identifier: MIT
// The folder of a build: read whole, or refused with a sentence.
#include "engine/step/model_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/files/checksums.h"
#include "tests/kernel/build_kernel.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;
using testing::HasSubstr;

class ModelFolderTest : public testing::Test {
 protected:
  /// Of a folder with whatever a test has written into it: built so.
  std::string why_not() const {
    if (fs::exists(model_ / kChecksums)) write_checksums(model_.string());
    return why_not_as_it_is();
  }
  std::string why_not_as_it_is() const {
    try {
      static_cast<void>(ModelFolder::build_from(model_.string()));
    } catch (const KernelError& error) {
      return error.what();
    }
    return "";
  }
  TemporaryFolder folder_;
  fs::path model_ = folder_ / "model";
};

TEST_F(ModelFolderTest, GivesKernelAndLimits) {
  write_model_folder(model_, R"("lower": -10, "upper": 10.5, "speed": 2, "acceleration": null)");
  const ModelFolder model = ModelFolder::build_from(model_.string());
  EXPECT_EQ(model.name, "four_bar");
  ASSERT_EQ(model.limits.size(), 1U);
  EXPECT_EQ(model.limits[0].lower, -10.0);
  EXPECT_EQ(model.limits[0].upper, 10.5);
  EXPECT_EQ(model.limits[0].speed, 2.0);
  EXPECT_EQ(model.limits[0].acceleration, std::nullopt);
  EXPECT_EQ(model.start, std::vector{1.0471975511965976});
  EXPECT_EQ(model.parameters, (std::vector{1.4, 0.5, 1.2, 1.0}));
}

TEST_F(ModelFolderTest, TakesStartAndParametersOfTheInterface) {
  write_model_folder(model_, R"("start": 0.25)");
  std::string text = read_file(model_ / "interface.json");
  text.replace(text.find(R"("L1")"), 4, R"("L1", "value": 0.4)");
  write_file(model_ / "interface.json", text);
  write_checksums(model_.string());
  ModelFolder model = ModelFolder::build_from(model_.string());
  EXPECT_EQ(model.start, std::vector{0.25});
  EXPECT_EQ(model.parameters, (std::vector{1.4, 0.4, 1.2, 1.0}));
  model.set_parameter("L0", 1.5);
  EXPECT_EQ(model.parameters[0], 1.5);
}

TEST_F(ModelFolderTest, ListsTheParametersThatThereAre) {
  write_model_folder(model_);
  ModelFolder model = ModelFolder::build_from(model_.string());
  try {
    model.set_parameter("L9", 1);
    FAIL();
  } catch (const KernelError& error) {
    EXPECT_STREQ(error.what(), "four_bar: the kernel has no parameter 'L9' (it has L0, L1, L2, L3)");
  }
}

TEST_F(ModelFolderTest, AnInterfaceOfAnotherMachineIsNamed) {
  write_model_folder(model_);
  std::string text = read_file(model_ / "interface.json");
  text.replace(text.find(R"("L1")"), 4, R"("h", "value": 0.4)");
  write_file(model_ / "interface.json", text);
  write_checksums(model_.string());
  EXPECT_EQ(why_not(),
            (model_ / "interface.json").string() +
                ": the kernel has no parameter 'h', so interface.json is of another machine: build "
                "it again");
}

TEST_F(ModelFolderTest, MissingForeignAndCutOffFoldersAreRefused) {
  EXPECT_EQ(why_not(), model_.string() + ": there is no such folder");
  fs::create_directories(model_);
  EXPECT_EQ(why_not(), model_.string() + ": is no folder made by 'rodeo build' (it has no interface.json)");
  write_model_folder(model_);
  const std::string text = read_file(model_ / "interface.json");
  write_file(model_ / "interface.json", text.substr(0, text.size() / 2));
  EXPECT_EQ(why_not(), (model_ / "interface.json").string() + ": is cut off or no JSON: build it again");
  write_file(model_ / "interface.json", "{}");
  EXPECT_THAT(why_not(), HasSubstr("has no text 'kernel': build it again"));
}

TEST_F(ModelFolderTest, MissingAndCutOffKernelsAreRefused) {
  write_model_folder(model_);
  const std::string whole = read_file(model_ / "kernel.so");
  write_file(model_ / "kernel.so", whole.substr(0, whole.size() - 100));
  EXPECT_THAT(why_not(), HasSubstr("kernel.so: cut off after"));
  fs::remove(model_ / "kernel.so");
  EXPECT_EQ(why_not_as_it_is(), (model_ / "kernel.so").string() + ": is missing: build the folder again");
}

TEST_F(ModelFolderTest, AnyByteThatIsNotAsBuiltIsRefused) {
  for (const char* name : {"interface.json", "kernel.so", "scene.json", "meshes/arm/arm.stl"}) {
    fs::remove_all(model_);
    write_model_folder(model_);
    fs::create_directories(model_ / "meshes" / "arm");
    write_file(model_ / "scene.json", "{}");
    write_file(model_ / "meshes/arm/arm.stl", "solid arm");
    write_checksums(model_.string());
    ASSERT_EQ(why_not_as_it_is(), "");
    const std::string whole = read_file(model_ / name);
    for (const std::size_t at : {std::size_t{0}, whole.size() / 2, whole.size() - 1}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 1);
      write_file(model_ / name, damaged);
      EXPECT_THAT(why_not_as_it_is(), HasSubstr((model_ / name).string() + ": is")) << at;
    }
    write_file(model_ / name, whole.substr(0, whole.size() - 1));
    EXPECT_THAT(why_not_as_it_is(), HasSubstr((model_ / name).string() + ": is"));
    write_file(model_ / name, whole);
    EXPECT_EQ(why_not_as_it_is(), "");
  }
}

TEST_F(ModelFolderTest, AnEditedLimitIsToldWithWhatToDo) {
  write_model_folder(model_, R"("upper": 2)");
  std::string text = read_file(model_ / "interface.json");
  text.replace(text.find("\"upper\": 2"), 10, "\"upper\": 9");
  write_file(model_ / "interface.json", text);
  EXPECT_EQ(
      why_not_as_it_is(),
      (model_ / "interface.json").string() +
          ": is not what 'rodeo build' wrote (damaged or edited, see checksums.txt): build the folder again");
}

TEST_F(ModelFolderTest, AFolderWithoutWholeChecksumsIsRefused) {
  write_model_folder(model_);
  const std::string whole = read_file(model_ / kChecksums);
  write_file(model_ / kChecksums, whole.substr(0, whole.size() / 3));
  EXPECT_THAT(why_not_as_it_is(), HasSubstr("checksums.txt: is cut off or damaged: build the folder again"));
  write_file(model_ / kChecksums, whole.substr(whole.find('\n') + 1));
  EXPECT_THAT(why_not_as_it_is(), HasSubstr("checksums.txt: does not list interface.json"));
  write_file(model_ / kChecksums, whole + whole.substr(0, 130) + "../../etc/passwd\n");
  EXPECT_THAT(why_not_as_it_is(), HasSubstr("checksums.txt: is cut off or damaged"));
  fs::remove(model_ / kChecksums);
  EXPECT_EQ(why_not_as_it_is(), model_.string() +
                                    ": has no checksums.txt: it is not whole, or an older rodeo "
                                    "built it: build it again");
}

TEST_F(ModelFolderTest, ChecksumsAreThoseOfB2sum) {
  write_model_folder(model_);
  const std::string command = "cd '" + model_.string() + "' && b2sum --check --strict --quiet checksums.txt";
  EXPECT_EQ(std::system(command.c_str()), 0);
  write_file(model_ / "interface.json", "{}");
  EXPECT_NE(std::system((command + " 2> /dev/null").c_str()), 0);
}

TEST_F(ModelFolderTest, AKernelOfAnotherModelIsRefused) {
  write_model_folder(model_, "", "12345678");
  EXPECT_EQ(
      why_not(),
      model_.string() + ": interface.json is of model 12345678, kernel.so of model 4ba40000: build it again");
}

TEST_F(ModelFolderTest, AKernelOutsideTheFolderIsRefused) {
  write_model_folder(model_);
  std::string text = read_file(model_ / "interface.json");
  text.replace(text.find("kernel.so"), 9, "../kernel.so");
  write_file(model_ / "interface.json", text);
  EXPECT_THAT(why_not(), HasSubstr("it must be a file of the same folder"));
}

TEST_F(ModelFolderTest, SenselessLimitsAreRefused) {
  write_model_folder(model_, R"("lower": 2, "upper": 1)");
  EXPECT_THAT(why_not(), HasSubstr("drive 'crank': lower must not exceed upper"));
  write_model_folder(model_, R"("speed": 0)");
  EXPECT_THAT(why_not(), HasSubstr("drive 'crank': speed must be positive"));
  write_model_folder(model_, R"("acceleration": -1)");
  EXPECT_THAT(why_not(), HasSubstr("drive 'crank': acceleration must be positive"));
  write_model_folder(model_, R"("speed": "fast")");
  EXPECT_THAT(why_not(), HasSubstr("'speed' is \"fast\", not a number"));
  write_model_folder(model_, R"("lower": 1.1)");
  EXPECT_THAT(why_not(), HasSubstr("drive 'crank' starts at 1.0471975511965976, outside its range"));
}

TEST_F(ModelFolderTest, AStartThatRoundingPutBesideTheRangeIsPutIntoIt) {
  write_model_folder(model_, R"("lower": 1.0471975511965979, "upper": 2)");
  EXPECT_EQ(ModelFolder::build_from(model_.string()).start[0], 1.0471975511965979);
}

TEST_F(ModelFolderTest, OtherDrivesThanTheKernelsAreRefused) {
  write_model_folder(model_);
  std::string text = read_file(model_ / "interface.json");
  text.replace(text.find("\"crank\""), 7, "\"shaft\"");
  write_file(model_ / "interface.json", text);
  EXPECT_THAT(why_not(), HasSubstr("drive 1 is not the kernel's 'crank': build it again"));
}

}  // namespace
}  // namespace rodeo::engine
