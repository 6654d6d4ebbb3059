// SPDX-License-Identifier: MIT
#include "viz/feed/signal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "engine/session/session.h"

namespace rodeo::viz {
namespace {

template <typename T>
bool find_name(const std::vector<T>& list, const std::string& name, std::size_t& index) {
  for (index = 0; index < list.size(); ++index) {
    if (list[index].name == name) return true;
  }
  return false;
}

[[noreturn]] void refuse(const Scene& scene, const std::string& name) {
  std::vector<std::string> names;
  for (const SceneDrive& drive : scene.drives) names.push_back(drive.name);
  for (const SceneMeasure& measure : scene.measures) names.push_back(measure.name);
  for (const SceneBody& body : scene.bodies) names.push_back(body.name + ".angle");
  for (const SceneOutput& output : scene.outputs) names.push_back(output.name + ".y");
  throw SceneError(fmt::format("there is no signal '{}' (there is {}, residual, margin ...)", name,
                               fmt::join(names, ", ")));
}

}  // namespace

Signal::Signal(const Scene& scene, const std::string& name) : name_(name) {
  if (name == "residual" || name == "margin") {
    kind_ = name == "margin" ? Kind::margin : Kind::residual;
    unit_ = name == "margin" ? "" : "m";
    return;
  }
  if (find_name(scene.measures, name, index_)) {
    kind_ = Kind::measure;
    unit_ = scene.measures[index_].unit;
    return;
  }
  const std::size_t dot = name.rfind('.');
  const std::string stem = name.substr(0, dot);
  const std::string ending = dot == std::string::npos ? "" : name.substr(dot + 1);
  if (!find(scene, stem, ending)) refuse(scene, name);
}

bool Signal::find(const Scene& scene, const std::string& stem, const std::string& ending) {
  if ((ending.empty() || ending == "rate") && find_name(scene.drives, stem, index_)) {
    kind_ = ending.empty() ? Kind::drive : Kind::drive_rate;
    unit_ = scene.drives[index_].unit + (ending.empty() ? "" : "/s");
    return true;
  }
  if ((ending.empty() || ending == "rate") && find_name(scene.measures, stem, index_)) {
    kind_ = ending.empty() ? Kind::measure : Kind::measure_rate;
    unit_ = scene.measures[index_].unit + (ending.empty() ? "" : "/s");
    return true;
  }
  if ((ending == "angle" || ending == "rate") && !scene.is_spatial && find_name(scene.bodies, stem, index_)) {
    kind_ = ending == "angle" ? Kind::angle : Kind::rate;
    unit_ = ending == "angle" ? "rad" : "rad/s";
    return true;
  }
  const bool is_z = ending == "z" && scene.is_spatial;
  if ((ending != "x" && ending != "y" && ending != "speed" && !is_z) ||
      !find_name(scene.outputs, stem, index_))
    return false;
  kind_ = ending == "x" ? Kind::x : ending == "y" ? Kind::y : is_z ? Kind::z : Kind::speed;
  unit_ = ending == "speed" ? "m/s" : "m";
  return true;
}

double Signal::calc_value(const Scene& scene, const Sample& sample) const noexcept {
  // In the machine's own axes, as its log has them.
  const auto point = [&] {
    const Turn& t = scene.to_view;
    return calc_turned({t[0], -t[1], -t[2], -t[3]}, calc_place(scene, sample, scene.outputs[index_].at));
  };
  switch (kind_) {
    case Kind::drive: return sample.drives[index_].position;
    case Kind::drive_rate: return sample.drives[index_].rate;
    case Kind::measure: return sample.measures[index_].position;
    case Kind::measure_rate: return sample.measures[index_].rate;
    case Kind::angle: return sample.bodies[index_].pose.angle;
    case Kind::rate: return sample.bodies[index_].rate;
    case Kind::x: return point().x;
    case Kind::y: return point().y;
    case Kind::z: return point().z;
    case Kind::speed: {
      const Vec3 v = calc_speed(scene, sample, scene.outputs[index_].at);
      return std::hypot(std::hypot(v.x, v.y), v.z);
    }
    case Kind::residual: return sample.residual;
    case Kind::margin: return sample.margin;
  }
  return 0;
}

bool is_signal(const Scene& scene, const std::string& name) {
  try {
    static_cast<void>(Signal(scene, name));
  } catch (const SceneError&) {
    return false;
  }
  return true;
}

/// The gravest first.
Condition describe_status(std::uint32_t status) {
  using namespace engine;
  struct Word {
    std::uint32_t bits;
    const char* text;
    Mood mood;
  };
  constexpr Word kWords[]{{kEnergyGain, "energy from nowhere", Mood::bad},
                          {kStopped, "emergency stop", Mood::bad},
                          {kJumped, "jumped", Mood::warning},
                          {kHalted, "halted: key A rearms", Mood::bad},
                          {kStaleLatched, "latched: key A rearms", Mood::bad},
                          {kFrozen, "freeze", Mood::warning},
                          {kWaiting, "waits for a command", Mood::warning},
                          {kStale, "stale: no commands", Mood::bad},
                          {kHoldBranch, "held where two branches meet", Mood::bad},
                          {kJointOpen, "held: a joint would open", Mood::bad},
                          {kHoldSingular | kHoldOpen | kHoldAbrupt, "held at a singular pose", Mood::bad},
                          {kBadInput, "bad command", Mood::bad},
                          {kNearSingular, "run, near a singular pose", Mood::warning},
                          {kAtLower | kAtUpper, "run, at an end stop", Mood::warning}};
  for (const Word& word : kWords) {
    if ((status & word.bits) != 0) return {word.text, word.mood};
  }
  return {"run", Mood::good};
}

}  // namespace rodeo::viz
