// A clock domain: the only place where cycles become time and time becomes cycles.
//
// Time is kept in femtoseconds since the start of the simulation; a 64-bit count holds five hours of simulated time.
// A period is rounded to one femtosecond, a relative error below 1e-5 for clocks under 10 GHz.
#pragma once

#include <cstdint>
#include <string>

#include "base/types.h"

namespace warpsim {

// A point in simulated time, in femtoseconds.
struct TimeFs {
  std::uint64_t fs = 0;
  friend constexpr auto operator<=>(const TimeFs&, const TimeFs&) = default;  // NOLINT(modernize-use-nullptr)
};
inline constexpr TimeFs kNeverFs{std::numeric_limits<std::uint64_t>::max()};

class ClockDomain {
 public:
  ClockDomain(std::string name, double frequency_mhz);

  const std::string& name() const { return name_; }
  std::uint64_t period_fs() const { return period_fs_; }
  double frequency_mhz() const { return frequency_mhz_; }

  // The instant of edge number `cycle`; edge 0 is at time 0 in every domain.
  TimeFs time_of(Cycle cycle) const { return cycle == kNever ? kNeverFs : TimeFs{cycle * period_fs_}; }
  // Number of the first edge at or after `time`.
  Cycle edge_at_or_after(TimeFs time) const { return (time.fs + period_fs_ - 1) / period_fs_; }
  // Number of the first edge strictly after `time`.
  Cycle edge_after(TimeFs time) const { return time.fs / period_fs_ + 1; }

 private:
  std::string name_;
  double frequency_mhz_;
  std::uint64_t period_fs_;
};

}  // namespace warpsim
