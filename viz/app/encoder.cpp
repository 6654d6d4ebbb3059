// SPDX-License-Identifier: MIT
#include "viz/app/encoder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

#include "viz/feed/scene_file.h"

extern char** environ;

namespace rodeo::viz {
namespace {

namespace fs = std::filesystem;

volatile std::sig_atomic_t is_stopped =
    0;  // by Ctrl-C or kill: what is half done is cleared away before the end

int open_nameless() {
  std::FILE* file = std::tmpfile();
  if (file == nullptr) return ::open("/dev/null", O_RDWR | O_CLOEXEC);
  const int copy = ::fcntl(::fileno(file), F_DUPFD_CLOEXEC, 3);
  std::fclose(file);
  return copy;
}

/// The draft keeps the ending: ffmpeg takes the kind of file from it.
std::string draft_name(const std::string& path) {
  const fs::path file(path);
  return (file.parent_path() /
          fmt::format("{}.new{}{}", file.stem().string(), ::getpid(), file.extension().string()))
      .string();
}

/// What viewers that were killed have left of this video.
void clear_drafts(const std::string& path) {
  const fs::path file(path);
  const std::string begin = file.stem().string() + ".new", end = file.extension().string();
  std::error_code failure;
  for (fs::directory_iterator it(file.has_parent_path() ? file.parent_path() : ".", failure), last;
       !failure && it != last; it.increment(failure)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(begin) || !name.ends_with(end) || name.size() <= begin.size() + end.size())
      continue;
    const std::string digits = name.substr(begin.size(), name.size() - begin.size() - end.size());
    const bool is_number = digits.size() < 10 && digits.find_first_not_of("0123456789") == std::string::npos;
    std::error_code ignored;
    if (is_number && ::kill(std::stoi(digits), 0) != 0 && errno == ESRCH) fs::remove(it->path(), ignored);
  }
}

std::vector<std::string> build_arguments(const std::string& draft, int width, int height, double fps) {
  const std::string kind = fs::path(draft).extension().string();
  std::vector<std::string> all{"ffmpeg",
                               "-y",
                               "-loglevel",
                               "error",
                               "-nostats",
                               "-f",
                               "rawvideo",
                               "-pix_fmt",
                               "rgb24",
                               "-s",
                               fmt::format("{}x{}", width, height),
                               "-r",
                               fmt::format("{}", fps),
                               "-i",
                               "pipe:0",
                               "-an"};
  const auto add = [&](std::initializer_list<const char*> more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  // What every player shows; and the index first, so that a page plays it while it loads.
  if (kind != ".gif") add({"-pix_fmt", "yuv420p"});
  if (kind == ".mp4" || kind == ".m4v" || kind == ".mov") add({"-crf", "18", "-movflags", "+faststart"});
  // A name that begins with '-' or holds ':' is a file all the same.
  all.push_back("file:" + draft);
  return all;
}

}  // namespace

Encoder::Encoder(const std::string& path, int width, int height, double fps)
    : path_(path), draft_(draft_name(path)) {
  std::signal(SIGPIPE, SIG_IGN);  // an ffmpeg that ends early is an error of write()
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { is_stopped = 1; });
  clear_drafts(path);
  start(width, height, fps);
}

void Encoder::start(int width, int height, double fps) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw RenderError(fmt::format("cannot start ffmpeg: {}", std::strerror(errno)));
  messages_ = open_nameless();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, messages_, STDERR_FILENO);
  std::vector<std::string> words = build_arguments(draft_, width, height, fps);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // In a group of its own: Ctrl-C is for us alone.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int failure = posix_spawnp(&child_, "ffmpeg", &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  pipe_ = ends[1];
  if (failure == 0) return;
  ::close(pipe_), ::close(messages_);
  throw RenderError(failure == ENOENT
                        ? "--video needs ffmpeg, which is not installed here (Debian: apt install ffmpeg)"
                        : fmt::format("cannot start ffmpeg: {}", std::strerror(failure)));
}

Encoder::~Encoder() {
  if (child_ > 0) {
    ::kill(child_, SIGKILL);
    (void)wait();
  }
  if (pipe_ >= 0) ::close(pipe_);
  if (messages_ >= 0) ::close(messages_);
  std::error_code ignored;
  fs::remove(draft_, ignored);  // after finish() there is none
}

void Encoder::add(const Picture& picture) {
  if (is_stopped != 0) throw RenderError(fmt::format("stopped by a signal: '{}' is not written", path_));
  const auto* at = reinterpret_cast<const char*>(picture.rgb.data());
  for (std::size_t left = picture.rgb.size(); left > 0;) {
    const ssize_t written = ::write(pipe_, at, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    at += written;
    left -= static_cast<std::size_t>(written);
  }
}

int Encoder::wait() {
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  return status;
}

void Encoder::finish() {
  ::close(pipe_);
  pipe_ = -1;
  const int status = wait();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw RenderError(fmt::format("ffmpeg could not make '{}': {}", path_, find_reason()));
  std::error_code failure;
  fs::rename(draft_, path_, failure);
  if (failure) throw SceneError(fmt::format("cannot write '{}': {}", path_, failure.message()));
}

void Encoder::fail() {
  ::close(pipe_);
  pipe_ = -1;
  (void)wait();
  throw RenderError(fmt::format("ffmpeg could not make '{}': {}", path_, find_reason()));
}

/// The last line that it wrote, where it sums up; without the draft's name, which nobody knows.
std::string Encoder::find_reason() const {
  std::string text(4096, '\0');
  const off_t end = ::lseek(messages_, 0, SEEK_END);
  const off_t from = std::max<off_t>(0, end - static_cast<off_t>(text.size()));
  const ssize_t count = ::pread(messages_, text.data(), text.size(), from);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  text.erase(0, text.find_last_of("\r\n") + 1);
  const std::string draft = "file:" + draft_ + ": ";
  if (text.starts_with(draft)) text.erase(0, draft.size());
  return text.empty() ? "it gave no reason" : text;
}

}  // namespace rodeo::viz
