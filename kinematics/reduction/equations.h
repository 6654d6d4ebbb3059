// SPDX-License-Identifier: MIT
// The equations of a model as a person would write them: full (before reduction) and reduced, as text, LaTeX or HTML.
#pragma once
#include <string>

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

/// Of a model with vector bonds: vectors and matrices by name, as text.
[[nodiscard]] std::vector<ShownSection> build_vector_sections(const Model& model);

/// `is_fragment`: LaTeX without preamble, to be put into a document.
[[nodiscard]] std::string render(const std::string& title, const std::vector<ShownSection>& sections,
                                 Format format, bool is_fragment = false);

}  // namespace rodeo::reduction
