#include "core/occupancy.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.h"
#include "base/types.h"

namespace warpsim {

namespace {

constexpr std::uint32_t kKib = 1024;

std::uint32_t round_up(std::uint32_t value, std::uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}

// Smallest allowed size that holds `bytes`; the largest if none does.
std::uint32_t carveout_for(const OccupancyConfig& config, std::uint64_t bytes) {
  for (const std::uint32_t kib : config.carveout_kib) {
    if (std::uint64_t{kib} * kKib >= bytes) {
      return kib * kKib;
    }
  }
  return config.carveout_kib.back() * kKib;
}

// The driver's default, found from 144 launches on an H200, all of which it reproduces. A kernel gets what the blocks
// allowed by warps and registers need, and headroom beyond it, presumably for blocks of the next kernel:
//  - with shared memory: room for (headroom * blocks - 1) blocks, but headroom alone never takes the carve-out beyond a
//    cap (about half of the memory);
//  - without: only the per-block reserve counts, for headroom times the blocks that the warp slots alone allow.
// Never more than the block slots can use.
std::uint32_t driver_carveout(const OccupancyConfig& config, const Occupancy& occupancy, bool uses_shared) {
  const std::uint32_t blocks =
      std::min({occupancy.limit_warps, occupancy.limit_registers, occupancy.limit_blocks, config.blocks_per_sm});
  const auto bytes_of = [&occupancy](std::uint64_t count) { return count * occupancy.shared_bytes_per_block; };
  const std::uint32_t needed = carveout_for(config, bytes_of(blocks));
  std::uint64_t wanted = 0;
  if (uses_shared) {
    wanted = std::uint64_t{config.carveout_headroom} * blocks - 1;
  } else {
    wanted = std::uint64_t{config.carveout_headroom_without_shared} * occupancy.limit_warps;
  }
  wanted = std::min<std::uint64_t>(wanted, config.blocks_per_sm);
  const std::uint32_t with_headroom = carveout_for(config, bytes_of(wanted));
  return std::max(needed, std::min(with_headroom, config.carveout_headroom_cap_kib * kKib));
}

std::uint32_t choose_carveout(const OccupancyConfig& config, const Occupancy& occupancy, bool uses_shared) {
  switch (config.carveout_policy) {
    case CarveoutPolicy::kDriver:
      return driver_carveout(config, occupancy, uses_shared);
    case CarveoutPolicy::kMinimum: {
      const std::uint32_t blocks = std::min({occupancy.limit_warps, occupancy.limit_registers, occupancy.limit_blocks});
      return carveout_for(config, std::uint64_t{blocks} * occupancy.shared_bytes_per_block);
    }
    case CarveoutPolicy::kMaximum:
      return config.carveout_kib.back() * kKib;
  }
  SIM_CHECK(false, "unknown carve-out policy");
}

// What no SM could ever hold, in words; empty if a block fits.
std::string why_impossible(const OccupancyConfig& config, const Occupancy& occupancy, std::uint32_t threads,
                           std::uint32_t registers, std::uint32_t shared_bytes) {
  if (threads == 0) {
    return "a block has no threads";
  }
  if (threads > config.threads_per_block || occupancy.warps_per_block > config.warps_per_sm) {
    return fmt::format("a block of {} threads is larger than the {} that the GPU allows", threads,
                       std::min(config.threads_per_block, config.warps_per_sm * kWarpSize));
  }
  if (registers > config.registers_per_thread) {
    return fmt::format("{} registers a thread are more than the {} that the GPU allows", registers,
                       config.registers_per_thread);
  }
  const std::uint32_t block_registers =
      occupancy.registers_per_warp * round_up(occupancy.warps_per_block, config.sub_partitions);
  if (block_registers > config.registers_per_block || occupancy.limit_registers == 0) {
    return fmt::format("a block of {} threads with {} registers each needs {} registers, the GPU allows {}", threads,
                       registers, block_registers, config.registers_per_block);
  }
  if (shared_bytes > config.shared_bytes_per_block) {
    return fmt::format("{} bytes of shared memory a block are more than the {} that the GPU allows", shared_bytes,
                       config.shared_bytes_per_block);
  }
  if (occupancy.limit_shared == 0) {
    return fmt::format("{} bytes of shared memory a block do not fit into the largest carve-out", shared_bytes);
  }
  return {};
}

OccupancyLimiter least_limit(const Occupancy& o) {
  const std::uint32_t least = std::min({o.limit_warps, o.limit_blocks, o.limit_registers, o.limit_shared});
  if (o.limit_warps == least) {
    return OccupancyLimiter::kWarps;
  }
  if (o.limit_registers == least) {
    return OccupancyLimiter::kRegisters;
  }
  return o.limit_shared == least ? OccupancyLimiter::kShared : OccupancyLimiter::kBlocks;
}

void check_carveout_list(ConfigSection& section, const OccupancyConfig& config) {
  if (config.carveout_kib.empty()) {
    section.problem("carveout_kib", "at least one size is needed");
    return;
  }
  if (!std::is_sorted(config.carveout_kib.begin(), config.carveout_kib.end())) {
    section.problem("carveout_kib", "sizes must ascend");
  }
  if (std::uint64_t{config.carveout_kib.back()} * kKib > config.l1_and_shared_bytes) {
    section.problem("carveout_kib", "the largest size exceeds l1_and_shared_bytes");
  }
}

}  // namespace

void describe(ConfigSection& section, OccupancyConfig& config) {
  section.integer("warps_per_sm", config.warps_per_sm, 1, 256, "Warp slots of an SM.");
  section.integer("threads_per_block", config.threads_per_block, 1, 4096, "Most threads of a block.");
  section.integer("blocks_per_sm", config.blocks_per_sm, 1, 64, "Block slots of an SM.");
  section.integer("registers_per_sm", config.registers_per_sm, 256, 1U << 20, "32-bit registers of an SM.");
  section.integer("registers_per_block", config.registers_per_block, 256, 1U << 20, "Most registers of a block.");
  section.integer("registers_per_thread", config.registers_per_thread, 1, 1024, "Most registers of a thread.");
  section.integer("least_registers_per_thread", config.least_registers_per_thread, 0, 1024,
                  "Registers of a thread whose kernel asks for fewer.");
  section.integer("register_allocation_unit", config.register_allocation_unit, 1, 4096,
                  "Registers of a warp are allocated in multiples of this number.");
  section.integer("sub_partitions", config.sub_partitions, 1, 8, "Register files of an SM, one a sub-core.");
  section.integer("shared_bytes_per_block", config.shared_bytes_per_block, 0, 1U << 20,
                  "Most shared memory of a block, without the driver's reserve.");
  section.integer("shared_allocation_unit_bytes", config.shared_allocation_unit_bytes, 1, 4096,
                  "Shared memory of a block is allocated in multiples of this size.");
  section.integer("shared_reserved_per_block_bytes", config.shared_reserved_per_block_bytes, 0, 16384,
                  "Shared memory that the driver adds to each block.");
  section.integer("l1_and_shared_bytes", config.l1_and_shared_bytes, 1024, 1U << 22,
                  "Memory of an SM that L1 and shared memory divide between them.");
  section.integers("carveout_kib", config.carveout_kib, 0, 4096, "Sizes that shared memory can be set to, ascending.");
  section.choice("carveout_policy", config.carveout_policy,
                 {{"driver", CarveoutPolicy::kDriver},
                  {"minimum", CarveoutPolicy::kMinimum},
                  {"maximum", CarveoutPolicy::kMaximum}},
                 "How the size of shared memory is chosen for a kernel.");
  section.integer("carveout_headroom", config.carveout_headroom, 1, 64,
                  "Driver's policy: kernels with shared memory get room for this many times their blocks, less one.");
  section.integer("carveout_headroom_without_shared", config.carveout_headroom_without_shared, 1, 64,
                  "Driver's policy: kernels without shared memory get room for the reserve of this many times the "
                  "blocks that the warp slots allow.");
  section.integer("carveout_headroom_cap_kib", config.carveout_headroom_cap_kib, 0, 4096,
                  "Driver's policy: headroom never makes shared memory larger than this.");
  check_carveout_list(section, config);
}

const char* to_string(OccupancyLimiter limiter) {
  switch (limiter) {
    case OccupancyLimiter::kWarps:
      return "warps";
    case OccupancyLimiter::kBlocks:
      return "blocks";
    case OccupancyLimiter::kRegisters:
      return "registers";
    case OccupancyLimiter::kShared:
      return "shared memory";
  }
  return "unknown";
}

double Occupancy::theoretical(const OccupancyConfig& config) const {
  return static_cast<double>(blocks_per_sm) * warps_per_block / config.warps_per_sm;
}

Occupancy compute_occupancy(const OccupancyConfig& config, std::uint32_t threads_per_block,
                            std::uint32_t registers_per_thread, std::uint32_t shared_bytes) {
  SIM_CHECK(!config.carveout_kib.empty() && config.sub_partitions > 0, "occupancy limits are not set");
  Occupancy result;
  result.warps_per_block = (threads_per_block + kWarpSize - 1) / kWarpSize;
  result.registers_per_thread = std::max(registers_per_thread, config.least_registers_per_thread);
  result.registers_per_warp = round_up(result.registers_per_thread * kWarpSize, config.register_allocation_unit);
  result.shared_bytes_per_block =
      round_up(shared_bytes + config.shared_reserved_per_block_bytes, config.shared_allocation_unit_bytes);

  const std::uint32_t warps = std::max(result.warps_per_block, 1U);
  result.limit_warps = config.warps_per_sm / warps;
  result.limit_blocks = config.blocks_per_sm;
  result.limit_registers = config.blocks_per_sm;
  if (result.registers_per_warp > 0) {
    const std::uint32_t warps_per_partition =
        config.registers_per_sm / config.sub_partitions / result.registers_per_warp;
    result.limit_registers = warps_per_partition * config.sub_partitions / warps;
  }
  // A block that the largest carve-out cannot hold is refused below; the limit is not yet known here.
  result.carveout_bytes = choose_carveout(config, result, shared_bytes > 0);
  result.l1_bytes = config.l1_and_shared_bytes - result.carveout_bytes;
  result.limit_shared = config.blocks_per_sm;
  if (result.shared_bytes_per_block > 0) {
    result.limit_shared = std::min(result.carveout_bytes / result.shared_bytes_per_block, config.blocks_per_sm);
  }
  result.limiter = least_limit(result);
  result.reason = why_impossible(config, result, threads_per_block, registers_per_thread, shared_bytes);
  if (result.reason.empty()) {
    result.blocks_per_sm =
        std::min({result.limit_warps, result.limit_blocks, result.limit_registers, result.limit_shared});
  }
  return result;
}

}  // namespace warpsim
