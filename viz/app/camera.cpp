// SPDX-License-Identifier: MIT
#include "viz/app/camera.h"

#include <algorithm>
#include <cmath>

namespace rodeo::viz {
namespace {

constexpr double kFieldOfView = 0.61;  // rad, vertical: 35 degrees
constexpr double kCabFieldOfView = 1.05;
constexpr double kMargin = 0.06;  // of the side camera's picture, all around

const osg::Vec3d kUp(0, 1, 0);

}  // namespace

CameraRig::CameraRig(const ViewOptions& options, const CameraHome& home)
    : home_(home), kind_(options.camera), channel_(options.channel) {
  if (options.view)
    view_ = Box2{(*options.view)[0], (*options.view)[1], (*options.view)[2], (*options.view)[3]};
  if (options.eye) home_.cab.set((*options.eye)[0], (*options.eye)[1], (*options.eye)[2]);
  reset();
}

void CameraRig::select(CameraKind kind) { kind_ = kind; }

void CameraRig::reset() {
  const Box2& box = home_.bounds;
  centre_.set((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2, home_.middle);
  const double across = std::max(box.x1 - box.x0, box.y1 - box.y0);
  const double radius = std::hypot(std::hypot(box.x1 - box.x0, box.y1 - box.y0) / 2, home_.half_width);
  azimuth_ = 0.62;
  elevation_ = home_.elevation;
  distance_ = std::max(radius, 0.35 * across) / std::sin(kFieldOfView / 2) * 0.86;
  zoom_ = 1;
  pan_.set(0, 0);
}

void CameraRig::turn(double right, double up) {
  if (kind_ == CameraKind::side) return shift(right, up);
  azimuth_ -= 3 * right;
  elevation_ = std::clamp(elevation_ - 3 * up, -1.5, 1.55);
}

void CameraRig::shift(double right, double up) {
  if (kind_ == CameraKind::side) {
    const double height = calc_side_box(1000, 1000).y1 - calc_side_box(1000, 1000).y0;
    pan_ -= osg::Vec2d(right * height, up * height);
    return;
  }
  const osg::Vec3d sideways(std::cos(azimuth_), 0, -std::sin(azimuth_));
  centre_ -= sideways * right * distance_ * 0.6 + kUp * up * distance_ * 0.6;
}

void CameraRig::zoom(double factor) {
  distance_ = std::clamp(distance_ / factor, 0.05, home_.world / 4);
  zoom_ = std::clamp(zoom_ * factor, 0.05, 100.0);
}

/// The box that is shown: it holds what is asked for and has the window's proportions, so that a metre is a metre both ways.
Box2 CameraRig::calc_side_box(int width, int height) const {
  Box2 box = view_.value_or(home_.bounds);
  const double margin = view_ ? 0 : kMargin;
  double w = (box.x1 - box.x0) * (1 + 2 * margin) / zoom_, h = (box.y1 - box.y0) * (1 + 2 * margin) / zoom_;
  const double aspect = static_cast<double>(width) / height;
  w = std::max(w, h * aspect);
  h = w / aspect;
  const double x = (box.x0 + box.x1) / 2 + pan_.x(), y = (box.y0 + box.y1) / 2 + pan_.y();
  return {x - w / 2, y - h / 2, x + w / 2, y + h / 2};
}

double CameraRig::calc_scale(int width, int height) const {
  const Box2 box = calc_side_box(width, height);
  return (box.x1 - box.x0) / width;
}

double CameraRig::calc_scale_there(int width, int height) const {
  if (kind_ == CameraKind::side) return calc_scale(width, height);
  const double usual = kind_ == CameraKind::cab ? kCabFieldOfView : kFieldOfView;
  return 2 * distance_ * std::tan(channel_.field_of_view.value_or(usual) / 2) / height;
}

void CameraRig::apply_side(osg::Camera& camera, int width, int height) const {
  const Box2 box = calc_side_box(width, height);
  const double back = home_.world / 2;
  camera.setProjectionMatrixAsOrtho(box.x0, box.x1, box.y0, box.y1, 1, 3 * back);
  camera.setViewMatrix(osg::Matrixd::translate(0, 0, -back));
}

void CameraRig::apply_perspective(osg::Camera& camera, int width, int height, const osg::Vec3d& eye,
                                  const osg::Vec3d& at) const {
  const double usual = kind_ == CameraKind::cab ? kCabFieldOfView : kFieldOfView;
  const double angle = channel_.field_of_view.value_or(usual);
  const double near = std::clamp(distance_ / 200, 0.02, home_.world / 400);
  camera.setProjectionMatrixAsPerspective(osg::RadiansToDegrees(angle), static_cast<double>(width) / height,
                                          near, 2.5 * home_.world);
  const auto& p = channel_.position;
  camera.setViewMatrix(osg::Matrixd::lookAt(eye, at, kUp) * osg::Matrixd::translate(-p[0], -p[1], -p[2]) *
                       osg::Matrixd::rotate(-channel_.yaw, 0, 1, 0) *
                       osg::Matrixd::rotate(-channel_.pitch, 1, 0, 0));
}

void CameraRig::apply(osg::Camera& camera, int width, int height, Vec3 target) const {
  camera.setViewport(0, 0, width, height);
  if (kind_ == CameraKind::side) return apply_side(camera, width, height);
  const osg::Vec3d point(target.x, target.y, target.z);
  if (kind_ == CameraKind::cab) {
    // Straight on, and down to the tool as far as a driver's head goes; level where channels share the horizon.
    const double up_to = channel_.is_level ? home_.cab.y() : 0.5 * (point.y() + home_.cab.y());
    const osg::Vec3d ahead(std::max(point.x(), home_.cab.x() + 2), up_to, home_.cab.z());
    return apply_perspective(camera, width, height, home_.cab, ahead);
  }
  const osg::Vec3d at = kind_ == CameraKind::follow ? point : centre_;
  const double distance = kind_ == CameraKind::follow ? 0.6 * distance_ : distance_;
  const osg::Vec3d away(std::cos(elevation_) * std::sin(azimuth_), std::sin(elevation_),
                        std::cos(elevation_) * std::cos(azimuth_));
  apply_perspective(camera, width, height, at + away * distance, at);
}

}  // namespace rodeo::viz
