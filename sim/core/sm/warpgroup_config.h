// Parameters of warpgroup matrix operations, and the time of one from its shape and type.
#pragma once

#include <cstdint>

#include "config/config_section.h"
#include "isa/static_instruction.h"

namespace warpsim {

struct WarpgroupConfig {
  static constexpr std::uint32_t kMaxQueue = 64;

  std::uint32_t bit_macs_per_cycle = 1;      // of a sub-core: multiply-adds times operand bits
  std::uint32_t shared_bytes_per_cycle = 1;  // of A and B from shared memory
  std::uint32_t register_a_cycles = 1;       // minimum time of an operation with A in registers
  std::uint32_t latency_cycles = 1;          // from start to results, besides the products; floating point
  std::uint32_t integer_latency_cycles = 1;
  std::uint32_t shared_a_cycles = 0;       // delay of results and queue entries with A in shared memory
  std::uint32_t queue_entries = 1;         // operations of an SM that have not freed their entry
  std::uint32_t queue_release_cycles = 1;  // from an operation's start until its entry is free
  std::uint32_t arrive_cycles = 1;         // from the last warp's ARRIVE to the first operation
  std::uint32_t wait_cycles = 1;           // minimum of a wait for groups while any operation is outstanding
};
void describe(ConfigSection& section, WarpgroupConfig& config);

// Start to start of the next operation, and start to results, queue entry free.
struct WarpgroupTiming {
  std::uint32_t interval_cycles = 1;
  std::uint32_t latency_cycles = 1;
  std::uint32_t release_cycles = 1;
  std::uint32_t shared_wavefronts = 0;
};
WarpgroupTiming warpgroup_timing(const WarpgroupConfig& config, const StaticInstruction& instruction);

}  // namespace warpsim
