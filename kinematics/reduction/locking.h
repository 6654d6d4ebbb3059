// SPDX-License-Identifier: MIT
// Models whose conditions are held on one side while a solver steps (discontinuity locking): every comparison and sgn of a value or a
// signal becomes a symbol, its side, and the difference that it looks at, g = e - c, a signal of the graph. Between events the equations are
// smooth then. abs, min, max and round are computed as they are; their g is an event too. THEORY X9.
#pragma once
#include <string>
#include <vector>

#include "kinematics/reduction/model.h"

namespace rodeo::reduction {

/// One threshold e = c.
struct Threshold {
  Expr e;
  double c = 0.0;
  std::string name;      // of the signal g = e - c
  Expr side;             // 1 where g > 0, 0 where g < 0
  bool is_held = false;  // something jumps there: the side is held; else a kink
  std::string owner;     // element 'damper', signal 'error'
  text::Where where;
};

struct LockedModels {
  std::vector<Threshold> thresholds;
  std::vector<Model> models;  // none where there are no thresholds
};

/// The models of one graph's configurations. A threshold that looks at what an algebraic loop makes of its own side stays unheld.
[[nodiscard]] LockedModels build_locked(const std::vector<const Model*>& models);

/// Whether an expression of a solved model depends on a symbol, directly or through blocks.
[[nodiscard]] bool depends_on(const Model& model, Expr e, Expr symbol);

}  // namespace rodeo::reduction
