// SPDX-License-Identifier: MIT
// What `rodeo run` connects its loop to: a cycle from a file, the network, a recording.
#pragma once
#include <memory>

#include "engine/io/input.h"
#include "engine/loop/ports.h"

namespace rodeo::tools {

/// A cycle in place of packets: at every tick the command of its simulated time.
class InputPort : public engine::CommandPort {
 public:
  explicit InputPort(std::unique_ptr<engine::Input> input) : input_(std::move(input)) {}

  [[nodiscard]] bool try_sample(std::int64_t now, engine::Sample& out) noexcept override {
    input_->sample(out.time, out.commands);
    out.arrival = now;
    return out.has_any = true;
  }
  [[nodiscard]] std::int64_t end() const noexcept { return input_->end(); }

 private:
  std::unique_ptr<engine::Input> input_;
};

}  // namespace rodeo::tools
