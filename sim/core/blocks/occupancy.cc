#include "core/blocks/occupancy.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.h"
#include "base/round_up.h"
#include "base/types.h"

namespace warpsim {

namespace {

constexpr std::uint32_t kKib = 1024;

// Smallest allowed size that holds `bytes`; the largest if none does.
std::uint32_t carveout_for(const OccupancyConfig& config, std::uint64_t bytes) {
  for (const std::uint32_t kib : config.carveout_kib) {
    if (std::uint64_t{kib} * kKib >= bytes) {
      return kib * kKib;
    }
  }
  return config.carveout_kib.back() * kKib;
}

std::uint32_t blocks_without_shared(const Occupancy& occupancy) {
  return std::min({occupancy.limit_warps, occupancy.limit_registers, occupancy.limit_blocks});
}

// What the blocks need that warps and registers allow, and that fit into the largest size.
std::uint32_t needed_carveout(const OccupancyConfig& config, const Occupancy& occupancy) {
  std::uint32_t blocks = blocks_without_shared(occupancy);
  if (occupancy.shared_bytes_per_block > 0) {
    blocks = std::min(blocks, config.carveout_kib.back() * kKib / occupancy.shared_bytes_per_block);
  }
  return carveout_for(config, std::uint64_t{std::max(blocks, 1U)} * occupancy.shared_bytes_per_block);
}

// The driver's default, found from 144 launches on an H200, all of which it reproduces. A kernel gets what its blocks
// need (also measured: launch__shared_mem_config_size of blocks with 48 to 170 KiB on an H100), and headroom beyond it,
// presumably for blocks of the next kernel:
//  - with shared memory: room for (headroom * blocks - 1) blocks, but headroom alone never takes the carve-out beyond a
//    cap (about half of the memory);
//  - without: only the per-block reserve counts, for headroom times the blocks that the warp slots allow.
// Never more than the block slots can use.
std::uint32_t driver_carveout(const OccupancyConfig& config, const Occupancy& occupancy, bool uses_shared) {
  const std::uint32_t blocks = blocks_without_shared(occupancy);
  const auto bytes_of = [&occupancy](std::uint64_t count) { return count * occupancy.shared_bytes_per_block; };
  const std::uint32_t needed = needed_carveout(config, occupancy);
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
      const std::uint32_t blocks = blocks_without_shared(occupancy);
      return carveout_for(config, std::uint64_t{blocks} * occupancy.shared_bytes_per_block);
    }
    case CarveoutPolicy::kMaximum:
      return config.carveout_kib.back() * kKib;
  }
  SIM_CHECK(false, "unknown carve-out policy");
}

// A preference that is too small for one block gives way: to the next size, or, where the maximum is the default, to
// that.
std::uint32_t preferred_carveout(const OccupancyConfig& config, const Occupancy& occupancy, std::uint32_t kib) {
  const std::uint32_t preferred = carveout_for(config, std::uint64_t{kib} * kKib);
  if (preferred >= occupancy.shared_bytes_per_block) {
    return preferred;
  }
  return config.carveout_policy == CarveoutPolicy::kMaximum ? config.carveout_kib.back() * kKib
                                                            : carveout_for(config, occupancy.shared_bytes_per_block);
}

// The resources allocated to a block.
Occupancy allocate(const OccupancyConfig& config, const BlockNeeds& needs) {
  SIM_CHECK(!config.carveout_kib.empty() && config.sub_partitions > 0, "occupancy limits are not set");
  Occupancy result;
  result.warps_per_block = (needs.threads + kWarpSize - 1) / kWarpSize;
  result.registers_per_thread = std::max(needs.registers_per_thread, config.least_registers_per_thread);
  const std::vector<std::uint32_t>& coarse = config.coarse_registers_per_thread;
  const bool is_coarse = std::find(coarse.begin(), coarse.end(), result.registers_per_thread) != coarse.end();
  const std::uint32_t unit = is_coarse ? config.coarse_register_allocation_unit : config.register_allocation_unit;
  const std::uint32_t warp_registers = result.registers_per_thread * kWarpSize;
  if (config.register_allocation == RegisterAllocation::kBlock) {
    const std::uint32_t warps = round_up(result.warps_per_block, config.register_block_warps);
    result.registers_per_block = round_up(warps * warp_registers, unit);
  } else {
    result.registers_per_warp = round_up(warp_registers, unit);
    result.registers_per_block = result.registers_per_warp * result.warps_per_block;
  }
  std::uint32_t shared = needs.shared_bytes + config.shared_reserved_per_block_bytes;
  if (config.launch_parameters_in_shared && needs.argument_bytes) {
    shared += *needs.argument_bytes + config.launch_configuration_bytes;
  }
  result.shared_bytes_per_block = round_up(shared, config.shared_allocation_unit_bytes);
  return result;
}

// Registers that the hardware assumes for a block in its check: as if its warps filled all sub-partitions equally.
std::uint32_t registers_to_check(const OccupancyConfig& config, const Occupancy& o) {
  return config.register_allocation == RegisterAllocation::kBlock
             ? o.registers_per_block
             : o.registers_per_warp * round_up(o.warps_per_block, config.register_block_warps);
}

std::uint32_t blocks_by_registers(const OccupancyConfig& config, const Occupancy& o) {
  if (o.registers_per_thread > config.registers_per_thread ||
      registers_to_check(config, o) > config.registers_per_block) {
    return 0;
  }
  if (o.registers_per_block == 0) {
    return Occupancy::kNoLimit;
  }
  if (config.register_allocation == RegisterAllocation::kBlock) {
    return config.registers_per_sm / o.registers_per_block;
  }
  const std::uint32_t warps_per_partition = config.registers_per_sm / config.sub_partitions / o.registers_per_warp;
  return warps_per_partition * config.sub_partitions / o.warps_per_block;
}

