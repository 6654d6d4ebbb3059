// SPDX-License-Identifier: MIT
// Recordings that are cut off, damaged, foreign or old: what is whole is read, what is missing is said, the rest is refused
// with a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/io/input.h"
#include "engine/record/crc32.h"
#include "engine/record/mcap_reader.h"
#include "engine/record/replay.h"
#include "tests/record/load_recording.h"
#include "tests/record/recorded_run.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

/// Where the chunks of a file are, found here by hand.
struct Place {
  std::size_t begin;
  std::size_t end;
};
std::vector<Place> find_records(const std::string& bytes, unsigned char type) {
  std::vector<Place> places;
  for (std::size_t at = 8; at + 9 <= bytes.size();) {
    std::uint64_t size = 0;
    std::memcpy(&size, bytes.data() + at + 1, sizeof size);
    if (static_cast<unsigned char>(bytes[at]) == type) places.push_back({at, at + 9 + size});
    if (static_cast<unsigned char>(bytes[at]) == 2) break;  // the footer
    at += 9 + size;
  }
  return places;
}

class Damage : public testing::Test {
 protected:
  /// Two chunks of 64 KB and a small one, if the disk is quick: time may close one early.
  Damage() {
    run_.record(1436, {.path = run_.path(), .state_every = 0},
                [&](const TickInput&) { ticks_.push_back(run_.session().tick_number()); });
    whole_ = read_file(run_.path());
    chunks_ = find_records(whole_, 6);
  }

  Recording read(const std::string& bytes) const {
    write_file(path_, bytes);
    return testing_support::load_recording(path_);
  }
  std::string why_not(const std::string& bytes) const {
    try {
      static_cast<void>(read(bytes));
    } catch (const IoError& error) {
      return without_path(error.what());
    } catch (const KernelError& error) {
      return without_path(error.what());
    }
    return "";
  }
  std::string without_path(std::string text) const {
    EXPECT_TRUE(text.starts_with(path_ + ": ")) << text;
    return text.substr(path_.size() + 2);
  }
  std::vector<std::string> missing(const Recording& recording) const {
    std::vector<std::string> all;
    for (const std::string& each : recording.missing()) all.push_back(without_path(each));
    return all;
  }
  static void expect_verified(const Recording& recording) {
    Replay replay(recording);
    while (replay.next()) {
    }
    EXPECT_EQ(replay.first_difference(), std::nullopt);
    EXPECT_GE(replay.tick_count(), recording.replayable_count());
    EXPECT_EQ(replay.tick_count() + replay.passed_count(), recording.tick_count());
  }

  RecordedRun run_;
  std::string path_ = run_.path("damaged.mcap");
  std::string whole_;
  std::vector<Place> chunks_;
  std::vector<std::int64_t> ticks_;
};

TEST_F(Damage, OfAWholeFileIsNone) {
  EXPECT_GE(chunks_.size(), 3U);
  const Recording recording = read(whole_);
  EXPECT_THAT(recording.missing(), ElementsAre());
  EXPECT_EQ(recording.last_tick(), ticks_.back());
}

TEST_F(Damage, CutOffAtEveryByteOfTheLastChunkLeavesTheChunksBeforeIt) {
  const std::int64_t before = read(whole_.substr(0, chunks_.back().begin)).last_tick();
  EXPECT_GT(before, ticks_.front());
  EXPECT_LT(before, ticks_.back());
  std::printf("  last chunk: %zu bytes\n", chunks_.back().end - chunks_.back().begin);
  for (std::size_t size = chunks_.back().begin; size <= chunks_.back().end; ++size) {
    const Recording recording = read(whole_.substr(0, size));
    const std::size_t left = size - chunks_.back().begin;
    if (size == chunks_.back().end) {
      ASSERT_THAT(
          missing(recording),
          ElementsAre(fmt::format("was not closed: what came after tick {} is missing", ticks_.back())));
    } else if (left == 0) {
      ASSERT_THAT(missing(recording),
                  ElementsAre(fmt::format("was not closed: what came after tick {} is missing", before)));
    } else {
      ASSERT_EQ(recording.last_tick(), before);
      ASSERT_THAT(
          missing(recording),
          ElementsAre(fmt::format("is cut off: the {} byte{} from {} on are no whole chunk, what came after "
                                  "tick {} is missing",
                                  left, left == 1 ? "" : "s", chunks_.back().begin, before)));
    }
    if (left % 997 == 0) expect_verified(recording);
  }
}

