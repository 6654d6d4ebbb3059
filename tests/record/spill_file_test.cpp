// SPDX-License-Identifier: MIT
// What the recorder remembers does not grow with the recording, and what it writes is the same, to the last byte.
#include <gtest/gtest.h>
#include <malloc.h>

#include "engine/record/mcap_writer.h"
#include "tests/kernel/build_kernel.h"

namespace rodeo::engine {
namespace {

struct Written {
  std::string bytes;
  std::size_t grown = 0;    // bytes of memory that the chunks cost
  std::size_t at_once = 0;  // the most that finish() hands over
};

/// A file of so many chunks, a message each.
Written write_chunks(SpillFile* spill, int chunks, bool keeps = true) {
  McapWriter mcap("test", spill);
  const std::uint16_t channel = mcap.add_channel("/x", "X", "schema", {});
  Written written;
  const auto write = [&] {
    written.at_once = std::max(written.at_once, mcap.pending().size());
    if (keeps) written.bytes += mcap.pending();
    mcap.clear_pending();
  };
  const std::size_t before = mallinfo2().uordblks;
  for (int i = 0; i < chunks; ++i) {
    mcap.add_message(channel, static_cast<std::uint32_t>(i), static_cast<std::uint64_t>(i), "data");
    mcap.close_chunk();
    write();
  }
  const std::size_t after = mallinfo2().uordblks;
  written.grown = after > before && !keeps ? after - before : 0;
  written.at_once = 0;
  EXPECT_TRUE(mcap.finish(write));
  write();
  return written;
}

TEST(SpillFile, GivesBackWhatWasAdded) {
  const testing_support::TemporaryFolder folder;
  SpillFile spill((folder / "run.mcap").string());
  if (!spill.add("first")) GTEST_SKIP() << "no nameless files here";
  EXPECT_TRUE(spill.add("second"));
  std::string text = ">";
  EXPECT_TRUE(spill.read(3, 5, text));
  EXPECT_EQ(text, ">stsec");
  EXPECT_FALSE(spill.read(3, 50, text)) << "beyond its end";
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "it has no name";
}

TEST(SpillFile, ChangesNoByteOfARecording) {
  const testing_support::TemporaryFolder folder;
  SpillFile spill((folder / "run.mcap").string());
  constexpr int kChunks = 5000;
  const Written plain = write_chunks(nullptr, kChunks);
  EXPECT_EQ(write_chunks(&spill, kChunks).bytes, plain.bytes);
  SpillFile nowhere((folder / "no/run.mcap").string());
  EXPECT_EQ(write_chunks(&nowhere, kChunks).bytes, plain.bytes) << "memory serves where no file does";
}

/// 200,000 chunks are five hours at 1 kHz.
TEST(SpillFile, KeepsMemoryAsItIs) {
  const testing_support::TemporaryFolder folder;
  SpillFile spill((folder / "run.mcap").string());
  if (!spill.add("")) GTEST_SKIP() << "no nameless files here";
  const Written spilled = write_chunks(&spill, 200'000, false);
  const Written plain = write_chunks(nullptr, 200'000, false);
  EXPECT_LT(spilled.grown, 1U << 20);
  EXPECT_LT(spilled.at_once, 1U << 18);
  EXPECT_GT(plain.grown + plain.at_once, 10U << 20) << "else this measures nothing";
}

}  // namespace
}  // namespace rodeo::engine
