// SPDX-License-Identifier: MIT
// Recordings: read to their last tick and state, or refused; nothing of them is run. Checksums of chunks and attachments are made right
// once more, so that what lies behind them is reached.
#include "engine/record/recording.h"

#include <cstring>
#include <vector>

#include "engine/io/input.h"
#include "engine/record/crc32.h"
#include "engine/record/state_reader.h"
#include "tests/fuzz/scratch_file.h"

namespace {

using namespace rodeo;
using Bytes = std::vector<std::uint8_t>;

std::uint64_t read_integer(const Bytes& bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | bytes[at + i];
  return value;
}

void write_crc(Bytes& bytes, std::size_t at, std::size_t begin, std::size_t end) {
  const std::uint32_t crc = engine::calc_crc32({reinterpret_cast<const char*>(&bytes[begin]), end - begin});
  for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::uint8_t>(crc >> 8 * i);
}

/// The checksum of the chunk (or attachment) whose content is [begin, end).
void mend_record(Bytes& bytes, std::uint8_t op, std::size_t begin, std::size_t end) {
  constexpr std::uint8_t kChunk = 6, kAttachment = 9;
  if (op == kAttachment && end - begin > 4) write_crc(bytes, end - 4, begin, end - 4);
  if (op != kChunk || end - begin < 40) return;
  const std::uint64_t name = read_integer(bytes, begin + 28, 4);
  if (name > end - begin - 40) return;
  write_crc(bytes, begin + 24, begin + 40 + name, end);
}

void mend(Bytes& bytes) {
  std::size_t at = 8;  // behind the magic bytes
  while (at + 9 < bytes.size()) {
    const std::uint64_t size = read_integer(bytes, at + 1, 8);
    if (size > bytes.size() - at - 9) return;
    mend_record(bytes, bytes[at], at + 9, at + 9 + size);
    at += 9 + size;
  }
}

void read(const std::string& path) {
  const engine::Recording recording = engine::Recording::build_from_file(path);
  engine::TickReader ticks(recording);
  engine::RecordedTick tick;
  while (ticks.next(tick)) {
  }
  engine::StateReader states(recording);
  engine::RecordedState state;
  while (states.next(state)) {
  }
}

void feed(const Bytes& bytes) {
  static fuzz::ScratchFile file;
  file.write(bytes);
  try {
    read(file.path());
  } catch (const engine::KernelError&) {
  } catch (const engine::IoError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, data + size);
  feed(bytes);
  mend(bytes);
  feed(bytes);
  return 0;
}