TEST_F(Damage, CutOffAnywhereElseIsReadOrRefusedWithASentence) {
  for (std::size_t size = 0; size < whole_.size(); size += 997) {
    try {
      const Recording recording = read(whole_.substr(0, size));
      EXPECT_EQ(recording.missing().size(), 1U) << size;
      EXPECT_LE(recording.last_tick(), ticks_.back());
    } catch (const IoError& error) {
      EXPECT_LT(size, chunks_.front().begin) << error.what();
    }
  }
}

TEST_F(Damage, CutOffInTheSummaryLosesNoTick) {
  for (const std::size_t size : {whole_.size() - 1, whole_.size() - 9, whole_.size() - 100}) {
    const Recording recording = read(whole_.substr(0, size));
    EXPECT_THAT(missing(recording), ElementsAre("is cut off in its summary: no tick is missing"));
    EXPECT_EQ(recording.last_tick(), ticks_.back());
    expect_verified(recording);
  }
}

TEST_F(Damage, InTheMiddleOfAChunkLeavesThatChunkOutAndNamesIt) {
  std::string bytes = whole_;
  bytes[(chunks_[1].begin + chunks_[1].end) / 2] ^= 1;
  const Recording recording = read(bytes);
  ASSERT_EQ(recording.missing().size(), 1U);
  EXPECT_THAT(
      missing(recording).front(),
      testing::MatchesRegex(fmt::format("chunk 2 at byte {} has a wrong checksum: what was between the ticks "
                                        "[0-9]+ and [0-9]+ is missing",
                                        chunks_[1].begin)));
  EXPECT_LT(recording.last_tick(), ticks_.back()) << "of those before it";
  EXPECT_GT(recording.tick_count(), recording.replayable_count()) << "what comes after it is counted";
  expect_verified(recording);
}

TEST_F(Damage, OfTheLastChunkSaysWhatComesAfter) {
  std::string bytes = whole_;
  bytes[chunks_.back().end - 1] ^= 0x40;
  const Recording recording = read(bytes);
  EXPECT_THAT(
      missing(recording),
      ElementsAre(fmt::format("chunk {} at byte {} has a wrong checksum: what came after tick {} is missing",
                              chunks_.size(), chunks_.back().begin, recording.last_tick())));
}

/// A flipped bit anywhere is survived and told: read with a gap or a note, or refused; never another hash.
TEST_F(Damage, OfAnySingleByteNeverGivesAWrongReplay) {
  for (std::size_t at = 0; at < whole_.size(); at += 1009) {
    std::string bytes = whole_;
    bytes[at] ^= 0x11;
    try {
      const Recording recording = read(bytes);
      EXPECT_THAT(recording.missing(), testing::Not(testing::IsEmpty())) << at;
      expect_verified(recording);
    } catch (const IoError&) {
    } catch (const KernelError&) {
    }
  }
}

TEST_F(Damage, OfTheModelIsRefused) {
  std::string bytes = whole_;
  bytes[find_records(whole_, 9)[3].end - 100] ^= 1;
  EXPECT_EQ(why_not(bytes), "attached 'kernel.so' has a wrong checksum: the recording cannot be replayed");
  EXPECT_EQ(why_not(whole_.substr(0, find_records(whole_, 9)[3].end - 100)),
            "is cut off before its model was written whole: there is nothing to replay");
}

TEST_F(Damage, ZerosThatAFileSystemLeftAreNoChunks) {
  const Recording recording = read(whole_.substr(0, chunks_[1].begin) + std::string(5000, '\0'));
  EXPECT_THAT(missing(recording).front(), HasSubstr("is cut off: the 5000 bytes from "));
  expect_verified(recording);
}

TEST_F(Damage, EmptyForeignAndShortFilesAreRefused) {
  EXPECT_EQ(why_not(""), "is empty");
  EXPECT_EQ(why_not("t,crank\n0,1\n"), "is no recording (it does not begin as an MCAP file does)");
  EXPECT_EQ(why_not(whole_.substr(0, 5)), "is cut off at its begin: there is nothing to replay");
  EXPECT_EQ(why_not(whole_.substr(0, 8)),
            "is cut off before its model was written whole: there is nothing to replay");
  McapWriter other("another program");
  static_cast<void>(other.add_channel("/input", "other.Type", "", {}));
  other.add_message(1, 0, 0, "hello");
  EXPECT_TRUE(other.finish());
  EXPECT_EQ(why_not(std::string(other.pending())),
            "is an MCAP file, but no recording of rodeo (it has no session)");
}

