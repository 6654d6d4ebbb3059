// SPDX-License-Identifier: MIT
// The driven loader in Simbody, whose headers are C++17: hidden behind a pointer.
#pragma once
#include <memory>

namespace loader {

class SimbodyLoader {
 public:
  explicit SimbodyLoader(double tolerance);
  ~SimbodyLoader();
  SimbodyLoader(const SimbodyLoader&) = delete;
  SimbodyLoader& operator=(const SimbodyLoader&) = delete;

  void advance(int tick);
  [[nodiscard]] double closure_error() const;
  [[nodiscard]] double bucket_angle() const;

 private:
  class Linkage;
  std::unique_ptr<Linkage> linkage_;
};

}  // namespace loader
