// SPDX-License-Identifier: MIT
// kernel.c in other people's hands: the same bits whatever compiles it, no warnings, no libraries, no data of its own.
#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <sstream>

#include "engine/files/checksums.h"
#include "tests/codegen/built_kernel.h"

namespace rodeo::codegen {
namespace {

/// A C99 program that includes the header alone: 10,000 steps, drives swinging a little about their start by a polynomial
/// wave of the program's own, and a hash (FNV-1a, 64 bits) over all bits of states, margin and outputs.
constexpr const char* kDriver = R"(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rodeo_kernel.h"

static unsigned long long hash = 0xcbf29ce484222325ULL;
static void add(const double* values, size_t n) {
  const unsigned char* bytes = (const unsigned char*)values;
  for (size_t i = 0; i < n * sizeof *values; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3ULL;
}

int main(void) {
  const rodeo_kernel* k = rodeo_kernel_get();
  void* machine = malloc(k->instance_bytes);
  double* drives = malloc(3 * k->n_drives * sizeof(double));
  double* outputs = malloc(k->n_outputs * sizeof(double));
  double* states = malloc(k->n_states * sizeof(double));
  double* paths = malloc((9 * k->n_drives + 1) * sizeof(double));
  double* inputs = calloc(k->n_inputs + 1, sizeof(double));
  int refused = 0;
  if (k->abi != RODEO_KERNEL_ABI || k->init(machine, k->default_parameters, k->start_drives) != RODEO_OK) return 1;
  for (int i = 0; i < 10000; ++i) {
    for (unsigned d = 0; d < k->n_drives; ++d) {
      const int n = (i * (7 + 2 * (int)d)) % 20000 - 10000;      /* -10000 ... 9999, a saw */
      const double s = (n < 0 ? -n : n) / 10000.0 - 0.5;         /* a triangle of +-1/2 */
      drives[3 * d] = k->start_drives[d] + 0.13 * s * (1.5 - 2.0 * s * s);
      drives[3 * d + 1] = 0.3 * s;
      drives[3 * d + 2] = -0.7 * s * s;
    }
    if (k->n_free > 0) {
      for (unsigned d = 0; d < 9 * k->n_drives; ++d) paths[d] = drives[d / 9 * 3 + d % 3];
      if (k->move(machine, paths, inputs, 1e-3, RODEO_RK4) != RODEO_OK) ++refused;
    }
    if (k->step(machine, drives, outputs) != RODEO_OK) ++refused;
    const double margin = k->margin(machine);
    k->get_state(machine, states);
    add(outputs, k->n_outputs);
    add(states, k->n_states);
    add(&margin, 1);
  }
  printf("%016llx %d %s\n", hash, refused, k->name);
  free(machine); free(drives); free(outputs); free(states); free(paths); free(inputs);
  return 0;
}
)";

const std::string kCarefulFlags = " -std=c99 -Wall -Wextra -Werror -pedantic -ffp-contract=off ";

class CarriedKernel : public testing::TestWithParam<std::string> {
 protected:
  CarriedKernel() : built_(built_folder(config(GetParam()))) {
    std::ofstream(folder_.path() / "main.c") << kDriver;
    fs::copy_file(built_ / "kernel.c", folder_.path() / "kernel.c");
    fs::copy_file(built_ / "rodeo_kernel.h", folder_.path() / "rodeo_kernel.h");
  }

  [[nodiscard]] static std::string name() { return fs::path(GetParam()).filename().string(); }

  [[nodiscard]] std::string in_folder(const std::string& command) const {
    return run("cd '" + folder_.path().string() + "' && " + command);
  }

  /// What the driver prints; the compiler's messages if it says anything.
  [[nodiscard]] std::string hash(const std::string& compiler, const std::string& environment = "") const {
    const std::string said = in_folder(compiler + kCarefulFlags + "main.c kernel.c -o program -lm");
    return said.empty() ? in_folder(environment + " ./program") : said;
  }

