// SPDX-License-Identifier: MIT
// Two threads: the loop's, which fills the ring, and the writer's, which empties it. The writer's thread does all that touches
// the file, with every signal blocked: a file-size limit or a broken pipe is then an errno and not the end of the run.
#include "engine/record/recorder.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <future>
#include <new>
#include <system_error>
#include <thread>

#include "engine/files/checksums.h"
#include "engine/io/input.h"
#include "engine/record/entry_ring.h"
#include "engine/record/mcap_writer.h"
#include "engine/record/output_file.h"
#include "engine/record/session_file.h"
#include "engine/record/tick_entry.h"
#include "engine/record/tick_messages.h"

namespace rodeo::engine {
namespace {

using Clock = std::chrono::steady_clock;

// The promise of 100 ms is the longest wait for the writer to look and the longest that it then waits for more.
constexpr std::chrono::milliseconds kPoll(5);
constexpr std::chrono::milliseconds kSyncEvery(90);
constexpr std::size_t kChunkBytes = std::size_t{1} << 16;

/// A replay goes on behind a hole from the next checkpoint: at most so many ticks stay uncompared.
constexpr std::size_t kCheckpointTicks = 64;

constexpr std::size_t kFewestEntries = 64;
constexpr std::size_t kMostRingBytes = std::size_t{128} << 20;

/// Entries for `room` seconds.
std::size_t calc_entries(double room, std::int64_t period, std::size_t entry_bytes) {
  const double wanted = room * 1e9 / static_cast<double>(period);
  const std::size_t most = kMostRingBytes / entry_bytes;
  const std::size_t entries = wanted < static_cast<double>(most) ? static_cast<std::size_t>(wanted) : most;
  return std::max(entries, kFewestEntries);
}

const char* find_media_type(const std::string& name) {
  if (name.ends_with(".json")) return "application/json";
  return name.ends_with(".c") || name.ends_with(".h") ? "text/x-c" : "application/octet-stream";
}

/// Two for every kCheckpointTicks entries, so that those out of turn find a place, as far as there is memory.
std::size_t calc_checkpoints(std::size_t entries, std::size_t checkpoint_bytes) {
  const std::size_t most = std::max<std::size_t>(kMostRingBytes / checkpoint_bytes, 2);
  return std::min(2 * entries / kCheckpointTicks + 8, most);
}

std::string build_start_bytes(const Stepper& stepper) {
  std::vector<unsigned char> bytes(stepper.saved_bytes());
  stepper.save(bytes);
  return {bytes.begin(), bytes.end()};
}

/// Signals of the thread that is started meanwhile: all blocked.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_{};
};

void increment(std::atomic<std::uint64_t>& counter) noexcept {  // by its only writer
  counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace

class Recorder::Writer {
 public:
  Writer(const RecorderOptions& options, const ModelFolder& model, const ModelFiles& files,
         const Session& session)
      : layout_(model.kernel),
        ring_(layout_.bytes(), calc_entries(options.room, session.options().period, layout_.bytes())),
        checkpoint_bytes_(session.saved_bytes()),
        checkpoints_(checkpoint_bytes_, calc_checkpoints(ring_.capacity(), checkpoint_bytes_)),
        file_(options.path, options.replaces),
        spill_(options.path),
        mcap_("rodeo", &spill_),
        encoder_(layout_, session.options().period),
        period_(session.options().period),
        state_every_(options.state_every) {
    add_model(model, files, session);
    std::promise<int> opened;
    std::future<int> result = opened.get_future();
    {
      const BlockedSignals blocked;
      thread_ = std::thread([this, mine = std::move(opened)]() mutable { run(std::move(mine)); });
    }
    if (const int error = result.get(); error != 0) {
      thread_.join();
      throw IoError(
          fmt::format("cannot write '{}': {}", options.path, std::generic_category().message(error)));
    }
  }
  ~Writer() { close(); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // the loop's thread

  [[nodiscard]] bool try_put(const TickInput& input, const Session& session) noexcept {
    if (error_.load(std::memory_order_relaxed) != 0) return false;
    std::byte* entry = ring_.try_place();
    if (entry == nullptr) return false;
    const bool has_state = state_every_ != 0 && session.tick_number() % state_every_ == 0;
    layout_.fill(entry, input, session, has_state);
    layout_.head(entry).has_checkpoint = is_checkpoint_due(input) && try_checkpoint(session);
    layout_.head(entry).lost = lost_here_;
    lost_here_ = 0;
    ring_.put();
    increment(recorded_);
    return true;
  }
  void lose() noexcept {
    ++lost_here_;
    increment(lost_);
  }

  // any thread

  [[nodiscard]] RecorderStatus status() const noexcept {
    RecorderStatus status{recorded_.load(std::memory_order_relaxed), lost_.load(std::memory_order_relaxed),
                          synced_tick_.load(std::memory_order_acquire),
                          bytes_.load(std::memory_order_relaxed), error_.load(std::memory_order_acquire)};
    if (status.error == 0) return status;
    const std::uint64_t kept = synced_count_.load(std::memory_order_relaxed);
    status.lost += status.recorded - kept;
    status.recorded = kept;
    return status;
  }
  [[nodiscard]] const std::string& kept() const noexcept { return file_.kept(); }

  void close() noexcept {
    is_closing_.store(true, std::memory_order_release);
    if (thread_.joinable()) thread_.join();
  }

 private:
  /// Every so many ticks, behind what was lost, and where a snapshot comes back that a reader may not have.
  [[nodiscard]] bool is_checkpoint_due(const TickInput& input) noexcept {
    ++since_checkpoint_;
    return since_checkpoint_ >= kCheckpointTicks || lost_here_ > 0 || input.verb == Verb::restore;
  }
  /// Without room the next tick has it: nothing is lost by that.
  [[nodiscard]] bool try_checkpoint(const Session& session) noexcept {
    std::byte* place = checkpoints_.try_place();
    if (place == nullptr) return false;
    session.save({reinterpret_cast<unsigned char*>(place), checkpoint_bytes_});
    checkpoints_.put();
    since_checkpoint_ = 0;
    return true;
  }

  void add_model(const ModelFolder& model, const ModelFiles& files, const Session& session);
  void add_start(const Session& session);

  // the writer's thread

  void run(std::promise<int> opened) noexcept;
  void open() noexcept;
  void write_ticks();
  void drain();
  void add(std::byte* entry);
  void add_input(std::byte* entry, std::uint32_t sequence, std::uint64_t time);
  void flush();
  void flush_if_due();
  void write_pending() noexcept;
  void finish();
  [[nodiscard]] bool has_failed() const noexcept { return error_.load(std::memory_order_relaxed) != 0; }
  void fail(int error) noexcept {
    if (error != 0 && !has_failed()) error_.store(error, std::memory_order_release);
  }
  void set_synced(std::int64_t tick, std::uint64_t count) noexcept {
    synced_count_.store(count, std::memory_order_relaxed);
    synced_tick_.store(tick, std::memory_order_release);
  }

  EntryLayout layout_;
  EntryRing ring_;
  std::size_t checkpoint_bytes_;
  EntryRing checkpoints_;  // those of the entries that have one, in their order
  OutputFile file_;
  SpillFile spill_;
  McapWriter mcap_;
  TickEncoder encoder_;
  std::int64_t period_;
  std::uint32_t state_every_;
  std::uint16_t input_channel_ = 0;
  std::uint16_t state_channel_ = 0;
  std::uint64_t lost_here_ = 0;       // since the last entry; the loop's thread
  std::size_t since_checkpoint_ = 0;  // entries; the loop's thread
  // the writer's thread
  std::int64_t last_tick_ = 0;       // in the chunks so far, the open one too
  std::int64_t written_tick_ = 0;    // in the file
  std::uint64_t count_ = 0;          // ticks, as last_tick_
  std::uint64_t written_count_ = 0;  // ticks, as written_tick_
  std::uint64_t last_checksum_ = 0;
  Clock::time_point last_sync_ = Clock::now();

  std::atomic<std::uint64_t> recorded_{0};
  std::atomic<std::uint64_t> lost_{0};
  std::atomic<std::int64_t> synced_tick_{0};
  std::atomic<std::uint64_t> synced_count_{0};
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<int> error_{0};
  std::atomic<bool> is_closing_{false};
  std::thread thread_;
};

void Recorder::Writer::add_model(const ModelFolder& model, const ModelFiles& files, const Session& session) {
  const auto now = std::chrono::system_clock::now();
  const auto seconds = std::chrono::time_point_cast<std::chrono::seconds>(now);
  const auto stamp = std::chrono::duration_cast<std::chrono::nanoseconds>(now.time_since_epoch()).count();
  const auto created = static_cast<std::uint64_t>(stamp);
  const std::string date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
  McapWriter::Pairs about{{"format", std::to_string(kRecordingFormat)},
                          {"model", model.name},
                          {"model_fingerprint", std::string(model.kernel.model_fingerprint())},
                          {"period_ns", std::to_string(period_)},
                          {"recorded_at", date}};
  const auto attach = [&](const std::string& name, const std::string& bytes) {
    mcap_.add_attachment(name, find_media_type(name), bytes, created);
    about.emplace_back(kDigest + name, calc_checksum(bytes));
  };
  attach("session.json", build_session_file(model, session, date));
  attach("start.bin", build_start_bytes(session.stepper()));
  for (const ModelFile& file : files) attach(file.name, file.bytes);
  const std::string schema = build_schema(model.kernel);
  input_channel_ = mcap_.add_channel(kInputTopic, kInputType, schema, build_input_notes(model.kernel));
  state_channel_ = mcap_.add_channel(kStateTopic, kStateType, schema, build_field_notes(model.kernel));
  about.emplace_back(kDigest + std::string(kDefinitions), calc_checksum(mcap_.definitions()));
  mcap_.add_metadata("rodeo", about);
  if (state_every_ != 0) add_start(session);
}

/// The state before the first tick: what is read from a recording begins where the run began.
void Recorder::Writer::add_start(const Session& session) {
  std::vector<double> memory(layout_.bytes() / sizeof(double));
  const std::vector<Command> commands(session.stepper().drives().size());
  auto* entry = reinterpret_cast<std::byte*>(memory.data());
  layout_.fill(entry, {.commands = commands}, session, true);
  mcap_.add_message(state_channel_, 0, 0, encoder_.encode_state(entry));
}

/// Memory that runs out ends the recording like a disk that is full.
void Recorder::Writer::run(std::promise<int> opened) noexcept {
  open();
  opened.set_value(error_.load(std::memory_order_relaxed));
  if (has_failed()) return;
  try {
    write_ticks();
  } catch (const std::bad_alloc&) {
    fail(ENOMEM);
  }
}

void Recorder::Writer::open() noexcept {
  write_pending();
  if (!has_failed()) fail(file_.sync());
  file_.sync_folder();
}

void Recorder::Writer::write_ticks() {
  for (bool is_last = false; !is_last;) {
    is_last = is_closing_.load(std::memory_order_acquire);
    drain();
    flush_if_due();
    if (!is_last) std::this_thread::sleep_for(kPoll);
  }
  finish();
}

void Recorder::Writer::drain() {
  for (std::byte* entry = ring_.try_front(); entry != nullptr; entry = ring_.try_front()) {
    if (!has_failed()) add(entry);
    if (layout_.head(entry).has_checkpoint) checkpoints_.take();
    ring_.take();
    if (mcap_.chunk_bytes() < kChunkBytes) continue;
    mcap_.close_chunk();
    write_pending();
    flush_if_due();
  }
}

void Recorder::Writer::add_input(std::byte* entry, std::uint32_t sequence, std::uint64_t time) {
  std::string_view checkpoint;
  if (layout_.head(entry).has_checkpoint)
    checkpoint = {reinterpret_cast<const char*>(checkpoints_.try_front()), checkpoint_bytes_};
  mcap_.add_message(input_channel_, sequence, time, encoder_.encode_input(entry, checkpoint));
}

void Recorder::Writer::add(std::byte* entry) {
  const EntryHead& head = layout_.head(entry);
  const auto time = static_cast<std::uint64_t>(head.tick * period_);
  const auto sequence = static_cast<std::uint32_t>(head.tick);
  add_input(entry, sequence, time);
  if (head.has_state) mcap_.add_message(state_channel_, sequence, time, encoder_.encode_state(entry));
  last_tick_ = head.tick;
  ++count_;
  last_checksum_ = head.checksum;
}

/// Chunks are written whole or not at all; those before a failure are synced.
void Recorder::Writer::write_pending() noexcept {
  if (!has_failed()) {
    const int error = file_.write(mcap_.pending());
    if (error == 0) {
      written_tick_ = last_tick_;
      written_count_ = count_;
    } else if (file_.sync() == 0) {
      set_synced(written_tick_, written_count_);
    }
    fail(error);  // the figures first
  }
  mcap_.clear_pending();
  bytes_.store(file_.size(), std::memory_order_relaxed);
}

void Recorder::Writer::flush() {
  mcap_.close_chunk();
  write_pending();
  if (!has_failed()) fail(file_.sync());
  if (!has_failed()) set_synced(last_tick_, count_);
  last_sync_ = Clock::now();
}

void Recorder::Writer::flush_if_due() {
  const bool has_news = synced_tick_.load(std::memory_order_relaxed) != last_tick_;
  if (has_news && !has_failed() && Clock::now() - last_sync_ >= kSyncEvery) flush();
}

void Recorder::Writer::finish() {
  mcap_.close_chunk();
  mcap_.add_metadata("rodeo.end", {{"ticks", std::to_string(recorded_.load())},
                                   {"lost", std::to_string(lost_.load())},
                                   {"last_tick", std::to_string(last_tick_)},
                                   {"checksum", fmt::format("{:016x}", last_checksum_)}});
  if (!mcap_.finish([this] { write_pending(); })) fail(EIO);
  flush();
  if (!file_.is_there()) fail(ESTALE);
}

Recorder::Recorder(const RecorderOptions& options, const ModelFolder& model, const ModelFiles& files,
                   const Session& session)
    : writer_(std::make_unique<Writer>(options, model, files, session)) {
  assert(session.tick_number() == 0);
}

Recorder::~Recorder() = default;

bool Recorder::try_record(const TickInput& input, const Session& session) noexcept {
  if (writer_->try_put(input, session)) return true;
  writer_->lose();
  return false;
}

bool Recorder::record(const TickInput& input, const Session& session) {
  while (!writer_->try_put(input, session)) {
    if (writer_->status().error != 0) return false;
    std::this_thread::sleep_for(kPoll);
  }
  return true;
}

RecorderStatus Recorder::status() const noexcept { return writer_->status(); }

const std::string& Recorder::kept() const noexcept { return writer_->kept(); }

void Recorder::close() noexcept { writer_->close(); }

std::string describe(const RecorderStatus& status, const std::string& path) {
  if (status.error == ESTALE)
    return fmt::format("the recording '{}' is gone: another program removed or replaced it meanwhile", path);
  if (status.error != 0) {
    return fmt::format("the recording '{}' ended after tick {}, with {} tick{}: {}", path, status.synced_tick,
                       status.recorded, status.recorded == 1 ? "" : "s",
                       std::generic_category().message(status.error));
  }
  if (status.lost == 0) return "";
  return fmt::format("the recording '{}' has lost {} tick{}: the disk did not keep up", path, status.lost,
                     status.lost == 1 ? "" : "s");
}

}  // namespace rodeo::engine
