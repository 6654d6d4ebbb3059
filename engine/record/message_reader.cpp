// SPDX-License-Identifier: MIT
#include "engine/record/message_reader.h"

#include <fmt/format.h>

#include "engine/io/input.h"

namespace rodeo::engine {

bool MessageReader::next(McapMessage& message) {
  while (!walk_.next(message)) {
    if (chunk_ == contents_->chunks.size()) return false;
    std::string_view records;
    const McapRecord& record = contents_->chunks[chunk_++];
    const std::string fault = read_chunk(contents_->file, record, bytes_, records);
    if (!fault.empty()) {
      throw IoError(fmt::format("{}: has changed while it was read (the chunk at byte {} {})",
                                contents_->file.path(), record.offset, fault));
    }
    walk_ = MessageWalk(records);
  }
  return true;
}

}  // namespace rodeo::engine
