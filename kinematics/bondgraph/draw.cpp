// SPDX-License-Identifier: MIT
// Graphviz text of a bond graph. A half-arrow is the clipped arrow head of Graphviz (`rvee`: the barb is below a level
// bond, on the side of the flow), the causal stroke its `tee`
// at the end that receives the effort. Names `rod1.J` put J into the frame (or box) rod1; labels leave the frame's name out.
#include "kinematics/bondgraph/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <set>

#include "kinematics/bondgraph/draw_labels.h"

namespace rodeo::bondgraph {
namespace {

using drawing::escape_html;
using drawing::local_name;
using drawing::quote;
using drawing::subset_of;

constexpr const char* kDerived = "#1f4fd8";
constexpr const char* kImposed = "#e91e8c";
constexpr const char* kPlain = "black";

/// `rod1` of `rod1.end.J`: the outermost frame, or the element itself.
std::string outermost(const std::string& name) { return name.substr(0, name.find('.')); }

/// How many frames away from the inputs (else the sources, else the first element) every frame is. Graphviz lays out
/// from left to right along its edges; bonds between frames are handed to it outwards, whichever way the power runs.
class Distances {
 public:
  explicit Distances(const Graph& graph) {
    for (const Bond& bond : graph.bonds) {
      const std::string tail = outermost(graph.elements[static_cast<std::size_t>(bond.tail)].name);
      const std::string head = outermost(graph.elements[static_cast<std::size_t>(bond.head)].name);
      if (tail == head) continue;
      neighbours_[tail].push_back(head);
      neighbours_[head].push_back(tail);
    }
    start(graph, [](const Element& element) { return element.is_input(); });
    if (distance_.empty()) start(graph, [](const Element& element) { return element.is_source(); });
    for (const Element& element : graph.elements) {
      reach(outermost(element.name), 0);
      spread();
    }
  }

  [[nodiscard]] bool is_inwards(const Element& from, const Element& to) const {
    return distance_.at(outermost(to.name)) < distance_.at(outermost(from.name));
  }

 private:
  template <class Wanted>
  void start(const Graph& graph, Wanted wanted) {
    for (const Element& element : graph.elements) {
      if (wanted(element)) reach(outermost(element.name), 0);
    }
    spread();
  }

  void reach(const std::string& frame, int distance) {
    if (distance_.emplace(frame, distance).second) queue_.push_back(frame);
  }

  void spread() {
    for (; !queue_.empty(); queue_.pop_front()) {
      const std::string at = queue_.front();
      for (const std::string& next : neighbours_[at]) reach(next, distance_[at] + 1);
    }
  }

  std::map<std::string, std::vector<std::string>> neighbours_;
  std::map<std::string, int> distance_;
  std::deque<std::string> queue_;
};

class DotWriter {
 public:
  DotWriter(const Graph& graph, const std::vector<Stroke>& strokes, const std::vector<BondColour>& colours,
            const DrawOptions& options)
      : graph_(graph),
        strokes_(strokes),
        colours_(colours),
        distances_(graph),
        fold_(options.fold_subsets),
        draw_signals_(options.draw_signals) {}

  std::string build() {
    begin(fmt::format("rankdir=LR, ranksep={}, nodesep=0.15", fold_ ? 0.5 : 0.35));
    write_nodes();
    for (std::size_t i = 0; i < graph_.bonds.size(); ++i) write_bond(i);
    write_signals();
    return out_ + "}\n";
  }

  /// The subset whose box hides what has this name; empty when it is drawn itself.
  std::string box_of(const std::string& name) const {
    return fold_ && name.find('.') != std::string::npos ? outermost(name) : "";
  }
  std::string box_of(const Element& element) const { return box_of(element.name); }

  std::string node_id(const Element& element) const {
    const std::string box = box_of(element);
    return quote(box.empty() ? element.name : box);
  }

