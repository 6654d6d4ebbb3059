// SPDX-License-Identifier: MIT
// From a file to a session that stands where the recorded one stood.
#include "engine/record/recording.h"

#include <fmt/format.h>

#include "engine/io/input.h"
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

void load_model(const RecordingOutline& outline, Recording::Contents& contents) {
  const std::string& path = contents.file.path();
  const std::string& session = outline.attachments.at(kSession);
  check_recording_format(session, path);
  contents.files = take_files(outline.attachments);
  contents.model = build_model(contents.files, path);
  contents.session = read_session_file(session, *contents.model, path);
  if (contents.session.model_fingerprint != contents.model->kernel.model_fingerprint()) {
    throw IoError(fmt::format("{}: its kernel is of another model than its session", path));
  }
  const auto start = outline.attachments.find(kStart);
  if (start != outline.attachments.end()) contents.start = start->second;
}

}  // namespace

Recording Recording::build_from_file(const std::string& path) {
  auto contents = std::make_shared<Contents>(path);
  const RecordingOutline outline = build_outline(contents->file);
  load_model(outline, *contents);
  contents->input_channel = outline.input_channel;
  scan_ticks(outline, *contents);
  return Recording(std::move(contents));
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
      : contents_(std::move(contents)), buffer_(contents_->model->kernel), walk_("") {}

  bool next(RecordedTick& tick) {
    for (McapMessage message; next_message(message);) {
      if (message.channel != contents_->input_channel) continue;
      if (!decode_input(message.data, buffer_, tick)) return false;
      tick.follows = follows(tick, last_);
      last_ = tick.tick;
      return true;
    }
    return false;
  }

 private:
  bool next_message(McapMessage& message) {
    while (!walk_.next(message)) {
      if (chunk_ == contents_->chunks.size()) return false;
      std::string_view records;
      const McapRecord& record = contents_->chunks[chunk_++];
      const std::string fault = read_chunk(contents_->file, record, bytes_, records);
      if (!fault.empty()) {
        throw IoError(fmt::format("{}: has changed while it was read (the chunk at byte {} {})",
                                  contents_->file.path(), record.offset, fault));
      }
      walk_ = MessageWalk(records);
    }
    return true;
  }

  std::shared_ptr<const Recording::Contents> contents_;
  TickBuffer buffer_;
  std::string bytes_;
  MessageWalk walk_;
  std::size_t chunk_ = 0;
  std::int64_t last_ = 0;
};

TickReader::TickReader(const Recording& recording) : state_(std::make_unique<State>(recording.contents_)) {}
TickReader::~TickReader() = default;
bool TickReader::next(RecordedTick& tick) { return state_->next(tick); }

}  // namespace rodeo::engine
