// SPDX-License-Identifier: MIT
// `rodeo drive`: commands a machine that runs elsewhere, over UDP: a cycle from a file, the keys of a terminal, or a gamepad. Asks
// the engine first what it is, so that it needs no model.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <memory>
#include <thread>

#include "engine/io/input.h"
#include "engine/io/printable.h"
#include "engine/net/error.h"
#include "engine/net/sender.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/drive_cycle.h"
#include "tools/rodeo/drive_gamepad.h"
#include "tools/rodeo/drive_keyboard.h"
#include "tools/rodeo/drive_notices.h"
#include "tools/rodeo/drive_run.h"
#include "tools/rodeo/drive_site.h"
#include "tools/rodeo/fraction_bar.h"
#include "tools/rodeo/net_options.h"
#include "tools/rodeo/run_console.h"
#include "tools/rodeo/run_live.h"
#include "tools/rodeo/run_model.h"
#include "viz/app/in_range.h"

namespace rodeo::tools {

void add_drive(CLI::App& app);

namespace {

using engine::CommandMode;

constexpr std::chrono::seconds kPatience{1};
constexpr std::chrono::milliseconds kAskAgain{20};
constexpr double kFastest = 10'000;  // packets a second
constexpr double kUsual = 100;       // of levers, and for an engine that does not say how it ticks
constexpr double kFastestUsual = 1000;
/// ms that a cycle, which nobody steers, is played late at least: what computers that are not for real time are late by.
constexpr std::uint16_t kCycleDelay = 50;

struct DriveOptions {
  std::string file;
  std::string to;
  std::optional<double> rate;
  std::string mode;
  std::string key;
  double speed = 1;
  bool is_looped = false;
  std::string gamepad;
  bool is_keyboard = false;
  bool rearms = false;
};

void check_options(const DriveOptions& options) {
  const int sources =
      (options.file.empty() ? 0 : 1) + (options.gamepad.empty() ? 0 : 1) + (options.is_keyboard ? 1 : 0);
  if (sources != 1) throw CLI::ValidationError("FILE", "give one of FILE, --gamepad MAP.yaml and --keyboard");
  const bool has_cycle_options = options.is_looped || options.speed != 1 || !options.mode.empty();
  if (options.file.empty() && has_cycle_options) {
    throw CLI::ValidationError("--mode, --speed, --loop", "are for a FILE");
  }
}

std::unique_ptr<engine::Sender> open_sender(const DriveOptions& options) {
  if (options.key.empty()) return std::make_unique<engine::Sender>(options.to, std::nullopt);
  const engine::KeyFile file = engine::build_key_from_file(options.key);
  for (const std::string& warning : file.warnings) engine::print_sentence("warning: {}", warning);
  if (file.role == engine::Role::viewer) {
    throw engine::IoError(fmt::format(
        "{}: a viewer's key commands nothing: use the operator's or the instructor's", options.key));
  }
  return std::make_unique<engine::Sender>(options.to, file.key, file.role);
}

/// One that has just ended, or whose computer has, is soon gone.
void wait_until_free(engine::Sender& sender) {
  if (sender.role() == engine::Role::instructor) {
    sender.say_hello(kPatience);
    return;
  }
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (sender.say_hello(kPatience).is_occupied) {
    if (std::chrono::steady_clock::now() > end) {
      throw engine::NetError(
          fmt::format("another sender commands {}: end it, or take over with the instructor's key (--key)",
                      sender.answer().machine.name));
    }
    std::this_thread::sleep_for(kAskAgain);
  }
}

std::optional<CommandMode> find_mode(const std::string& name) {
  if (name.empty()) return {};
  static const std::map<std::string, CommandMode> modes{
      {"position", CommandMode::position},
      {"rate", CommandMode::rate},
      {"position_rate", CommandMode::position_rate},
      {"motion", CommandMode::motion},
      {"rate_acceleration", CommandMode::rate_acceleration}};
  return modes.at(name);
}

std::string describe_mode(CommandMode mode) {
  switch (mode) {
    case CommandMode::position: return "positions";
    case CommandMode::rate: return "rates";
    case CommandMode::position_rate: return "positions and rates";
    case CommandMode::motion:
      return "motion (positions, rates and accelerations within the machine's limits)";
    case CommandMode::rate_acceleration: return "rates and accelerations, within the machine's limits";
    default: return "nothing";
  }
}

/// One for each tick of the machine, or for every second one, ...
double calc_rate(const DriveOptions& options, double period) {
  if (options.rate) return *options.rate;
  if (options.file.empty() || !(period > 0)) return kUsual;
  return 1 / (period * std::max(1.0, std::ceil(1 / (period * kFastestUsual) - 1e-9)));
}

void print(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) engine::print_sentence("{}", sentence);
}

/// Runs it with what the engine has to say of itself meanwhile. `before`: clears the line for a sentence.
DriveReport run_watched(DriveRun run, const DriveOptions& options, CommandMode mode,
                        const std::function<void()>& before = {}) {
  DriveNotices notices(run.sender.answer(), options.rearms);
  print(notices.begin());
  engine::print_sentence("sends {} to {} at {}, {:.6g} packets a second", describe_mode(mode),
                         run.sender.answer().machine.name, options.to, run.rate);
  run.rearms = options.rearms;
  run.on_answer = [&] {
    const auto sentences = notices.take(run.sender.answer());
    if (!sentences.empty() && before) before();
    print(sentences);
  };
  DriveReport report = run_drive(run);
  report.lapse = notices.describe_lapse();
  return report;
}

/// The last words, on stderr: standard output is for nobody here.
void report(const DriveReport& report, const DriveOptions& options, const engine::Answer& machine) {
  engine::print_sentence(
      "{} packets sent to {}{}", report.packets, options.to,
      report.missed == 0 ? ""
                         : fmt::format(", {} missed: this computer was too late for them", report.missed));
  if (machine.delay > 0)
    engine::print_sentence("{} plays them {:.1f} ms late", machine.machine.name, machine.delay * 1e3);
}

void drive_cycle(const DriveOptions& options, const SignalFile& signals, engine::Sender& sender) {
  const engine::Answer own = build_own_units(sender.answer());
  const engine::MachineInterface& machine = own.machine;
  const double rate = calc_rate(options, own.period);
  CycleOptions cycle{options.file, find_mode(options.mode), rate, options.speed, options.is_looped};
  if (own.period > 0) {
    cycle.tick = own.period;
    cycle.least_delay = kCycleDelay;
  }
  cycle.positions = own.positions;
  CycleSource source(load_input(options.file, machine), machine, cycle);
  SiteSource sent(source, sender.answer().site);
  if (const std::string site = describe_site(sender.answer()); !site.empty())
    engine::print_sentence("{}", site);
  FractionBar bar;
  DriveRun run{signals, sender, sent, rate};
  run.show = [&](double fraction) {
    if (fraction >= 0) bar.show(fraction);
  };
  const DriveReport result = run_watched(run, options, source.mode(), [&] { bar.finish(); });
  bar.finish();
  report(result, options, sender.answer());
  if (!result.lapse.empty()) {
    engine::print_sentence("rodeo: {} {} of {}", machine.name, result.lapse, options.file);
    throw CLI::RuntimeError(fault);
  }
  if (result.is_whole || options.is_looped) return;
  engine::print_sentence("rodeo: stopped before the end of {}", options.file);
  throw CLI::RuntimeError(fault);
}

void drive_keyboard(const DriveOptions& options, const SignalFile& signals, engine::Sender& sender) {
  const RawTerminal terminal;
  if (!terminal.is_raw()) throw CLI::ValidationError("--keyboard", "needs a terminal as standard input");
  KeyboardSource source(sender.answer().machine);
  engine::print_text(source.help() + "\n", stderr);
  DriveRun run{signals, sender, source, calc_rate(options, 0)};
  run.has_keys = true;
  run.on_key = [&] { engine::print_sentence("{}", source.status()); };
  report(run_watched(run, options, CommandMode::rate), options, sender.answer());
}

void drive_gamepad(const DriveOptions& options, const SignalFile& signals, engine::Sender& sender) {
  const engine::MachineInterface& machine = sender.answer().machine;
  GamepadMap map = build_gamepad_map_from_file(options.gamepad, machine.drives);
  auto pad = open_first_pad();
  engine::print_sentence("driven by {}, Ctrl-C ends", pad->name());
  const double rate = calc_rate(options, 0);
  GamepadSource source(std::move(pad), std::move(map), machine, rate);
  report(run_watched({signals, sender, source, rate}, options, CommandMode::rate), options, sender.answer());
}

void run(const DriveOptions& options) {
  check_options(options);
  const SignalFile signals;  // before SDL makes threads
  const std::unique_ptr<engine::Sender> opened = open_sender(options);
  engine::Sender& sender = *opened;
  wait_until_free(sender);
  if (options.is_keyboard) return drive_keyboard(options, signals, sender);
  options.gamepad.empty() ? drive_cycle(options, signals, sender) : drive_gamepad(options, signals, sender);
}

void add_options(CLI::App& command, DriveOptions& options) {
  command.add_option(
      "FILE", options.file,
      "A CSV file with columns for drives and inputs, a cycle of configs/cycles by its name, or -");
  command.add_option("--to", options.to, "HOST:PORT where 'rodeo run --listen' is")
      ->required()
      ->check(check_endpoint);
  command
      .add_option("--rate", options.rate,
                  "Packets a second; of FILE one for each tick of the machine, 1000 at most, of keys and "
                  "gamepads 100, if not given")
      ->check(viz::in_range(0.1, kFastest));
  command.add_option(
      "--key", options.key,
      "The sender's key file, if the engine has one: KEY, or 'operator KEY' or 'instructor KEY'");
  command
      .add_option(
          "--mode", options.mode,
          "What packets of FILE hold; motion (positions, rates and accelerations within the machine's "
          "limits), if not given, or rate_acceleration for a cycle of rates")
      ->check(CLI::IsMember({"position", "rate", "position_rate", "motion", "rate_acceleration"}));
  command.add_option("--speed", options.speed, "2: FILE twice as fast")
      ->check(viz::in_range(0.001, 1000.0))
      ->capture_default_str();
  command.add_flag("--loop", options.is_looped, "FILE again and again");
  command.add_option("--gamepad", options.gamepad,
                     "A YAML file: which axis and button of a gamepad does what");
  command.add_flag("--keyboard", options.is_keyboard, "The keys of this terminal");
  command.add_flag("--rearm", options.rearms,
                   "Releases a latched machine (stale, emergency stop, overrun) with the first packet");
}

}  // namespace

void add_drive(CLI::App& app) {
  auto options = std::make_shared<DriveOptions>();
  CLI::App* command =
      app.add_subcommand("drive", "Commands a running machine over UDP: a cycle, keys or a gamepad");
  add_options(*command, *options);
  command->footer("Example: rodeo drive loading --to 127.0.0.1:5005\nCapital keys of --keyboard: " +
                  engine::key_map_line() +
                  ".\nSmall letters move the drives. Gamepad files: tools/rodeo/GAMEPAD.md.");
  command->callback([options] { report_live_errors([&] { run(*options); }); });
}

}  // namespace rodeo::tools
