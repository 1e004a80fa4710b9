// How a grid stands among others of the device.
#pragma once

#include <cstdint>

namespace warpsim {

struct GridOrder {
  std::int32_t priority = 0;            // lower numbers get blocks first
  std::uint32_t head_start_cycles = 0;  // of the launch overhead, what has passed before the submission
};

}  // namespace warpsim
