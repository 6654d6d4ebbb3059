// SPDX-License-Identifier: MIT
#include "viz/scene/mesh.h"

#include <fmt/format.h>
#include <osg/Material>
#include <osgDB/ReadFile>

#include <algorithm>
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

std::string find_fault(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return ": the mesh is not there";
  const std::string kind = find_extension(path);
  if (kind.empty() || osgDB::Registry::instance()->getReaderWriterForExtension(kind) == nullptr) {
    return fmt::format(": OpenSceneGraph has no plugin for '.{}' here (save it as .obj or .stl)", kind);
  }
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
  osg::ref_ptr<osg::Node> node = osgDB::readRefNodeFile(path.string(), options);
  if (!node || !is_sane(node->getBound()))
    return {nullptr, fmt::format(": cannot be read as a mesh of the kind '.{}'", find_extension(path))};
  if (osg::ref_ptr<osg::Node> merged = try_merge(*node)) node = merged;
  if (!has_material(*node)) paint(*node, colour);
  return {node, ""};
}

}  // namespace rodeo::viz
