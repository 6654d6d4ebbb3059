// SPDX-License-Identifier: MIT
// nlohmann::json writes the shortest digits that read back as the same double; it has no infinities, nor have these numbers.
#include "engine/record/session_file.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "engine/io/input.h"

namespace rodeo::engine {
namespace {

using nlohmann::json;

constexpr std::array kClosures{"exact", "none", "baumgarte"};  // in the order of rodeo_closure
constexpr std::array kMethods{"euler", "heun", "rk4"};         // in the order of rodeo_method
constexpr std::array kOnStale{"resume", "latch"};              // in the order of OnStale

json to_json(const std::optional<double>& value) { return value ? json(*value) : json(nullptr); }

json build_parameters(const ModelFolder& model) {
  json list = json::array();
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    list.push_back({{"name", model.kernel.parameters()[i].name}, {"value", model.parameters[i]}});
  }
  return list;
}

json build_drives(const ModelFolder& model) {
  json list = json::array();
  for (std::size_t d = 0; d < model.limits.size(); ++d) {
    const DriveLimits& limits = model.limits[d];
    list.push_back({{"name", model.kernel.drives()[d].name},
                    {"unit", model.kernel.drives()[d].unit},
                    {"start", model.start[d]},
                    {"lower", to_json(limits.lower)},
                    {"upper", to_json(limits.upper)},
                    {"speed", to_json(limits.speed)},
                    {"acceleration", to_json(limits.acceleration)},
                    {"jerk", to_json(limits.jerk)}});
  }
  return list;
}

json build_conditions(const std::vector<InitialCondition>& conditions) {
  json list = json::array();
  for (const InitialCondition& each : conditions) {
    list.push_back({{"name", each.name}, {"positions", each.positions}});
  }
  return list;
}

std::optional<double> to_optional(const json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

/// The place of a word in a list; a word that is not there is a type error like any other.
template <typename Enum, typename Words>
Enum read_word(const json& root, const char* key, const Words& words) {
  const auto word = root.at(key).get<std::string>();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (word == words[i]) return static_cast<Enum>(i);
  }
  throw json::other_error::create(500, fmt::format("'{}' is '{}'", key, word), &root);
}

void read_model(const json& root, ModelFolder& model) {
  for (const json& each : root.at("parameters")) {
    model.set_parameter(each.at("name").get<std::string>(), each.at("value").get<double>());
  }
  for (std::size_t d = 0; d < model.limits.size(); ++d) {
    const json& drive = root.at("drives").at(d);
    model.start[d] = drive.at("start").get<double>();
    model.limits[d] = {to_optional(drive.at("lower")), to_optional(drive.at("upper")),
                       to_optional(drive.at("speed")), to_optional(drive.at("acceleration")),
                       to_optional(drive.value("jerk", json(nullptr)))};
  }
}

SessionOptions read_options(const json& root) {
  SessionOptions options;
  options.period = root.at("period_ns").get<std::int64_t>();
  options.stepper.closure = read_word<rodeo_closure>(root, "closure", kClosures);
  options.stepper.method = read_word<rodeo_method>(root, "method", kMethods);
  options.stepper.gain = root.at("gain").get<double>();
  options.stepper.warn_margin = root.at("warn_margin").get<double>();
  options.stepper.stop_margin = root.at("stop_margin").get<double>();
  options.on_stale = read_word<OnStale>(root, "on_stale", kOnStale);
  options.rules = root.value("rules", 1);  // recordings before there were any
  if (options.rules > kSessionRules)
    throw json::other_error::create(500, "'rules' is a later rodeo's", &root);
  if (options.period <= 0) throw json::other_error::create(500, "'period_ns' is not positive", &root);
  return options;
}

std::vector<InitialCondition> read_conditions(const json& root, std::size_t drives) {
  std::vector<InitialCondition> conditions;
  for (const json& each : root.at("conditions")) {
    conditions.push_back(
        {each.at("name").get<std::string>(), each.at("positions").get<std::vector<double>>()});
    if (conditions.back().positions.size() != drives) {
      throw json::other_error::create(500, "a condition has too few or too many positions", &root);
    }
  }
  if (conditions.empty()) throw json::other_error::create(500, "there is no condition", &root);
  return conditions;
}

std::uint64_t read_hex(const std::string& text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

}  // namespace

std::string build_session_file(const ModelFolder& model, const Session& session,
                               const std::string& recorded_at) {
  const StepperOptions& stepper = session.options().stepper;
  const json root{{"format", kRecordingFormat},
                  {"model", model.name},
                  {"model_fingerprint", std::string(model.kernel.model_fingerprint())},
                  {"recorded_at", recorded_at},
                  {"period_ns", session.options().period},
                  {"closure", kClosures.at(stepper.closure)},
                  {"method", kMethods.at(stepper.method)},
                  {"gain", stepper.gain},
                  {"warn_margin", stepper.warn_margin},
                  {"stop_margin", stepper.stop_margin},
                  {"on_stale", kOnStale.at(static_cast<std::size_t>(session.options().on_stale))},
                  {"rules", session.options().rules},
                  {"start_checksum", fmt::format("{:016x}", session.checksum())},
                  {"parameters", build_parameters(model)},
                  {"drives", build_drives(model)},
                  {"conditions", build_conditions(session.conditions())}};
  return root.dump(1) + "\n";
}

void check_recording_format(std::string_view text, const std::string& where) {
  const json root = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object() || !root.contains("format") || !root["format"].is_number_integer()) {
    throw IoError(fmt::format("{}: attached session.json is no description of a session", where));
  }
  const auto format = root["format"].get<std::int64_t>();
  if (format == kRecordingFormat) return;
  throw IoError(
      fmt::format("{}: is a recording of format {}, this rodeo reads {}", where, format, kRecordingFormat));
}

SessionFile read_session_file(std::string_view text, ModelFolder& model, const std::string& where) {
  try {
    const json root = json::parse(text);
    read_model(root, model);
    return {root.at("model_fingerprint").get<std::string>(), read_options(root),
            read_conditions(root, model.kernel.drive_count()),
            read_hex(root.at("start_checksum").get<std::string>())};
  } catch (const json::exception& error) {
    throw IoError(fmt::format("{}: attached session.json is broken ({})", where, error.what()));
  }
}

}  // namespace rodeo::engine
