// SPDX-License-Identifier: MIT
// Models of a stranger: looking at one runs nothing of it and reads nothing outside its folder. Each of these was carried out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/kernel/build_kernel.h"

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;
using engine::testing_support::compile;
using engine::testing_support::read_file;
using engine::testing_support::TemporaryFolder;
using engine::testing_support::write_file;
using testing::HasSubstr;

class Stranger : public testing::Test {
 protected:
  struct Result {
    int status = 0;
    std::string out, err;
  };
  Stranger() { fs::create_directories(folder_ / "model"); }
  /// In the model's folder; at most half a minute.
  Result run(const std::string& arguments, const std::string& before = "") const {
    const std::string command = fmt::format(
        "cd '{0}/model' && {1} RODEO_CACHE='{0}/cache' XDG_CONFIG_HOME='{0}/config' timeout 30 '{2}' {3} "
        "</dev/null >../out 2>../err",
        folder_.path().string(), before, RODEO_PROGRAM, arguments);
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read_file(folder_ / "out"), read_file(folder_ / "err")};
  }
  void write_arm(const std::string& mesh) const {
    write_file(folder_ / "model/m.yaml",
               "name: m\nground: {points: {O: [0, 0]}}\nbodies:\n  arm: {points: {O: [0, 0], E: "
               "[1, 0]}, mesh: " +
                   mesh + "}\njoints: [{revolute: [ground.O, arm.O]}]\ndrives: {arm: {angle: arm}}\n");
  }
  /// A library that leaves a trace as soon as it is loaded.
  void write_evil() const {
    write_file(folder_ / "evil.c",
               "#include <stdio.h>\n"
               "__attribute__((constructor)) static void run(void) {\n"
               "  FILE *f = fopen(\"" +
                   (folder_ / "trace").string() +
                   "\", \"w\"); if (f) fclose(f);\n}\n"
                   "double hardness(double t, const double *a, int n) { (void)t; (void)a; (void)n; return "
                   "1000; }\n");
    compile((folder_ / "evil.c").string(), folder_ / "model/evil.so");
  }
  bool has_run() const { return fs::exists(folder_ / "trace"); }

  TemporaryFolder folder_;
};

std::string graph_with(const std::string& library) {
  return "name: g\ndomain: translation\nelements:\n  push: {Se: 1}\n  mass: {I: 2}\n  x: {R: {library: " +
         library +
         ", function: hardness, arguments: [mass.flow]}}\njunctions: {v: 1}\nbonds: [push -> v, v -> mass, v "
         "-> x]\n";
}

TEST_F(Stranger, NativeCodeOfAGraphIsNotRunByLookingAtIt) {
  write_evil();
  write_file(folder_ / "model/g.yaml", graph_with("evil.so"));
  for (const char* command :
       {"check g.yaml", "check g.yaml --json", "equations g.yaml", "equations g.yaml --form full",
        "equations g.yaml --format latex", "graph g.yaml -o g.svg", "draw g.yaml -o d.svg",
        "scalar g.yaml -o s.yaml", "simulate g.yaml --duration 0.1 -o g.csv", "new n --from g.yaml"}) {
    static_cast<void>(run(command));
    EXPECT_FALSE(has_run()) << command;
  }
  const Result check = run("check g.yaml");
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_THAT(
      check.err,
      HasSubstr("note: element 'x' calls 'hardness' of evil.so, native code: it was not run here, and "
                "'rodeo simulate' runs it with --allow-native only"));
  const Result refused = run("simulate g.yaml --duration 0.1 -o g.csv");
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.err,
            "g.yaml:6: element 'x' calls 'hardness' of evil.so, which is native code: give --allow-native if "
            "you trust "
            "whoever made it\n");
  EXPECT_FALSE(fs::exists(folder_ / "model/g.csv"));
  const Result allowed = run("simulate g.yaml --duration 0.1 -o g.csv --allow-native");
  EXPECT_EQ(allowed.status, 0) << allowed.err;
  EXPECT_TRUE(has_run());
}

