// SPDX-License-Identifier: MIT
// POSIX calls rather than streams: their errno is the reason that the user is told.
#include "tools/rodeo/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, int error_number) {
  throw OutputError(
      fmt::format("cannot write '{}': {}", path, std::generic_category().message(error_number)));
}

/// Writes all of `text` and closes `file`; 0 or the errno.
int write_and_close(int file, std::string_view text) {
  int error_number = 0;
  while (!text.empty() && error_number == 0) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error_number = errno;
    }
  }
  if (::close(file) != 0 && error_number == 0) error_number = errno;
  return error_number;
}

/// A device or a pipe has no folder to rename in.
void write_in_place(const std::string& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) refuse(path, errno);
  if (const int error_number = write_and_close(file, text); error_number != 0) refuse(path, error_number);
}

/// The permissions of the file that is replaced, or those that a new file would get.
mode_t find_permissions(const std::string& target) {
  struct stat old {};
  if (::stat(target.c_str(), &old) == 0) return old.st_mode & 07777U;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

void write_and_rename(const std::string& path, const std::string& target, std::string_view text) {
  std::string temporary = target + ".XXXXXX";
  const int file = ::mkstemp(temporary.data());
  if (file < 0) refuse(path, errno);
  int error_number = ::fchmod(file, find_permissions(target)) == 0 ? 0 : errno;
  const int write_error = write_and_close(file, text);
  if (error_number == 0) error_number = write_error;
  if (error_number == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) error_number = errno;
  if (error_number == 0) return;
  ::unlink(temporary.c_str());
  refuse(path, error_number);
}

/// Where a chain of symbolic links ends, so that the links survive.
std::string find_target(const std::string& path) {
  constexpr int kMostLinks = 40;  // as in the kernel
  fs::path target = path;
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(target, error); ++i) {
    target = target.parent_path() / fs::read_symlink(target, error);
  }
  return target.string();
}

}  // namespace

void check_output(const std::string& path) {
  if (path.empty()) refuse(path, ENOENT);
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) refuse(path, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) return;
  const std::string folder = fs::path(find_target(path)).parent_path().string();
  const std::string name = folder.empty() ? "." : folder;
  if (::access(name.c_str(), W_OK | X_OK) != 0) refuse(path, errno);
  if (!fs::is_directory(name, ignored)) refuse(path, ENOTDIR);
}

void write_file(const std::string& path, std::string_view text) {
  if (path.empty()) refuse(path, ENOENT);
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) refuse(path, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_in_place(path, text);
  write_and_rename(path, find_target(path), text);
}

}  // namespace rodeo::tools
