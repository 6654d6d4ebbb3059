// SPDX-License-Identifier: MIT
#include "tools/rodeo/user_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

#include "engine/files/checksums.h"
#include "engine/io/printable.h"
#include "tools/rodeo/output.h"

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDraft = ".draft.";  // and six characters of mkdtemp

std::string describe(int error_number) { return std::generic_category().message(error_number); }

std::string read_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// A user without HOME (a service, a job of cron) has one in the list of users.
std::string find_home() {
  const std::string home = read_variable("HOME");
  if (!home.empty()) return home;
  const passwd* user = ::getpwuid(::geteuid());
  return user == nullptr || user->pw_dir == nullptr ? "" : user->pw_dir;
}

fs::path find_place() {
  const std::string given = read_variable("RODEO_CACHE");
  if (!given.empty()) return fs::absolute(given);
  const std::string cache = read_variable("XDG_CACHE_HOME");
  if (cache.starts_with('/')) return fs::path(cache) / "rodeo";
  const std::string home = find_home();
  return home.starts_with('/') ? fs::path(home) / ".cache" / "rodeo" : fs::path();
}

/// Why a folder is none of one's own; nothing if it is.
std::optional<std::string> find_objection(const fs::path& folder) {
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) return describe(errno);
  if (!S_ISDIR(status.st_mode)) return "it is no folder";
  if (status.st_uid != ::geteuid()) return "it belongs to another user";
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return "others may write to it: remove it, it is made anew";
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) ::chmod(folder.c_str(), S_IRWXU);
  if (::access(folder.c_str(), R_OK | W_OK | X_OK) != 0) return describe(errno);
  return std::nullopt;
}

std::optional<std::string> try_cache(const fs::path& folder) {
  if (folder.empty()) return "there is no home folder";
  std::error_code ignored;
  fs::create_directories(folder.parent_path(), ignored);
  if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) return describe(errno);
  return find_objection(folder);
}

/// The lock is the folder's own: it goes with the process, however that ends.
int try_lock(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return -1;
  struct stat locked {
  }, there{};
  const bool is_ours = ::flock(file, LOCK_EX | LOCK_NB) == 0 && ::fstat(file, &locked) == 0 &&
                       ::lstat(folder.c_str(), &there) == 0 && locked.st_ino == there.st_ino &&
                       locked.st_uid == ::geteuid();
  if (is_ours) return file;
  ::close(file);
  return -1;
}

/// What is left of processes that were killed, of this target's or, without a name, of any.
void clear_drafts(const fs::path& parent, const std::string& prefix) {
  std::error_code failure;
  for (fs::directory_iterator it(parent, failure), end; !failure && it != end; it.increment(failure)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(prefix) || name.find(kDraft) == std::string::npos) continue;
    const int lock = try_lock(it->path());
    if (lock < 0) continue;
    std::error_code ignored;
    fs::remove_all(it->path(), ignored);
    ::close(lock);
  }
}

struct Draft {
  fs::path path;
  int lock;
};

/// Throws OutputError. Another process that clears up may take a draft between its making and its locking: then another.
Draft make_draft(const fs::path& parent, const std::string& prefix) {
  clear_drafts(parent, prefix);
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    std::string name = (parent / (prefix + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr) break;
    const int lock = try_lock(name);
    if (lock >= 0) return {name, lock};
  }
  throw OutputError(fmt::format("cannot make a folder in '{}': {}", parent.string(), describe(errno)));
}

/// Goes with the process.
class PrivateCache {
 public:
  PrivateCache()
      : draft_(make_draft(fs::temp_directory_path(), fmt::format("rodeo-{}{}", ::geteuid(), kDraft))) {}
  ~PrivateCache() {
    std::error_code ignored;
    fs::remove_all(draft_.path, ignored);
  }
  PrivateCache(const PrivateCache&) = delete;
  PrivateCache& operator=(const PrivateCache&) = delete;
  [[nodiscard]] const fs::path& path() const noexcept { return draft_.path; }

 private:
  Draft draft_;
};

void sync(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

void sync_all(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) sync(entry.path());
  sync(folder);
}

/// 0 or an errno. A file system that cannot exchange two names (EINVAL) gets by with two steps.
int replace(const fs::path& work, const fs::path& target) {
  if (::renameat2(AT_FDCWD, work.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EEXIST && errno != EINVAL) return errno;
  if (::renameat2(AT_FDCWD, work.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) return 0;
  if (errno != EINVAL && errno != ENOENT) return errno;
  std::error_code failure;
  fs::remove_all(target, failure);
  fs::rename(work, target, failure);
  return failure.value();
}

/// Why nothing can be written there; nothing if it can.
std::optional<std::string> try_room(const fs::path& folder) {
  constexpr std::size_t kRoom = std::size_t{4} << 20;  // a large kernel
  std::string name = (folder / "room-XXXXXX").string();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return describe(errno);
  ::unlink(name.c_str());
  const int error_number = ::posix_fallocate(file, 0, kRoom);
  ::close(file);
  return error_number == 0 ? std::nullopt : std::optional(describe(error_number));
}

std::optional<std::string>& left_because() {
  static std::optional<std::string> why;
  return why;
}

}  // namespace

bool leave_full_cache() {
  if (left_because() || try_cache(find_place())) return false;  // it is the private one already
  left_because() = try_room(find_place());
  return left_because().has_value();
}

void clear_cache() {
  for (const char* part : {"models", "kernels"}) clear_drafts(find_cache() / part, ".");
}

fs::path find_cache() {
  const fs::path place = find_place();
  const auto objection = left_because() ? left_because() : try_cache(place);
  if (!objection) return place;
  static const PrivateCache cache;
  static bool is_told = false;
  if (!std::exchange(is_told, true)) {
    engine::print_sentence("note: kernels are not kept from run to run: {}{}{}", place.string(),
                           place.empty() ? "" : ": ", *objection);
  }
  return cache.path();
}

NewFolder::NewFolder(fs::path target) : target_(std::move(target)) {
  if (!target_.has_filename()) target_ = target_.parent_path();  // written with a slash at its end
  const fs::path parent = fs::absolute(target_).parent_path();
  std::error_code failure;
  fs::create_directories(parent, failure);
  if (failure) {
    throw OutputError(fmt::format("cannot make the folder '{}': {}", target_.string(), failure.message()));
  }
  Draft draft = make_draft(parent, fmt::format(".{}{}", target_.filename().string(), kDraft));
  work_ = std::move(draft.path);
  lock_ = draft.lock;
}

NewFolder::~NewFolder() {
  std::error_code ignored;
  fs::remove_all(work_, ignored);
  ::close(lock_);
}

void NewFolder::keep(const std::optional<engine::SecretKey>& key) {
  engine::write_checksums(work_.string());
  if (key) engine::sign(work_.string(), *key);
  const mode_t hidden = ::umask(0);
  ::umask(hidden);
  ::chmod(work_.c_str(), (S_IRWXU | S_IRWXG | S_IRWXO) & ~hidden);
  sync_all(work_);
  if (const int error_number = replace(work_, target_); error_number != 0) {
    throw OutputError(
        fmt::format("cannot write the folder '{}': {}", target_.string(), describe(error_number)));
  }
  sync(fs::absolute(target_).parent_path());
}

}  // namespace rodeo::tools