TEST_F(Stranger, ALibraryOfTheTrustListRunsUnlessAnotherTookItsPlace) {
  write_evil();
  write_file(folder_ / "model/g.yaml", graph_with("evil.so"));
  fs::create_directories(folder_ / "config/rodeo");
  const std::string list = (folder_ / "config/rodeo/trusted_libraries.txt").string();
  ASSERT_EQ(std::system(fmt::format("b2sum '{}' >'{}'", (folder_ / "model/evil.so").string(), list).c_str()),
            0);
  EXPECT_EQ(run("simulate g.yaml --duration 0.1 -o g.csv").status, 0);
  EXPECT_TRUE(has_run());
  fs::permissions(list, fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(run("simulate g.yaml --duration 0.1 -o g.csv").status, 1) << "anybody may have written the list";
  fs::permissions(list, fs::perms::others_write, fs::perm_options::remove);
  std::ofstream(folder_ / "model/evil.so", std::ios::app) << "x";
  EXPECT_EQ(run("simulate g.yaml --duration 0.1 -o g.csv").status, 1);
}

TEST_F(Stranger, FilesOutsideTheModelsFolderAreRefusedByName) {
  write_evil();
  fs::rename(folder_ / "model/evil.so", folder_ / "evil.so");
  for (const std::string& path :
       std::vector<std::string>{"../evil.so", (folder_ / "evil.so").string(), "x/../../evil.so"}) {
    write_file(folder_ / "model/g.yaml", graph_with(path));
    const Result result = run("check g.yaml");
    EXPECT_EQ(result.status, 1) << path;
    EXPECT_THAT(result.err,
                HasSubstr("g.yaml:6: element 'x': '" + path + "' leads out of the model's folder"))
        << path;
  }
  fs::create_symlink("../evil.so", folder_ / "model/link.so");
  write_file(folder_ / "model/g.yaml", graph_with("link.so"));
  EXPECT_THAT(run("check g.yaml").err,
              HasSubstr("library 'link.so' is a link that leads out of the model's folder"));
  write_file(folder_ / "secret.yaml", "name: secret\n");
  write_file(folder_ / "model/s.yaml",
             "elements: {x: {subset: ../secret.yaml}}\njunctions: {v: 1}\nbonds: [v -> x]\n");
  EXPECT_THAT(run("check s.yaml").err, HasSubstr("'../secret.yaml' leads out of the model's folder"));
  EXPECT_FALSE(has_run());
}

TEST_F(Stranger, MeshesAreMeshesBelowTheModelsFolder) {
  for (const char* mesh : {"/etc/shadow.obj", "../secret.obj", "a/../../secret.stl"}) {
    write_arm(mesh);
    const Result result = run("build m.yaml -o built");
    EXPECT_EQ(result.status, 1) << mesh;
    EXPECT_THAT(result.err, HasSubstr(fmt::format(
                                "m.yaml:4: body 'arm': mesh '{}' leads out of the model's folder", mesh)));
  }
  for (const char* mesh : {"x.lua", "x.obj.gz", "x.osgt", "x.curl", "/etc/shadow"}) {
    write_arm(mesh);
    const Result result = run("check m.yaml");
    EXPECT_EQ(result.status, 1) << mesh;
    EXPECT_THAT(result.err, HasSubstr("m.yaml:4: body 'arm': mesh '")) << mesh;
  }
}

TEST_F(Stranger, NothingOutsideIsCopiedIntoTheBuild) {
  write_file(folder_ / "secret", "secret of the user");
  fs::create_symlink("../secret", folder_ / "model/link.obj");
  ASSERT_EQ(::mkfifo((folder_ / "model/pipe.obj").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", folder_ / "model/zero.obj");
  for (const char* mesh : {"link.obj", "pipe.obj", "zero.obj"}) {
    write_arm(mesh);
    const Result result = run("build m.yaml -o built");
    EXPECT_EQ(result.status, 0) << mesh << result.err;
    EXPECT_THAT(result.err, HasSubstr("is not there: the viewer draws the body from its points")) << mesh;
    EXPECT_FALSE(fs::exists(folder_ / "model/built/meshes/arm" / mesh)) << mesh;
  }
  write_file(folder_ / "model/arm.obj", "mtllib link.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  fs::create_symlink("../secret", folder_ / "model/link.mtl");
  write_arm("arm.obj");
  EXPECT_EQ(run("build m.yaml -o built").status, 0);
  EXPECT_TRUE(fs::exists(folder_ / "model/built/meshes/arm/arm.obj"));
  EXPECT_FALSE(fs::exists(folder_ / "model/built/meshes/arm/link.mtl"));
}

TEST_F(Stranger, ExamplesBringWhatTheyNameAndFindTheLibrary) {
  EXPECT_EQ(run("new loader --from wheel_loader").status, 0);
  EXPECT_EQ(run("build loader.yaml -o built").status, 0);
  EXPECT_TRUE(fs::exists(folder_ / "model/built/meshes/boom/boom.obj"));
  EXPECT_TRUE(fs::exists(folder_ / "model/built/meshes/boom/wheel_loader.mtl"));
  ASSERT_EQ(run("new cars --from graphs/three_level").status, 0) << read_file(folder_ / "err");
  EXPECT_EQ(run("check cars.yaml").status, 0) << read_file(folder_ / "err");
}

}  // namespace
}  // namespace rodeo::tools