  void begin(const std::string& layout) {
    out_ = fmt::format("digraph {} {{\n", quote(graph_.name));
    out_ += fmt::format("  graph [{}, fontname=\"Helvetica\", fontsize=11];\n", layout);
    out_ +=
        "  node [shape=plaintext, width=0, height=0, margin=\"0.06,0.03\", fontname=\"Helvetica\", "
        "fontsize=11];\n"
        "  edge [arrowsize=0.7, fontname=\"Helvetica\", fontsize=8, fontcolor=\"#666666\"];\n";
  }

  /// One outermost frame and the bonds in it, alone.
  std::string build_frame(const std::string& frame) {
    begin("rankdir=LR, ranksep=0.3, nodesep=0.1");
    std::map<std::string, std::vector<const Element*>> frames;
    for (const Element& element : graph_.elements) {
      if (outermost(element.name) != frame) continue;
      for (std::string path = subset_of(element.name); !path.empty(); path = subset_of(path)) frames[path];
      frames[subset_of(element.name)].push_back(&element);
    }
    write_frame(frames, "", 1);
    for (std::size_t i = 0; i < graph_.bonds.size(); ++i) {
      if (outermost(tail(i).name) == frame && outermost(head(i).name) == frame) write_bond(i);
    }
    return out_ + "}\n";
  }

  /// A frame as a box behind its nodes.
  void write_box(const std::string& path, const DrawnBox& box) {
    out_ += fmt::format(
        "  {} [shape=box, style=rounded, color=\"#999999\", fixedsize=true, labelloc=t, label=<<b>{}</b>>, "
        "width={:.4f}, height={:.4f}, pos=\"{:.2f},{:.2f}!\"];\n",
        quote("frame " + path), escape_html(local_name(path)), box.width / 72, box.height / 72, box.centre.x,
        box.centre.y);
  }

  /// The node's line with its place.
  void write_placed(std::string line, Spot at) {
    line.insert(line.rfind("];"), fmt::format(", pos=\"{:.2f},{:.2f}!\"", at.x, at.y));
    out_ += "  " + line;
  }

  /// Frames around the nodes that are in them, the inner ones drawn later.
  void write_boxes(const std::map<std::string, Spot>& nodes, const std::map<std::string, DrawnBox>& sizes) {
    std::map<std::string, std::array<double, 4>> extents;  // left, low, right, high
    for (const auto& [name, at] : nodes) {
      const DrawnBox& size = sizes.at(name);
      double margin = 8, above = 22;  // with room for the frame's name
      const std::string owner = name.starts_with("note ") ? name.substr(5) : name;
      for (std::string path = subset_of(owner); !path.empty(); path = subset_of(path)) {
        auto& [left, low, right, high] =
            extents.try_emplace(path, std::array<double, 4>{INFINITY, INFINITY, -INFINITY, -INFINITY})
                .first->second;
        left = std::min(left, at.x - size.width / 2 - margin);
        right = std::max(right, at.x + size.width / 2 + margin);
        low = std::min(low, at.y - size.height / 2 - margin);
        high = std::max(high, at.y + size.height / 2 + above);
        margin += 10, above += 24;
      }
    }
    for (const auto& [path, e] : extents)
      write_box(path, {{(e[0] + e[2]) / 2, (e[1] + e[3]) / 2}, e[2] - e[0], e[3] - e[1]});
  }

  std::string build_arranged(const std::map<std::string, Spot>& places) {
    std::map<std::string, PlainLayout> layouts;
    std::map<std::string, DrawnBox> frames;
    for (const Element& element : graph_.elements) {
      const std::string frame = outermost(element.name);
      if (layouts.contains(frame)) continue;
      layouts[frame] = read_plain(build_picture(build_frame(frame), "plain"));
      frames[frame] = {{}, layouts[frame].width + 30, layouts[frame].height + 44};
    }
    std::vector<std::pair<std::string, std::string>> bonded;
    for (std::size_t i = 0; i < graph_.bonds.size(); ++i)
      bonded.emplace_back(outermost(tail(i).name), outermost(head(i).name));
    for (const auto& [frame, box] : frames) bonded.emplace_back(frame, frame);  // none is left out
    const auto centres = spread_boxes(find_all_places(places, bonded), frames);
    std::map<std::string, Spot> nodes;
    std::map<std::string, DrawnBox> sizes;
    for (const auto& [frame, layout] : layouts) {
      for (const auto& [name, box] : layout.nodes) {
        nodes[name] = {centres.at(frame).x - layout.width / 2 + box.centre.x,
                       centres.at(frame).y - layout.height / 2 + box.centre.y};
        sizes[name] = box;
      }
    }
    return write_arranged(nodes, sizes);
  }

