// SPDX-License-Identifier: MIT
// The program `rodeo`: finds the command, runs it, and turns what it threw into one sentence on stderr and an
// exit status: 0 done, 1 the model or input is wrong, 2 the command line is wrong, 3 a fault while running.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/printable.h"
#include "engine/loop/rights.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/output.h"
#ifdef RODEO_OFFLINE_BUILD
#include "kinematics/text/fault.h"
#endif

namespace rodeo::tools {
namespace {

int report(Status status, std::string_view sentence) {
  engine::print_sentence("{}", sentence);
  return status;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

template <typename Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Why `name` is not a command here.
std::string unknown_command(const std::vector<std::string>& commands, std::string_view name) {
  if (!contains(offline_commands(), name)) {
    return fmt::format("rodeo: there is no command '{}' (there are {})", name, fmt::join(commands, ", "));
  }
  return fmt::format(
      "rodeo: '{}' is an offline command and this rodeo was built without the offline side "
      "(RODEO_OFFLINE=OFF)",
      name);
}

void set_up(CLI::App& app) {
  app.name("rodeo");
  app.description(
      "Machines in the plane and in space, and bond graphs: from a drawing to a real-time simulation.");
  app.footer("Example: rodeo doctor\nHelp on one command: rodeo COMMAND --help");
  app.set_version_flag("--version", "rodeo " RODEO_VERSION);
  app.require_subcommand(1);
  add_commands(app);
}

/// Help and version are parse "errors" of CLI11 with status 0.
int report_parse(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "rodeo" : "rodeo " + chosen.front()->get_name();
  std::string sentence = error.what();
  if (chosen.empty() && error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError)) {
    sentence = fmt::format("a command is needed: there are {}", fmt::join(command_names(app), ", "));
  }
  std::replace(sentence.begin(), sentence.end(), '\n', ' ');
  return report(command_line_wrong, fmt::format("{}: {} (see '{} --help')", command, sentence, command));
}

/// `status`, if what was printed could be written.
int finish(int status) {
  return std::fflush(stdout) == 0 ? status : report(fault, "rodeo: cannot write to standard output");
}

/// Real time is set up with the capabilities that the program has been given, and doctor tells of them; no other command ever
/// has any. These give them up themselves.
bool needs_capabilities(std::string_view command) {
  return command == "run" || command == "replay" || command == "doctor";
}

int run(CLI::App& app, int argc, char** argv) {
  if (argc < 2 || !needs_capabilities(argv[1])) engine::drop_capabilities();
  try {
    app.parse(argc, argv);
    return finish(done);
  } catch (const CLI::RuntimeError& error) {
    return finish(error.get_exit_code());
  } catch (const CLI::ParseError& error) {
    return report_parse(app, error);
#ifdef RODEO_OFFLINE_BUILD
  } catch (const text::ModelError& error) {
    engine::print_text(std::string(error.what()) + "\n", stderr);  // a line a fault
    return input_wrong;
#endif
  } catch (const OutputError& error) {
    return report(input_wrong, fmt::format("rodeo: {}", error.what()));
  }
}

int run_guarded(int argc, char** argv) {
  CLI::App app;
  set_up(app);
  const auto commands = command_names(app);
  if (argc > 1 && argv[1][0] != '-' && !contains(commands, argv[1])) {
    return report(command_line_wrong, unknown_command(commands, argv[1]));
  }
  return run(app, argc, argv);
}

}  // namespace
}  // namespace rodeo::tools

int main(int argc, char** argv) {
  try {
    return rodeo::tools::run_guarded(argc, argv);
  } catch (const std::exception& error) {
    return rodeo::tools::report(rodeo::tools::fault, fmt::format("rodeo: {}", error.what()));
  }
}
