// SPDX-License-Identifier: MIT
// yaml-cpp events -> Node tree.
#include "kinematics/text/yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "kinematics/text/yaml_hints.h"

namespace rodeo::text {
namespace {

/// Collects the events of one document. An open container waits on a stack until its end event.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::shared_ptr<const std::string> file) : file_(std::move(file)) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(make(Node::Kind::null, mark), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw ModelError(where(mark), "an alias stands inside its own anchor");
    count_ += size_of(found->second);
    check_size(mark.line + 1);
    add(found->second, 0);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node node = make(Node::Kind::scalar, mark);
    node.scalar = value;
    node.quoted = tag == "!";
    if (!node.quoted && (value == "~" || value == "null")) node.kind = Node::Kind::null;
    if (!stack_.empty() && stack_.back().node.is_list()) note_gap(stack_.back(), node, mark);
    add(std::move(node), anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Node::Kind::list, mark, anchor);
  }
  void OnSequenceEnd() override {
    Open& list = stack_.back();
    if (list.has_blank) list.node.scalar = list.close_pair;
    close();
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Node::Kind::map, mark, anchor);
  }
  void OnMapEnd() override { close(); }

  Node take() { return std::move(root_); }
  Faults& faults() { return faults_; }

 private:
  struct Open {
    Node node;
    YAML::anchor_t anchor;
    bool has_key = false;
    std::string key;
    Where key_where;
    std::map<std::string, int> lines;  // of the keys seen
    int end = -1;                      // of the last item of a list, in the file
    bool has_blank = false;            // between some of its items
    std::string close_pair;            // that have none, the first
  };

  Where where(const YAML::Mark& mark) const { return {file_, mark.line + 1}; }

  void check_size(int line) const {
    if (count_ > kMaxNodes)
      throw ModelError(
          {file_, line},
          fmt::format("more than {} values in one file, with what its anchors and aliases repeat",
                      kMaxNodes));
  }

  Node make(Node::Kind kind, const YAML::Mark& mark) {
    ++count_;
    check_size(mark.line + 1);
    Node node;
    node.kind = kind;
    node.where = where(mark);
    return node;
  }

  void open(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    stack_.push_back({make(kind, mark), anchor, false, {}, {}, {}, -1, false, {}});
  }

  /// [0, 0,5]: where a blank stands between some numbers and not between others, the latter are one.
  static void note_gap(Open& list, const Node& node, const YAML::Mark& mark) {
    const bool is_first = list.node.items.empty();
    const bool is_close = !is_first && mark.pos == list.end + 1;
    if (!is_first && !is_close) list.has_blank = true;
    if (is_close && list.close_pair.empty() && is_cut_number(list.node.items.back(), node))
      list.close_pair = list.node.items.back().scalar + "," + node.scalar;
    list.end = mark.pos + static_cast<int>(node.scalar.size());
  }

  void close() {
    Open done = std::move(stack_.back());
    stack_.pop_back();
    add(std::move(done.node), done.anchor);
  }

  void add(Node node, YAML::anchor_t anchor) {
    if (anchor != 0) {  // a copy, as every alias of it is
      count_ += size_of(node);
      check_size(node.where.line);
      anchors_[anchor] = node;
    }
    if (stack_.empty()) {
      root_ = std::move(node);
    } else if (stack_.back().node.is_list()) {
      stack_.back().node.items.push_back(std::move(node));
    } else {
      add_to_map(stack_.back(), std::move(node));
    }
  }

  void add_to_map(Open& map, Node node) {
    if (!map.has_key) {
      if (!node.is_scalar() && !node.is_null()) throw ModelError(node.where, "a key must be a name");
      map.key = node.is_null() ? "~" : node.scalar;
      map.key_where = node.where;
      map.has_key = true;
      return;
    }
    map.has_key = false;
    const auto [first, is_new] = map.lines.emplace(map.key, map.key_where.line);
    if (!is_new && !is_decimals(map.key, node)) {
      faults_.add(map.key_where, fmt::format("key '{}' stands twice (first in line {}): remove one of them",
                                             map.key, first->second));
      return;
    }
    map.node.entries.push_back({map.key, map.key_where, std::move(node)});
  }

  static std::size_t size_of(const Node& node) {
    std::size_t size = 1;
    for (const Node& item : node.items) size += size_of(item);
    for (const Entry& entry : node.entries) size += 1 + size_of(entry.value);
    return size;
  }

  std::shared_ptr<const std::string> file_;
  std::vector<Open> stack_;
  std::map<YAML::anchor_t, Node> anchors_;
  Node root_;
  Faults faults_;
  std::size_t count_ = 0;
};

}  // namespace

