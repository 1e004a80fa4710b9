// The structures of CUDA's functions about graphs, in the layouts of the toolkits 12 and 13. Sizes and offsets are
// compared with an installed toolkit (tests/unit/cuda/graphs/graph_abi_oracle_test.cc).
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/abi/abi.h"
#include "cuda/abi/memory_operation_abi.h"

namespace warpsim::cuda {

using GraphHandle = class Graph*;
using NodeHandle = struct GraphNode*;
using ExecHandle = class GraphExec*;
using UserObjectHandle = struct UserObject*;
using HostFunction = void (*)(void*);

namespace abi {

struct EdgeData {
  unsigned char from_port;
  unsigned char to_port;
  unsigned char type;
  unsigned char reserved[5];
};
// The driver's first version is the same.
struct KernelNodeParameters {
  void* function;
  Dim3 grid;
  Dim3 block;
  unsigned shared_bytes;
  void** arguments;
  void** buffers;
};
struct DriverKernelNodeParameters {
  KernelNodeParameters common;
  void* kernel;  // used if there is no function
  void* context;
};
struct FillParameters {
  void* data;
  std::size_t pitch;
  unsigned value;
  unsigned element_bytes;
  std::size_t width;
  std::size_t height;
};
struct HostParameters {
  HostFunction function;
  void* data;
};
struct CopyNodeParameters {
  int flags;
  int reserved[3];
  Memcpy3d copy;
};
struct DriverCopyNodeParameters {
  int flags;
  int reserved;
  void* context;
  DriverMemcpy3d copy;
};
struct ChildNodeParameters {
  GraphHandle graph;
  int ownership;
};
struct MemoryPoolProperties {
  int allocation_type;
  int handle_types;
  int location_type;
  int location;
  void* security;
  std::size_t most_bytes;
  unsigned short usage;
  unsigned char reserved[54];
};
struct AllocationParameters {
  MemoryPoolProperties pool;
  const void* access;
  std::size_t access_count;
  std::size_t bytes;
  void* data;  // a result
};
struct ConditionalParameters {
  std::uint64_t handle;
  int type;
  unsigned size;
  GraphHandle* graphs;  // a result: an array that the node owns
  void* context;        // of the driver's only
};
struct NodeParameters {
  int type;
  int reserved0[3];
  union {
    long long reserved1[29];
    DriverKernelNodeParameters kernel;  // the runtime's are the common part
    CopyNodeParameters copy;
    DriverCopyNodeParameters driver_copy;
    FillParameters fill;
    HostParameters host;
    ChildNodeParameters child;
    EventHandle event;
    AllocationParameters allocation;
    void* freed;
    ConditionalParameters conditional;
    BatchNodeParameters batch;
  };
  long long reserved2;
};
struct InstantiateParameters {
  std::uint64_t flags;
  StreamHandle upload_stream;
  NodeHandle error_node;
  int result;
};
struct UpdateResult {
  int result;
  NodeHandle error_node;
  NodeHandle error_from_node;
};

}  // namespace abi
}  // namespace warpsim::cuda
