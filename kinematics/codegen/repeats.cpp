// SPDX-License-Identifier: MIT
// Periods by the distance of equal short stretches, then maximal stretches by a scan for each period.
#include "kinematics/codegen/repeats.h"

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>

namespace rodeo::codegen {
namespace {

constexpr std::uint32_t kNear = 48;    // values: operands nearer than that must be at the same distance
constexpr std::uint32_t kGram = 8;     // instructions that must agree for a period to be tried
constexpr std::size_t kPeriods = 48;   // that are tried
constexpr std::uint32_t kSaving = 32;  // instructions that a loop must save

class Repeats {
 public:
  Repeats(const Tape& tape, std::uint32_t least) : tape_(tape), least_(least) {
    for (const Instruction& instruction : tape.instructions) tokens_.push_back(token(instruction));
    mark_blocks();
  }

  std::vector<Repeat> run() {
    std::vector<Stretch> stretches;
    for (const std::uint32_t period : find_periods()) add_stretches(period, stretches);
    std::vector<Repeat> chosen;
    while (!stretches.empty()) {
      const auto best =
          std::max_element(stretches.begin(), stretches.end(), [](const auto& a, const auto& b) {
            return std::pair{a.saving(), b.period} < std::pair{b.saving(), a.period};
          });
      const Repeat repeat = align(*best);
      if (repeat.repeats == 0) {
        stretches.erase(best);
        continue;
      }
      chosen.push_back(repeat);
      cut(stretches, repeat);
    }
    std::sort(chosen.begin(), chosen.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return chosen;
  }

 private:
  /// [begin, end) in which instruction i is as i + period is.
  struct Stretch {
    std::uint32_t begin = 0, end = 0, period = 0;
    [[nodiscard]] std::uint32_t repeats() const { return (end - begin) / period; }
    [[nodiscard]] std::uint32_t saving() const { return repeats() == 0 ? 0 : (repeats() - 1) * period; }
  };

  static std::uint64_t mix(std::uint64_t hash, std::uint64_t part) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15ULL;
    return hash ^ (hash >> 29);
  }

  [[nodiscard]] std::uint64_t token(const Instruction& instruction) const {
    std::uint64_t hash = mix(static_cast<std::uint64_t>(instruction.code), instruction.operands);
    hash = mix(hash, instruction.values);
    for (std::uint32_t o = 0; o < instruction.operands; ++o) {
      const Operand& operand = tape_.operands_of(instruction)[o];
      const std::uint32_t distance =
          operand.space == Space::value ? instruction.first_value - operand.index : 0;
      hash = mix(hash, static_cast<std::uint64_t>(operand.space) * 2 + (operand.negative ? 1 : 0));
      hash = mix(hash, distance <= kNear ? distance : kNear + 1);
    }
    return hash;
  }

  /// Loops may not begin inside an iterated block.
  void mark_blocks() {
    bool inside = false;
    for (const Instruction& instruction : tape_.instructions) {
      inside_.push_back(inside);
      if (instruction.code == Code::iterate) inside = true;
      if (instruction.code == Code::correct) inside = false;
    }
  }

