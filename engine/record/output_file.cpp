// SPDX-License-Identifier: MIT
// POSIX calls: their errno is the reason that the user is told.
#include "engine/record/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "engine/io/log.h"

namespace rodeo::engine {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kPermissions = 0666;  // less the umask

/// True if another process holds it.
bool is_locked(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_held = ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return is_held;
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path), target_(find_link_target(path)) {
  if (path.empty()) refuse(ENOENT);
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) refuse(EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    file_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);  // a pipe, a device
    if (file_ < 0) refuse(errno);
    return;
  }
  open_regular(target_);
}

void OutputFile::open_regular(const std::string& target) {
  if (is_locked(target)) {
    throw IoError(fmt::format("cannot write '{}': another rodeo is recording to it", path_));
  }
  if (::unlink(target.c_str()) != 0 && errno != ENOENT) refuse(errno);
  file_ = ::open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kPermissions);
  if (file_ < 0) refuse(errno);
  ::flock(file_, LOCK_EX | LOCK_NB);
}

OutputFile::~OutputFile() {
  if (file_ >= 0) ::close(file_);
}

void OutputFile::refuse(int error_number) const {
  throw IoError(fmt::format("cannot write '{}': {}", path_, std::generic_category().message(error_number)));
}

int OutputFile::write(std::string_view bytes) noexcept {
  const std::uint64_t before = size_;
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      if (::ftruncate(file_, static_cast<off_t>(before)) == 0) size_ = before;  // no half chunk stays behind
      return error;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
    size_ += static_cast<std::uint64_t>(written);
  }
  return 0;
}

int OutputFile::sync() noexcept {
  if (::fdatasync(file_) == 0 || errno == EINVAL || errno == EROFS) return 0;  // a pipe has no disk
  return errno;
}

void OutputFile::sync_folder() const noexcept {
  const std::string folder = fs::path(target_).parent_path().string();
  const int file = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  static_cast<void>(::fsync(file));
  ::close(file);
}

}  // namespace rodeo::engine
