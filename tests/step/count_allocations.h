// SPDX-License-Identifier: MIT
// Counts calls of malloc and its kin in this program; see count_allocations.cpp.
#pragma once

namespace rodeo::engine::testing_support {

/// Calls so far, of all threads; negative where a sanitizer owns malloc and nothing is counted.
[[nodiscard]] long allocation_count() noexcept;
/// The same of the calling thread alone.
[[nodiscard]] long thread_allocation_count() noexcept;

}  // namespace rodeo::engine::testing_support
