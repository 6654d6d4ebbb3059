// SPDX-License-Identifier: MIT
// Machine and bond-graph files: whatever the text is, the reader gives a model or a ModelError.
#include "kinematics/bondgraph/graph.h"
#include "kinematics/machine/machine.h"
#include "kinematics/spatial/machine.h"
#include "kinematics/text/yaml.h"

namespace {

void feed(const std::string& text) {
  using namespace rodeo;
  const std::string file = "fuzz.yaml";
  const text::Node root = text::build_yaml_from_text(text, file);
  if (!machine::is_machine(root)) {
    static_cast<void>(bondgraph::build_graph(root, file));
  } else if (spatial::is_spatial(root)) {
    static_cast<void>(spatial::build_machine(root, file));
  } else {
    static_cast<void>(machine::build_machine(root, file));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    feed({reinterpret_cast<const char*>(data), size});
  } catch (const rodeo::text::ModelError&) {
  }
  return 0;
}
