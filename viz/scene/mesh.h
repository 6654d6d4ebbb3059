// SPDX-License-Identifier: MIT
// The mesh of a body from its file, made ready to be drawn fast: one geometry a material, equal corners shared, and a surface that is
// closed drawn from outside only.
#pragma once
#include <osg/Node>
#include <osg/Vec4f>
#include <osg/ref_ptr>

#include <filesystem>
#include <string>

namespace rodeo::viz {

struct Mesh {
  osg::ref_ptr<osg::Node> node;  // null: it cannot be shown
  std::string fault;             // then why, to be put behind the file's name
};

/// `colour`: of what has no material of its own.
[[nodiscard]] Mesh build_mesh(const std::filesystem::path& path, const osg::Vec4f& colour);

/// In small letters, without the dot.
[[nodiscard]] std::string find_extension(const std::filesystem::path& path);

}  // namespace rodeo::viz
