// SPDX-License-Identifier: MIT
// Attachments, channels and metadata of a recording, and where its chunks are.
#include <fmt/format.h>

#include <algorithm>

#include "engine/io/input.h"
#include "engine/record/bytes.h"
#include "engine/record/crc32.h"
#include "engine/record/recording_scan.h"
#include "engine/record/tick_messages.h"

namespace rodeo::engine {
namespace {

/// More than a kernel and its meshes have, and than the recorder's chunks of 64 kB; less than what a broken length could ask for.
constexpr std::uint64_t kMostRecordBytes = std::uint64_t{256} << 20;
constexpr std::uint64_t kMostChunkBytes = std::uint64_t{16} << 20;
constexpr std::uint64_t kMostAttachedBytes = std::uint64_t{512} << 20;  // together

[[noreturn]] void refuse(const InputFile& file, const std::string& why) {
  throw IoError(fmt::format("{}: {}", file.path(), why));
}

void check_magic(const InputFile& file) {
  if (file.size() == 0) refuse(file, "is empty");
  std::string magic;
  file.read(0, kMcapMagic.size(), magic);
  if (magic == kMcapMagic) return;
  const bool is_begin = kMcapMagic.starts_with(magic);
  refuse(file, is_begin ? "is cut off at its begin: there is nothing to replay"
                        : "is no recording (it does not begin as an MCAP file does)");
}

std::uint64_t find_most(McapOp op) { return op == McapOp::chunk ? kMostChunkBytes : kMostRecordBytes; }

class Outliner {
 public:
  explicit Outliner(const InputFile& file) : file_(file) {}

  RecordingOutline build() {
    RecordWalk walk(file_);
    McapRecord record;
    do {
      walk_on(walk, record);
    } while (!walk.is_complete() && !outline_.has_data_end && try_skip(walk, record.offset));
    outline_.is_complete = walk.is_complete();
    check();
    if (outline_.is_complete) check_bytes(walk.position());
    return std::move(outline_);
  }

 private:
  /// Takes whole records; `record` is then what is none.
  void walk_on(RecordWalk& walk, McapRecord& record) {
    while (walk.next(record) && record.size <= find_most(record.op) && is_plausible(file_, record)) {
      take(record);
      outline_.readable = record.content() + record.size;
    }
  }

  /// To the next chunk behind bytes that are no record, which take their place among the chunks.
  bool try_skip(RecordWalk& walk, std::uint64_t offset) {
    const std::optional<std::uint64_t> chunk = find_chunk(file_, offset + 1);
    if (!chunk) return false;
    outline_.chunks.push_back({McapOp{0}, offset, *chunk - offset});
    walk.go_to(*chunk);
    return true;
  }

  /// Every byte of a complete file is under one of two checksums: of the data, and of the summary up to the end.
  void check_bytes(std::uint64_t footer) {
    std::string tail;
    file_.read(footer + kMcapRecordHead, 8 + 8 + 4, tail);
    ByteReader reader(tail);
    const auto summary = reader.take_number<std::uint64_t>();
    reader.take(8);
    const std::uint64_t crc_at = footer + kMcapRecordHead + 8 + 8;
    if (calc_crc(summary, crc_at) != reader.take_number<std::uint32_t>())
      outline_.faults.emplace_back("its summary has a wrong checksum: no tick is missing");
    if (!outline_.has_data_end || calc_crc(0, data_end_) != data_crc_)
      outline_.faults.emplace_back(
          "is damaged beside its ticks and its model (an index, a schema or the head of a record): no tick "
          "is "
          "missing");
    const std::uint64_t end = crc_at + 4 + kMcapMagic.size();
    if (end < file_.size())
      outline_.faults.push_back(
          fmt::format("has {} bytes behind its end: no tick is missing", file_.size() - end));
  }

  [[nodiscard]] std::uint32_t calc_crc(std::uint64_t begin, std::uint64_t end) {
    constexpr std::uint64_t kBlock = std::uint64_t{1} << 20;
    std::uint32_t crc = 0;
    for (; begin < end; begin += kBlock) {
      file_.read(begin, std::min(kBlock, end - begin), bytes_);
      crc = calc_crc32(bytes_, crc);
    }
    return crc;
  }

