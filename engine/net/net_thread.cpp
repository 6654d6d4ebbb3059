// SPDX-License-Identifier: MIT
#include <utility>  // Boost 1.74's Asio forgets it in C++20
//
#include <pthread.h>
#include <sched.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <csignal>
#include <future>
#include <thread>

#include "engine/net/net_thread.h"

namespace rodeo::engine {
namespace {

/// A child inherits the scheduling of the thread that makes it, which may be the loop's.
void be_ordinary() {
  const sched_param normal{};
  ::pthread_setschedparam(::pthread_self(), SCHED_OTHER, &normal);
  ::pthread_setname_np(::pthread_self(), "rodeo-net");
}

/// Signals are for the threads that wait for them: all of them are blocked while the thread is made, and it inherits that.
template <typename Function>
std::thread build_thread_without_signals(Function function) {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(function);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

struct NetThread::Implementation {
  boost::asio::io_context context{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{context.get_executor()};
  std::thread thread = build_thread_without_signals([this] {
    be_ordinary();
    context.run();
  });
};

NetThread::NetThread() : implementation_(std::make_unique<Implementation>()) {}

NetThread::~NetThread() {
  implementation_->context.stop();
  implementation_->thread.join();
}

boost::asio::io_context& NetThread::context() noexcept { return implementation_->context; }

void NetThread::run(const std::function<void()>& work) {
  const auto done =
      std::make_shared<std::promise<void>>();  // outlives set_value(), which the waiting side may not
  const auto future = done->get_future();
  boost::asio::post(implementation_->context, [&work, done] {
    work();
    done->set_value();
  });
  future.wait();
}

}  // namespace rodeo::engine
