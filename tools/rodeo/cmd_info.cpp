// SPDX-License-Identifier: MIT
// `rodeo info`: what a recording or a built folder is, whether it is whole, and who signed it. Runs nothing of it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/files/checksums.h"
#include "engine/files/signature.h"
#include "engine/io/printable.h"
#include "engine/record/recording.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/kernel_trust.h"
#include "tools/rodeo/run_model.h"

namespace rodeo::tools {

void add_info(CLI::App& app);

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct InfoOptions {
  std::string path;
  std::string keys;
  bool json = false;
};

/// Known by `keys`, or by what it says of itself.
std::string describe_signer(const engine::Signature& signature, const std::vector<engine::PublicKey>& keys) {
  const auto known = std::find_if(keys.begin(), keys.end(), [&](const engine::PublicKey& key) {
    return key.bytes == signature.by.bytes;
  });
  if (known != keys.end()) return known->name;
  return fmt::format("somebody who says '{}'{}", signature.by.name,
                     keys.empty() ? " (give --keys to know who it is)" : ", whose key is not among yours");
}

void add_signature(const InfoOptions& options, ordered_json& info, std::vector<std::string>& faults) {
  info["signed"] = false;
  info["signed_by"] = nullptr;
  try {
    const auto keys =
        options.keys.empty() ? std::vector<engine::PublicKey>{} : engine::build_public_keys(options.keys);
    const auto signature = engine::find_signature(options.path);
    if (!signature) return;
    info["signed_by"] = describe_signer(*signature, keys);
    info["key"] = engine::build_hex(signature->by);
    info["signed"] = engine::is_true(*signature, options.path);
    if (!info["signed"]) {
      faults.push_back(
          fmt::format("{}: its signature is not of what is there: it, or its signature, is damaged or edited",
                      options.path));
    }
  } catch (const engine::SignatureError& error) {
    faults.emplace_back(error.what());
  }
}

ordered_json describe_recording(const std::string& path, std::vector<std::string>& faults) {
  const engine::Recording recording = engine::Recording::build_from_file(path);
  ordered_json names = ordered_json::array();
  const char* kernel = "none";
  for (const engine::ModelFile& file : recording.files()) {
    names.push_back(file.name);
    if (file.name == "kernel.so")
      kernel = is_known_kernel(file) ? "built or run here before" : "a stranger's";
  }
  faults.insert(faults.end(), recording.missing().begin(), recording.missing().end());
  return {{"what", "recording"},
          {"machine", recording.model().name},
          {"model", recording.model().kernel.model_fingerprint()},
          {"ticks", recording.tick_count()},
          {"rate", 1e9 / static_cast<double>(recording.options().period)},
          {"files", names},
          {"kernel", kernel}};
}

ordered_json describe_folder(const std::string& path, std::vector<std::string>& faults) {
  std::ostringstream text;
  text << std::ifstream(fs::path(path) / "interface.json", std::ios::binary).rdbuf();
  const engine::ModelFolder model = engine::ModelFolder::build_inert(text.str(), path);
  ordered_json names = ordered_json::array();
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) names.push_back(entry.path().lexically_relative(path).string());
  }
  std::sort(names.begin(), names.end());
  const auto damage = engine::find_damage(path, {"interface.json", "kernel.so"});
  faults.insert(faults.end(), damage.begin(), damage.end());
  return {{"what", "built folder"},
          {"machine", model.name},
          {"model", model.kernel.model_fingerprint()},
          {"files", names}};
}

std::string build_text(const std::string& path, const ordered_json& info) {
  std::string text = fmt::format("{}: {} of {}, model {:.12}\n", path, info["what"].get<std::string>(),
                                 info["machine"].get<std::string>(), info["model"].get<std::string>());
  if (info.contains("ticks"))
    text += fmt::format("  ticks      {} at {:.6g} Hz\n  kernel     {}\n", info["ticks"].get<std::int64_t>(),
                        info["rate"].get<double>(), info["kernel"].get<std::string>());
  text += fmt::format("  files      {}\n", fmt::join(info["files"].get<std::vector<std::string>>(), ", "));
  const bool is_signed = info["signed_by"].is_string();
  text += fmt::format("  signature  {}\n", !is_signed ? "none"
                                           : info["signed"].get<bool>()
                                               ? "true, of " + info["signed_by"].get<std::string>()
                                               : "NOT true");
  if (is_signed) text += fmt::format("  key        {}\n", info["key"].get<std::string>());
  return text;
}

void run_info(const InfoOptions& options) {
  std::error_code ignored;
  const bool is_folder = fs::exists(fs::path(options.path) / "interface.json", ignored);
  if (!is_folder && !engine::is_recording(options.path))
    throw engine::IoError(
        fmt::format("{}: is neither a recording nor a folder that 'rodeo build' made", options.path));
  std::vector<std::string> faults;
  ordered_json info =
      is_folder ? describe_folder(options.path, faults) : describe_recording(options.path, faults);
  add_signature(options, info, faults);
  info["whole"] = faults.empty();
  info["faults"] = faults;
  engine::print_text(options.json ? info.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n"
                                  : build_text(options.path, info));
  for (const std::string& fault : faults) engine::print_sentence("{}", fault);
  if (!faults.empty()) throw CLI::RuntimeError(input_wrong);
}

}  // namespace

void add_info(CLI::App& app) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = app.add_subcommand(
      "info", "What a recording or a built folder is, and who signed it; runs nothing of it");
  command->add_option("PATH", options->path, "A recording, or a folder made by 'rodeo build'")->required();
  command->add_option("--keys", options->keys,
                      "A file of public keys (lines of NAME.pub), to name the signer by");
  command->add_flag("--json", options->json, "Write JSON");
  command->footer(
      "Example: rodeo info run.mcap --keys trusted.txt\n"
      "Exit status 1 if anything is damaged, missing or not what was signed. A recording that was cut off by "
      "a crash has no "
      "signature.");
  command->callback([options] { report_engine_errors([&] { run_info(*options); }); });
}

}  // namespace rodeo::tools
