// SPDX-License-Identifier: MIT
#include "engine/record/spill_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "engine/io/log.h"

namespace rodeo::engine {
namespace {

std::string find_folder(const std::string& path) {
  const std::string folder = std::filesystem::path(find_link_target(path)).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

SpillFile::SpillFile(const std::string& path)
    : file_(::open(find_folder(path).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR)) {}

SpillFile::~SpillFile() {
  if (file_ >= 0) ::close(file_);
}

bool SpillFile::add(std::string_view bytes) noexcept {
  if (file_ < 0) return false;
  std::uint64_t end = size_;
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(end));
    if (written <= 0) return false;  // what is behind size_ is written over
    bytes.remove_prefix(static_cast<std::size_t>(written));
    end += static_cast<std::uint64_t>(written);
  }
  size_ = end;
  return true;
}

bool SpillFile::read(std::uint64_t from, std::size_t count, std::string& out) const {
  const std::size_t before = out.size();
  out.resize(before + count);
  for (std::size_t done = 0; done < count;) {
    const ssize_t got =
        ::pread(file_, out.data() + before + done, count - done, static_cast<off_t>(from + done));
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace rodeo::engine
