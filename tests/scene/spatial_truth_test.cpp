// SPDX-License-Identifier: MIT
// Pictures of a machine in space tell the truth: from the side, to scale, and through the orbiting camera. Where pins are comes from the
// log of the kernel; where they are in the picture is measured. Of the orbiting camera nothing is known here: a projection is fitted to
// the pins of every other pose and must show those between.
#include <Eigen/Dense>

#include "tests/scene/measured_picture.h"
#include "viz/feed/log_file.h"
#include "viz/scene/overlay_node.h"

namespace rodeo::viz {
namespace {

using namespace testing_support;
using Eigen::Vector3d;

constexpr double kTolerance = 1.5;  // pixels
constexpr double kMarkRadius = 3.5;
constexpr std::size_t kPoses = 24;

/// v turned by the quaternion w, x, y, z.
Vector3d turn(const Eigen::Vector4d& q, const Vector3d& v) {
  const Vector3d u = q.tail<3>();
  return v + 2 * q[0] * u.cross(v) + 2 * u.cross(u.cross(v));
}

/// configs/spatial/rssr.yaml, built and turned once around.
class SpatialPictures : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_build()) GTEST_SKIP() << "this build has no offline side: machines cannot be built";
    const std::string model = "'" RODEO_SOURCE_DIR "/configs/spatial/rssr.yaml'";
    const std::string program = "'" RODEO_PROGRAM "' ", at = temporary_.path().string();
    engine::testing_support::write_file(at + "/turn.csv", "t,crank\n0,0\n2,6.283185307179586\n");
    ASSERT_EQ(run(program + "build " + model + " -o " + at + "/built", at).status, 0);
    ASSERT_EQ(run(program + "simulate " + at + "/built --rate 100 --input " + at + "/turn.csv -o " + at +
                      "/log.csv",
                  at)
                  .status,
              0);
    log_ = std::make_unique<Table>(at + "/log.csv");
    json_ = nlohmann::ordered_json::parse(read_file(at + "/built/scene.json"));
    scene_ = build_scene(at + "/built");
    track_ = std::make_unique<Track>(build_track_from_log(at + "/log.csv", scene_));
  }

  /// In the machine's axes, from the log.
  [[nodiscard]] Vector3d place(const nlohmann::ordered_json& ref, std::size_t row) const {
    const std::string body = ref[0], point = ref[1];
    for (const auto& candidate : json_["bodies"]) {
      if (candidate["name"] != body) continue;
      const auto& p = candidate["points"][point];
      const Vector3d local(p[0], p[1], p[2]);
      if (body == "ground") return local;
      const auto number = [&](const char* part) { return log_->at(row, body + part); };
      return Vector3d(number(".origin.x"), number(".origin.y"), number(".origin.z")) +
             turn({number(".qw"), number(".qx"), number(".qy"), number(".qz")}, local);
    }
    ADD_FAILURE() << "no body " << body;
    return Vector3d::Zero();
  }

  [[nodiscard]] std::vector<std::size_t> rows() const {
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < kPoses; ++i) list.push_back(i * (log_->count() - 1) / kPoses);
    return list;
  }

  TemporaryFolder temporary_;
  std::unique_ptr<Table> log_;
  nlohmann::ordered_json json_;
  Scene scene_;
  std::unique_ptr<Track> track_;
};

