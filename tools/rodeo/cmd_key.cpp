// SPDX-License-Identifier: MIT
// `rodeo key`: a pair of keys, to sign with and to know the signer by.
#include <fmt/format.h>

#include <memory>

#include "engine/files/signature.h"
#include "engine/io/printable.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/output.h"

namespace rodeo::tools {

void add_key(CLI::App& app);

namespace {

void run_key(const std::string& name) {
  try {
    engine::write_key_pair(name);
  } catch (const engine::SignatureError& error) {
    throw OutputError(error.what());
  }
  engine::print_text(fmt::format("{0}.key: secret, to sign with; {0}.pub: for those who check, {1}\n", name,
                                 engine::build_hex(engine::build_public_keys(name + ".pub").front())));
}

}  // namespace

void add_key(CLI::App& app) {
  auto name = std::make_shared<std::string>("rodeo");
  CLI::App* command = app.add_subcommand("key", "A pair of keys that signs built folders and recordings");
  command->add_option("-o", *name, "NAME: writes NAME.key and NAME.pub")->capture_default_str();
  command->footer(
      "Example: rodeo key -o alice\n"
      "         rodeo build configs/wheel_loader.yaml -o loader --sign alice.key\n"
      "         rodeo run loader --require-signature alice.pub --record run.mcap --sign alice.key");
  command->callback([name] { run_key(*name); });
}

}  // namespace rodeo::tools