std::uint32_t blocks_by_shared(const OccupancyConfig& config, const Occupancy& o) {
  const std::uint32_t most = config.shared_bytes_per_block + config.shared_reserved_per_block_bytes;
  if (o.shared_bytes_per_block > round_up(most, config.shared_allocation_unit_bytes)) {
    return 0;
  }
  return o.shared_bytes_per_block == 0 ? Occupancy::kNoLimit : o.carveout_bytes / o.shared_bytes_per_block;
}

void set_limits(const OccupancyConfig& config, const BlockNeeds& needs, Occupancy& o) {
  const bool size_allowed = needs.threads > 0 && needs.threads <= config.threads_per_block;
  o.limit_warps = size_allowed ? config.warps_per_sm / o.warps_per_block : 0;
  o.limit_blocks = config.blocks_per_sm;
  o.limit_registers = blocks_by_registers(config, o);
  if (config.barriers_per_sm > 0 && needs.barriers > 0) {
    o.limit_barriers = config.barriers_per_sm / needs.barriers;
  }
}

// Why no SM can hold a block, for the user; empty if a block fits.
std::string why_impossible(const OccupancyConfig& config, const Occupancy& o, const BlockNeeds& needs) {
  if (needs.threads == 0) {
    return "a block has no threads";
  }
  if (o.limit_warps == 0) {
    return fmt::format("a block of {} threads exceeds the {} that the GPU allows", needs.threads,
                       std::min(config.threads_per_block, config.warps_per_sm * kWarpSize));
  }
  if (needs.registers_per_thread > config.registers_per_thread) {
    return fmt::format("{} registers per thread exceed the {} that the GPU allows", needs.registers_per_thread,
                       config.registers_per_thread);
  }
  if (o.limit_registers == 0) {
    return fmt::format("a block of {} threads with {} registers each needs {} registers, the GPU allows {}",
                       needs.threads, needs.registers_per_thread, registers_to_check(config, o),
                       config.registers_per_block);
  }
  if (needs.shared_bytes > config.shared_bytes_per_block) {
    return fmt::format("{} bytes of shared memory per block exceed the {} that the GPU allows", needs.shared_bytes,
                       config.shared_bytes_per_block);
  }
  if (o.limit_shared == 0) {
    return fmt::format("{} bytes of shared memory per block do not fit into the {} of an SM", o.shared_bytes_per_block,
                       o.carveout_bytes);
  }
  return o.limit_barriers > 0 ? std::string()
                              : fmt::format("a block has more than {} barriers", config.barriers_per_sm);
}

// The remaining values, with the carve-out known.
void conclude(const OccupancyConfig& config, const BlockNeeds& needs, Occupancy& o) {
  o.least_carveout_bytes = std::min(o.carveout_bytes, needed_carveout(config, o));
  o.l1_bytes = config.l1_and_shared_bytes - o.carveout_bytes;
  o.limit_shared = blocks_by_shared(config, o);
  const std::pair<OccupancyLimiter, std::uint32_t> limits[] = {{OccupancyLimiter::kWarps, o.limit_warps},
                                                               {OccupancyLimiter::kRegisters, o.limit_registers},
                                                               {OccupancyLimiter::kShared, o.limit_shared},
                                                               {OccupancyLimiter::kBlocks, o.limit_blocks},
                                                               {OccupancyLimiter::kBarriers, o.limit_barriers}};
  std::uint32_t least = Occupancy::kNoLimit;
  for (const auto& [limiter, blocks] : limits) {
    least = std::min(least, blocks);
  }
  for (const auto& [limiter, blocks] : limits) {
    if (blocks == least) {
      o.limiters.push_back(limiter);
    }
  }
  o.blocks_per_sm = least;
  o.reason = least > 0 ? std::string() : why_impossible(config, o, needs);
}

}  // namespace

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
    case OccupancyLimiter::kBarriers:
      return "barriers";
  }
  return "unknown";
}

double Occupancy::theoretical(const OccupancyConfig& config) const {
  return static_cast<double>(blocks_per_sm) * warps_per_block / config.warps_per_sm;
}

Occupancy compute_occupancy(const OccupancyConfig& config, const BlockNeeds& needs) {
  Occupancy result = allocate(config, needs);
  set_limits(config, needs, result);
  result.carveout_bytes = choose_carveout(config, result, needs.shared_bytes > 0);
  conclude(config, needs, result);
  return result;
}

Occupancy compute_occupancy(const OccupancyConfig& config, const BlockNeeds& needs, std::uint32_t carveout_kib) {
  Occupancy result = allocate(config, needs);
  set_limits(config, needs, result);
  result.carveout_bytes = preferred_carveout(config, result, carveout_kib);
  conclude(config, needs, result);
  return result;
}

std::uint32_t suggested_block_threads(const OccupancyConfig& config, BlockNeeds needs, std::uint32_t carveout_kib) {
  std::uint32_t best = 0;
  std::uint32_t most_resident = 0;
  for (needs.threads = config.threads_per_block / kWarpSize * kWarpSize; needs.threads > 0;
       needs.threads -= kWarpSize) {
    const std::uint32_t resident = compute_occupancy(config, needs, carveout_kib).blocks_per_sm * needs.threads;
    if (resident > most_resident) {
      most_resident = resident;
      best = needs.threads;
    }
  }
  return best;
}

}  // namespace warpsim
