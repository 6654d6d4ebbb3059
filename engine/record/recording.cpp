// SPDX-License-Identifier: MIT
// From a file to a session that stands where the recorded one stood.
#include "engine/record/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "engine/files/checksums.h"
#include "engine/io/input.h"
#include "engine/record/message_reader.h"
#include "engine/record/recording_scan.h"
#include "engine/record/tick_messages.h"

namespace rodeo::engine {
namespace {

constexpr const char* kSession = "session.json";
constexpr const char* kStart = "start.bin";

ModelFiles take_files(std::map<std::string, std::string> attachments) {
  ModelFiles files;
  for (auto& [name, bytes] : attachments) {
    if (name != kSession && name != kStart) files.push_back({name, std::move(bytes)});
  }
  return files;
}

ModelFile& find_file(ModelFiles& files, const std::string& name, const std::string& where) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const ModelFile& f) { return f.name == name; });
  if (found == files.end()) throw KernelError(fmt::format("{}: has no attached {}", where, name));
  return *found;
}

bool has_same_limits(const DriveLimits& a, const DriveLimits& b) {
  const auto tie = [](const DriveLimits& l) {
    return std::tie(l.lower, l.upper, l.speed, l.acceleration, l.jerk);
  };
  return tie(a) == tie(b);
}

/// A run has the limits that its machine was built with, unless it has other parameters.
void compare_limits(const std::vector<DriveLimits>& built, Recording::Contents& contents) {
  for (std::size_t d = 0; d < built.size(); ++d) {
    if (has_same_limits(built[d], contents.model->limits[d])) continue;
    contents.contradictions.push_back(
        fmt::format("attached session.json has other limits of '{}' than interface.json",
                    contents.model->kernel.drives()[d].name));
  }
}

/// Names and units are read from interface.json by whoever does not run the kernel: it must say what the kernel says.
void compare_channels(std::span<const rodeo_channel> read, std::span<const rodeo_channel> run,
                      Recording::Contents& contents) {
  const auto is_same = [](const rodeo_channel& a, const rodeo_channel& b) {
    return std::string_view(a.name) == b.name && std::string_view(a.unit) == b.unit;
  };
  const auto [ours, theirs] = std::mismatch(read.begin(), read.end(), run.begin(), run.end(), is_same);
  if (ours == read.end() && theirs == run.end()) return;
  contents.contradictions.push_back(
      fmt::format("attached interface.json names '{}' in '{}', where its kernel has '{}' in '{}'",
                  ours == read.end() ? "nothing" : ours->name, ours == read.end() ? "" : ours->unit,
                  theirs == run.end() ? "nothing" : theirs->name, theirs == run.end() ? "" : theirs->unit));
}

void compare_interface(const std::string& interface, const std::string& path, Recording::Contents& contents) {
  const Kernel read = ModelFolder::build_inert(interface, path + ": attached interface.json").kernel;
  const Kernel& run = contents.model->kernel;
  compare_channels(read.drives(), run.drives(), contents);
  compare_channels(read.outputs(), run.outputs(), contents);
  compare_channels(read.inputs(), run.inputs(), contents);
  compare_channels(read.loads(), run.loads(), contents);
}

/// Attachments and channels as they were recorded: each against its digest. Recordings of before have none.
void compare_digests(const RecordingOutline& outline, Recording::Contents& contents) {
  const auto compare = [&](const std::string& name, const std::string& bytes, const std::string& what) {
    const auto digest = outline.about.find(kDigest + name);
    if (digest != outline.about.end() && digest->second == calc_checksum(bytes)) return;
    contents.contradictions.push_back(what + " not what was recorded: the digest is another one");
  };
  const auto is_digest = [](const auto& pair) { return pair.first.starts_with(kDigest); };
  if (std::none_of(outline.about.begin(), outline.about.end(), is_digest)) return;
  for (const auto& [name, bytes] : outline.attachments)
    compare(name, bytes, fmt::format("attached {} is", name));
  for (std::size_t i = 0; i < (outline.is_complete ? 2U : 1U); ++i)
    compare(kDefinitions, outline.schemas[i] + outline.channels[i], "the names of its channels are");
}

