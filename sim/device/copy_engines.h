// The engines that copy between host and device, one for each direction.
//
// Modelled: a latency for each copy, then its bytes at the rate of the link; both directions at the same time share
// what the link can carry in total. Not modelled: several engines of one direction, which the link makes as slow as
// one, and the copies' effect on the rates of L2 and DRAM. Evidence: tests/hardware/host_calls. Time is the caller's.
// State: the copy of each direction and its bytes left.
#pragma once

#include <cstdint>
#include <optional>

#include "core/launch/host_interface.h"

namespace warpsim {

class CopyEngines {
 public:
  enum class Direction : std::uint8_t { kToDevice, kToHost };

  explicit CopyEngines(const CopiesConfig& config) : config_(config) {}

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
