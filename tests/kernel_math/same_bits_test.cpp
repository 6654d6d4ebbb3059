// SPDX-License-Identifier: MIT
// The header as C: no warnings, no C library, and the same bits whatever compiles it and whatever it runs on.
#include <gtest/gtest.h>

#include <unistd.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "tests/kernel_math/hash_bits.h"

namespace rodeo::kernel_math {
namespace {

const std::string kFlags =
    " -std=c99 -Wall -Wextra -Werror -pedantic -Wconversion -ffp-contract=off -I'" RODEO_SOURCE_DIR "' ";

std::string run(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  std::string text;
  std::array<char, 256> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;)
    text.append(buffer.data(), n);
  return text;
}

class SameBits : public testing::Test {
 protected:
  SameBits() : folder_(std::filesystem::temp_directory_path() / ("rodeo_math_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "hash.c") << "#include <stdio.h>\n#include \"tests/kernel_math/hash_bits.h\"\n"
                                         "int main(void) {\n"
                                         "  printf(\"%llu\", (unsigned long long)rodeo_hash_bits());\n"
                                         "  return 0;\n}\n";
    std::ofstream(folder_ / "unused.c") << "#include \"engine/kernel/rodeo_math.h\"\nint x;\n";
  }
  ~SameBits() override { std::filesystem::remove_all(folder_); }

  /// Without -lm: a call of the C library's functions would not link.
  std::string hash(const std::string& compiler, const std::string& environment = "") const {
    const std::string program = (folder_ / "hash").string();
    const std::string command = compiler + kFlags + "-o '" + program + "' '" + program + ".c'";
    if (std::system(command.c_str()) != 0) return "does not compile: " + command;
    return run(environment + " '" + program + "'");
  }

  std::filesystem::path folder_;
};

bool has(const std::string& compiler) { return !run("command -v " + compiler).empty(); }

const std::string& expected() {
  static const std::string kHash = std::to_string(rodeo_hash_bits());
  return kHash;
}

TEST_F(SameBits, FromGccWithAndWithoutOptimisation) {
  if (!has("gcc")) GTEST_SKIP() << "no gcc";
  EXPECT_EQ(hash("gcc -O0"), expected());
  EXPECT_EQ(hash("gcc -O2"), expected());
  EXPECT_EQ(hash("gcc -O3 -march=native"), expected());
}

TEST_F(SameBits, FromClangWithAndWithoutOptimisation) {
  if (!has("clang")) GTEST_SKIP() << "no clang";
  EXPECT_EQ(hash("clang -O0"), expected());
  EXPECT_EQ(hash("clang -O3 -march=native"), expected());
}

TEST_F(SameBits, WithoutTheFmaVariantsOfTheCLibrary) {
  if (!has("gcc")) GTEST_SKIP() << "no gcc";
  EXPECT_EQ(hash("gcc -O2", "GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2"), expected());
}

TEST_F(SameBits, CompilesInSilenceWhenNothingOfItIsUsed) {
  for (const std::string compiler : {"gcc", "clang"}) {
    if (!has(compiler)) continue;
    const std::string command =
        compiler + kFlags + "-c -o /dev/null '" + (folder_ / "unused.c").string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
  }
}

}  // namespace
}  // namespace rodeo::kernel_math
