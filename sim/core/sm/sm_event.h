// Events inside an SM at a known future cycle.
#pragma once

#include <cstdint>

#include "base/timing_wheel.h"

namespace warpsim {

inline constexpr std::uint32_t kMaxSubCores = 8;  // of an SM

struct SmEvent {
  enum class Kind : std::uint8_t {
    kResultWritten,    // payload: static instruction; a variable-latency result is in the register file
    kSourcesRead,      // payload: static instruction; its registers may be overwritten
    kInstructionLine,  // payload: line number; the line is in the sub-core's L0 instruction cache
    kConstantLine,     // payload: line number; the line is in the sub-core's immediate constant cache
    kCopyDelivered,    // payload: the copy engine's number; a copy has filled shared memory
    kBarrierDone,      // the warp may continue after a block barrier
    kWarpReady,        // a timer of the warp has expired (memory fence, sleep), or a wait for kernels has ended
  };
  Kind kind = Kind::kWarpReady;
  std::uint8_t sub_core = 0;
  std::uint8_t warp = 0;   // slot in the sub-core
  std::uint8_t group = 0;  // asynchronous copies: the warp's group
  std::uint32_t payload = 0;
};

using SmEvents = TimingWheel<SmEvent>;

}  // namespace warpsim
