// SPDX-License-Identifier: MIT
// A mesh that is gone or broken is named in a sentence, and its body is drawn from its points; whole ones are drawn as they are.
#include <sys/stat.h>
#include <osg/ComputeBoundsVisitor>
#include <osg/Geometry>
#include <osg/Material>
#include <osgDB/Registry>
#include <osgUtil/Statistics>

#include "engine/files/checksums.h"
#include "tests/scene/measured_picture.h"
#include "viz/scene/body_node.h"
#include "viz/scene/mesh.h"
#include "viz/scene/mesh_check.h"

namespace rodeo::viz {
namespace {

using namespace testing_support;

/// A box from (0, 0, 0) to (1, 2, 3).
const std::string kBox =
    "v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 0\nv 0 0 3\nv 1 0 3\nv 1 2 3\nv 0 2 3\n"
    "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

const std::string kPlyHead =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
const std::string kPly = kPlyHead + "0 0 0\n1 0 0\n0 2 0\n3 0 1 2\n";

/// A box as binary STL: 80 bytes, a number, triangles of a normal, three corners and two bytes.
std::string build_stl(std::uint32_t claimed, int triangles) {
  std::string text(80, ' ');
  text.append(reinterpret_cast<const char*>(&claimed), sizeof claimed);
  const float corners[12]{0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  for (int i = 0; i < triangles; ++i)
    text.append(reinterpret_cast<const char*>(corners), sizeof corners).append(2, '\0');
  return text;
}

class MeshFile : public testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text) const {
    const fs::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  [[nodiscard]] Mesh build(const std::string& name, const std::string& text) const {
    return build_mesh(write(name, text), osg::Vec4f(1, 0, 0, 1));
  }
  [[nodiscard]] std::string fault(const std::string& name, const std::string& text) const {
    const Mesh mesh = build(name, text);
    EXPECT_EQ(mesh.node.valid(), mesh.fault.empty());
    return mesh.fault;
  }

