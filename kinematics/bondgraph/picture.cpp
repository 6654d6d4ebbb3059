// SPDX-License-Identifier: MIT
// Runs Graphviz's `dot` on a text, without a shell and without a file: it reads and writes memory that has no name.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "kinematics/bondgraph/draw.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace rodeo::bondgraph {
namespace {

class MemoryFile {
 public:
  MemoryFile() : file_(::memfd_create("graph", MFD_CLOEXEC)) {
    if (file_ < 0) refuse();
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] int file() const noexcept { return file_; }
  void write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = ::write(file_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) refuse();
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    ::lseek(file_, 0, SEEK_SET);
  }
  [[nodiscard]] std::string read() const {
    ::lseek(file_, 0, SEEK_SET);
    std::string text;
    std::array<char, 1 << 16> buffer;
    for (ssize_t n = 0; (n = ::read(file_, buffer.data(), buffer.size())) > 0;)
      text.append(buffer.data(), static_cast<std::size_t>(n));
    return text;
  }

 private:
  [[noreturn]] static void refuse() {
    throw std::system_error(errno, std::generic_category(), "there is no memory for a picture of the graph");
  }
  int file_;
};

/// Exit status of `dot -T<format>`; -1 when it could not be started.
int run_dot(const std::string& format, int source, int picture) {
  std::array<std::string, 2> words = {"dot", "-T" + format};
  const std::array<char*, 3> arguments = {words[0].data(), words[1].data(), nullptr};
  pid_t child = 0;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, source, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, picture, STDOUT_FILENO);
  // its warnings about fonts are no business of the user's
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const int failed = posix_spawnp(&child, "dot", &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

std::string build_picture(const std::string& dot, const std::string& format) {
  const MemoryFile source, picture;
  source.write(dot);
  if (run_dot(format, source.file(), picture.file()) == 0) return picture.read();
  throw std::runtime_error(
      "Graphviz could not draw the graph: is its program 'dot' installed (package graphviz)?");
}

}  // namespace rodeo::bondgraph
