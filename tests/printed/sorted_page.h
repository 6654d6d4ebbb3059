// SPDX-License-Identifier: MIT
// A page as the program prints it, sorted into what it says of what.
#pragma once
#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdio>
#include <fstream>
#include <map>

#include "tests/printed/printed_page.h"

namespace rodeo::printed {

/// What the program prints, and its status.
inline std::pair<std::string, int> print(const std::string& file, const std::string& form) {
  const std::string command =
      fmt::format("'{}' equations '{}' --form {} 2>/dev/null", RODEO_PROGRAM, file, form);
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::string text;
  std::array<char, 4096> part{};
  for (std::size_t n = 0; (n = std::fread(part.data(), 1, part.size(), pipe)) > 0;)
    text.append(part.data(), n);
  return {text, WEXITSTATUS(::pclose(pipe))};
}

inline bool is_under(const std::string& heading, const char* start) { return heading.starts_with(start); }

/// A page sorted into what it says of what.
struct Sorted {
  std::vector<Line> equations, positions, booleans, starts;
  std::map<Symbol, double> parameters;
  std::vector<std::string> inputs;
  std::set<Symbol> input_derivatives;  // that are listed beside them
};

inline std::vector<std::string> split(const std::string& text, const std::string& between) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find(between, begin)) != std::string::npos;
       begin = end + between.size())
    parts.push_back(text.substr(begin, end - begin));
  parts.push_back(text.substr(begin));
  return parts;
}

/// The first row of a log, by column.
inline std::map<std::string, double> read_first_row(const std::string& log) {
  std::ifstream rows(log);
  std::string names, values;
  std::getline(rows, names);
  std::getline(rows, values);
  const auto all = split(names, ","), numbers = split(values, ",");
  std::map<std::string, double> row;
  for (std::size_t i = 0; i < all.size() && i < numbers.size(); ++i) row[all[i]] = std::stod(numbers[i]);
  return row;
}

inline Sorted sort(const Page& page) {
  Sorted sorted;
  for (const std::string& heading : page.headings) {
    if (!is_under(heading, "inputs: ")) continue;
    for (const std::string& input : split(heading.substr(8), ", ")) {
      const Symbol symbol = Parser(input).parse_all()->symbol;
      if (symbol.order > 0) sorted.input_derivatives.insert(symbol);
      if (symbol.order == 0) sorted.inputs.push_back(symbol.name);
    }
  }
  const auto none = [](const Symbol&) -> double {
    throw std::runtime_error("a parameter that is no number");
  };
  for (const Line& line : page.lines) {
    if (is_under(line.heading, "positions")) {
      sorted.positions.push_back(line);
    } else if (is_under(line.heading, "start of the states")) {
      sorted.starts.push_back(line);
    } else if (is_under(line.heading, "parameters")) {
      sorted.parameters[line.left->symbol] = calc(line.right, none)[0];
    } else if (is_under(line.heading, "Booleans")) {
      sorted.booleans.push_back(line);
    } else {
      sorted.equations.push_back(line);
    }
  }
  return sorted;
}

}  // namespace rodeo::printed
