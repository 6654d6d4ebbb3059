// SPDX-License-Identifier: MIT
// What `rodeo drive` sends of the shipped cycles, played live: the forces of `rodeo simulate` with the same cycle, as long ago as the
// engine says. The cycle has kinks, which a rig must not feel as more than the limits allow.
#include <fstream>
#include <sstream>

#include "engine/io/csv.h"
#include "tests/live/live_machine.h"
#include "tools/rodeo/drive_cycle.h"

namespace rodeo::engine::live_testing {
namespace {

struct Cycle {
  std::string machine;
  std::string name;
};

std::string read_rates() {
  std::ifstream in(fmt::format("{}/configs/cycles/loading_cylinders_smooth.csv", RODEO_SOURCE_DIR));
  std::string rates;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    if (cells.size() == 5) rates += fmt::format("{},{},{}\n", cells[0], cells[2], cells[4]);
  }
  return rates;
}

/// A cycle of configs/, or made of one: its rates alone, linear between rows; steps of the rate.
std::unique_ptr<Input> load_cycle(const Cycle& cycle) {
  const auto names = build_names(built(cycle.machine).kernel.drives());
  std::istringstream text(cycle.name == "rates"
                              ? read_rates()
                              : "t,lift.rate,tilt.rate\n0,0,0\n0.5,0,0\n0.5,0.1,0\n2.0123,0.1,0\n"
                                "2.0123,-0.15,-0.1\n4,-0.15,-0.1\n9,0.15,0\n12,0,0\n");
  const bool is_file = cycle.name != "rates" && cycle.name != "steps";
  return std::make_unique<CsvInput>(
      is_file
          ? build_csv_from_file(fmt::format("{}/configs/cycles/{}.csv", RODEO_SOURCE_DIR, cycle.name), names)
          : build_csv(text, cycle.name, names));
}

/// Straight into the loop, tick by tick: what simulate does.
class Offline : public CommandPort {
 public:
  explicit Offline(std::unique_ptr<Input> input) : input_(std::move(input)) {}
  [[nodiscard]] bool try_sample(std::int64_t now, Sample& out) noexcept override {
    input_->sample(out.time, out.commands);
    out.arrival = now;
    return out.has_any = true;
  }

 private:
  std::unique_ptr<Input> input_;
};

/// A way through a network: its jitter, s, what it loses, the phase of its clock against the ticks, s, and for how long it stands still
/// now and then, s.
struct Way {
  double jitter = 0;
  double loss = 0;
  double phase = 0;
  double pause = 0;

