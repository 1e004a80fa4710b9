// Messages between the caches of groups and the translation cache of the GPU.
#pragma once

#include <cstdint>

#include "memory/mem_message.h"

namespace warpsim {

// A group lacks the translation of a line.
struct TranslationAsk {
  Address line = 0;
  LaunchSeat seat = 0;
  std::uint16_t miss = 0;  // number of what waits in the group
};
struct TranslationAnswer {
  std::uint16_t miss = 0;
};

}  // namespace warpsim
