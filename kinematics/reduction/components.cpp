// SPDX-License-Identifier: MIT
// Tarjan's algorithm without recursion: chains of a thousand windows are deep.
#include <algorithm>

#include "kinematics/reduction/blocks.h"

namespace rodeo::reduction {
namespace {

class Tarjan {
 public:
  explicit Tarjan(const std::vector<std::vector<int>>& edges)
      : edges_(edges), index_(edges.size(), -1), low_(edges.size(), 0), on_stack_(edges.size(), false) {}

  std::vector<std::vector<int>> run() {
    for (int node = 0; node < static_cast<int>(edges_.size()); ++node) {
      if (index_[at(node)] < 0) visit(node);
    }
    return std::move(components_);
  }

 private:
  struct Frame {
    int node;
    std::size_t next_edge;
  };
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  void open(int node) {
    index_[at(node)] = low_[at(node)] = counter_++;
    stack_.push_back(node);
    on_stack_[at(node)] = true;
    frames_.push_back({node, 0});
  }

  void visit(int root) {
    open(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const int node = frame.node;
      if (frame.next_edge < edges_[at(node)].size()) {
        const int next = edges_[at(node)][frame.next_edge++];
        if (index_[at(next)] < 0) {
          open(next);
        } else if (on_stack_[at(next)]) {
          low_[at(node)] = std::min(low_[at(node)], index_[at(next)]);
        }
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) {
        int& low = low_[at(frames_.back().node)];
        low = std::min(low, low_[at(node)]);
      }
      if (low_[at(node)] == index_[at(node)]) close(node);
    }
  }

  void close(int root) {
    std::vector<int> component;
    int node = -1;
    do {
      node = stack_.back();
      stack_.pop_back();
      on_stack_[at(node)] = false;
      component.push_back(node);
    } while (node != root);
    std::sort(component.begin(), component.end());
    components_.push_back(std::move(component));
  }

  const std::vector<std::vector<int>>& edges_;
  std::vector<int> index_, low_, stack_;
  std::vector<bool> on_stack_;
  std::vector<Frame> frames_;
  std::vector<std::vector<int>> components_;
  int counter_ = 0;
};

}  // namespace

std::vector<std::vector<int>> find_components(const std::vector<std::vector<int>>& edges) {
  return Tarjan(edges).run();
}

}  // namespace rodeo::reduction
