// SPDX-License-Identifier: MIT
#include "engine/record/state_reader.h"

#include "engine/record/message_reader.h"
#include "engine/record/tick_messages.h"

namespace rodeo::engine {

TickValues RecordedState::values() const noexcept {
  TickValues values;
  values.drives = drives;
  values.outputs = outputs;
  values.loads = loads;
  values.inputs = inputs;
  values.residual = residual;
  values.margin = margin;
  values.status = status;
  return values;
}

class StateReader::Walk {
 public:
  explicit Walk(std::shared_ptr<const Recording::Contents> contents)
      : contents_(std::move(contents)), messages_(contents_), buffer_(contents_->model->kernel) {}

  bool next(RecordedState& state) {
    const Kernel& kernel = contents_->model->kernel;
    const std::int64_t period = contents_->session.options.period;
    state.drives.resize(kernel.drive_count());
    state.outputs.resize(kernel.output_count());
    state.loads.resize(kernel.load_count());
    state.inputs.resize(kernel.input_count());
    state.passed = 0;
    state.follows = true;
    for (McapMessage message; messages_.next(message);) {
      if (message.channel == contents_->input_channel) {
        if (!decode_input(message.data, buffer_, tick_)) return false;
        state.follows = state.follows && follows(tick_, last_);
        last_ = tick_.tick;
        ++state.passed;
      } else if (message.channel == contents_->state_channel) {
        if (!decode_state(message.data, state)) return false;
        if (state.passed > 0) --state.passed;  // its own
        if (!state.inputs.empty()) state.inputs[0] = static_cast<double>(state.tick * period) / 1e9;
        return true;
      }
    }
    return false;
  }

 private:
  std::shared_ptr<const Recording::Contents> contents_;
  MessageReader messages_;
  TickBuffer buffer_;
  RecordedTick tick_;
  std::int64_t last_ = 0;
};

StateReader::StateReader(const Recording& recording) : walk_(std::make_unique<Walk>(recording.contents_)) {}
StateReader::~StateReader() = default;
bool StateReader::next(RecordedState& state) { return walk_->next(state); }

}  // namespace rodeo::engine
