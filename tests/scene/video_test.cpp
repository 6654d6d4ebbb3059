// SPDX-License-Identifier: MIT
// Videos, looked at by ffprobe and ffmpeg: size, pictures, length, and a pin in a decoded picture.
#include "viz/app/video.h"

#include "tests/scene/measured_picture.h"
#include "viz/scene/overlay_node.h"

namespace rodeo::viz {
namespace {

using namespace testing_support;

TEST(VideoTimes, GoFromBeginToEndAtTheSpeed) {
  EXPECT_EQ(build_video_times(1, 2, 4, 1), (std::vector<double>{1, 1.25, 1.5, 1.75, 2}));
  EXPECT_EQ(build_video_times(0, 1, 4, 2), (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(build_video_times(0, 1, 2, 0.5).size(), 5u);
  EXPECT_EQ(build_video_times(3, 3, 30, 1), std::vector<double>{3});
  EXPECT_EQ(build_video_times(0, 30, 29.97, 1).size(), 900u);
  EXPECT_EQ(build_video_times(0, 0.3, 10, 1).size(), 4u);
}

TEST(VideoName, IsCheckedBeforeAnythingIsDrawn) {
  const auto refusal = [](const std::string& name) {
    try {
      check_video_name(name);
    } catch (const SceneError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal("a.mp4"), "");
  EXPECT_EQ(refusal("a.txt"), "'a.txt': a video's name ends in .mp4, .m4v, .mov, .mkv, .webm, .avi, .gif");
  EXPECT_EQ(refusal("no/such/folder/a.mp4"),
            "cannot write 'no/such/folder/a.mp4': there is no folder 'no/such/folder'");
}

class Video : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_build()) GTEST_SKIP() << "this build has no offline side: machines cannot be built";
    machine_ = std::make_unique<MovingMachine>("four_bar");
  }

  [[nodiscard]] fs::path file() const { return folder_ / "a.mp4"; }
  Ran shoot(const std::string& arguments, const std::string& environment = "") {
    return run(environment + " '" RODEO_VIEW_PROGRAM "' '" + machine_->folder().string() + "' --replay '" +
                   machine_->log_path().string() + "' --video '" + file().string() + "' " + arguments,
               folder_.path());
  }
  /// One value of the video's stream, as ffprobe tells it.
  std::string probe(const std::string& entry) {
    const fs::path out = folder_ / "probe.txt";
    run("ffprobe -v error -count_frames -show_entries stream=" + entry +
            " -of default=nokey=1:noprint_wrappers=1 '" + file().string() + "' > '" + out.string() + "'",
        folder_.path());
    std::string text = read_file(out);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }
  static bool has_ffmpeg() {
    return std::system("ffmpeg -version >/dev/null 2>&1 && ffprobe -version >/dev/null 2>&1") == 0;
  }

  std::unique_ptr<MovingMachine> machine_;
  TemporaryFolder folder_;
};

TEST_F(Video, HasTheSizeThePicturesAndTheLengthAskedFor) {
  if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  // 40 s of replay, 20 times as fast, 10 pictures a second: 0, 2, ... 40 s.
  const Ran ran = shoot("--size 321x181 --fps 10 --speed 20 --samples 0");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.err, "");  // no bar without a terminal
  EXPECT_EQ(probe("nb_read_frames"), "21");
  EXPECT_EQ(probe("width"), "322");  // even, as yuv420p wants it
  EXPECT_EQ(probe("height"), "182");
  EXPECT_EQ(probe("pix_fmt"), "yuv420p");
  EXPECT_EQ(probe("r_frame_rate"), "10/1");
  EXPECT_NEAR(std::stod(probe("duration")), 2.1, 1e-3);
}

TEST_F(Video, ClearsWhatKilledOnesLeftAndNothingElse) {
  if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  const fs::path dead = folder_ / "a.new999999999.mp4", other = folder_ / "a.newest.mp4",
                 live = folder_ / ("a.new" + std::to_string(::getpid()) + ".mp4");
  for (const fs::path& path : {dead, other, live}) std::ofstream(path) << "x";
  ASSERT_EQ(shoot("--size 64x36 --fps 1 --speed 40 --samples 0").status, 0);
  EXPECT_FALSE(fs::exists(dead)) << "no process has this number";
  EXPECT_TRUE(fs::exists(other) && fs::exists(live));
}

TEST_F(Video, ShowsPinsWhereTheKernelPutsThem) {
  if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  constexpr std::size_t kRow = 260;  // 13 s; picture 13 of one a second
  const Frame frame{-0.8, -0.4, 2.4, 1.4, 640, 360};
  const Ran ran = shoot(
      "--size 640x360 --fps 1 --camera side --view=-0.8,-0.4,2.4,1.4 --mark-pins --no-hud --trail none");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const fs::path raw = folder_ / "frame.rgb";
  ASSERT_EQ(
      run("ffmpeg -y -loglevel error -i '" + file().string() +
              "' -vf \"select=eq(n\\,13)\" -vframes 1 -f rawvideo -pix_fmt rgb24 '" + raw.string() + "'",
          folder_.path())
          .status,
      0);
  const std::string bytes = read_file(raw);
  ASSERT_EQ(bytes.size(), 3u * 640 * 360);
  const Picture picture{640, 360, {bytes.begin(), bytes.end()}};
  const auto& joints = machine_->scene()["joints"];
  for (std::size_t j = 0; j < joints.size(); ++j) {
    // Encoding smears colours, in pairs of pixels: the middle of what is like the mark, around where it must be.
    const Point wanted = frame.pixel(machine_->point(joints[j]["second"], kRow));
    const Rgb colour = calc_mark_colour(j);
    double sum = 0, x = 0, y = 0;
    for (int v = static_cast<int>(wanted.y) - 12; v < wanted.y + 12; ++v) {
      for (int u = static_cast<int>(wanted.x) - 12; u < wanted.x + 12; ++u) {
        const Rgb seen = pixel(picture, u, v);
        int off = 0;
        for (std::size_t i = 0; i < 3; ++i) off += std::abs(seen[i] - colour[i]);
        const double weight = std::max(0, 200 - off);
        sum += weight, x += weight * (u + 0.5), y += weight * (v + 0.5);
      }
    }
    ASSERT_GT(sum, 1000) << joints[j]["name"];
    EXPECT_LT(distance({x / sum, y / sum}, wanted), 1.5) << joints[j]["name"];
  }
}

TEST_F(Video, WithoutFfmpegSaysSoAndLeavesNothing) {
  const Ran ran = shoot("--size 160x90", "PATH=/nonexistent");
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(ran.err,
            "rodeo-view: --video needs ffmpeg, which is not installed here (Debian: apt install ffmpeg)\n");
  EXPECT_FALSE(fs::exists(file()));
}

TEST_F(Video, StoppedByASignalLeavesNothing) {
  if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  // The pictures would take minutes; the signal comes as soon as ffmpeg writes.
  const std::string view = "'" RODEO_VIEW_PROGRAM "' '" + machine_->folder().string() + "' --replay '" +
                           machine_->log_path().string() + "' --video '" + file().string() +
                           "' --size 1280x720 --fps 240 --speed 0.1";
  const std::string draft = folder_.path().string() + "/a.new*.mp4";
  const Ran ran =
      run(view + " & i=0; while [ $i -lt 1200 ] && ! ls " + draft +
              " >/dev/null 2>/dev/null; do sleep 0.05; i=$((i + 1)); done; kill -TERM $!; wait $!",
          folder_.path());
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(ran.err, "rodeo-view: stopped by a signal: '" + file().string() + "' is not written\n");
  for (const auto& entry : fs::directory_iterator(folder_.path()))
    EXPECT_NE(entry.path().extension(), ".mp4") << entry.path();
}

TEST_F(Video, ShowsABarOnATerminal) {
  if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  if (std::system("script --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "script is not installed";
  const fs::path typed = folder_ / "typed";
  const std::string view = "\"" RODEO_VIEW_PROGRAM "\" \"" + machine_->folder().string() + "\" --replay \"" +
                           machine_->log_path().string() + "\" --video \"" + file().string() +
                           "\" --size 320x180 --fps 4";
  EXPECT_EQ(run("script -qec '" + view + "' '" + typed.string() + "'", folder_.path()).status, 0);
  const std::string text = read_file(typed);
  EXPECT_NE(text.find(" of 161 pictures, "), std::string::npos) << text;
  EXPECT_NE(text.find("[#"), std::string::npos);
}

TEST_F(Video, TellsWhyFfmpegFailedAndLeavesNothing) {
  const fs::path fake = folder_ / "ffmpeg";
  std::ofstream(fake) << "#!/bin/sh\necho 'first trouble' >&2\necho 'No space left on device' >&2\nexit 1\n";
  fs::permissions(fake, fs::perms::owner_all);
  const Ran ran = shoot("--size 160x90 --fps 1", "PATH='" + folder_.path().string() + "'");
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(ran.err,
            "rodeo-view: ffmpeg could not make '" + file().string() + "': No space left on device\n");
  for (const auto& entry : fs::directory_iterator(folder_.path()))
    EXPECT_NE(entry.path().extension(), ".mp4") << entry.path();
}

}  // namespace
}  // namespace rodeo::viz
