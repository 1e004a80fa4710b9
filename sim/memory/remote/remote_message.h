// Messages between the gates of two GPUs.
#pragma once

#include <cstdint>

#include "memory/mem_message.h"

namespace warpsim {

// `bytes` of a message on the link.
struct RemoteRequest {
  MemRequest mem;  // `tag`: the sender's; `source` and `seat` have no meaning at the receiver
  std::uint32_t bytes = 0;
};

struct RemoteResponse {
  MemResponse mem;
  std::uint32_t bytes = 0;
};

}  // namespace warpsim
