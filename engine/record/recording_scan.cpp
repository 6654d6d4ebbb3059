// SPDX-License-Identifier: MIT
// Every chunk against its checksum, every tick against the one before. A tick follows if its number is that of the one before,
// and one more, and those that were skipped; anything else is a gap, and a replay ends there.
#include "engine/record/recording_scan.h"

#include <fmt/format.h>

#include <charconv>

#include "engine/record/crc32.h"
#include "engine/record/tick_messages.h"

namespace rodeo::engine {
namespace {

const char* plural(std::uint64_t count) { return count == 1 ? "" : "s"; }

class Scan {
 public:
  Scan(const RecordingOutline& outline, Recording::Contents& contents)
      : outline_(outline), contents_(contents), buffer_(contents.model->kernel) {}

  void run() {
    for (std::size_t i = 0; i < outline_.chunks.size(); ++i) scan_chunk(i);
    if (!cause_.empty()) say(fmt::format("{}: what came after tick {} is missing", cause_, last_));
    say_end();
    if (!contents_.missing.empty()) return;  // said already
    for (const std::string& fault : outline_.faults) say(fault);
  }

 private:
  void say(const std::string& sentence) {
    contents_.missing.push_back(fmt::format("{}: {}", contents_.file.path(), sentence));
  }

  /// All of a chunk or nothing.
  void scan_chunk(std::size_t i) {
    const McapRecord& record = outline_.chunks[i];
    std::string_view records;
    if (record.op != McapOp::chunk) {
      return blame(fmt::format("the {} bytes from {} on are no whole record", record.size, record.offset));
    }
    std::string fault = read_chunk(contents_.file, record, bytes_, records);
    if (fault.empty() && !are_inputs_whole(records)) fault = "holds what is no input of this machine";
    if (!fault.empty()) return blame(fmt::format("chunk {} at byte {} {}", i + 1, record.offset, fault));
    contents_.chunks.push_back(record);
    MessageWalk walk(records);
    for (McapMessage message; walk.next(message);) {
      if (message.channel == contents_.input_channel && decode_input(message.data, buffer_, tick_))
        take_tick();
      if (message.channel == contents_.state_channel) ++contents_.state_count;
    }
  }

  /// The first cause of a gap is its name.
  void blame(const std::string& cause) {
    if (cause_.empty()) cause_ = cause;
  }

  bool are_inputs_whole(std::string_view records) {
    MessageWalk walk(records);
    for (McapMessage message; walk.next(message);) {
      if (message.channel == contents_.input_channel && !decode_input(message.data, buffer_, tick_))
        return false;
    }
    return walk.is_good();
  }

  void take_tick() {
    if (!follows(tick_, last_)) say_gap();
    cause_.clear();  // what was broken held no tick
    ++contents_.tick_count;
    last_ = tick_.tick;
    lost_ += tick_.lost;
    if (has_gap_) return;
    ++contents_.replayable_count;
    contents_.last_tick = last_;
  }

  void say_gap() {
    has_gap_ = true;
    const std::string cause = cause_.empty() ? "" : cause_ + ": ";
    if (tick_.lost > 0 && cause_.empty()) {
      say(fmt::format("{} tick{} between {} and {} were lost while recording, as the disk did not keep up",
                      tick_.lost, plural(tick_.lost), last_, tick_.tick));
    } else {
      say(fmt::format("{}what was between the ticks {} and {} is missing", cause, last_, tick_.tick));
    }
  }

  void say_end() {
    if (outline_.is_complete) return say_lost_at_end();
    const std::uint64_t left = contents_.file.size() - outline_.readable;
    if (outline_.has_data_end) {
      say("is cut off in its summary: no tick is missing");
    } else if (left == 0) {
      say(fmt::format("was not closed: what came after tick {} is missing", last_));
    } else {
      say(fmt::format(
          "is cut off: the {} byte{} from {} on are no whole chunk, what came after tick {} is missing", left,
          plural(left), outline_.readable, last_));
    }
  }

  void say_lost_at_end() {
    const auto last = static_cast<std::int64_t>(read_end("last_tick"));
    if (last > last_ && contents_.missing.empty())
      say(fmt::format("what came after tick {}, up to tick {}, is missing", last_, last));
    const std::uint64_t lost = read_end("lost");
    if (lost <= lost_ || has_gap_) return;
    say(fmt::format("{} tick{} after tick {} were lost while recording, as the disk did not keep up",
                    lost - lost_, plural(lost - lost_), last_));
  }

  /// A number of the metadata at the end; 0 if it is not there.
  [[nodiscard]] std::uint64_t read_end(const char* key) const {
    std::uint64_t value = 0;
    const auto found = outline_.end.find(key);
    if (found != outline_.end.end())
      std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
    return value;
  }

  const RecordingOutline& outline_;
  Recording::Contents& contents_;
  TickBuffer buffer_;
  RecordedTick tick_;
  std::string bytes_;
  std::string cause_;  // of the next gap
  std::int64_t last_ = 0;
  std::uint64_t lost_ = 0;
  bool has_gap_ = false;
};

}  // namespace

void scan_ticks(const RecordingOutline& outline, Recording::Contents& contents) {
  Scan(outline, contents).run();
}

std::string read_chunk(const InputFile& file, const McapRecord& record, std::string& bytes,
                       std::string_view& records) {
  file.read(record.content(), record.size, bytes);
  McapChunk chunk;
  if (!parse_chunk(bytes, chunk)) return "is broken";
  if (!chunk.compression.empty()) {
    return fmt::format("is compressed ({}), which this rodeo does not read", chunk.compression);
  }
  records = chunk.records;
  return calc_crc32(records) == chunk.crc ? "" : "has a wrong checksum";
}

}  // namespace rodeo::engine
