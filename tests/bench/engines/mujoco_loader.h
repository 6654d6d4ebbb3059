// SPDX-License-Identifier: MIT
// The driven loader in MuJoCo: a tree of hinges and two `connect` constraints, as stiff as the time step allows. The drives
// are imposed in the way that is cheapest and most exact here: their hinges get an inertia against which the linkage does
// not count, the force of their acceleration, and their exact position and rate at every tick. As the kernel does, a tick
// gives poses, velocities and accelerations of all bodies.
#pragma once
#include <fmt/format.h>
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "tests/bench/engines/engine_run.h"

namespace loader {

class MujocoLoader {
 public:
  explicit MujocoLoader(double tolerance)
      : model_(build_model(), mj_deleteModel), data_(nullptr, mj_deleteData) {
    model_->opt.tolerance = tolerance;
    data_.reset(mj_makeData(model_.get()));
    set_start();
  }

  void advance(int tick) {
    impose(engine_motion()[static_cast<std::size_t>(tick - 1)]);
    mj_step(model_.get(), data_.get());
    mj_rnePostConstraint(model_.get(), data_.get());  // accelerations of the bodies
  }
  [[nodiscard]] double closure_error() {
    mj_kinematics(model_.get(), data_.get());
    return std::max(distance(0, 1), distance(2, 3));
  }
  /// Angles of hinges add up along the tree: boom, then bucket.
  [[nodiscard]] double bucket_angle() const {
    return start_[5] + data_->qpos[joint("boom")] + data_->qpos[joint("bucket")];
  }

 private:
  using Model = std::unique_ptr<mjModel, void (*)(mjModel*)>;
  using Data = std::unique_ptr<mjData, void (*)(mjData*)>;

  /// Inertia of a driven hinge, kg m²; the linkage has about 10³.
  static constexpr double kArmature = 1e10;

  void impose(const Drives& drives) {
    for (int d = 0; d < 2; ++d) {
      data_->qpos[driven_[d]] = drives[3 * d] - start_[d];
      data_->qvel[driven_[d]] = drives[3 * d + 1];
      data_->qfrc_applied[driven_[d]] = kArmature * drives[3 * d + 2];
    }
  }

  /// A body at a point of its parent, turned by `angle` against it in the start pose, where all hinges are at 0.
  static std::string body(const char* name, Vec at, double angle, const std::string& inside,
                          double armature = 0) {
    return fmt::format(
        "<body name='{0}' pos='{1:.17g} {2:.17g} 0' euler='0 0 {3:.17g}'><joint name='{0}' axis='0 0 1' "
        "armature='{5}'/>"
        "<inertial pos='0.3 0 0' mass='100' diaginertia='20 20 20'/>{4}</body>",
        name, at.x, at.y, angle, inside, armature);
  }
  static std::string site(const char* name, Vec at) {
    return fmt::format("<site name='{}' pos='{:.17g} {:.17g} 0'/>", name, at.x, at.y);
  }
  static std::string build_xml() {
    const auto q = find_start_angles();
    const Closure pins;
    const std::string front = body("front", {kFx, kFy}, q[4] - q[3], site("front_K", pins.front_K));
    const std::string lever = body("lever", {kEx, kEy}, q[3] - q[0], site("lever_S", pins.lever_S) + front);
    const std::string bucket = body("bucket", {kBoom, 0}, q[5] - q[0], site("bucket_K", pins.bucket_K));
    const std::string rear = body("rear", {kTilt, 0}, q[2] - q[1], site("rear_S", pins.rear_S));
    const std::string stiff = "solref='0.002 1' solimp='0.9999 0.9999 0.001'";
    const std::string options =
        "solver='Newton' jacobian='dense' iterations='20'><flag contact='disable' gravity='disable' "
        "limit='disable' frictionloss='disable' passive='disable' actuation='disable'/";
    const std::string closures = fmt::format(
        "<connect body1='rear' body2='lever' anchor='{0:.17g} 0 0' {2}/>"
        "<connect body1='front' body2='bucket' anchor='{1:.17g} 0 0' {2}/>",
        kRear, kFront, stiff);
    return fmt::format(
        "<mujoco><compiler angle='radian'/><option timestep='{}' {}></option>"
        "<worldbody>{}{}</worldbody><equality>{}</equality></mujoco>",
        kTick, options, body("boom", {kAx, kAy}, q[0], lever + bucket, kArmature),
        body("tilt", {kDx, kDy}, q[1], rear, kArmature), closures);
  }
  static mjModel* build_model() {
    const std::string path = fmt::format("/tmp/rodeo_bench_{}.xml", getpid());
    FILE* file = std::fopen(path.c_str(), "w");
    if (file == nullptr) throw std::runtime_error("cannot write " + path);
    std::fputs(build_xml().c_str(), file);
    std::fclose(file);
    char message[500] = "";
    mjModel* model = mj_loadXML(path.c_str(), nullptr, message, sizeof message);
    std::remove(path.c_str());
    if (model == nullptr) throw std::runtime_error(message);
    return model;
  }

  [[nodiscard]] int joint(const char* name) const {
    return model_->jnt_qposadr[mj_name2id(model_.get(), mjOBJ_JOINT, name)];
  }
  [[nodiscard]] double distance(int a, int b) const {
    const char* names[] = {"rear_S", "lever_S", "front_K", "bucket_K"};
    const double* p = data_->site_xpos + 3 * mj_name2id(model_.get(), mjOBJ_SITE, names[a]);
    const double* q = data_->site_xpos + 3 * mj_name2id(model_.get(), mjOBJ_SITE, names[b]);
    return std::hypot(p[0] - q[0], p[1] - q[1]);
  }
  /// At the rates of the motion, so that it does not begin with a jerk.
  void set_start() {
    start_ = find_start_angles();
    driven_ = {joint("boom"), joint("tilt")};
    std::array<double, 4> previous{start_[2], start_[3], start_[4], start_[5]};
    std::array<double, kOutputs> out{};
    static_cast<void>(step(find_drives(0.0).data(), previous.data(), out.data()));
    const auto rate = [&](int body) { return out[body * kBody + 1]; };
    const std::pair<const char*, double> rates[] = {{"boom", rate(0)},
                                                    {"tilt", rate(1)},
                                                    {"rear", rate(2) - rate(1)},
                                                    {"lever", rate(3) - rate(0)},
                                                    {"front", rate(4) - rate(3)},
                                                    {"bucket", rate(5) - rate(0)}};
    for (const auto& [name, value] : rates) data_->qvel[joint(name)] = value;
  }

  Model model_;
  Data data_;
  std::array<double, 6> start_{};
  std::array<int, 2> driven_{};
};

}  // namespace loader