  TemporaryFolder folder_;
  fs::path built_;
};

TEST_P(CarriedKernel, CompilesInSilenceIntoSomebodyElsesProgramAndRuns) {
  const std::string printed = hash("cc -O2");
  EXPECT_NE(printed.find(" 0 " + name()), std::string::npos) << printed;
}

TEST_P(CarriedKernel, GivesTheSameBitsFromEveryCompilerAndOptimisation) {
  const std::string expected = hash("gcc -O2");
  ASSERT_NE(expected.find(" 0 " + name()), std::string::npos) << expected;
  for (const std::string compiler :
       {"gcc -O0", "gcc -O3", "gcc -O2 -march=native", "gcc -O3 -march=native -funroll-loops", "clang -O0",
        "clang -O2", "clang -O3 -march=native"}) {
    if (!has_program(compiler.substr(0, compiler.find(' ')))) continue;
    EXPECT_EQ(hash(compiler), expected) << compiler;
  }
  std::printf("  %s", expected.c_str());
}

TEST_P(CarriedKernel, GivesTheSameBitsWithoutTheFmaVariantsOfTheCLibrary) {
  const std::string expected = hash("gcc -O2");
  for (const std::string flags : {"gcc -O2", "gcc -O0"})
    EXPECT_EQ(hash(flags, "GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable,-FMA_Usable"),
              expected);
}

TEST_P(CarriedKernel, NeedsNothingButSquareRootsAndCopies) {
  ASSERT_EQ(in_folder("cc -O2 -fno-stack-protector -c" + kCarefulFlags + "kernel.c -o kernel.o"), "");
  std::istringstream lines(in_folder("nm -u kernel.o"));
  const std::set<std::string> allowed{"sqrt", "memcpy", "memset"};
  for (std::string kind, name; lines >> kind >> name;) EXPECT_TRUE(allowed.contains(name)) << name;
}

TEST_P(CarriedKernel, ExportsOneFunctionUnderTwoNames) {
  ASSERT_EQ(in_folder("cc -O2 -c" + kCarefulFlags + "kernel.c -o kernel.o"), "");
  std::istringstream lines(in_folder("nm -g --defined-only kernel.o"));
  std::vector<std::string> names;
  for (std::string address, kind, name; lines >> address >> kind >> name;) names.push_back(kind + " " + name);
  EXPECT_EQ(names, (std::vector<std::string>{"W rodeo_kernel_get", "T rodeo_kernel_get_" + name()}));
}

/// Without position independence constant tables need no relocation and stand in .rodata: .data and .bss must be empty.
TEST_P(CarriedKernel, KeepsNoDataOfItsOwnThatCouldChange) {
  for (const std::string level : {"-O0", "-O2"}) {
    ASSERT_EQ(in_folder("cc " + level + " -fno-pie -fno-pic -c" + kCarefulFlags + "kernel.c -o kernel.o"),
              "");
    std::istringstream lines(in_folder("nm kernel.o"));
    for (std::string line; std::getline(lines, line);) {
      const char kind = line.size() > 17 ? line[17] : ' ';
      EXPECT_EQ(std::string("dDbBcCgGsS").find(kind), std::string::npos) << line;
    }
    std::istringstream sections(in_folder("size -A kernel.o"));
    for (std::string line; std::getline(sections, line);) {
      std::istringstream words(line);
      std::string section;
      long size = 0;
      words >> section >> size;
      const bool can_change = section.starts_with(".data") || section.starts_with(".bss");
      EXPECT_TRUE(!can_change || size == 0) << line;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, CarriedKernel,
                         testing::Values("wheel_loader", "excavator", "triad", "spatial/rssr",
                                         "spatial/slider_crank_isostatic"),
                         [](const auto& param_info) {
                           return fs::path(param_info.param).filename().string();
                         });

/// A kernel that is driven, one that moves freely, one in space. RODEO_ALL_KERNELS (tools/soak): all of configs/.
std::vector<std::string> find_flag_machines() {
  if (std::getenv("RODEO_ALL_KERNELS") == nullptr)
    return {"wheel_loader", "free/wheel_loader_free", "spatial/rssr"};
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "configs")) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Whatever flags somebody's own build has: these bits, or init refuses, or the text does not compile.
class KernelOfAnyFlags : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    try {
      built_ = built_folder(config(GetParam()));
    } catch (
        const std::exception& error) {  // a bond graph, a part of a machine, one that only the library moves
      GTEST_SKIP() << "has no kernel: " << error.what();
    }
    std::ofstream(folder_.path() / "main.c") << kDriver;
    for (const char* file : {"kernel.c", "rodeo_kernel.h"})
      fs::copy_file(built_ / file, folder_.path() / file);
    ASSERT_EQ(in_folder("gcc -O2" + kCarefulFlags + "-c main.c"), "");  // its drives are the same in all
    expected_ = try_flags("gcc -O2" + kCarefulFlags);
    ASSERT_TRUE(std::isxdigit(static_cast<unsigned char>(expected_[0])) != 0) << expected_;
  }

