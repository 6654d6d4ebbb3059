// SPDX-License-Identifier: MIT
// Folded kernels against flat ones of the same machine: the same bits from every function; small machines stay flat.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "kinematics/codegen/build.h"
#include "kinematics/codegen/kernel_frame.h"
#include "kinematics/text/yaml.h"
#include "tests/codegen/built_kernel.h"

namespace rodeo::codegen {
namespace {

std::string windows(int n) { return run(fmt::format("'{}/tools/windows' {}", RODEO_SOURCE_DIR, n)); }

/// n cranks, each with a plate on three links (tests/machines/triad.yaml), side by side.
std::string triads(int n) {
  std::string points, bodies, joints, drives, start;
  for (int i = 0; i < n; ++i) {
    points += fmt::format("O{0}: [{1}, 0], P{0}: [{1}+1.2, -0.5], Q{0}: [{1}+2.2, 0.2], ", i, 5 * i);
    bodies += fmt::format(
        "  crank{0}: {{points: {{O: [0, 0], A: [0.3, 0]}}}}\n  link{0}a: {{points: {{A: [0, 0], D: [1.0, "
        "0]}}}}\n"
        "  link{0}b: {{points: {{P: [0, 0], E: [1.2, 0]}}}}\n  link{0}c: {{points: {{Q: [0, 0], F: [1.1, "
        "0]}}}}\n"
        "  plate{0}: {{points: {{D: [0, 0], E: [0.7, 0], F: [1.3, 0.5]}}}}\n",
        i);
    joints += fmt::format(
        "  - {{revolute: [ground.O{0}, crank{0}.O]}}\n  - {{revolute: [crank{0}.A, link{0}a.A]}}\n"
        "  - {{revolute: [ground.P{0}, link{0}b.P]}}\n  - {{revolute: [ground.Q{0}, link{0}c.Q]}}\n"
        "  - {{revolute: [link{0}a.D, plate{0}.D]}}\n  - {{revolute: [link{0}b.E, plate{0}.E]}}\n"
        "  - {{revolute: [link{0}c.F, plate{0}.F]}}\n",
        i);
    drives += fmt::format("  crank{0}: {{angle: crank{0}}}\n", i);
    start +=
        fmt::format("  crank{0}: 50 deg\n  link{0}a: 65 deg\n  link{0}b: 80 deg\n  link{0}c: 95 deg\n", i) +
        fmt::format("  plate{}: -5 deg\n", i);
  }
  points.resize(points.size() - 2);
  return "name: triads\nground: {points: {" + points + "}}\nbodies:\n" + bodies + "joints:\n" + joints +
         "drives:\n" + drives + "start:\n" + start;
}

Kernel build(const machine::Machine& machine, Folding folding) {
  const machine::Assembly start = machine::build_start_pose(machine);
  return build_kernel(machine, start, machine::calc_mobility(machine, start), folding);
}

/// The same machine folded and flat, loaded.
struct Both {
  explicit Both(const std::string& yaml) {
    const machine::Machine machine =
        machine::build_machine(text::build_yaml_from_text(yaml, "m.yaml"), "m.yaml");
    folded = load(build(machine, Folding::always), "folded");
    flat = load(build(machine, Folding::never), "flat");
  }

  const rodeo_kernel* load(const Kernel& kernel, const std::string& name) {
    const fs::path where = folder.path() / name;
    fs::create_directories(where);
    std::ofstream(where / "kernel.c") << kernel.text.source;
    std::ofstream(where / "rodeo_kernel.h") << kernel_header();
    compile_kernel(where.string());
    return load_kernel(where / "kernel.so");
  }

  [[nodiscard]] std::string text(const std::string& name) const {
    return read_text(folder.path() / name / "kernel.c");
  }

