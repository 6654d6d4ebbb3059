// SPDX-License-Identifier: MIT
// Scenes written here, so that what a picture must show is known from the text: marks of many joints, cylinders that telescope, two
// stages that draw the same picture.
#include <set>

#include "tests/scene/measured_picture.h"
#include "viz/scene/overlay_node.h"
#include "viz/scene/trail_points.h"

namespace rodeo::viz {
namespace {

using namespace testing_support;
using nlohmann::ordered_json;

ordered_json build_body(const std::string& name, const ordered_json& points) {
  return {{"name", name}, {"colour", "#e69f00"}, {"points", points}, {"start", {0, 0, 0}}};
}

Scene build(const ordered_json& bodies, const ordered_json& joints, const ordered_json& drives) {
  const ordered_json all{{"name", "drawn"},
                         {"bodies", bodies},
                         {"joints", joints},
                         {"drives", drives},
                         {"outputs", ordered_json::array()}};
  return build_scene_from_text(all.dump(), "scene.json");
}

Track build_track(const Scene& scene) {
  Track track(scene.bodies.size(), scene.drives.size());
  track.add(build_start_sample(scene));
  return track;
}

TEST(MarkColour, IsAnotherForEachOfTwoThousandJoints) {
  std::set<Rgb> colours;
  for (std::size_t j = 0; j < 2048; ++j) colours.insert(calc_mark_colour(j));
  EXPECT_EQ(colours.size(), 2048u);
}

TEST(Marks, OfSeventyJointsAreAllWhereTheJointsAre) {
  ordered_json points, joints = ordered_json::array();
  std::vector<Point> places;
  for (int i = 0; i < 70; ++i) {
    const std::string name = "P" + std::to_string(i);
    places.push_back({0.31 * (i % 10), 0.17 * (i / 10)});
    points[name] = {places.back().x, places.back().y};
    joints.push_back(
        {{"kind", "revolute"}, {"name", name}, {"first", {"ground", name}}, {"second", {"plate", name}}});
  }
  const Scene scene =
      build({build_body("ground", points), build_body("plate", points)}, joints, ordered_json::array());
  const Track track = build_track(scene);
  const Frame frame = Frame::around(places);
  ViewOptions options = build_options(frame);
  options.marks_pins = true;
  const Picture picture = Shooting(scene, track, options).take(0);
  for (std::size_t j = 0; j < places.size(); ++j) {
    const Spot spot = find_spot(picture, calc_mark_colour(j));
    ASSERT_GT(spot.pixels, 25) << j;
    EXPECT_LT(distance(spot.centre, frame.pixel(places[j])), 1.0) << j;
  }
}

TEST(TrailPoints, KeepTheTurnOfAWayThatComesBack) {
  TrailPoints points(2);
  for (const double x : {0.0, 0.5, 3.0, 4.0, 4.9, 4.0, 3.0, 0.5}) points.add({x, 0}, x);
  points.finish();
  EXPECT_EQ(points.values(), (std::vector<double>{0, 3, 4.9, 0.5}));
}

TEST(TrailPoints, HaveNoLineToWhereTheyBeginAnew) {
  TrailPoints points(2);
  for (const double x : {0.0, 3.0, 3.5}) points.add({x, 0}, x);
  points.begin_anew();
  for (const double x : {3.6, 3.7, 9.0}) points.add({x, 0}, x);
  points.finish();
  EXPECT_EQ(points.values(), (std::vector<double>{0, 3, 3.5, 3.6, 9}));
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(points.is_begin(i), i == 0 || i == 3) << i;
}

/// A slider that a cylinder pushes along x from the ground's pin at the origin.
class Telescope : public testing::Test {
 protected:
  static constexpr double kRadius = 0.1, kShortest = 1.0;

  Telescope() : with_(build_machine(true)), without_(build_machine(false)) {}

  /// Pins with and without it, so that the two differ in the cylinder alone.
  static Scene build_machine(bool has_cylinder) {
    const ordered_json drive{{"name", "ram"},        {"kind", has_cylinder ? "cylinder" : "slide"},
                             {"unit", "m"},          {"lower", kShortest},
                             {"upper", 1.8},         {"first", {"a", "A"}},
                             {"second", {"b", "B"}}, {"radius", kRadius}};
    const auto pin = [](const char* body, const char* point) {
      return ordered_json{{"kind", "revolute"},
                          {"name", point},
                          {"first", {body, point}},
                          {"second", {std::string(body) + "2", point}}};
    };
    ordered_json bodies = ordered_json::array({build_body("ground", {{"far", {2.4, 0.8}}})});
    for (const auto& [body, point] : {std::pair{"a", "A"}, {"a2", "A"}, {"b", "B"}, {"b2", "B"}})
      bodies.push_back(build_body(body, {{point, {0, 0}}}));
    return build(bodies, ordered_json::array({pin("a", "A"), pin("b", "B")}), ordered_json::array({drive}));
  }

  /// The places, m, that are changed by the cylinder when the second pin is at (x, y).
  std::vector<Point> find_cylinder(Point pin, Picture* picture = nullptr) {
    std::vector<Point> places;
    Sample sample = build_start_sample(with_);
    for (const std::size_t b : {3, 4}) sample.bodies[b].pose = {pin.x, pin.y, 0};
    const Track with_track = build_track(with_), without_track = build_track(without_);
    const Picture with = Shooting(with_, with_track, build_options(frame_)).take(sample);
    const Picture without = Shooting(without_, without_track, build_options(frame_)).take(sample);
    if (picture != nullptr) *picture = with;
    return find_difference(with, without);
  }