  /// The distances between equal grams that occur most.
  [[nodiscard]] std::vector<std::uint32_t> find_periods() const {
    std::unordered_map<std::uint64_t, std::uint32_t> last;
    std::map<std::uint32_t, std::uint32_t> count;
    for (std::uint32_t i = 0; i + kGram <= tokens_.size(); ++i) {
      std::uint64_t gram = 0;
      for (std::uint32_t g = 0; g < kGram; ++g) gram = mix(gram, tokens_[i + g]);
      const auto [it, is_new] = last.emplace(gram, i);
      if (!is_new) ++count[i - std::exchange(it->second, i)];
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order;
    for (const auto& [period, times] : count) order.emplace_back(times, period);
    std::sort(order.begin(), order.end(), std::greater<>());
    std::vector<std::uint32_t> periods;
    for (const auto& entry : order) {
      if (periods.size() < kPeriods) periods.push_back(entry.second);
    }
    return periods;
  }

  void add_stretches(std::uint32_t period, std::vector<Stretch>& stretches) const {
    std::uint32_t begin = 0;
    const auto size = static_cast<std::uint32_t>(tokens_.size());
    for (std::uint32_t i = 0; i + period <= size; ++i) {
      if (i + period < size && tokens_[i] == tokens_[i + period]) continue;
      add_if_worth({begin, i + period, period}, stretches);
      begin = i + 1;
    }
  }

  void add_if_worth(const Stretch& stretch, std::vector<Stretch>& stretches) const {
    if (stretch.begin < stretch.end && stretch.repeats() >= least_ && stretch.saving() >= kSaving)
      stretches.push_back(stretch);
  }

  void cut(std::vector<Stretch>& stretches, const Repeat& taken) const {
    const std::uint32_t begin = taken.first, end = taken.first + taken.period * taken.repeats;
    std::vector<Stretch> left;
    for (const Stretch& stretch : stretches) {
      if (end <= stretch.begin || begin >= stretch.end) {
        left.push_back(stretch);
        continue;
      }
      if (stretch.begin < begin) add_if_worth({stretch.begin, begin, stretch.period}, left);
      if (end < stretch.end) add_if_worth({end, stretch.end, stretch.period}, left);
    }
    stretches = std::move(left);
  }

  /// Turns begin where the fewest values pass from one to the next; none, if there is no place to begin.
  [[nodiscard]] Repeat align(const Stretch& stretch) const {
    const std::vector<std::uint32_t> crossing = count_crossing(stretch);
    std::uint32_t best = 0;
    bool found = false;
    for (std::uint32_t c = 0; c < stretch.period; ++c) {
      if (inside_[stretch.begin + c] || (stretch.end - stretch.begin - c) / stretch.period < least_) continue;
      if (!found || crossing[c] < crossing[best]) best = c;
      found = true;
    }
    const std::uint32_t first = stretch.begin + best;
    return {first, stretch.period, found ? (stretch.end - first) / stretch.period : 0};
  }

  /// Values that pass each of the places where a turn could begin, seen in the middle of the stretch.
  [[nodiscard]] std::vector<std::uint32_t> count_crossing(const Stretch& stretch) const {
    const std::uint32_t period = stretch.period;
    const std::uint32_t middle = stretch.begin + stretch.repeats() / 2 * period;
    std::vector<std::int32_t> change(4 * period + 1, 0);
    const std::uint32_t origin = middle - period;                     // place 0 of `change`
    std::unordered_map<std::uint32_t, std::uint32_t> assigned, used;  // value -> place
    for (std::uint32_t i = origin; i < std::min(stretch.end, middle + 2 * period); ++i) {
      const Instruction& instruction = tape_.instructions[i];
      for (std::uint32_t o = 0; o < instruction.operands; ++o) {
        const Operand& operand = tape_.operands_of(instruction)[o];
        if (operand.space == Space::value && assigned.contains(operand.index))
          used[operand.index] = i - origin;
      }
      for (std::uint32_t v = 0; v < instruction.values; ++v)
        assigned[instruction.first_value + v] = i - origin;
    }
    for (const auto& [value, last] : used) {
      ++change[assigned[value] + 1];  // passes the places after its own, up to its last use
      --change[last + 1];
    }
    std::vector<std::uint32_t> crossing(period, 0);
    std::int32_t sum = 0;
    for (std::uint32_t place = 0; place < 2 * period; ++place) {
      sum += change[place];
      if (place >= period) crossing[place - period] = static_cast<std::uint32_t>(sum);
    }
    return crossing;
  }

  const Tape& tape_;
  std::uint32_t least_;
  std::vector<std::uint64_t> tokens_;
  std::vector<bool> inside_;
};

}  // namespace

std::vector<Repeat> find_repeats(const Tape& tape, std::uint32_t least) { return Repeats(tape, least).run(); }

}  // namespace rodeo::codegen
