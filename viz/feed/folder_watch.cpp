// SPDX-License-Identifier: MIT
#include "viz/feed/folder_watch.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

namespace rodeo::viz {

namespace fs = std::filesystem;

FolderWatch::FolderWatch(fs::path folder) : folder_(std::move(folder)), stamp_(calc_stamp()) {}

std::string FolderWatch::calc_stamp() const {
  std::error_code gone;
  const fs::path real = fs::canonical(folder_, gone);
  if (gone || !fs::exists(real / "scene.json", gone)) return "";
  std::vector<std::string> lines;
  for (fs::recursive_directory_iterator it(real, gone), end; !gone && it != end; it.increment(gone)) {
    std::error_code failure;
    if (!it->is_regular_file(failure)) continue;
    std::ostringstream line;
    line << it->path().string() << ' ' << it->file_size(failure) << ' '
         << it->last_write_time(failure).time_since_epoch().count() << '\n';
    lines.push_back(line.str());
  }
  if (gone) return "";  // removed under our eyes: the next look sees more
  std::sort(lines.begin(), lines.end());
  std::string stamp;
  for (const std::string& line : lines) stamp += line;
  return stamp;
}

bool FolderWatch::take_change() {
  std::string now = calc_stamp();
  if (now.empty() || now == stamp_) return false;
  stamp_ = std::move(now);
  return true;
}

std::string FolderWatch::read_fault() const {
  std::ifstream file(folder_.string() + ".fault");
  std::ostringstream text;
  text << file.rdbuf();
  std::string all = text.str();
  while (!all.empty() && all.back() == '\n') all.pop_back();
  return all;
}

}  // namespace rodeo::viz
