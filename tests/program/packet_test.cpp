// SPDX-License-Identifier: MIT
// `rodeo packet`: what it writes is compiled or run, and its bytes are held against engine/net's.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <regex>

#include "engine/net/signals.h"
#include "engine/net/state_packet.h"
#include "tests/kernel/build_kernel.h"
#include "tools/rodeo/packet_layout.h"

namespace rodeo::tools {
namespace {

using engine::testing_support::read_file;
using engine::testing_support::TemporaryFolder;
using engine::testing_support::write_file;
using testing::HasSubstr;
using testing::StartsWith;
using Datagram = std::vector<std::uint8_t>;

class Packet : public testing::Test {
 protected:
  Packet() {
    engine::testing_support::write_model_folder(
        folder_ / "model", R"("lower": -10, "upper": 10, "speed": 2, "acceleration": 8)");
  }
  int shell(const std::string& command) {
    const std::string all = fmt::format("cd '{}' && ({}) >out 2>err", folder_.path().string(), command);
    const int status = WEXITSTATUS(std::system(all.c_str()));
    out_ = read_file(folder_ / "out");
    err_ = read_file(folder_ / "err");
    return status;
  }
  int packet(const std::string& arguments) {
    return shell(fmt::format("'{}' packet {}", RODEO_PROGRAM, arguments));
  }
  [[nodiscard]] engine::ModelFolder model() const {
    return engine::ModelFolder::build_from((folder_ / "model").string());
  }
  /// Whether a program's command packet, as hexadecimal digits in out_, is one of ours with these values.
  void expect_command(const std::vector<double>& values) const {
    const engine::CommandLayout layout = build_machine_interface(model()).build_layout();
    engine::CommandHeader header;
    std::vector<double> read(2);
    ASSERT_EQ(engine::decode_command(layout, nullptr, from_hex(out_), header, read), engine::Refusal::none)
        << out_;
    EXPECT_EQ(header.session, 0x0102030405060708ULL);
    EXPECT_EQ(header.sequence, 42U);
    EXPECT_EQ(header.time, 1234567);
    read.resize(values.size());
    EXPECT_EQ(read, values);
  }
  static Datagram from_hex(const std::string& digits) {
    Datagram bytes;
    for (std::size_t i = 0; i + 1 < digits.size() && digits[i] != '\n'; i += 2) {
      bytes.push_back(static_cast<std::uint8_t>(std::stoi(digits.substr(i, 2), nullptr, 16)));
    }
    return bytes;
  }
  /// A state of the signals `crank` and the first output, as a file.
  void write_state() const {
    const engine::SignalTable all(model().kernel);
    engine::StateHeader header;
    header.tick = 77;
    header.residual = 1e-12;
    header.fingerprint = engine::build_state_fingerprint(std::vector{all.channels()[0], all.channels()[1]});
    Datagram packet(engine::kStateHeaderBytes + 16);
    engine::encode_state(header, std::array{0.125, -2.5}, packet);
    write_file(folder_ / "state.bin", std::string(packet.begin(), packet.end()));
  }
  [[nodiscard]] std::string two_signals() const {
    const engine::SignalTable all(model().kernel);
    return fmt::format("--signals '{};{}'", all.channels()[0].name, all.channels()[1].name);
  }

