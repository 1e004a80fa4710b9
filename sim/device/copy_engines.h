// The engines that copy between host and device, one for each direction.
//
// Modelled: a latency for each copy, then its bytes at the rate of the link; both directions at the same time share
// what the link can carry in total. Not modelled: several engines of one direction, which the link makes as slow as
// one, and that kernels beside them slow copies down. Evidence: tests/hardware/host_calls. Time is the caller's.
// State: the copy of each direction and its bytes left.
#pragma once

#include <cstdint>
#include <optional>

#include "core/launch/host_interface.h"
#include "device/copy_progress.h"

namespace warpsim {

class CopyEngines {
 public:
  enum class Direction : std::uint8_t { kToDevice, kToHost };

  explicit CopyEngines(const CopiesConfig& config) : config_(config) {}

  // How long bytes of this direction still move, if no copy of the other one starts or ends before; 0 if none do.
  double moving_ns(Direction direction, double now_ns);
  // Of a copy, if it runs.
  std::optional<CopyProgress> progress(std::uint64_t number, double now_ns);
  // Rate of the copy of this direction that runs; 0: none does.
  double gb_per_s(Direction direction) const { return copy(direction) ? rate(direction) : 0; }
  // The direction is free. The copy needs `prepare_ns` before it begins.
  void start(Direction direction, std::uint64_t number, std::uint64_t bytes, double now_ns, double prepare_ns = 0);
  // When the first of the copies ends, if none starts before.
  std::optional<double> next_end() const;
  // The copy that has ended at `now_ns`, which is not after next_end(). Frees its direction.
  std::optional<std::uint64_t> take_ended(double now_ns);

 private:
  struct Copy {
    std::uint64_t number = 0;
    double latency_ns = 0;  // left
    double bytes = 0;       // left
  };
  double rate(Direction direction) const;
  double left_ns(Direction direction) const;
  void advance(double now_ns);
  std::optional<Copy>& copy(Direction direction) { return copies_[static_cast<std::size_t>(direction)]; }
  const std::optional<Copy>& copy(Direction direction) const { return copies_[static_cast<std::size_t>(direction)]; }

  CopiesConfig config_;
  std::optional<Copy> copies_[2];
  double at_ns_ = 0;  // what is left is as of this time
};

}  // namespace warpsim
