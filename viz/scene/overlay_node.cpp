// SPDX-License-Identifier: MIT
#include "viz/scene/overlay_node.h"

#include <osg/LineWidth>

#include <algorithm>
#include <cmath>

#include "viz/scene/convert.h"
#include "viz/scene/fonts.h"
#include "viz/scene/shapes.h"
#include "viz/scene/trail_points.h"

namespace rodeo::viz {
namespace {

constexpr std::size_t kMostTrailPoints = 1500;
constexpr double kMarkPixels = 3.5;  // radius
constexpr int kMarkCorners = 24;
constexpr float kTrailWidth = 2.5F, kFrameWidth = 3, kArrowWidth = 2.5F;
constexpr float kNameHeight = 15;
constexpr double kLetterWidth = 0.62, kLetterHeight = 1.15;  // of a name's box, in heights of its letters
constexpr double kTrailStep = 2;                             // pixels, about
constexpr double kArrowSeconds = 0.25;                       // an arrow is as long as the way in this time

osg::Vec3f to_vec3(Vec3 at) { return osg::Vec3f(build_vec(at)); }

/// Dark blue over green to yellow, as viridis: rises in lightness, so that it prints grey too.
osg::Vec4f ramp(double u) {
  const std::array<osg::Vec3f, 5> stops{osg::Vec3f(0.27F, 0.00F, 0.33F), osg::Vec3f(0.23F, 0.32F, 0.55F),
                                        osg::Vec3f(0.13F, 0.57F, 0.55F), osg::Vec3f(0.37F, 0.79F, 0.38F),
                                        osg::Vec3f(0.99F, 0.91F, 0.14F)};
  const double at = std::clamp(u, 0.0, 1.0) * (stops.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const auto part = static_cast<float>(at - static_cast<double>(i));
  return {stops[i] * (1 - part) + stops[i + 1] * part, 1};
}

/// Where a joint is: of a sliding one, what slides.
PointRef find_pin(const SceneJoint& joint) {
  const bool slides = joint.kind == JointKind::slider || joint.kind == JointKind::prismatic;
  return slides ? joint.second : joint.first;
}

void resize(osg::Geometry& line, std::size_t count) {
  auto* draw = static_cast<osg::DrawArrays*>(line.getPrimitiveSet(0));
  draw->setCount(static_cast<GLsizei>(count));
  draw->dirty();
  line.getVertexArray()->dirty();
  line.getColorArray()->dirty();
  line.dirtyBound();
}

osg::ref_ptr<osg::Geometry> build_dynamic(osg::Vec3Array* vertices, osg::Vec4Array* colours, GLenum mode,
                                          float width) {
  osg::ref_ptr<osg::Geometry> line = build_lines(vertices, colours, mode, width);
  line->setColorBinding(osg::Geometry::BIND_PER_VERTEX);
  line->setDataVariance(osg::Object::DYNAMIC);
  line->setCullingActive(false);
  return line;
}

/// The place in the world that is seen `box.left, box.low` in the picture, as deep as `clip` is.
osg::Vec3f unproject(const osg::Vec4d& clip, const PixelBox& box, int width, int height,
                     const osg::Matrixd& from_clip) {
  const osg::Vec4d moved((2 * box.left / width - 1) * clip.w(), (2 * box.low / height - 1) * clip.w(),
                         clip.z(), clip.w());
  const osg::Vec4d at = moved * from_clip;
  return osg::Vec3f(osg::Vec3d(at.x(), at.y(), at.z()) / at.w());
}

}  // namespace

std::array<std::uint8_t, 3> calc_mark_colour(std::size_t index) noexcept {
  const auto green = static_cast<std::uint8_t>(8 * (index % 32));
  const auto red = static_cast<std::uint8_t>(255 - 4 * (index / 32 % 64));
  return {red, green, static_cast<std::uint8_t>(255 - green)};
}

OverlayNode::OverlayNode(const Scene& scene, const OverlayOptions& options)
    : scene_(scene), options_(options), size_(scene.calc_size()), root_(new osg::Switch) {
  osg::StateSet* state = root_->getOrCreateStateSet();
  state->setMode(GL_LIGHTING, osg::StateAttribute::OFF | osg::StateAttribute::PROTECTED);
  state->setMode(GL_DEPTH_TEST, osg::StateAttribute::OFF);
  state->setRenderBinDetails(20, "RenderBin");
  add_trails();
  add_names();
  add_frames();
  add_arrows();
  add_marks();
}

osg::Group* OverlayNode::add_layer(bool on) {
  osg::ref_ptr<osg::Group> layer = new osg::Group;
  root_->addChild(layer, on);
  return layer;
}

void OverlayNode::toggle(Layer layer) { root_->setValue(layer, !root_->getValue(layer)); }

void OverlayNode::add_trails() {
  osg::Group* layer = add_layer(true);
  for (const std::size_t output : options_.trails) {
    Trail trail{scene_.outputs[output].at, {}, new osg::Vec3Array, new osg::Vec4Array};
    trail.line = build_dynamic(trail.vertices, trail.colours, GL_LINES, kTrailWidth);
    layer->addChild(trail.line);
    trails_.push_back(trail);
  }
}

void OverlayNode::add_names() {
  osg::Group* layer = add_layer(options_.shows_names);
  for (const SceneJoint& joint : scene_.joints) {
    osg::ref_ptr<osgText::Text> text = new osgText::Text;
    if (const auto font = find_font()) text->setFont(font);
    text->setCharacterSizeMode(osgText::Text::SCREEN_COORDS);
    text->setAxisAlignment(osgText::Text::SCREEN);
    text->setAlignment(osgText::Text::LEFT_BOTTOM);
    text->setCharacterSize(kNameHeight);
    text->setColor(osg::Vec4f(0.08F, 0.1F, 0.13F, 1));
    text->setBackdropType(osgText::Text::OUTLINE);
    text->setBackdropColor(osg::Vec4f(1, 1, 1, 0.8F));
    text->setText(joint.name);
    text->setDataVariance(osg::Object::DYNAMIC);
    layer->addChild(text);
    labels_.push_back({find_pin(joint), text});
  }
}

void OverlayNode::add_frames() {
  osg::Group* layer = add_layer(options_.shows_frames);
  const auto length = static_cast<float>(0.08 * size_);
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    osg::ref_ptr<osg::Vec3Array> vertices = new osg::Vec3Array;
    osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array;
    for (const auto& [tip, colour] : {std::pair{osg::Vec3f(length, 0, 0), osg::Vec4f(0.85F, 0.1F, 0.1F, 1)},
                                      {osg::Vec3f(0, length, 0), osg::Vec4f(0.1F, 0.6F, 0.1F, 1)},
                                      {osg::Vec3f(0, 0, length), osg::Vec4f(0.1F, 0.2F, 0.85F, 1)}}) {
      if (tip.z() > 0 && !scene_.is_spatial) continue;
      vertices->push_back(osg::Vec3f()), vertices->push_back(tip);
      colours->push_back(colour), colours->push_back(colour);
    }
    osg::ref_ptr<osg::MatrixTransform> frame = new osg::MatrixTransform;
    frame->addChild(build_lines(vertices, colours, GL_LINES, kFrameWidth));
    layer->addChild(frame);
    frames_.push_back(frame);
  }
}

void OverlayNode::add_arrows() {
  arrows_ = build_dynamic(new osg::Vec3Array, new osg::Vec4Array, GL_LINES, kArrowWidth);
  add_layer(options_.shows_arrows)->addChild(arrows_);
}

void OverlayNode::add_marks() {
  osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array;
  for (std::size_t j = 0; j < scene_.joints.size(); ++j) {
    const auto rgb = calc_mark_colour(j);
    const osg::Vec4f colour(static_cast<float>(rgb[0]) / 255, static_cast<float>(rgb[1]) / 255,
                            static_cast<float>(rgb[2]) / 255, 1);
    colours->insert(colours->end(), (scene_.is_spatial ? 9 : 3) * kMarkCorners, colour);
  }
  marks_ = build_dynamic(new osg::Vec3Array, colours, GL_TRIANGLES, 1);
  marks_->getOrCreateStateSet()->setRenderBinDetails(21, "RenderBin");  // over all else
  add_layer(options_.marks_pins)->addChild(marks_);
}

/// One geometry, so that their order is that of the joints. In space three discs across each other, round enough from everywhere.
void OverlayNode::update_marks(const Sample& sample, double radius) {
  auto* vertices = static_cast<osg::Vec3Array*>(marks_->getVertexArray());
  vertices->clear();
  const auto rim = build_circle({}, radius, kMarkCorners);
  const auto add_disc = [&](const osg::Vec3f& at, const osg::Vec3f& x, const osg::Vec3f& y) {
    const auto corner = [&](const Vec2& c) {
      return at + x * static_cast<float>(c.x) + y * static_cast<float>(c.y);
    };
    for (std::size_t i = 0; i < rim.size(); ++i) {
      vertices->push_back(at);
      vertices->push_back(corner(rim[i]));
      vertices->push_back(corner(rim[(i + 1) % rim.size()]));
    }
  };
  const osg::Vec3f x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  for (const SceneJoint& joint : scene_.joints) {
    const osg::Vec3f at = to_vec3(calc_place(scene_, sample, find_pin(joint)));
    add_disc(at, x, y);
    if (!scene_.is_spatial) continue;
    add_disc(at, y, z);
    add_disc(at, z, x);
  }
  resize(*marks_, vertices->size());
}

void OverlayNode::update_trail(const Trail& trail, const Sample& sample, const Track& track,
                               double apart) const {
  trail.colours->clear();
  const std::size_t last = track.find_row(sample.time);
  const std::size_t stride = last / kMostTrailPoints + 1;
  TrailPoints points(apart);
  const auto add = [&](const Sample& at) {
    const Vec3 v = calc_speed(scene_, at, trail.at);
    points.add(calc_place(scene_, at, trail.at),
               options_.by_speed ? std::hypot(std::hypot(v.x, v.y), v.z) : at.time - track.begin_time());
  };
  for (std::size_t r = 0; r <= last; ++r) {
    if (r > 0 && !track.is_joined(r)) {
      if ((r - 1) % stride != 0) add(track.row(r - 1));
      points.begin_anew();
      add(track.row(r));
    } else if (r % stride == 0) {
      add(track.row(r));
    }
  }
  add(sample);
  points.finish();
  draw_trail(trail, points);
}

/// A line from each place to the next, but for those that a run begins with.
void OverlayNode::draw_trail(const Trail& trail, const TrailPoints& points) const {
  const auto& values = points.values();
  const double most = std::max(*std::max_element(values.begin(), values.end()), 1e-9);
  trail.vertices->clear();
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (points.is_begin(i)) continue;
    for (const std::size_t end : {i - 1, i}) {
      trail.vertices->push_back(to_vec3(points.places()[end]));
      trail.colours->push_back(ramp(values[end] / most));
    }
  }
  resize(*trail.line, trail.vertices->size());
}

