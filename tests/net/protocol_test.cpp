// SPDX-License-Identifier: MIT
// PROTOCOL.md says the truth: its dumps are our bytes (they were written by Python's struct and hashlib), its reasons and tables
// are ours, and its sender drives a real receiver.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <regex>
#include <sstream>

#include "engine/net/receiver.h"
#include "engine/net/state_packet.h"
#include "tests/kernel/build_kernel.h"
#include "tests/net/support.h"

namespace rodeo::engine {
namespace {

using testing::HasSubstr;
using testing_support::comes_true;
using testing_support::Datagram;
using testing_support::LoopSample;
using testing_support::on_loopback;
using testing_support::read_file;
using testing_support::TemporaryFolder;
using testing_support::two_drives;
using testing_support::write_file;

const std::string& protocol() {
  static const std::string text = read_file(RODEO_SOURCE_DIR "/engine/net/PROTOCOL.md");
  return text;
}

/// What stands between ```language and ``` after `mark`.
std::string find_block(const std::string& mark, const std::string& language = "") {
  const std::string opening = "```" + language + "\n";
  const std::size_t begin = protocol().find(opening, protocol().find(mark)) + opening.size();
  return protocol().substr(begin, protocol().find("```", begin) - begin);
}

std::string build_dump(const Datagram& bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 16) {
    const auto row = Bytes(bytes).subspan(i, std::min<std::size_t>(16, bytes.size() - i));
    text += fmt::format("{:04x}  {:02x}\n", i, fmt::join(row, " "));
  }
  return text;
}

template <typename Array>
Array counting() {
  Array bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
  return bytes;
}

TEST(Protocol, CommandDumpIsWhatWeSend) {
  const CommandLayout layout = two_drives().build_layout();
  const Authenticator authenticator(counting<Key>(), counting<Nonce>());
  CommandHeader header;
  header.mode = CommandMode::position;
  header.session = 0x0123456789abcdefULL;
  header.sequence = 42;
  header.time = 1'700'000'000'000'000'000;
  Datagram packet(layout.packet_bytes(CommandMode::position, true));
  encode_command(layout, header, std::array{1.5, 1.25}, &authenticator, packet);
  EXPECT_EQ(find_block("<!-- command -->"), build_dump(packet));
}

TEST(Protocol, StateDumpIsWhatWePublish) {
  StateHeader header;
  header.status = 0x00020001;
  header.fingerprint = build_state_fingerprint(std::vector<Channel>{{"lift", "m"}, {"boom.angle", "rad"}});
  header.nonce = counting<Nonce>();
  header.tick = 1250;
  header.heartbeat = 125;
  header.simulated_time = 1'250'000'000;
  header.wall_time = 1'700'000'000'000'000'000;
  header.command_session = 0x0123456789abcdefULL;
  header.command_sequence = 42;
  header.input_age = 350'000;
  header.margin = 0.5;
  header.residual = 1e-15;
  Datagram packet(kStateHeaderBytes + 16);
  encode_state(header, std::array{1.5, -0.53}, packet);
  EXPECT_EQ(find_block("<!-- state -->"), build_dump(packet));
}

TEST(Protocol, TablesLeaveNoGapAndEndWhereTheValuesBegin) {
  std::istringstream lines(protocol());
  const std::regex row(R"(\| (\d+) \| (\d+)( each)? \|.*)");
  std::size_t expected = 0;
  std::size_t tables = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    const std::size_t offset = std::stoul(match[1]);
    if (offset == 0) {
      expected = 0;
      ++tables;
    }
    EXPECT_EQ(offset, expected) << line;
    expected = offset + std::stoul(match[2]);
    if (match[3].matched) {
      EXPECT_THAT((std::vector<std::size_t>{kCommandHeaderBytes, kStateHeaderBytes}),
                  testing::Contains(offset));
    }
  }
  EXPECT_EQ(tables, 4U);
}

TEST(Protocol, NamesEveryReason) {
  for (std::size_t i = 1; i < kRefusalCount; ++i) {
    EXPECT_THAT(protocol(), HasSubstr(fmt::format("`{}`", refusal_name(static_cast<Refusal>(i)))));
  }
}

class PythonSender : public testing::Test {
 protected:
  /// Its exit status.
  int run(const Receiver& receiver, const std::string& key = "") {
    write_file(folder_ / "sender.py", find_block("## A sender", "python"));
    const std::string command = fmt::format("python3 '{}' 127.0.0.1 {} 0.1 {}",
                                            (folder_ / "sender.py").string(), receiver.endpoint().port, key);
    return WEXITSTATUS(std::system(command.c_str()));
  }
  TemporaryFolder folder_;
  NetThread thread_;
  LoopSample loop_;
};

TEST_F(PythonSender, HasTwentyLines) {
  const std::string text = find_block("## A sender", "python");
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 21);
}

TEST_F(PythonSender, DrivesAReceiver) {
  Receiver receiver(thread_, two_drives(), on_loopback());
  ASSERT_EQ(run(receiver), 0);
  EXPECT_TRUE(comes_true([&] { return receiver.counts().accepted >= 2; }));
  EXPECT_EQ(receiver.counts().refused_total(), 0U);
  EXPECT_TRUE(loop_.take(receiver));
  EXPECT_EQ(loop_.commands[0].kind, Command::Kind::rate);
  EXPECT_GT(loop_.commands[0].rate, 0);
  EXPECT_LE(loop_.commands[0].rate, 0.015);
}

TEST_F(PythonSender, DrivesAReceiverWithAKey) {
  const std::string path = (folder_ / "key").string();
  write_new_key(path);
  ReceiverOptions options = on_loopback();
  options.key = build_key_from_file(path).key;
  const Receiver receiver(thread_, two_drives(), options);
  ASSERT_EQ(run(receiver, path), 0);
  EXPECT_TRUE(comes_true([&] { return receiver.counts().accepted >= 2; }));
  EXPECT_EQ(receiver.counts().refused_total(), 0U);
  write_new_key((folder_ / "other").string());
  ASSERT_EQ(run(receiver, (folder_ / "other").string()), 0);
  EXPECT_TRUE(comes_true([&] { return receiver.counts().refused_for(Refusal::tag) >= 2; }));
}

}  // namespace
}  // namespace rodeo::engine
