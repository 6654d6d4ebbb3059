// SPDX-License-Identifier: MIT
// The numbers of a session that can be published, by name: drives (`lift`), the kernel's outputs (`boom.angle`, `tip.x`), then
// `<drive>.rate` and `<drive>.acceleration` where no output has that name, then the loads (`lift.force`) and what
// comes from outside (`input.load.mass`), which are published only where a destination asks for them.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/kernel/kernel.h"
#include "engine/net/fingerprint.h"
#include "engine/step/tick_values.h"

namespace rodeo::engine {

class SignalTable {
 public:
  /// All signals of a machine.
  explicit SignalTable(const Kernel& kernel);

  [[nodiscard]] const std::vector<Channel>& channels() const noexcept { return channels_; }
  [[nodiscard]] std::size_t count() const noexcept { return channels_.size(); }

  /// All but loads and inputs: what is published to a destination that does not choose.
  [[nodiscard]] SignalTable build_motion() const;
  /// Those that match, in the order of the patterns, each once: a name, or a pattern with * and ? as in `*.angle`.
  /// Throws AddressError for a pattern that matches nothing.
  [[nodiscard]] SignalTable build_selection(const std::vector<std::string>& patterns) const;

  /// One value a signal; real-time safe.
  void gather(const TickValues& tick, std::span<double> values) const noexcept;

 private:
  enum class Source : unsigned char { position, rate, acceleration, output, load, input };
  struct Entry {
    Source source;
    std::size_t index;
  };
  SignalTable() = default;
  void add(std::string name, std::string unit, Source source, std::size_t index);
  void add_drive_motion(const rodeo_channel& drive, std::size_t index);
  [[nodiscard]] bool has(const std::string& name) const noexcept;

  std::vector<Channel> channels_;
  std::vector<Entry> entries_;
};

}  // namespace rodeo::engine
