// SPDX-License-Identifier: MIT
// A YAML document as a tree that knows its lines. Built from yaml-cpp's events, because its own nodes keep the first of
// two equal keys in silence. Refuses repeated keys, files over kMaxFileBytes and trees over kMaxNodes.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "kinematics/text/fault.h"

namespace rodeo::text {

inline constexpr std::size_t kMaxFileBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMaxNodes = 4'000'000;

struct Entry;

struct Node {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  bool quoted = false;
  std::string
      scalar;  // of a list: two numbers of it that no blank parts, as it does others: `0,5` of [0, 0,5]
  std::vector<Node> items;     // list
  std::vector<Entry> entries;  // map, in file order
  Where where;

  [[nodiscard]] bool is_null() const noexcept { return kind == Kind::null; }
  [[nodiscard]] bool is_scalar() const noexcept { return kind == Kind::scalar; }
  [[nodiscard]] bool is_list() const noexcept { return kind == Kind::list; }
  [[nodiscard]] bool is_map() const noexcept { return kind == Kind::map; }
  [[nodiscard]] const Node* find(std::string_view key) const noexcept;
};

struct Entry {
  std::string key;
  Where where;
  Node value;
};

/// `a scalar`, `a list`, ... for messages.
[[nodiscard]] std::string_view kind_name(const Node& node) noexcept;

/// Whether this is a piece of an expression that YAML cut at a comma: its brackets do not match.
[[nodiscard]] bool is_cut(std::string_view piece) noexcept;

[[nodiscard]] Node build_yaml_from_file(const std::string& path);
[[nodiscard]] Node build_yaml_from_text(const std::string& text, const std::string& file_name);

/// Reads the keys of one map; what nobody asked for is an unknown key. `what` names the map in messages ("joint").
class MapReader {
 public:
  MapReader(const Node& node, std::string what, Faults& faults);

  /// nullptr when absent.
  [[nodiscard]] const Node* find(std::string_view key);
  /// nullptr, and a fault, when absent.
  [[nodiscard]] const Node* require(std::string_view key);
  /// Reports every key that was not asked for, with the ones that were.
  void finish();

 private:
  const Node& node_;
  std::string what_;
  Faults& faults_;
  std::vector<std::string> asked_;
};

}  // namespace rodeo::text
