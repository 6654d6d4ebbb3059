// SPDX-License-Identifier: MIT
// The files that come with Rodeo are read, what they promise holds, and reading grows no faster than the file.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "kinematics/expr/eval.h"
#include "tests/bondgraph/reading.h"

namespace rodeo::bondgraph {
namespace {

std::string configs() { return std::string(RODEO_SOURCE_DIR) + "/configs/"; }

std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(configs() + folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(Configs, EveryGraphIsRead) {
  for (const std::string& file : files_of("graphs")) {
    if (file.ends_with("library_damper.yaml")) continue;  // its library is built by Library.*
    EXPECT_NO_THROW(EXPECT_GT(build_graph_from_file(file).bonds.size(), 0u)) << file;
  }
}

/// Parameters of a library file that stand for a body.
std::vector<std::string> bodies_of(const text::Node& root) {
  std::vector<std::string> names;
  if (root.find("parameters") == nullptr) return names;
  for (const text::Entry& entry : root.find("parameters")->entries) {
    if (entry.value.scalar == "subset") names.push_back(entry.key);
  }
  return names;
}

/// A model that uses the file as a subset and puts a resistance on each of its ports.
std::string build_use(const std::string& file) {
  const text::Node root = text::build_yaml_from_file(file);
  std::string with;
  for (const std::string& body : bodies_of(root)) with += body + ": body, ";
  std::string elements = "elements:\n  body: {subset: rigid_body.yaml}\n  x: {subset: " +
                         std::filesystem::path(file).filename().string() + ", with: {" + with + "}}\n";
  std::string bonds = "bonds:\n";
  const auto load = [&](const std::string& port) {
    elements += "  load_" + port + ": {R: 1}\n";
    bonds += "  - x." + port + " -> load_" + port + "\n";
  };
  for (const text::Node& port : root.find("ports")->items) load(port.scalar);
  for (const text::Entry& port : root.find("ports")->entries) load(port.key);
  return elements + bonds;
}

TEST(Configs, EveryLibraryFileIsReadAndUsableAsASubset) {
  const Folder folder;
  for (const std::string& file : files_of("library")) {
    if (bodies_of(text::build_yaml_from_file(file)).empty()) {
      EXPECT_NO_THROW(static_cast<void>(build_graph_from_file(file))) << file;
    }
    folder.write("m.yaml", build_use(file));
    EXPECT_EQ(folder.faults_of_file("m.yaml"), "") << file;
  }
}

TEST(Configs, RodsMoveTheirEndsAsRigidBodies) {
  // v_end = v_centre + d·(-sin X, cos X)·w, d = -L/2 at A and +L/2 at B
  for (const char* file : {"library/planar_rod.yaml", "library/planar_rod_equivalent.yaml"}) {
    const Graph rod = build_graph_from_file(configs() + file);
    const double X = 0.7;
    const double L = 1.3;
    const std::map<std::string, double> expected = {{"TFAx", L / 2 * std::sin(X)},
                                                    {"TFAy", -L / 2 * std::cos(X)},
                                                    {"TFBx", -L / 2 * std::sin(X)},
                                                    {"TFBy", L / 2 * std::cos(X)}};
    for (const auto& [name, modulus] : expected) {
      EXPECT_DOUBLE_EQ(expr::calc_value(element(rod, name).value[0], {{"J.displacement", X}, {"L", L}}),
                       modulus)
          << file << name;
    }
  }
}

TEST(Configs, FullRodKeepsItsAngleAsTheDisplacementOfAnInertia) {
  const Graph rod = build_graph_from_file(configs() + "library/planar_rod.yaml");
  EXPECT_EQ(rod.displacement_of_inertia, std::vector{rod.find_element("J")});
}

TEST(Configs, FourBarStartsClosed) {
  const Graph graph = build_graph_from_file(configs() + "graphs/four_bar_rods.yaml");
  std::map<std::string, double> at;
  for (const Start& start : graph.starts) at[start.variable] = start.value;
  for (const expr::Parameter& parameter : graph.parameters) at[parameter.name] = parameter.number;
  const auto sum = [&](double (*f)(double)) {
    return at["L1"] * f(at["crank.J.displacement"]) + at["L2"] * f(at["coupler.J.displacement"]) +
           at["L3"] * f(at["rocker.J.displacement"]);
  };
  EXPECT_NEAR(sum(std::cos), at["L0"], 1e-15);  // a few roundings of lengths near 1
  EXPECT_NEAR(sum(std::sin), 0.0, 1e-15);
}

TEST(Configs, PlaceUnitsOnBothSidesOfTheMotor) {
  const Graph graph = build_graph_from_file(configs() + "graphs/pi_motor.yaml");
  EXPECT_STREQ(value_unit(element(graph, "motor.armature")), "H");
  EXPECT_STREQ(value_unit(element(graph, "motor.rotor")), "kg m^2");
  EXPECT_EQ(element(graph, "motor.circuit").domain, Domain::electric);
}

/// A ladder of n cells: mass, spring, damper, two junctions.
std::string build_ladder(int cells) {
  std::string elements = "elements:\n  push: {Se: 1}\n";
  std::string junctions = "junctions:\n";
  std::string bonds = "bonds:\n  - push -> v0\n";
  for (int i = 0; i < cells; ++i) {
    const std::string n = std::to_string(i);
    elements += "  m" + n + ": {I: 1 + k/2}\n  s" + n + ": {K: k*(1 + s" + n + ".displacement)}\n  d" + n +
                ": {R: abs(_Vm" + n + "_)}\n";
    junctions += "  v" + n + ": 1\n  z" + n + ": 0\n";
    bonds += "  - v" + n + " -> m" + n + "\n  - v" + n + " -> z" + n + "\n  - z" + n + " -> s" + n +
             "\n  - z" + n + " -> d" + n + "\n";
    if (i > 0) bonds += "  - z" + std::to_string(i - 1) + " -> v" + n + "\n";
  }
  return "parameters: {k: 3}\n" + elements + junctions + bonds;
}

double seconds_to_read(int cells) {
  const std::string text = build_ladder(cells);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(build_from_text(text).elements.size(), 5 * static_cast<std::size_t>(cells) + 1);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Times are printed only; a reader whose time grows with the square would take minutes here and be noticed.
TEST(Growth, FiftyThousandElementsAreRead) {
  const double small = seconds_to_read(1000);
  const double large = seconds_to_read(10'000);
  std::printf("  5000 elements in %.2f s, 50,000 in %.2f s\n", small, large);
}

}  // namespace
}  // namespace rodeo::bondgraph
