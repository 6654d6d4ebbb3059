// SPDX-License-Identifier: MIT
// Whose machine code is run. A kernel that was built or run by this user on this machine is known: its checksum is kept in the
// user's cache. Another one comes from a stranger. If our own generator makes the recording's kernel.c of the recording's machine
// file, then our own build of it is run instead; else a recording's kernel is run with --trust only, each time, by a process that
// has given up its rights.
#pragma once
#include <string>

#include "engine/record/recording.h"

namespace rodeo::tools {

/// Of a built folder: from now on it is known.
void remember_kernel(const std::string& folder);
[[nodiscard]] bool is_known_kernel(const engine::ModelFile& kernel);

/// Lets a known kernel pass. Another passes with `is_trusted`, after this process has given up its rights; without, our own build takes its place, or it
/// throws KernelError.
[[nodiscard]] engine::KernelGate build_gate(const std::string& recording, bool is_trusted);

}  // namespace rodeo::tools
