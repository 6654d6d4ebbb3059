// SPDX-License-Identifier: MIT
#include "kinematics/machine/angle_units.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <utility>

namespace rodeo::machine {
namespace {

using text::Node;

constexpr double kFullTurn = 2 * std::numbers::pi * (1 + 1e-9);

/// The names in an expression's text.
std::set<std::string> find_words(const std::string& text) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::set<std::string> words;
  std::string word;
  for (const char c : text + ' ') {
    if (is_part(c)) {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::exchange(word, ""));
    }
  }
  return words;
}

class BareAngles {
 public:
  BareAngles(const Node& root, const std::vector<expr::Parameter>& parameters,
             const std::vector<std::string>& overrides)
      : root_(root), parameters_(parameters), scope_(expr::build_parameter_scope(parameters)) {
    if (const Node* node = root.find("parameters")) {
      for (const text::Entry& entry : node->entries) written_[entry.key] = entry.value.scalar;
    }
    for (const std::string& text : overrides) {
      const std::size_t cut = text.find('=');
      if (cut != std::string::npos) written_[text.substr(0, cut)] = text.substr(cut + 1);
    }
  }

  std::vector<std::string> find(const AngularNames& names) {
    look_at_start(names);
    look_at_drives(names);
    look_at_list("joints", {"angle", "angles"});
    return std::move(notes_);
  }

 private:
  void look_at_start(const AngularNames& names) {
    const Node* start = root_.find("start");
    if (start == nullptr) return;
    for (const text::Entry& entry : start->entries) {
      if (entry.key == "rates" || !names.start(entry.key)) continue;
      const Node* angles = entry.value.is_map() ? entry.value.find("angles") : &entry.value;
      if (angles != nullptr) look_at(*angles, fmt::format("start '{}'", entry.key));
    }
  }

  void look_at_drives(const AngularNames& names) {
    const Node* drives = root_.find("drives");
    if (drives == nullptr) return;
    for (const text::Entry& entry : drives->entries) {
      const Node* range = entry.value.find("range");
      if (range != nullptr && names.drive(entry.key))
        look_at(*range, fmt::format("drive '{}': range", entry.key));
    }
  }

  void look_at_list(const char* key, std::initializer_list<const char*> angular) {
    const Node* list = root_.find(key);
    if (list == nullptr) return;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      for (const char* name : angular) {
        const Node* value = list->items[i].find(name);
        if (value != nullptr) look_at(*value, fmt::format("joint {}: {}", i + 1, name));
      }
    }
  }

  void look_at(const Node& node, const std::string& what) {
    for (const Node& item : node.items) look_at(item, what);
    if (!node.is_scalar() || has_unit(node.scalar, 0)) return;
    text::Faults ignored;  // of a file that was read without one
    const expr::Expr value = expr::read_expression(node, what, scope_, ignored);
    const double angle = expr::read_value(value, parameters_, node.where, what, ignored);
    if (!(std::abs(angle) > kFullTurn)) return;
    notes_.push_back(fmt::format("{}: {}: '{}' has no unit and is {:.6g} rad, {:.3g} turns: {}",
                                 to_string(node.where), what, node.scalar, angle,
                                 angle / (2 * std::numbers::pi), build_remedy(node.scalar)));
  }

  /// Whether the text, or that of a parameter it needs, says deg, rad or pi.
  [[nodiscard]] bool has_unit(const std::string& text, int depth) const {
    constexpr int kDeepest = 50;
    for (const std::string& word : find_words(text)) {
      if (word == "deg" || word == "rad" || word == "pi") return true;
      const auto found = written_.find(word);
      if (found != written_.end() && depth < kDeepest && has_unit(found->second, depth + 1)) return true;
    }
    return false;
  }

  [[nodiscard]] static std::string build_remedy(const std::string& text) {
    if (find_words(text).size() > 1 || std::isalpha(static_cast<unsigned char>(text[0])) != 0)
      return "if degrees are meant, give its numbers the unit deg, else rad";
    return fmt::format("if degrees are meant, write '{0} deg', else '{0} rad'", text);
  }

  const Node& root_;
  const std::vector<expr::Parameter>& parameters_;
  expr::Scope scope_;
  std::map<std::string, std::string> written_;  // parameters
  std::vector<std::string> notes_;
};

}  // namespace

std::vector<std::string> find_bare_angles(const Node& root, const std::vector<expr::Parameter>& parameters,
                                          const std::vector<std::string>& overrides,
                                          const AngularNames& names) {
  return BareAngles(root, parameters, overrides).find(names);
}

}  // namespace rodeo::machine
