// SPDX-License-Identifier: MIT
// EGL: the surfaceless platform of Mesa first, then the first graphics card that has a driver, then whatever the system calls its
// default.
#include "viz/app/offscreen.h"

#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rodeo::viz {
namespace {

EGLDisplay find_display() {
  const auto get =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  const auto query = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
  std::vector<EGLDisplay> candidates;
  if (get != nullptr) {
    candidates.push_back(get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    std::array<EGLDeviceEXT, 8> devices{};
    EGLint count = 0;
    if (query != nullptr && query(static_cast<EGLint>(devices.size()), devices.data(), &count) != 0) {
      for (EGLint i = 0; i < count; ++i)
        candidates.push_back(get(EGL_PLATFORM_DEVICE_EXT, devices[static_cast<std::size_t>(i)], nullptr));
    }
  }
  candidates.push_back(eglGetDisplay(EGL_DEFAULT_DISPLAY));
  for (EGLDisplay display : candidates) {
    if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr) != 0) return display;
  }
  throw RenderError("no EGL display can be had: install a driver (Debian: libegl1 and libgl1-mesa-dri)");
}

/// With fewer samples where there are not as many.
EGLConfig find_config(EGLDisplay display, int samples) {
  for (int wanted = samples; wanted >= 0; wanted = wanted > 1 ? wanted / 2 : wanted - 1) {
    const EGLint attributes[]{EGL_SURFACE_TYPE,
                              EGL_PBUFFER_BIT,
                              EGL_RENDERABLE_TYPE,
                              EGL_OPENGL_BIT,
                              EGL_RED_SIZE,
                              8,
                              EGL_GREEN_SIZE,
                              8,
                              EGL_BLUE_SIZE,
                              8,
                              EGL_DEPTH_SIZE,
                              24,
                              EGL_STENCIL_SIZE,
                              8,
                              EGL_SAMPLES,
                              wanted > 1 ? wanted : 0,
                              EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (eglChooseConfig(display, attributes, &config, 1, &count) != 0 && count > 0) return config;
  }
  throw RenderError("EGL has no surface with depth and stencil here: install Debian's libgl1-mesa-dri");
}

}  // namespace

Offscreen::Offscreen(int width, int height, int samples) : width_(width), height_(height) {
  display_ = find_display();
  EGLConfig config = find_config(display_, samples);
  eglBindAPI(EGL_OPENGL_API);
  context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, nullptr);
  const EGLint size[]{EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE};
  surface_ = eglCreatePbufferSurface(display_, config, size);
  if (context_ != EGL_NO_CONTEXT && surface_ != EGL_NO_SURFACE &&
      eglMakeCurrent(display_, surface_, surface_, context_) != 0)
    return;
  throw RenderError(fmt::format("cannot draw pictures of {}x{} here (EGL error 0x{:x}): try a smaller --size",
                                width, height, static_cast<unsigned>(eglGetError())));
}

Offscreen::~Offscreen() {
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroySurface(display_, surface_);
  eglDestroyContext(display_, context_);
  eglTerminate(display_);
}

Picture Offscreen::read() const { return read_pixels(width_, height_); }

/// OpenGL's rows begin at the bottom.
Picture read_pixels(int width, int height) {
  Picture picture{width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(3 * width * height))};
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, picture.rgb.data());
  const std::ptrdiff_t row = 3 * width;
  for (int y = 0; y < height / 2; ++y) {
    std::swap_ranges(picture.rgb.begin() + y * row, picture.rgb.begin() + (y + 1) * row,
                     picture.rgb.begin() + (height - 1 - y) * row);
  }
  return picture;
}

}  // namespace rodeo::viz
