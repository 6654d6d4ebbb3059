// SPDX-License-Identifier: MIT
// The meshes under assets/ against the machine files: every jointed point and every cylinder's end has its pin in the
// right place, the OBJ files are sound, and tools/meshes makes them again byte for byte. The machine files are read
// here with yaml-cpp alone, so that neither the script's reader nor ours can hide a fault of its own.
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr double kPinTolerance = 1e-6;  // m: the files hold whole micrometres

using Vector = std::array<double, 3>;

struct Corner {
  std::size_t position = 0;
  std::size_t normal = 0;
};

struct Face {
  std::string group;
  std::string material;
  std::vector<Corner> corners;
};

struct Obj {
  std::vector<Vector> positions;
  std::vector<Vector> normals;
  std::vector<Face> faces;
  std::string materials_file;
};

fs::path source() { return RODEO_SOURCE_DIR; }

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Corner corner_of(const std::string& word) {
  Corner corner;
  char slash = 0;
  std::istringstream(word) >> corner.position >> slash >> slash >> corner.normal;
  return corner;
}

Obj read_obj(const fs::path& path) {
  Obj obj;
  std::ifstream file(path);
  std::string group, material;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key, word;
    words >> key;
    if (key == "v" || key == "vn") {
      Vector& v = (key == "v" ? obj.positions : obj.normals).emplace_back();
      words >> v[0] >> v[1] >> v[2];
      EXPECT_TRUE(words) << path << ": " << line;
    } else if (key == "f") {
      Face& face = obj.faces.emplace_back(Face{group, material, {}});
      while (words >> word) face.corners.push_back(corner_of(word));
    } else if (key == "g") {
      words >> group;
    } else if (key == "usemtl") {
      words >> material;
    } else if (key == "mtllib") {
      words >> obj.materials_file;
    }
  }
  return obj;
}

// A number, a parameter or a parameter with a minus: all that a pin's coordinate is in these files.
double value_of(const std::string& text, const YAML::Node& parameters) {
  if (text.front() == '-' && parameters[text.substr(1)]) return -parameters[text.substr(1)].as<double>();
  if (parameters[text]) return parameters[text].as<double>();
  return YAML::Node(text).as<double>();  // throws for anything else, which fails the test
}

struct Pin {
  std::string body;
  std::string point;
  double x = 0.0;
  double y = 0.0;
};

Pin pin_of(const std::string& place, const YAML::Node& machine) {
  const std::size_t dot = place.find('.');
  Pin pin{place.substr(0, dot), place.substr(dot + 1)};
  const YAML::Node body = pin.body == "ground" ? machine["ground"] : machine["bodies"][pin.body];
  const YAML::Node xy = body["points"][pin.point];
  pin.x = value_of(xy[0].as<std::string>(), machine["parameters"]);
  pin.y = value_of(xy[1].as<std::string>(), machine["parameters"]);
  return pin;
}

// The two ends of each revolute joint; a cylinder's ends stand alone, as its own parts are not in the meshes.
std::vector<std::vector<Pin>> pins_of(const YAML::Node& machine) {
  std::vector<std::vector<Pin>> pins;
  for (const YAML::Node& joint : machine["joints"]) {
    const YAML::Node ends = joint["revolute"];
    pins.push_back({pin_of(ends[0].as<std::string>(), machine), pin_of(ends[1].as<std::string>(), machine)});
  }
  for (const auto& drive : machine["drives"]) {
    for (const YAML::Node& end : drive.second["cylinder"])
      pins.push_back({pin_of(end.as<std::string>(), machine)});
  }
  return pins;
}

// The middle of the group's extent in x and y; not a number if the group is not there.
std::array<double, 2> middle_of(const Obj& obj, const std::string& group) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  std::array low{kFar, kFar}, high{-kFar, -kFar};
  for (const Face& face : obj.faces) {
    if (face.group != group) continue;
    for (const Corner& corner : face.corners) {
      for (std::size_t i : {0U, 1U}) {
        low[i] = std::min(low[i], obj.positions.at(corner.position - 1)[i]);
        high[i] = std::max(high[i], obj.positions.at(corner.position - 1)[i]);
      }
    }
  }
  return {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])};
}

