// SPDX-License-Identifier: MIT
// The records of an MCAP file, in their order, as far as they are whole. Lengths are believed only within the file.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/record/mcap_writer.h"

namespace rodeo::engine {

/// A file for reading at any place. Throws IoError.
class InputFile {
 public:
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// At the time of opening: it may still grow.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// `size` bytes from `offset` on, fewer at the end of the file.
  void read(std::uint64_t offset, std::uint64_t size, std::string& bytes) const;

 private:
  [[noreturn]] void refuse(int error_number) const;

  std::string path_;
  int file_ = -1;
  std::uint64_t size_ = 0;
};

struct McapRecord {
  McapOp op{};
  std::uint64_t offset = 0;  // of the record in the file
  std::uint64_t size = 0;    // of its content
  [[nodiscard]] std::uint64_t content() const noexcept { return offset + kMcapRecordHead; }
};

/// Is the record what its type says, as far as lengths go? A flipped bit in a length or a type is found here.
[[nodiscard]] bool is_plausible(const InputFile& file, const McapRecord& record);
/// Where the next whole chunk begins, from `offset` on: the way on behind a record whose length is broken.
[[nodiscard]] std::optional<std::uint64_t> find_chunk(const InputFile& file, std::uint64_t offset);

/// Walks the top-level records. The content is read by whoever wants it.
class RecordWalk {
 public:
  /// `file` begins with the magic bytes.
  explicit RecordWalk(const InputFile& file) : file_(file), position_(kMcapMagic.size()) {}

  /// False at the footer, and where no whole record follows, which `record` then is. Type 0 is none: a file system may leave
  /// zeros behind.
  [[nodiscard]] bool next(McapRecord& record);
  void go_to(std::uint64_t position) noexcept { position_ = position; }
  /// Footer and closing magic bytes were seen: the file is whole as far as its structure goes.
  [[nodiscard]] bool is_complete() const noexcept { return is_complete_; }
  /// Where the walk ended.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }

 private:
  const InputFile& file_;
  std::uint64_t position_;
  bool is_complete_ = false;
  std::string head_;
};

struct McapChunk {
  std::uint32_t crc = 0;
  std::string_view compression;
  std::string_view records;
};

/// The parts of a chunk record's content; false if they do not fit into it.
[[nodiscard]] bool parse_chunk(std::string_view content, McapChunk& chunk) noexcept;

struct McapMessage {
  std::uint16_t channel = 0;
  std::string_view data;
};

/// Walks the messages among a chunk's records; is_good() is false if something did not fit.
class MessageWalk {
 public:
  explicit MessageWalk(std::string_view records) : left_(records) {}
  [[nodiscard]] bool next(McapMessage& message) noexcept;
  [[nodiscard]] bool is_good() const noexcept { return is_good_; }

 private:
  std::string_view left_;
  bool is_good_ = true;
};

}  // namespace rodeo::engine