  TemporaryFolder folder_;
  std::string out_, err_;
};

TEST_F(Packet, HeaderCompilesAndItsStructsAreOurBytes) {
  ASSERT_EQ(packet("model --format c " + two_signals() + " | tee packets.h"), 0) << err_;
  write_state();
  const std::string second = build_identifiers({engine::SignalTable(model().kernel).channels()[1]})[0];
  write_file(folder_ / "main.c", fmt::format(R"(#include "packets.h"
#include <stdio.h>
#include <string.h>
int main(void) {{
  static const uint8_t fingerprint[16] = RODEO_COMMAND_FINGERPRINT;
  static const uint8_t state_fingerprint[16] = RODEO_STATE_FINGERPRINT;
  struct rodeo_command command;
  struct rodeo_state state;
  FILE* file = fopen("state.bin", "rb");
  size_t i;
  memset(&command, 0, sizeof command);
  memcpy(command.header.magic, "RDEC", 4);
  command.header.version = 1;
  command.header.mode = 1;
  memcpy(command.header.fingerprint, fingerprint, 16);
  command.header.session = 0x0102030405060708u;
  command.header.sequence = 42;
  command.header.time = 1234567;
  command.values.crank = 0.75;
  for (i = 0; i < sizeof command; ++i) printf("%02x", ((const unsigned char*)&command)[i]);
  if (fread(&state, 1, sizeof state, file) != sizeof state) return 10;
  if (memcmp(state.header.fingerprint, state_fingerprint, 16) != 0) return 11;
  if (state.header.tick != 77 || state.header.residual != 1e-12 || state.header.count != 2) return 12;
  return state.signals.crank == 0.125 && state.signals.{} == -2.5 ? 0 : 13;
}}
)",
                                             second));
  ASSERT_EQ(shell("gcc -std=c99 -Wall -Wextra -Werror -pedantic main.c -o main && ./main"), 0) << err_;
  expect_command({0.75});
}

TEST_F(Packet, PythonModuleWritesAndReadsOurBytes) {
  ASSERT_EQ(packet("model --format python " + two_signals() + " | tee packets.py"), 0) << err_;
  write_state();
  write_file(folder_ / "main.py", R"(import packets
state = packets.state(open("state.bin", "rb").read())
assert state["tick"] == 77 and state["residual"] == 1e-12, state
assert list(state["signals"].values()) == [0.125, -2.5], state
assert packets.DRIVES == [("crank", "rad")]
print(packets.command([0.75], 0x0102030405060708, 42, 1234567).hex())
)");
  ASSERT_EQ(shell("python3 main.py"), 0) << err_;
  expect_command({0.75});
}

/// The number of bytes that a script's DataTypes and Dimensions give.
std::size_t sum_cells(const std::string& script, const std::string& variable) {
  std::smatch types, dimensions;
  std::regex_search(script, types, std::regex(variable + R"(\.DataTypes = \{([^}]*)\})"));
  std::regex_search(script, dimensions, std::regex(variable + R"(\.Dimensions = \{([^}]*)\})"));
  std::istringstream type_list(types[1]);
  std::istringstream dimension_list(dimensions[1]);
  std::size_t bytes = 0;
  for (std::string type, dimension;
       std::getline(type_list, type, ',') && std::getline(dimension_list, dimension, ',');) {
    const std::size_t size = type == "'uint8'" ? 1 : type == "'uint16'" ? 2 : type == "'uint32'" ? 4 : 8;
    bytes += size * std::stoul(dimension);
  }
  return bytes;
}

TEST_F(Packet, SimulinkCellsAddUpToOurPackets) {
  ASSERT_EQ(packet("model --format simulink " + two_signals()), 0) << err_;
  EXPECT_EQ(sum_cells(out_, "command"), 56U + 8);
  EXPECT_THAT(out_, HasSubstr("command.Bytes = 64;"));
  EXPECT_EQ(sum_cells(out_, "state"), 144U + 16);
  EXPECT_THAT(out_, HasSubstr("state.Bytes = 160;"));
  EXPECT_THAT(out_, HasSubstr("command.Drives = {'crank'};"));
  EXPECT_THAT(out_, testing::ContainsRegex("values +double x 1 +offset +56"));
  EXPECT_THAT(out_, testing::ContainsRegex("signals +double x 2 +offset +144"));
}

TEST_F(Packet, WritesANewKeyOnce) {
  ASSERT_EQ(packet("--new-key site.key"), 0) << err_;
  EXPECT_EQ(out_, "");
  EXPECT_EQ(read_file(folder_ / "site.key").size(), 65U);
  EXPECT_EQ(packet("--new-key site.key"), 1);
  EXPECT_EQ(err_, "cannot write the key 'site.key': File exists\n");
}

TEST_F(Packet, SaysWhatIsMissingOrWrong) {
  EXPECT_EQ(packet(""), 2);
  EXPECT_THAT(err_, HasSubstr("MODEL is required"));
  EXPECT_EQ(packet("model"), 2);
  EXPECT_THAT(err_, HasSubstr("--format is required"));
  EXPECT_EQ(packet("model --format fortran"), 2);
  EXPECT_EQ(packet("nowhere --format c"), 1);
  EXPECT_EQ(err_, "nowhere: there is no such file or folder\n");
  EXPECT_EQ(packet("model --format c --signals nonsense"), 2);
  EXPECT_THAT(err_, HasSubstr("there is no signal 'nonsense'"));
}

TEST(Identifiers, AreWordsAndNoTwoAlike) {
  EXPECT_EQ(
      build_identifiers({{"boom.angle", ""}, {"boom_angle", ""}, {"2nd", ""}, {"double", ""}, {"a-b", ""}}),
      (std::vector<std::string>{"boom_angle", "boom_angle_2", "n2nd", "double_", "a_b"}));
}

}  // namespace
}  // namespace rodeo::tools
