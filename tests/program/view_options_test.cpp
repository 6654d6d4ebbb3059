// SPDX-License-Identifier: MIT
// What `rodeo view` refuses before anything is built or started.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/recording_support.h"

namespace rodeo::tools {
namespace {

using namespace testing_support;

/// A film of one picture helps nobody.
TEST(ViewOptions, AVideoNeedsAReplay) {
  const engine::testing_support::TemporaryFolder folder;
  engine::testing_support::write_model_folder(folder / "model");
  const ProgramResult result = run_rodeo(folder.path(), "view model --video film.mp4");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err,
            "rodeo view: --video: is a film of a replay: give --replay with a recording (rodeo run --record) "
            "or a log "
            "(rodeo simulate -o); a picture of the start is --screenshot (see 'rodeo view --help')\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "film.mp4"));
}

TEST(ViewOptions, SeveralPicturesNeedSeveralNames) {
  const engine::testing_support::TemporaryFolder folder;
  engine::testing_support::write_model_folder(folder / "model");
  const ProgramResult result = run_rodeo(folder.path(), "view model --screenshot p.png --time 0 --time 1");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err,
            "rodeo view: --screenshot: one name for several --time or --tick: write {} where the picture's "
            "number goes, "
            "as in p{}.png (see 'rodeo view --help')\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "p.png"));
}

}  // namespace
}  // namespace rodeo::tools
