// SPDX-License-Identifier: MIT
// Kernels of machines in space, compiled and loaded, and what the tests know of rotations themselves: nothing of it is the kernel's.
#pragma once
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cstdlib>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "engine/kernel/kernel.h"
#include "kinematics/codegen/spatial_kernel.h"
#include "kinematics/text/yaml.h"
#include "tests/kernel/build_kernel.h"

namespace rodeo::spatial_kernel {

using Eigen::Vector3d;
using engine::KernelStatus;
using engine::testing_support::read_file;
using engine::testing_support::TemporaryFolder;
using engine::testing_support::write_file;

constexpr double kPi = 3.14159265358979323846;

/// v turned by the unit quaternion (w, u): v + 2w u×v + 2u×(u×v).
inline Vector3d turn(const Eigen::Vector4d& q, const Vector3d& v) {
  const Vector3d u = q.tail<3>();
  return v + 2 * q[0] * u.cross(v) + 2 * u.cross(u.cross(v));
}

class Moving {
 public:
  /// `written_out` false: as a machine that is too large for that.
  explicit Moving(const spatial::Machine& machine, bool written_out = true) : machine_(machine) {
    const spatial::Assembly start = spatial::build_start_pose(machine);
    const codegen::Kernel kernel =
        codegen::build_spatial_kernel(machine, start, spatial::calc_mobility(machine, start));
    static const std::regex size("#define N_FLAT [0-9]+");
    write_file(folder_ / "kernel.c", written_out
                                         ? kernel.text.source
                                         : std::regex_replace(kernel.text.source, size, "#define N_FLAT 0"));
    write_file(folder_ / "rodeo_kernel.h", read_file(RODEO_SOURCE_DIR "/engine/kernel/rodeo_kernel.h"));
    codegen::compile_kernel(folder_.path().string());
    instance_ =
        std::make_unique<engine::Instance>(engine::Kernel::build_from_file((folder_ / "kernel.so").string()));
    outputs_.resize(this->kernel().output_count());
    loads_.resize(this->kernel().load_count());
    inputs_.resize(this->kernel().input_count());
    EXPECT_EQ(instance_->try_init({}, this->kernel().start_drives()), KernelStatus::ok);
  }

  [[nodiscard]] const engine::Kernel& kernel() const { return instance_->kernel(); }
  [[nodiscard]] engine::Instance& instance() { return *instance_; }

  /// Position, rate and acceleration of each drive.
  KernelStatus step(const std::vector<double>& drives) { return instance_->try_step(drives, outputs_); }
  /// A period of a machine that nobody drives.
  void move(double period) {
    ASSERT_EQ(instance_->try_free({}, inputs_, period, RODEO_RK4), KernelStatus::ok);
    ASSERT_EQ(instance_->try_step({}, outputs_), KernelStatus::ok);
    inputs_[0] += period;
  }
  [[nodiscard]] std::vector<double>& outputs() { return outputs_; }

  [[nodiscard]] double output(const std::string& name) const {
    return outputs_.at(find(kernel().outputs(), name));
  }
  [[nodiscard]] Vector3d triple(const std::string& name) const {
    return {output(name + "x"), output(name + "y"), output(name + "z")};
  }
  /// Where a point of a body is, from its origin and quaternion.
  [[nodiscard]] Vector3d place(const std::string& body, const Vector3d& p) const {
    return triple(body + ".origin.") + turn(quaternion(body), p);
  }
  [[nodiscard]] Eigen::Vector4d quaternion(const std::string& body) const {
    return {output(body + ".qw"), output(body + ".qx"), output(body + ".qy"), output(body + ".qz")};
  }
  double load(const std::string& name) {
    EXPECT_EQ(instance_->try_loads(outputs_, inputs_, loads_), KernelStatus::ok);
    return loads_.at(find(kernel().loads(), name));
  }
  [[nodiscard]] double residual() {
    std::vector<double> states(kernel().state_count());
    instance_->get_state(states);
    double largest = HUGE_VAL;
    EXPECT_EQ(instance_->try_closure(states, largest), KernelStatus::ok);
    return largest;
  }

 private:
  static std::size_t find(std::span<const rodeo_channel> channels, const std::string& name) {
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (channels[i].name == name) return i;
    }
    ADD_FAILURE() << "no channel " << name;
    return 0;
  }

  spatial::Machine machine_;
  TemporaryFolder folder_;
  std::unique_ptr<engine::Instance> instance_;
  std::vector<double> outputs_, loads_, inputs_;
};

inline spatial::Machine build_config(const std::string& name,
                                     const std::vector<std::string>& overrides = {}) {
  return spatial::build_machine_from_file(RODEO_SOURCE_DIR "/configs/spatial/" + name + ".yaml", overrides);
}
inline spatial::Machine build_text(const std::string& yaml) {
  return spatial::build_machine(text::build_yaml_from_text(yaml, "test.yaml"), "test.yaml");
}

/// A nut on a screw along z, 0.01 m a turn, driven by its `angle` or its `slide`.
inline spatial::Machine build_jack(const std::string& motion) {
  return build_text(R"(
name: jack
ground: {points: {O: [0, 0, 0]}}
bodies:
  nut: {points: {O: [0, 0, 0]}}
joints:
  - {screw: [ground.O, nut.O], axis: [0, 0, 1], pitch: 0.01, name: thread}
outputs: {nut: nut.O}
drives: {thread: {joint: thread, motion: )" +
                    motion + "}}\n");
}

}  // namespace rodeo::spatial_kernel
