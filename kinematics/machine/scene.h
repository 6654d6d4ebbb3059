// SPDX-License-Identifier: MIT
// What a viewer needs of a machine: bodies with their points, looks and start pose, joints, cylinders, springs, output points. The
// file scene.json of a built folder; viz/ reads it and never sees the machine file.
//
// {"name": "four_bar",
//  "bodies": [{"name": "ground", "colour": "#808080", "points": {"O": [0, 0]}, "start": [x, y, angle]},
//             {"name": "crank", "colour": "#…", "mesh": "meshes/crank.obj", "points": …}],
//  "joints": [{"kind": "revolute", "name": "…", "first": ["ground", "O"], "second": ["crank", "O"], "direction": [1, 0]}],
//  "drives": [{"name": "crank", "kind": "angle", "unit": "rad", "lower": null, "upper": null,
//              "first": ["ground", "P"], "second": ["boom", "R"],      the points of cylinders and slides only
//              "radius": 0.07, "across": [-0.28, 0.28]}],              of cylinders, where given
//  "forces": [{"kind": "spring", "name": "", "first": ["ground", "C"], "second": ["lever", "D"], "damped": true},
//             {"kind": "stop", …, "lower": 0.9, "upper": null}],       springs, dampers, stops between points, if any
//  "outputs": [{"name": "tip", "body": "coupler", "point": "tracer"}],
//  "measures": [{"name": "lift", "unit": "m", "start": 1.2}]}
#pragma once
#include <string>
#include <vector>

#include "kinematics/machine/machine.h"
#include "kinematics/machine/pose.h"

namespace rodeo::machine {

/// The text of scene.json. `meshes`: of each body, its file within the folder; empty where it has none.
[[nodiscard]] std::string scene_json(const Machine& machine, const Assembly& start,
                                     const std::vector<std::string>& meshes);

}  // namespace rodeo::machine
