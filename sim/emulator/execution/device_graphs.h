// What kernels ask for about instantiated graphs: launches of them, and changes of nodes that the host has declared
// changeable. The emulator executes the calls; which graphs exist and when they are run is not known here.
//
// Order: as of DeviceLaunches. Evidence: cuda_device_runtime_api.h of CUDA 13, tests/hardware/device_graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/types.h"
#include "emulator/execution/device_launches.h"

namespace warpsim {

// The streams into which kernels launch graphs.
enum class GraphStream : std::uint8_t {
  kTail,           // after the graph of the kernel
  kFireAndForget,  // at once; the graph of the kernel is not over before it
  kSibling,        // at once; what has launched the graph of the kernel is not over before it
};

struct DeviceNodeChange {
  enum class Field : std::uint8_t { kGrid, kParameter, kEnabled };
  std::uint64_t node = 0;  // as the host gave it to the program
  Field field = Field::kGrid;
  Dim3 grid = {};
  std::uint64_t offset = 0;  // of `value` in the parameters
  std::vector<std::byte> value = {};
  bool enabled = true;
};

// Results are CUDA's error numbers.
class DeviceGraphs {
 public:
  virtual ~DeviceGraphs() = default;
  // Why the thread cannot launch a graph at all; empty if it can.
  virtual std::string why_not_launched(const DeviceThread& thread) const = 0;
  virtual int launch_graph(const DeviceThread& thread, std::uint64_t graph, GraphStream stream) = 0;
  virtual int change_node(const DeviceThread& thread, const DeviceNodeChange& change) = 0;
};

}  // namespace warpsim
