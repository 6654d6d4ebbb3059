// SPDX-License-Identifier: MIT
#include "tools/rodeo/view_process.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <system_error>

#include "engine/io/printable.h"

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;

constexpr timespec kLook{0, 200'000'000};

[[noreturn]] void execute(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(program.c_str(), pointers.data());
  engine::print_sentence("rodeo: cannot start '{}': {}", program, std::generic_category().message(errno));
  ::_exit(3);
}

/// Blocked while it lives, so that they can be waited for; the child gets the mask that was before.
class BlockedSignals {
 public:
  BlockedSignals() {
    ::sigemptyset(&set_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) ::sigaddset(&set_, signal);
    ::sigprocmask(SIG_BLOCK, &set_, &before_);
  }
  ~BlockedSignals() { restore(); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

  void restore() const { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  /// 0 if none came in time.
  [[nodiscard]] int wait() const {
    const int signal = ::sigtimedwait(&set_, nullptr, &kLook);
    return signal < 0 ? 0 : signal;
  }

 private:
  sigset_t set_{}, before_{};
};

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "rodeo-view-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw std::runtime_error(
        fmt::format("cannot make the folder '{}': {}", name, std::generic_category().message(errno)));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string find_viewer() {
  std::error_code ignored;
  const fs::path viewer = fs::read_symlink("/proc/self/exe", ignored).parent_path() / "rodeo-view";
  if (::access(viewer.c_str(), X_OK) == 0) return viewer.string();
  throw std::runtime_error(fmt::format(
      "the viewer is not there ('{}'): it is built where OpenSceneGraph and EGL are installed, on "
      "Debian libopenscenegraph-dev and libegl-dev",
      viewer.string()));
}

void become_viewer(const std::string& program, const std::vector<std::string>& arguments) {
  execute(program, arguments);
}

int run_viewer(const std::string& program, const std::vector<std::string>& arguments,
               const std::function<void()>& work) {
  const BlockedSignals signals;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0)
    throw std::runtime_error(
        fmt::format("cannot start '{}': {}", program, std::generic_category().message(errno)));
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // no window outlives this program
    if (::getppid() != parent) ::_exit(3);
    signals.restore();
    execute(program, arguments);
  }
  for (;;) {
    const int signal = signals.wait();
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
    if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP) ::kill(child, SIGTERM);
    if (signal == 0 && work) work();
  }
}

}  // namespace rodeo::tools
