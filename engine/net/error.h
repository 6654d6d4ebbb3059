// SPDX-License-Identifier: MIT
// What goes wrong between machines, outside the loop: a sentence for the user.
#pragma once
#include <stdexcept>

namespace rodeo::engine {

/// A socket that cannot be had, somebody who does not answer: a fault while running, exit status 3.
class NetError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An address, a destination or another text of the command line that is not understood: exit status 2.
class AddressError : public NetError {
 public:
  using NetError::NetError;
};

}  // namespace rodeo::engine
