// SPDX-License-Identifier: MIT
// Recordings with a hole: a replay goes on behind it from the next checkpoint, with the bits of the run; and no byte of a recording
// can change without being told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/io/input.h"
#include "engine/record/replay.h"
#include "tests/record/load_recording.h"
#include "tests/record/recorded_run.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;

/// A record as it stands in the file, found here by hand.
struct Place {
  unsigned char type;
  std::size_t begin;
  std::size_t end;
};
std::vector<Place> find_records(const std::string& bytes) {
  std::vector<Place> places;
  for (std::size_t at = 8; at + 9 <= bytes.size();) {
    std::uint64_t size = 0;
    std::memcpy(&size, bytes.data() + at + 1, sizeof size);
    places.push_back({static_cast<unsigned char>(bytes[at]), at, at + 9 + size});
    if (bytes[at] == 2) break;  // the footer
    at = places.back().end;
  }
  return places;
}

class Hole : public testing::Test {
 protected:
  void record(int ticks, std::uint32_t state_every = 0) {
    run_.record(ticks, {.path = run_.path(), .state_every = state_every},
                [&](const TickInput&) { checksums_.push_back(run_.session().checksum()); });
    whole_ = read_file(run_.path());
    for (const Place& place : find_records(whole_)) {
      if (place.type == 6) chunks_.push_back(place);
    }
  }
  Recording read(const std::string& bytes) const {
    write_file(path_, bytes);
    return testing_support::load_recording(path_);
  }
  /// Runs to the end; every checksum on the way is one of the run's, in order.
  void expect_goes_on(const Recording& recording, std::int64_t most_passed) {
    Replay replay(recording);
    std::size_t at = 0;
    while (replay.next()) {
      while (at < checksums_.size() && checksums_[at] != replay.session().checksum()) ++at;
      ASSERT_LT(at, checksums_.size()) << "a state that the run never had";
    }
    EXPECT_EQ(replay.first_difference(), std::nullopt);
    EXPECT_EQ(replay.session().checksum(), checksums_.back()) << "to the last tick";
    EXPECT_EQ(replay.tick_count() + replay.passed_count(), recording.tick_count());
    EXPECT_GT(replay.tick_count(), recording.replayable_count()) << "behind the hole too";
    EXPECT_LE(replay.passed_count(), most_passed);
  }
  [[nodiscard]] bool is_told(const std::string& bytes) const {
    try {
      return !read(bytes).missing().empty();
    } catch (const IoError&) {
    } catch (const KernelError&) {
    }
    return true;
  }

  RecordedRun run_;
  std::string path_ = run_.path("damaged.mcap");
  std::string whole_;
  std::vector<Place> chunks_;
  std::vector<std::uint64_t> checksums_;
};

TEST_F(Hole, OfAFlippedBitIsPassedFromTheNextCheckpointOn) {
  record(4000);
  ASSERT_GE(chunks_.size(), 4U);
  std::string bytes = whole_;
  bytes[(chunks_[1].begin + chunks_[1].end) / 2] ^= 1;
  const Recording recording = read(bytes);
  EXPECT_EQ(recording.missing().size(), 1U);
  // 64 ticks to a checkpoint; another stretch of at most one tick for each snapshot that comes back from before the hole
  expect_goes_on(recording, 64 + 16);
}

TEST_F(Hole, TwoOfThemArePassedToo) {
  record(6000);
  ASSERT_GE(chunks_.size(), 6U);
  std::string bytes = whole_;
  bytes[chunks_[1].begin + 200] ^= 1;
  bytes[chunks_[3].end - 3] ^= 8;
  const Recording recording = read(bytes);
  EXPECT_EQ(recording.missing().size(), 2U);
  expect_goes_on(recording, 2 * (64 + 16));
}

/// A broken length or type of a chunk derails the walk through the file: the next chunk is found without it.
TEST_F(Hole, OfABrokenHeadOfAChunkIsPassedAtEveryBit) {
  record(4000);
  for (std::size_t bit = 0; bit < 9 * 8; ++bit) {
    std::string bytes = whole_;
    bytes[chunks_[1].begin + bit / 8] ^= static_cast<char>(1U << bit % 8);
    const Recording recording = read(bytes);
    ASSERT_FALSE(recording.missing().empty()) << bit;
    expect_goes_on(recording, 64 + 16);
  }
}