/// From every joint, with a head.
void OverlayNode::update_arrows(const Sample& sample) {
  auto* vertices = static_cast<osg::Vec3Array*>(arrows_->getVertexArray());
  auto* colours = static_cast<osg::Vec4Array*>(arrows_->getColorArray());
  vertices->clear(), colours->clear();
  const auto add = [&](PointRef ref) {
    const osg::Vec3f from = to_vec3(calc_place(scene_, sample, ref));
    const osg::Vec3f way = to_vec3(calc_speed(scene_, sample, ref)) * static_cast<float>(kArrowSeconds);
    const osg::Vec3f across(-way.y(), way.x(), 0), to = from + way;
    for (const osg::Vec3f& v :
         {from, to, to, to - way * 0.25F + across * 0.12F, to, to - way * 0.25F - across * 0.12F}) {
      vertices->push_back(v);
      colours->push_back(osg::Vec4f(0.83F, 0.13F, 0.35F, 1));
    }
  };
  for (const SceneJoint& joint : scene_.joints) add(joint.second);
  for (const SceneOutput& output : scene_.outputs) add(output.at);
  resize(*arrows_, vertices->size());
}

/// Lines and names are for a picture of 720 lines.
void OverlayNode::fit_to(int height) {
  if (height == height_) return;
  height_ = height;
  const auto factor = static_cast<float>(std::max(height / 720.0, 0.5));
  const auto set_width = [&](osg::Drawable& line, float width) {
    line.getOrCreateStateSet()->setAttributeAndModes(new osg::LineWidth(width * factor));
  };
  for (const Trail& trail : trails_) set_width(*trail.line, kTrailWidth);
  for (const auto& frame : frames_) set_width(*frame->getChild(0)->asDrawable(), kFrameWidth);
  set_width(*arrows_, kArrowWidth);
  for (const Label& label : labels_) label.text->setCharacterSize(kNameHeight * factor);
}

