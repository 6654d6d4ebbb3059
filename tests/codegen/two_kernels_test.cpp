// SPDX-License-Identifier: MIT
// Several kernels in one program: each has a getter of its own, keeps to its own numbers, and knows its own saved bytes.
#include <gtest/gtest.h>

#include "tests/codegen/built_kernel.h"

namespace rodeo::codegen {
namespace {

/// Steps every machine that GETTERS lists, in turns, and prints the sum of its outputs' bits; saved bytes go back into their own
/// kernel and are refused by the next one.
constexpr const char* kDriver = R"(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rodeo_kernel.h"
DECLARATIONS
static const rodeo_kernel* (*const getters[])(void) = {GETTERS};
enum { kCount = sizeof getters / sizeof *getters };

int main(void) {
  void* machine[kCount];
  unsigned long long hash[kCount] = {0};
  for (int m = 0; m < kCount; ++m) {
    const rodeo_kernel* k = getters[m]();
    machine[m] = malloc(k->instance_bytes);
    if (k->init(machine[m], k->default_parameters, k->start_drives) != RODEO_OK) return 1;
  }
  for (int i = 0; i < 1000; ++i) {
    for (int m = 0; m < kCount; ++m) {
      const rodeo_kernel* k = getters[m]();
      double drives[64], outputs[4096];
      for (unsigned d = 0; d < k->n_drives; ++d) {
        drives[3 * d] = k->start_drives[d] + 1e-5 * i * (d % 2 ? -1 : 1);
        drives[3 * d + 1] = 0.01;
        drives[3 * d + 2] = 0;
      }
      if (k->step(machine[m], drives, outputs) != RODEO_OK) return 2;
      for (unsigned o = 0; o < k->n_outputs; ++o) {
        unsigned long long bits;
        memcpy(&bits, &outputs[o], 8);
        hash[m] = (hash[m] ^ bits) * 0x100000001b3ULL;
      }
    }
  }
  for (int m = 0; m < kCount; ++m) {
    const rodeo_kernel* k = getters[m]();
    const rodeo_kernel* other = getters[(m + 1) % kCount]();
    unsigned char* bytes = malloc(k->state_bytes + other->state_bytes);
    memset(bytes, 0, k->state_bytes + other->state_bytes);
    k->save(machine[m], bytes);
    if (k->restore(machine[m], bytes) != RODEO_OK) return 3;
    if (kCount > 1 && other->restore(machine[(m + 1) % kCount], bytes) == RODEO_OK) return 4;
    printf("%s %016llx\n", k->name, hash[m]);
    free(bytes);
  }
  return 0;
}
)";

const std::string kFlags = " -std=c99 -O2 -Wall -Wextra -Werror -pedantic -ffp-contract=off ";

class TwoKernels : public testing::Test {
 protected:
  /// The kernel of a machine as NAME.c.
  void put(const std::string& machine) const {
    const std::string name = fs::path(machine).filename().string();
    const fs::path built = built_folder(config(machine));
    fs::copy_file(built / "kernel.c", folder_.path() / (name + ".c"));
    fs::copy_file(built / "rodeo_kernel.h", folder_.path() / "rodeo_kernel.h",
                  fs::copy_options::overwrite_existing);
  }
  /// What the program of these getters and C files prints, or what the compiler says.
  [[nodiscard]] std::string print(const std::vector<std::string>& getters, const std::string& files) const {
    std::string text = kDriver, declarations, list;
    for (const std::string& getter : getters) {
      declarations += "const rodeo_kernel* " + getter + "(void);\n";
      list += getter + ", ";
    }
    text.replace(text.find("DECLARATIONS"), 12, declarations);
    text.replace(text.find("{GETTERS}"), 9, "{" + list + "}");
    std::ofstream(folder_.path() / "main.c") << text;
    const std::string in = "cd '" + folder_.path().string() + "' && ";
    const std::string said = run(in + "cc" + kFlags + files + " main.c -o program -lm");
    return said.empty() ? run(in + "./program || echo status $?") : said;
  }

  TemporaryFolder folder_;
};

TEST_F(TwoKernels, FitIntoOneProgramAndStepAsEachAlone) {
  std::string alone;
  for (const std::string machine : {"four_bar", "wheel_loader", "spatial/rssr"}) {
    put(machine);
    const std::string name = fs::path(machine).filename().string();
    alone += print({"rodeo_kernel_get"}, name + ".c");
  }
  EXPECT_EQ(std::count(alone.begin(), alone.end(), '\n'), 3) << alone;
  EXPECT_EQ(alone.find("status"), std::string::npos) << alone;
  EXPECT_EQ(print({"rodeo_kernel_get_four_bar", "rodeo_kernel_get_wheel_loader", "rodeo_kernel_get_rssr"},
                  "four_bar.c wheel_loader.c rssr.c"),
            alone);
}

/// Two variants of one machine have one name: the second gets another from the command line.
TEST_F(TwoKernels, OfOneNameAreToldApartByADefinition) {
  put("four_bar");
  const std::string in = "cd '" + folder_.path().string() + "' && ";
  ASSERT_EQ(run(in + "cc" + kFlags + "-DRODEO_KERNEL_GETTER=second -c four_bar.c -o second.o"), "");
  const std::string both = print({"rodeo_kernel_get_four_bar", "second"}, "four_bar.c second.o");
  EXPECT_EQ(both, "status 4\n") << "the same model, which knows the other's bytes";
}

}  // namespace
}  // namespace rodeo::codegen
