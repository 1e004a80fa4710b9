// Which graphs kernels can launch.
#pragma once

#include "cuda/context.h"
#include "cuda/graphs/graph.h"

namespace warpsim::cuda {

// CUDA's results of cudaGraphInstantiateWithParams.
inline constexpr int kInstantiated = 0;
inline constexpr int kInstantiateError = 1;
inline constexpr int kInvalidStructure = 2;
inline constexpr int kNodeNotSupported = 3;
inline constexpr int kSeveralDevices = 4;

struct DeviceGraphRefusal {
  int result = kInstantiated;
  const GraphNode* node = nullptr;  // the reason; null: the whole graph
};
// Only kernels, copies and fills of one GPU, and graphs of them; copies only of memory that the GPU reaches; no empty
// graph. Evidence: CUDA C++ programming guide, "Device Graph Requirements"; the results of an H100
// (tests/hardware/device_graphs).
DeviceGraphRefusal check_for_device(Context& context, const Graph& graph);

}  // namespace warpsim::cuda
