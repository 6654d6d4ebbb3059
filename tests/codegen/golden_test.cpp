// SPDX-License-Identifier: MIT
// Golden trajectories: tests/golden/<machine>.csv, made by the oracle and never by a kernel:
//     RODEO_WRITE_GOLDEN=1 build/tests/rodeo_tests_codegen --gtest_filter='*Golden*'
// Columns: t, the drives' positions, x, y and angle of every body, x and y of every output; 12 significant digits. The drives
// are rounded first, so that the rest belongs to what stands in the file.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/codegen/compare.h"
#include "tests/codegen/cycle.h"
#include "tests/codegen/drive_path.h"

namespace rodeo::codegen {
namespace {

constexpr int kRows = 200;
constexpr double kRowPeriod = 0.08;  // seconds

std::string digits(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.12g", value);
  return text.data();
}

fs::path golden_file(const std::string& machine) {
  return kSource / "tests/golden" / (fs::path(machine).stem().string() + ".csv");
}

std::string header_of(const machine::Machine& m) {
  std::string line = "t";
  for (const machine::Drive& drive : m.drives) line += "," + drive.name;
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    const std::string& name = m.bodies[b].name;
    line += "," + name + ".origin.x," + name + ".origin.y," + name + ".angle";
  }
  for (const machine::Output& output : m.outputs) line += "," + output.name + ".x," + output.name + ".y";
  return line;
}

/// The start values that the file's own angles give come from the built model; all else from the oracle.
void write_golden(const std::string& file) {
  const reference::AbsoluteOracle oracle(machine::build_machine_from_file(file));
  const machine::Machine& m = oracle.machine();
  const rodeo_kernel* k = load_kernel(fs::path(built_folder(file)) / "kernel.so");
  const DrivePath path(m, start_drives(k), oracle.calc_size(), 1.0);
  fs::create_directories(golden_file(file).parent_path());
  std::ofstream csv(golden_file(file));
  csv << header_of(m) << "\n";
  reference::Motion motion;
  ASSERT_TRUE(oracle.try_start(path.at(0).position, motion.q));
  for (int row = 0; row < kRows; ++row) {
    for (int i = 1; i <= 4; ++i)  // continuation in between
      ASSERT_TRUE(
          oracle.try_close(path.at(kRowPeriod * (row - 1 + 0.25 * i) * (row > 0)).position, motion.q));
    std::vector<double> positions;
    std::string line = digits(kRowPeriod * row);
    for (const double p : path.at(kRowPeriod * row).position) {
      positions.push_back(std::stod(digits(p)));
      line += "," + digits(p);
    }
    ASSERT_TRUE(oracle.try_close(positions, motion.q));
    motion.v = motion.a = reference::Vector::Zero(motion.q.size());
    for (Eigen::Index i = 0; i < motion.q.size(); ++i) line += "," + digits(static_cast<double>(motion.q[i]));
    for (const machine::Output& output : m.outputs) {
      const reference::PointMotion point = oracle.calc_point(motion, output.point);
      line += "," + digits(static_cast<double>(point.p.x())) + "," + digits(static_cast<double>(point.p.y()));
    }
    csv << line << "\n";
  }
}

class GoldenTrajectory : public testing::TestWithParam<std::string> {};

/// 12 digits round by 5e-13 of a value; the kernel must be nearer than 1e-10 of a metre, a radian, or the value.
TEST_P(GoldenTrajectory, IsMatchedByTheKernel) {
  if (std::getenv("RODEO_WRITE_GOLDEN") != nullptr) write_golden(GetParam());
  std::ifstream csv(golden_file(GetParam()));
  ASSERT_TRUE(csv) << "no " << golden_file(GetParam()) << ": make it with RODEO_WRITE_GOLDEN=1";
  const rodeo_kernel* k = load_kernel(fs::path(built_folder(GetParam())) / "kernel.so");
  std::string line, cell;
  std::getline(csv, line);
  std::istringstream head(line);
  std::vector<std::string> names;
  while (std::getline(head, cell, ',')) names.push_back(cell);
  Instance instance(k);
  ASSERT_EQ(instance.init(), RODEO_OK);
  std::vector<double> outputs, last = start_drives(k);
  int rows = 0;
  double largest = 0.0;
  while (std::getline(csv, line)) {
    std::istringstream cells(line);
    std::vector<double> values;
    while (std::getline(cells, cell, ',')) values.push_back(std::stod(cell));
    ASSERT_EQ(values.size(), names.size());
    for (int i = 1; i <= 80; ++i) {  // iterated blocks follow 1 kHz
      std::vector<double> drives;
      for (std::size_t d = 0; d < k->n_drives; ++d)
        drives.insert(drives.end(),
                      {i == 80 ? values[1 + d] : last[d] + (values[1 + d] - last[d]) * i / 80, 0.0, 0.0});
      ASSERT_EQ(instance.step(drives, outputs), RODEO_OK) << "row " << rows;
    }
    last.assign(values.begin() + 1, values.begin() + 1 + k->n_drives);
    for (std::size_t c = 1 + k->n_drives; c < values.size(); ++c) {
      const double error =
          std::abs(outputs[find_output(k, names[c])] - values[c]) / std::max(1.0, std::abs(values[c]));
      ASSERT_LE(error, 1e-10) << names[c] << " at t = " << values[0];
      largest = std::max(largest, error);
    }
    ++rows;
  }
  EXPECT_EQ(rows, kRows);
  std::printf("  largest error %.1e\n", largest);
}

INSTANTIATE_TEST_SUITE_P(Machines, GoldenTrajectory, testing::ValuesIn(find_machines({"configs"})),
                         machine_name);

}  // namespace
}  // namespace rodeo::codegen