  TemporaryFolder folder_;
};

TEST_F(MeshFile, OfObjIsReadAsItStands) {
  const Mesh mesh = build("box.obj", kBox);
  ASSERT_TRUE(mesh.node.valid()) << mesh.fault;
  osg::ComputeBoundsVisitor visitor;
  mesh.node->accept(visitor);
  EXPECT_EQ(visitor.getBoundingBox()._min, osg::Vec3f(0, 0, 0));
  EXPECT_EQ(visitor.getBoundingBox()._max, osg::Vec3f(1, 2, 3));
}

TEST_F(MeshFile, WithoutMaterialsHasTheColourOfItsBody) {
  const Mesh mesh = build("box.obj", kBox);
  ASSERT_TRUE(mesh.node.valid()) << mesh.fault;
  const osg::StateSet* state = mesh.node->getStateSet();
  ASSERT_NE(state, nullptr);
  const auto* material =
      dynamic_cast<const osg::Material*>(state->getAttribute(osg::StateAttribute::MATERIAL));
  ASSERT_NE(material, nullptr);
  EXPECT_EQ(material->getDiffuse(osg::Material::FRONT), osg::Vec4f(1, 0, 0, 1));
}

TEST_F(MeshFile, OfStlIsReadAsItStands) {
  const Mesh mesh = build("corner.stl", build_stl(2, 2));
  ASSERT_TRUE(mesh.node.valid()) << mesh.fault;
  osg::ComputeBoundsVisitor visitor;
  mesh.node->accept(visitor);
  EXPECT_EQ(visitor.getBoundingBox()._max, osg::Vec3f(1, 1, 0));
  const std::string text =
      "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
      "0\nendloop\nendfacet\n";
  EXPECT_EQ(fault("text.STL", text + "endsolid a\n"), "");
  EXPECT_EQ(fault("cut.stl", text), ": ends without 'endsolid', the file is cut off");
}

TEST_F(MeshFile, OfPlyIsReadAsItStands) {
  const Mesh mesh = build("corner.ply", kPly);
  ASSERT_TRUE(mesh.node.valid()) << mesh.fault;
  osg::ComputeBoundsVisitor visitor;
  mesh.node->accept(visitor);
  EXPECT_EQ(visitor.getBoundingBox()._max, osg::Vec3f(1, 2, 0));
  std::string binary = kPlyHead;
  binary.replace(binary.find("ascii"), 5, "binary_little_endian");
  for (const float value : {0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 2.0F, 0.0F})
    binary.append(reinterpret_cast<const char*>(&value), sizeof value);
  binary += '\3';
  for (const int index : {0, 1, 2}) binary.append(reinterpret_cast<const char*>(&index), sizeof index);
  EXPECT_EQ(fault("binary.ply", binary), "");
  binary.pop_back();
  EXPECT_EQ(fault("cut.ply", binary), ": face 0 of 1 is not whole");
}

/// OpenSceneGraph's readers broke on the first, third and fifth of these.
TEST_F(MeshFile, OfPlyOrStlThatIsBrokenIsRefused) {
  const auto damaged = [&](const std::string& from, const std::string& to) {
    std::string text = kPly;
    return fault("damaged.ply", text.replace(text.find(from), from.size(), to));
  };
  EXPECT_EQ(damaged("element vertex 3", "el, 3"), ":3: 'el,' is no line of a head");
  EXPECT_EQ(damaged("vertex 3", "vertex 4000000000"), ":9: the file is cut off within its numbers");
  EXPECT_EQ(damaged("3 0 1 2", "3 0 1"), ": face 0 of 1 is not whole");
  EXPECT_EQ(damaged("3 0 1 2", "3 0 1 3"), ": face 0 names vertex 3, there are 3");
  EXPECT_EQ(damaged("1 0 0\n0 2 0", "1 0 0 0 2 0"), ": vertex 1 of 3 is not whole");
  EXPECT_EQ(damaged("float z", "list uchar float z"), ":9: property 'z' of a vertex is a list");
  EXPECT_EQ(damaged("int vertex_indices", "int corners"),
            ":9: a face has other properties than the list 'vertex_indices'");
  EXPECT_EQ(fault("text.stl", "solid s\n0\nvertex 1 0 0\nfacet normal 0 0 1\nendsolid s\n"),
            ":2: '0' stands where 'facet normal' belongs");
  EXPECT_EQ(fault("number.stl", "solid s\nfacet normal 0 0 inf\n"), ":2: 'inf' is no number");
  EXPECT_EQ(fault("none.stl", "solid facet\nendsolid\n"), ": has no triangles");
}

TEST_F(MeshFile, ThatIsClosedIsDrawnFromOutsideOnly) {
  const auto is_culled = [](const Mesh& mesh) {
    const osg::StateSet* state = mesh.node->asGroup()->getChild(0)->getStateSet();
    return state != nullptr && state->getMode(GL_CULL_FACE) == osg::StateAttribute::ON;
  };
  EXPECT_TRUE(is_culled(build("box.obj", kBox)));
  // Without a lid one sees its inside; inside out one would see nothing else.
  EXPECT_FALSE(is_culled(build("open.obj", kBox.substr(0, kBox.rfind("f ")))));
  std::string turned = kBox.substr(0, kBox.find('f'));
  turned += "f 1 2 3 4\nf 8 7 6 5\nf 5 6 2 1\nf 6 7 3 2\nf 7 8 4 3\nf 8 5 1 4\n";
  EXPECT_FALSE(is_culled(build("turned.obj", turned)));
}

TEST_F(MeshFile, IsMergedIntoOneGeometryAMaterialWithoutLosingATriangle) {
  write("two.mtl", "newmtl a\nKd 1 0 0\nnewmtl b\nKd 0 1 0\n");
  std::string text = "mtllib two.mtl\n" + kBox.substr(0, kBox.find('f'));
  for (int i = 0; i < 6; ++i)
    text +=
        std::string("usemtl ") + (i % 2 == 0 ? "a" : "b") + "\ng part" + std::to_string(i) + "\nf 1 2 3 4\n";
  const Mesh mesh = build("two.obj", text);
  ASSERT_TRUE(mesh.node.valid()) << mesh.fault;
  EXPECT_EQ(mesh.node->asGroup()->getNumChildren(), 2u);
  osgUtil::StatsVisitor stats;
  mesh.node->accept(stats);
  stats.totalUpStats();
  EXPECT_EQ(stats._instancedStats.getPrimitiveCountMap()[GL_TRIANGLES], 12u);
}

/// The attack: OpenSceneGraph's Lua plugin runs what it reads, by whatever way it is reached.
TEST_F(MeshFile, RunsNoCode) {
  const fs::path trace = folder_ / "trace";
  const std::string script = "io.open('" + trace.string() + "', 'w'):write('ran'):close()\n";
  EXPECT_EQ(fault("evil.lua", script), ": meshes are OBJ, STL or PLY files, this is '.lua'");
  write("evil.png.lua", script);
  for (const std::string map : {"evil.lua", "evil.png.lua", "./evil.lua"}) {
    write("evil.mtl", "newmtl a\nKd 1 0 0\nmap_Kd " + map + "\nmap_bump " + map + "\n");
    const Mesh mesh = build("evil.obj", "mtllib evil.mtl\nusemtl a\n" + kBox);
    EXPECT_TRUE(mesh.node.valid()) << mesh.fault;
  }
  EXPECT_FALSE(fs::exists(trace));
}

TEST_F(MeshFile, ThatIsBrokenIsRefusedWithTheLine) {
  EXPECT_EQ(build_mesh(folder_ / "gone.obj", {}).fault, ": the mesh is not there");
  EXPECT_EQ(fault("bucket.xyz", "anything"), ": meshes are OBJ, STL or PLY files, this is '.xyz'");
  EXPECT_EQ(fault("bucket.obj.gz", "{}"), ": meshes are OBJ, STL or PLY files, this is '.gz'");
  EXPECT_EQ(fault("noname", "anything"), ": meshes are OBJ, STL or PLY files, this is '.'");
  ASSERT_EQ(::mkfifo((folder_ / "pipe.obj").c_str(), 0600), 0);
  EXPECT_EQ(build_mesh(folder_ / "pipe.obj", {}).fault, ": the mesh is no regular file");
  EXPECT_EQ(fault("empty.obj", ""), ":0: the file ends without a face");
  EXPECT_EQ(fault("points.obj", "v 0 0 0\nv 1 0 0\n"), ":2: the file ends without a face");
  EXPECT_EQ(fault("short.obj", "v 0 0 0\nv 1 0\n"), ":2: a vertex has 2 numbers, not 3");
  EXPECT_EQ(fault("nan.obj", "v 0 0 nan\n"), ":1: 'nan' is no number");
  EXPECT_EQ(fault("index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n"),
            ":4: a face names vertex 4, there are 3");
  EXPECT_EQ(fault("normal.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1//1 2//1 3//1\n"),
            ":4: a face names normal 1, there are 0");
  EXPECT_EQ(fault("two.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n"), ":4: a face has 2 corners");
  EXPECT_EQ(fault("mixed.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3/\n"),
            ":5: '3/' is no corner of a face");
  EXPECT_EQ(fault("flat.obj", "v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n"),
            ": cannot be read as a mesh of the kind '.obj'");
  EXPECT_EQ(fault("cut.stl", build_stl(12, 3)), ": has 3 of its 12 triangles, the file is cut off");
  EXPECT_EQ(fault("head.stl", "short"), ": the file is cut off within its head");
}

TEST_F(MeshFile, CutOffAnywhereNeverCrashesAndIsRefusedUnlessTheCutIsBetweenFaces) {
  const std::string whole = read_file(fs::path(RODEO_SOURCE_DIR) / "assets/wheel_loader/rear_strut.obj");
  const std::size_t first_face = whole.find("\nf ");
  int refused = 0, inside = 0;
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    const std::string fault = find_mesh_fault(write("cut.obj", whole.substr(0, size)));
    refused += !fault.empty();
    inside += fault.empty() && (size <= first_face || (whole[size] != '\n' && whole[size - 1] != '\n'));
  }
  EXPECT_GT(refused, 200);
  // A line of a face that lost a last whole corner or the end of a number is a face all the same; most of them leave a vertex unused.
  EXPECT_LT(inside, 3);
}

/// The loader with one mesh spoilt, as rodeo-view meets it.
TEST(BrokenMesh, IsNamedOnStandardErrorAndItsBodyDrawnFromItsPoints) {
  if (!can_build()) GTEST_SKIP() << "this build has no offline side: machines cannot be built";
  const MovingMachine machine("wheel_loader");
  const TemporaryFolder folder;
  const fs::path mesh = machine.folder() / "meshes/bucket/bucket.obj";
  const std::string whole = read_file(mesh);
  const std::string shoot = "'" RODEO_VIEW_PROGRAM "' '" + machine.folder().string() +
                            "' --size 320x180 --samples 0 --screenshot '" + (folder / "a.png").string() + "'";
  const std::string drawn = ": body 'bucket' is drawn from its points\n";
  EXPECT_EQ(run(shoot, folder.path()).err, "");
  std::ofstream(mesh) << whole.substr(0, whole.find("\nf ") - 3);
  engine::write_checksums(machine.folder().string());  // it was built so
  Ran ran = run(shoot, folder.path());
  EXPECT_EQ(ran.status, 0);
  const auto line =
      std::to_string(std::count(whole.begin(), whole.begin() + whole.find("\nf ") - 3, '\n') + 1);
  EXPECT_EQ(ran.err, mesh.string() + ":" + line + ": the file ends without a face" + drawn);
  fs::remove(mesh);
  engine::write_checksums(machine.folder().string());
  ran = run(shoot, folder.path());
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, mesh.string() + ": the mesh is not there" + drawn);
  // Drawn from its points: the plate of its own colour appears where the mesh was yellow.
  const Scene scene = build_scene(machine.folder());
  const BodyLook look = build_body(scene, *scene.find_body("bucket"), DrawnSizes(scene));
  ASSERT_TRUE(look.node.valid());
  EXPECT_GT(look.node->getBound().radius(), 0.3);
}

TEST(BrokenMesh, IsNamedOverThePictureToo) {
  if (!can_build()) GTEST_SKIP() << "this build has no offline side: machines cannot be built";
  const MovingMachine machine("wheel_loader");
  fs::remove(machine.folder() / "meshes/bucket/bucket.obj");
  engine::write_checksums(machine.folder().string());
  const Scene scene = build_scene(machine.folder());
  ViewOptions options;
  options.width = 640, options.height = 360;
  Track track(scene.bodies.size(), scene.drives.size());
  track.add(build_start_sample(scene));
  Stage stage(scene, options, &track);
  ASSERT_EQ(stage.troubles().size(), 1u);
  Studio studio(stage, options.width, options.height, 0);
  HudState state;
  state.sample = track.row(0);
  const Picture without = studio.take(state, &track);
  state.warnings = stage.troubles();
  const auto changed = find_difference(without, studio.take(state, &track));
  EXPECT_GT(changed.size(), 2000u);
  for (const Point p : changed) EXPECT_LT(p.y, 90);  // at the top
}

}  // namespace
}  // namespace rodeo::viz
