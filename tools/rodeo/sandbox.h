// SPDX-License-Identifier: MIT
// A process that gives up its rights before it runs what a stranger compiled.
#pragma once

namespace rodeo::tools {

/// From here on this process can read and compute, and write to what is open; it cannot open for writing, make, rename or
/// remove a file, start a program or a process, use the network, signal others or gain rights: such a call fails with EPERM
/// (seccomp). Where it runs as root it becomes nobody; where namespaces can be made, it has a network of its own that leads
/// nowhere. Throws KernelError where the system cannot do this.
void give_up_rights();

}  // namespace rodeo::tools
