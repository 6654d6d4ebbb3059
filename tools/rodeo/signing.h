// SPDX-License-Identifier: MIT
// --sign and --require-signature.
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "engine/files/signature.h"

namespace rodeo::tools {

/// --sign KEYFILE.
CLI::Option* add_sign_option(CLI::App& command, std::string& key_file);
/// None if the option was not given. Throws KernelError.
[[nodiscard]] std::optional<engine::SecretKey> load_signing_key(const std::string& key_file);

/// --require-signature PUBKEYS.
CLI::Option* add_require_signature_option(CLI::App& command, std::string& public_keys);
/// Nothing if the option was not given. Throws KernelError unless the built folder or the recording is signed by one of the keys; a
/// machine file has no signature.
void check_required_signature(const std::string& path, const std::string& public_keys);

}  // namespace rodeo::tools
