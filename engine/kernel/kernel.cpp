// SPDX-License-Identifier: MIT
// dlopen with everything checked before it is used. What a kernel's table says is believed only within sane bounds.
#include "engine/kernel/kernel.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <new>

#include "engine/kernel/elf_check.h"

namespace rodeo::engine {
namespace {

/// More than any machine has; a table beyond is not a table.
constexpr std::uint32_t kMostChannels = 10'000'000;
constexpr std::size_t kMostBytes = std::size_t{4} << 30;
/// A cache line, and what any vector instruction asks for.
constexpr std::size_t kAlignment = 64;

constexpr const char* kSymbol = "rodeo_kernel_get";

[[noreturn]] void refuse(const std::string& where, const std::string& why) {
  throw KernelError(fmt::format("{}: {}", where, why));
}

/// The dynamic linker knows files only: one that is gone with its descriptor. It also knows libraries by their paths, so the
/// descriptor stays as long as the library does, and no other gets its number.
class MemoryFile {
 public:
  MemoryFile(std::string_view bytes, const std::string& where)
      : file_(::memfd_create("kernel", MFD_CLOEXEC)) {
    while (file_ >= 0 && !bytes.empty()) {
      const ssize_t written = ::write(file_, bytes.data(), bytes.size());
      if (written <= 0) break;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    if (file_ >= 0 && bytes.empty()) return;
    if (file_ >= 0) ::close(file_);
    refuse(where, "there is no memory for it");
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  [[nodiscard]] std::string path() const { return fmt::format("/proc/self/fd/{}", file_); }

 private:
  int file_;
};

/// `keep` lives as long as the library.
std::shared_ptr<void> open_library(const std::string& path, const std::string& where,
                                   std::shared_ptr<const MemoryFile> keep = nullptr) {
  // Absolute: a name without a slash would be looked for in the system's folders.
  const std::string absolute = std::filesystem::absolute(path).string();
  void* handle = ::dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return {handle, [keep = std::move(keep)](void* library) { ::dlclose(library); }};
  const char* reason = ::dlerror();
  refuse(where, fmt::format("cannot be loaded: {}", reason != nullptr ? reason : "no reason given"));
}

void check_version(const rodeo_kernel& table, const std::string& where) {
  if (table.abi == RODEO_KERNEL_ABI) return;
  refuse(where, fmt::format("built for kernel ABI {}, this rodeo has {}: build it again", table.abi,
                            RODEO_KERNEL_ABI));
}

bool has_texts(const rodeo_kernel& k) {
  const std::array texts{k.name, k.version, k.model_fingerprint, k.interface_fingerprint};
  return std::all_of(texts.begin(), texts.end(), [](const char* text) { return text != nullptr; });
}

bool has_functions(const rodeo_kernel& k) {
  return k.init != nullptr && k.step != nullptr && k.steps != nullptr && k.integrate != nullptr &&
         k.derivatives != nullptr && k.closure != nullptr && k.poses != nullptr && k.margin != nullptr &&
         k.set_stop_margin != nullptr && k.get_state != nullptr && k.set_state != nullptr &&
         k.save != nullptr && k.restore != nullptr && (k.n_loads == 0 || k.calc_loads != nullptr) &&
         (k.n_free == 0 || (k.move != nullptr && k.get_free != nullptr));
}

bool has_sane_counts(const rodeo_kernel& k) {
  const std::array counts{k.n_parameters, k.n_drives, k.n_states, k.n_outputs,
                          k.n_blocks,     k.n_inputs, k.n_loads,  k.n_free};
  const auto is_sane = [](std::uint32_t count) { return count <= kMostChannels; };
  return std::all_of(counts.begin(), counts.end(), is_sane) && k.instance_bytes > 0 &&
         k.instance_bytes <= kMostBytes && k.state_bytes <= kMostBytes;
}

bool has_channels(const rodeo_channel* channels, std::uint32_t count) {
  if (count == 0) return true;
  const auto is_named = [](const rodeo_channel& c) { return c.name != nullptr && c.unit != nullptr; };
  return channels != nullptr && std::all_of(channels, channels + count, is_named);
}

bool has_values(const double* values, std::uint32_t count) {
  const auto is_finite = [](double value) { return std::isfinite(value); };
  return count == 0 || (values != nullptr && std::all_of(values, values + count, is_finite));
}

void check_table(const rodeo_kernel* table, const std::string& where) {
  const auto broken = [&](const char* part) {
    refuse(where, fmt::format("is a broken kernel ({}): build it again", part));
  };
  if (table == nullptr) broken("no table");
  check_version(*table, where);
  if (!has_texts(*table)) broken("no name or fingerprint");
  if (!has_sane_counts(*table)) broken("impossible counts");
  if (!has_functions(*table)) broken("a function is missing");
  if (!has_channels(table->parameters, table->n_parameters)) broken("parameters without names");
  if (!has_channels(table->drives, table->n_drives)) broken("drives without names");
  if (!has_channels(table->states, table->n_states)) broken("states without names");
  if (!has_channels(table->outputs, table->n_outputs)) broken("outputs without names");
  if (!has_channels(table->inputs, table->n_inputs)) broken("inputs without names");
  if (!has_channels(table->free_coordinates, table->n_free)) broken("free coordinates without names");
  if (!has_channels(table->loads, table->n_loads)) broken("loads without names");
  if (!has_values(table->default_parameters, table->n_parameters)) broken("parameters without values");
  if (!has_values(table->start_drives, table->n_drives)) broken("drives without start");
}

KernelStatus to_status(int status) noexcept {
  const bool is_known = status >= RODEO_OK && status <= RODEO_BAD_STATE;
  return is_known ? static_cast<KernelStatus>(status) : KernelStatus::bad_state;
}

void* build_memory(std::size_t bytes) {
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  void* memory = ::operator new (rounded, std::align_val_t{kAlignment});
  std::fill_n(static_cast<unsigned char*>(memory), rounded,
              static_cast<unsigned char>(0));  // prefaults it too
  return memory;
}

using Memory = std::unique_ptr<void, void (*)(void*)>;

void free_memory(void* memory) { ::operator delete (memory, std::align_val_t{kAlignment}); }

/// Somebody's own build of kernel.c may fuse or reorder operations: then its init refuses.
void check_arithmetic(const rodeo_kernel& table, const std::string& where) {
  const Memory memory(build_memory(table.instance_bytes), &free_memory);
  if (table.init(memory.get(), table.default_parameters, table.start_drives) != RODEO_BAD_STATE) return;
  refuse(where,
         "its compiler's flags fuse or reorder arithmetic, so that its numbers are not the model's: compile "
         "kernel.c with -ffp-contract=off and without fast-math, or build it again");
}

const rodeo_kernel* find_table(const std::shared_ptr<void>& library, const std::string& where) {
  void* symbol = ::dlsym(library.get(), kSymbol);
  if (symbol == nullptr) refuse(where, fmt::format("is not a kernel (no symbol {})", kSymbol));
  const rodeo_kernel* table = reinterpret_cast<decltype(&rodeo_kernel_get)>(symbol)();
  check_table(table, where);
  check_arithmetic(*table, where);
  return table;
}

}  // namespace

Kernel Kernel::build_from_file(const std::string& path) {
  check_shared_object(path, path);
  std::shared_ptr<void> library = open_library(path, path);
  const rodeo_kernel* table = find_table(library, path);
  return {std::move(library), table};
}

Kernel Kernel::build_from_bytes(std::string_view bytes, const std::string& where) {
  auto file = std::make_shared<const MemoryFile>(bytes, where);
  const std::string path = file->path();
  check_shared_object(path, where);
  std::shared_ptr<void> library = open_library(path, where, std::move(file));
  const rodeo_kernel* table = find_table(library, where);
  return {std::move(library), table};
}

Kernel Kernel::build_from_table(const rodeo_kernel* table, const std::string& where) {
  check_table(table, where);
  return {nullptr, table};
}

std::span<const rodeo_channel> Kernel::drives() const noexcept { return {table_->drives, drive_count()}; }
std::span<const rodeo_channel> Kernel::states() const noexcept { return {table_->states, state_count()}; }
std::span<const rodeo_channel> Kernel::outputs() const noexcept { return {table_->outputs, output_count()}; }
std::span<const rodeo_channel> Kernel::parameters() const noexcept {
  return {table_->parameters, parameter_count()};
}
std::span<const rodeo_channel> Kernel::inputs() const noexcept { return {table_->inputs, input_count()}; }
std::span<const rodeo_channel> Kernel::loads() const noexcept { return {table_->loads, load_count()}; }
std::span<const double> Kernel::default_parameters() const noexcept {
  return {table_->default_parameters, parameter_count()};
}
std::span<const double> Kernel::start_drives() const noexcept {
  return {table_->start_drives, drive_count()};
}

std::vector<std::string> build_names(std::span<const rodeo_channel> channels) {
  std::vector<std::string> names;
  names.reserve(channels.size());
  for (const rodeo_channel& channel : channels) names.emplace_back(channel.name);
  return names;
}

void Instance::Free::operator()(void* memory) const noexcept { free_memory(memory); }

Instance::Instance(Kernel kernel)
    : kernel_(std::move(kernel)), memory_(build_memory(kernel_.table().instance_bytes)) {}

KernelStatus Instance::try_init(std::span<const double> parameters,
                                std::span<const double> positions) noexcept {
  assert(parameters.size() == kernel_.parameter_count() && positions.size() == kernel_.drive_count());
  return to_status(kernel_.table().init(memory_.get(), parameters.data(), positions.data()));
}

KernelStatus Instance::try_step(std::span<const double> drives, std::span<double> outputs) noexcept {
  assert(drives.size() == 3 * kernel_.drive_count() && outputs.size() == kernel_.output_count());
  return to_status(kernel_.table().step(memory_.get(), drives.data(), outputs.data()));
}

KernelStatus Instance::try_integrate(std::span<const double> rates, double period, rodeo_method method,
                                     rodeo_closure closure, double gain) noexcept {
  assert(rates.size() == 3 * kernel_.drive_count());
  return to_status(kernel_.table().integrate(memory_.get(), rates.data(), period, method, closure, gain));
}

KernelStatus Instance::try_poses(std::span<const double> rates, std::span<double> outputs) const noexcept {
  assert(rates.size() == 2 * kernel_.drive_count() && outputs.size() == kernel_.output_count());
  return to_status(kernel_.table().poses(memory_.get(), rates.data(), outputs.data()));
}

KernelStatus Instance::try_free(std::span<const double> drives, std::span<const double> inputs, double period,
                                rodeo_method method) noexcept {
  assert(drives.size() == 9 * kernel_.drive_count() && inputs.size() == kernel_.input_count());
  if (kernel_.free_count() == 0) return KernelStatus::ok;
  return to_status(kernel_.table().move(memory_.get(), drives.data(), inputs.data(), period, method));
}

void Instance::get_free(std::span<double> values) const noexcept {
  assert(values.size() == 3 * kernel_.free_count());
  if (!values.empty()) kernel_.table().get_free(memory_.get(), values.data());
}

KernelStatus Instance::try_loads(std::span<const double> outputs, std::span<const double> inputs,
                                 std::span<double> loads) const noexcept {
  assert(outputs.size() == kernel_.output_count() && inputs.size() == kernel_.input_count() &&
         loads.size() == kernel_.load_count());
  if (loads.empty()) return KernelStatus::ok;
  return to_status(kernel_.table().calc_loads(memory_.get(), outputs.data(), inputs.data(), loads.data()));
}

KernelStatus Instance::try_closure(std::span<const double> states, double& largest) const noexcept {
  assert(states.size() == kernel_.state_count());
  return to_status(kernel_.table().closure(memory_.get(), states.data(), &largest));
}

KernelStatus Instance::try_derivatives(std::span<const double> states, std::span<const double> rates,
                                       std::span<double> result) const noexcept {
  assert(states.size() == kernel_.state_count() && rates.size() == kernel_.drive_count() &&
         result.size() == kernel_.state_count());
  return to_status(kernel_.table().derivatives(memory_.get(), states.data(), rates.data(), result.data()));
}

void Instance::copy(const Instance& other) noexcept {
  assert(&kernel_.table() == &other.kernel_.table());
  std::memcpy(memory_.get(), other.memory_.get(), kernel_.table().instance_bytes);
}

double Instance::calc_margin() const noexcept { return kernel_.table().margin(memory_.get()); }

void Instance::set_stop_margin(double margin) noexcept {
  kernel_.table().set_stop_margin(memory_.get(), margin);
}

void Instance::get_state(std::span<double> states) const noexcept {
  assert(states.size() == kernel_.state_count());
  kernel_.table().get_state(memory_.get(), states.data());
}

KernelStatus Instance::try_set_state(std::span<const double> states) noexcept {
  assert(states.size() == kernel_.state_count());
  return to_status(kernel_.table().set_state(memory_.get(), states.data()));
}

void Instance::save(std::span<unsigned char> bytes) const noexcept {
  assert(bytes.size() == state_bytes());
  kernel_.table().save(memory_.get(), bytes.data());
}

KernelStatus Instance::try_restore(std::span<const unsigned char> bytes) noexcept {
  assert(bytes.size() == state_bytes());
  return to_status(kernel_.table().restore(memory_.get(), bytes.data()));
}

}  // namespace rodeo::engine