  [[nodiscard]] std::string in_folder(const std::string& command) const {
    return run("cd '" + folder_.path().string() + "' && " + command);
  }

  /// What the driver prints, or `refused` by init or by the compiler; its messages if it says anything else.
  [[nodiscard]] std::string try_flags(const std::string& compiler) const {
    const std::string said = in_folder(compiler + " -w main.o kernel.c -o program -lm");
    if (said.find("rodeo_math.h needs IEEE doubles") != std::string::npos) return "refused\n";
    return said.empty() ? in_folder("./program || echo refused") : said;
  }

  void expect_same_or_refused(const std::string& compiler) {
    const std::string printed = try_flags(compiler);
    (printed == expected_ ? same_ : refused_) += 1;
    EXPECT_TRUE(printed == expected_ || printed == "refused\n") << compiler << ": " << printed;
  }

  TemporaryFolder folder_;
  fs::path built_;
  std::string expected_;
  int same_ = 0, refused_ = 0;
};

TEST_P(KernelOfAnyFlags, GivesTheSameBitsOrRefuses) {
  const bool has_fma = !in_folder("grep -m1 -ow fma /proc/cpuinfo").empty();
  for (const std::string compiler : {"gcc ", "clang "}) {
    if (!has_program(compiler)) continue;
    for (const std::string flags :
         {"-O0", "-O2", "-O3 -std=gnu99", "-O3 -march=native", "-O3 -march=native -ffp-contract=off",
          "-O2 -march=native -ffp-contract=fast", "-Ofast -march=native", "-O2 -ffast-math",
          "-O2 -funsafe-math-optimizations", "-O2 -freciprocal-math", "-O2 -fno-signed-zeros",
          "-O2 -fassociative-math -fno-signed-zeros -fno-trapping-math"})
      expect_same_or_refused(compiler + flags);
    if (!has_fma) continue;
    for (const std::string flags : {"-O0 -mfma", "-O2 -mfma", "-O3 -mfma -ffp-contract=off"})
      expect_same_or_refused(compiler + flags);
  }
  if (has_fma) expect_same_or_refused("gcc -O2 -mfma -ffp-contract=off -flto");
  EXPECT_GE(same_, 6) << "a guard that refuses all guards nothing";
  EXPECT_GE(refused_, 2) << "-ffast-math is among them";
  std::printf("  %d the same, %d refused\n", same_, refused_);
}

TEST_P(KernelOfAnyFlags, RefusesAProcessorThatRoundsOtherwise) {
  ASSERT_EQ(in_folder("gcc -O2 -c" + kCarefulFlags + "kernel.c"), "");
  EXPECT_EQ(in_folder("gcc -ffast-math main.o kernel.o -o program -lm; ./program || echo refused"),
            "refused\n")
      << "linked so, small numbers are zero";
  std::ofstream(folder_.path() / "up.c")
      << "#include <fenv.h>\n__attribute__((constructor)) static void up(void) { fesetround(FE_UPWARD); }\n";
  EXPECT_EQ(in_folder("gcc up.c main.o kernel.o -o program -lm; ./program || echo refused"), "refused\n");
}

TEST_P(KernelOfAnyFlags, IsRefusedByTheLoaderWithASentence) {
  if (!has_program("clang") || in_folder("grep -m1 -ow fma /proc/cpuinfo").empty())
    GTEST_SKIP() << "no compiler here that fuses in spite of the guard";
  fs::copy(built_, folder_.path() / "model");
  ASSERT_EQ(in_folder("clang -w -O2 -mfma -ffp-contract=fast -fPIC -shared kernel.c -o model/kernel.so -lm"),
            "");
  engine::write_checksums((folder_.path() / "model").string());
  EXPECT_EQ(
      in_folder("{ '" RODEO_PROGRAM "' simulate model --duration 0.1 -o log.csv; echo $?; }"),
      "model/kernel.so: its compiler's flags fuse or reorder arithmetic, so that its numbers are not the "
      "model's: compile kernel.c with -ffp-contract=off and without fast-math, or build it again\n1\n");
}

INSTANTIATE_TEST_SUITE_P(Machines, KernelOfAnyFlags, testing::ValuesIn(find_flag_machines()),
                         [](const auto& param_info) {
                           std::string name = fs::relative(config(param_info.param), kSource).string();
                           for (char& c : name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return name;
                         });

}  // namespace
}  // namespace rodeo::codegen
