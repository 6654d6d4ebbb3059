// SPDX-License-Identifier: MIT
// The thread of Boost.Asio, one a program: it receives commands, answers hellos and writes JSON, so that the loop need not.
// Takes no signals and runs at normal priority, whatever its parent does.
#pragma once
#include <functional>
#include <memory>

namespace boost::asio {
class io_context;
}

namespace rodeo::engine {

/// Outlives what uses it: declare it first. Runs from construction to destruction.
class NetThread {
 public:
  NetThread();
  ~NetThread();
  NetThread(const NetThread&) = delete;
  NetThread& operator=(const NetThread&) = delete;

  [[nodiscard]] boost::asio::io_context& context() noexcept;
  /// Does `work` on the thread and waits for it.
  void run(const std::function<void()>& work);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace rodeo::engine
