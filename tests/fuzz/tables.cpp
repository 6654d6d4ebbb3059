// SPDX-License-Identifier: MIT
// CSV: cycles of drives, inputs of a graph, logs to be drawn, phases. The first byte chooses.
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>

#include "engine/io/csv.h"
#include "viz/plot/table.h"

namespace {

using namespace rodeo;

void sample(engine::CsvInput& input) {
  std::vector<engine::Command> commands(2, engine::Command::moving(0));
  std::vector<double> forces(1);
  for (std::int64_t time = 0; time <= 4'000'000; time += 500'000) {
    input.sample(time, commands);
    input.sample_forces(time, forces);
  }
}

void feed(std::uint8_t kind, const std::string& text) {
  std::istringstream in(text);
  switch (kind % 4) {
    case 0: {
      engine::CsvInput input(
          engine::build_csv(in, "fuzz.csv", {"lift", "tilt"}, engine::CsvColumns::drives, {"dig"}));
      sample(input);
      return;
    }
    case 1: static_cast<void>(engine::build_csv(in, "fuzz.csv", {"u"}, engine::CsvColumns::inputs)); return;
    case 2: static_cast<void>(plot::build_table(in, "fuzz.csv")); return;
    default: static_cast<void>(plot::build_phases(in, "fuzz.csv"));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    feed(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  } catch (const engine::IoError&) {
  }
  return 0;
}
