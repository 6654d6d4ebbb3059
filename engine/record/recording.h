// SPDX-License-Identifier: MIT
// A recording, read: the model, the options and the start of a session, and its TickInputs in order. What is damaged is left
// out and named; nothing that is read has a wrong checksum. The ticks stay in the file until they are asked for.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/record/model_files.h"
#include "engine/session/session.h"
#include "engine/step/model_folder.h"

namespace rodeo::engine {

/// One tick as it was made.
struct RecordedTick {
  std::int64_t tick = 0;
  TickInput input;              // its commands and forces are the reader's, until the next tick is read
  std::uint64_t lost = 0;       // ticks that the recorder lost just before this one
  std::uint64_t checksum = 0;   // of the session after this tick
  std::string_view checkpoint;  // the session after this tick, where it was kept; the reader's too
  bool follows = true;          // nothing is missing between this tick and the one before
};

/// Looks at a recording's kernel before it is loaded, with the other files that came with it; throws KernelError if it may not be. May give another
/// kernel, which is then loaded instead and stands among the files.
using KernelGate =
    std::function<std::optional<std::string>(const ModelFile& kernel, const ModelFiles& files)>;

class Recording {
 public:
  /// Reads the file once and checks every chunk; runs nothing of it: its model() has a kernel that computes nothing. Throws IoError
  /// if the file is no recording, KernelError if its model is not whole. Ticks that are missing are no error: see missing().
  [[nodiscard]] static Recording build_from_file(const std::string& path);
  /// The same with its kernel, which is machine code from elsewhere, loaded behind the gate: for whoever computes it again.
  [[nodiscard]] static Recording build_runnable(const std::string& path, const KernelGate& gate);

  [[nodiscard]] const std::string& path() const noexcept;
  [[nodiscard]] const ModelFolder& model() const noexcept;
  [[nodiscard]] const ModelFiles& files() const noexcept;
  [[nodiscard]] const SessionOptions& options() const noexcept;
  [[nodiscard]] const std::vector<InitialCondition>& conditions() const noexcept;

  /// Ticks that are there, and those of them before the first gap.
  [[nodiscard]] std::int64_t tick_count() const noexcept;
  [[nodiscard]] std::int64_t replayable_count() const noexcept;
  /// States that are there, that of the start among them.
  [[nodiscard]] std::int64_t state_count() const noexcept;
  /// The number of the last replayable tick; 0 if there is none.
  [[nodiscard]] std::int64_t last_tick() const noexcept;
  /// What is not there, damaged or changed, one sentence each, beginning with the path; empty if the recording is whole to the last byte and
  /// what is attached is what was recorded, as far as its digests and its parts can tell.
  [[nodiscard]] const std::vector<std::string>& missing() const noexcept;

  /// A session at the start of the recording; throws KernelError if the machine cannot start here as it did there.
  [[nodiscard]] Session build_session() const;

  struct Contents;

 private:
  friend class TickReader;
  friend class StateReader;
  explicit Recording(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}
  std::shared_ptr<const Contents> contents_;
};

/// The ticks that are there, in order. Not real-time: reads the file chunk by chunk. Throws IoError if the file has changed.
class TickReader {
 public:
  explicit TickReader(const Recording& recording);
  ~TickReader();
  TickReader(const TickReader&) = delete;
  TickReader& operator=(const TickReader&) = delete;

  /// False at the end.
  [[nodiscard]] bool next(RecordedTick& tick);

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Is this a file that begins as a recording does? False too if it cannot be read.
[[nodiscard]] bool is_recording(const std::string& path);

}  // namespace rodeo::engine
