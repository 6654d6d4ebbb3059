// SPDX-License-Identifier: MIT
// A `rodeo` that runs beside the test: started, waited for by what it writes, signalled, ended. Waiting has a limit that no
// working machine reaches.
#pragma once
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/kernel/build_kernel.h"

namespace rodeo::tools::testing_support {

/// False if it does not come true within a minute.
inline bool wait_for(const std::function<bool()>& condition) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

class LiveProgram {
 public:
  /// Standard input is /dev/null, standard output and error are files in `folder`.
  LiveProgram(const std::filesystem::path& folder, std::vector<std::string> arguments)
      : out_(folder / "live_out"), err_(folder / "live_err") {
    for (const auto& file : {out_, err_}) std::filesystem::remove(file);  // of one that ran before
    arguments.insert(arguments.begin(), RODEO_PROGRAM);
    pid_ = ::fork();
    if (pid_ == 0) start(arguments);
  }
  ~LiveProgram() {
    if (pid_ > 0) {
      kill(SIGKILL);
      static_cast<void>(wait());
    }
  }
  LiveProgram(const LiveProgram&) = delete;
  LiveProgram& operator=(const LiveProgram&) = delete;

  void kill(int signal) const { ::kill(pid_, signal); }
  [[nodiscard]] pid_t pid() const noexcept { return pid_; }
  /// Exit status; -1 if a signal ended it.
  int wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  [[nodiscard]] std::string out() const { return engine::testing_support::read_file(out_); }
  [[nodiscard]] std::string err() const { return engine::testing_support::read_file(err_); }
  [[nodiscard]] bool wait_for_err(const std::string& text) const {
    return wait_for([&] { return err().find(text) != std::string::npos; });
  }
  /// The last report that SIGUSR1 has brought, as its text; asks for one.
  [[nodiscard]] std::string ask() const {
    const std::size_t before = err().size();
    kill(SIGUSR1);
    return wait_for([&] { return !find_report(before).empty(); }) ? find_report(before) : "";
  }

 private:
  /// The report behind `from`, without the notices around it: JSON, or up to the line on the processor; empty if it is not whole yet.
  [[nodiscard]] std::string find_report(std::size_t from) const {
    const std::string text = "\n" + err().substr(from);
    const std::size_t begin = text.find("\n{\n"),
                      end = text.find("\n}\n", begin == std::string::npos ? 0 : begin);
    if (begin != std::string::npos)
      return end == std::string::npos ? "" : text.substr(begin + 1, end + 2 - begin);
    const std::size_t line = text.find("  processor  ");
    return line == std::string::npos || text.find('\n', line) == std::string::npos ? "" : text.substr(1);
  }
  [[noreturn]] void start(std::vector<std::string>& arguments) const {
    std::vector<char*> words;
    for (std::string& word : arguments) words.push_back(word.data());
    words.push_back(nullptr);
    const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND;
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(::open(out_.c_str(), flags, 0600), STDOUT_FILENO);
    ::dup2(::open(err_.c_str(), flags, 0600), STDERR_FILENO);
    ::execv(RODEO_PROGRAM, words.data());
    ::_exit(127);
  }

  std::filesystem::path out_, err_;
  pid_t pid_ = -1;
};

}  // namespace rodeo::tools::testing_support
