// SPDX-License-Identifier: MIT
#include "viz/app/window.h"

#include <fmt/format.h>
#include <osgGA/GUIEventHandler>
#include <osgViewer/Viewer>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "viz/app/samples.h"
#include "viz/app/setup.h"

namespace rodeo::viz {
namespace {

using Adapter = osgGA::GUIEventAdapter;

/// Two thirds of the screen's height, but no less than what the figures are laid out for.
void place(osg::GraphicsContext::Traits& traits, const ViewOptions& options) {
  traits.readDISPLAY();
  traits.setUndefinedScreenDetailsToDefaultScreen();
  if (options.channel.screen != 0) traits.screenNum = options.channel.screen;
  unsigned screen_width = 0, screen_height = 0;
  if (auto* system = osg::GraphicsContext::getWindowingSystemInterface(); system != nullptr)
    system->getScreenResolution(traits, screen_width, screen_height);
  const int height = std::max(720, static_cast<int>(screen_height) * 2 / 3);
  traits.width = options.is_size_given ? options.width : height * 16 / 9;
  traits.height = options.is_size_given ? options.height : height;
  traits.x = std::max(0, (static_cast<int>(screen_width) - traits.width) / 2);
  traits.y = std::max(0, (static_cast<int>(screen_height) - traits.height) / 2);
  if (!options.channel.window) return;
  const auto& window = *options.channel.window;
  traits.x = window[0], traits.y = window[1], traits.width = window[2], traits.height = window[3];
}

osg::ref_ptr<osg::GraphicsContext> try_open(const ViewOptions& options, int samples) {
  osg::ref_ptr<osg::GraphicsContext::Traits> traits = new osg::GraphicsContext::Traits;
  place(*traits, options);
  traits->windowName = "rodeo";
  traits->windowDecoration = !options.channel.window;  // a channel of a display has no frame
  traits->doubleBuffer = true;
  traits->stencil = 8;
  traits->sampleBuffers = samples > 0 ? 1 : 0;
  traits->samples = static_cast<unsigned>(samples);
  osg::ref_ptr<osg::GraphicsContext> context = osg::GraphicsContext::createGraphicsContext(traits);
  return context.valid() && context->valid() ? context : nullptr;
}

[[noreturn]] void refuse(const std::string& why) {
  throw RenderError(fmt::format(
      "no window can be opened ({}): --screenshot FILE.png or --video FILE.mp4 draw without one", why));
}

/// Not every screen has several samples a pixel. Without DISPLAY, OSG would try :0, which may be somebody else's.
osg::ref_ptr<osg::GraphicsContext> open(const ViewOptions& options) {
  const char* display = std::getenv("DISPLAY");
  if (display == nullptr || *display == '\0') refuse("DISPLAY is not set");
  const int samples = find_window_samples(options);
  osg::ref_ptr<osg::GraphicsContext> context = try_open(options, samples);
  if (!context && samples > 0) context = try_open(options, 0);
  if (!context) refuse(fmt::format("DISPLAY is '{}'", display));
  return context;
}

class Gatherer final : public osgGA::GUIEventHandler {
 public:
  bool handle(const Adapter& event, osgGA::GUIActionAdapter&) override {
    WindowEvent result;
    if (!read(event, result)) return false;
    const double width = event.getWindowWidth(), height = event.getWindowHeight();
    result.x = (event.getXnormalized() + 1) / 2 * width;
    result.y = (1 - event.getYnormalized()) / 2 * height;
    events.push_back(result);
    return false;
  }

  std::vector<WindowEvent> events;

 private:
  static bool read(const Adapter& event, WindowEvent& result) {
    using Kind = WindowEvent::Kind;
    switch (event.getEventType()) {
      case Adapter::KEYDOWN:
      case Adapter::KEYUP:
        result.kind = event.getEventType() == Adapter::KEYDOWN ? Kind::key_down : Kind::key_up;
        result.key = event.getKey() < 128 ? std::tolower(event.getKey()) : event.getKey();
        return true;
      case Adapter::PUSH:
      case Adapter::DRAG:
      case Adapter::RELEASE:
        result.kind = event.getEventType() == Adapter::PUSH   ? Kind::button_down
                      : event.getEventType() == Adapter::DRAG ? Kind::drag
                                                              : Kind::button_up;
        result.is_left = (event.getButtonMask() & Adapter::LEFT_MOUSE_BUTTON) != 0;
        return true;
      case Adapter::SCROLL:
        result.kind = Kind::wheel;
        result.wheel = event.getScrollingMotion() == Adapter::SCROLL_UP ? 1 : -1;
        return true;
      default: return false;
    }
  }
};

/// Before the buffers are swapped, while what was drawn is still there.
class Photographer final : public osg::Camera::DrawCallback {
 public:
  void operator()(osg::RenderInfo&) const override {
    if (is_asked) picture = read_pixels(width, height);
    is_asked = false;
  }

  mutable bool is_asked = false;
  mutable Picture picture;
  int width = 0, height = 0;
};

}  // namespace

struct Window::Parts {
  explicit Parts(const ViewOptions& options)
      : context(open(options)), gatherer(new Gatherer), photographer(new Photographer) {
    viewer.setThreadingModel(osgViewer::Viewer::SingleThreaded);
    osg::Camera* camera = viewer.getCamera();
    camera->setGraphicsContext(context);
    camera->setFinalDrawCallback(photographer);
    const auto* traits = context->getTraits();
    camera->setViewport(0, 0, traits->width, traits->height);
    viewer.addEventHandler(gatherer);
  }

  [[nodiscard]] int width() const { return std::max(context->getTraits()->width, 16); }
  [[nodiscard]] int height() const { return std::max(context->getTraits()->height, 16); }

  void show_title() {
    auto* window = dynamic_cast<osgViewer::GraphicsWindow*>(context.get());
    if (window != nullptr && !title.empty()) window->setWindowName(title);
    title.clear();
  }

  osg::ref_ptr<osg::GraphicsContext> context;
  osg::ref_ptr<Gatherer> gatherer;
  osg::ref_ptr<Photographer> photographer;
  osgViewer::Viewer viewer;
  Stage* stage = nullptr;
  std::string title;  // once there is something to see
};

Window::Window(const ViewOptions& options) : parts_(std::make_unique<Parts>(options)) {}
Window::~Window() = default;

void Window::set_stage(Stage& stage, const std::string& title) {
  parts_->stage = &stage;
  set_up(parts_->viewer, *stage.root());
  if (!parts_->viewer.isRealized()) parts_->viewer.realize();
  parts_->title = title;
}

bool Window::is_open() const { return !parts_->viewer.done(); }
int Window::width() const noexcept { return parts_->width(); }
int Window::height() const noexcept { return parts_->height(); }

std::vector<WindowEvent> Window::take_events() { return std::exchange(parts_->gatherer->events, {}); }

void Window::poll() {
  parts_->viewer.advance();
  parts_->viewer.eventTraversal();
}

void Window::draw(const HudState& state, const Track* track) {
  osgViewer::Viewer& viewer = parts_->viewer;
  poll();
  if (viewer.done()) return;
  viewer.updateTraversal();
  parts_->stage->show(state, track, *viewer.getCamera(), width(), height());
  viewer.renderingTraversals();
  parts_->show_title();
}

Picture Window::take_picture(const HudState& state, const Track* track) {
  parts_->photographer->width = width();
  parts_->photographer->height = height();
  parts_->photographer->is_asked = true;
  draw(state, track);
  return std::move(parts_->photographer->picture);
}

}  // namespace rodeo::viz
