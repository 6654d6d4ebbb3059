// SPDX-License-Identifier: MIT
// Capabilities that somebody gave the program (setcap, a service, root): real time is set up with them, and they are gone before
// a model is read, so that nothing that comes with a model ever has them.
#pragma once

namespace rodeo::engine {

/// Of the calling thread and of all that it starts from here on, programs too: none, and none to gain. Root, whose working folder
/// is another user's, keeps the right to read and write other users' files. Throws std::runtime_error.
void drop_capabilities();

}  // namespace rodeo::engine
