// SPDX-License-Identifier: MIT
// `rodeo build`: the offline build of a machine, a folder that the run-time side takes.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "engine/step/model_folder.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/offline_build.h"
#include "tools/rodeo/offline_model.h"
#include "tools/rodeo/offline_notes.h"
#include "tools/rodeo/output.h"
#include "tools/rodeo/run_model.h"
#include "tools/rodeo/signing.h"

namespace rodeo::tools {

void add_build(CLI::App& app);

namespace {

struct BuildOptions {
  ModelOptions model;
  std::string folder;
  std::string method;
  std::string key;
};

void run_build(const BuildOptions& options) {
  namespace fs = std::filesystem;
  check_holds_not_read(options.folder, options.model.path);
  const auto key = load_signing_key(options.key);
  const fs::path built = build_or_find_kernel(options.model.path, options.model.overrides, options.method);
  copy_folder(built.string(), options.folder, key);
  fmt::print(
      "{}: kernel.c, kernel.so, rodeo_kernel.h, interface.json, scene.json, certificate.json, "
      "source.json, checksums.txt{}\n",
      options.folder, key ? ", signature.txt" : "");
  print_notes(engine::ModelFolder::build_from(built.string()).notes);
}

}  // namespace

void add_build(CLI::App& app) {
  auto options = std::make_shared<BuildOptions>();
  CLI::App* command =
      app.add_subcommand("build", "The offline build: C99 kernel, compiled, with its certificate");
  add_model_options(*command, options->model, "A machine file");
  command->add_option("-o", options->folder, "Folder to make")->required();
  command
      ->add_option("--method", options->method,
                   "How it moves by its forces: minimal (if not given, where it can), as few coordinates as "
                   "can be; lagrange, all "
                   "coordinates with multipliers (in space always)")
      ->check(CLI::IsMember({"minimal", "lagrange"}));
  add_sign_option(*command, options->key);
  command->footer("Example: rodeo build configs/wheel_loader.yaml -o out/wheel_loader");
  command->callback([options] { report_engine_errors([&] { run_build(*options); }); });
}

}  // namespace rodeo::tools
