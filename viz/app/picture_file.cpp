// SPDX-License-Identifier: MIT
#include "viz/app/picture_file.h"

#include <fmt/format.h>
#include <osg/Image>
#include <osgDB/Registry>

#include <cstring>
#include <filesystem>
#include <sstream>

#include "engine/io/log.h"
#include "viz/feed/scene_file.h"

namespace rodeo::viz {
namespace {

namespace fs = std::filesystem;

std::string build_ppm(const Picture& picture) {
  std::string text = fmt::format("P6\n{} {}\n255\n", picture.width, picture.height);
  text.append(reinterpret_cast<const char*>(picture.rgb.data()), picture.rgb.size());
  return text;
}

std::string build_png(const Picture& picture) {
  osg::ref_ptr<osg::Image> image = new osg::Image;
  image->allocateImage(picture.width, picture.height, 1, GL_RGB, GL_UNSIGNED_BYTE, 1);
  const std::size_t row = static_cast<std::size_t>(3 * picture.width);
  for (int y = 0; y < picture.height; ++y) {  // OSG's rows begin at the bottom
    std::memcpy(image->data(0, picture.height - 1 - y),
                picture.rgb.data() + static_cast<std::size_t>(y) * row, row);
  }
  osgDB::ReaderWriter* writer = osgDB::Registry::instance()->getReaderWriterForExtension("png");
  std::ostringstream text;
  if (writer == nullptr || !writer->writeImage(*image, text).success())
    throw SceneError("OpenSceneGraph's PNG plugin is not there: write a .ppm");
  return text.str();
}

}  // namespace

void check_picture_name(const std::string& path) {
  const fs::path file(path);
  if (file.extension() != ".png" && file.extension() != ".ppm")
    throw SceneError(fmt::format("'{}': a picture's name ends in .png or .ppm", path));
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    throw SceneError(fmt::format("cannot write '{}': there is no folder '{}'", path, folder.string()));
}

void write_picture(const Picture& picture, const std::string& path) {
  const std::string bytes = fs::path(path).extension() == ".ppm" ? build_ppm(picture) : build_png(picture);
  try {
    engine::AtomicFile file(path);
    file.write(bytes);
    file.finish();
  } catch (const engine::IoError& error) {
    throw SceneError(error.what());
  }
}

}  // namespace rodeo::viz
