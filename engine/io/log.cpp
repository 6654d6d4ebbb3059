// SPDX-License-Identifier: MIT
// POSIX calls rather than streams: their errno is the reason that the user is told.
#include "engine/io/log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <unordered_set>
#include <utility>

namespace rodeo::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFlushBytes = std::size_t{1} << 16;

/// The permissions of the file that is replaced, or those that a new file would get.
mode_t find_permissions(const std::string& target) {
  struct stat old {};
  if (::stat(target.c_str(), &old) == 0) return old.st_mode & 07777U;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

bool has_output(const Kernel& kernel, std::string_view name) {
  const auto outputs = kernel.outputs();
  return std::any_of(outputs.begin(), outputs.end(), [&](const rodeo_channel& c) { return c.name == name; });
}

/// Bodies have quaternions there.
bool is_in_space(const Kernel& kernel) {
  const auto outputs = kernel.outputs();
  return std::any_of(outputs.begin(), outputs.end(),
                     [](const rodeo_channel& c) { return std::string_view(c.name).ends_with(".qw"); });
}

std::size_t count_dots(std::string_view name) {
  return static_cast<std::size_t>(std::count(name.begin(), name.end(), '.'));
}

}  // namespace

std::string find_link_target(const std::string& path) {
  constexpr int kMostLinks = 40;  // as in the kernel
  fs::path target = path;
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(target, error); ++i) {
    target = target.parent_path() / fs::read_symlink(target, error);
  }
  return target.string();
}

AtomicFile::AtomicFile(const std::string& path) : path_(path), target_(find_link_target(path)) {
  if (path.empty()) refuse(ENOENT);
  if (path == "-") {
    file_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (file_ < 0) refuse(errno);
    return;
  }
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) refuse(EISDIR);
  fs::exists(status) && !fs::is_regular_file(status) ? open_in_place() : open_temporary();
}

AtomicFile::~AtomicFile() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::refuse(int error_number) const {
  throw IoError(fmt::format("cannot write '{}': {}", path_, std::generic_category().message(error_number)));
}

void AtomicFile::open_in_place() {
  file_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (file_ < 0) refuse(errno);
}

void AtomicFile::open_temporary() {
  const std::string folder = fs::path(target_).parent_path().string();
  if (::access("/proc/self/fd", X_OK) == 0)  // by which it gets its name in the end
    file_ =
        ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR);
  is_nameless_ = file_ >= 0;
  if (is_nameless_) return;
  std::string name = target_ + ".XXXXXX";
  file_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (file_ < 0) refuse(errno);
  temporary_ = name;
}

/// A link does not replace, a rename does: so it has a name of its own for a moment.
void AtomicFile::name_temporary() {
  const std::string mine = fmt::format("/proc/self/fd/{}", file_);
  constexpr int kTries = 1000;
  for (int i = 0; i < kTries && temporary_.empty(); ++i) {
    const std::string name = fmt::format("{}.{}-{}", target_, ::getpid(), i);
    if (::linkat(AT_FDCWD, mine.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0)
      temporary_ = name;
    else if (errno != EEXIST)
      refuse(errno);
  }
  if (temporary_.empty()) refuse(EEXIST);
}

void AtomicFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file_, text.data(), text.size());
    if (written < 0 && errno != EINTR) refuse(errno);
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::finish() {
  const bool is_in_place = temporary_.empty() && !is_nameless_;
  if (!is_in_place && ::fchmod(file_, find_permissions(target_)) != 0) refuse(errno);
  if (is_nameless_) name_temporary();
  const int file = std::exchange(file_, -1);
  if (::close(file) != 0) refuse(errno);
  if (is_in_place) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) refuse(errno);
  temporary_.clear();
}

LogColumns::LogColumns(const Kernel& kernel, bool all) {
  add("t", Source::time);
  for (std::size_t d = 0; d < kernel.drive_count(); ++d) add(kernel.drives()[d].name, Source::position, d);
  if (is_in_space(kernel)) {
    add_joints(kernel);
    add_spatial_bodies(kernel);
  } else {
    add_outputs(kernel, ".angle", 1);
    add_body_rates(kernel);
  }
  add_points(kernel);
  add_outputs(kernel, "", 0);  // lengths and angles
  add("residual", Source::residual);
  add_inputs(kernel);
  if (all) add_rest(kernel);
}

void LogColumns::add(std::string name, Source source, std::size_t index) {
  names_.push_back(std::move(name));
  columns_.push_back({source, index});
}

/// The outputs whose names have this ending and this many dots: `tip.x` is a point, `boom.origin.x` is not.
void LogColumns::add_outputs(const Kernel& kernel, std::string_view ending, std::size_t dots) {
  for (std::size_t i = 0; i < kernel.output_count(); ++i) {
    const std::string_view name = kernel.outputs()[i].name;
    if (name.ends_with(ending) && count_dots(name) == dots) add(std::string(name), Source::output, i);
  }
}

