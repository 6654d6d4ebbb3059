// SPDX-License-Identifier: MIT
// A written or recorded cycle as packets, in the machine's mode or another one, faster or slower, once or without end. Unless it is
// told otherwise it sends the motion that the machine itself would make of the cycle: within its limits, jerk included, with
// rates and accelerations, so that the forces of the live machine are those of `rodeo simulate`.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "engine/io/input.h"
#include "tools/rodeo/drive_source.h"

namespace rodeo::tools {

struct CycleOptions {
  std::string name;  // what errors call it
  std::optional<engine::CommandMode>
      mode;           // none: motion of a cycle of positions, rate and acceleration of one of rates
  double rate = 100;  // packets a second
  double speed = 1;   // 2: twice as fast
  bool is_looped = false;
  double tick = 1e-3;               // s, of the machine
  std::vector<double> positions{};  // of its drives at the begin; none: it is where the cycle begins
  std::uint16_t least_delay = 0;    // ms that packets ask for
};

class CycleSource final : public DriveSource {
 public:
  /// Positions beyond the range are kept at its end. Throws IoError for a cycle that the machine would refuse: a rate beyond its speed, a mass
  /// below 0, positions and rates mixed, a mode that the cycle cannot have.
  CycleSource(std::unique_ptr<engine::Input> input, const engine::MachineInterface& machine,
              const CycleOptions& options);

  bool fill(std::int64_t time, Outgoing& out) override;
  [[nodiscard]] double fraction(std::int64_t time) const override;
  [[nodiscard]] bool is_written() const override { return true; }
  [[nodiscard]] engine::CommandMode mode() const noexcept { return mode_; }

 private:
  [[noreturn]] void refuse(const std::string& why) const;
  [[nodiscard]] engine::CommandMode find_mode();
  void check();
  void check_rate(std::size_t drive, double time, double rate) const;
  void clip(std::size_t drive) noexcept;
  void check_force(std::size_t force, double time) const;
  [[nodiscard]] bool sample(std::int64_t time);
  [[nodiscard]] double calc_rate(std::size_t drive) const;
  [[nodiscard]] engine::Command calc_command(std::size_t drive) const;
  [[nodiscard]] std::array<double, 3> calc_values(std::size_t drive) const;
  [[nodiscard]] engine::DriveState calc_begin(std::size_t drive) const;
  [[nodiscard]] bool is_limited() const noexcept;
  [[nodiscard]] bool is_moving() const noexcept;
  void limit(std::int64_t time);

  std::unique_ptr<engine::Input> input_;
  engine::MachineInterface machine_;
  CycleOptions options_;
  std::int64_t end_;  // ns of the cycle's own time
  std::vector<engine::Command> commands_;
  std::vector<double> forces_;
  engine::CommandMode mode_;
  bool is_at_end_ = false;
  bool is_behind_ = false;  // the end
  std::int64_t step_;       // ns of a tick of the limiters
  std::vector<engine::DriveLimiter> limiters_;
  std::vector<engine::DriveState> motion_;
  std::int64_t moved_ = 0;  // ns up to which the motion is
};

}  // namespace rodeo::tools
