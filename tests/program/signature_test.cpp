// SPDX-License-Identifier: MIT
// Keys, signatures of folders and recordings, and what is refused: each a sentence and status 1.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "tests/codegen/built_kernel.h"
#include "tests/program/recording_support.h"

namespace rodeo::tools {
namespace {

using namespace testing_support;
namespace fs = std::filesystem;
using testing::HasSubstr;

class Signed : public testing::Test {
 protected:
  Signed() {
    const std::string cache = folder_.path().string() + "/cache";
    ::setenv("RODEO_CACHE", cache.c_str(), 1);
    for (const char* name : {"alice", "mallory"}) run(std::string("key -o ") + name);
  }
  ProgramResult run(const std::string& arguments) const { return run_rodeo(folder_.path(), arguments); }
  void expect_refused(const std::string& command, const std::string& sentence) const {
    const ProgramResult result = run(command);
    EXPECT_EQ(result.status, 1) << command << result.out;
    EXPECT_EQ(result.err, sentence + "\n") << command;
  }
  void flip_bit(const std::string& name, std::size_t at) const {
    std::string bytes = read_file(folder_ / name);
    bytes.at(at) = static_cast<char>(bytes.at(at) ^ 4);
    write_file(folder_ / name, bytes);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  const std::string four_bar_ = codegen::config("four_bar");
  engine::testing_support::TemporaryFolder folder_;
};

class SignedFolder : public Signed {
 protected:
  SignedFolder() { EXPECT_EQ(run("build '" + four_bar_ + "' -o built --sign alice.key").status, 0); }
};

class SignedRecording : public Signed {
 protected:
  SignedRecording() {
    const ProgramResult result =
        run("run '" + four_bar_ +
            "' --no-realtime --overrun slip --duration 0.2 --record run.mcap --sign alice.key");
    EXPECT_EQ(result.status, 0) << result.err;
  }
};

TEST_F(Signed, KeysAreAPairAndTheSecretOneIsTheOwnersAlone) {
  struct stat status {};
  ASSERT_EQ(::stat(path("alice.key").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_THAT(read_file(folder_ / "alice.pub"), testing::MatchesRegex("rodeo-public-key alice [0-9a-f]+\n"));
  expect_refused(
      "key -o alice",
      "rodeo: alice.key: is there already: choose another name with -o, a key that is lost is lost");
  ::chmod(path("alice.key").c_str(), 0644);
  expect_refused("build '" + four_bar_ + "' -o built --sign alice.key",
                 "alice.key: others on this computer may read this secret key: chmod 600 'alice.key'");
  EXPECT_FALSE(fs::exists(folder_ / "built"));
  expect_refused("build '" + four_bar_ + "' -o built --sign alice.pub",
                 "alice.pub: is no secret key: 'rodeo key -o NAME' makes NAME.key");
}

TEST_F(SignedFolder, IsTakenFromWhoIsTrusted) {
  write_file(folder_ / "trusted.txt",
             "# ours\n" + read_file(folder_ / "mallory.pub") + "\n" + read_file(folder_ / "alice.pub"));
  for (const char* command : {"simulate built --duration 0.01 -o log.csv",
                              "run built --no-realtime --duration 0.01", "bench built --seconds 0.01"}) {
    for (const char* keys : {"alice.pub", "trusted.txt"}) {
      const ProgramResult result = run(fmt::format("{} --require-signature {}", command, keys));
      EXPECT_EQ(result.status, 0) << command << result.err;
    }
  }
}

TEST_F(SignedFolder, OfNobodyOrOfAnotherIsRefused) {
  expect_refused("simulate built --duration 0.01 -o log.csv --require-signature mallory.pub",
                 fmt::format("built: is signed by 'alice', whose key {} is not in mallory.pub",
                             read_file(folder_ / "alice.pub").substr(23, 16)));
  EXPECT_EQ(run("build '" + four_bar_ + "' -o plain").status, 0);
  const std::string unsigned_ =
      "plain: is not signed, as --require-signature asks (plain/signature.txt is not there; a recording that "
      "was cut off "
      "has none): 'rodeo build' and 'rodeo run --record' take --sign";
  for (const char* command : {"simulate plain --duration 0.01 -o log.csv",
                              "run plain --no-realtime --duration 0.01", "view plain --screenshot x.png"})
    expect_refused(std::string(command) + " --require-signature alice.pub", unsigned_);
  expect_refused(
      "simulate '" + four_bar_ + "' --duration 0.01 -o log.csv --require-signature alice.pub",
      four_bar_ +
          ": is neither a built folder nor a recording, and only these are signed: 'rodeo build --sign' "
          "makes one");
  EXPECT_FALSE(fs::exists(folder_ / "log.csv"));
}

TEST_F(SignedFolder, WithOneFlippedBitIsRefused) {
  const std::string command = "simulate built --duration 0.01 -o log.csv --require-signature alice.pub";
  const std::string changed = "built: is not what alice signed: it, or its signature, is damaged or edited";
  flip_bit("built/checksums.txt", 5);
  expect_refused(command, changed);
  flip_bit("built/checksums.txt", 5);
  EXPECT_EQ(run(command).status, 0);
  const std::string signature = read_file(folder_ / "built/signature.txt");
  write_file(folder_ / "built/signature.txt", signature.substr(0, signature.size() - 2) +
                                                  (signature[signature.size() - 2] == '0' ? "1\n" : "0\n"));
  expect_refused(command, changed);
  write_file(folder_ / "built/signature.txt", signature.substr(0, 100));
  expect_refused(command, "built/signature.txt: is damaged, or no signature of rodeo");
  write_file(folder_ / "built/signature.txt", signature);
  flip_bit("built/certificate.json", 20);
  expect_refused(
      command,
      "built/certificate.json: is not what 'rodeo build' wrote (damaged or edited, see checksums.txt): "
      "build the folder again");
}

/// Somebody edits a file and its line, as only the signature can tell.
TEST_F(SignedFolder, EditedWithItsChecksumsIsRefused) {
  std::string text = read_file(folder_ / "built/interface.json");
  text.insert(text.rfind('}'), " ");
  write_file(folder_ / "built/interface.json", text);
  ASSERT_EQ(std::system(("cd '" + path("built") +
                         "' && b2sum $(cut -c131- checksums.txt) > new && mv new checksums.txt")
                            .c_str()),
            0);
  EXPECT_EQ(run("simulate built --duration 0.01 -o log.csv").status, 0);
  expect_refused("simulate built --duration 0.01 -o log.csv --require-signature alice.pub",
                 "built: is not what alice signed: it, or its signature, is damaged or edited");
}

TEST_F(SignedRecording, IsTakenFromWhoIsTrusted) {
  for (const char* command :
       {"replay run.mcap --verify", "export run.mcap -o log.csv", "plot run.mcap -o plot.html"}) {
    const ProgramResult result = run(std::string(command) + " --require-signature alice.pub");
    EXPECT_EQ(result.status, 0) << command << result.err;
  }
}

TEST_F(SignedRecording, WithOneFlippedBitAnywhereIsRefused) {
  const std::size_t size = fs::file_size(folder_ / "run.mcap");
  for (const std::size_t at : {std::size_t{20}, size / 3, size / 2, size - 1}) {
    flip_bit("run.mcap", at);
    for (const char* command :
         {"replay run.mcap --verify", "replay run.mcap --take-over 0 --no-realtime",
          "export run.mcap -o log.csv", "plot run.mcap -o plot.html", "view run.mcap"}) {
      const ProgramResult result = run(std::string(command) + " --require-signature alice.pub");
      EXPECT_EQ(result.status, 1) << command;
      EXPECT_EQ(result.err,
                "run.mcap: is not what alice signed: it, or its signature, is damaged or edited\n");
    }
    flip_bit("run.mcap", at);
  }
  EXPECT_EQ(run("replay run.mcap --verify --require-signature alice.pub").status, 0);
}

TEST_F(SignedRecording, CutOffOrLeftAloneHasNone) {
  expect_refused("export run.mcap -o log.csv --require-signature mallory.pub",
                 fmt::format("run.mcap: is signed by 'alice', whose key {} is not in mallory.pub",
                             read_file(folder_ / "alice.pub").substr(23, 16)));
  fs::copy_file(folder_ / "run.mcap", folder_ / "alone.mcap");
  expect_refused("export alone.mcap -o log.csv --require-signature alice.pub",
                 "alone.mcap: is not signed, as --require-signature asks (alone.mcap.sig is not there; a "
                 "recording that was "
                 "cut off has none): 'rodeo build' and 'rodeo run --record' take --sign");
  const std::string whole = read_file(folder_ / "run.mcap");
  write_file(folder_ / "run.mcap", whole.substr(0, whole.size() - 100));
  expect_refused("export run.mcap -o log.csv --require-signature alice.pub",
                 "run.mcap: is not what alice signed: it, or its signature, is damaged or edited");
}

/// A file-size limit stands for a full disk.
TEST_F(Signed, ARecordingThatTheDiskEndedIsNot) {
  const std::string command = fmt::format(
      "cd '{}' && ulimit -f 1500 && '{}' run '{}' --no-realtime --duration 3 --record run.mcap --sign "
      "alice.key >out 2>err",
      folder_.path().string(), RODEO_PROGRAM, codegen::built_folder(four_bar_));
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 3);
  EXPECT_THAT(read_file(folder_ / "err"), HasSubstr("; run.mcap: is not signed: it is not whole\n"));
  EXPECT_FALSE(fs::exists(folder_ / "run.mcap.sig"));
}

TEST_F(SignedRecording, AnOlderOneKeepsItsSignature) {
  EXPECT_EQ(run("run '" + four_bar_ + "' --no-realtime --duration 0.01 --record run.mcap").status, 0);
  EXPECT_FALSE(fs::exists(folder_ / "run.mcap.sig"));
  EXPECT_EQ(run("replay run.1.mcap --verify --require-signature alice.pub").status, 0);
}

TEST_F(SignedRecording, InfoTellsWhoSignedWhat) {
  const ProgramResult text = run("info run.mcap --keys alice.pub");
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("run.mcap: recording of four_bar, model "));
  EXPECT_THAT(text.out, HasSubstr("signature  true, of alice\n"));
  EXPECT_THAT(run("info run.mcap").out, HasSubstr("true, of somebody who says 'alice' (give --keys"));
  EXPECT_THAT(run("info run.mcap --keys mallory.pub").out, HasSubstr("whose key is not among yours"));
  const auto info = nlohmann::json::parse(run("info run.mcap --json --keys alice.pub").out);
  EXPECT_EQ(info["ticks"], 200);
  EXPECT_EQ(info["signed"], true);
  EXPECT_EQ(info["signed_by"], "alice");
  flip_bit("run.mcap", fs::file_size(folder_ / "run.mcap") / 2);
  const ProgramResult damaged = run("info run.mcap");
  EXPECT_EQ(damaged.status, 1);
  EXPECT_THAT(damaged.out, HasSubstr("signature  NOT true\n"));
  EXPECT_THAT(damaged.err, HasSubstr("run.mcap: its signature is not of what is there"));
}

TEST_F(SignedFolder, InfoTellsWhoSignedWhat) {
  const ProgramResult text = run("info built --keys alice.pub");
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("built: built folder of four_bar, model "));
  EXPECT_THAT(text.out, HasSubstr("signature  true, of alice\n"));
  flip_bit("built/kernel.so", 2000);
  const ProgramResult damaged = run("info built");
  EXPECT_EQ(damaged.status, 1);
  EXPECT_THAT(damaged.err, HasSubstr("built/kernel.so: is not what 'rodeo build' wrote"));
  expect_refused("info alice.pub", "alice.pub: is neither a recording nor a folder that 'rodeo build' made");
}

}  // namespace
}  // namespace rodeo::tools
