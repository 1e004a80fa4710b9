#include "engine/clock_domain.h"

#include <cmath>
#include <utility>

#include "base/check.h"

namespace warpsim {

ClockDomain::ClockDomain(std::string name, double frequency_mhz)
    : name_(std::move(name)), frequency_mhz_(frequency_mhz) {
  SIM_CHECK(frequency_mhz > 0, "a clock domain needs a positive frequency");
  period_fs_ = static_cast<std::uint64_t>(std::llround(1e9 / frequency_mhz));
}

}  // namespace warpsim
