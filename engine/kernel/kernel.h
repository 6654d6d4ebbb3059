// SPDX-License-Identifier: MIT
// A compiled kernel, loaded and checked, and instances of it. The kernel is constant and may be shared; an instance is
// the memory of one machine and belongs to one thread. Loading may throw; every try_ function is real-time safe.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/kernel/rodeo_kernel.h"

namespace rodeo::engine {

/// Why a kernel or a model folder cannot be used, as one sentence that begins with the path.
class KernelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// rodeo_status of the C ABI. A number that the ABI does not know counts as bad_state.
enum class KernelStatus : int { ok = 0, bad_input = 1, singular = 2, open = 3, bad_state = 4 };

/// What a machine is called and measured in, without its code.
struct KernelNames {
  struct Channel {
    std::string name;
    std::string unit;
  };
  std::string name;
  std::string model_fingerprint;
  std::vector<Channel> parameters, drives, outputs, inputs, loads;
  std::vector<double> default_parameters, start_drives;
};

/// Copies share the loaded library, which stays loaded until the last of them is gone.
class Kernel {
 public:
  /// Loads a shared object; throws KernelError for what is missing, cut off, foreign or of another ABI version.
  [[nodiscard]] static Kernel build_from_file(const std::string& path);
  /// The same from its bytes, which need no file; errors begin with `where`.
  [[nodiscard]] static Kernel build_from_bytes(std::string_view bytes, const std::string& where);
  /// A kernel that is linked into this program; throws KernelError, under the name `where`, if its table is not sane.
  [[nodiscard]] static Kernel build_from_table(const rodeo_kernel* table, const std::string& where);

  /// A kernel that has these channels and computes nothing, every function giving RODEO_BAD_STATE: for readers of what somebody
  /// else's kernel has computed.
  [[nodiscard]] static Kernel build_inert(KernelNames names);

  [[nodiscard]] const rodeo_kernel& table() const noexcept { return *table_; }
  [[nodiscard]] std::string_view name() const noexcept { return table_->name; }
  [[nodiscard]] std::string_view model_fingerprint() const noexcept { return table_->model_fingerprint; }

  [[nodiscard]] std::size_t drive_count() const noexcept { return table_->n_drives; }
  [[nodiscard]] std::size_t state_count() const noexcept { return table_->n_states; }
  [[nodiscard]] std::size_t output_count() const noexcept { return table_->n_outputs; }
  [[nodiscard]] std::size_t parameter_count() const noexcept { return table_->n_parameters; }
  [[nodiscard]] std::size_t input_count() const noexcept { return table_->n_inputs; }
  [[nodiscard]] std::size_t load_count() const noexcept { return table_->n_loads; }
  [[nodiscard]] std::size_t free_count() const noexcept { return table_->n_free; }

  [[nodiscard]] std::span<const rodeo_channel> drives() const noexcept;
  [[nodiscard]] std::span<const rodeo_channel> states() const noexcept;
  [[nodiscard]] std::span<const rodeo_channel> outputs() const noexcept;
  [[nodiscard]] std::span<const rodeo_channel> parameters() const noexcept;
  /// Of the loads: the time first, then what comes from outside. None where the machine has no loads.
  [[nodiscard]] std::span<const rodeo_channel> inputs() const noexcept;
  [[nodiscard]] std::span<const rodeo_channel> loads() const noexcept;
  /// The inputs without the time: forces, torques and payloads from outside.
  [[nodiscard]] std::span<const rodeo_channel> forces() const noexcept {
    return inputs().subspan(table_->n_inputs > 0 ? 1 : 0);
  }
  [[nodiscard]] std::size_t force_count() const noexcept { return forces().size(); }
  [[nodiscard]] std::span<const double> default_parameters() const noexcept;
  [[nodiscard]] std::span<const double> start_drives() const noexcept;

 private:
  Kernel(std::shared_ptr<void> library, const rodeo_kernel* table)
      : library_(std::move(library)), table_(table) {}

  std::shared_ptr<void> library_;  // none if linked in
  const rodeo_kernel* table_;
};

/// The names of channels, in their order.
[[nodiscard]] std::vector<std::string> build_names(std::span<const rodeo_channel> channels);

/// The memory of one machine. Nothing but try_init and try_restore may be called before one of these two returned ok.
/// Sizes of spans are the caller's promise, asserted.
class Instance {
 public:
  explicit Instance(Kernel kernel);

  [[nodiscard]] const Kernel& kernel() const noexcept { return kernel_; }

  [[nodiscard]] KernelStatus try_init(std::span<const double> parameters,
                                      std::span<const double> positions) noexcept;
  /// drives: position, rate and acceleration of each.
  [[nodiscard]] KernelStatus try_step(std::span<const double> drives, std::span<double> outputs) noexcept;
  /// rates: at the begin, middle and end of the period, of each drive.
  [[nodiscard]] KernelStatus try_integrate(std::span<const double> rates, double period, rodeo_method method,
                                           rodeo_closure closure, double gain) noexcept;
  /// rates: rate and acceleration of each drive.
  [[nodiscard]] KernelStatus try_poses(std::span<const double> rates,
                                       std::span<double> outputs) const noexcept;
  /// What nobody drives, over one period. drives: position, rate and acceleration at its begin, middle and end, of each.
  [[nodiscard]] KernelStatus try_free(std::span<const double> drives, std::span<const double> inputs,
                                      double period, rodeo_method method) noexcept;
  /// Position, rate and acceleration of each free coordinate.
  void get_free(std::span<double> values) const noexcept;
  /// From the outputs of a step and the inputs.
  [[nodiscard]] KernelStatus try_loads(std::span<const double> outputs, std::span<const double> inputs,
                                       std::span<double> loads) const noexcept;
  [[nodiscard]] KernelStatus try_closure(std::span<const double> states, double& largest) const noexcept;
  /// d/dt of given states, one rate a drive.
  [[nodiscard]] KernelStatus try_derivatives(std::span<const double> states, std::span<const double> rates,
                                             std::span<double> result) const noexcept;
  /// Becomes what another instance of the same kernel is.
  void copy(const Instance& other) noexcept;

  [[nodiscard]] double calc_margin() const noexcept;
  void set_stop_margin(double margin) noexcept;

  void get_state(std::span<double> states) const noexcept;
  [[nodiscard]] KernelStatus try_set_state(std::span<const double> states) noexcept;
  [[nodiscard]] std::size_t state_bytes() const noexcept { return kernel_.table().state_bytes; }
  void save(std::span<unsigned char> bytes) const noexcept;
  [[nodiscard]] KernelStatus try_restore(std::span<const unsigned char> bytes) noexcept;

 private:
  struct Free {
    void operator()(void* memory) const noexcept;
  };

  Kernel kernel_;
  std::unique_ptr<void, Free> memory_;
};

}  // namespace rodeo::engine
