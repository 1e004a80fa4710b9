// Memory that nodes of graphs allocate and free.
//
// Modelled: an address that is fixed when the node is made; use and release in the order of the launches; CUDA's
// counters. The counters take memory as reused from launch to launch; in the simulation each allocation
// keeps its own bytes until its graph is gone, and nodes of one graph do not share an address. Evidence: CUDA C++
// programming guide, "Graph Memory Nodes". Invariant: memory in use when its graph is gone belongs to the program, as
// other memory.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/types.h"
#include "cuda/graphs/graph_abi.h"
#include "device/work.h"

namespace warpsim::cuda {

class Context;
struct GraphMemory;

class GraphMemoryPool {
 public:
  // CUDA's numbers of attributes.
  enum class Counter : int { kUsed = 0, kUsedMost = 1, kReserved = 2, kReservedMost = 3 };
  std::uint64_t value(Counter counter) const;  // fails with kInvalidValue
  void reset(Counter counter);                 // of the maxima only; fails with kInvalidValue
  // Memory that is not in use is not reserved any more.
  void trim();

  std::shared_ptr<GraphMemory> allocate(Context& context, std::uint64_t bytes);
  // Of an allocation that exists; otherwise null.
  std::shared_ptr<GraphMemory> find(Address begin) const;
  // By a launch into the stream. Memory that was freed before in the same stream, or whose use is over, is taken again.
  void use(GraphMemory& memory, std::uint64_t stream);
  // By a launch that is not submitted yet, or otherwise by the host.
  void free(GraphMemory& memory, bool launching = true);
  // What the launch has freed may be used elsewhere when it is over.
  void end_launch(const WorkHandle& end);

 private:
  friend struct GraphMemory;
  // Reserved and not in use.
  struct FreePages {
    std::uint64_t bytes = 0;
    std::uint64_t stream = 0;
    WorkHandle end;          // of the launch that freed it; null: it is over
    bool launching = false;  // that launch is not submitted yet
  };
  std::map<Address, std::weak_ptr<GraphMemory>> allocations_;
  std::vector<FreePages> free_;
  std::uint64_t used_ = 0;
  std::uint64_t used_most_ = 0;
  std::uint64_t reserved_ = 0;
  std::uint64_t reserved_most_ = 0;
};

struct GraphMemory {
  Context* context = nullptr;
  std::shared_ptr<GraphMemoryPool> pool;
  Address begin = 0;
  std::uint64_t bytes = 0;
  bool in_use = false;
  std::uint64_t stream = 0;  // of the launch that uses it

  GraphMemory(Context& owner, std::shared_ptr<GraphMemoryPool> from, Address address, std::uint64_t size);
  ~GraphMemory();
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;
};

// The parameters of an allocation that a captured stream makes, on the device.
abi::AllocationParameters device_allocation(std::size_t bytes);

// If it is memory of a graph, that is freed by the host's call. Fails with kInvalidValue if it is not in use.
bool free_graph_memory(Context& context, const void* data);

}  // namespace warpsim::cuda
