// SPDX-License-Identifier: MIT
// Attachments, channels and metadata of a recording, and where its chunks are.
#include <fmt/format.h>

#include "engine/io/input.h"
#include "engine/record/bytes.h"
#include "engine/record/crc32.h"
#include "engine/record/recording_scan.h"
#include "engine/record/tick_messages.h"

namespace rodeo::engine {
namespace {

/// More than a kernel has; less than what a broken length could ask for.
constexpr std::uint64_t kMostRecordBytes = std::uint64_t{1} << 30;

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

class Outliner {
 public:
  explicit Outliner(const InputFile& file) : file_(file) {}

  RecordingOutline build() {
    RecordWalk walk(file_);
    McapRecord record;
    while (walk.next(record) && record.size <= kMostRecordBytes) {
      take(record);
      outline_.readable = record.content() + record.size;
    }
    outline_.is_complete = walk.is_complete();
    check();
    return std::move(outline_);
  }

 private:
  void take(const McapRecord& record) {
    switch (record.op) {
      case McapOp::chunk: outline_.chunks.push_back(record); break;
      case McapOp::data_end: outline_.has_data_end = true; break;
      case McapOp::attachment: take_attachment(read(record)); break;
      case McapOp::channel: take_channel(read(record)); break;
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
    if (!reader.is_good() || (crc != 0 && crc != actual)) {
      refuse(file_,
             fmt::format("attached '{}' has a wrong checksum: the recording cannot be replayed", name));
    }
    outline_.attachments.emplace(name, data);
  }

  void take_channel(std::string_view content) {
    ByteReader reader(content);
    const auto id = reader.take_number<std::uint16_t>();
    reader.take_number<std::uint16_t>();  // schema
    if (reader.take_text() == kInputTopic && reader.is_good()) outline_.input_channel = id;
  }

  void take_metadata(std::string_view content) {
    ByteReader reader(content);
    if (reader.take_text() != "rodeo.end") return;
    ByteReader pairs(reader.take_text());
    while (pairs.is_good() && !pairs.left().empty()) {
      const std::string key(pairs.take_text());
      outline_.end[key] = pairs.take_text();
    }
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
