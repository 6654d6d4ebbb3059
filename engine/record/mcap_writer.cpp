// SPDX-License-Identifier: MIT
// A record is its type, the length of its content in 64 bits, the content. A map is its length in bytes, then the pairs.
#include "engine/record/mcap_writer.h"

#include <algorithm>

#include "engine/record/bytes.h"
#include "engine/record/crc32.h"

namespace rodeo::engine {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 16;

void put_pairs(std::string& out, const McapWriter::Pairs& pairs) {
  std::string map;
  for (const auto& [key, value] : pairs) {
    put_text(map, key);
    put_text(map, value);
  }
  put_text(out, map);
}

void put_record(std::string& out, McapOp op, std::string_view content) {
  out += static_cast<char>(op);
  put_number(out, std::uint64_t{content.size()});
  out.append(content);
}

}  // namespace

McapWriter::McapWriter(std::string_view library, SpillFile* spill) : spill_(spill) {
  pending_ = kMcapMagic;
  begin_record(McapOp::header);
  put_text(pending_, "");  // profile: none
  put_text(pending_, library);
  end_record();
}

void McapWriter::begin_record(McapOp op) {
  record_begin_ = pending_.size();
  pending_ += static_cast<char>(op);
  put_number(pending_, std::uint64_t{0});
}

void McapWriter::end_record() {
  replace_number(pending_, record_begin_ + 1,
                 std::uint64_t{pending_.size() - record_begin_ - kMcapRecordHead});
}

void McapWriter::clear_pending() noexcept {
  data_crc_ = calc_crc32(pending_, data_crc_);
  written_ += pending_.size();
  pending_.clear();
}

void McapWriter::add_attachment(std::string_view name, std::string_view media_type, std::string_view bytes,
                                std::uint64_t created) {
  const std::uint64_t start = position();
  begin_record(McapOp::attachment);
  put_number(pending_, std::uint64_t{0});  // logged at simulated time 0
  put_number(pending_, created);
  put_text(pending_, name);
  put_text(pending_, media_type);
  put_number(pending_, std::uint64_t{bytes.size()});
  pending_.append(bytes);
  put_number(pending_, calc_crc32(std::string_view(pending_).substr(record_begin_ + kMcapRecordHead)));
  end_record();
  std::string index;
  for (const std::uint64_t number : {start, position() - start, std::uint64_t{0}, created, bytes.size()}) {
    put_number(index, number);
  }
  put_text(index, name);
  put_text(index, media_type);
  put_record(attachment_indexes_, McapOp::attachment_index, index);
  ++attachment_count_;
}

void McapWriter::add_metadata(std::string_view name, const Pairs& pairs) {
  const std::uint64_t start = position();
  begin_record(McapOp::metadata);
  put_text(pending_, name);
  put_pairs(pending_, pairs);
  end_record();
  std::string index;
  put_number(index, start);
  put_number(index, position() - start);
  put_text(index, name);
  put_record(metadata_indexes_, McapOp::metadata_index, index);
  ++metadata_count_;
}

std::uint16_t McapWriter::add_channel(std::string_view topic, std::string_view type, std::string_view schema,
                                      const Pairs& notes) {
  message_counts_.push_back(0);
  indexes_.emplace_back();
  const auto id = static_cast<std::uint16_t>(message_counts_.size());  // schemas count from 1
  std::string content;
  put_number(content, id);
  put_text(content, type);
  put_text(content, "protobuf");
  put_text(content, schema);
  put_record(pending_, McapOp::schema, content);
  put_record(schemas_, McapOp::schema, content);
  content.clear();
  put_number(content, id);
  put_number(content, id);
  put_text(content, topic);
  put_text(content, "protobuf");
  put_pairs(content, notes);
  put_record(pending_, McapOp::channel, content);
  put_record(channels_, McapOp::channel, content);
  return id;
}

void McapWriter::add_message(std::uint16_t channel, std::uint32_t sequence, std::uint64_t time,
                             std::string_view data) {
  if (chunk_.empty()) chunk_first_ = chunk_last_ = time;
  chunk_first_ = std::min(chunk_first_, time);
  chunk_last_ = std::max(chunk_last_, time);
  indexes_[channel - 1U].push_back({time, chunk_.size()});
  constexpr std::size_t kMessageHead = 2 + 4 + 8 + 8;
  chunk_ += static_cast<char>(McapOp::message);
  put_number(chunk_, std::uint64_t{kMessageHead + data.size()});
  put_number(chunk_, channel);
  put_number(chunk_, sequence);
  put_number(chunk_, time);
  put_number(chunk_, time);
  chunk_.append(data);
}

void McapWriter::put_chunk() {
  begin_record(McapOp::chunk);
  put_number(pending_, chunk_first_);
  put_number(pending_, chunk_last_);
  put_number(pending_, std::uint64_t{chunk_.size()});
  put_number(pending_, calc_crc32(chunk_));
  put_text(pending_, "");  // no compression
  put_number(pending_, std::uint64_t{chunk_.size()});
  pending_.append(chunk_);
  end_record();
}

void McapWriter::close_chunk() {
  if (chunk_.empty()) return;
  first_ = chunk_count_ == 0 ? chunk_first_ : std::min(first_, chunk_first_);
  last_ = std::max(last_, chunk_last_);
  const std::uint64_t start = position();
  put_chunk();
  add_chunk_index(start, position());
  put_message_indexes();
  ++chunk_count_;
  chunk_.clear();
  for (auto& index : indexes_) index.clear();
}

