// Byte addresses of the active lanes of one memory instruction.
#pragma once

#include <cstdint>

#include "base/types.h"

namespace warpsim {

struct LaneAddresses {
  enum class Kind : std::uint8_t { kNone, kStrided, kList };
  Kind kind = Kind::kNone;
  Address base = 0;               // kStrided: address of the first active lane
  std::int64_t stride = 0;        // kStrided: added for each further active lane
  const Address* list = nullptr;  // kList: one address per active lane, ascending lanes
};

}  // namespace warpsim
