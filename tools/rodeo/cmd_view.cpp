// SPDX-License-Identifier: MIT
// `rodeo view`: builds the model, makes a log of a recording, and starts rodeo-view with the rest of the command line.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "engine/record/recording.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/output.h"
#include "tools/rodeo/run_model.h"
#include "tools/rodeo/signing.h"
#include "tools/rodeo/view_log.h"
#include "tools/rodeo/view_process.h"
#include "viz/app/options.h"
#include "viz/feed/scene_file.h"
#ifdef RODEO_OFFLINE_BUILD
#include "tools/rodeo/offline_build.h"
#include "tools/rodeo/offline_watch.h"
#endif

namespace rodeo::tools {

void add_view(CLI::App& app);

namespace {

namespace fs = std::filesystem;

struct ViewCommand {
  RunModelOptions model;
  viz::ViewOptions view;
};

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// What was given, word for word, but for what this program has done already.
std::vector<std::string> collect_options(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || !name.starts_with("--") || name == "--replay" ||
        name == "--require-signature")
      continue;
    if (option->get_items_expected_max() == 0) {
      words.push_back(name);
      continue;
    }
    for (const std::string& value : option->results()) words.push_back(name + "=" + value);
  }
  return words;
}

/// The folder to show; a machine file is built first, and again with --watch.
class ShownModel {
 public:
  ShownModel(const ViewCommand& options, const std::optional<TemporaryFolder>& scratch) {
    const std::string& path = options.model.path;
    if (is_folder(path)) {
      if (!options.model.overrides.empty())
        throw CLI::ValidationError(
            "-p", "a built folder shows the numbers that it was built with: give the machine file");
      folder_ = path;
      return;
    }
    std::error_code ignored;
    if (!fs::exists(path, ignored))
      throw engine::KernelError(fmt::format("{}: there is no such file or folder", path));
#ifdef RODEO_OFFLINE_BUILD
    if (options.view.watch) {
      folder_ = (scratch->path() / "model").string();
      watch_.emplace(path, options.model.overrides, folder_);
    } else {
      folder_ = build_or_find_kernel(path, options.model.overrides);
    }
#else
    static_cast<void>(scratch);
    throw engine::KernelError(fmt::format(
        "{}: this rodeo was built without the offline side: give it the folder that 'rodeo build' "
        "made elsewhere",
        path));
#endif
  }

  [[nodiscard]] const std::string& folder() const noexcept { return folder_; }
  void look() {
#ifdef RODEO_OFFLINE_BUILD
    if (watch_) watch_->look();
#endif
  }

 private:
  std::string folder_;
#ifdef RODEO_OFFLINE_BUILD
  std::optional<ModelWatch> watch_;
#endif
};

void run(const CLI::App& command, const ViewCommand& options) {
  viz::check_view_options(options.view);
  for (const std::string& output : {options.view.screenshot, options.view.video})
    check_not_read(output, {options.model.path, options.view.replay});
  const std::string viewer = find_viewer();
  const bool is_recorded = engine::is_recording(options.view.replay);
  const bool is_watched = options.view.watch && !is_folder(options.model.path);
  check_required_signature(options.model.path, options.model.public_keys);
  if (is_recorded) check_required_signature(options.view.replay, options.model.public_keys);
  std::optional<TemporaryFolder> scratch;
  if (is_recorded || is_watched) scratch.emplace();
  ShownModel model(options, scratch);
  std::vector<std::string> words = collect_options(command);
  const std::string folder = model.folder();
  words.insert(words.begin(), folder.starts_with('-') ? "./" + folder : folder);  // no option
  std::string log = options.view.replay;
  bool is_whole = true;
  if (is_recorded) {
    log = (scratch->path() / "replay.csv").string();
    is_whole = write_view_log(options.view.replay, model.folder(), log, options.view.charts);
  }
  if (!log.empty()) words.push_back("--replay=" + log);
  if (!scratch) become_viewer(viewer, words);
  const int status = run_viewer(viewer, words, [&] { model.look(); });
  scratch.reset();
  if (status != done) throw CLI::RuntimeError(status);
  if (!is_whole) throw CLI::RuntimeError(input_wrong);
}

}  // namespace

void add_view(CLI::App& app) {
  auto options = std::make_shared<ViewCommand>();
  CLI::App* command = app.add_subcommand(
      "view", "Shows a machine in a window or as a picture: running, recorded or at its start");
  add_run_model_options(*command, options->model);
  viz::add_view_options(*command, options->view);
  command->footer(
      "Example: rodeo view configs/wheel_loader.yaml --replay log.csv\n"
      "         rodeo view configs/wheel_loader.yaml --follow 127.0.0.1:5006 --command 127.0.0.1:5005\n"
      "         rodeo view configs/wheel_loader.yaml --screenshot loader.png\n"
      "The key h shows what keys and mouse do. A recording is read; nothing that it carries is "
      "run.");
  command->callback([options, command] {
    report_engine_errors([&] {
      try {
        run(*command, *options);
      } catch (const viz::SceneError& error) {
        throw engine::IoError(error.what());
      }
    });
  });
}

}  // namespace rodeo::tools
