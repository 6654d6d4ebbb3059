// SPDX-License-Identifier: MIT
// What users write: addresses, destinations, site files, key files; and the sentences that say what is wrong with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "engine/io/input.h"
#include "engine/net/auth.h"
#include "engine/net/destination.h"
#include "engine/net/site.h"
#include "tests/kernel/build_kernel.h"

namespace rodeo::engine {
namespace {

using testing::HasSubstr;
using testing_support::read_file;
using testing_support::TemporaryFolder;
using testing_support::write_file;

/// What `work` throws, as text.
template <typename Error, typename Work>
std::string find_error(Work work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

std::string endpoint_error(const std::string& text) {
  return find_error<AddressError>([&] { static_cast<void>(build_endpoint(text)); });
}

TEST(Endpoint, IsReadAndWritten) {
  EXPECT_EQ(to_text(build_endpoint("127.0.0.1:5005")), "127.0.0.1:5005");
  EXPECT_EQ(to_text(build_endpoint("[::1]:80")), "[::1]:80");
  EXPECT_EQ(to_text(build_endpoint("[::ffff:10.0.0.1]:80")), "10.0.0.1:80");
  EXPECT_TRUE(build_endpoint("localhost:1").address.is_loopback());
  EXPECT_TRUE(build_endpoint("127.3.2.1:1").address.is_loopback());
  EXPECT_TRUE(build_endpoint("[::1]:1").address.is_loopback());
  EXPECT_FALSE(build_endpoint("10.0.0.1:1").address.is_loopback());
  EXPECT_TRUE(build_endpoint("0.0.0.0:1").address.is_unspecified());
  EXPECT_TRUE(build_endpoint("[::]:1").address.is_unspecified());
  EXPECT_TRUE(build_endpoint("239.1.2.3:1").address.is_multicast());
  EXPECT_TRUE(build_endpoint("[ff02::1]:1").address.is_multicast());
  EXPECT_FALSE(build_endpoint("192.168.0.1:1").address.is_multicast());
}

TEST(Endpoint, SaysHowItShouldLook) {
  for (const char* text : {"", "5005", "127.0.0.1", ":5005", "::1:5005", "[::1]5005", "[::1", "[::1]"}) {
    EXPECT_EQ(endpoint_error(text),
              std::string("'") + text + "' must be HOST:PORT, as in 127.0.0.1:5005 or [::1]:5005");
  }
  for (const char* text : {"127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:5x"}) {
    EXPECT_EQ(endpoint_error(text),
              std::string("'") + text + "' has no port from 0 to 65535 after its colon");
  }
  EXPECT_THAT(endpoint_error("300.1.1.1.1:5"),
              HasSubstr("'300.1.1.1.1:5' has an address that cannot be found: "));
}

TEST(AddressRange, HoldsItsPrefix) {
  const AddressRange range = build_address_range("10.20.0.0/13");
  EXPECT_TRUE(range.contains(build_address_range("10.23.255.255").address));
  EXPECT_FALSE(range.contains(build_address_range("10.24.0.0").address));
  EXPECT_FALSE(range.contains(build_address_range("::1").address));
  EXPECT_TRUE(build_address_range("0.0.0.0/0").contains(build_address_range("8.8.8.8").address));
  EXPECT_FALSE(build_address_range("fd00::1").contains(build_address_range("fd00::2").address));
  EXPECT_TRUE(build_address_range("fd00::/9").contains(build_address_range("fd7f::2").address));
}

TEST(AddressRange, SaysHowItShouldLook) {
  const auto error = [](const std::string& text) {
    return find_error<AddressError>([&] { static_cast<void>(build_address_range(text)); });
  };
  EXPECT_EQ(error("10.0.0.1/33"), "'10.0.0.1/33' must end in / and a number from 0 to 32");
  EXPECT_EQ(error("::1/129"), "'::1/129' must end in / and a number from 0 to 128");
  EXPECT_EQ(error("10.0.0.1/"), "'10.0.0.1/' must end in / and a number from 0 to 32");
  EXPECT_THAT(error("localhost"), HasSubstr("'localhost' has an address that cannot be found: "));
}

TEST(Destination, IsRead) {
  const Destination plain = build_destination("127.0.0.1:9000");
  EXPECT_FALSE(plain.rate);
  EXPECT_EQ(plain.format, StateFormat::binary);
  EXPECT_FALSE(plain.is_large);
  EXPECT_EQ(plain.ttl, 1);
  const Destination full =
      build_destination("[::1]:9000,rate=250,signals=lift;*.angle,format=json,large,ttl=4,interface=lo");
  EXPECT_EQ(full.endpoint.port, 9000);
  EXPECT_EQ(full.rate, 250);
  EXPECT_EQ(full.signals, (std::vector<std::string>{"lift", "*.angle"}));
  EXPECT_EQ(full.format, StateFormat::json);
  EXPECT_TRUE(full.is_large);
  EXPECT_EQ(full.ttl, 4);
  EXPECT_NE(full.interface, 0U);
}

TEST(Destination, SaysWhatIsWrong) {
  const auto error = [](const std::string& options) {
    return find_error<AddressError>([&] { static_cast<void>(build_destination("127.0.0.1:9" + options)); });
  };
  EXPECT_EQ(error(",rate=0"),
            "'127.0.0.1:9,rate=0': rate '0' must be a number of packets a second, from 0.001 to 100000");
  EXPECT_EQ(error(",rate=nan"),
            "'127.0.0.1:9,rate=nan': rate 'nan' must be a number of packets a second, from 0.001 to 100000");
  EXPECT_EQ(error(",format=xml"), "'127.0.0.1:9,format=xml': format 'xml' must be json or binary");
  EXPECT_EQ(error(",ttl=256"), "'127.0.0.1:9,ttl=256': ttl '256' must be from 0 to 255");
  EXPECT_EQ(error(",signals=a;;b"),
            "'127.0.0.1:9,signals=a;;b': signals must be names with ; between them, as in "
            "signals=lift;tip.x;*.angle");
  EXPECT_EQ(error(",interface=none0"),
            "'127.0.0.1:9,interface=none0': this computer has no network interface 'none0'");
  EXPECT_THAT(error(",colour=red"), HasSubstr("there is no option 'colour': HOST:PORT[,rate=100]"));
  EXPECT_THAT(error(",big"), HasSubstr("'big' is no option: HOST:PORT[,rate=100]"));
  EXPECT_EQ(find_error<AddressError>([] { static_cast<void>(build_destination("127.0.0.1:0")); }),
            "'127.0.0.1:0': nothing can be sent to port 0");
}

const std::vector<Channel> kDrives{{"lift", "m"}, {"tilt", "m"}};

std::string site_error(const std::string& text) {
  return find_error<IoError>([&] { static_cast<void>(build_site_from_text(text, "site.yaml", kDrives)); });
}

TEST(Site, ReadsScaleOffsetAndSign) {
  const auto site =
      build_site_from_text("drives:\n  tilt: {scale: 0.001, offset: 1.23, sign: -1}\n", "site.yaml", kDrives);
  ASSERT_EQ(site.size(), 2U);
  EXPECT_EQ(site[0].calc_position(0.5), 0.5);
  EXPECT_EQ(site[0].calc_rate(0.5), 0.5);
  EXPECT_DOUBLE_EQ(site[1].calc_position(100), 1.13);
  EXPECT_DOUBLE_EQ(site[1].calc_rate(100), -0.1);
}

TEST(Site, TellsASenderItsOwnLimits) {
  const SiteChannel channel{-0.001, 1.99};
  const DriveLimits limits = channel.calc_limits_of_sender({1.23, 1.99, 0.15, {}});
  EXPECT_NEAR(*limits.lower, 0, 1e-9);
  EXPECT_NEAR(*limits.upper, 760, 1e-9);
  EXPECT_NEAR(*limits.speed, 150, 1e-9);
  EXPECT_FALSE(limits.acceleration);
  const DriveLimits half = channel.calc_limits_of_sender({1.23, {}, {}, {}});
  EXPECT_FALSE(half.lower);
  EXPECT_NEAR(*half.upper, 760, 1e-9);
}

TEST(Site, SaysFileLineAndRemedy) {
  EXPECT_EQ(site_error("drives:\n  boom: {scale: 1}\n"),
            "site.yaml:2: 'boom' is no drive of this machine (it has lift, tilt)");
  EXPECT_EQ(site_error("drives:\n  lift: {scale: 1}\n  tilt: {}\n  lift: {scale: 2}\n"),
            "site.yaml:4: 'lift' is there twice: leave one");
  EXPECT_EQ(site_error("drives:\n  lift: {gain: 1}\n"),
            "site.yaml:2: drive 'lift': there is no 'gain' here (there is scale, offset, sign)");
  EXPECT_EQ(site_error("drives:\n  lift: {scale: 0}\n"),
            "site.yaml:2: drive 'lift': scale must be above 0: turn with sign: -1");
  EXPECT_EQ(site_error("drives:\n  lift: {sign: 2}\n"), "site.yaml:2: drive 'lift': sign must be 1 or -1");
  EXPECT_EQ(site_error("drives:\n  lift: {scale: one}\n"), "site.yaml:2: drive 'lift': 'one' is no number");
  EXPECT_EQ(site_error("drives:\n  lift: {scale: nan}\n"), "site.yaml:2: drive 'lift': 'nan' is no number");
  EXPECT_EQ(site_error("drives:\n  lift: 3\n"),
            "site.yaml:2: drive 'lift': must be a map, as in {key: value}");
  EXPECT_EQ(site_error("machines: {}\n"), "site.yaml:1: there is no 'machines' here (there is drives)");
  EXPECT_THAT(site_error("drives: {lift: [}\n"), HasSubstr("site.yaml:1: is no YAML: "));
  EXPECT_EQ(find_error<IoError>([] { static_cast<void>(build_site_from_file("/none/site.yaml", kDrives)); }),
            "cannot read '/none/site.yaml': No such file or directory");
}

class KeyFiles : public testing::Test {
 protected:
  std::string key_error(const std::string& text) const {
    write_file(folder_ / "key", text);
    return find_error<IoError>([&] { static_cast<void>(build_key_from_file(path_)); });
  }
  TemporaryFolder folder_;
  std::string path_ = (folder_ / "key").string();
};

TEST_F(KeyFiles, HoldThirtyTwoBytesAsDigits) {
  write_file(path_, "000102030405060708090a0b0c0d0e0f\n101112131415161718191A1B1C1D1E1F\n");
  ::chmod(path_.c_str(), 0600);
  const KeyFile file = build_key_from_file(path_);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(file.key[i], i);
  EXPECT_TRUE(file.warnings.empty());
}

TEST_F(KeyFiles, AreBetterNotReadByOthers) {
  write_file(path_, std::string(64, 'a'));
  ::chmod(path_.c_str(), 0644);
  EXPECT_THAT(
      build_key_from_file(path_).warnings,
      testing::ElementsAre(path_ + ": others on this computer can read the key: chmod 600 '" + path_ + "'"));
}

TEST_F(KeyFiles, SayWhatIsWrong) {
  const std::string remedy =
      path_ +
      ": a key is 64 hexadecimal digits, 32 bytes: make one with 'rodeo packet --new-key "
      "FILE'";
  EXPECT_EQ(key_error(""), remedy);
  EXPECT_EQ(key_error(std::string(63, 'a')), remedy);
  EXPECT_EQ(key_error(std::string(66, 'a')), remedy);
  EXPECT_EQ(key_error(std::string(63, 'a') + "g"), remedy);
  const auto error = [](const std::string& path) {
    return find_error<IoError>([&] { static_cast<void>(build_key_from_file(path)); });
  };
  EXPECT_EQ(error("/none/key"), "cannot read the key '/none/key': No such file or directory");
  EXPECT_EQ(error(folder_.path().string()),
            "cannot read the key '" + folder_.path().string() + "': Is a directory");
}

TEST_F(KeyFiles, MayHoldAKeyForEachRole) {
  write_file(path_, "instructor " + std::string(64, '2') + "\n\n operator\t" + std::string(32, '1') + " " +
                        std::string(32, '1') + "\n");
  ::chmod(path_.c_str(), 0600);
  const KeyFile file = build_key_from_file(path_);
  EXPECT_EQ(file.role, Role::instructor) << "the first is the sender's own";
  EXPECT_EQ(file.key[0], 0x22);
  ASSERT_TRUE(file.keys[0] && file.keys[1]);
  EXPECT_EQ((*file.keys[0])[31], 0x11);
  EXPECT_EQ((*file.keys[1])[31], 0x22);
  EXPECT_FALSE(file.keys[2]);
  const std::string one = "operator " + std::string(64, '1') + "\n";
  EXPECT_EQ(key_error(one + one), path_ + ": there are two keys of the operator");
  EXPECT_EQ(key_error(one + "viewer " + std::string(64, '1')),
            path_ + ": two roles have one key: nobody could tell them apart");
  EXPECT_EQ(key_error(one + "guest " + std::string(64, '3')),
            path_ + ": 'guest' is no role: operator, instructor or viewer");
  EXPECT_THAT(key_error("viewer 12\n"), HasSubstr(": a key is 64 hexadecimal digits"));
}

TEST_F(KeyFiles, AreMadeForTheirOwnerOnlyAndNeverReplaced) {
  write_new_key(path_);
  struct stat status {};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  const KeyFile first = build_key_from_file(path_);
  EXPECT_TRUE(first.warnings.empty());
  EXPECT_EQ(find_error<IoError>([&] { write_new_key(path_); }),
            "cannot write the key '" + path_ + "': File exists");
  EXPECT_EQ(build_key_from_file(path_).key, first.key);
  write_new_key((folder_ / "other").string());
  EXPECT_NE(build_key_from_file((folder_ / "other").string()).key, first.key);
}

}  // namespace
}  // namespace rodeo::engine
