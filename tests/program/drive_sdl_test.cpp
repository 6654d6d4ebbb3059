// SPDX-License-Identifier: MIT
// A gamepad as SDL2 sees it: SDL's own virtual joystick. Left out where SDL2 is not installed.
#if __has_include(<SDL2/SDL.h>)
#include <SDL2/SDL.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "engine/net/error.h"
#include "tools/rodeo/drive_gamepad.h"

namespace rodeo::tools {
namespace {

template <typename Function>
Function find(const char* name) {
  static void* const library = ::dlopen("libSDL2-2.0.so.0", RTLD_NOW | RTLD_GLOBAL);
  return library == nullptr ? nullptr : reinterpret_cast<Function>(::dlsym(library, name));
}

/// A virtual gamepad with two sticks; SDL gives it the usual layout.
class VirtualPad : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("SDL_VIDEODRIVER", "dummy", 1);
    attach_ = find<decltype(&SDL_JoystickAttachVirtual)>("SDL_JoystickAttachVirtual");
    if (attach_ == nullptr) GTEST_SKIP() << "no SDL2 with virtual joysticks";
    const auto init = find<decltype(&SDL_Init)>("SDL_Init");
    if (init(SDL_INIT_GAMECONTROLLER) != 0) GTEST_SKIP() << "SDL2 cannot read gamepads here";
  }
  void TearDown() override {
    if (device_ >= 0) find<decltype(&SDL_JoystickDetachVirtual)>("SDL_JoystickDetachVirtual")(device_);
    if (const auto quit = find<decltype(&SDL_Quit)>("SDL_Quit"); quit != nullptr) quit();
  }
  void plug_in() {
    if (find<decltype(&SDL_NumJoysticks)>("SDL_NumJoysticks")() != 0)
      GTEST_SKIP() << "a real gamepad is connected";
    device_ =
        attach_(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX, SDL_CONTROLLER_BUTTON_MAX, 0);
    ASSERT_EQ(device_, 0);
    joystick_ = find<decltype(&SDL_JoystickOpen)>("SDL_JoystickOpen")(device_);
    ASSERT_NE(joystick_, nullptr);
  }
  void set_axis(int axis, Sint16 value) {
    find<decltype(&SDL_JoystickSetVirtualAxis)>("SDL_JoystickSetVirtualAxis")(joystick_, axis, value);
  }
  void set_button(int button, bool is_down) {
    find<decltype(&SDL_JoystickSetVirtualButton)>("SDL_JoystickSetVirtualButton")(joystick_, button,
                                                                                  is_down ? 1 : 0);
  }

  decltype(&SDL_JoystickAttachVirtual) attach_ = nullptr;
  SDL_Joystick* joystick_ = nullptr;
  int device_ = -1;
};

TEST_F(VirtualPad, ShowsAxesAndButtonsByNameAndByNumber) {
  plug_in();
  if (IsSkipped()) return;
  const std::unique_ptr<Pad> pad = open_first_pad();
  EXPECT_FALSE(pad->name().empty());
  set_axis(SDL_CONTROLLER_AXIS_LEFTY, 16384);
  set_axis(SDL_CONTROLLER_AXIS_RIGHTX, -32768);
  set_button(SDL_CONTROLLER_BUTTON_B, true);
  ASSERT_TRUE(pad->update());
  EXPECT_NEAR(pad->axis("lefty"), 0.5, 1e-3);
  EXPECT_EQ(pad->axis("rightx"), -1);
  EXPECT_EQ(pad->axis("leftx"), 0);
  EXPECT_NEAR(pad->axis("1"), 0.5, 1e-3);
  EXPECT_TRUE(pad->button("b"));
  EXPECT_TRUE(pad->button("1"));
  EXPECT_FALSE(pad->button("a"));
  set_button(SDL_CONTROLLER_BUTTON_B, false);
  ASSERT_TRUE(pad->update());
  EXPECT_FALSE(pad->button("b"));
}

TEST_F(VirtualPad, DrivesAnExcavatorByTheIsoPattern) {
  plug_in();
  if (IsSkipped()) return;
  const std::vector<engine::Channel> drives{{"boom", "m"}, {"arm", "m"}};
  const engine::DriveLimits limits{1.0, 2.0, 0.4, 1.0};
  GamepadSource source(open_first_pad(),
                       build_gamepad_map_from_text("pattern: iso\nlevers: {boom: boom, arm: arm}\n"
                                                   "defaults: {dead_band: 0, rate_limit: 1000}\n",
                                                   "map.yaml", drives),
                       {"excavator", drives, {limits, limits}}, 100);
  set_axis(SDL_CONTROLLER_AXIS_RIGHTY, 32767);
  Outgoing out;
  source.fill(0, out);
  EXPECT_DOUBLE_EQ(out.values[0], 0.4);
  EXPECT_EQ(out.values[1], 0);
}

TEST_F(VirtualPad, IsMissedWhenItIsUnplugged) {
  plug_in();
  if (IsSkipped()) return;
  const std::unique_ptr<Pad> pad = open_first_pad();
  ASSERT_TRUE(pad->update());
  ASSERT_EQ(find<decltype(&SDL_JoystickDetachVirtual)>("SDL_JoystickDetachVirtual")(device_), 0);
  device_ = -1;
  EXPECT_FALSE(pad->update());
}

TEST_F(VirtualPad, IsAskedForWhenThereIsNone) {
  if (find<decltype(&SDL_NumJoysticks)>("SDL_NumJoysticks")() != 0)
    GTEST_SKIP() << "a real gamepad is connected";
  try {
    static_cast<void>(open_first_pad());
    FAIL();
  } catch (const engine::NetError& error) {
    EXPECT_STREQ(error.what(), "no gamepad is connected");
  }
}

}  // namespace
}  // namespace rodeo::tools
#endif
