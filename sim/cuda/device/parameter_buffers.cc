#include "cuda/device/parameter_buffers.h"

#include "base/round_up.h"

namespace warpsim::cuda {

Address ParameterBuffers::take(std::uint64_t grid, std::uint64_t bytes, const std::optional<DeviceLaunch>& launch) {
  constexpr std::uint64_t kStep = 512;
  const std::uint64_t size = std::max(round_up(bytes, kStep), kStep);
  std::vector<Address>& free = free_[size];
  Address buffer = 0;
  if (free.empty()) {
    buffer = memory_.allocate(size, DeviceMemory::kAlignment, "parameters of a launch from a kernel");
  } else {
    buffer = free.back();
    free.pop_back();
  }
  if (buffer != 0) {
    used_[buffer] = {grid, size, launch};
  }
  return buffer;
}

const DeviceLaunch* ParameterBuffers::configuration(Address buffer) const {
  const auto found = used_.find(buffer);
  return found == used_.end() || !found->second.launch ? nullptr : &*found->second.launch;
}

void ParameterBuffers::release(std::uint64_t grid) {
  std::erase_if(used_, [&](const auto& each) {
    const auto& [address, buffer] = each;
    if (buffer.grid == grid) {
      free_[buffer.bytes].push_back(address);
    }
    return buffer.grid == grid;
  });
}

void ParameterBuffers::release_all() {
  for (const auto& [address, buffer] : used_) {
    free_[buffer.bytes].push_back(address);
  }
  used_.clear();
}

}  // namespace warpsim::cuda
