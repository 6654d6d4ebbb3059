// SPDX-License-Identifier: MIT
// What pictures of machines that people draw must show: large ones, springs, dampers and stops, rails, plates in space, names that
// can be read, level horizons.
#include <osg/ComputeBoundsVisitor>

#include <random>

#include "tests/scene/measured_picture.h"
#include "viz/app/camera.h"
#include "viz/scene/machine_node.h"
#include "viz/scene/name_places.h"
#include "viz/scene/world_node.h"

namespace rodeo::viz {
namespace {

using namespace testing_support;
using nlohmann::ordered_json;

ordered_json build_body(const std::string& name, const std::string& colour, const ordered_json& points,
                        const ordered_json& start = {0, 0, 0}) {
  return {{"name", name}, {"colour", colour}, {"points", points}, {"start", start}};
}

ordered_json build_machine(const ordered_json& bodies) {
  const ordered_json none = ordered_json::array();
  return {{"name", "drawn"}, {"bodies", bodies}, {"joints", none}, {"drives", none}, {"outputs", none}};
}

Scene build(const ordered_json& machine) { return build_scene_from_text(machine.dump(), "scene.json"); }

Track build_track(const Scene& scene) {
  Track track(scene.bodies.size(), scene.drives.size());
  track.add(build_start_sample(scene));
  return track;
}

/// A boom of so many metres on a pin, lifted by a cylinder, with three bodies that hang farther out.
Scene build_crane(double boom) {
  ordered_json machine = build_machine(
      {build_body("ground", "#8a8f94", {{"A", {0, 0.08 * boom}}, {"P", {0.07 * boom, 0.05 * boom}}}),
       build_body("boom", "#0072b2", {{"A", {0, 0}}, {"Q", {0.27 * boom, 0}}, {"H", {boom, 0}}},
                  {0, 0.08 * boom, 0.6}),
       build_body("jib", "#d55e00", {{"H", {0, 0}}, {"T", {0.3 * boom, 0}}},
                  {boom * std::cos(0.6), boom * (0.08 + std::sin(0.6)), 0.2}),
       build_body("hook", "#009e73", {{"T", {0, 0}}, {"L", {0.1 * boom, 0}}},
                  {1.1 * boom, 0.6 * boom, -1.57}),
       build_body("load", "#cc79a7", {{"L", {0, 0}}, {"M", {0.05 * boom, 0}}}, {1.1 * boom, 0.5 * boom, 0})});
  machine["joints"] = {
      {{"kind", "revolute"}, {"name", "foot"}, {"first", {"ground", "A"}}, {"second", {"boom", "A"}}}};
  machine["drives"] = {{{"name", "luff"},
                        {"kind", "cylinder"},
                        {"unit", "m"},
                        {"lower", 0.18 * boom},
                        {"upper", 0.3 * boom},
                        {"first", {"ground", "P"}},
                        {"second", {"boom", "Q"}}}};
  return build(machine);
}

int calc_step(Rgb a, Rgb b) {
  int step = 0;
  for (std::size_t i = 0; i < 3; ++i) step = std::max(step, std::abs(int{a[i]} - int{b[i]}));
  return step;
}

TEST(LargeMachine, StandsUnderASkyWithoutShards) {
  for (const double boom : {3.0, 30.0, 300.0}) {
    const Scene scene = build_crane(boom);
    const Track track = build_track(scene);
    ViewOptions options;
    options.has_hud = options.has_shadow = false;
    options.samples = 0;
    const Picture picture = Shooting(scene, track, options).take(0);
    // At the left there is nothing but sky and ground: from column to column their colours hardly change above the horizon.
    int worst = 0;
    for (int y = 0; y < 230; ++y) {
      for (int x = 1; x < 200; ++x)
        worst = std::max(worst, calc_step(pixel(picture, x, y), pixel(picture, x - 1, y)));
    }
    EXPECT_LT(worst, 12) << boom;
  }
}

TEST(LargeMachine, HasItsCylinderBesideTheBodiesThatItMoves) {
  const Scene scene = build_crane(30);
  const MachineNode machine(scene);
  // Children: five bodies, then foot and head of the cylinder. In front of the boom by less than two of its own radii and a plate.
  const osg::BoundingSphere foot = machine.root()->getChild(5)->getBound();
  const double boom = calc_layer(scene, 1, machine.sizes());
  EXPECT_LT(foot.center().z() - boom, 2.5 * machine.sizes().layer);
  EXPECT_GT(foot.center().z(), boom);
}

/// A ground pin at the origin and a block that slides along x, with a spring, a damper or a stop between them.
class BetweenPoints : public testing::Test {
 protected:
  static Scene build_scene_with(const std::string& kind, bool is_spatial = false) {
    const ordered_json zero = is_spatial ? ordered_json{0, 0, 0} : ordered_json{0, 0};
    ordered_json far = zero;
    far[0] = 2, far[1] = 1;
    const ordered_json start = is_spatial ? ordered_json{0, 0, 0, 1, 0, 0, 0} : ordered_json{0, 0, 0};
    ordered_json block_start = start;
    block_start[0] = 1;
    ordered_json machine = build_machine({build_body("ground", "#8a8f94", {{"A", zero}, {"far", far}}, start),
                                          build_body("block", "#0072b2", {{"B", zero}}, block_start)});
    if (is_spatial) machine["space"] = 3, machine["up"] = "y";
    if (kind.empty()) return build(machine);
    ordered_json force{
        {"kind", kind}, {"name", "between"}, {"first", {"ground", "A"}}, {"second", {"block", "B"}}};
    if (kind == "stop") force["lower"] = 0.5, force["upper"] = 1.5;
    machine["forces"] = ordered_json::array({force});
    return build(machine);
  }

