// SPDX-License-Identifier: MIT
// A gamepad through SDL2: its header when this is built, its library when it is used.
#include "engine/net/error.h"
#include "tools/rodeo/drive_gamepad.h"

#ifdef RODEO_SDL2

#include <SDL2/SDL.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace rodeo::tools {
namespace {

using engine::NetError;

/// The functions that are used, found by name.
struct Sdl {
  decltype(&SDL_SetHint) set_hint;
  decltype(&SDL_Init) init;
  decltype(&SDL_GetError) get_error;
  decltype(&SDL_NumJoysticks) count;
  decltype(&SDL_IsGameController) is_controller;
  decltype(&SDL_GameControllerOpen) open_controller;
  decltype(&SDL_GameControllerClose) close_controller;
  decltype(&SDL_GameControllerGetAxis) controller_axis;
  decltype(&SDL_GameControllerGetButton) controller_button;
  decltype(&SDL_GameControllerGetAxisFromString) axis_from_name;
  decltype(&SDL_GameControllerGetButtonFromString) button_from_name;
  decltype(&SDL_JoystickOpen) open;
  decltype(&SDL_JoystickClose) close;
  decltype(&SDL_JoystickUpdate) update;
  decltype(&SDL_JoystickGetAttached) is_attached;
  decltype(&SDL_JoystickName) name;
  decltype(&SDL_JoystickGetAxis) axis;
  decltype(&SDL_JoystickGetButton) button;
};

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr)
    throw NetError(fmt::format("the SDL2 of this computer is too old: it has no {}", name));
}

Sdl load() {
  void* library = ::dlopen("libSDL2-2.0.so.0", RTLD_NOW | RTLD_GLOBAL);  // for the life of the program
  if (library == nullptr) throw NetError("a gamepad needs SDL2: install the package libsdl2-2.0-0");
  Sdl sdl{};
  find(library, "SDL_SetHint", sdl.set_hint);
  find(library, "SDL_Init", sdl.init);
  find(library, "SDL_GetError", sdl.get_error);
  find(library, "SDL_NumJoysticks", sdl.count);
  find(library, "SDL_IsGameController", sdl.is_controller);
  find(library, "SDL_GameControllerOpen", sdl.open_controller);
  find(library, "SDL_GameControllerClose", sdl.close_controller);
  find(library, "SDL_GameControllerGetAxis", sdl.controller_axis);
  find(library, "SDL_GameControllerGetButton", sdl.controller_button);
  find(library, "SDL_GameControllerGetAxisFromString", sdl.axis_from_name);
  find(library, "SDL_GameControllerGetButtonFromString", sdl.button_from_name);
  find(library, "SDL_JoystickOpen", sdl.open);
  find(library, "SDL_JoystickClose", sdl.close);
  find(library, "SDL_JoystickUpdate", sdl.update);
  find(library, "SDL_JoystickGetAttached", sdl.is_attached);
  find(library, "SDL_JoystickName", sdl.name);
  find(library, "SDL_JoystickGetAxis", sdl.axis);
  find(library, "SDL_JoystickGetButton", sdl.button);
  return sdl;
}

bool is_number(const std::string& name) {
  return std::isdigit(static_cast<unsigned char>(name.front())) != 0;
}

class SdlPad final : public Pad {
 public:
  SdlPad(const Sdl& sdl, int device)
      : sdl_(sdl),
        joystick_(sdl.open(device)),
        controller_(sdl.is_controller(device) == SDL_TRUE ? sdl.open_controller(device) : nullptr) {
    if (joystick_ == nullptr) throw NetError(fmt::format("the gamepad cannot be used: {}", sdl.get_error()));
  }
  ~SdlPad() override {
    if (controller_ != nullptr) sdl_.close_controller(controller_);
    sdl_.close(joystick_);
  }
  SdlPad(const SdlPad&) = delete;
  SdlPad& operator=(const SdlPad&) = delete;

  bool update() override {
    sdl_.update();
    return sdl_.is_attached(joystick_) == SDL_TRUE;
  }

  [[nodiscard]] double axis(const std::string& name) const override {
    constexpr double kFull = 32767;  // SDL's axes end at -32768
    const double value = is_number(name)
                             ? sdl_.axis(joystick_, std::stoi(name))
                             : sdl_.controller_axis(controller_, sdl_.axis_from_name(name.c_str()));
    return std::max(-1.0, value / kFull);
  }

  [[nodiscard]] bool button(const std::string& name) const override {
    return (is_number(name) ? sdl_.button(joystick_, std::stoi(name))
                            : sdl_.controller_button(controller_, sdl_.button_from_name(name.c_str()))) != 0;
  }

  [[nodiscard]] std::string name() const override {
    const char* text = sdl_.name(joystick_);
    return text == nullptr ? "gamepad" : text;
  }

 private:
  Sdl sdl_;
  SDL_Joystick* joystick_;
  SDL_GameController* controller_;  // none if SDL does not know its layout: names then read as 0
};

}  // namespace

std::unique_ptr<Pad> open_first_pad() {
  const Sdl sdl = load();
  sdl.set_hint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");  // there is no window to have the focus
  sdl.set_hint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
  if (sdl.init(SDL_INIT_GAMECONTROLLER) != 0) {
    throw NetError(fmt::format("SDL2 cannot read gamepads here: {}", sdl.get_error()));
  }
  if (sdl.count() < 1) throw NetError("no gamepad is connected");
  return std::make_unique<SdlPad>(sdl, 0);
}

}  // namespace rodeo::tools

#else

namespace rodeo::tools {

std::unique_ptr<Pad> open_first_pad() {
  throw engine::NetError(
      "this rodeo was built without SDL2: install libsdl2-dev and build it again for --gamepad");
}

}  // namespace rodeo::tools

#endif