  std::string write_arranged(const std::map<std::string, Spot>& nodes,
                             const std::map<std::string, DrawnBox>& sizes) {
    begin("layout=neato, inputscale=72, splines=line, outputorder=nodesfirst");
    write_boxes(nodes, sizes);
    for (const Element& element : graph_.elements) {
      write_placed(drawing::node_text(element), nodes.at(element.name));
      if (element.note.empty()) continue;
      write_placed(drawing::note_node(element), nodes.at("note " + element.name));
      out_ += "  " + drawing::note_leader(element);
    }
    for (std::size_t i = 0; i < graph_.bonds.size(); ++i) write_bond(i);
    return out_ + "}\n";
  }

 private:
  const Element& tail(std::size_t bond) const {
    return graph_.elements[static_cast<std::size_t>(graph_.bonds[bond].tail)];
  }
  const Element& head(std::size_t bond) const {
    return graph_.elements[static_cast<std::size_t>(graph_.bonds[bond].head)];
  }

  /// Elements in their frames: frames are kept by path, so that a frame's frames follow it.
  void write_nodes() {
    std::map<std::string, std::vector<const Element*>> frames;
    for (const Element& element : graph_.elements) {
      const std::string box = box_of(element);
      if (box.empty()) {
        for (std::string path = subset_of(element.name); !path.empty(); path = subset_of(path)) frames[path];
        frames[subset_of(element.name)].push_back(&element);
      } else if (boxes_.insert(box).second) {
        out_ += fmt::format(
            "  {} [shape=box, style=\"rounded,filled\", fillcolor=\"#f2f2f2\", label=<<b>{}</b>>, "
            "margin=\"0.12,0.08\"];\n",
            quote(box), escape_html(box));
      }
    }
    write_frame(frames, "", 1);
  }

  void write_node(const Element& element, const std::string& indent) {
    out_ += indent + drawing::node_text(element);
    if (!element.note.empty()) out_ += indent + drawing::note_text(element);
  }

  void write_frame(const std::map<std::string, std::vector<const Element*>>& frames, const std::string& path,
                   int depth) {
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    const auto own = frames.find(path);
    if (own != frames.end()) {
      for (const Element* element : own->second) write_node(*element, indent);
    }
    const std::string prefix = path.empty() ? "" : path + ".";
    for (auto inner = frames.lower_bound(prefix); inner != frames.end() && inner->first.starts_with(prefix);
         ++inner) {
      if (inner->first.empty() || subset_of(inner->first) != path) continue;
      out_ += fmt::format(
          "{}subgraph {} {{\n{}  graph [label=<<b>{}</b>>, style=rounded, color=\"#999999\", margin=8];\n",
          indent, quote("cluster_" + inner->first), indent, escape_html(local_name(inner->first)));
      write_frame(frames, inner->first, depth + 1);
      out_ += indent + "}\n";
    }
  }

  const char* colour(std::size_t bond) const {
    if (bond >= colours_.size() || colours_[bond] == BondColour::plain) return kPlain;
    return colours_[bond] == BondColour::derived ? kDerived : kImposed;
  }

  /// A vector bond is a double line.
  std::string line_colour(std::size_t bond) const {
    const std::string own = colour(bond);
    return graph_.bonds[bond].dimension == 1 ? own : own + ":invis:" + own;
  }

