// SPDX-License-Identifier: MIT
// The equations of a model as a person would write them: full (before reduction) and reduced, as text, LaTeX or HTML.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "kinematics/reduction/model.h"
#include "kinematics/reduction/show.h"

namespace rodeo::reduction {

struct ShownEquation {
  std::string left;
  std::string right;
  std::string unit;  // of both sides, `rad/s`; empty where the domain is not known
};

struct ShownSection {
  std::string heading;
  std::vector<ShownEquation> equations;
};

/// Same text on every run. `booleans`: symbols that are 0 or 1.
[[nodiscard]] std::vector<ShownSection> build_reduced_sections(const Model& model, Format format,
                                                               const std::vector<Expr>& booleans = {});
[[nodiscard]] std::vector<ShownSection> build_full_sections(const Model& model, Format format,
                                                            const std::vector<Expr>& booleans = {});

/// Something to be shown beside the rates: a name and what it is in the model's solution.
struct Wanted {
  SymbolName name;
  Expr value;
};
/// What is wanted, with the blocks that it needs; what `shown` gives already is left out.
[[nodiscard]] std::vector<ShownSection> build_wanted_sections(const Model& model, const std::string& heading,
                                                              const std::vector<Wanted>& wanted,
                                                              const std::vector<ShownSection>& shown,
                                                              Format format);
/// `d²/dt² X_crank` and `F_lift`: accelerations of these states, and the efforts of the sources with these names and subscripts. Of a
/// model that has the derivatives of the states' rates.
[[nodiscard]] std::vector<Wanted> list_accelerations(const Model& model,
                                                     const std::vector<std::string>& states);
[[nodiscard]] std::vector<Wanted> list_efforts(
    const Model& model, const std::vector<std::pair<std::string, std::string>>& sources);
/// The same model, which has the derivatives of its states' rates.
[[nodiscard]] Model build_differentiated(Model model);

/// Of a model with vector bonds: vectors and matrices by name, as text.
[[nodiscard]] std::vector<ShownSection> build_vector_sections(const Model& model);

/// `is_fragment`: LaTeX without preamble, to be put into a document.
[[nodiscard]] std::string render(const std::string& title, const std::vector<ShownSection>& sections,
                                 Format format, bool is_fragment = false);

}  // namespace rodeo::reduction
