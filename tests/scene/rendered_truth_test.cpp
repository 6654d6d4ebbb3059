// SPDX-License-Identifier: MIT
// Pictures tell the truth: in orthographic pictures of every machine of configs/, drawn in software, pins are where the kernel puts
// them, bodies are there in their colours, and the trail lies on the path of the tip.
#include <osg/Group>
#include <osg/NodeVisitor>

#include "tests/scene/measured_picture.h"
#include "viz/feed/log_file.h"
#include "viz/scene/overlay_node.h"

namespace rodeo::viz {
namespace {

using namespace testing_support;

constexpr std::size_t kPoses = 20;
constexpr double kTolerance = 1.5;  // pixels
constexpr double kMarkRadius = 3.5;
/// Two marks nearer than this may cover parts of each other.
constexpr double kApart = 2 * kMarkRadius + 1;

/// The point of a joint that is marked: the second body's pin, where the viewer takes the first's; of a sliding joint what slides.
Point find_pin(const MovingMachine& machine, const nlohmann::ordered_json& joint, std::size_t row) {
  return machine.point(joint["second"], row);
}

class EveryMachine : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!can_build()) GTEST_SKIP() << "this build has no offline side: machines cannot be built";
    machine_ = std::make_unique<MovingMachine>(GetParam());
    scene_ = build_scene(machine_->folder());
    track_ = std::make_unique<Track>(build_track_from_log(machine_->log_path().string(), scene_));
    ASSERT_EQ(track_->count(), machine_->log().count());
    std::vector<Point> all;
    for (const std::size_t row : machine_->spread_rows(kPoses)) {
      for (const auto& body : machine_->scene()["bodies"]) {
        for (const auto& [name, place] : body["points"].items())
          all.push_back(machine_->point({body["name"], name}, row));
      }
    }
    frame_ = Frame::around(all);
  }

  std::unique_ptr<MovingMachine> machine_;
  Scene scene_;
  std::unique_ptr<Track> track_;
  Frame frame_;
};

/// How often a pin was measured with nothing over it, and how far off its mark was at worst.
struct Measured {
  int times = 0;
  double worst = 0;
};

TEST_P(EveryMachine, ShowsEachPinWhereTheKernelPutsIt) {
  ViewOptions options = build_options(frame_);
  options.marks_pins = true;
  Shooting shooting(scene_, *track_, options);
  const auto& joints = machine_->scene()["joints"];
  ASSERT_GT(joints.size(), 0u);
  std::vector<Measured> measured(joints.size());
  std::vector<std::vector<Point>> places(joints.size());  // of every pose, m
  for (const std::size_t row : machine_->spread_rows(kPoses)) {
    const Picture picture = shooting.take(row);
    for (std::size_t j = 0; j < joints.size(); ++j) places[j].push_back(find_pin(*machine_, joints[j], row));
    for (std::size_t j = 0; j < joints.size(); ++j) {
      SCOPED_TRACE(joints[j]["name"].get<std::string>() + ", row " + std::to_string(row));
      const Point wanted = frame_.pixel(places[j].back());
      // Of marks that touch, the one of the later joint lies above.
      bool is_covered = false;
      for (std::size_t k = j + 1; k < joints.size(); ++k)
        is_covered |= distance(frame_.pixel(places[k].back()), wanted) < kApart;
      const Spot spot = find_spot(picture, calc_mark_colour(j));
      if (is_covered) continue;
      ASSERT_GT(spot.pixels, 25);  // of about 38
      EXPECT_LT(distance(spot.centre, wanted), kTolerance);
      ++measured[j].times;
      measured[j].worst = std::max(measured[j].worst, distance(spot.centre, wanted));
    }
  }
  double worst = 0;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    worst = std::max(worst, measured[j].worst);
    // Three bodies on one bolt are two joints at one place: the upper mark speaks for both.
    bool is_measured = measured[j].times > 0;
    for (std::size_t k = j + 1; k < joints.size() && !is_measured; ++k) {
      double apart = 0;
      for (std::size_t i = 0; i < kPoses; ++i) apart = std::max(apart, distance(places[j][i], places[k][i]));
      is_measured = apart < 1e-9 && measured[k].times > 0;
    }
    EXPECT_TRUE(is_measured) << joints[j]["name"] << " was covered in every picture";
  }
  RecordProperty("worst_pixels", std::to_string(worst));
}

/// Finds the node of a body.
class NodeFinder : public osg::NodeVisitor {
 public:
  explicit NodeFinder(std::string name)
      : osg::NodeVisitor(osg::NodeVisitor::TRAVERSE_ALL_CHILDREN), name_(std::move(name)) {}
  void apply(osg::Node& node) override {
    if (node.getName() == name_ && node.asTransform() != nullptr) found_ = &node;
    traverse(node);
  }
  osg::Node* found_ = nullptr;

