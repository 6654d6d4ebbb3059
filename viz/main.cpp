// SPDX-License-Identifier: MIT
// rodeo-view: a program of its own, so that no picture can ever disturb the loop. Exit status as rodeo's: 1 a file is wrong, 2 the
// command line is, 3 a fault while running.
#include <fmt/format.h>

#include <cstdlib>

#include "engine/io/input.h"
#include "engine/io/printable.h"
#include "engine/net/error.h"
#include "viz/app/offscreen.h"
#include "viz/app/run.h"
#include "viz/feed/scene_file.h"

int main(int argc, char** argv) {
  using namespace rodeo;
  viz::ViewOptions options;
  int status = 0;
  try {
    if (!viz::read_options(argc, argv, options, status)) return status;
    return viz::run(options);
  } catch (const viz::SceneError& error) {
    engine::print_sentence("{}", error.what());
    status = 1;
  } catch (const engine::IoError& error) {
    engine::print_sentence("{}", error.what());
    status = 1;
  } catch (const engine::AddressError& error) {
    engine::print_sentence("{}", error.what());
    status = 2;
  } catch (const std::exception& error) {
    engine::print_sentence("rodeo-view: {}", error.what());
    status = 3;
  }
  return status;
}
