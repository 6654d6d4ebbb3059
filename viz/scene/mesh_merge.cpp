// SPDX-License-Identifier: MIT
#include "viz/scene/mesh_merge.h"

#include <osg/CullFace>
#include <osg/Geometry>
#include <osg/Group>
#include <osg/LightModel>
#include <osg/NodeVisitor>
#include <osg/Transform>
#include <osg/TriangleIndexFunctor>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <vector>

#include "viz/scene/light.h"

namespace rodeo::viz {
namespace {

struct AddTriangle {
  std::vector<std::array<unsigned, 3>>* triangles = nullptr;
  void operator()(unsigned a, unsigned b, unsigned c) const {
    if (a != b && b != c && c != a) triangles->push_back({a, b, c});
  }
};

using Key = std::array<float, 6>;  // place and normal

/// Grows by geometries that share one state set.
class Batch {
 public:
  void add(const osg::Geometry& from) {
    const auto& places = static_cast<const osg::Vec3Array&>(*from.getVertexArray());
    const auto& normals = static_cast<const osg::Vec3Array&>(*from.getNormalArray());
    std::vector<std::array<unsigned, 3>> triangles;
    osg::TriangleIndexFunctor<AddTriangle> functor;
    functor.triangles = &triangles;
    const_cast<osg::Geometry&>(from).accept(functor);
    for (const auto& triangle : triangles) {
      for (const unsigned i : triangle) corners_.push_back(find_corner(places[i], normals[i]));
    }
  }

  osg::ref_ptr<osg::Geometry> build() const {
    osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
    geometry->setVertexArray(places_);
    geometry->setNormalArray(normals_, osg::Array::BIND_PER_VERTEX);
    geometry->addPrimitiveSet(new osg::DrawElementsUInt(GL_TRIANGLES, corners_.begin(), corners_.end()));
    geometry->setUseDisplayList(false);
    geometry->setUseVertexBufferObjects(true);
    return geometry;
  }

  /// Every edge is walked once in either direction, and the volume within is positive.
  [[nodiscard]] bool is_closed() const {
    std::map<std::pair<unsigned, unsigned>, int> edges;
    std::map<std::array<float, 3>, unsigned> numbers;  // equal places are one corner, whatever their normals
    double volume = 0;
    for (std::size_t t = 0; t + 2 < corners_.size(); t += 3) {
      std::array<unsigned, 3> ids{};
      for (std::size_t i = 0; i < 3; ++i) {
        const osg::Vec3f& p = (*places_)[corners_[t + i]];
        ids[i] =
            numbers.try_emplace({p.x(), p.y(), p.z()}, static_cast<unsigned>(numbers.size())).first->second;
      }
      for (std::size_t i = 0; i < 3; ++i) {
        const unsigned a = ids[i], b = ids[(i + 1) % 3];
        edges[std::minmax(a, b)] += a < b ? 1 : -1;
      }
      const osg::Vec3d a((*places_)[corners_[t]]), b((*places_)[corners_[t + 1]]),
          c((*places_)[corners_[t + 2]]);
      volume += a * (b ^ c);
    }
    return volume > 0 &&
           std::all_of(edges.begin(), edges.end(), [](const auto& edge) { return edge.second == 0; });
  }

 private:
  unsigned find_corner(const osg::Vec3f& p, const osg::Vec3f& n) {
    const auto [it, is_new] = known_.try_emplace(Key{p.x(), p.y(), p.z(), n.x(), n.y(), n.z()},
                                                 static_cast<unsigned>(places_->size()));
    if (is_new) places_->push_back(p), normals_->push_back(n);
    return it->second;
  }

  osg::ref_ptr<osg::Vec3Array> places_ = new osg::Vec3Array;
  osg::ref_ptr<osg::Vec3Array> normals_ = new osg::Vec3Array;
  std::map<Key, unsigned> known_;
  std::vector<unsigned> corners_;
};

bool has_texture(const osg::StateSet* state) {
  return state != nullptr && !state->getTextureAttributeList().empty();
}

/// Walks a mesh and sorts its geometries into batches, or finds that it cannot.
class Merger : public osg::NodeVisitor {
 public:
  Merger() : osg::NodeVisitor(osg::NodeVisitor::TRAVERSE_ALL_CHILDREN) {}

