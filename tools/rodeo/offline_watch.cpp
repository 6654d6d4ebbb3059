// SPDX-License-Identifier: MIT
#include "tools/rodeo/offline_watch.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/io/printable.h"
#include "tools/rodeo/offline_build.h"
#include "tools/rodeo/output.h"

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;

std::string stamp(const fs::path& file) {
  std::error_code gone;
  const auto size = fs::file_size(file, gone);
  if (gone) return "-";
  return fmt::format("{} {}", size, fs::last_write_time(file, gone).time_since_epoch().count());
}

}  // namespace

ModelWatch::ModelWatch(std::string model, std::vector<std::string> overrides, fs::path link)
    : model_(std::move(model)), overrides_(std::move(overrides)), link_(std::move(link)) {
  build();
}

/// Of the machine file, and of the meshes that the last good build was made of.
std::string ModelWatch::calc_stamp() const {
  std::string all = stamp(model_);
  std::ifstream stream(built_ / "meshes" / "sources.json");
  const auto sources = nlohmann::json::parse(stream, nullptr, /*allow_exceptions=*/false);
  if (!sources.is_array()) return all;
  for (const auto& entry : sources) {
    const std::string missing = (fs::path(model_).parent_path() / entry.value("missing", "")).string();
    all += "\n" + stamp(entry.value("source", missing));
  }
  return all;
}

/// The link takes its new target in one step.
void ModelWatch::build() {
  stamp_ = calc_stamp();  // before: what changes meanwhile is built next time
  const bool is_first = built_.empty();
  built_ = fs::absolute(build_or_find_kernel(model_, overrides_));
  if (is_first) stamp_ = calc_stamp();
  const fs::path draft = link_.string() + ".new";
  fs::create_directory_symlink(built_, draft);
  fs::rename(draft, link_);
  fs::remove(link_.string() + ".fault");
}

void ModelWatch::look() {
  if (calc_stamp() == stamp_) return;
  try {
    build();
  } catch (const std::exception& error) {
    engine::print_text(std::string(error.what()) + "\n", stderr);
    write_file(link_.string() + ".fault", error.what());
  }
}

}  // namespace rodeo::tools
