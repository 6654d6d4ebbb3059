// SPDX-License-Identifier: MIT
#include "tools/rodeo/signing.h"

#include <fmt/format.h>

#include <filesystem>

#include "engine/kernel/kernel.h"
#include "engine/record/recording.h"

namespace rodeo::tools {

CLI::Option* add_sign_option(CLI::App& command, std::string& key_file) {
  return command.add_option("--sign", key_file, "NAME.key of 'rodeo key': sign what is written");
}

std::optional<engine::SecretKey> load_signing_key(const std::string& key_file) try {
  if (key_file.empty()) return std::nullopt;
  return engine::build_secret_key(key_file);
} catch (const engine::SignatureError& error) {
  throw engine::KernelError(error.what());
}

CLI::Option* add_require_signature_option(CLI::App& command, std::string& public_keys) {
  return command.add_option(
      "--require-signature", public_keys,
      "A file of public keys (lines of NAME.pub): take only a built folder or a recording that one of "
      "them signed, unchanged");
}

void check_required_signature(const std::string& path, const std::string& public_keys) try {
  if (public_keys.empty()) return;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    throw engine::SignatureError(fmt::format("{}: there is no such file or folder", path));
  if (!std::filesystem::is_directory(path, ignored) && !engine::is_recording(path))
    throw engine::SignatureError(
        fmt::format("{}: is neither a built folder nor a recording, and only these are signed: 'rodeo build "
                    "--sign' makes one",
                    path));
  engine::check_signature(path, public_keys);
} catch (const engine::SignatureError& error) {
  throw engine::KernelError(error.what());
}

}  // namespace rodeo::tools