TEST_F(Hole, IsToldWhereTheFileWasNotClosedEither) {
  record(4000);
  std::string bytes = whole_.substr(0, chunks_.back().begin);
  bytes[chunks_[1].begin + 4] ^= 1;  // the length
  const Recording recording = read(bytes);
  EXPECT_EQ(recording.missing().size(), 2U);
  EXPECT_GT(recording.tick_count(), recording.replayable_count());
}

TEST_F(Hole, OfAnotherSessionEndsTheReplay) {
  record(4000);
  std::string bytes = whole_;
  bytes[(chunks_[1].begin + chunks_[1].end) / 2] ^= 1;
  const Recording recording = read(bytes);
  Replay replay(recording, recording.build_session());
  while (replay.next()) {
  }
  EXPECT_EQ(replay.tick_count(), recording.replayable_count());
}

TEST_F(Hole, OfTicksThatADiskLostIsPassedAtOnce) {
  {
    Recorder recorder({.path = run_.path(), .room = 0}, run_.model(), run_.files(), run_.session());
    InputScript script(1);
    const auto tick = [&](bool waits) {
      const TickInput input = script.next();
      run_.session().tick(input);
      if (waits) return recorder.record(input, run_.session());
      return recorder.try_record(input, run_.session());
    };
    while (tick(false)) {
    }
    for (int i = 0; i < 500; ++i) ASSERT_TRUE(tick(true));
  }
  const Recording recording = testing_support::load_recording(run_.path());
  Replay replay(recording);
  while (replay.next()) {
  }
  EXPECT_EQ(recording.missing().size(), 1U);
  EXPECT_EQ(replay.first_difference(), std::nullopt);
  EXPECT_EQ(replay.session().checksum(), run_.session().checksum());
  EXPECT_LE(replay.passed_count(), 1 + 16);
}

/// Every byte of a closed recording is under the checksum of its data or of its summary: none is irrelevant.
TEST_F(Hole, NoFlippedBitAnywhereIsSilent) {
  record(150, 1);
  std::vector<std::size_t> places;
  for (const Place& place : find_records(whole_)) {  // heads and ends of all records, byte by byte
    for (std::size_t at = place.begin; at < std::min(place.end, place.begin + 50); ++at) places.push_back(at);
    for (std::size_t at = place.end - std::min<std::size_t>(8, place.end - place.begin); at < place.end; ++at)
      places.push_back(at);
  }
  for (std::size_t at = 0; at < 8; ++at) places.insert(places.end(), {at, whole_.size() - 1 - at});
  for (std::size_t at = 8; at < whole_.size(); at += 211) places.push_back(at);  // and what is in them
  std::mt19937 random(5);
  for (const std::size_t at : places) {
    std::string bytes = whole_;
    bytes[at] ^= static_cast<char>(1U << random() % 8);
    ASSERT_TRUE(is_told(bytes)) << "byte " << at << " of " << whole_.size();
  }
  EXPECT_FALSE(is_told(whole_)) << "the loop could have failed";
  std::printf("  %zu flips in %zu bytes\n", places.size(), whole_.size());
}

TEST_F(Hole, NoZeroedOrLostOrAddedByteIsSilent) {
  record(150, 1);
  for (std::size_t at = 0; at < whole_.size(); at += 499) {
    const std::size_t count = std::min<std::size_t>(16, whole_.size() - at);
    std::string zeroed = whole_, shorter = whole_;
    zeroed.replace(at, count, count, '\0');
    ASSERT_TRUE(zeroed == whole_ || is_told(zeroed)) << at;
    ASSERT_TRUE(is_told(shorter.erase(at, 1))) << at;
  }
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(is_told(whole_.substr(0, whole_.size() * i / 20))) << i;
  EXPECT_TRUE(is_told(whole_ + "x"));
  EXPECT_TRUE(is_told(whole_ + whole_));
}

}  // namespace
}  // namespace rodeo::engine
