#include "emulator/code/special_values.h"

#include "emulator/code/kernel_image.h"
#include "emulator/execution/launch_context.h"
#include "emulator/memory/block_memory.h"

namespace warpsim {

namespace {

std::uint32_t component_of(const Dim3& value, std::uint32_t component) {
  return component == 0 ? value.x : component == 1 ? value.y : component == 2 ? value.z : 0;
}

Dim3 divided(const Dim3& a, const Dim3& b) {
  return {a.x / b.x, a.y / b.y, a.z / b.z};
}

Dim3 remainder_of(const Dim3& a, const Dim3& b) {
  return {a.x % b.x, a.y % b.y, a.z % b.z};
}

}  // namespace

bool differs_between_lanes(SpecialRegister which) {
  switch (which) {
    case SpecialRegister::kTid:
    case SpecialRegister::kLaneId:
    case SpecialRegister::kLaneMaskEq:
    case SpecialRegister::kLaneMaskLe:
    case SpecialRegister::kLaneMaskLt:
    case SpecialRegister::kLaneMaskGe:
    case SpecialRegister::kLaneMaskGt:
      return true;
    default:
      return false;
  }
}

void fill_thread_numbers(const WarpContext& warp, std::uint32_t component, LaneMask lanes, std::uint32_t* words) {
  const Dim3& size = warp.launch->block;
  Dim3 id = warp.thread(0);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((lanes >> lane & 1U) != 0) {
      words[lane] = component_of(id, component);
    }
    if (++id.x == size.x) {
      id.x = 0;
      ++id.y;
    }
    if (id.y == size.y) {
      id.y = 0;
      ++id.z;
    }
  }
}

bool differs_between_blocks(SpecialRegister which) {
  switch (which) {
    case SpecialRegister::kCtaid:
    case SpecialRegister::kSmId:
    case SpecialRegister::kClusterId:
    case SpecialRegister::kClusterCtaId:
    case SpecialRegister::kClusterCtaRank:
      return true;
    default:
      return false;
  }
}

std::uint64_t special_value(SpecialRegister which, std::uint32_t component, std::uint32_t lane,
                            const WarpContext& warp) {
  const LaunchContext& launch = *warp.launch;
  const BlockMemory& block = *warp.block;
  const std::uint32_t static_shared = launch.kernel->static_shared_bytes();
  constexpr std::uint32_t kReservedShared = 1024;  // of the driver, from 8.0 on
  switch (which) {
    case SpecialRegister::kTid:
      return component_of(warp.thread(lane), component);
    case SpecialRegister::kNtid:
      return component_of(launch.block, component);
    case SpecialRegister::kCtaid:
      return component_of(block.index, component);
    case SpecialRegister::kNctaid:
      return component_of(launch.grid, component);
    case SpecialRegister::kLaneId:
      return lane;
    case SpecialRegister::kWarpId:
      return warp.index;
    case SpecialRegister::kNwarpId:
      return (launch.block.count() + kWarpSize - 1) / kWarpSize;
    case SpecialRegister::kSmId:
      return block.sm;
    case SpecialRegister::kNsmId:
      return launch.sm_count;
    case SpecialRegister::kGridId:
      return launch.grid_id;
    case SpecialRegister::kLaneMaskEq:
      return LaneMask{1} << lane;
    case SpecialRegister::kLaneMaskLe:
      return kAllLanes >> (kWarpSize - 1 - lane);
    case SpecialRegister::kLaneMaskLt:
      return (LaneMask{1} << lane) - 1;
    case SpecialRegister::kLaneMaskGe:
      return LaneMask{kAllLanes << lane};
    case SpecialRegister::kLaneMaskGt:
      return LaneMask{kAllLanes << lane} & ~(LaneMask{1} << lane);
    case SpecialRegister::kDynamicSharedBytes:
      return launch.dynamic_shared_bytes;
    case SpecialRegister::kTotalSharedBytes:
    case SpecialRegister::kAggregateSharedBytes:
      return static_shared + launch.dynamic_shared_bytes +
             (which == SpecialRegister::kAggregateSharedBytes && launch.capability >= 80 ? kReservedShared : 0);
    case SpecialRegister::kReservedSharedBegin:
    case SpecialRegister::kReservedSharedOffset:
      return 0;
    case SpecialRegister::kReservedSharedEnd:
    case SpecialRegister::kReservedSharedCapacity:
      return launch.capability >= 80 ? kReservedShared : 0;
    case SpecialRegister::kClusterId:
      return component_of(divided(block.index, launch.cluster), component);
    case SpecialRegister::kNclusterId:
      return component_of(divided(launch.grid, launch.cluster), component);
    case SpecialRegister::kClusterCtaId:
      return component_of(remainder_of(block.index, launch.cluster), component);
    case SpecialRegister::kClusterNctaId:
      return component_of(launch.cluster, component);
    case SpecialRegister::kClusterCtaRank:
      return block.rank_in_cluster;
    case SpecialRegister::kClusterNctaRank:
      return launch.cluster.count();
    case SpecialRegister::kIsExplicitCluster:
      return launch.cluster.count() > 1 ? 1 : 0;
    case SpecialRegister::kEnvironment:
      return launch.environment[component];
    case SpecialRegister::kCurrentGraph:
      return launch.graph_exec;
  }
  return 0;
}

}  // namespace warpsim
