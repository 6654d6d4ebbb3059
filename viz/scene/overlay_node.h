// SPDX-License-Identifier: MIT
// What is drawn over a machine to explain it: trails of output points, names of joints, frames of bodies, arrows of velocity, and marks
// on pins for measuring pictures. Never hidden by the machine.
#pragma once
#include <osg/Geometry>
#include <osg/Group>
#include <osg/MatrixTransform>
#include <osg/Switch>
#include <osg/ref_ptr>
#include <osgText/Text>

#include <array>
#include <cstdint>
#include <vector>

#include "viz/feed/track.h"
#include "viz/scene/name_places.h"
#include "viz/scene/trail_points.h"

namespace rodeo::viz {

struct OverlayOptions {
  std::vector<std::size_t> trails;  // outputs whose path is drawn
  bool by_speed = false;            // colour of the trails: else by time
  bool marks_pins = false;
  bool shows_names = false;
  bool shows_frames = false;
  bool shows_arrows = false;
};

/// The colour of the mark on joint `index`: green 8·(index mod 32), blue 255 - green, red 255 less 4 for every 32 joints before. Distinct
/// for the first 2048. A mark is on the pin of the first body, of a sliding joint on the point that slides; of marks that lie over each
/// other the one of the higher index is seen.
[[nodiscard]] std::array<std::uint8_t, 3> calc_mark_colour(std::size_t index) noexcept;

class OverlayNode {
 public:
  /// `scene` outlives it.
  OverlayNode(const Scene& scene, const OverlayOptions& options);

  [[nodiscard]] osg::Group* root() const noexcept { return root_; }
  enum Layer : unsigned { trails, names, frames, arrows, marks };
  void toggle(Layer layer);

  /// `track`: where the trails come from, up to sample.time; may be null. `scale`: metres a pixel, about. `height`: of the picture,
  /// pixels; lines and names grow with it.
  void update(const Sample& sample, const Track* track, double scale, int height);
  /// Names of joints beside their pins, off each other and off `covered`. `to_clip`: view and projection of the camera; the picture is
  /// `width` by `height` pixels.
  void place_names(const Sample& sample, const osg::Matrixd& to_clip, int width, int height,
                   const std::vector<PixelBox>& covered);

 private:
  struct Trail {
    PointRef at;
    osg::ref_ptr<osg::Geometry> line;
    osg::ref_ptr<osg::Vec3Array> vertices;
    osg::ref_ptr<osg::Vec4Array> colours;
  };
  struct Label {
    PointRef at;
    osg::ref_ptr<osgText::Text> text;
  };

  [[nodiscard]] osg::Group* add_layer(bool on);
  void add_trails();
  void add_names();
  void add_frames();
  void add_arrows();
  void add_marks();
  void update_trail(const Trail& trail, const Sample& sample, const Track& track, double apart) const;
  void draw_trail(const Trail& trail, const TrailPoints& points) const;
  void fit_to(int height);
  void update_arrows(const Sample& sample);
  void update_marks(const Sample& sample, double radius);

  const Scene& scene_;
  OverlayOptions options_;
  double size_;
  int height_ = 0;  // of the picture
  osg::ref_ptr<osg::Switch> root_;
  std::vector<Trail> trails_;
  std::vector<Label> labels_;
  std::vector<int> name_spots_;                             // of the last picture
  std::vector<osg::ref_ptr<osg::MatrixTransform>> frames_;  // a body each
  osg::ref_ptr<osg::Geometry> arrows_;
  osg::ref_ptr<osg::Geometry> marks_;
};

}  // namespace rodeo::viz
