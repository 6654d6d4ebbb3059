// SPDX-License-Identifier: MIT
// In a folder of its own under the temporary one: the script, the picture and what gnuplot says. The picture's own name never
// reaches gnuplot, whatever letters it has.
#include "viz/plot/gnuplot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "engine/io/input.h"

namespace rodeo::plot {
namespace {

namespace fs = std::filesystem;
using engine::IoError;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "rodeo_plot_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw IoError(fmt::format("cannot write '{}': {}", name, std::generic_category().message(errno)));
    }
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// 0, or the errno of starting it.
int start(const std::string& script, const std::string& said, pid_t& child) {
  std::string program = "gnuplot", name = script;
  char* arguments[] = {program.data(), name.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, said.c_str(), O_WRONLY | O_CREAT, 0600);
  const int failed = ::posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string find_first_words(const std::string& text) {
  std::istringstream lines(text);
  std::string line, best = "it says nothing";
  while (std::getline(lines, line)) {
    if (line.find_first_not_of(" \t^") != std::string::npos) best = line;  // the reason comes last
  }
  return best;
}

}  // namespace

std::string draw_by_gnuplot(const Figure& figure, Format format) {
  const TemporaryFolder folder;
  const std::string script = folder.file("figure.gp"), picture = folder.file("picture");
  std::ofstream(script) << build_gnuplot_script(figure, format, picture);
  pid_t child = 0;
  if (const int failed = start(script, folder.file("said"), child); failed != 0) {
    throw IoError(
        fmt::format("pictures are drawn by gnuplot, which cannot be started ({}): install the Debian package "
                    "gnuplot-nox, or "
                    "write an .html, which needs no other program",
                    std::generic_category().message(failed)));
  }
  const int status = wait_for(child);
  std::string bytes = read(picture);
  if (status == 0 && !bytes.empty()) return bytes;
  throw IoError(
      fmt::format("gnuplot could not draw the picture: {}", find_first_words(read(folder.file("said")))));
}

}  // namespace rodeo::plot
