// SPDX-License-Identifier: MIT
// The margin of a block that is iterated: smallest by largest singular value, as the kernel's own C computes it, against
// Eigen's.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <Eigen/SVD>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "kinematics/codegen/kernel_frame.h"

namespace rodeo::codegen {
namespace {

namespace fs = std::filesystem;
using Ratio = double (*)(int, double*);

/// The text that goes into kernels, compiled as they are.
class SingularRatio : public testing::Test {
 protected:
  SingularRatio() : folder_(fs::temp_directory_path() / ("rodeo_ratio_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "ratio.c")
        << "#include <math.h>\n"
        << kernel_math()
        << "double ratio(int n, double* a);\n"
           "double ratio(int n, double* a) { return rodeo_singular_ratio(n, a); }\n";
    const std::string base = (folder_ / "ratio").string();
    const std::string command =
        "cc -std=c99 -O2 -w -ffp-contract=off -fPIC -shared '" + base + ".c' -o '" + base + ".so' -lm";
    if (std::system(command.c_str()) != 0) return;
    library_ = dlopen((base + ".so").c_str(), RTLD_NOW);
    if (library_ != nullptr) ratio_ = reinterpret_cast<Ratio>(dlsym(library_, "ratio"));
  }
  ~SingularRatio() override {
    if (library_ != nullptr) dlclose(library_);
    fs::remove_all(folder_);
  }

  double ratio_of(const Eigen::MatrixXd& matrix) const {
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = matrix;
    return ratio_(static_cast<int>(matrix.rows()), rows.data());
  }

  fs::path folder_;
  void* library_ = nullptr;
  Ratio ratio_ = nullptr;
};

double expected(const Eigen::MatrixXd& matrix) {
  const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(matrix).singularValues();
  return values.minCoeff() / values.maxCoeff();
}

TEST_F(SingularRatio, IsThatOfEigen) {
  ASSERT_NE(ratio_, nullptr);
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int n = 1; n <= 8; ++n) {
    for (int i = 0; i < 200; ++i) {
      Eigen::MatrixXd matrix(n, n);
      for (double& value : matrix.reshaped()) value = normal(random);
      if (i % 4 == 0) matrix.col(n - 1) = matrix.col(0) * 0.7 + 1e-3 * matrix.col(n - 1);  // nearly singular
      EXPECT_NEAR(ratio_of(matrix), expected(matrix), 1e-12) << matrix;
    }
  }
}

TEST_F(SingularRatio, IsNilForAMatrixThatIsSingular) {
  ASSERT_NE(ratio_, nullptr);
  Eigen::MatrixXd matrix(3, 3);
  matrix << 1, 2, 3, 2, 4, 6, 1, 0, 1;
  EXPECT_NEAR(ratio_of(matrix), 0.0, 1e-15);
  EXPECT_EQ(ratio_of(Eigen::MatrixXd::Zero(3, 3)), 0.0);
}

}  // namespace
}  // namespace rodeo::codegen