  /// Where along x, m, the force changes the picture when the block is at x.
  std::vector<double> find_drawn(const std::string& kind, double x, bool is_spatial = false) const {
    std::vector<double> places;
    const Scene with = build_scene_with(kind, is_spatial), without = build_scene_with("", is_spatial);
    Sample sample = build_start_sample(with);
    sample.bodies[1].pose.x = x;
    const Track with_track = build_track(with), without_track = build_track(without);
    const auto changed =
        find_difference(Shooting(with, with_track, build_options(frame_)).take(sample),
                        Shooting(without, without_track, build_options(frame_)).take(sample));
    for (const Point p : changed) places.push_back(frame_.x0 + (frame_.x1 - frame_.x0) * p.x / frame_.width);
    std::sort(places.begin(), places.end());
    return places;
  }

  Frame frame_ = Frame::around({{-0.3, -0.5}, {2.4, 1.0}});
};

TEST_F(BetweenPoints, SpringsAndDampersReachFromPointToPointAtEveryLength) {
  for (const bool is_spatial : {false, true}) {
    for (const char* kind : {"spring", "damper"}) {
      for (const double x : {0.7, 1.0, 1.6}) {
        const auto drawn = find_drawn(kind, x, is_spatial);
        ASSERT_GT(drawn.size(), 300u) << kind << x << is_spatial;
        EXPECT_NEAR(drawn.front(), 0, 0.08) << kind << x;
        EXPECT_NEAR(drawn.back(), x, 0.08) << kind << x;
      }
    }
  }
}

TEST_F(BetweenPoints, StopsHaveADiscAtEachEndOfTheRangeWhereverTheBlockIs) {
  for (const double x : {0.8, 1.2}) {
    const auto drawn = find_drawn("stop", x);
    for (const double at : {0.5, 1.5, x}) {
      EXPECT_TRUE(std::any_of(drawn.begin(), drawn.end(), [&](double place) {
        return std::abs(place - at) < 0.02;
      })) << at;
    }
    EXPECT_FALSE(std::any_of(drawn.begin(), drawn.end(), [&](double p) { return p > 1.55; }));
  }
}

TEST(Rail, EndsWithTheStrokeOfItsDrive) {
  ordered_json machine =
      build_machine({build_body("ground", "#8a8f94", {{"S", {0, 0}}, {"far", {3, 1}}}),
                     build_body("tube", "#0072b2", {{"T", {0, 0}}, {"E", {1, 0}}}, {0.3, 0.3, 0}),
                     build_body("rod", "#d55e00", {{"R", {0, 0}}, {"F", {1, 0}}}, {0.5, 0.3, 0})});
  machine["joints"] = {{{"kind", "prismatic"},
                        {"name", "stage"},
                        {"first", {"tube", "T"}},
                        {"second", {"rod", "R"}},
                        {"direction", {1, 0}}}};
  machine["drives"] = {{{"name", "stage"},
                        {"kind", "slide"},
                        {"unit", "m"},
                        {"lower", 0.1},
                        {"upper", 0.8},
                        {"first", {"tube", "T"}},
                        {"second", {"rod", "R"}}}};
  const Scene driven = build(machine);
  const double spare = 1.2 * DrawnSizes(driven).bar + 1e-6;
  const auto find_rail = [](const MachineNode& node) {  // the last child of the tube
    osg::Group* tube = node.root()->getChild(1)->asGroup();
    osg::ComputeBoundsVisitor bounds;
    tube->getChild(tube->getNumChildren() - 1)->accept(bounds);
    return std::pair{bounds.getBoundingBox().xMin(), bounds.getBoundingBox().xMax()};
  };
  const auto [low, high] = find_rail(MachineNode(driven));
  EXPECT_NEAR(low, 0.1 - spare, 1e-5);
  EXPECT_NEAR(high, 0.8 + spare, 1e-5);
  // Without a stroke it is as long as the body that it is on.
  machine["drives"] = ordered_json::array();
  const Scene free = build(machine);
  const auto [begin, end] = find_rail(MachineNode(free));
  EXPECT_NEAR(begin, -spare, 1e-5);
  EXPECT_NEAR(end, 1 + spare, 1e-5);
}

TEST(PlatesInSpace, AreFilledAsInThePlane) {
  ordered_json machine =
      build_machine({build_body("ground", "#8a8f94", {{"O", {0, 0, 0}}}, {0, 0, 0, 1, 0, 0, 0}),
                     build_body("plate", "#0072b2", {{"A", {0, 0, 0}}, {"B", {2, 0, 0}}, {"C", {1, 1.5, 0}}},
                                {0, 0, 0, 1, 0, 0, 0})});
  machine["space"] = 3, machine["up"] = "y";
  const Scene scene = build(machine);
  const Track track = build_track(scene);
  const Frame frame = Frame::around({{0, 0}, {2, 1.5}});
  const Picture picture = Shooting(scene, track, build_options(frame)).take(0);
  // The middle, far from all three edges, is blue: a stick would leave it open.
  const Point middle = frame.pixel({1, 0.5});
  const Rgb colour = pixel(picture, static_cast<int>(middle.x), static_cast<int>(middle.y));
  EXPECT_GT(colour[2], colour[0] + 60);
}

TEST(Colours, OfBodiesAreTheSameInTheDrawingAndInTheScene) {
  if (!can_build()) GTEST_SKIP() << "this build has no offline side: machines cannot be built";
  const TemporaryFolder folder;
  const auto write = [&](const std::string& command) {
    const Ran ran =
        run("cd '" + folder.path().string() + "' && '" RODEO_PROGRAM "' " + command, folder.path());
    EXPECT_EQ(ran.status, 0) << ran.err;
  };
  for (const std::string machine : {"four_bar", "spatial/robot_arm"}) {
    const std::string file = "'" RODEO_SOURCE_DIR "/configs/" + machine + ".yaml'";
    write("build " + file + " -o built");
    write("draw " + file + " -o drawn.svg");
    const ordered_json scene = ordered_json::parse(read_file(folder.path() / "built/scene.json"));
    const std::string drawn = read_file(folder.path() / "drawn.svg");
    for (std::size_t b = 1; b < scene["bodies"].size(); ++b) {
      const std::string colour = scene["bodies"][b]["colour"];
      EXPECT_NE(drawn.find("fill=\"" + colour + "\""), std::string::npos) << machine << ' ' << colour;
    }
  }
}

TEST(NamePlaces, NeverCoverEachOtherNorWhatMustStayFree) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> x(0, 1280), y(0, 720), width(30, 160);
  const PixelBox picture{0, 0, 1280, 720};
  const std::vector<PixelBox> covered{{14, 560, 270, 706}, {1016, 620, 1266, 706}};
  std::size_t shown = 0, all = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<NameSize> names;
    for (int i = 0; i < 30; ++i) names.push_back({{x(random), y(random)}, width(random), 17});
    std::vector<int> before;
    const auto places = find_name_places(names, covered, picture, before);
    for (std::size_t a = 0; a < places.size(); ++a) {
      ++all;
      if (!places[a]) continue;
      ++shown;
      for (const PixelBox& box : covered) EXPECT_FALSE(places[a]->overlaps(box));
      for (std::size_t b = 0; b < a; ++b) EXPECT_FALSE(places[b] && places[a]->overlaps(*places[b]));
    }
    EXPECT_EQ(find_name_places(names, covered, picture, before).size(), names.size());
  }
  EXPECT_GT(shown, 0.9 * static_cast<double>(all));  // pins under a panel have none
}

