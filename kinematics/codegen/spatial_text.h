// SPDX-License-Identifier: MIT
// The parts of a kernel of a machine in space that are the same for every machine. Its numbers are tables (spatial_tables.h).
#pragma once
#include <string>

namespace rodeo::codegen {

[[nodiscard]] const char* spatial_bodies_text();                    // the instance, vectors, bodies
[[nodiscard]] const char* spatial_rows_text();                      // constraint rows, joints. THEORY S5
[[nodiscard]] const char* spatial_forces_text();                    // what moves bodies, reactions. THEORY S8
[[nodiscard]] std::string spatial_outputs_text(bool has_measures);  // places, velocities, lengths, angles
[[nodiscard]] const char* spatial_factors_text();      // the matrix of what drives move. THEORY K11
[[nodiscard]] const char* spatial_driven_text();       // motion that drives impose. THEORY K11
[[nodiscard]] std::string spatial_free_text();         // motion by forces, with multipliers. THEORY K12
[[nodiscard]] const char* spatial_runge_kutta_text();  // and how they go on over a period
[[nodiscard]] std::string spatial_frame_text();        // init, step, integrate, save, ...

}  // namespace rodeo::codegen
