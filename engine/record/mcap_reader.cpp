// SPDX-License-Identifier: MIT
// Reads by pread: a file that shrinks while it is read gives fewer bytes, where a mapped one would give SIGBUS.
#include "engine/record/mcap_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "engine/io/input.h"
#include "engine/record/bytes.h"

namespace rodeo::engine {

namespace {

constexpr off_t kDiskBlock = 512;  // of st_blocks

/// Written in one go, a recording has none; of a file that claims what it has not, every byte would have to be read as zero.
bool is_mostly_holes(const struct stat& status) {
  constexpr off_t kLarge = off_t{64} << 20;
  return status.st_size > kLarge && status.st_blocks * kDiskBlock < status.st_size / 16;
}

}  // namespace

InputFile::InputFile(const std::string& path) : path_(path) {
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) refuse(errno);
  struct stat status {};
  const int error = ::fstat(file_, &status) != 0 ? errno : 0;
  const bool is_regular = S_ISREG(status.st_mode);
  if (error == 0 && is_regular && !is_mostly_holes(status)) {
    size_ = static_cast<std::uint64_t>(status.st_size);
    return;
  }
  ::close(file_);
  if (error != 0) refuse(error);
  if (is_regular) {
    throw IoError(fmt::format("cannot read '{}': of its {} MB only {} MB are on the disk: copy it again",
                              path, status.st_size >> 20, (status.st_blocks * kDiskBlock) >> 20));
  }
  if (S_ISDIR(status.st_mode)) refuse(EISDIR);
  throw IoError(fmt::format("cannot read '{}': it is no file that can be read from any place", path));
}

InputFile::~InputFile() { ::close(file_); }

void InputFile::refuse(int error_number) const {
  throw IoError(fmt::format("cannot read '{}': {}", path_, std::generic_category().message(error_number)));
}

void InputFile::read(std::uint64_t offset, std::uint64_t size, std::string& bytes) const {
  const std::uint64_t there = offset < size_ ? std::min(size, size_ - offset) : 0;
  bytes.resize(there);
  std::uint64_t done = 0;
  while (done < there) {
    const ssize_t n = ::pread(file_, bytes.data() + done, there - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse(errno);
    if (n == 0) break;
    done += static_cast<std::uint64_t>(n);
  }
  bytes.resize(done);
}

namespace {

/// Times, size and checksum of a chunk, then two lengths: of the compression's name, which is empty, and of the records.
constexpr std::uint64_t kChunkHead = 8 + 8 + 8 + 4 + 4 + 8;

bool is_chunk_head(std::string_view bytes, std::uint64_t size) {
  ByteReader reader(bytes);
  reader.take(8 + 8);
  const auto uncompressed = reader.take_number<std::uint64_t>();
  reader.take(4);
  const auto compression = reader.take_number<std::uint32_t>();
  const auto records = reader.take_number<std::uint64_t>();
  return reader.is_good() && compression == 0 && records == uncompressed && records == size - kChunkHead;
}

bool is_index_head(std::string_view bytes, std::uint64_t size) {
  ByteReader reader(bytes);
  reader.take(2);
  const auto entries = reader.take_number<std::uint32_t>();
  return reader.is_good() && entries == size - (2 + 4) && entries % (8 + 8) == 0;
}

}  // namespace

bool is_plausible(const InputFile& file, const McapRecord& record) {
  std::string bytes;
  switch (record.op) {
    case McapOp::chunk:
      file.read(record.content(), kChunkHead, bytes);
      return record.size >= kChunkHead && is_chunk_head(bytes, record.size);
    case McapOp::message_index:
      file.read(record.content(), 2 + 4, bytes);
      return record.size >= 2 + 4 && is_index_head(bytes, record.size);
    case McapOp::data_end: return record.size == 4;
    case McapOp::footer: return record.size == 8 + 8 + 4;
    default: return record.op <= McapOp::data_end;
  }
}

std::optional<std::uint64_t> find_chunk(const InputFile& file, std::uint64_t offset) {
  constexpr std::uint64_t kBlock = std::uint64_t{1} << 16;
  std::string block;
  for (; offset < file.size(); offset += kBlock) {
    file.read(offset, kBlock + kMcapRecordHead, block);
    for (std::size_t at = 0; at < std::min<std::size_t>(kBlock, block.size()); ++at) {
      if (block[at] != static_cast<char>(McapOp::chunk)) continue;
      ByteReader reader(std::string_view(block).substr(at + 1));
      const McapRecord record{McapOp::chunk, offset + at, reader.take_number<std::uint64_t>()};
      const bool fits = reader.is_good() && record.content() <= file.size() &&
                        record.size <= file.size() - record.content();
      if (fits && is_plausible(file, record)) return record.offset;
    }
  }
  return std::nullopt;
}

bool RecordWalk::next(McapRecord& record) {
  if (is_complete_) return false;
  file_.read(position_, kMcapRecordHead, head_);
  ByteReader reader(head_);
  record.op = static_cast<McapOp>(reader.take_number<std::uint8_t>());
  record.offset = position_;
  record.size = reader.take_number<std::uint64_t>();
  if (!reader.is_good() || record.op == McapOp{0} || record.size > file_.size() - record.content())
    return false;
  if (record.op == McapOp::footer) {
    file_.read(record.content() + record.size, kMcapMagic.size(), head_);
    is_complete_ = head_ == kMcapMagic;
    return false;
  }
  position_ = record.content() + record.size;
  return true;
}

bool parse_chunk(std::string_view content, McapChunk& chunk) noexcept {
  ByteReader reader(content);
  reader.take(8 + 8 + 8);  // times of its messages, size without compression
  chunk.crc = reader.take_number<std::uint32_t>();
  chunk.compression = reader.take_text();
  chunk.records = reader.take(reader.take_number<std::uint64_t>());
  return reader.is_good();
}

bool MessageWalk::next(McapMessage& message) noexcept {
  while (is_good_ && !left_.empty()) {
    ByteReader reader(left_);
    const auto op = static_cast<McapOp>(reader.take_number<std::uint8_t>());
    ByteReader content(reader.take(reader.take_number<std::uint64_t>()));
    is_good_ = reader.is_good();
    left_ = reader.left();
    if (!is_good_ || op != McapOp::message) continue;
    message.channel = content.take_number<std::uint16_t>();
    content.take(4 + 8 + 8);  // sequence, times
    message.data = content.left();
    is_good_ = content.is_good();
    if (is_good_) return true;
  }
  return false;
}

}  // namespace rodeo::engine