TEST(NamePlaces, StayWhereTheyWereWhileThereIsRoom) {
  const PixelBox picture{0, 0, 1280, 720};
  std::vector<int> before;
  const auto first = find_name_places({{{100, 100}, 80, 17}, {{110, 105}, 80, 17}}, {}, picture, before);
  const auto second = find_name_places({{{300, 100}, 80, 17}, {{700, 105}, 80, 17}}, {}, picture, before);
  ASSERT_TRUE(first[1] && second[1]);
  EXPECT_NEAR(first[1]->left - 110, second[1]->left - 700, 1e-9);
}

TEST(CabChannel, LooksLevelWhateverTheToolDoes) {
  ViewOptions options;
  options.camera = CameraKind::cab;
  options.channel.is_level = true;
  CameraHome home;
  home.cab.set(-1, 2, 0);
  for (const double yaw : {-0.9, 0.0, 0.7}) {
    options.channel.yaw = yaw;
    const CameraRig rig(options, home);
    for (const double height : {0.1, 3.0, 9.0}) {
      osg::ref_ptr<osg::Camera> camera = new osg::Camera;
      rig.apply(*camera, 1280, 720, {4, height, 0});
      const osg::Vec3d up = osg::Matrixd::transform3x3(osg::Vec3d(0, 1, 0), camera->getViewMatrix());
      EXPECT_NEAR((up - osg::Vec3d(0, 1, 0)).length(), 0, 1e-12) << yaw << ' ' << height;
    }
  }
}

}  // namespace
}  // namespace rodeo::viz
