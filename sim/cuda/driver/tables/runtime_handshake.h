// What NVIDIA's runtime asks the driver to compute before it works with it: a keyed hash (HMAC of MD2, RFC 2104 and
// 1319) over the process, the time, addresses of the driver's tables and the GPUs.
//
// Source: public knowledge (github.com/vosen/ZLUDA, which computes it for other GPUs); the runtimes of the toolkits 11
// to 13 ask three times, with a version that ends in 0, 1 and 2, and hash only in the third.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "cuda/abi/abi.h"

namespace warpsim::cuda {

// In the order and layout in which it is hashed.
struct HandshakeFacts {
  std::uint32_t driver_version;
  std::uint32_t runtime_version;
  std::uint32_t process;
  std::uint32_t thread;  // the low half of pthread_self()
  const void* runtime_table;
  const void* handshake_table;
  const void* handshake_function;
  std::uint64_t unix_seconds;
};
struct HandshakeGpu {
  abi::Uuid uuid;
  std::int32_t pci_domain;
  std::int32_t pci_bus;
  std::int32_t pci_device;
};

std::array<std::uint64_t, 2> handshake(const HandshakeFacts& facts, std::span<const HandshakeGpu> gpus);

}  // namespace warpsim::cuda
