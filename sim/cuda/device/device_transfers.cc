#include "cuda/device/device_transfers.h"

#include <fmt/format.h>

#include <cstring>

#include "emulator/execution/fault.h"

namespace warpsim::cuda {

namespace {

std::byte* row_at(const DeviceTransfer& transfer, const DeviceTransfer::Place& place, std::uint64_t row,
                  const DeviceMemory& memory) {
  const std::uint64_t slice = row / transfer.height;
  const Address address = place.begin + (slice * place.height + row % transfer.height) * place.pitch;
  std::byte* const bytes = memory.host(address, transfer.width);
  if (bytes == nullptr) {
    throw KernelFault(FaultKind::kIllegalAddress,
                      fmt::format("{} that a kernel has requested: {} bytes at {:#x} are not in an allocation",
                                  transfer.fills ? "cudaMemsetAsync" : "cudaMemcpyAsync", transfer.width, address));
  }
  return bytes;
}

}  // namespace

void run_transfer(const DeviceTransfer& transfer, const DeviceMemory& memory) {
  for (std::uint64_t row = 0; row < transfer.height * transfer.depth; ++row) {
    std::byte* const to = row_at(transfer, transfer.to, row, memory);
    if (transfer.fills) {
      std::memset(to, std::to_integer<int>(transfer.value), transfer.width);
    } else {
      std::memmove(to, row_at(transfer, transfer.from, row, memory), transfer.width);
    }
  }
}

}  // namespace warpsim::cuda
