// SPDX-License-Identifier: MIT
// A tick as it lies in the ring: plain memory of one size for one machine, so that taking it costs a copy and nothing else.
//     EntryHead | Command per drive | double per force | DriveState per drive | double per output | double per load | double per
//     force as it was felt
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "engine/session/session.h"

namespace rodeo::engine {

struct EntryHead {
  std::int64_t tick = 0;
  std::uint64_t lost = 0;  // ticks that were lost just before this one
  std::uint64_t checksum = 0;
  double residual = 0;
  double margin = 0;
  std::uint32_t skipped = 0;
  std::uint32_t status = 0;
  std::uint8_t verb = 0;
  std::uint8_t slot = 0;
  std::uint8_t events = 0;
  bool has_state = false;       // drives, outputs, loads and what was felt are filled in
  bool has_checkpoint = false;  // the session is in the ring of checkpoints
  Origin origin{};
};

/// Where the parts of an entry are. The memory is aligned as a double.
class EntryLayout {
 public:
  explicit EntryLayout(const Kernel& kernel) noexcept
      : drives_(kernel.drive_count()),
        forces_(kernel.force_count()),
        outputs_(kernel.output_count()),
        loads_(kernel.load_count()) {}

  [[nodiscard]] std::size_t bytes() const noexcept { return felt_at() + forces_ * sizeof(double); }

  [[nodiscard]] EntryHead& head(std::byte* entry) const noexcept {
    return *reinterpret_cast<EntryHead*>(entry);
  }
  [[nodiscard]] std::span<Command> commands(std::byte* entry) const noexcept {
    return {reinterpret_cast<Command*>(entry + sizeof(EntryHead)), drives_};
  }
  [[nodiscard]] std::span<double> forces(std::byte* entry) const noexcept {
    return {reinterpret_cast<double*>(entry + forces_at()), forces_};
  }
  [[nodiscard]] std::span<DriveState> drives(std::byte* entry) const noexcept {
    return {reinterpret_cast<DriveState*>(entry + drives_at()), drives_};
  }
  [[nodiscard]] std::span<double> outputs(std::byte* entry) const noexcept {
    return {reinterpret_cast<double*>(entry + outputs_at()), outputs_};
  }
  [[nodiscard]] std::span<double> loads(std::byte* entry) const noexcept {
    return {reinterpret_cast<double*>(entry + loads_at()), loads_};
  }
  /// What the machine felt of the forces: 0 where nobody pushes any more.
  [[nodiscard]] std::span<double> felt(std::byte* entry) const noexcept {
    return {reinterpret_cast<double*>(entry + felt_at()), forces_};
  }

  /// All but `lost` and `has_checkpoint`. Real-time safe.
  void fill(std::byte* entry, const TickInput& input, const Session& session, bool has_state) const noexcept;

 private:
  [[nodiscard]] std::size_t forces_at() const noexcept {
    return sizeof(EntryHead) + drives_ * sizeof(Command);
  }
  [[nodiscard]] std::size_t drives_at() const noexcept { return forces_at() + forces_ * sizeof(double); }
  [[nodiscard]] std::size_t outputs_at() const noexcept { return drives_at() + drives_ * sizeof(DriveState); }
  [[nodiscard]] std::size_t loads_at() const noexcept { return outputs_at() + outputs_ * sizeof(double); }
  [[nodiscard]] std::size_t felt_at() const noexcept { return loads_at() + loads_ * sizeof(double); }

  std::size_t drives_;
  std::size_t forces_;
  std::size_t outputs_;
  std::size_t loads_;
};

static_assert(sizeof(EntryHead) % alignof(double) == 0 && sizeof(Command) % alignof(double) == 0);
static_assert(std::is_trivially_copyable_v<EntryHead> && std::is_trivially_copyable_v<Command>);

}  // namespace rodeo::engine
