// SPDX-License-Identifier: MIT
#include "viz/scene/mesh.h"

#include <fmt/format.h>
#include <osg/Material>
#include <osgDB/ReadFile>
#include <osgDB/Registry>

#include <algorithm>
#include <array>
#include <cmath>

#include "viz/scene/mesh_check.h"
#include "viz/scene/mesh_merge.h"

namespace rodeo::viz {
namespace {

namespace fs = std::filesystem;

void paint(osg::Node& node, const osg::Vec4f& colour) {
  osg::ref_ptr<osg::Material> material = new osg::Material;
  material->setColorMode(osg::Material::OFF);
  material->setAmbient(osg::Material::FRONT_AND_BACK, colour);
  material->setDiffuse(osg::Material::FRONT_AND_BACK, colour);
  node.getOrCreateStateSet()->setAttributeAndModes(material);
}

bool is_sane(const osg::BoundingSphere& bound) {
  return bound.valid() && std::isfinite(bound.radius()) && bound.radius() > 0;
}

/// OpenSceneGraph takes any ending to be the name of a plugin, and some of them run what they read: only these are asked.
constexpr std::array kMeshes{"obj", "stl", "ply"};
constexpr std::array kPictures{"png", "jpg", "jpeg"};

template <std::size_t N>
osgDB::ReaderWriter* find_reader(const fs::path& path, const std::array<const char*, N>& kinds) {
  const std::string kind = find_extension(path);
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) return nullptr;
  return osgDB::Registry::instance()->getReaderWriterForExtension(kind);
}

/// Materials may name pictures, and nothing else.
class NamedReaders : public osgDB::ReadFileCallback {
 public:
  using Result = osgDB::ReaderWriter::ReadResult;
  Result readImage(const std::string& name, const osgDB::Options* options) override {
    osgDB::ReaderWriter* reader = find_reader(name, kPictures);
    return reader == nullptr ? Result(Result::FILE_NOT_HANDLED) : reader->readImage(name, options);
  }
  Result readNode(const std::string&, const osgDB::Options*) override { return Result::FILE_NOT_HANDLED; }
  Result readObject(const std::string&, const osgDB::Options*) override { return Result::FILE_NOT_HANDLED; }
  Result openArchive(const std::string&, osgDB::ReaderWriter::ArchiveStatus, unsigned,
                     const osgDB::Options*) override {
    return Result::FILE_NOT_HANDLED;
  }
};

std::string find_fault(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return ": the mesh is not there";
  if (!fs::is_regular_file(path, ignored)) return ": the mesh is no regular file";
  if (find_reader(path, kMeshes) == nullptr)
    return fmt::format(": meshes are OBJ, STL or PLY files, this is '.{}'", find_extension(path));
  return find_mesh_fault(path);
}

}  // namespace

std::string find_extension(const fs::path& path) {
  std::string text = path.extension().string();
  if (!text.empty()) text.erase(0, 1);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

Mesh build_mesh(const fs::path& path, const osg::Vec4f& colour) {
  if (std::string fault = find_fault(path); !fault.empty()) return {nullptr, std::move(fault)};
  // Files are x forward, y up as the scene is; OSG would turn OBJ files upright otherwise. Strips would be taken apart again.
  osg::ref_ptr<osgDB::Options> options = new osgDB::Options("noRotation noTriStripPolygons");
  options->setReadFileCallback(new NamedReaders);
  osg::ref_ptr<osg::Node> node = find_reader(path, kMeshes)->readNode(path.string(), options).takeNode();
  if (!node || !is_sane(node->getBound()))
    return {nullptr, fmt::format(": cannot be read as a mesh of the kind '.{}'", find_extension(path))};
  if (osg::ref_ptr<osg::Node> merged = try_merge(*node)) node = merged;
  if (!has_material(*node)) paint(*node, colour);
  return {node, ""};
}

}  // namespace rodeo::viz
