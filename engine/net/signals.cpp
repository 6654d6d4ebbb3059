// SPDX-License-Identifier: MIT
#include "engine/net/signals.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cassert>

#include "engine/net/error.h"

namespace rodeo::engine {

SignalTable::SignalTable(const Kernel& kernel) {
  for (std::size_t d = 0; d < kernel.drive_count(); ++d) {
    add(kernel.drives()[d].name, kernel.drives()[d].unit, Source::position, d);
  }
  for (std::size_t i = 0; i < kernel.output_count(); ++i) {
    const rodeo_channel& output = kernel.outputs()[i];
    if (!has(output.name)) add(output.name, output.unit, Source::output, i);
  }
  for (std::size_t d = 0; d < kernel.drive_count(); ++d) add_drive_motion(kernel.drives()[d], d);
  for (std::size_t i = 0; i < kernel.load_count(); ++i) {
    add(kernel.loads()[i].name, kernel.loads()[i].unit, Source::load, i);
  }
  for (std::size_t i = 0; i < kernel.force_count(); ++i) {
    add(std::string("input.") + kernel.forces()[i].name, kernel.forces()[i].unit, Source::input, i + 1);
  }
}

SignalTable SignalTable::build_motion() const {
  SignalTable motion;
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    if (entries_[i].source == Source::load || entries_[i].source == Source::input) continue;
    motion.add(channels_[i].name, channels_[i].unit, entries_[i].source, entries_[i].index);
  }
  return motion;
}

void SignalTable::add(std::string name, std::string unit, Source source, std::size_t index) {
  channels_.push_back({std::move(name), std::move(unit)});
  entries_.push_back({source, index});
}

void SignalTable::add_drive_motion(const rodeo_channel& drive, std::size_t index) {
  const std::string name = drive.name;
  const std::string unit = drive.unit;
  if (!has(name + ".rate")) add(name + ".rate", unit + "/s", Source::rate, index);
  if (!has(name + ".acceleration")) add(name + ".acceleration", unit + "/s^2", Source::acceleration, index);
}

bool SignalTable::has(const std::string& name) const noexcept {
  return std::any_of(channels_.begin(), channels_.end(), [&](const Channel& c) { return c.name == name; });
}

SignalTable SignalTable::build_selection(const std::vector<std::string>& patterns) const {
  SignalTable selection;
  for (const std::string& pattern : patterns) {
    bool is_found = false;
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      const Channel& channel = channels_[i];
      if (::fnmatch(pattern.c_str(), channel.name.c_str(), FNM_NOESCAPE) != 0) continue;
      is_found = true;
      if (!selection.has(channel.name)) {
        selection.add(channel.name, channel.unit, entries_[i].source, entries_[i].index);
      }
    }
    if (!is_found) {
      throw AddressError(
          fmt::format("there is no signal '{}': 'rodeo packet MODEL --format python' lists them", pattern));
    }
  }
  return selection;
}

void SignalTable::gather(const TickValues& tick, std::span<double> values) const noexcept {
  assert(values.size() == entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    switch (entry.source) {
      case Source::position: values[i] = tick.drives[entry.index].position; break;
      case Source::rate: values[i] = tick.drives[entry.index].rate; break;
      case Source::acceleration: values[i] = tick.drives[entry.index].acceleration; break;
      case Source::output: values[i] = tick.outputs[entry.index]; break;
      case Source::load: values[i] = tick.loads[entry.index]; break;
      case Source::input: values[i] = tick.inputs[entry.index]; break;
    }
  }
}

}  // namespace rodeo::engine