  void take_data_end(const McapRecord& record) {
    outline_.has_data_end = true;
    data_end_ = record.offset;
    ByteReader reader(read(record));
    data_crc_ = reader.take_number<std::uint32_t>();
  }

  void take(const McapRecord& record) {
    switch (record.op) {
      case McapOp::chunk: outline_.chunks.push_back(record); break;
      case McapOp::data_end: take_data_end(record); break;
      case McapOp::attachment: take_attachment(read(record)); break;
      case McapOp::schema: take_definition(record, outline_.schemas); break;
      case McapOp::channel:
        take_definition(record, outline_.channels);
        take_channel(read(record));
        break;
      case McapOp::metadata: take_metadata(read(record)); break;
      default: break;
    }
  }

  std::string_view read(const McapRecord& record) {
    file_.read(record.content(), record.size, bytes_);
    return bytes_;
  }

  void take_attachment(std::string_view content) {
    ByteReader reader(content);
    reader.take(8 + 8);  // times
    const std::string name(reader.take_text());
    reader.take_text();  // media type
    const std::string_view data = reader.take(reader.take_number<std::uint64_t>());
    const std::uint32_t actual = calc_crc32(content.substr(0, content.size() - reader.left().size()));
    const auto crc = reader.take_number<std::uint32_t>();
    if (!reader.is_good() || crc != actual) {
      refuse(file_,
             fmt::format("attached '{}' has a wrong checksum: the recording cannot be replayed", name));
    }
    attached_bytes_ += data.size();
    if (attached_bytes_ > kMostAttachedBytes) {
      refuse(file_, fmt::format("more than {} MB are attached to it: this is no recording of rodeo",
                                kMostAttachedBytes >> 20));
    }
    outline_.attachments.emplace(name, data);
  }

  void take_channel(std::string_view content) {
    ByteReader reader(content);
    const auto id = reader.take_number<std::uint16_t>();
    reader.take_number<std::uint16_t>();  // schema
    const auto topic = reader.take_text();
    if (!reader.is_good()) return;
    if (topic == kInputTopic) outline_.input_channel = id;
    if (topic == kStateTopic) outline_.state_channel = id;
  }

  void take_metadata(std::string_view content) {
    ByteReader reader(content);
    const std::string_view name = reader.take_text();
    if (name != "rodeo" && name != "rodeo.end") return;
    auto& target = name == "rodeo" ? outline_.about : outline_.end;
    ByteReader pairs(reader.take_text());
    while (pairs.is_good() && !pairs.left().empty()) {
      const std::string key(pairs.take_text());
      target[key] = pairs.take_text();
    }
  }

  /// Behind the end of the data they stand once more, for readers that begin there.
  void take_definition(const McapRecord& record, std::array<std::string, 2>& records) {
    file_.read(record.offset, kMcapRecordHead + record.size, bytes_);
    records[outline_.has_data_end ? 1 : 0] += bytes_;
  }

  /// The channels stand after the attachments: if they are there, all of it is.
  void check() const {
    const bool has_session = outline_.attachments.contains("session.json");
    if (has_session && outline_.input_channel != 0) return;
    if (outline_.is_complete) refuse(file_, "is an MCAP file, but no recording of rodeo (it has no session)");
    refuse(file_, "is cut off before its model was written whole: there is nothing to replay");
  }

  const InputFile& file_;
  std::string bytes_;
  std::uint64_t data_end_ = 0;  // where the data ends
  std::uint64_t attached_bytes_ = 0;
  std::uint32_t data_crc_ = 0;
  RecordingOutline outline_;
};

}  // namespace

RecordingOutline build_outline(const InputFile& file) {
  check_magic(file);
  return Outliner(file).build();
}

bool is_recording(const std::string& path) {
  try {
    std::string magic;
    InputFile(path).read(0, kMcapMagic.size(), magic);
    return magic == kMcapMagic;
  } catch (const IoError&) {
    return false;
  }
}

}  // namespace rodeo::engine
