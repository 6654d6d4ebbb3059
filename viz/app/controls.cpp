// SPDX-License-Identifier: MIT
#include "viz/app/controls.h"

#include <osgGA/GUIEventAdapter>

#include <algorithm>
#include <utility>

#include "engine/session/key_map.h"
#include "viz/app/camera.h"
#include "viz/app/canvas.h"
#include "viz/scene/overlay_node.h"
#include "viz/scene/world_node.h"

namespace rodeo::viz {
namespace {

constexpr double kZoom = 1.12;  // a notch of the wheel

}  // namespace

std::optional<double> find_bar_part(double x, double y, int width, int height) noexcept {
  const double scale = height / kCanvasHeight;
  const double canvas_width = width / scale;
  const double left = kBarEdge, right = canvas_width - kBarEdge;
  const double from_top = kCanvasHeight - kBarBottom;
  if (y / scale < from_top - 12 || y / scale > from_top + 18) return {};
  if (x / scale < left - 8 || x / scale > right + 8) return {};
  return std::clamp((x / scale - left) / (right - left), 0.0, 1.0);
}

bool Controls::take_picture_wish() noexcept { return std::exchange(wants_picture_, false); }

void Controls::apply(const WindowEvent& event, int width, int height, const HudState& state, Stage& stage,
                     Player& player) {
  using Kind = WindowEvent::Kind;
  const bool has_bar = !state.is_live && state.end > state.begin;
  const auto part = has_bar ? find_bar_part(event.x, event.y, width, height) : std::nullopt;
  switch (event.kind) {
    case Kind::key_down: return press(event.key, stage, player);
    case Kind::key_up: return player.release(event.key);
    case Kind::wheel: return stage.camera().zoom(event.wheel > 0 ? kZoom : 1 / kZoom);
    case Kind::button_up: is_scrubbing_ = false; return;
    case Kind::button_down:
      is_scrubbing_ = event.is_left && part.has_value();
      if (is_scrubbing_) player.scrub(*part);
      break;
    case Kind::drag:
      if (!is_scrubbing_) {
        drag(event, height, stage);
      } else if (const auto on =
                     find_bar_part(event.x, height * (1 - kBarBottom / kCanvasHeight), width, height)) {
        player.scrub(*on);  // also when the hand slips off, up or down
      }
      break;
  }
  x_ = event.x, y_ = event.y;
}

void Controls::drag(const WindowEvent& event, int height, Stage& stage) {
  const double right = (event.x - x_) / height, up = (y_ - event.y) / height;
  event.is_left ? stage.camera().turn(right, up) : stage.camera().shift(right, up);
}

void Controls::press(int key, Stage& stage, Player& player) {
  using Layer = OverlayNode::Layer;
  using Key = osgGA::GUIEventAdapter::KeySymbol;
  switch (key) {
    case Key::KEY_F1: return stage.camera().select(CameraKind::orbit);
    case Key::KEY_F2: return stage.camera().select(CameraKind::follow);
    case Key::KEY_F3: return stage.camera().select(CameraKind::side);
    case Key::KEY_F4: return stage.camera().select(CameraKind::cab);
    case 'v': return stage.camera().reset();
    case 't': return stage.overlay().toggle(Layer::trails);
    case 'j': return stage.overlay().toggle(Layer::names);
    case 'w': return stage.overlay().toggle(Layer::arrows);
    case 'x': return stage.overlay().toggle(Layer::frames);
    case 'u': return stage.hud().toggle();
    case 'h': return stage.hud().toggle_help();
    case 'p': wants_picture_ = true; return;
    case 'l': has_shadow_ = !has_shadow_; return stage.world().show_shadow(has_shadow_);
    case 'q':
    case engine::kQuitKey:
    case Key::KEY_Escape: wants_end_ = true; return;
    default: return player.press(key);
  }
}

}  // namespace rodeo::viz
