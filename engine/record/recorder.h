// SPDX-License-Identifier: MIT
// A run into an MCAP file while it happens: try_record() copies a tick into a lock-free ring, a thread of its own writes the
// ring to the disk. The loop never waits for the disk. If the ring is full a tick is lost, counted, and the file says so at
// the next tick that it has; if the disk is full or fails, the recording ends there, status().error says why, and the
// machine goes on.
//
// Promise: what is older than 100 ms is in the file, in whole chunks, synced (fdatasync), as long as the disk keeps up.
// status().synced_tick is the last tick that no kill -9 can take away.
//
// A recording always begins at the start of its session, tick 0, and holds everything that a session needs (recording.h): a
// session that goes on from a replayed tick is recorded from tick 0 too, by record() during the replay.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "engine/loop/ports.h"
#include "engine/record/model_files.h"
#include "engine/session/session.h"
#include "engine/step/model_folder.h"

namespace rodeo::engine {

struct RecorderOptions {
  std::string path;               // what is there is kept as `run.1.mcap`,
  bool replaces = false;          // or replaced
  std::uint32_t state_every = 1;  // `/state` at every n-th tick of the counter; 0: only what a replay needs
  double room = 4;  // s of ticks in the ring, while the disk is busy; 64 ticks and 128 MB bound it
};

/// Counters since the start; any thread may ask. Once the recording has ended by an error, `recorded` is what the file holds up to
/// synced_tick and all else is lost.
struct RecorderStatus {
  std::uint64_t recorded = 0;    // ticks taken
  std::uint64_t lost = 0;        // ticks that found the ring full, or the recording ended
  std::int64_t synced_tick = 0;  // the last tick that is safe on the disk
  std::uint64_t bytes = 0;       // of the file so far
  int error =
      0;  // errno of the failure that ended the recording, ESTALE: its file was taken away; 0: it goes on
};

class Recorder final : public RecordPort {
 public:
  /// Opens the file, writes the model and the start, syncs, starts the thread. `session` stands at its start. Throws IoError.
  Recorder(const RecorderOptions& options, const ModelFolder& model, const ModelFiles& files,
           const Session& session);
  ~Recorder() override;  // as close()
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Real-time safe; one thread at a time. False if the tick is lost.
  [[nodiscard]] bool try_record(const TickInput& input, const Session& session) noexcept override;
  /// The same for a run that is faster than the disk: waits for room. Not real-time. False if the recording has ended.
  bool record(const TickInput& input, const Session& session);

  [[nodiscard]] RecorderStatus status() const noexcept;
  /// What the older recording of this name is called now; empty if there was none.
  [[nodiscard]] const std::string& kept() const noexcept;

  /// Writes what is left, then the summary, syncs and closes. After the last try_record. No exception: see status().
  void close() noexcept;

 private:
  class Writer;
  std::unique_ptr<Writer> writer_;
};

/// What a user is told when the recording has ended early or lost ticks: one sentence; empty if all is well.
[[nodiscard]] std::string describe(const RecorderStatus& status, const std::string& path);

}  // namespace rodeo::engine