 private:
  std::string name_;
};

/// Red, green and blue, 0 to 1, that a body is to have: of the material of most faces of its mesh, else what the machine file says.
std::array<double, 3> find_body_colour(const MovingMachine& machine, const nlohmann::ordered_json& body) {
  if (!body.contains("mesh")) {
    const std::string text = body["colour"];
    std::array<double, 3> rgb{};
    for (std::size_t i = 0; i < 3; ++i) rgb[i] = std::stoi(text.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
    return rgb;
  }
  const fs::path mesh = machine.folder() / body["mesh"].get<std::string>();
  std::istringstream lines(read_file(mesh));
  std::map<std::string, int> faces;
  std::string line, material, library;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "mtllib") words >> library;
    if (word == "usemtl") words >> material;
    if (word == "f") ++faces[material];
  }
  const auto most = std::max_element(faces.begin(), faces.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  std::istringstream materials(read_file(mesh.parent_path() / library));
  std::array<double, 3> rgb{};
  while (std::getline(materials, line)) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "newmtl") words >> material;
    if (word == "Kd" && material == most->first) words >> rgb[0] >> rgb[1] >> rgb[2];
  }
  return rgb;
}

/// Light changes how bright a colour is, hardly its hue: cosine of the angle between the two, 1 for the same.
double calc_likeness(const Rgb& seen, const std::array<double, 3>& wanted) {
  double product = 0, seen_square = 0, wanted_square = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    product += seen[i] * wanted[i];
    seen_square += seen[i] * seen[i];
    wanted_square += wanted[i] * wanted[i];
  }
  return product / std::sqrt(std::max(seen_square * wanted_square, 1e-12));
}

TEST_P(EveryMachine, ShowsEachBodyInItsColour) {
  Shooting shooting(scene_, *track_, build_options(frame_));
  for (const auto& body : machine_->scene()["bodies"]) {
    SCOPED_TRACE(body["name"].get<std::string>());
    NodeFinder finder(body["name"]);
    shooting.stage().root()->accept(finder);
    ASSERT_NE(finder.found_, nullptr);
    const auto wanted = find_body_colour(*machine_, body);
    int seen = 0, alike = 0;
    for (const std::size_t row : machine_->spread_rows(5)) {
      const Picture with = shooting.take(row);
      finder.found_->setNodeMask(0);
      const Picture without = shooting.take(row);
      finder.found_->setNodeMask(~0U);
      for (const Point p : find_difference(with, without)) {
        ++seen;
        alike += calc_likeness(pixel(with, static_cast<int>(p.x), static_cast<int>(p.y)), wanted) > 0.985;
      }
    }
    EXPECT_GT(alike, 100) << "of " << seen << " pixels that it changes";
  }
}

double distance_to_path(Point p, const std::vector<Point>& path) {
  double least = 1e9;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const Point a = path[i], b = path[i + 1];
    const double square = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
    const double u =
        square > 0 ? std::clamp(((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / square, 0.0, 1.0)
                   : 0;
    least = std::min(least, distance(p, {a.x + u * (b.x - a.x), a.y + u * (b.y - a.y)}));
  }
  return least;
}

TEST_P(EveryMachine, DrawsTheTrailOnThePathOfItsTip) {
  ASSERT_FALSE(scene_.outputs.empty());
  const std::string tip = machine_->scene()["outputs"][0]["name"];
  ViewOptions options = build_options(frame_);
  const std::size_t row = machine_->log().count() * 3 / 4;
  const Picture without = Shooting(scene_, *track_, options).take(row);
  options.trails = {tip};
  const Picture with = Shooting(scene_, *track_, options).take(row);
  std::vector<Point> path;
  for (std::size_t r = 0; r <= row; ++r)
    path.push_back(frame_.pixel({machine_->log().at(r, tip + ".x"), machine_->log().at(r, tip + ".y")}));
  const std::vector<Point> trail = find_difference(with, without);
  ASSERT_GT(trail.size(), 50u);
  double off = 0;
  for (const Point p : trail) off = std::max(off, distance_to_path(p, path));
  EXPECT_LT(off, kTolerance);
  double open = 0;
  for (const Point p : path) {
    double nearest = 1e9;
    for (const Point q : trail) nearest = std::min(nearest, distance(p, q));
    open = std::max(open, nearest);
  }
  EXPECT_LT(open, kTolerance);
  RecordProperty("off_pixels", std::to_string(off));
  RecordProperty("open_pixels", std::to_string(open));
}

INSTANTIATE_TEST_SUITE_P(Configs, EveryMachine, testing::ValuesIn(list_machines()),
                         [](const auto& machine) { return machine.param; });

}  // namespace
}  // namespace rodeo::viz