  Scene with_, without_;
  Frame frame_ = Frame::around({{-0.3, -0.5}, {2.4, 1.0}});
};

TEST_F(Telescope, ReachesFromPinToPinAtEveryLength) {
  for (const double length : {1.0, 1.25, 1.5, 1.8}) {
    const double angle = 0.4;
    const Point pin{length * std::cos(angle), length * std::sin(angle)};
    const Point from = frame_.pixel({0, 0}), to = frame_.pixel(pin);
    const double pixels = distance(from, to), metre = pixels / length;
    double low = 1e9, high = -1e9, wide = 0;
    std::set<int> covered;
    for (const Point p : find_cylinder(pin)) {
      const double along = ((p.x - from.x) * (to.x - from.x) + (p.y - from.y) * (to.y - from.y)) / pixels;
      const double across = ((p.x - from.x) * (to.y - from.y) - (p.y - from.y) * (to.x - from.x)) / pixels;
      low = std::min(low, along), high = std::max(high, along), wide = std::max(wide, std::abs(across));
      if (std::abs(across) < 2) covered.insert(static_cast<int>(std::floor(along)));
    }
    // Eyes around both pins: 0.9 of the radius behind the first, 0.8 beyond the second.
    EXPECT_NEAR(low, -0.9 * kRadius * metre, 1.5) << length;
    EXPECT_NEAR(high, pixels + 0.8 * kRadius * metre, 1.5) << length;
    EXPECT_NEAR(wide, 1.12 * kRadius * metre, 1.5) << length;
    // The bolts of the pins, 8 pixels, are the same in both pictures.
    for (int i = 8; i < static_cast<int>(pixels) - 8; ++i)
      EXPECT_EQ(covered.count(i), 1u) << length << ' ' << i;
  }
}

TEST_F(Telescope, HasABarrelOfOneLengthAndARodThatSlidesOut) {
  std::vector<double> barrels;
  for (const double length : {1.1, 1.4, 1.7}) {
    Picture picture;
    find_cylinder({length, 0}, &picture);
    // Along the axis the barrel is dark and the rod bright, up to its eye with the pin.
    const Point from = frame_.pixel({0, 0}), to = frame_.pixel({length, 0});
    const int y = static_cast<int>(from.y);
    int edge = 0;
    for (int x = static_cast<int>(from.x) + 12; x < static_cast<int>(to.x) - 30; ++x) {
      if (pixel(picture, x, y)[1] < 110) edge = x;
    }
    barrels.push_back((edge - from.x) / (to.x - from.x) * length);
  }
  const double pixel_size = (frame_.x1 - frame_.x0) / frame_.width;
  for (const double barrel : barrels) {
    EXPECT_NEAR(barrel, barrels[0], 1.5 * pixel_size);
    EXPECT_LT(barrel, kShortest);
    EXPECT_GT(barrel, 0.8 * kShortest);
  }
}

/// Pixels in which the figures of two states differ.
std::vector<Point> compare_figures(const Sample& first, const Sample& second) {
  const Scene scene = build(ordered_json::array({build_body("ground", {{"A", {0, 0}}, {"B", {1, 1}}})}),
                            ordered_json::array(), ordered_json::array());
  const Track track = build_track(scene);
  ViewOptions options;
  options.samples = 0;
  Stage stage(scene, options, &track);
  Studio studio(stage, options.width, options.height, 0);
  HudState state;
  state.source = "log.csv";
  state.sample = first;
  state.sample.bodies.resize(1);
  const Picture before = studio.take(state, &track);
  state.sample = second;
  state.sample.bodies.resize(1);
  return find_difference(before, studio.take(state, &track));
}

TEST(Figures, ShowWhatIsNotKnownAsAStrokeNotAsANumber) {
  Sample unknown, known;
  EXPECT_TRUE(std::isnan(unknown.margin) && std::isnan(unknown.residual));
  known.margin = 1, known.residual = 0;
  EXPECT_TRUE(compare_figures(unknown, unknown).empty());
  // A figure and a stroke differ, in the lines of closure error and margin, at the right.
  const auto changed = compare_figures(unknown, known);
  EXPECT_GT(changed.size(), 100u);
  for (const Point p : changed) {
    EXPECT_GT(p.x, 1150);
    EXPECT_LT(p.y, 200);
  }
}

TEST(Stage, DrawsTheSamePictureAsAnotherOne) {
  if (!can_build()) GTEST_SKIP() << "this build has no offline side: machines cannot be built";
  const MovingMachine machine("wheel_loader");
  const Scene scene = build_scene(machine.folder());
  const Track track = build_track(scene);
  ViewOptions options;  // with everything: perspective, shadow, figures, smooth edges
  options.width = 640, options.height = 360;
  const Picture first = Shooting(scene, track, options).take(0);
  const std::vector<std::string> between(1000, "addresses differ after this");
  const Picture second = Shooting(scene, track, options).take(0);
  EXPECT_EQ(find_difference(first, second).size(), 0u);
}

}  // namespace
}  // namespace rodeo::viz
