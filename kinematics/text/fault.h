// SPDX-License-Identifier: MIT
// What is wrong with a model, where, and what to do: the modeller's error. Faults of one file are gathered and
// reported together, one sentence a line: `configs/x.yaml:14: joint 'boom.Q': body 'boom' has no point 'Q'`.
#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace rodeo::text {

/// A place in a file; line 0 means the file as a whole.
struct Where {
  std::shared_ptr<const std::string> file;
  int line = 0;
};

[[nodiscard]] Where build_where(std::string file, int line = 0);

/// `file:line` as an error prints it.
[[nodiscard]] std::string to_string(const Where& where);

struct Fault {
  Where where;
  std::string text;
};

class ModelError : public std::runtime_error {
 public:
  explicit ModelError(std::vector<Fault> faults);
  ModelError(const Where& where, const std::string& text);

  [[nodiscard]] const std::vector<Fault>& faults() const noexcept { return faults_; }

 private:
  std::vector<Fault> faults_;
};

/// Gathers faults while a file is read; the reader goes on with the next element.
class Faults {
 public:
  void add(const Where& where, std::string text) { list_.push_back({where, std::move(text)}); }
  void add(const ModelError& error);
  [[nodiscard]] bool empty() const noexcept { return list_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return list_.size(); }
  /// Throws one ModelError with every fault, in file order.
  void throw_if_any() const;

 private:
  std::vector<Fault> list_;
};

/// `A, E, H` for messages that list what there is; long lists are cut after `most` names.
[[nodiscard]] std::string join_names(const std::vector<std::string>& names, std::size_t most = 12);

/// ` (did you mean 'coupler'?)` when a candidate is within two edits of the name, else empty.
[[nodiscard]] std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace rodeo::text
