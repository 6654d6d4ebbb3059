// SPDX-License-Identifier: MIT
// The parts of a kernel that are the same for every model.
#pragma once
#include <string>

#define RODEO_VERSION_TEXT "0.1.0"

namespace rodeo::codegen {

[[nodiscard]] std::string kernel_math();        // sine, cosine, arc tangent, small linear systems
[[nodiscard]] const char* kernel_functions();   // exponential, logarithm, power, for kernels that need them
[[nodiscard]] const char* kernel_instance();    // the struct
[[nodiscard]] std::string kernel_lagrange();    // how method lagrange moves, before the frame
[[nodiscard]] std::string kernel_frame();       // the next four, in this order
[[nodiscard]] const char* kernel_steps();       // init, step, poses, loads, ...
[[nodiscard]] const char* kernel_integrate();   // the reduced ODE
[[nodiscard]] const char* kernel_move();        // free motion
[[nodiscard]] std::string kernel_save();        // save and restore
[[nodiscard]] const char* kernel_bytes();       // numbers as bytes and back, for saving
[[nodiscard]] const char* kernel_descriptor();  // the table of functions, a format string
/// `rodeo_kernel_get_wheel_loader`: the function that one machine's kernel alone exports.
[[nodiscard]] std::string kernel_getter(const std::string& machine);

/// engine/kernel/rodeo_kernel.h as text, to be put beside the kernel.
[[nodiscard]] std::string kernel_header();

}  // namespace rodeo::codegen