/// z is up in this machine: the side camera shows x to the right and z up.
TEST_F(SpatialPictures, ShowEachPinToScaleFromTheSide) {
  const Frame frame = Frame::around({{-0.3, -0.4}, {1.1, 0.4}});
  ViewOptions options = build_options(frame);
  options.marks_pins = true;
  Shooting shooting(scene_, *track_, options);
  const auto& joints = json_["joints"];
  int measured = 0;
  for (const std::size_t row : rows()) {
    const Picture picture = shooting.take(row);
    std::vector<Point> wanted;
    for (const auto& joint : joints) {
      const Vector3d at = place(joint["second"], row);
      wanted.push_back(frame.pixel({at.x(), at.z()}));
    }
    for (std::size_t j = 0; j < joints.size(); ++j) {
      bool is_covered = false;
      for (std::size_t k = j + 1; k < joints.size(); ++k)
        is_covered |= distance(wanted[k], wanted[j]) < 2 * kMarkRadius + 1;
      if (is_covered) continue;
      const Spot spot = find_spot(picture, calc_mark_colour(j));
      ASSERT_GT(spot.pixels, 25);
      EXPECT_LT(distance(spot.centre, wanted[j]), kTolerance) << joints[j]["name"] << " in row " << row;
      ++measured;
    }
  }
  EXPECT_GT(measured, 60);
}

struct Seen {
  Vector3d at;
  Point pixel;
};

/// The 3×4 matrix P with (u, v, 1) ~ P (x, y, z, 1), by least squares.
Eigen::Matrix<double, 3, 4> fit_camera(const std::vector<Seen>& seen) {
  Eigen::MatrixXd A(2 * static_cast<Eigen::Index>(seen.size()), 12);
  A.setZero();
  for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(seen.size()); ++i) {
    const Seen& s = seen[static_cast<std::size_t>(i)];
    const Eigen::RowVector4d x(s.at.x(), s.at.y(), s.at.z(), 1);
    const double u = s.pixel.x / 500 - 1, v = s.pixel.y / 500 - 0.5;
    A.row(2 * i).segment<4>(0) = x;
    A.row(2 * i).segment<4>(8) = -u * x;
    A.row(2 * i + 1).segment<4>(4) = x;
    A.row(2 * i + 1).segment<4>(8) = -v * x;
  }
  const Eigen::VectorXd p = Eigen::JacobiSVD<Eigen::MatrixXd>(A, Eigen::ComputeFullV).matrixV().col(11);
  Eigen::Matrix<double, 3, 4> P;
  for (int r = 0; r < 3; ++r) P.row(r) = p.segment<4>(4 * r).transpose();
  return P;
}

Point project(const Eigen::Matrix<double, 3, 4>& P, const Vector3d& at) {
  const Vector3d h = P * at.homogeneous();
  return {500 * (h.x() / h.z() + 1), 500 * (h.y() / h.z() + 0.5)};
}

TEST_F(SpatialPictures, AreOneProjectionOfTheMachineThroughTheOrbitingCamera) {
  ViewOptions options = build_options(Frame{});
  options.camera = CameraKind::orbit;
  options.view.reset();
  options.marks_pins = true;
  Shooting shooting(scene_, *track_, options);
  const auto& joints = json_["joints"];
  std::vector<Seen> fitted, tested;
  std::size_t pose = 0;
  for (const std::size_t row : rows()) {
    const Picture picture = shooting.take(row);
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const Spot spot = find_spot(picture, calc_mark_colour(j));
      if (spot.pixels < 20) continue;  // behind another mark
      (pose % 2 == 0 ? fitted : tested).push_back({place(joints[j]["second"], row), spot.centre});
    }
    ++pose;
  }
  ASSERT_GT(fitted.size(), 30u);
  ASSERT_GT(tested.size(), 30u);
  Eigen::Matrix<double, 3, 4> P = fit_camera(fitted);
  double worst = 0;
  for (const Seen& s : tested) worst = std::max(worst, distance(project(P, s.at), s.pixel));
  EXPECT_LT(worst, kTolerance);
  RecordProperty("worst_pixels", std::to_string(worst));
  // What is seen lies before the camera, is not mirrored (rows right, down, ahead), and z of the machine points up.
  if ((P * tested[0].at.homogeneous()).z() < 0) P = -P;
  EXPECT_GT((P.leftCols<3>().determinant()), 0);
  const Vector3d middle(0.35, 0.3, 0);
  EXPECT_LT(project(P, middle + Vector3d(0, 0, 0.2)).y, project(P, middle).y - 20);
}

}  // namespace
}  // namespace rodeo::viz
