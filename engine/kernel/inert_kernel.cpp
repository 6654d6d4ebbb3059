// SPDX-License-Identifier: MIT
// A table of channels whose functions compute nothing.
#include <deque>
#include <utility>

#include "engine/kernel/kernel.h"

namespace rodeo::engine {
namespace {

int refuse_init(void*, const double*, const double*) { return RODEO_BAD_STATE; }
int refuse_step(void*, const double*, double*) { return RODEO_BAD_STATE; }
int refuse_steps(void*, const double*, double*, std::size_t, std::size_t* done) {
  *done = 0;
  return RODEO_BAD_STATE;
}
int refuse_integrate(void*, const double*, double, int, int, double) { return RODEO_BAD_STATE; }
int refuse_derivatives(const void*, const double*, const double*, double*) { return RODEO_BAD_STATE; }
int refuse_closure(const void*, const double*, double*) { return RODEO_BAD_STATE; }
int refuse_poses(const void*, const double*, double*) { return RODEO_BAD_STATE; }
int refuse_loads(const void*, const double*, const double*, double*) { return RODEO_BAD_STATE; }
double no_margin(const void*) { return 0; }
void ignore_margin(void*, double) {}
void no_state(const void*, double*) {}
int refuse_state(void*, const double*) { return RODEO_BAD_STATE; }
void no_bytes(const void*, unsigned char*) {}
int refuse_bytes(void*, const unsigned char*) { return RODEO_BAD_STATE; }

class Inert {
 public:
  explicit Inert(KernelNames names) : names_(std::move(names)) {
    table_.abi = RODEO_KERNEL_ABI;
    table_.name = names_.name.c_str();
    table_.version = "";
    table_.model_fingerprint = names_.model_fingerprint.c_str();
    table_.interface_fingerprint = "";
    set(names_.parameters, table_.parameters, table_.n_parameters);
    set(names_.drives, table_.drives, table_.n_drives);
    set(names_.outputs, table_.outputs, table_.n_outputs);
    set(names_.inputs, table_.inputs, table_.n_inputs);
    set(names_.loads, table_.loads, table_.n_loads);
    names_.default_parameters.resize(names_.parameters.size());
    names_.start_drives.resize(names_.drives.size());
    table_.default_parameters = names_.default_parameters.data();
    table_.start_drives = names_.start_drives.data();
    table_.instance_bytes = 1;
    set_functions();
  }
  Inert(const Inert&) = delete;
  Inert& operator=(const Inert&) = delete;

  [[nodiscard]] const rodeo_kernel* table() const noexcept { return &table_; }

 private:
  void set(const std::vector<KernelNames::Channel>& from, const rodeo_channel*& to, std::uint32_t& count) {
    std::vector<rodeo_channel>& channels = channels_.emplace_back();
    for (const KernelNames::Channel& channel : from)
      channels.push_back({channel.name.c_str(), channel.unit.c_str()});
    to = channels.data();
    count = static_cast<std::uint32_t>(channels.size());
  }
  void set_functions() {
    table_.init = refuse_init;
    table_.step = refuse_step;
    table_.steps = refuse_steps;
    table_.integrate = refuse_integrate;
    table_.derivatives = refuse_derivatives;
    table_.closure = refuse_closure;
    table_.poses = refuse_poses;
    table_.calc_loads = refuse_loads;
    table_.margin = no_margin;
    table_.set_stop_margin = ignore_margin;
    table_.get_state = no_state;
    table_.set_state = refuse_state;
    table_.save = no_bytes;
    table_.restore = refuse_bytes;
  }

  KernelNames names_;
  std::deque<std::vector<rodeo_channel>> channels_;
  rodeo_kernel table_{};
};

}  // namespace

Kernel Kernel::build_inert(KernelNames names) {
  auto inert = std::make_shared<Inert>(std::move(names));
  const rodeo_kernel* table = inert->table();
  return {std::move(inert), table};
}

}  // namespace rodeo::engine
