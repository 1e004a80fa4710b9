// Structures of CUDA's virtual memory management and of its memory pools, in the layouts of the toolkits. Those of
// pools' properties are in graphs/graph_abi.h. Sizes and offsets are compared with an installed toolkit
// (tests/unit/cuda/abi/virtual_memory_abi_oracle_test.cc).
#pragma once

#include "cuda/abi/abi.h"

namespace warpsim::cuda::abi {

enum AllocationType : int { kPinned = 1, kManagedByDriver = 2 };
enum ShareableType : int { kNotShareable = 0, kFileDescriptor = 1, kWin32 = 2, kWin32Kmt = 4, kFabric = 8 };
enum AccessFlags : int { kNoAccess = 0, kReadAccess = 1, kReadWriteAccess = 3 };

struct AllocationProperties {
  int type;
  int handle_types;
  MemoryLocation location;
  void* security;
  unsigned char compression;
  unsigned char rdma;
  unsigned short usage;
  unsigned char reserved[4];
};
struct AccessDescription {
  MemoryLocation location;
  int flags;
};
// What a process tells another one about memory of a pool.
struct PoolPointer {
  unsigned char bytes[64];
};

}  // namespace warpsim::cuda::abi
