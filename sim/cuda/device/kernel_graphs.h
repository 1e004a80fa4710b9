// Who launches graphs for kernels, and changes nodes of graphs for them.
#pragma once

#include <cstdint>

#include "emulator/execution/device_graphs.h"

namespace warpsim::cuda {

// Results are CUDA's error numbers.
class KernelGraphs {
 public:
  virtual ~KernelGraphs() = default;
  // By a kernel of a launched graph, whose number is as in Launch::graph_launch. The device has it at `from_ns`.
  virtual int launch(std::uint64_t graph_launch, std::uint64_t graph, GraphStream stream, double from_ns) = 0;
  virtual int change(const DeviceNodeChange& change) = 0;
};

}  // namespace warpsim::cuda