void expect_pins(const YAML::Node& machine, const fs::path& meshes) {
  for (const std::vector<Pin>& ends : pins_of(machine)) {
    int found = 0;
    for (const Pin& pin : ends) {
      const auto middle = middle_of(read_obj(meshes / (pin.body + ".obj")), "pin_" + pin.point);
      if (std::isnan(middle[0])) continue;
      ++found;
      EXPECT_NEAR(middle[0], pin.x, kPinTolerance) << pin.body << '.' << pin.point;
      EXPECT_NEAR(middle[1], pin.y, kPinTolerance) << pin.body << '.' << pin.point;
    }
    EXPECT_GE(found, 1) << "no mesh of " << meshes << " has the group pin_" << ends.front().point;
  }
}

// A folder of its own for one test, removed at its end.
class Folder {
 public:
  explicit Folder(const std::string& name)
      : path_(fs::temp_directory_path() / (name + std::to_string(std::random_device{}()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

int make_meshes(const std::string& options) {
  const std::string script = (source() / "tools/meshes/make_meshes.py").string();
  return std::system(("python3 -B '" + script + "' " + options + " > /dev/null").c_str());
}

// Twice the face's area, along the normal that its corners' order gives (Newell).
Vector area_of(const Obj& obj, const Face& face) {
  Vector n{};
  for (std::size_t k = 0; k < face.corners.size(); ++k) {
    const Vector& p = obj.positions.at(face.corners[k].position - 1);
    const Vector& q = obj.positions.at(face.corners[(k + 1) % face.corners.size()].position - 1);
    for (std::size_t i = 0; i < 3; ++i)
      n[i] += (p[(i + 1) % 3] - q[(i + 1) % 3]) * (p[(i + 2) % 3] + q[(i + 2) % 3]);
  }
  return n;
}

std::set<std::string> materials_in(const fs::path& path) {
  std::set<std::string> names;
  std::ifstream file(path);
  for (std::string key, name; file >> key;) {
    if (key == "newmtl" && file >> name) names.insert(name);
  }
  return names;
}

std::vector<fs::path> files_in(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == extension) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

struct Case {
  std::string config;
  std::string folder;
};

class Meshes : public testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] static YAML::Node machine() {
    return YAML::LoadFile((source() / "configs" / (GetParam().config + ".yaml")).string());
  }
  [[nodiscard]] static fs::path folder() { return source() / "assets" / GetParam().folder; }
};

TEST_P(Meshes, ThereIsOneForTheGroundAndForEachBodyAndNoOther) {
  std::set<std::string> expected{"ground.obj"}, present;
  for (const auto& body : machine()["bodies"]) expected.insert(body.first.as<std::string>() + ".obj");
  for (const fs::path& path : files_in(folder(), ".obj")) present.insert(path.filename().string());
  EXPECT_EQ(present, expected);
}

TEST_P(Meshes, EveryJointAndCylinderHasItsPinWhereTheMachineFilePutsIt) { expect_pins(machine(), folder()); }

TEST_P(Meshes, EveryFaceIndexAndMaterialExists) {
  for (const fs::path& path : files_in(folder(), ".obj")) {
    const Obj obj = read_obj(path);
    EXPECT_FALSE(obj.faces.empty()) << path;
    const std::set<std::string> materials = materials_in(folder() / obj.materials_file);
    for (const Face& face : obj.faces) {
      ASSERT_TRUE(materials.contains(face.material)) << path << ": '" << face.material << "'";
      ASSERT_GE(face.corners.size(), 3U) << path;
      for (const Corner& corner : face.corners) {
        ASSERT_TRUE(corner.position >= 1 && corner.position <= obj.positions.size()) << path;
        ASSERT_TRUE(corner.normal >= 1 && corner.normal <= obj.normals.size()) << path;
      }
    }
  }
}

TEST_P(Meshes, EveryPartIsClosedAndItsNormalsPointOutOfIt) {
  for (const fs::path& path : files_in(folder(), ".obj")) {
    const Obj obj = read_obj(path);
    std::map<std::pair<std::size_t, std::size_t>, int>
        edges;  // there and back again cancel in a closed solid
    for (const Face& face : obj.faces) {
      const Vector area = area_of(obj, face);
      for (std::size_t k = 0; k < face.corners.size(); ++k) {
        const auto [a, normal] = face.corners[k];
        const std::size_t b = face.corners[(k + 1) % face.corners.size()].position;
        a < b ? ++edges[{a, b}] : --edges[{b, a}];
        const Vector& n = obj.normals.at(normal - 1);
        EXPECT_GT(area[0] * n[0] + area[1] * n[1] + area[2] * n[2], 0.0) << path << ", group " << face.group;
      }
    }
    const auto open =
        std::count_if(edges.begin(), edges.end(), [](const auto& edge) { return edge.second != 0; });
    EXPECT_EQ(open, 0) << path;
  }
}

TEST_P(Meshes, MovingBodiesStayUnder6000TrianglesAndTheMachineUnder40000) {
  std::size_t total = 0;
  for (const fs::path& path : files_in(folder(), ".obj")) {
    std::size_t triangles = 0;
    for (const Face& face : read_obj(path).faces) triangles += face.corners.size() - 2;
    total += triangles;
    if (path.stem() != "ground") {
      EXPECT_LT(triangles, 6000U) << path;
    }
  }
  EXPECT_LT(total, 40000U);
}

INSTANTIATE_TEST_SUITE_P(Machines, Meshes,
                         testing::Values(Case{"wheel_loader", "wheel_loader"},
                                         Case{"wheel_loader_cylinders", "wheel_loader"},
                                         Case{"excavator", "excavator"}),
                         [](const auto& machine) { return machine.param.config; });

TEST(MakeMeshes, GivesTheCommittedFilesByteForByte) {
  const Folder into("rodeo_meshes_");
  ASSERT_EQ(make_meshes("--into '" + into.path().string() + "'"), 0);
  for (const std::string machine : {"wheel_loader", "excavator"}) {
    for (const std::string extension : {".obj", ".mtl"}) {
      const std::vector<fs::path> committed = files_in(source() / "assets" / machine, extension);
      EXPECT_EQ(committed.size(), files_in(into.path() / machine, extension).size());
      for (const fs::path& path : committed) {
        EXPECT_TRUE(text_of(path) == text_of(into.path() / machine / path.filename()))
            << path << " is not what tools/meshes/make_meshes.py makes: run it";
      }
    }
  }
}

TEST(MakeMeshes, FollowsChangedDimensions) {
  const Folder folder("rodeo_meshes_");
  for (const std::string name : {"wheel_loader_cylinders.yaml", "excavator.yaml"}) {
    std::string text = text_of(source() / "configs" / name);
    const std::size_t at = text.find("L_boom: ");
    ASSERT_NE(at, std::string::npos);
    text.insert(at + std::string("L_boom: ").size(), "1.05*");  // an expression, as the machine file allows
    std::ofstream(folder.path() / name) << text;
  }
  const std::string options =
      "--into '" + folder.path().string() + "' --configs '" + folder.path().string() + "'";
  ASSERT_EQ(make_meshes(options), 0);
  for (const auto& [config, machine] :
       {std::pair{"wheel_loader_cylinders", "wheel_loader"}, {"excavator", "excavator"}}) {
    YAML::Node changed = YAML::LoadFile((source() / "configs" / (config + std::string(".yaml"))).string());
    changed["parameters"]["L_boom"] = 1.05 * changed["parameters"]["L_boom"].as<double>();
    expect_pins(changed, folder.path() / machine);
  }
}

TEST(MakeMeshes, SaysWhichPointOfWhichBodyIsMissing) {
  const Folder folder("rodeo_meshes_");
  std::string text = text_of(source() / "configs/wheel_loader_cylinders.yaml");
  const std::string point = ", U: [Ux, Uy]";
  text.erase(text.find(point), point.size());
  std::ofstream(folder.path() / "wheel_loader_cylinders.yaml") << text;
  const fs::path said = folder.path() / "said";
  EXPECT_NE(make_meshes("--into '" + folder.path().string() + "' --configs '" + folder.path().string() +
                        "' 2> '" + said.string() + "'"),
            0);
  EXPECT_NE(text_of(said).find("body 'tilt_lever' has no point 'U'"), std::string::npos) << text_of(said);
}

}  // namespace
