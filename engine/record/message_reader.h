// SPDX-License-Identifier: MIT
// The messages of a recording's whole chunks, in order.
#pragma once
#include <memory>
#include <string>

#include "engine/record/mcap_reader.h"
#include "engine/record/recording_scan.h"

namespace rodeo::engine {

class MessageReader {
 public:
  explicit MessageReader(std::shared_ptr<const Recording::Contents> contents)
      : contents_(std::move(contents)), walk_("") {}

  /// False at the end. Throws IoError if the file has changed since it was scanned.
  [[nodiscard]] bool next(McapMessage& message);

 private:
  std::shared_ptr<const Recording::Contents> contents_;
  std::string bytes_;
  MessageWalk walk_;
  std::size_t chunk_ = 0;
};

}  // namespace rodeo::engine