/// With the gate, a model that computes: the kernel is machine code, and is loaded if the gate lets it pass.
void load_model(const RecordingOutline& outline, const KernelGate* gate, Recording::Contents& contents) {
  const std::string& path = contents.file.path();
  const std::string& session = outline.attachments.at(kSession);
  check_recording_format(session, path);
  contents.files = take_files(outline.attachments);
  const ModelFile& interface = find_file(contents.files, "interface.json", path);
  if (gate != nullptr) {
    ModelFile& kernel = find_file(contents.files, "kernel.so", path);
    if (auto other = (*gate)(kernel, contents.files)) kernel.bytes = std::move(*other);
    contents.model = ModelFolder::build_from_parts(interface.bytes, kernel.bytes, path);
  } else {
    contents.model = ModelFolder::build_inert(interface.bytes, path + ": attached interface.json");
  }
  if (gate != nullptr) compare_interface(interface.bytes, path, contents);
  const std::vector<DriveLimits> limits = contents.model->limits;
  const std::vector<double> parameters = contents.model->parameters;
  contents.session = read_session_file(session, *contents.model, path);
  if (contents.model->parameters == parameters) compare_limits(limits, contents);  // else they may follow -p
  if (contents.session.model_fingerprint != contents.model->kernel.model_fingerprint()) {
    throw IoError(fmt::format("{}: its kernel is of another model than its session", path));
  }
  const auto start = outline.attachments.find(kStart);
  if (start != outline.attachments.end()) contents.start = start->second;
}

std::shared_ptr<Recording::Contents> read_contents(const std::string& path, const KernelGate* gate) {
  auto contents = std::make_shared<Recording::Contents>(path);
  const RecordingOutline outline = build_outline(contents->file);
  load_model(outline, gate, *contents);
  contents->input_channel = outline.input_channel;
  contents->state_channel = outline.state_channel;
  scan_ticks(outline, *contents);
  compare_digests(outline, *contents);
  for (const std::string& each : contents->contradictions)
    contents->missing.push_back(fmt::format("{}: {}", path, each));
  return contents;
}

}  // namespace

Recording Recording::build_from_file(const std::string& path) {
  return Recording(read_contents(path, nullptr));
}

Recording Recording::build_runnable(const std::string& path, const KernelGate& gate) {
  return Recording(read_contents(path, &gate));
}

const std::string& Recording::path() const noexcept { return contents_->file.path(); }
const ModelFolder& Recording::model() const noexcept { return *contents_->model; }
const ModelFiles& Recording::files() const noexcept { return contents_->files; }
const SessionOptions& Recording::options() const noexcept { return contents_->session.options; }
const std::vector<InitialCondition>& Recording::conditions() const noexcept {
  return contents_->session.conditions;
}
std::int64_t Recording::tick_count() const noexcept { return contents_->tick_count; }
std::int64_t Recording::replayable_count() const noexcept { return contents_->replayable_count; }
std::int64_t Recording::state_count() const noexcept { return contents_->state_count; }
std::int64_t Recording::last_tick() const noexcept { return contents_->last_tick; }
const std::vector<std::string>& Recording::missing() const noexcept { return contents_->missing; }

Session Recording::build_session() const {
  Session session(model(), options(), conditions());
  std::string bytes(session.stepper().saved_bytes(), '\0');
  session.stepper().save({reinterpret_cast<unsigned char*>(bytes.data()), bytes.size()});
  if (session.checksum() != contents_->session.start_checksum || bytes != contents_->start) {
    throw KernelError(
        fmt::format("{}: the machine starts here in another state than it was recorded in", path()));
  }
  return session;
}

class TickReader::State {
 public:
  explicit State(std::shared_ptr<const Recording::Contents> contents)
      : contents_(std::move(contents)), messages_(contents_), buffer_(contents_->model->kernel) {}

  bool next(RecordedTick& tick) {
    for (McapMessage message; messages_.next(message);) {
      if (message.channel != contents_->input_channel) continue;
      if (!decode_input(message.data, buffer_, tick)) return false;
      tick.follows = follows(tick, last_);
      last_ = tick.tick;
      return true;
    }
    return false;
  }

 private:
  std::shared_ptr<const Recording::Contents> contents_;
  MessageReader messages_;
  TickBuffer buffer_;
  std::int64_t last_ = 0;
};

TickReader::TickReader(const Recording& recording) : state_(std::make_unique<State>(recording.contents_)) {}
TickReader::~TickReader() = default;
bool TickReader::next(RecordedTick& tick) { return state_->next(tick); }

}  // namespace rodeo::engine
