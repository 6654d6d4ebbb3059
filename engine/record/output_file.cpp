// SPDX-License-Identifier: MIT
// POSIX calls: their errno is the reason that the user is told.
#include "engine/record/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "engine/files/signature.h"
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

std::string find_folder(const std::string& target) {
  const std::string folder = fs::path(target).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// Of two that start together the second waits until the file of the first is locked. It goes with the process, however that ends.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder)
      : file_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    while (file_ >= 0 && ::flock(file_, LOCK_EX) != 0 && errno == EINTR) continue;
  }
  ~FolderLock() {
    if (file_ >= 0) ::close(file_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_;
};

}  // namespace

OutputFile::OutputFile(const std::string& path, bool replaces)
    : path_(path), target_(find_link_target(path)) {
  if (path.empty()) refuse(ENOENT);
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) refuse(EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    file_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);  // a pipe, a device
    if (file_ < 0) refuse(errno);
    return;
  }
  open_regular(replaces);
}

void OutputFile::open_regular(bool replaces) {
  const FolderLock lock(find_folder(target_));
  if (is_locked(target_)) {
    throw IoError(fmt::format("cannot write '{}': another rodeo is recording to it", path_));
  }
  std::error_code ignored;
  const std::uintmax_t size = fs::file_size(target_, ignored);
  if (!replaces && !ignored && size > 0) move_older();
  if (kept_.empty() && ::unlink(target_.c_str()) != 0 && errno != ENOENT) refuse(errno);
  fs::remove(target_ + kFileSignature, ignored);  // of another recording
  file_ = ::open(target_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kPermissions);
  if (file_ < 0) refuse(errno);
  ::flock(file_, LOCK_EX | LOCK_NB);
}

void OutputFile::move_older() {
  const fs::path target(target_);
  constexpr int kMost = 1'000'000;
  for (int n = 1; n < kMost; ++n) {
    const fs::path name =
        target.parent_path() / fmt::format("{}.{}{}", target.stem().string(), n, target.extension().string());
    if (::renameat2(AT_FDCWD, target_.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE) == 0) {
      return take_signature_along(name.string());
    }
    if (errno == EINVAL && !fs::exists(name) && ::rename(target_.c_str(), name.c_str()) == 0) {
      return take_signature_along(
          name.string());  // a file system that cannot refuse by itself; the folder is locked
    }
    if (errno != EEXIST && errno != EINVAL) refuse(errno);
  }
  refuse(EEXIST);
}

void OutputFile::take_signature_along(const std::string& name) {
  kept_ = name;
  std::error_code ignored;
  fs::rename(target_ + kFileSignature, name + kFileSignature, ignored);
}

bool OutputFile::is_there() const noexcept {
  struct stat status {};
  return ::fstat(file_, &status) != 0 || status.st_nlink > 0;
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
  const int file = ::open(find_folder(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  static_cast<void>(::fsync(file));
  ::close(file);
}

}  // namespace rodeo::engine