  void apply(osg::Transform&) override { is_understood_ = false; }
  void apply(osg::Node& node) override { walk(node); }
  void apply(osg::Drawable&) override { is_understood_ = false; }
  void apply(osg::Geometry& geometry) override {
    is_understood_ = is_understood_ && !has_texture(geometry.getStateSet()) && is_plain(geometry);
    osg::StateSet* state = geometry.getStateSet() != nullptr ? geometry.getStateSet() : inherited_;
    // Two on the way down would have to be joined.
    if (geometry.getStateSet() != nullptr && inherited_ != nullptr) is_understood_ = false;
    if (is_understood_) find_batch(state).add(geometry);
  }

  [[nodiscard]] osg::ref_ptr<osg::Node> build() const {
    if (!is_understood_ || batches_.empty()) return nullptr;
    osg::ref_ptr<osg::Group> group = new osg::Group;
    for (const auto& [state, batch] : batches_) {
      osg::ref_ptr<osg::Geometry> geometry = batch.build();
      if (state) geometry->setStateSet(new osg::StateSet(*state));
      draw_in_order(*geometry->getOrCreateStateSet());
      if (batch.is_closed()) draw_from_outside(*geometry->getOrCreateStateSet());
      group->addChild(geometry);
    }
    return group;
  }

 private:
  static bool is_plain(const osg::Geometry& geometry) {
    const auto* places = dynamic_cast<const osg::Vec3Array*>(geometry.getVertexArray());
    const auto* normals = dynamic_cast<const osg::Vec3Array*>(geometry.getNormalArray());
    const osg::Array* colours = geometry.getColorArray();
    if (places == nullptr || normals == nullptr || normals->getBinding() != osg::Array::BIND_PER_VERTEX)
      return false;
    if (normals->size() != places->size()) return false;
    return colours == nullptr || colours->getBinding() != osg::Array::BIND_PER_VERTEX;
  }

  void walk(osg::Node& node) {
    osg::StateSet* own = node.getStateSet();
    if (has_texture(own) || (own != nullptr && inherited_ != nullptr)) is_understood_ = false;
    if (!is_understood_) return;
    osg::StateSet* before = inherited_;
    if (own != nullptr) inherited_ = own;
    traverse(node);
    inherited_ = before;
  }

  /// In the order of the file, not of addresses: the same picture every time.
  Batch& find_batch(osg::StateSet* state) {
    for (auto& [known, batch] : batches_) {
      if (known == state) return batch;
    }
    return batches_.emplace_back(state, Batch()).second;
  }

  std::vector<std::pair<osg::ref_ptr<osg::StateSet>, Batch>> batches_;
  osg::StateSet* inherited_ = nullptr;
  bool is_understood_ = true;
};

class MaterialFinder : public osg::NodeVisitor {
 public:
  MaterialFinder() : osg::NodeVisitor(osg::NodeVisitor::TRAVERSE_ALL_CHILDREN) {}
  void apply(osg::Node& node) override {
    const osg::StateSet* state = node.getStateSet();
    is_found_ |= state != nullptr && state->getAttribute(osg::StateAttribute::MATERIAL) != nullptr;
    traverse(node);
  }
  [[nodiscard]] bool is_found() const { return is_found_; }

 private:
  bool is_found_ = false;
};

}  // namespace

osg::ref_ptr<osg::Node> try_merge(osg::Node& mesh) {
  Merger merger;
  mesh.accept(merger);
  return merger.build();
}

bool has_material(osg::Node& mesh) {
  MaterialFinder finder;
  mesh.accept(finder);
  return finder.is_found();
}

}  // namespace rodeo::viz
