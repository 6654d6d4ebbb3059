// SPDX-License-Identifier: MIT
// Recordings that were changed on purpose, with every checksum repaired: what is computed again tells what was computed, and digests
// tell attachments that were changed. Who makes the digests anew too is caught by a signature alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/files/checksums.h"
#include "engine/record/replay.h"
#include "tests/record/forge.h"
#include "tests/record/load_recording.h"
#include "tests/record/recorded_run.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;
using testing::StartsWith;

constexpr std::int64_t kTick = 200;

/// A State up to its time: field 1, a varint of two bytes, and the key of field 2.
std::string build_head(std::int64_t tick) {
  return {'\x08', static_cast<char>(0x80 | (tick & 0x7f)), static_cast<char>(tick >> 7), '\x11'};
}

class Forged : public testing::Test {
 protected:
  explicit Forged(bool has_own = true) : run_(has_own) {
    run_.record(300, {}, [&](const TickInput&) {
      const Session& session = run_.session();
      if (session.tick_number() < kTick || tick_ > 0) return;
      tick_ = session.tick_number();
      position_ = session.stepper().drives()[0].position;
      outputs_.assign(session.stepper().outputs().begin(), session.stepper().outputs().end());
    });
    whole_ = read_file(run_.path());
  }
  Recording read(const std::string& bytes) {
    write_file(run_.path("forged.mcap"), repair(bytes));
    return load_recording(run_.path("forged.mcap"));
  }
  /// What a replay says of the recording in which a number is another one.
  std::string find_difference(double from, double to) {
    EXPECT_NE(whole_.find(bytes_of(from)), std::string::npos);
    return find_difference(replace_all(whole_, bytes_of(from), bytes_of(to)));
  }
  std::string find_difference(const std::string& bytes) {
    const Recording recording = read(bytes);
    EXPECT_THAT(recording.missing(), IsEmpty());
    Replay replay(recording);
    while (replay.next()) {
    }
    if (!replay.first_difference()) return "none";
    return fmt::format("{} {}", *replay.first_difference(), replay.what_differs());
  }
  /// Without the path.
  std::vector<std::string> find_missing(const std::string& bytes) {
    std::vector<std::string> all;
    const Recording recording = read(bytes);
    for (const std::string& each : recording.missing()) all.push_back(each.substr(each.find(": ") + 2));
    return all;
  }
  /// One attachment with another text, and the digest of whoever knows of it.
  std::string with_other(const std::string& name, std::string_view text, std::string_view other) {
    const Recording recording = load_recording(run_.path());
    for (const ModelFile& file : recording.files()) {
      if (file.name != name) continue;
      const std::string forged = replace_all(file.bytes, text, other);
      EXPECT_NE(forged, file.bytes) << text;
      return replace_all(replace_all(whole_, file.bytes, forged), calc_checksum(file.bytes),
                         calc_checksum(forged));
    }
    return "";
  }

  RecordedRun run_;
  std::string whole_;
  std::int64_t tick_ = 0;
  double position_ = 0;
  std::vector<double> outputs_;
};

TEST_F(Forged, NothingIsToldOfWhatIsUnchanged) { EXPECT_EQ(find_difference(whole_), "none"); }

TEST_F(Forged, EveryNumberOfAStateIsCompared) {
  ASSERT_GT(tick_, 0);
  const auto outputs = run_.model().kernel.outputs();
  int found = 0;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const std::string name = outputs[i].name;
    if (outputs_[i] == 0 || name.starts_with("crank")) continue;  // these stand in other places, too
    ++found;
    EXPECT_THAT(find_difference(outputs_[i], 3 * outputs_[i]), EndsWith(" " + name));
    EXPECT_THAT(find_difference(outputs_[i], std::nextafter(outputs_[i], 9)), EndsWith(" " + name))
        << "the last bit";
  }
  EXPECT_GT(found, 3);
  EXPECT_THAT(find_difference(position_, position_ + 0.1), EndsWith(" crank"));
  const double time = static_cast<double>(tick_ * 2'000'000) / 1e9, other = 9.5;
  const std::string head = build_head(tick_);
  EXPECT_EQ(find_difference(
                replace_all(whole_, head + std::string(bytes_of(time)), head + std::string(bytes_of(other)))),
            fmt::format("{} time", tick_));
}

TEST_F(Forged, AStateOfAnotherTickIsTold) {
  const double time = static_cast<double>(tick_ * 2'000'000) / 1e9;
  const std::string rest(bytes_of(time));
  ASSERT_NE(whole_.find(build_head(tick_) + rest), std::string::npos);
  EXPECT_THAT(find_difference(replace_all(whole_, build_head(tick_) + rest, build_head(255) + rest)),
              StartsWith("255 "));
}

TEST_F(Forged, EveryAttachmentIsComparedWithItsDigest) {
  EXPECT_THAT(find_missing(replace_all(whole_, R"("warn_margin": 0.15)", R"("warn_margin": 0.16)")),
              ElementsAre("attached session.json is not what was recorded: the digest is another one"));
  EXPECT_THAT(find_missing(replace_all(whole_, R"("name": "four_bar")", R"("name": "five_bar")")),
              ElementsAre("attached interface.json is not what was recorded: the digest is another one"));
  for (const ModelFile& file : run_.files()) {
    if (file.name != "kernel.c") continue;
    EXPECT_THAT(find_missing(replace_all(whole_, file.bytes, std::string(file.bytes.size(), ' '))),
                ElementsAre("attached kernel.c is not what was recorded: the digest is another one"));
  }
}

TEST_F(Forged, NamesOfChannelsForOtherProgramsAreCompared) {
  const std::string name = "crank_rate";
  const std::size_t first = whole_.find(name), last = whole_.rfind(name);
  ASSERT_NE(first, std::string::npos);
  ASSERT_NE(first, last);
  for (const std::size_t at : {first, last}) {
    std::string other = whole_;
    other[at] = 'C';
    EXPECT_THAT(find_missing(other),
                ElementsAre("the names of its channels are not what was recorded: the digest is "
                            "another one"));
  }
}

/// Whoever makes the digests anew is still found where the parts of a recording contradict each other.
TEST_F(Forged, PartsThatContradictEachOtherAreToldWhateverTheDigest) {
  EXPECT_THAT(
      find_missing(with_other("interface.json", R"("unit": "rad", "lower")", R"("unit": "deg", "lower")")),
      ElementsAre("attached interface.json names 'crank' in 'deg', where its kernel has 'crank' in 'rad'"));
}

/// Limits that follow from parameters are another matter.
class ForgedAsBuilt : public Forged {
 protected:
  ForgedAsBuilt() : Forged(false) {}
};

TEST_F(ForgedAsBuilt, LimitsThatContradictTheInterfaceAreTold) {
  EXPECT_THAT(
      find_missing(with_other("interface.json", R"("upper": 2.5, "speed")", R"("upper": 2.6, "speed")")),
      ElementsAre("attached session.json has other limits of 'crank' than interface.json"));
}

}  // namespace
}  // namespace rodeo::engine