  TemporaryFolder folder;
  const rodeo_kernel *folded = nullptr, *flat = nullptr;
};

std::string body_of(const std::string& source, const std::string& function) {
  const std::size_t begin = source.find("static int " + function + "(");
  return source.substr(begin, source.find("\n}\n", begin) - begin);
}

std::size_t count_loops(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find("for (int i = 0;"); at != std::string::npos;
       at = text.find("for (int i = 0;", at + 1))
    ++count;
  return count;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

std::vector<double> swing(const rodeo_kernel* k, int i) {
  std::vector<double> drives(3 * k->n_drives);
  for (std::size_t d = 0; d < k->n_drives; ++d) {
    const double pace = 0.003 * (1.0 + 0.1 * static_cast<double>(d));
    drives[3 * d] = k->start_drives[d] + 0.4 * std::sin(pace * i);
    drives[3 * d + 1] = 0.4 * pace * 1000 * std::cos(pace * i);
    drives[3 * d + 2] = -0.4 * pace * pace * 1e6 * std::sin(pace * i);
  }
  return drives;
}

/// All functions of both at one pose.
void compare_at(Instance& a, Instance& b, const std::vector<double>& drives, int i) {
  std::vector<double> x, y;
  ASSERT_EQ(a.step(drives, x), RODEO_OK) << i;
  ASSERT_EQ(b.step(drives, y), RODEO_OK) << i;
  ASSERT_TRUE(same_bits(x, y)) << "step " << i;
  ASSERT_TRUE(same_bits(a.state(), b.state())) << "states " << i;
  ASSERT_EQ(a.margin(), b.margin()) << i;
  ASSERT_EQ(a.closure(), b.closure()) << i;
  std::vector<double> rates(a.k->n_drives, 0.3), both(2 * a.k->n_drives, 0.7);
  std::vector<double> p(a.k->n_states), q(a.k->n_states);
  ASSERT_EQ(a.k->derivatives(a.memory.data(), a.state().data(), rates.data(), p.data()), RODEO_OK);
  ASSERT_EQ(b.k->derivatives(b.memory.data(), b.state().data(), rates.data(), q.data()), RODEO_OK);
  ASSERT_TRUE(same_bits(p, q)) << "derivatives " << i;
  ASSERT_EQ(a.k->poses(a.memory.data(), both.data(), x.data()), RODEO_OK);
  ASSERT_EQ(b.k->poses(b.memory.data(), both.data(), y.data()), RODEO_OK);
  ASSERT_TRUE(same_bits(x, y)) << "poses " << i;
}

void compare_over_swing(const Both& both, int poses) {
  Instance a(both.flat), b(both.folded);
  ASSERT_EQ(a.init(), RODEO_OK);
  ASSERT_EQ(b.init(), RODEO_OK);
  ASSERT_TRUE(same_bits(a.memory, b.memory)) << "the whole instance: parameters, derived, states, margins";
  for (int i = 1; i <= poses; ++i) {
    compare_at(a, b, swing(both.flat, i), i);
    if (testing::Test::HasFatalFailure()) return;
  }
}

class FoldedWindows : public testing::Test {
 protected:
  static const Both& both() {
    static const Both kBoth(windows(24));
    return kBoth;
  }
};

TEST_F(FoldedWindows, AreLoopsInEveryFunction) {
  for (const std::string function : {"prepare", "advance", "derive", "close_loops", "show"}) {
    EXPECT_GE(count_loops(body_of(both().text("folded"), function)), 1U) << function;
    EXPECT_EQ(count_loops(body_of(both().text("flat"), function)), 0U) << function;
  }
}

TEST_F(FoldedWindows, GiveTheSameBitsFromEveryFunction) { compare_over_swing(both(), 2000); }

TEST_F(FoldedWindows, GiveTheSameBitsWithOtherParameters) {
  Instance a(both().flat), b(both().folded);
  ASSERT_EQ(a.init({1.37}, {1.1}), RODEO_OK);
  ASSERT_EQ(b.init({1.37}, {1.1}), RODEO_OK);
  EXPECT_TRUE(same_bits(a.memory, b.memory));
}

/// All windows are flat together where the legs lie down: there the step is refused, and nothing has changed.
TEST_F(FoldedWindows, LeaveEverythingUntouchedWhenTheyRefuse) {
  Instance instance(both().folded);
  ASSERT_EQ(instance.init(), RODEO_OK);
  const std::vector<double> before = instance.memory, marks(both().folded->n_outputs, 7.0);
  std::vector<double> outputs = marks;
  EXPECT_EQ(instance.step({1e-4, 0, 0}, outputs), RODEO_SINGULAR);
  EXPECT_EQ(instance.step({1e7, 0, 0}, outputs), RODEO_BAD_INPUT);
  EXPECT_TRUE(same_bits(instance.memory, before));
  EXPECT_TRUE(same_bits(outputs, marks));
}

TEST_F(FoldedWindows, CompileInSilenceEverywhere) {
  const std::string where = (both().folder.path() / "folded").string();
  for (const std::string compiler : {"gcc -O2", "gcc -O0", "gcc -O3", "clang -O2"}) {
    if (!has_program(compiler.substr(0, compiler.find(' ')))) continue;
    EXPECT_EQ(run("cd '" + where + "' && " + compiler +
                  " -std=c99 -Wall -Wextra -Werror -pedantic -ffp-contract=off -c kernel.c -o other.o"),
              "")
        << compiler;
  }
}

/// Blocks that iterate and systems that are solved at run time, ten times.
TEST(FoldedTriads, GiveTheSameBitsFromEveryFunction) {
  const Both both(triads(10));
  EXPECT_GE(count_loops(body_of(both.text("folded"), "advance")), 1U);
  EXPECT_LT(body_of(both.text("folded"), "advance").size(), body_of(both.text("flat"), "advance").size() / 3);
  compare_over_swing(both, 500);
}

class SmallMachine : public testing::TestWithParam<std::string> {};

TEST_P(SmallMachine, StaysFlat) {
  const machine::Machine machine = machine::build_machine_from_file(GetParam());
  EXPECT_EQ(build(machine, Folding::when_long).text.source, build(machine, Folding::never).text.source);
}

INSTANTIATE_TEST_SUITE_P(Machines, SmallMachine,
                         testing::ValuesIn(find_machines({"configs", "tests/machines"})), machine_name);

/// A loop that reads somebody else's value does not pass for the tape that it was made from.
TEST(CheckFolded, SeesALoopThatIsNotItsTape) {
  Tape tape;
  const auto add = [&](Code code, const std::vector<Operand>& operands, std::uint32_t values) {
    tape.instructions.push_back({code, static_cast<std::uint32_t>(tape.operands.size()),
                                 static_cast<std::uint32_t>(operands.size()), tape.values, values, 0});
    tape.operands.insert(tape.operands.end(), operands.begin(), operands.end());
    tape.values += values;
  };
  for (std::uint32_t i = 0; i < 40; ++i) {
    add(Code::multiply, {{Space::drive, false, i, 0.0}, {Space::number, false, 0, 1.0 + i}}, 1);
    add(Code::store, {{Space::output, false, 3 * i, 0.0}, {Space::value, false, i, 0.0}}, 0);
  }
  const Folded folded = fold(tape, Folding::always);
  ASSERT_EQ(folded.loops.size(), 1U);
  EXPECT_EQ(folded.loops[0].repeats, 40U);
  EXPECT_EQ(folded.work_size, 0U);
  const std::vector<std::function<void(Loop&)>> mistakes = {
      [](Loop& loop) { loop.accesses[0].stride = 2; },
      [](Loop& loop) { loop.numbers[0][7] = 0.5; },
      [](Loop& loop) { loop.accesses[2].first = 1; },
      [](Loop& loop) { loop.values = 2; },
  };
  for (const auto& mistake : mistakes) {
    Folded wrong = folded;
    mistake(wrong.loops[0]);
    EXPECT_THROW(check_folded(tape, wrong), std::logic_error);
  }
}

}  // namespace
}  // namespace rodeo::codegen