void OverlayNode::place_names(const Sample& sample, const osg::Matrixd& to_clip, int width, int height,
                              const std::vector<PixelBox>& covered) {
  if (!root_->getValue(names)) return;
  std::vector<NameSize> sizes;
  std::vector<osg::Vec4d> clips;
  for (const Label& label : labels_) {
    clips.push_back(osg::Vec4d(build_vec(calc_place(scene_, sample, label.at)), 1) * to_clip);
    const double w = std::max(clips.back().w(), 1e-9), letter = label.text->getCharacterHeight();
    sizes.push_back({{width * (clips.back().x() / w + 1) / 2, height * (clips.back().y() / w + 1) / 2},
                     kLetterWidth * letter * static_cast<double>(label.text->getText().size()),
                     kLetterHeight * letter});
  }
  const PixelBox picture{0, 0, static_cast<double>(width), static_cast<double>(height)};
  const auto places = find_name_places(sizes, covered, picture, name_spots_);
  const osg::Matrixd from_clip = osg::Matrixd::inverse(to_clip);
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const bool is_seen = places[i].has_value() && clips[i].w() > 0;
    labels_[i].text->setNodeMask(is_seen ? ~0U : 0U);
    if (is_seen) labels_[i].text->setPosition(unproject(clips[i], *places[i], width, height, from_clip));
  }
}

void OverlayNode::update(const Sample& sample, const Track* track, double scale, int height) {
  fit_to(height);
  if (track != nullptr && !track->empty() && root_->getValue(trails)) {
    for (const Trail& trail : trails_) update_trail(trail, sample, *track, kTrailStep * scale);
  }
  for (std::size_t b = 0; b < frames_.size(); ++b) frames_[b]->setMatrix(build_matrix(sample.bodies[b].pose));
  if (root_->getValue(arrows)) update_arrows(sample);
  if (root_->getValue(marks)) update_marks(sample, kMarkPixels * scale);
}

}  // namespace rodeo::viz
