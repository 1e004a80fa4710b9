#include "core/sm/warpgroup_config.h"

#include <algorithm>

namespace warpsim {
namespace {

std::uint32_t divided_up(std::uint64_t value, std::uint32_t by) {
  return static_cast<std::uint32_t>((value + by - 1) / by);
}

}  // namespace

void describe(ConfigSection& section, WarpgroupConfig& config) {
  section.integer("bit_macs_per_cycle", config.bit_macs_per_cycle, 1, 1U << 24,
                  "multiply-adds times operand bits of a sub-core per cycle");
  section.integer("shared_bytes_per_cycle", config.shared_bytes_per_cycle, 1, 4096,
                  "operand bytes from shared memory per cycle, for the four sub-cores together");
  section.integer("register_a_cycles", config.register_a_cycles, 1, 1000,
                  "minimum time of an operation with A in registers");
  section.integer("latency_cycles", config.latency_cycles, 1, 1000,
                  "from an operation's start to the end of a wait for it, in addition to the time of its products");
  section.integer("integer_latency_cycles", config.integer_latency_cycles, 1, 1000, "the same for integer operations");
  section.integer("shared_a_cycles", config.shared_a_cycles, 0, 1000,
                  "added to latency and queue_release_cycles when A comes from shared memory");
  section.integer("queue_entries", config.queue_entries, 1, WarpgroupConfig::kMaxQueue,
                  "operations that an SM accepts before one stalls its warps");
  section.integer("queue_release_cycles", config.queue_release_cycles, 1, 1000,
                  "from an operation's start until its queue entry is free");
  section.integer("arrive_cycles", config.arrive_cycles, 1, 1000,
                  "from the arrival of a warpgroup's last warp to the first operation");
  section.integer("wait_cycles", config.wait_cycles, 1, 1000,
                  "minimum time of a wait for groups while any operation is outstanding");
}

WarpgroupTiming warpgroup_timing(const WarpgroupConfig& config, const StaticInstruction& instruction) {
  constexpr std::uint32_t kWarps = 4;
  const std::uint64_t bit_macs = std::uint64_t{instruction.mma_macs} * instruction.mma_operand_bits;
  const std::uint32_t products = divided_up(bit_macs, config.bit_macs_per_cycle);
  const bool shared_a = !instruction.mma_a_in_registers;
  const std::uint32_t bytes = instruction.mma_b_bytes + (shared_a ? kWarps * instruction.mma_a_bytes : 0);
  WarpgroupTiming timing;
  timing.shared_wavefronts = divided_up(bytes, config.shared_bytes_per_cycle);
  timing.interval_cycles = std::max({1U, products, timing.shared_wavefronts, shared_a ? 0 : config.register_a_cycles});
  const std::uint32_t base = instruction.mma_integer ? config.integer_latency_cycles : config.latency_cycles;
  const std::uint32_t later = shared_a ? config.shared_a_cycles : 0;
  timing.latency_cycles = base + later + products;
  timing.release_cycles = config.queue_release_cycles + later;
  return timing;
}

}  // namespace warpsim
