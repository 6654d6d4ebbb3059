// SPDX-License-Identifier: MIT
#include "tools/rodeo/net_options.h"

#include <fmt/format.h>

#include <functional>

#include "viz/app/in_range.h"

namespace rodeo::tools {
namespace {

constexpr double kLongestDelay = 1000;  // ms

/// CLI11's checks return a sentence, the engine throws one.
std::string find_objection(const std::function<void()>& work) {
  try {
    work();
  } catch (const engine::AddressError& error) {
    return error.what();
  }
  return "";
}

std::string check_destination(const std::string& text) {
  return find_objection([&] { static_cast<void>(engine::build_destination(text)); });
}

std::string check_range(const std::string& text) {
  return find_objection([&] { static_cast<void>(engine::build_address_range(text)); });
}

void add_guard_options(CLI::App& command, NetOptions& options, CLI::Option* listen) {
  command
      .add_option(
          "--key", options.key,
          "With --listen: a key file; packets need tags made with it, or with the keys of the roles in it")
      ->needs(listen);
  command
      .add_option("--allow", options.allow,
                  "With --listen: only this sender, ADDRESS or ADDRESS/PREFIX; may be repeated")
      ->allow_extra_args(false)
      ->needs(listen)
      ->check(check_range);
  command
      .add_flag("--insecure", options.insecure,
                "With --listen: beyond loopback without key and allow-list, everybody commands")
      ->needs(listen);
}

}  // namespace

std::string check_endpoint(const std::string& text) {
  return find_objection([&] { static_cast<void>(engine::build_endpoint(text)); });
}

void add_net_options(CLI::App& command, NetOptions& options) {
  CLI::Option* listen =
      command
          .add_option("--listen", options.listen, "HOST:PORT where commands are taken, as in 127.0.0.1:5005")
          ->check(check_endpoint);
  add_guard_options(command, options, listen);
  command
      .add_option("--plain", options.plain,
                  "With --listen: take packets of one float64 a drive, without a header, as these")
      ->needs(listen)
      ->check(CLI::IsMember({"position", "rate"}));
  command
      .add_option("--site", options.site,
                  "With --listen: a YAML file with scale, offset and sign of the sender's values")
      ->needs(listen);
  command
      .add_option(
          "--delay", options.delay,
          "With --listen: ms by which commands are delayed so that packets become a smooth motion; as "
          "long as their pace and jitter ask for, if not given")
      ->needs(listen)
      ->check(viz::in_range(0.0, kLongestDelay));
  command
      .add_option(
          "--publish", options.publish,
          "HOST:PORT[,rate=100][,signals=a;b][,format=json|binary][,large][,ttl=1][,interface=eth0]: where "
          "states are sent; may be repeated")
      ->allow_extra_args(false)
      ->check(check_destination);
}

engine::ReceiverOptions build_receiver_options(const NetOptions& options,
                                               const engine::MachineInterface& machine,
                                               std::vector<std::string>& warnings) {
  engine::ReceiverOptions result;
  result.listen = engine::build_endpoint(options.listen);
  result.insecure = options.insecure;
  for (const std::string& text : options.allow) {
    result.allow.push_back(engine::build_address_range(text));
    const bool is_unheard = result.allow.back().address.is_v6() && !result.listen.address.is_v6();
    if (!is_unheard) continue;
    throw engine::AddressError(
        fmt::format("--allow {}: nobody comes from an IPv6 address to {}: listen on one, as in [::]:5005",
                    text, options.listen));
  }
  if (!options.key.empty()) {
    const engine::KeyFile file = engine::build_key_from_file(options.key);
    if (!file.keys[0]) throw engine::NetError(fmt::format("{}: there is no operator's key", options.key));
    result.key = file.keys[static_cast<std::size_t>(engine::Role::operator_)];
    result.instructor_key = file.keys[static_cast<std::size_t>(engine::Role::instructor)];
    result.viewer_key = file.keys[static_cast<std::size_t>(engine::Role::viewer)];
    warnings.insert(warnings.end(), file.warnings.begin(), file.warnings.end());
  }
  if (!options.plain.empty()) {
    result.plain = options.plain == "rate" ? engine::CommandMode::rate : engine::CommandMode::position;
  }
  if (options.delay >= 0) result.delay = options.delay / 1e3;
  if (!options.site.empty()) result.site = engine::build_site_from_file(options.site, machine.drives);
  return result;
}

std::vector<engine::Destination> build_destinations(const NetOptions& options) {
  std::vector<engine::Destination> result;
  for (const std::string& text : options.publish) result.push_back(engine::build_destination(text));
  return result;
}

}  // namespace rodeo::tools
