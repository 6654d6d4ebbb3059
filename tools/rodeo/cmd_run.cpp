// SPDX-License-Identifier: MIT
// `rodeo run`: the real-time loop. Puts model, session, ports and loop together, lets the loop run in its own thread, listens
// to keys and signals meanwhile, and reports.
#include <fmt/format.h>

#include <memory>

#include "tools/rodeo/commands.h"
#include "tools/rodeo/fraction_bar.h"
#include "tools/rodeo/run_console.h"
#include "tools/rodeo/run_options.h"
#include "tools/rodeo/run_ports.h"
#include "tools/rodeo/run_report.h"
#include "tools/rodeo/run_thread.h"

namespace rodeo::tools {

void add_run(CLI::App& app);

namespace {

/// Everything of one run, in the order in which it is made.
class Run {
 public:
  Run(const RunOptions& options, engine::ModelFolder model)
      : options_(options),
        model_(std::move(model)),
        session_(model_, build_session_options(options), build_conditions(model_, options.initial)) {
    if (!options.input.empty()) {
      input_.emplace(load_input(options.input, engine::build_names(model_.kernel.drives())));
    }
    verbs_.emplace(input_ ? &*input_ : nullptr);
    loop_options_ = build_loop_options(options, false, input_ ? input_->end() : -1);
    loop_ = std::make_unique<engine::Loop>(session_, clock_, loop_options_,
                                           engine::LoopPorts{&*verbs_, {}, nullptr});
  }

  void run(const SignalFile& signals) {
    {
      LoopThread thread(*loop_, build_realtime_options(options_));
      for (const std::string& warning : thread.realtime().warnings)
        fmt::print(stderr, "warning: {}\n", warning);
      const auto on_demand = [&] { fmt::print(stderr, "{}", build_text(thread)); };
      FractionBar bar;
      const auto show = [&] { bar.show(calc_fraction()); };
      watch({*loop_, *verbs_, on_demand, has_end() ? std::function<void()>(show) : nullptr}, signals,
            thread.done_file());
      bar.finish();
      final_text_ = build_text(thread);
    }
    fmt::print("{}", final_text_);
  }

 private:
  [[nodiscard]] bool has_end() const {
    return loop_options_.last_tick != std::numeric_limits<std::int64_t>::max();
  }
  [[nodiscard]] double calc_fraction() const {
    const auto end = static_cast<double>(loop_options_.last_tick * session_.options().period);
    return static_cast<double>(loop_->statistics().time.load()) / end;
  }
  [[nodiscard]] std::string build_text(const LoopThread& thread) const {
    const RunFacts facts{model_.name, session_.options().period, thread.calc_load(), thread.realtime()};
    const auto report = build_run_report(loop_->statistics(), facts);
    return options_.json ? report.dump(2) + "\n" : format_run_report(report);
  }

  RunOptions options_;
  engine::ModelFolder model_;
  engine::Session session_;
  engine::MonotonicClock clock_;
  std::optional<InputPort> input_;
  std::optional<engine::OperatorPort> verbs_;
  engine::LoopOptions loop_options_;
  std::unique_ptr<engine::Loop> loop_;
  std::string final_text_;
};

void run_run(const RunOptions& options) {
  engine::ModelFolder model =
      load_run_model(options.model);  // may run a compiler, which Ctrl-C shall still end
  const SignalFile signals;
  Run run(options, std::move(model));
  run.run(signals);
}

}  // namespace

void add_run(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "The real-time loop: a machine at a fixed rate");
  add_run_model_options(*command, options->model);
  add_loop_options(*command, *options);
  command->footer(
      "Example: rodeo run configs/wheel_loader.yaml --rate 1000 --input loading --duration 10\n"
      "SIGINT and SIGTERM brake the machine to rest and end the run; SIGUSR1 writes the report to standard "
      "error.");
  command->callback([options] { report_engine_errors([&] { run_run(*options); }); });
}

}  // namespace rodeo::tools
