// SPDX-License-Identifier: MIT
// Runs Graphviz's `dot` on a text, without a shell. The picture appears under its name only when it is complete.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "kinematics/bondgraph/draw.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace rodeo::bondgraph {
namespace {

namespace fs = std::filesystem;

std::string find_format(const std::string& path) {
  const std::string ending = fs::path(path).extension().string();
  for (const char* known : {".svg", ".png", ".pdf", ".dot"}) {
    if (ending == known) return ending.substr(1);
  }
  throw std::runtime_error(fmt::format("{}: a picture's name ends in .svg, .png, .pdf or .dot", path));
}

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(fmt::format("{}: cannot be written", path.string()));
}

/// Exit status of `dot -T<format> -o <picture> <source>`; -1 when it could not be started. Whole paths, as a name that begins
/// with '-' would be an option.
int run_dot(const std::string& format, const std::string& picture, const std::string& source) {
  std::array<std::string, 5> words = {"dot", "-T" + format, "-o", fs::absolute(picture).string(),
                                      fs::absolute(source).string()};
  const std::array<char*, 6> arguments = {words[0].data(), words[1].data(), words[2].data(),
                                          words[3].data(), words[4].data(), nullptr};
  pid_t child = 0;
  posix_spawn_file_actions_t quiet;  // its warnings about fonts are no business of the user's
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const int failed = posix_spawnp(&child, "dot", &quiet, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&quiet);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

std::string build_plain(const std::string& dot) {
  const std::string plain = (fs::temp_directory_path() / fmt::format("rodeo_graph_{}", getpid())).string();
  const std::string source = plain + ".dot";
  write_text(source, dot);
  const int status = run_dot("plain", plain, source);
  std::ostringstream text;
  text << std::ifstream(plain, std::ios::binary).rdbuf();
  std::error_code ignored;
  fs::remove(source, ignored);
  fs::remove(plain, ignored);
  if (status == 0) return text.str();
  throw std::runtime_error(
      "Graphviz could not lay the graph out: is its program 'dot' installed (package graphviz)?");
}

void write_picture(const std::string& dot, const std::string& path) {
  const std::string format = find_format(path);
  const std::string part = fmt::format("{}.{}.part", path, getpid());
  const std::string source = part + ".dot";
  write_text(format == "dot" ? part : source, dot);
  const int status = format == "dot" ? 0 : run_dot(format, part, source);
  std::error_code failed;
  if (status == 0) fs::rename(part, path, failed);
  std::error_code ignored;
  fs::remove(source, ignored);
  fs::remove(part, ignored);
  if (status == 0 && !failed) return;
  throw std::runtime_error(
      status == 0
          ? fmt::format("{}: cannot be written: {}", path, failed.message())
          : fmt::format("{}: Graphviz could not draw it: is its program 'dot' installed (package graphviz)?",
                        path));
}

}  // namespace rodeo::bondgraph