  /// Within a box nothing is drawn; the names of the ports at boxes stand along the bond.
  void write_bond(std::size_t index) {
    const Element& from = tail(index);
    const Element& to = head(index);
    if (!box_of(from).empty() && box_of(from) == box_of(to)) return;
    const Stroke stroke = index < strokes_.size() ? strokes_[index] : Stroke::none;
    const std::string at_tail = stroke == Stroke::tail ? "tee" : "none";
    const std::string at_head = stroke == Stroke::head ? "teervee" : "rvee";
    const bool turned = distances_.is_inwards(from, to);
    out_ += fmt::format("  {} -> {} [dir=both, arrowhead={}, arrowtail={}, color=\"{}\"{}];\n",
                        node_id(turned ? to : from), node_id(turned ? from : to), turned ? at_tail : at_head,
                        turned ? at_head : at_tail, line_colour(index), port_label(from, to));
  }

  /// `Bx → Ax`, without the end that is drawn.
  std::string port_label(const Element& tail, const Element& head) const {
    const auto port = [this](const Element& element) {
      const std::string box = box_of(element);
      return box.empty() ? "" : element.name.substr(box.size() + 1);
    };
    const std::string from = port(tail);
    const std::string to = port(head);
    if (from.empty() && to.empty()) return {};
    return ", label=" + quote(from + (from.empty() || to.empty() ? "" : " → ") + to);
  }

  std::string signal_id(const Signal& signal) const {
    const std::string box = box_of(signal.name);
    return quote(boxes_.contains(box) ? box : "signal " + signal.name);
  }

  /// Signals and what they join, dashed: they carry no power. A modulus of an element's own variable is not drawn.
  void write_signals() {
    if (graph_.signals.empty() || !draw_signals_) return;
    for (const Signal& signal : graph_.signals) names_.emplace(signal.name, signal_id(signal));
    for (const Signal& signal : graph_.signals) {
      if (!boxes_.contains(box_of(signal.name))) out_ += "  " + drawing::signal_text(signal);
      write_users(signal_id(signal), {signal.value}, true);
    }
    for (const Element& element : graph_.elements) write_users(node_id(element), element.value, false);
  }

  /// Dashed arrows to `user` from the signals in its values, and from the elements too when it is a signal.
  void write_users(const std::string& user, const std::vector<Expr>& values, bool from_elements) {
    std::set<std::string> sources;
    for (const Expr symbol : expr::symbols_of(values)) {
      const auto signal = names_.find(symbol->name);
      if (signal != names_.end()) sources.insert(signal->second);
      const int element = from_elements ? graph_.find_element(subset_of(symbol->name)) : -1;
      if (element >= 0) sources.insert(node_id(graph_.elements[static_cast<std::size_t>(element)]));
    }
    for (const std::string& source : sources) {
      const bool in_box = fold_ && source == user;
      if (in_box || !dashed_.emplace(source, user).second) continue;
      out_ += fmt::format(
          "  {} -> {} [style=dashed, color=\"#999999\", arrowhead=normal, arrowsize=0.5, constraint={}];\n",
          source, user, from_elements);
    }
  }

  const Graph& graph_;
  const std::vector<Stroke>& strokes_;
  const std::vector<BondColour>& colours_;
  Distances distances_;
  bool fold_, draw_signals_;
  std::string out_;
  std::set<std::string> boxes_;
  std::map<std::string, std::string> names_;  // signal -> node
  std::set<std::pair<std::string, std::string>> dashed_;
};

}  // namespace

std::string build_dot(const Graph& graph, const std::vector<Stroke>& strokes,
                      const std::vector<BondColour>& colours, const DrawOptions& options) {
  DotWriter writer(graph, strokes, colours, options);
  const bool is_arranged =
      !options.places.empty() && !options.fold_subsets && (graph.signals.empty() || !options.draw_signals);
  return is_arranged ? writer.build_arranged(options.places) : writer.build();
}

}  // namespace rodeo::bondgraph
