// SPDX-License-Identifier: MIT
// A machine with what is drawn of it and what moves it. With --watch there is a new one whenever the folder was built again.
#pragma once
#include <memory>

#include "viz/app/player.h"
#include "viz/app/stage.h"

namespace rodeo::viz {

class Show {
 public:
  /// Throws SceneError, engine::NetError, engine::IoError.
  explicit Show(const ViewOptions& options);
  ~Show();
  Show(const Show&) = delete;
  Show& operator=(const Show&) = delete;

  /// The folder again; what is wrong with it is thrown, and everything stays as it was. The camera stays in any case.
  void rebuild(const ViewOptions& options);

  [[nodiscard]] const Scene& scene() const noexcept;
  [[nodiscard]] Stage& stage() noexcept;
  [[nodiscard]] Player& player() noexcept;
  /// One sentence a mesh that could not be shown.
  [[nodiscard]] const std::vector<std::string>& troubles() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace rodeo::viz
