// SPDX-License-Identifier: MIT
// A screen of one's own (Xvfb), real key and mouse events (xdotool), programs beside the test, and the pictures that the viewer writes.
#pragma once
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <osgDB/ReadFile>

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/feed/feed_support.h"

namespace rodeo::viz::testing_support {

namespace fs = std::filesystem;
using engine::testing_support::read_file;

/// A program that runs beside the test; standard error and output go to files.
class Program {
 public:
  Program(const fs::path& folder, const std::string& name, std::vector<std::string> words,
          const std::string& display = "")
      : out_(folder / (name + "_out")), err_(folder / (name + "_err")) {
    pid_ = ::fork();
    if (pid_ != 0) return;
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    display.empty() ? ::unsetenv("DISPLAY") : ::setenv("DISPLAY", display.c_str(), 1);
    const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND;
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(::open(out_.c_str(), flags, 0600), STDOUT_FILENO);
    ::dup2(::open(err_.c_str(), flags, 0600), STDERR_FILENO);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::execvp(pointers[0], pointers.data());
    ::_exit(127);
  }
  ~Program() {
    if (pid_ <= 0) return;
    kill(SIGKILL);
    static_cast<void>(wait());
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void kill(int signal) const { ::kill(pid_, signal); }
  /// Exit status; minus the signal if one ended it.
  int wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  [[nodiscard]] std::string out() const { return read_file(out_); }
  [[nodiscard]] std::string err() const { return read_file(err_); }
  [[nodiscard]] bool wait_for_err(const std::string& text) const {
    return wait_for([&] { return err().find(text) != std::string::npos; });
  }

 private:
  fs::path out_, err_;
  pid_t pid_ = -1;
};

/// What a command prints, and its status.
inline std::pair<int, std::string> run_shell(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = ::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    text.append(buffer.data(), n);
  const int status = ::pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text};
}

inline bool has_program(const std::string& name) { return run_shell("command -v " + name).first == 0; }

/// An X server without a screen, under a number that it finds itself.
class Screen {
 public:
  explicit Screen(const fs::path& folder) {
    const fs::path file = folder / "display";
    server_ = std::make_unique<Program>(
        folder, "xvfb",
        std::vector<std::string>{
            "sh", "-c",
            "exec Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp -noreset 3>'" + file.string() + "'"});
    EXPECT_TRUE(wait_for([&] { return read_file(file).find('\n') != std::string::npos; }));
    const std::string number = read_file(file);
    display_ = ":" + number.substr(0, number.find('\n'));
  }
  [[nodiscard]] const std::string& display() const { return display_; }
  /// Arguments of xdotool.
  std::string xdotool(const std::string& arguments) const {
    return run_shell("DISPLAY=" + display_ + " xdotool " + arguments + " 2>/dev/null").second;
  }

 private:
  std::unique_ptr<Program> server_;
  std::string display_;
};

/// Red, green, blue; rows from the top.
class Pixels {
 public:
  explicit Pixels(const fs::path& file) : image_(osgDB::readRefImageFile(file.string())) {}
  [[nodiscard]] bool is_there() const { return image_.valid(); }
  [[nodiscard]] int width() const { return image_->s(); }
  [[nodiscard]] int height() const { return image_->t(); }
  [[nodiscard]] std::array<int, 3> at(int x, int y) const {
    const unsigned char* pixel = image_->data(x, image_->t() - 1 - y);
    return {pixel[0], pixel[1], pixel[2]};
  }
  [[nodiscard]] bool operator==(const Pixels& other) const {
    return is_there() && other.is_there() &&
           image_->getTotalSizeInBytes() == other.image_->getTotalSizeInBytes() &&
           std::memcmp(image_->data(), other.image_->data(), image_->getTotalSizeInBytes()) == 0;
  }
  /// The middle of all pixels of a colour; not finite if there is none.
  [[nodiscard]] Vec2 find_middle(std::array<int, 3> colour) const {
    Vec2 sum;
    double count = 0;
    if (!is_there()) return {NAN, NAN};
    for (int y = 0; y < height(); ++y) {
      for (int x = 0; x < width(); ++x) {
        if (at(x, y) == colour) sum = {sum.x + x + 0.5, sum.y + y + 0.5}, ++count;
      }
    }
    return {sum.x / count, sum.y / count};
  }

 private:
  osg::ref_ptr<osg::Image> image_;
};

/// The mark on joint `index`, as --mark-pins promises it.
inline std::array<int, 3> mark(int index) { return {255, 8 * index, 255 - 8 * index}; }

/// One screen and one viewer a test, on the four-bar.
class ViewerTest : public ::testing::Test {
 protected:
  static constexpr int kWidth = 640, kHeight = 480;
  static constexpr double kPixels = 1.5;  // as far as a mark may be off

  void SetUp() override {
    for (const char* name : {"Xvfb", "xdotool"}) {
      if (!has_program(name)) GTEST_SKIP() << name << " is not installed";
    }

    screen = std::make_unique<Screen>(folder.path());
    ASSERT_EQ(run_shell(fmt::format("'{}' build '{}/configs/four_bar.yaml' -o '{}' 2>&1", RODEO_PROGRAM,
                                    RODEO_SOURCE_DIR, model().string()))
                  .first,
              0);
  }

  [[nodiscard]] fs::path model() const { return folder / "model"; }

  /// From the side, 320 pixels a metre, the origin in the middle.
  static std::vector<std::string> side() {
    return {"--camera", "side", "--view=-1,-0.75,1,0.75", "--mark-pins", "--size", "640x480"};
  }

  /// The keys go to the window under the mouse, which rests in the middle of the screen. (To focus a window by force would make OSG
  /// forget the keys that came meanwhile.)
  void start(std::vector<std::string> words, const std::string& program = RODEO_VIEW_PROGRAM) {
    words.insert(words.begin(), program);
    viewer = std::make_unique<Program>(folder.path(), "viewer", words, screen->display());
    std::string window;
    ASSERT_TRUE(wait_for([&] {
      window = screen->xdotool("search --onlyvisible --name '^rodeo: '");
      return !window.empty();
    })) << viewer->err();
    id = window.substr(0, window.find('\n'));
  }

  void press(const std::string& keys) const { screen->xdotool("key --clearmodifiers " + keys); }

  /// Presses p and reads what it wrote.
  Pixels take_picture() {
    const fs::path file = folder / fmt::format("rodeo_view_{}.png", ++pictures);
    press("p");
    EXPECT_TRUE(wait_for([&] { return fs::exists(file); })) << viewer->err();
    return Pixels(file);
  }

  /// The pixel of a place in the plane, as side() shows it.
  static Vec2 pixel(double x, double y) { return {(x + 1) * kWidth / 2, (0.75 - y) * kHeight / 1.5}; }

  /// That the pin between crank and coupler is at an angle of the crank.
  static void expect_crank(const Pixels& picture, double angle, double length = 0.5) {
    ASSERT_TRUE(picture.is_there());
    const Vec2 seen = picture.find_middle(mark(1));
    const Vec2 expected = pixel(length * std::cos(angle), length * std::sin(angle));
    EXPECT_LT(std::hypot(seen.x - expected.x, seen.y - expected.y), kPixels)
        << "seen at " << seen.x << ", " << seen.y << ", expected " << expected.x << ", " << expected.y;
  }

  TemporaryFolder folder;
  std::unique_ptr<Screen> screen;
  std::unique_ptr<Program> viewer;
  std::string id;  // of the window
  int pictures = 0;
};

}  // namespace rodeo::viz::testing_support