TEST_F(Damage, MissingFilesAndFoldersAreNamed) {
  const auto why = [](const std::string& path) {
    try {
      static_cast<void>(testing_support::load_recording(path));
    } catch (const IoError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(why("no.mcap"), "cannot read 'no.mcap': No such file or directory");
  EXPECT_EQ(why("/"), "cannot read '/': Is a directory");
  EXPECT_EQ(why("/dev/null"), "cannot read '/dev/null': it is no file that can be read from any place");
}

/// A recording whose kernel.so and session.json are others.
class OtherModel : public Damage {
 protected:
  std::string build(const std::string& kernel, const std::string& session) const {
    McapWriter mcap("test");
    for (const Place& place : find_records(whole_, 9)) {
      std::string_view content =
          std::string_view(whole_).substr(place.begin + 9, place.end - place.begin - 9);
      std::uint32_t size = 0;
      std::memcpy(&size, content.data() + 16, sizeof size);
      const std::string name(content.substr(20, size));
      content.remove_prefix(20 + size);
      std::memcpy(&size, content.data(), sizeof size);
      content.remove_prefix(4 + size + 8);
      std::string data(content.substr(0, content.size() - 4));
      if (name == "kernel.so" && !kernel.empty()) data = kernel;
      if (name == "session.json" && !session.empty()) data = session;
      mcap.add_attachment(name, "", data, 0);
    }
    static_cast<void>(mcap.add_channel("/input", "rodeo.Input", "", {}));
    EXPECT_TRUE(mcap.finish());
    return std::string(mcap.pending());
  }
  std::string session() const {
    const std::size_t at = whole_.find("{\n \"closure\"");
    return whole_.substr(at, whole_.find("\n}\n", at) + 3 - at);
  }
  std::string compiled(const std::string& flags) const {
    compile_four_bar(run_.folder() / "other.so", flags);
    return read_file(run_.folder() / "other.so");
  }
};

TEST_F(OtherModel, IsReadIfNothingIsChanged) { EXPECT_EQ(why_not(build("", session())), ""); }

TEST_F(OtherModel, OfAnotherKernelAbiIsRefused) {
  EXPECT_EQ(why_not(build(compiled("-DRODEO_TEST_ABI=99"), "")),
            "attached kernel.so: built for kernel ABI 99, this rodeo has 2: build it again");
}

TEST_F(OtherModel, OfAnotherFingerprintIsRefused) {
  EXPECT_THAT(why_not(build(compiled("-DRODEO_TEST_FINGERPRINT='\"abcdef\"'"), "")),
              HasSubstr("interface.json is of model 4ba40000, kernel.so of model abcdef"));
}

TEST_F(OtherModel, CutOffKernelsAreRefused) {
  const std::string kernel = compiled("");
  EXPECT_THAT(why_not(build(kernel.substr(0, kernel.size() / 2), "")), HasSubstr("attached kernel.so: "));
}

TEST_F(OtherModel, OfAnotherFormatIsRefused) {
  std::string text = session();
  text.replace(text.find("\"format\": 1"), 11, "\"format\": 2");
  EXPECT_EQ(why_not(build("", text)), "is a recording of format 2, this rodeo reads 1");
  EXPECT_EQ(why_not(build("", "[]")), "attached session.json is no description of a session");
}

TEST_F(OtherModel, BrokenSessionsAreRefused) {
  std::string text = session();
  text.replace(text.find("\"rk4\""), 5, "\"abc\"");
  EXPECT_THAT(why_not(build("", text)), HasSubstr("attached session.json is broken ("));
  text = session();
  text.replace(text.find("period_ns"), 9, "per_iod_n");
  EXPECT_THAT(why_not(build("", text)), HasSubstr("attached session.json is broken ("));
}

/// The start of the session is compared bit by bit: a kernel that computes another one is not the recorded machine.
TEST_F(OtherModel, ThatStartsElsewhereIsRefused) {
  std::string text = session();
  text.replace(text.find("\"start_checksum\": \"") + 19, 4, "0000");
  const Recording recording = read(build("", text));
  try {
    static_cast<void>(recording.build_session());
    FAIL();
  } catch (const KernelError& error) {
    EXPECT_EQ(without_path(error.what()), "the machine starts here in another state than it was recorded in");
  }
}

}  // namespace
}  // namespace rodeo::engine
