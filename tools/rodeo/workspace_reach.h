// SPDX-License-Identifier: MIT
// Every pose within the drives' ranges that a machine can go to from its start, on a grid of drive positions. Reached as the machine
// reaches it: from pose to neighbouring pose by the kernel, so that the assembly branch is kept and what lies beyond a singular pose
// does not count.
#pragma once
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "engine/step/model_folder.h"

namespace rodeo::tools {

/// A drive that moves the output, and its positions on the grid.
struct Axis {
  std::size_t drive = 0;
  std::string name;
  std::string unit;
  double low = 0;
  double high = 0;
  std::size_t count = 0;

  [[nodiscard]] double position(std::size_t index) const noexcept {
    return low + (high - low) * static_cast<double>(index) / static_cast<double>(count - 1);
  }
};

/// Where the output is at a node; nan where the machine does not get.
struct Place {
  std::array<double, 3> at;  // x, y, z; z is 0 in the plane
  double margin;             // of the kernel, 0 singular to 1
};

/// The pose with the smallest margin.
struct Narrowest {
  Place place{};
  std::vector<double> positions;  // of all drives of the machine
  double on_grid = 0;             // the smallest margin among the nodes
  std::size_t descents = 0;       // from the best nodes
};

struct Reach {
  std::vector<Axis> axes;     // drives that move the output
  std::vector<Axis> others;   // they do not, and stay at their start; but the margin may depend on them
  std::vector<Place> places;  // the first axis runs fastest
  Narrowest narrowest;        // of all that all drives reach
  bool is_spatial = false;

  /// Of all drives at a node; those that are no axis are at their start.
  [[nodiscard]] std::vector<double> calc_positions(std::size_t node, std::vector<double> start) const;

  [[nodiscard]] std::size_t stride(std::size_t axis) const noexcept;
  [[nodiscard]] std::size_t index(std::size_t node, std::size_t axis) const noexcept;
  [[nodiscard]] bool is_reached(std::size_t node) const noexcept;
};

/// Throws KernelError: no such output, a length without a range, nothing that moves it. `where` is what errors begin with;
/// `on_progress` gets the part that is done.
[[nodiscard]] Reach find_reach(const engine::ModelFolder& model, const std::string& where,
                               const std::string& output, const std::function<void(double)>& on_progress);

}  // namespace rodeo::tools
