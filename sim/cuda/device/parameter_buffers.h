// Device memory for the parameters of launches from kernels. A buffer belongs to the grid that requested it, until
// that grid has ended: then others get the memory.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "emulator/execution/device_launches.h"
#include "emulator/memory/device_memory.h"

namespace warpsim::cuda {

class ParameterBuffers {
 public:
  explicit ParameterBuffers(DeviceMemory& memory) : memory_(memory) {}

  // 0 if there is no memory. `launch`: the configuration that the buffer is for, if it is known.
  Address take(std::uint64_t grid, std::uint64_t bytes, const std::optional<DeviceLaunch>& launch = std::nullopt);
  // The configuration that a buffer was taken for; null if it is not such a buffer.
  const DeviceLaunch* configuration(Address buffer) const;
  // The grid has ended.
  void release(std::uint64_t grid);
  void release_all();  // of all grids

 private:
  struct Buffer {
    std::uint64_t grid = 0;
    std::uint64_t bytes = 0;
    std::optional<DeviceLaunch> launch;
  };

  DeviceMemory& memory_;
  std::map<Address, Buffer> used_;
  std::map<std::uint64_t, std::vector<Address>> free_;  // by size
};

}  // namespace warpsim::cuda
