// CUDA's location of memory: a GPU, or the host.
#pragma once

namespace warpsim::cuda::abi {

enum LocationType : int { kNoLocation = 0, kOnDevice = 1, kOnHost = 2, kOnNumaNode = 3, kOnNumaNodeOfThread = 4 };

struct MemoryLocation {
  int type;
  int id;
};

}  // namespace warpsim::cuda::abi
