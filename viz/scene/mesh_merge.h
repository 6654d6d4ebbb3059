// SPDX-License-Identifier: MIT
// Many small geometries into few: what a file holds, gathered by material. On a computer that draws without a graphics card this is
// half of the time of a picture.
#pragma once
#include <osg/Node>
#include <osg/ref_ptr>

namespace rodeo::viz {

/// The same surfaces, one geometry a state set. Null where there is something that is not understood (textures, colours of
/// vertices, anything but triangles): then it is drawn as it is.
[[nodiscard]] osg::ref_ptr<osg::Node> try_merge(osg::Node& mesh);

/// Does anything in it bring a material of its own?
[[nodiscard]] bool has_material(osg::Node& mesh);

}  // namespace rodeo::viz
