#include "frontend/values/block_identity.h"

namespace warpsim {

BlockIdentity identity_of(const KernelLaunch& launch, std::uint64_t linear_index) {
  const Dim3& grid = launch.grid;
  const Dim3& cluster = launch.cluster;
  BlockIdentity identity;
  identity.block = launch.block;
  identity.grid = grid;
  identity.linear_index = linear_index;
  identity.index = {static_cast<std::uint32_t>(linear_index % grid.x),
                    static_cast<std::uint32_t>(linear_index / grid.x % grid.y),
                    static_cast<std::uint32_t>(linear_index / grid.x / grid.y)};
  identity.cluster_rank = identity.index.x % cluster.x +
                          cluster.x * (identity.index.y % cluster.y + cluster.y * (identity.index.z % cluster.z));
  return identity;
}

}  // namespace warpsim