/// The indexes of a chunk's messages stand right after it, one record a channel that has any.
void McapWriter::put_message_indexes() {
  for (std::size_t c = 0; c < indexes_.size(); ++c) {
    if (indexes_[c].empty()) continue;
    message_counts_[c] += indexes_[c].size();
    begin_record(McapOp::message_index);
    put_number(pending_, static_cast<std::uint16_t>(c + 1));
    put_number(pending_, static_cast<std::uint32_t>(indexes_[c].size() * sizeof(Index)));
    for (const Index& index : indexes_[c]) {
      put_number(pending_, index.time);
      put_number(pending_, index.offset);
    }
    end_record();
  }
}

void McapWriter::add_chunk_index(std::uint64_t chunk_start, std::uint64_t chunk_end) {
  std::string map;
  std::uint64_t at = chunk_end;
  for (std::size_t c = 0; c < indexes_.size(); ++c) {
    if (indexes_[c].empty()) continue;
    put_number(map, static_cast<std::uint16_t>(c + 1));
    put_number(map, at);
    at +=
        kMcapRecordHead + sizeof(std::uint16_t) + sizeof(std::uint32_t) + indexes_[c].size() * sizeof(Index);
  }
  std::string content;
  for (const std::uint64_t number : {chunk_first_, chunk_last_, chunk_start, chunk_end - chunk_start}) {
    put_number(content, number);
  }
  put_text(content, map);
  put_number(content, at - chunk_end);
  put_text(content, "");
  put_number(content, std::uint64_t{chunk_.size()});
  put_number(content, std::uint64_t{chunk_.size()});
  put_record(chunk_indexes_, McapOp::chunk_index, content);
  if (chunk_indexes_.size() >= kPieceBytes) spill();
}

void McapWriter::spill() {
  if (spill_ != nullptr && spill_->add(chunk_indexes_)) chunk_indexes_.clear();
}

std::string McapWriter::build_statistics() const {
  std::uint64_t messages = 0;
  std::string counts;
  for (std::size_t c = 0; c < message_counts_.size(); ++c) {
    messages += message_counts_[c];
    put_number(counts, static_cast<std::uint16_t>(c + 1));
    put_number(counts, message_counts_[c]);
  }
  std::string content;
  put_number(content, messages);
  put_number(content, static_cast<std::uint16_t>(message_counts_.size()));
  put_number(content, static_cast<std::uint32_t>(message_counts_.size()));
  put_number(content, attachment_count_);
  put_number(content, metadata_count_);
  put_number(content, chunk_count_);
  put_number(content, first_);
  put_number(content, last_);
  put_text(content, counts);
  std::string record;
  put_record(record, McapOp::statistics, content);
  return record;
}

void McapWriter::put_offset(McapOp op, std::uint64_t bytes, std::string& offsets) const {
  std::string content(1, static_cast<char>(op));
  put_number(content, position());
  put_number(content, bytes);
  put_record(offsets, McapOp::summary_offset, content);
}

/// Records of one type in the summary, and where they stand for the section after it.
void McapWriter::put_group(McapOp op, const std::string& records, std::string& offsets) {
  if (records.empty()) return;
  put_offset(op, records.size(), offsets);
  pending_.append(records);
}

bool McapWriter::finish(const std::function<void()>& write) {
  close_chunk();
  begin_record(McapOp::data_end);
  put_number(pending_, calc_crc32(std::string_view(pending_).substr(0, record_begin_), data_crc_));
  end_record();
  const std::uint64_t start = position();
  std::size_t begin = pending_.size();  // of what the CRC has not seen
  std::uint32_t crc = 0;
  const auto hand_over = [&] {
    crc = calc_crc32(std::string_view(pending_).substr(begin), crc);
    if (write) write();
    begin = pending_.size();
  };
  std::string offsets;
  put_group(McapOp::schema, schemas_, offsets);
  put_group(McapOp::channel, channels_, offsets);
  put_group(McapOp::statistics, build_statistics(), offsets);
  const std::uint64_t spilled = spill_ == nullptr ? 0 : spill_->size();
  if (spilled + chunk_indexes_.size() > 0)
    put_offset(McapOp::chunk_index, spilled + chunk_indexes_.size(), offsets);
  for (std::uint64_t from = 0; from < spilled; from += kPieceBytes) {
    if (!spill_->read(from, std::min<std::uint64_t>(kPieceBytes, spilled - from), pending_)) return false;
    hand_over();
  }
  pending_.append(chunk_indexes_);
  put_group(McapOp::attachment_index, attachment_indexes_, offsets);
  put_group(McapOp::metadata_index, metadata_indexes_, offsets);
  const std::uint64_t offsets_start = position();
  pending_.append(offsets);
  begin_record(McapOp::footer);
  put_number(pending_, start);
  put_number(pending_, offsets_start);
  replace_number(pending_, record_begin_ + 1, std::uint64_t{8 + 8 + 4});  // the CRC is over the length too
  put_number(pending_, calc_crc32(std::string_view(pending_).substr(begin), crc));
  pending_.append(kMcapMagic);
  return true;
}

}  // namespace rodeo::engine
