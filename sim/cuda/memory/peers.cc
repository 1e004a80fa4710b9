// Access between devices, and their addresses on the bus.
#include <fmt/format.h>

#include "cuda/device_calls.h"

namespace warpsim::cuda {

namespace {

enum PeerAttribute : int { kPerformanceRank = 1, kAccess = 2, kNativeAtomics = 3, kArrayAccess = 4, kOnlyPartial = 5 };

DeviceMemory& memory_of(Context& context, std::uint32_t gpu) {
  return context.device(gpu).memory();
}

}  // namespace

std::string pci_bus_id(std::uint32_t number) {
  return fmt::format("0000:{:02x}:00.0", number);
}

std::uint32_t device_at_bus_id(Context& context, const char* text) {
  for (std::uint32_t number = 0; number < context.device_count(); ++number) {
    if (text != nullptr && pci_bus_id(number) == text) {
      return number;
    }
  }
  throw CallError(kInvalidDevice);
}

bool has_peer_access(Context& context, std::uint32_t gpu, std::uint32_t peer) {
  const GpuConfig& own = context.device(gpu).config();
  const GpuConfig& other = context.device(peer).config();
  const bool linked = own.links.peer.kind != PeerLinkKind::kNone && other.links.peer.kind != PeerLinkKind::kNone;
  return gpu != peer && linked && own.compute_capability == other.compute_capability;
}

void enable_peer_access(Context& context, std::uint32_t peer, unsigned flags) {
  const std::uint32_t own = context.device().number();
  DeviceMemory& memory = memory_of(context, peer);
  if (flags != 0) {
    throw CallError(kInvalidValue);
  }
  if (peer == own) {
    throw CallError(kInvalidDevice);
  }
  if (!has_peer_access(context, own, peer)) {
    throw CallError(kPeerAccessUnsupported);
  }
  if (memory.is_open_to(own)) {
    throw CallError(kPeerAccessAlreadyEnabled);
  }
  context.finish_work();
  memory.open_to(own, true);
}

void disable_peer_access(Context& context, std::uint32_t peer) {
  const std::uint32_t own = context.device().number();
  DeviceMemory& memory = memory_of(context, peer);
  if (peer == own || !memory.is_open_to(own)) {
    throw CallError(kPeerAccessNotEnabled);
  }
  context.finish_work();
  memory.open_to(own, false);
}

int peer_attribute(Context& context, int attribute, int gpu, int peer) {
  check_device(context, gpu);
  check_device(context, peer);
  if (gpu == peer) {
    throw CallError(kInvalidDevice);
  }
  const bool access = has_peer_access(context, static_cast<std::uint32_t>(gpu), static_cast<std::uint32_t>(peer));
  switch (attribute) {
    case kPerformanceRank:
    case kOnlyPartial:
      return 0;
    case kAccess:
    case kArrayAccess:
    case kNativeAtomics:
      return access ? 1 : 0;
    default:
      throw CallError(kInvalidValue);
  }
}

}  // namespace warpsim::cuda