const Node* Node::find(std::string_view key) const noexcept {
  for (const Entry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

std::string_view kind_name(const Node& node) noexcept {
  switch (node.kind) {
    case Node::Kind::null: return "nothing";
    case Node::Kind::scalar: return "a single value";
    case Node::Kind::list: return "a list";
    case Node::Kind::map: return "a map";
  }
  return "?";
}

bool is_cut(std::string_view piece) noexcept {
  return std::count(piece.begin(), piece.end(), '(') != std::count(piece.begin(), piece.end(), ')');
}

Node build_yaml_from_text(const std::string& text, const std::string& file_name) {
  const auto file = std::make_shared<const std::string>(file_name);
  std::istringstream stream(text);
  TreeBuilder builder(file);
  try {
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    TreeBuilder second(file);
    if (parser.HandleNextDocument(second)) {
      throw ModelError(second.take().where, "a second document begins here ('---'): a model file has one");
    }
  } catch (const YAML::DeepRecursion& error) {
    throw ModelError(
        {file, error.mark.line + 1},
        fmt::format("this is not YAML: lists and maps are nested deeper than {} levels: write it flatter",
                    error.depth()));
  } catch (const YAML::Exception& error) {
    if (const int line = find_tab(text, error.mark.line + 1); line > 0) {
      throw ModelError({file, line},
                       "a tab in the indentation: YAML indents by spaces alone, so put spaces in its place");
    }
    throw ModelError(
        {file, error.mark.line + 1},
        fmt::format("this is not YAML: {}; check brackets, quotes, colons and indents there and just above",
                    error.msg));
  }
  Node root = builder.take();
  check_decimal_commas(root, builder.faults());
  builder.faults().throw_if_any();
  if (root.is_null())
    throw ModelError({file, 0}, "the file is empty: begin with one that 'rodeo new NAME' writes");
  if (!root.is_map()) {
    throw ModelError(root.where,
                     fmt::format("a model is a map of keys such as 'name:', this is {}", kind_name(root)));
  }
  return root;
}

Node build_yaml_from_file(const std::string& path) {
  namespace fs = std::filesystem;
  const Where where = build_where(path);
  std::error_code failure;
  if (fs::is_directory(path, failure)) throw ModelError(where, "this is a folder, not a model file");
  const auto bytes = fs::file_size(path, failure);
  if (failure) throw ModelError(where, fmt::format("cannot be read: {}", failure.message()));
  if (bytes > kMaxFileBytes) {
    throw ModelError(where,
                     fmt::format("the file has {} MB, a model file at most {} MB: split it into subsets, or "
                                 "check that it is a model",
                                 bytes >> 20, kMaxFileBytes >> 20));
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw ModelError(where, "cannot be read: check its permissions");
  std::ostringstream text;
  text << stream.rdbuf();
  return build_yaml_from_text(text.str(), path);
}

MapReader::MapReader(const Node& node, std::string what, Faults& faults)
    : node_(node), what_(std::move(what)), faults_(faults) {
  if (!node.is_map() && !node.is_null()) {
    faults_.add(node.where, fmt::format("{}: a map of keys is needed here, not {}", what_, kind_name(node)));
  }
}

const Node* MapReader::find(std::string_view key) {
  asked_.emplace_back(key);
  return node_.find(key);
}

const Node* MapReader::require(std::string_view key) {
  const Node* found = find(key);
  if (found == nullptr && (node_.is_map() || node_.is_null())) {
    faults_.add(node_.where, fmt::format("{}: key '{}' is missing", what_, key));
  }
  return found;
}

void MapReader::finish() {
  for (const Entry& entry : node_.entries) {
    if (std::find(asked_.begin(), asked_.end(), entry.key) != asked_.end()) continue;
    if (is_cut(entry.key)) {
      faults_.add(entry.where,
                  fmt::format("{}: '{}' is the rest of an expression that YAML cut at a comma: put the "
                              "whole expression in quotes",
                              what_, entry.key));
      continue;
    }
    faults_.add(entry.where, fmt::format("{}: unknown key '{}'{}; known here: {}", what_, entry.key,
                                         did_you_mean(entry.key, asked_), join_names(asked_, 20)));
  }
}

}  // namespace rodeo::text
