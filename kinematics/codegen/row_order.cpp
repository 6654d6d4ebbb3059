// SPDX-License-Identifier: MIT
#include "kinematics/codegen/row_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kinematics/codegen/routine_text.h"

namespace rodeo::codegen {
namespace {

bool share_body(const MultiplierRow& a, const MultiplierRow& b) {
  const auto has = [&](int body) { return body != 0 && (body == b.first || body == b.second); };
  return has(a.first) || has(a.second);
}

class Order {
 public:
  explicit Order(const std::vector<MultiplierRow>& rows) : rows_(rows), is_taken_(rows.size(), false) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      uses_[rows[i].first].push_back(i);
      uses_[rows[i].second].push_back(i);
    }
    uses_.erase(0);
  }

  std::vector<std::size_t> run() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!is_taken_[i]) spread(find_end(i));
    }
    return std::move(order_);
  }

 private:
  [[nodiscard]] std::vector<std::size_t> find_neighbours(std::size_t row) const {
    std::vector<std::size_t> found;
    for (const int body : {rows_[row].first, rows_[row].second}) {
      const auto uses = uses_.find(body);
      if (uses != uses_.end()) found.insert(found.end(), uses->second.begin(), uses->second.end());
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  /// Level by level; those with few neighbours first.
  [[nodiscard]] std::vector<std::size_t> walk(std::size_t from) const {
    std::vector<bool> met = is_taken_;
    std::vector<std::size_t> list{from};
    met[from] = true;
    for (std::size_t at = 0; at < list.size(); ++at) {
      std::vector<std::size_t> next = find_neighbours(list[at]);
      std::erase_if(next, [&](std::size_t n) { return met[n]; });
      std::stable_sort(next.begin(), next.end(), [&](std::size_t a, std::size_t b) {
        return find_neighbours(a).size() < find_neighbours(b).size();
      });
      for (const std::size_t n : next) met[n] = true;
      list.insert(list.end(), next.begin(), next.end());
    }
    return list;
  }

  /// The last that a walk comes to lies at an end of what hangs together.
  [[nodiscard]] std::size_t find_end(std::size_t from) const { return walk(walk(from).back()).back(); }

  void spread(std::size_t from) {
    for (const std::size_t row : walk(from)) {
      is_taken_[row] = true;
      order_.push_back(row);
    }
  }

  const std::vector<MultiplierRow>& rows_;
  std::map<int, std::vector<std::size_t>> uses_;  // of a body
  std::vector<bool> is_taken_;
  std::vector<std::size_t> order_;
};

}  // namespace

std::vector<std::size_t> order_rows(const std::vector<MultiplierRow>& rows) { return Order(rows).run(); }

std::vector<std::size_t> find_profile(const std::vector<MultiplierRow>& rows) {
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::size_t j = 0;
    while (j < i && !share_body(rows[i], rows[j])) ++j;
    first.push_back(j);
  }
  return first;
}

std::string row_tables(const KernelModel& model) {
  const std::vector<std::size_t> first = find_profile(model.rows);
  std::size_t offset = 0;
  std::string bodies, firsts, offsets, units;
  for (std::size_t r = 0; r < first.size(); ++r) {
    bodies += fmt::format("  {{{}, {}}},\n", model.rows[r].first - 1, model.rows[r].second - 1);
    firsts += fmt::format("{}, ", first[r]);
    offsets += fmt::format("{}, ", offset);
    units += model.rows[r].is_angle ? "SIZE, " : "1.0, ";
    offset += r + 1 - first[r];
  }
  const auto table = [](const char* type, const char* name, const std::string& items) {
    return fmt::format("static const {} {}[] = {{{}}};\n", type, name, items.empty() ? "0" : items);
  };
  return fmt::format("#define SIZE {}\n#define N_PROFILE {}\n#define ROOM_PROFILE (N_PROFILE + 1)\n",
                     number_text(model.size), offset) +
         "/* Bodies of each row (-1 the ground), its first column in S, where it begins in the factor, its "
         "unit. */\n" +
         fmt::format("static const int row_bodies[][2] = {{\n{}}};\n",
                     bodies.empty() ? "  {-1, -1},\n" : bodies) +
         table("int", "row_first", firsts) + table("int", "row_offset", offsets) +
         table("double", "row_units", units) + "\n";
}

}  // namespace rodeo::codegen
