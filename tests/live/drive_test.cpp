// SPDX-License-Identifier: MIT
// What `rodeo drive` sends of the shipped cycles, played live: the forces of `rodeo simulate` with the same cycle, as long ago as the
// engine says. The cycle has kinks, which a rig must not feel as more than the limits allow.
#include "engine/io/csv.h"
#include "tests/live/live_machine.h"
#include "tools/rodeo/drive_cycle.h"

namespace rodeo::engine::live_testing {
namespace {

constexpr double kSeconds = 31;

const ModelFolder& loader() { return built("wheel_loader_cylinders"); }

std::unique_ptr<Input> load_cycle(const std::string& name) {
  return std::make_unique<CsvInput>(
      build_csv_from_file(fmt::format("{}/configs/cycles/{}.csv", RODEO_SOURCE_DIR, name),
                          build_names(loader().kernel.drives())));
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

/// The packets of the program, with a network's jitter.
std::vector<Datagram> build_drive(const std::string& cycle, double rate, double jitter) {
  const MachineInterface machine = build_machine_interface(loader());
  const CommandLayout layout = machine.build_layout();
  tools::CycleOptions options;
  options.name = cycle;
  options.rate = rate;
  tools::CycleSource source(load_cycle(cycle), machine, options);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(0, jitter);
  std::vector<Datagram> packets;
  bool is_more = true;
  for (int k = 0; is_more; ++k) {
    tools::Outgoing out;
    is_more = source.fill(to_ns(k / rate), out);
    CommandHeader header;
    header.mode = out.mode;
    header.session = 7;
    header.sequence = static_cast<std::uint64_t>(k) + 1;
    header.time = 1 + to_ns(k / rate);
    Datagram packet{k / rate + kTransit + uniform(random),
                    std::vector<std::uint8_t>(layout.packet_bytes(out.mode, false))};
    encode_command(layout, header, out.values, nullptr, packet.bytes);
    packets.push_back(packet);
  }
  return packets;
}

double calc_peak(const std::vector<Tick>& ticks) {
  double peak = 0;
  for (const Tick& tick : ticks) peak = std::max(peak, std::abs(tick.force));
  return peak;
}

/// Between two ticks, linear: the delay is no whole number of them.
double calc_force_at(const std::vector<Tick>& ticks, double time) {
  const double at =
      std::clamp((time - ticks.front().time) / kPeriod, 0.0, static_cast<double>(ticks.size() - 2));
  const auto i = static_cast<std::size_t>(at);
  const double part = at - static_cast<double>(i);
  return ticks[i].force * (1 - part) + ticks[i + 1].force * part;
}

TEST(DrivenCycle, HasTheForcesOfTheSameCycleOffline) {
  for (const std::string cycle : {"loading_cylinders", "loading_cylinders_smooth"}) {
    Offline direct(load_cycle(cycle));
    const std::vector<Tick> offline = run_live(loader(), direct, kSeconds);
    check_limits(loader(), offline);
    const double peak = calc_peak(offline);
    for (const double jitter : {0.0, 0.004}) {
      VirtualReceiver port(loader(), build_drive(cycle, 100, jitter));
      const std::vector<Tick> live = run_live(loader(), port, kSeconds);
      check_limits(loader(), live);
      double largest = 0;
      double when = 0;
      for (const Tick& tick : live) {
        if (tick.time > 29.5 || tick.time < 1) continue;
        const double error = std::abs(tick.force - calc_force_at(offline, tick.time - tick.delay - kTransit));
        if (error > largest) when = tick.time;
        largest = std::max(largest, error);
      }
      fmt::print(
          "{}, jitter {} ms: peak {:.2f} kN offline, {:.2f} kN live; largest difference {:.2f} kN at {:.3f} "
          "s, delay "
          "{:.1f} ms\n",
          cycle, jitter * 1e3, peak / 1e3, calc_peak(live) / 1e3, largest / 1e3, when,
          live[20000].delay * 1e3);
      EXPECT_EQ(live.back().drives[0].rate, 0);
      EXPECT_EQ(live.back().drives[0].acceleration, 0);
      // A cycle of positions alone has a kink at every row, 20 a second: each is a blow of half the jerk, which packets of 100 Hz
      // do not hold in every millisecond. Its peak is the same; with rates in the file every tick is.
      const bool is_smooth = cycle == "loading_cylinders_smooth";
      EXPECT_NEAR(calc_peak(live), peak, (is_smooth ? 0.01 : 0.02) * peak);
      EXPECT_LE(largest, (is_smooth ? 0.01 : 0.15) * peak);
    }
  }
}

}  // namespace
}  // namespace rodeo::engine::live_testing
