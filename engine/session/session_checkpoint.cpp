// SPDX-License-Identifier: MIT
// A session as bytes, little-endian: counter, checksum, latches, status, from rules 3 on the machine's own ticks, inputs, then the stepper's. Snapshots are left out: a
// recording that goes on from here knows which of them were taken since.
#include <cassert>
#include <cstring>

#include "engine/session/session.h"

namespace rodeo::engine {
namespace {

struct CheckpointHead {
  std::int64_t tick;
  std::uint64_t checksum;
  std::uint32_t latches;
  std::uint32_t status;
};
static_assert(sizeof(CheckpointHead) == 24);

std::size_t own_bytes(const SessionOptions& options) noexcept {
  return options.rules < 3 ? 0 : sizeof(std::int64_t);
}

}  // namespace

std::size_t Session::saved_bytes() const noexcept {
  return sizeof(CheckpointHead) + own_bytes(options_) + std::span(inputs_).size_bytes() +
         stepper_.saved_bytes();
}

void Session::save(std::span<unsigned char> bytes) const noexcept {
  assert(bytes.size() == saved_bytes());
  const CheckpointHead head{tick_, checksum_, latches_, status_};
  const std::size_t inputs = std::span(inputs_).size_bytes(), own = own_bytes(options_);
  std::memcpy(bytes.data(), &head, sizeof head);
  std::memcpy(bytes.data() + sizeof head, &own_ticks_, own);
  if (inputs > 0) std::memcpy(bytes.data() + sizeof head + own, inputs_.data(), inputs);
  stepper_.save(bytes.subspan(sizeof head + own + inputs));
}

KernelStatus Session::try_restore(std::span<const unsigned char> bytes) noexcept {
  if (bytes.size() != saved_bytes()) return KernelStatus::bad_state;
  CheckpointHead head{};
  const std::size_t inputs = std::span(inputs_).size_bytes(), own = own_bytes(options_);
  const KernelStatus status = stepper_.try_restore(bytes.subspan(sizeof head + own + inputs));
  if (status != KernelStatus::ok) return status;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (inputs > 0) std::memcpy(inputs_.data(), bytes.data() + sizeof head + own, inputs);
  if (inputs > 0) stepper_.set_inputs(inputs_);
  tick_ = own_ticks_ = head.tick;
  std::memcpy(&own_ticks_, bytes.data() + sizeof head, own);
  checksum_ = head.checksum;
  latches_ = head.latches;
  status_ = head.status;
  for (Saved& slot : snapshots_) slot.is_filled = false;
  return KernelStatus::ok;
}

}  // namespace rodeo::engine
