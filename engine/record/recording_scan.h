// SPDX-License-Identifier: MIT
// Reading a recording for the first time: what is in the file, which chunks are whole, where ticks are missing.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/record/mcap_reader.h"
#include "engine/record/recording.h"
#include "engine/record/session_file.h"

namespace rodeo::engine {

/// What Recording and its TickReaders share; constant once it is built.
struct Recording::Contents {
  explicit Contents(const std::string& path) : file(path) {}

  InputFile file;
  ModelFiles files;
  std::optional<ModelFolder> model;
  SessionFile session;
  std::string start;                                   // bytes of the stepper
  std::uint16_t input_channel = 0, state_channel = 0;  // 0: there is none
  std::vector<McapRecord> chunks;                      // whole ones
  std::int64_t tick_count = 0;
  std::int64_t state_count = 0;
  std::int64_t replayable_count = 0;
  std::int64_t last_tick = 0;
  std::vector<std::string> missing;
  std::vector<std::string> contradictions;  // among what is attached; in the end they stand among the missing
};

/// The outline of a file: its records but for the chunks' contents. Throws IoError if it is no recording.
struct RecordingOutline {
  std::map<std::string, std::string> attachments;  // the first of each name
  std::map<std::string, std::string> about;        // metadata rodeo
  std::map<std::string, std::string> end;        // metadata rodeo.end; empty if the recording was not closed
  std::array<std::string, 2> schemas, channels;  // records: those of the data, and of the summary once more
  std::uint16_t input_channel = 0, state_channel = 0;
  std::vector<McapRecord> chunks;  // and, with the type 0, bytes between them that are no record
  bool has_data_end = false;
  bool is_complete = false;
  std::uint64_t readable = 0;  // bytes of whole records
  std::vector<std::string>
      faults;  // of a complete file: checksums over all of it that are wrong, bytes behind its end
};
[[nodiscard]] RecordingOutline build_outline(const InputFile& file);

/// Checks every chunk of the outline and every tick in it: fills chunks, counts and missing. `contents` has its model.
void scan_ticks(const RecordingOutline& outline, Recording::Contents& contents);

/// Is nothing missing between `tick` and the one before it, whose number is `last`?
[[nodiscard]] inline bool follows(const RecordedTick& tick, std::int64_t last) noexcept {
  return tick.lost == 0 && tick.tick == last + 1 + std::int64_t{tick.input.skipped};
}

/// Reads a chunk; empty, or what is wrong with it. `records` are in `bytes`.
[[nodiscard]] std::string read_chunk(const InputFile& file, const McapRecord& record, std::string& bytes,
                                     std::string_view& records);

}  // namespace rodeo::engine
