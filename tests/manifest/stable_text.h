// SPDX-License-Identifier: MIT
// What the program writes, without what another version or another processor writes otherwise; and its hash.
//   version           changes with every release
//   model_fingerprint a hash of kernel.c, which has a line of its own: a diff would name three files where one has changed
//   residuals         rounding: 0 or a few 1e-16, whichever way the processor's libm has rounded
#pragma once
#include <fmt/format.h>
#include <sodium.h>

#include <array>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

namespace rodeo::manifest {

/// The first 16 digits of SHA-256.
inline std::string calc_hash(const std::string& text) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> bytes{};
  crypto_hash_sha256(bytes.data(), reinterpret_cast<const unsigned char*>(text.data()), text.size());
  std::string digits;
  for (std::size_t i = 0; i < 8; ++i) digits += fmt::format("{:02x}", bytes[i]);
  return digits;
}

inline std::string build_stable_c(const std::string& text) {
  static const std::regex version("made by Rodeo [^;]*;"), model("\\b[0-9a-f]{32}\\b");
  return std::regex_replace(std::regex_replace(text, version, "made by Rodeo;"), model, "FINGERPRINT");
}

inline std::string build_stable_json(const std::string& text) {
  auto root = nlohmann::ordered_json::parse(text);
  for (const char* key : {"rodeo", "model_fingerprint"}) root.erase(key);
  const auto judge = [](nlohmann::ordered_json& holder, const char* key) {
    if (holder.contains(key)) holder[key] = holder[key].get<double>() < 1e-9;
  };
  judge(root, "residual");
  if (root.contains("workspace")) judge(root["workspace"], "largest_residual");
  return root.dump(1);
}

}  // namespace rodeo::manifest