  [[nodiscard]] double calc_late(double sent, double chance) const {
    constexpr double kBetween = 0.37;
    const double since = std::fmod(sent, kBetween);
    return sent > kBetween && since < pause ? pause - since : jitter * chance;
  }
};

/// The packets of the program.
std::vector<Datagram> build_drive(const Cycle& cycle, const Way& way) {
  const ModelFolder& model = built(cycle.machine);
  const MachineInterface machine = build_machine_interface(model);
  const CommandLayout layout = machine.build_layout();
  tools::CycleOptions options;
  options.name = cycle.name;
  options.rate = 1000;
  options.tick = kPeriod;
  options.positions = model.start;
  options.least_delay = 50;
  tools::CycleSource source(load_cycle(cycle), machine, options);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Datagram> packets;
  bool is_more = true;
  for (int k = 0; is_more; ++k) {
    tools::Outgoing out;
    is_more = source.fill(to_ns(k * kPeriod), out);
    CommandHeader header;
    header.mode = out.mode;
    header.least_delay = out.least_delay;
    header.session = 7;
    header.sequence = static_cast<std::uint64_t>(k) + 1;
    header.time = 1 + to_ns(k * kPeriod);
    Datagram packet{k * kPeriod + way.phase + kTransit + way.calc_late(k * kPeriod, uniform(random)),
                    std::vector<std::uint8_t>(layout.packet_bytes(out.mode, false))};
    encode_command(layout, header, out.values, nullptr, packet.bytes);
    if (k == 0 || uniform(random) >= way.loss) packets.push_back(packet);
  }
  // In order: one thread sends them, and a socket keeps it.
  for (std::size_t i = 1; i < packets.size(); ++i)
    packets[i].arrival = std::max(packets[i].arrival, packets[i - 1].arrival);
  return packets;
}

/// Between two ticks, linear: the way through the network is no whole number of them.
template <typename Get>
double calc_at(const std::vector<Tick>& ticks, double time, const Get& get) {
  const double at =
      std::clamp((time - ticks.front().time) / kPeriod, 0.0, static_cast<double>(ticks.size() - 2));
  const auto i = static_cast<std::size_t>(at);
  const double part = at - static_cast<double>(i);
  return get(ticks[i]) * (1 - part) + get(ticks[i + 1]) * part;
}

/// Every tick from the first that is played on, against the offline one as long ago as the engine says.
double calc_largest(const std::vector<Tick>& live, const std::vector<Tick>& offline, double phase) {
  const auto force = [](const Tick& tick) { return tick.force; };
  double largest = 0;
  for (const Tick& tick : live) {
    const double was = tick.time - tick.delay - kTransit - phase;
    if (tick.delay == 0 || was < 0 || was > offline.back().time) continue;
    largest = std::max(largest, std::abs(tick.force - calc_at(offline, was, force)));
  }
  return largest;
}

TEST(DrivenCycle, HasTheForcesOfTheSameCycleOfflineAtEveryTick) {
  const std::vector<Cycle> cycles{{"wheel_loader_cylinders", "loading_cylinders"},
                                  {"wheel_loader_cylinders", "loading_cylinders_smooth"},
                                  {"wheel_loader_cylinders", "rates"},
                                  {"wheel_loader_cylinders", "steps"},
                                  {"wheel_loader", "loading"},
                                  {"excavator", "digging"}};
  const std::vector<Way> ways{
      {}, {0, 0, 0.0004, 0}, {0.004, 0, 0, 0}, {0.0003, 0, 0.0007, 0.03}, {0.004, 0.01, 0, 0}};
  for (const Cycle& cycle : cycles) {
    const ModelFolder& model = built(cycle.machine);
    Offline direct(load_cycle(cycle));
    const double seconds = static_cast<double>(load_cycle(cycle)->end()) / 1e9 + 1;
    const std::vector<Tick> offline = run_live(model, direct, seconds);
    check_limits(model, offline);
    double peak = 0;
    for (const Tick& tick : offline) peak = std::max(peak, std::abs(tick.force));
    for (const Way& way : ways) {
      VirtualReceiver port(model, build_drive(cycle, way));
      const std::vector<Tick> live = run_live(model, port, seconds);
      check_limits(model, live);
      const double largest = calc_largest(live, offline, way.phase);
      const std::string row = fmt::format(
          "{:25} jitter {:3.1f} ms, pauses {:2.0f} ms, loss {:.0f} %, phase {:.1f} ms: peak {:.0f}, largest "
          "difference {:.1f} "
          "({:.3f} %), delay {:.1f} ms",
          cycle.name, way.jitter * 1e3, way.pause * 1e3, way.loss * 100, way.phase * 1e3, peak, largest,
          100 * largest / peak, live[live.size() / 2].delay * 1e3);
      fmt::print("{}\n", row);
      // Of a packet that is lost nobody knows how the jerk changed within its 2 ms.
      EXPECT_LE(largest, (way.loss > 0 ? 0.03 : 0.01) * peak) << row;
      EXPECT_EQ(live.back().drives[0].rate, 0) << row;
      EXPECT_EQ(live.back().drives[0].acceleration, 0) << row;
    }
  }
}

/// A loop that now and then sleeps on, for up to `most` ticks.
Lateness build_losses(int most) {
  return [most, random = std::mt19937_64(5)](std::int64_t) mutable -> std::int64_t {
    constexpr int kBetween = 100;
    if (random() % kBetween != 0) return 0;
    return static_cast<std::int64_t>(random() % to_ns(most * kPeriod));
  };
}

TEST(DrivenCycle, HasThemThroughLostTicks) {
  const std::vector<Cycle> cycles{{"wheel_loader_cylinders", "loading_cylinders_smooth"},
                                  {"wheel_loader_cylinders", "rates"},
                                  {"excavator", "digging"}};
  for (const Cycle& cycle : cycles) {
    const ModelFolder& model = built(cycle.machine);
    Offline direct(load_cycle(cycle));
    const double seconds = static_cast<double>(load_cycle(cycle)->end()) / 1e9 + 1;
    const std::vector<Tick> offline = run_live(model, direct, seconds);
    double peak = 0;
    for (const Tick& tick : offline) peak = std::max(peak, std::abs(tick.force));
    for (const int most : {2, 5, 12, 40}) {
      VirtualReceiver port(model, build_drive(cycle, {}));
      const std::vector<Tick> live = run_live(model, port, seconds, build_losses(most));
      EXPECT_LT(live.size() + 50, offline.size()) << "no tick was lost";
      check_limits(model, live);
      const double largest = calc_largest(live, offline, 0);
      const std::string row = fmt::format(
          "{:25} {} of {} ticks lost, at most {} in a row: peak {:.0f}, largest difference {:.1f} ({:.3f} %)",
          cycle.name, offline.size() - live.size(), offline.size(), most, peak, largest,
          100 * largest / peak);
      fmt::print("{}\n", row);
      EXPECT_LE(largest, 0.01 * peak) << row;
    }
  }
}

}  // namespace
}  // namespace rodeo::engine::live_testing