/// What has an angle is a body; other rates are of lengths and angles among the outputs.
void LogColumns::add_body_rates(const Kernel& kernel) {
  for (std::size_t i = 0; i < kernel.output_count(); ++i) {
    const std::string_view name = kernel.outputs()[i].name;
    const std::string body(name.substr(0, name.find('.')));
    if (name == body + ".rate" && has_output(kernel, body + ".angle"))
      add(std::string(name), Source::output, i);
  }
}

/// In space angles and slides are of joints, whose names may have dots: `crank.B-rod.B.angle`.
void LogColumns::add_joints(const Kernel& kernel) {
  for (std::size_t i = 0; i < kernel.output_count(); ++i) {
    const std::string_view name = kernel.outputs()[i].name;
    if (name.ends_with(".angle") || name.ends_with(".slide")) add(std::string(name), Source::output, i);
  }
}

/// Of bodies in space: where each is, then how fast. A body there has the outputs `qw`, `qx`, `qy`, `qz`.
void LogColumns::add_spatial_bodies(const Kernel& kernel) {
  const auto has_ending = [](std::string_view name, std::initializer_list<std::string_view> endings) {
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view e) { return name.ends_with(e); });
  };
  for (const bool moving : {false, true}) {
    for (std::size_t i = 0; i < kernel.output_count(); ++i) {
      const std::string_view name = kernel.outputs()[i].name;
      const std::string body(name.substr(0, name.find('.')));
      if (!has_output(kernel, body + ".qw")) continue;
      const bool is_wanted =
          moving ? has_ending(name, {".wx", ".wy", ".wz", ".origin.vx", ".origin.vy", ".origin.vz"})
                 : has_ending(name, {".origin.x", ".origin.y", ".origin.z", ".qw", ".qx", ".qy", ".qz"});
      if (is_wanted) add(std::string(name), Source::output, i);
    }
  }
}

/// x, y and in space z of every output point, whatever stands between them.
void LogColumns::add_points(const Kernel& kernel) {
  for (std::size_t i = 0; i < kernel.output_count(); ++i) {
    const std::string_view name = kernel.outputs()[i].name;
    const bool is_place = name.ends_with(".x") || name.ends_with(".y") || name.ends_with(".z");
    if (is_place && count_dots(name) == 1) {
      add(std::string(name), Source::output, i);
    }
  }
}

void LogColumns::add_inputs(const Kernel& kernel) {
  for (std::size_t i = 0; i < kernel.force_count(); ++i) {
    add(std::string("input.") + kernel.forces()[i].name, Source::input, i + 1);
  }
}

void LogColumns::add_rest(const Kernel& kernel) {
  std::unordered_set<std::string> taken(names_.begin(), names_.end());
  for (std::size_t i = 0; i < kernel.output_count(); ++i) {
    const std::string name = kernel.outputs()[i].name;
    if (taken.insert(name).second) add(name, Source::output, i);
  }
  for (std::size_t d = 0; d < kernel.drive_count(); ++d) {
    const std::string drive = kernel.drives()[d].name;
    // Those of a body, or of a cylinder, which has its speed besides.
    if (!taken.contains(drive + ".rate")) add(drive + ".rate", Source::rate, d);
    if (!taken.contains(drive + ".acceleration")) add(drive + ".acceleration", Source::acceleration, d);
  }
  for (std::size_t i = 0; i < kernel.load_count(); ++i) add(kernel.loads()[i].name, Source::load, i);
  add("margin", Source::margin);
  add("status", Source::status);
}

double LogColumns::calc_value(const Column& column, double t, const TickValues& values) noexcept {
  switch (column.source) {
    case Source::time: return t;
    case Source::position: return values.drives[column.index].position;
    case Source::rate: return values.drives[column.index].rate;
    case Source::acceleration: return values.drives[column.index].acceleration;
    case Source::output: return values.outputs[column.index];
    case Source::load: return values.loads[column.index];
    case Source::input: return values.inputs[column.index];
    case Source::residual: return values.residual;
    case Source::margin: return values.margin;
    case Source::status: return values.status;
  }
  return 0;
}

void LogColumns::gather(double t, const TickValues& values, std::span<double> row) const noexcept {
  for (std::size_t c = 0; c < columns_.size(); ++c) row[c] = calc_value(columns_[c], t, values);
}

LogWriter::LogWriter(const std::string& path, LogColumns columns)
    : columns_(std::move(columns)), file_(path), row_(columns_.count()) {
  text_ = fmt::format("{}\n", fmt::join(columns_.names(), ","));
}

void LogWriter::write(double t, const TickValues& values) {
  columns_.gather(t, values, row_);
  auto out = std::back_inserter(text_);
  for (std::size_t c = 0; c < row_.size(); ++c) {
    fmt::format_to(out, "{:.17g}{}", row_[c], c + 1 < row_.size() ? ',' : '\n');
  }
  if (text_.size() >= kFlushBytes) flush();
}

void LogWriter::flush() {
  file_.write(text_);
  text_.clear();
}

void LogWriter::finish() {
  flush();
  file_.finish();
}

}  // namespace rodeo::engine
