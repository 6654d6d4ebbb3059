// SPDX-License-Identifier: MIT
// interface.json, scene.json; site, gamepad and channel files. The first byte chooses.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "engine/io/input.h"
#include "engine/net/error.h"
#include "engine/net/site.h"
#include "engine/step/model_folder.h"
#include "tests/fuzz/scratch_file.h"
#include "tools/rodeo/drive_map.h"
#include "viz/app/channel_file.h"
#include "viz/feed/scene_file.h"

namespace {

using namespace rodeo;

const std::vector<engine::Channel>& drives() {
  static const std::vector<engine::Channel> two{{"lift", "m"}, {"tilt", "m"}};
  return two;
}

void feed(std::uint8_t kind, const std::string& text) {
  switch (kind % 5) {
    case 0: static_cast<void>(engine::ModelFolder::build_inert(text, "fuzz")); return;
    case 1: static_cast<void>(viz::build_scene_from_text(text, "fuzz")); return;
    case 2: static_cast<void>(engine::build_site_from_text(text, "fuzz.yaml", drives())); return;
    case 3: static_cast<void>(tools::build_gamepad_map_from_text(text, "fuzz.yaml", drives())); return;
    default:
      static fuzz::ScratchFile file;
      file.write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
      static_cast<void>(viz::build_channel(file.path()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    feed(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  } catch (const engine::KernelError&) {
  } catch (const engine::IoError&) {
  } catch (const engine::NetError&) {
  } catch (const viz::SceneError&) {
  }
  return 0;
}
