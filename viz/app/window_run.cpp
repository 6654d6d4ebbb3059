// SPDX-License-Identifier: MIT
#include "viz/app/window_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <thread>

#include "engine/io/printable.h"
#include "engine/net/error.h"
#include "viz/app/controls.h"
#include "viz/app/picture_file.h"
#include "viz/app/show.h"
#include "viz/app/window.h"
#include "viz/feed/folder_watch.h"

namespace rodeo::viz {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds kFrame{16667};
constexpr std::chrono::milliseconds kStillFrame{250};  // where nothing moves, the processor rests
constexpr std::chrono::milliseconds kLook{300};        // at the folder of --watch
constexpr std::chrono::seconds kMessageTime{4};

/// rodeo_view_1.png, or the first number that is free.
std::string find_picture_name() {
  for (int number = 1;; ++number) {
    std::string name = fmt::format("rodeo_view_{}.png", number);
    std::error_code ignored;
    if (!fs::exists(name, ignored)) return name;
  }
}

/// A sentence on stderr once a kind: who sent a strange packet stands before the first blank, and may change with every packet.
class Crier {
 public:
  void say(const std::string& sentence) {
    if (said_.insert(sentence.substr(std::min(sentence.find(' '), sentence.size()))).second)
      engine::print_sentence("{}", sentence);
  }

 private:
  std::set<std::string> said_;
};

class WindowRun {
 public:
  explicit WindowRun(const ViewOptions& options)
      : options_(options), show_(options), window_(options), controls_(options) {
    if (options.watch) watch_.emplace(options.folder);
    set_stage();
  }

  void run() {
    auto next = Clock::now();
    while (window_.is_open() && !controls_.wants_end()) {
      look_at_folder();
      const bool had_events = take_events();
      step(had_events);
      next = std::max(next + kFrame, Clock::now());
      std::this_thread::sleep_until(next);
    }
  }

 private:
  void set_stage() {
    for (const std::string& trouble : show_.stage().troubles()) crier_.say(trouble);
    window_.set_stage(show_.stage(), fmt::format("rodeo: {}", show_.scene().name));
  }

  bool take_events() {
    const auto events = window_.take_events();
    for (const WindowEvent& event : events)
      controls_.apply(event, window_.width(), window_.height(), state_, show_.stage(), show_.player());
    return !events.empty();
  }

  void step(bool had_events) {
    const auto now = Clock::now();
    const bool is_still = show_.player().is_still() && was_still_ && !had_events;
    const bool is_due = now - drawn_ > kStillFrame;
    was_still_ = show_.player().is_still();
    state_ = HudState();
    state_.warnings = build_warnings(now);
    show_.player().update(now, state_);
    if (!fault_.empty()) state_.notice = "the edit has a fault: the machine before it is shown";
    for (const std::string& warning : state_.warnings) crier_.say(warning);
    if (controls_.take_picture_wish()) return take_picture(now);
    if (is_still && !is_due) return window_.poll();
    drawn_ = now;
    window_.draw(state_, show_.player().track());
  }

  [[nodiscard]] std::vector<std::string> build_warnings(Clock::time_point now) const {
    std::vector<std::string> warnings = show_.troubles();
    std::istringstream lines(fault_);
    for (std::string line; std::getline(lines, line);) warnings.push_back(line);
    if (!message_.empty() && now < message_until_) warnings.push_back(message_);
    return warnings;
  }

  void take_picture(Clock::time_point now) {
    const std::string name = find_picture_name();
    std::erase(state_.warnings, message_);  // of the picture before
    try {
      write_picture(window_.take_picture(state_, show_.player().track()), name);
      message_ = fmt::format("picture: {}", name);
    } catch (const SceneError& error) {
      message_ = error.what();
    }
    message_until_ = now + kMessageTime;
  }

  void look_at_folder() {
    const auto now = Clock::now();
    if (!watch_ || now < look_at_) return;
    look_at_ = now + kLook;
    fault_ = watch_->read_fault();
    if (!watch_->take_change()) {
      if (fault_.empty()) fault_ = own_fault_;
      return;
    }
    own_fault_.clear();
    try {
      show_.rebuild(options_);
      set_stage();
    } catch (const SceneError& error) {
      own_fault_ = error.what();
    } catch (const engine::NetError& error) {
      own_fault_ = error.what();
    }
    if (fault_.empty()) fault_ = own_fault_;
  }

  const ViewOptions& options_;
  Show show_;
  Window window_;
  Controls controls_;
  std::optional<FolderWatch> watch_;
  Clock::time_point look_at_;
  Crier crier_;
  HudState state_;
  std::string fault_;      // of the machine file or the folder, as long as it lasts
  std::string own_fault_;  // of a folder that was built, but cannot be shown
  std::string message_;
  Clock::time_point message_until_;
  Clock::time_point drawn_;
  bool was_still_ = false;
};

}  // namespace

void run_window(const ViewOptions& options) { WindowRun(options).run(); }

}  // namespace rodeo::viz
