#include "emulator/execution/call_memory.h"

#include <algorithm>

#include "emulator/execution/launch_context.h"
#include "emulator/memory/block_memory.h"
#include "emulator/memory/generic_address.h"

namespace warpsim {

BytesAt bytes_at(WarpContext& warp, Address address, std::uint32_t lane) {
  if (is_in(kLocalWindow, address)) {
    const auto offset = static_cast<std::uint32_t>(address - kLocalWindow);
    const std::uint32_t size = warp.block->local_bytes();
    return offset >= size ? BytesAt{} : BytesAt{warp.block->local(warp.index, lane, offset), size - offset};
  }
  if (is_in(kSharedWindow, address)) {
    const auto offset = static_cast<std::uint32_t>(address - kSharedWindow);
    const std::uint32_t size = warp.block->shared_bytes();
    return offset >= size ? BytesAt{} : BytesAt{warp.block->shared(offset), size - offset};
  }
  const DeviceMemory::Allocation* const allocation = warp.launch->memory->find(address);
  return allocation == nullptr ? BytesAt{}
                               : BytesAt{allocation->host + (address - allocation->begin), allocation->end() - address};
}

std::optional<std::string> string_at(WarpContext& warp, Address address, std::uint32_t lane) {
  const BytesAt bytes = bytes_at(warp, address, lane);
  const auto* const end = std::find(bytes.begin, bytes.begin + bytes.count, std::byte{0});
  if (bytes.begin == nullptr || end == bytes.begin + bytes.count) {
    return std::nullopt;
  }
  return std::string(reinterpret_cast<const char*>(bytes.begin), static_cast<std::size_t>(end - bytes.begin));
}

}  // namespace warpsim
