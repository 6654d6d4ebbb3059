// SPDX-License-Identifier: MIT
// The bytes of an MCAP file (mcap.dev/spec, version 0) in their order: attachments and metadata, schemas and channels, then
// messages in checksummed chunks with their indexes, at the end a summary. Uncompressed. Bytes only: they gather in
// pending(), and whoever owns the file writes them there. Times are nanoseconds.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/record/spill_file.h"

namespace rodeo::engine {

/// Record types.
enum class McapOp : std::uint8_t {
  header = 0x01,
  footer = 0x02,
  schema = 0x03,
  channel = 0x04,
  message = 0x05,
  chunk = 0x06,
  message_index = 0x07,
  chunk_index = 0x08,
  attachment = 0x09,
  attachment_index = 0x0A,
  statistics = 0x0B,
  metadata = 0x0C,
  metadata_index = 0x0D,
  summary_offset = 0x0E,
  data_end = 0x0F,
};

inline constexpr std::string_view kMcapMagic{"\x89MCAP0\r\n", 8};
/// Type and length of a record.
inline constexpr std::size_t kMcapRecordHead = 9;

class McapWriter {
 public:
  using Pairs = std::vector<std::pair<std::string, std::string>>;

  /// `spill`: where indexes wait for the summary; null: in memory.
  explicit McapWriter(std::string_view library, SpillFile* spill = nullptr);

  /// `created`: since 1970.
  void add_attachment(std::string_view name, std::string_view media_type, std::string_view bytes,
                      std::uint64_t created);
  void add_metadata(std::string_view name, const Pairs& pairs);
  /// A topic of protobuf messages, its schema first; the channel's number.
  [[nodiscard]] std::uint16_t add_channel(std::string_view topic, std::string_view type,
                                          std::string_view schema, const Pairs& notes);

  /// Schemas and channels up to now, as records: all of the former first.
  [[nodiscard]] std::string definitions() const { return schemas_ + channels_; }

  /// Into the open chunk, which begins with the first message.
  void add_message(std::uint16_t channel, std::uint32_t sequence, std::uint64_t time, std::string_view data);
  [[nodiscard]] std::size_t chunk_bytes() const noexcept { return chunk_.size(); }
  /// Nothing if there is no message.
  void close_chunk();
  /// The open chunk, the summary, the end; a piece at a time, if `write` is there to write pending() and to clear it. False if an
  /// index that was spilled cannot be read again.
  [[nodiscard]] bool finish(const std::function<void()>& write = {});

  /// What is not in the file yet.
  [[nodiscard]] std::string_view pending() const noexcept { return pending_; }
  void clear_pending() noexcept;

 private:
  struct Index {
    std::uint64_t time;
    std::uint64_t offset;
  };

  [[nodiscard]] std::uint64_t position() const noexcept { return written_ + pending_.size(); }
  /// Starts a record in pending_; end_record fills in its length.
  void begin_record(McapOp op);
  void end_record();
  void put_chunk();
  void put_message_indexes();
  void add_chunk_index(std::uint64_t chunk_start, std::uint64_t chunk_end);
  void put_group(McapOp op, const std::string& records, std::string& offsets);
  void put_offset(McapOp op, std::uint64_t bytes, std::string& offsets) const;
  void spill();
  [[nodiscard]] std::string build_statistics() const;

  std::string pending_;
  std::uint64_t written_ = 0;      // bytes before pending_
  std::uint32_t data_crc_ = 0;     // of the bytes before pending_
  std::size_t record_begin_ = 0;   // in pending_
  std::string chunk_;              // records of the open chunk
  std::uint64_t chunk_first_ = 0;  // time
  std::uint64_t chunk_last_ = 0;
  std::vector<std::vector<Index>> indexes_;    // of the open chunk, one a channel
  std::vector<std::uint64_t> message_counts_;  // one a channel
  std::uint64_t first_ = 0;                    // time
  std::uint64_t last_ = 0;
  SpillFile* spill_;  // the chunks' indexes but for the last of them
  // records of the summary, gathered on the way
  std::string schemas_;
  std::string channels_;
  std::string chunk_indexes_;
  std::string attachment_indexes_;
  std::string metadata_indexes_;
  std::uint32_t chunk_count_ = 0;
  std::uint32_t attachment_count_ = 0;
  std::uint32_t metadata_count_ = 0;
};

}  // namespace rodeo::engine
