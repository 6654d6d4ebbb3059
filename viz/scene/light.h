// SPDX-License-Identifier: MIT
// How surfaces are drawn: lit from both sides, unless it is known that they close around a solid, and always in the same order.
#pragma once
#include <osg/CullFace>
#include <osg/LightModel>
#include <osg/StateSet>

namespace rodeo::viz {

[[nodiscard]] inline osg::ref_ptr<osg::LightModel> build_light_model(bool both_sides) {
  osg::ref_ptr<osg::LightModel> model = new osg::LightModel;
  model->setAmbientIntensity(osg::Vec4f(0.26F, 0.27F, 0.29F, 1));
  model->setTwoSided(both_sides);
  return model;
}

/// Of a solid nobody sees the inside: half of the triangles, and light on one side of them.
inline void draw_from_outside(osg::StateSet& state) {
  static const osg::ref_ptr<osg::LightModel> model = build_light_model(false);
  static const osg::ref_ptr<osg::CullFace> cull = new osg::CullFace(osg::CullFace::BACK);
  state.setAttributeAndModes(model);
  state.setAttributeAndModes(cull);
}

/// Where two faces lie in one plane the first drawn is seen: OSG would sort by addresses, and no two pictures were alike. What has
/// an order of its own, as glass, keeps it.
inline void draw_in_order(osg::StateSet& state) {
  if (!state.useRenderBinDetails()) state.setRenderBinDetails(0, "TraversalOrderBin");
}

}  // namespace rodeo::viz
