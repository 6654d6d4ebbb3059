// SPDX-License-Identifier: MIT
#include "viz/feed/commander.h"

#include <fmt/format.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "engine/io/printable.h"
#include "engine/net/auth.h"

namespace rodeo::viz {
namespace {

using engine::CommandMode;
using engine::KeyWish;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPatience{300};  // for an answer
constexpr std::chrono::milliseconds kPeriod{20};     // of values
constexpr std::chrono::milliseconds kTakeOver{
    1000};                           // after which a foreign session is not just the one before ours
constexpr double kUsualSpeed = 0.5;  // of a drive without a limit, rad/s or m/s

struct OwnKey {
  std::optional<engine::Key> key;
  engine::Role role = engine::Role::operator_;
};

OwnKey read_key(const std::string& path) {
  if (path.empty()) return {};
  const engine::KeyFile file = engine::build_key_from_file(path);
  for (const std::string& warning : file.warnings) engine::print_sentence("warning: {}", warning);
  return {file.key, file.role};
}

}  // namespace

struct Commander::Implementation {
  Implementation(const Scene& scene, std::string address, const std::string& key_file)
      : machine(scene.name), to(std::move(address)), key(read_key(key_file)) {
    for (const SceneDrive& drive : scene.drives) drives.push_back({drive.name, drive.unit});
    directions.assign(drives.size(), 0);
    sender = std::make_unique<engine::Sender>(to, key.key, key.role);
    thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }

  void run(const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
      if (!is_connected) connect(lock, stop);
      const auto has_work = [&] { return !verbs.empty() || has_changed || !is_connected; };
      woken.wait_for(lock, stop, is_driving ? kPeriod : std::chrono::milliseconds(500), has_work);
      if (is_connected) send_all();
    }
    if (!is_connected || !is_driving) return;
    directions.assign(directions.size(), 0);  // nothing goes on moving when the viewer ends
    send_all();
  }

  /// A new sender, and so a new session, when ours was replaced by somebody else's.
  void connect(std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
    const bool is_new = std::exchange(needs_session, false);
    lock.unlock();
    std::string why;
    try {
      if (is_new) sender = std::make_unique<engine::Sender>(to, key.key, key.role);
      const engine::Answer& answer = sender->say_hello(kPatience);
      if (answer.machine.drives != drives)
        why =
            fmt::format("at {} the machine '{}' listens, but not with the drives of '{}': keys are not sent",
                        to, answer.machine.name, machine);
    } catch (const engine::NetError& error) {
      why = error.what();
    }
    lock.lock();
    trouble = why;
    is_connected = why.empty();
    is_nonce_known = false;
    if (!is_connected) {
      verbs.clear();
      woken.wait_for(lock, stop, kPatience, [] { return false; });
    }
  }

  void send_all() {
    has_changed = false;
    bool is_sent = true;
    for (; !verbs.empty() && is_sent; verbs.pop_front()) is_sent = send(verbs.front());
    // keys are let go of at any time: whoever wants to may take over
    const engine::Verb verb = std::exchange(is_begun, true) ? engine::Verb::none : engine::Verb::release;
    if (is_driving && is_sent) is_sent = sender->send(CommandMode::rate, calc_rates(), verb);
    if (is_sent) return;
    is_connected = false;  // the engine is gone, or was started anew
    verbs.clear();
  }

  [[nodiscard]] bool send(const KeyWish& wish) {
    if (wish.emergency_stop) return sender->send_emergency_stop();
    return sender->send(CommandMode::none, {}, wish.verb, wish.slot);
  }

  [[nodiscard]] std::vector<double> calc_rates() const {
    const auto& limits = sender->answer().machine.limits;
    std::vector<double> rates;
    for (std::size_t d = 0; d < directions.size(); ++d)
      rates.push_back(directions[d] * limits[d].speed.value_or(kUsualSpeed));
    return rates;
  }

  void drive(std::size_t drive, int direction) {
    if (drive >= directions.size() || directions[drive] == direction) return;
    directions[drive] = direction;
    if (!is_driving && direction == 0) return;
    if (!is_driving) {
      drives_since = Clock::now();
      is_begun = false;
    }
    is_driving = true;
    has_changed = true;
  }

  void note(const engine::StateHeader& newest) {
    if (is_connected && is_nonce_known && newest.nonce != nonce) is_connected = false;
    nonce = newest.nonce;
    is_nonce_known = true;
    if (!is_connected || !is_driving || Clock::now() - drives_since < kTakeOver) return;
    if (newest.command_session == sender->session()) return;
    is_driving = false;
    directions.assign(directions.size(), 0);
    is_connected = false;
    needs_session = true;
  }

  std::string machine;
  std::string to;
  OwnKey key;
  std::vector<engine::Channel> drives;
  mutable std::mutex mutex;
  std::condition_variable_any woken;
  std::unique_ptr<engine::Sender> sender;
  std::string trouble;
  bool is_connected = false;
  bool needs_session = false;
  bool has_changed = false;
  bool is_driving = false;
  bool is_begun = true;  // values have been sent since
  Clock::time_point drives_since;
  std::vector<int> directions;
  std::deque<KeyWish> verbs;
  engine::Nonce nonce{};
  bool is_nonce_known = false;
  std::jthread thread;  // last: it uses all of the others
};

Commander::Commander(const Scene& scene, const std::string& to, const std::string& key)
    : implementation_(std::make_unique<Implementation>(scene, to, key)) {}
Commander::~Commander() = default;

void Commander::send(const KeyWish& wish) {
  const std::lock_guard lock(implementation_->mutex);
  implementation_->verbs.push_back(wish);
  implementation_->woken.notify_all();
}

void Commander::drive(std::size_t drive, int direction) {
  const std::lock_guard lock(implementation_->mutex);
  implementation_->drive(drive, direction);
  implementation_->woken.notify_all();
}

void Commander::note(const engine::StateHeader& newest) {
  const std::lock_guard lock(implementation_->mutex);
  implementation_->note(newest);
}

std::string Commander::trouble() const {
  const std::lock_guard lock(implementation_->mutex);
  return implementation_->trouble;
}

bool Commander::is_connected() const {
  const std::lock_guard lock(implementation_->mutex);
  return implementation_->is_connected;
}

}  // namespace rodeo::viz
