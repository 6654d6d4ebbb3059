// SPDX-License-Identifier: MIT
// Recordings for the tests of replay and export: made by the engine at full speed, and the program run on them.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "engine/io/log.h"
#include "tests/record/recorded_run.h"

namespace rodeo::tools::testing_support {

using engine::testing_support::read_file;
using engine::testing_support::RecordedRun;
using engine::testing_support::write_file;

struct ProgramResult {
  int status;
  std::string out;
  std::string err;
};

/// The program in a folder; `environment` stands before it.
inline ProgramResult run_rodeo(const std::filesystem::path& folder, const std::string& arguments,
                               const std::string& environment = "") {
  const std::string command = fmt::format("cd '{}' && {} '{}' {} </dev/null >out 2>err", folder.string(),
                                          environment, RODEO_PROGRAM, arguments);
  const int status = std::system(command.c_str());
  return {WEXITSTATUS(status), read_file(folder / "out"), read_file(folder / "err")};
}

/// Twenty ticks of a session at its start, into a file whose tick 10 says another command than the session had.
inline void record_wrong(RecordedRun& run) {
  engine::Recorder recorder({.path = run.path()}, run.model(), run.files(), run.session());
  const std::vector<engine::Command> one{engine::Command::moving(1)}, other{engine::Command::moving(-1)};
  for (int i = 1; i <= 20; ++i) {
    run.session().tick({.commands = one});
    recorder.record({.commands = i == 10 ? other : one}, run.session());
  }
}

/// The word after `checksum `.
inline std::string find_checksum(const std::string& text) {
  const std::string key = "checksum ";
  const std::size_t at = text.find(key);
  return at == std::string::npos ? "" : text.substr(at + key.size(), 16);
}

inline std::string to_hex(std::uint64_t checksum) { return fmt::format("{:016x}", checksum); }

}  // namespace rodeo::tools::testing_support
