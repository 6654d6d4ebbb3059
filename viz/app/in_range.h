// SPDX-License-Identifier: MIT
// A check of numbers on the command lines of rodeo and rodeo-view, whose message has numbers as a person writes them.
#pragma once
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <type_traits>

namespace rodeo::viz {

template <class Number>
[[nodiscard]] CLI::Validator in_range(Number lower, Number upper) {
  const auto check = [=](std::string& text) {
    Number value{};
    if (CLI::detail::lexical_cast(text, value) && value >= lower && value <= upper) return std::string();
    return fmt::format("'{}' must be a {} between {} and {}", text,
                       std::is_integral_v<Number> ? "whole number" : "number", lower, upper);
  };
  return {check, fmt::format("{} in [{} - {}]", CLI::detail::type_name<Number>(), lower, upper)};
}

}  // namespace rodeo::viz
