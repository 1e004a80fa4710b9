// The links of a GPU to memory that is not its own: that of other GPUs, over NVLink or PCIe, and the host's, over PCIe.
#pragma once

#include <cstdint>

#include "config/config_section.h"
#include "memory/mem_message.h"

namespace warpsim {

// One link. Each direction has the rate for itself; packets and their headers share it.
struct LinkConfig {
  double bandwidth_gb_per_s = 1;
  double latency_ns = 1;
  std::uint32_t request_header_bytes = 0;
  std::uint32_t response_header_bytes = 0;
  std::uint32_t atomic_packet_bytes = 4;
  std::uint32_t outstanding_requests = 1;
  double least_share_beside_copies = 1;
};

// Bytes of a request on the link, and of its answer or a part of it: headers, and data where they travel that way.
std::uint32_t packet_bytes(const LinkConfig& link, const MemRequest& request);
std::uint32_t packet_bytes(const LinkConfig& link, const MemResponse& answer);

enum class PeerLinkKind : std::uint8_t { kNone, kPcie, kNvlink };
struct PeerLinkConfig : LinkConfig {
  PeerLinkKind kind = PeerLinkKind::kNone;
  std::uint32_t ports_per_partition = 1;
};
void describe(ConfigSection& section, PeerLinkConfig& config);

enum class HostLinkKind : std::uint8_t { kPcie, kIntegrated };
struct HostLinkConfig : LinkConfig {
  HostLinkKind kind = HostLinkKind::kPcie;
  double memory_latency_ns = 0;
};
void describe(ConfigSection& section, HostLinkConfig& config);

struct LinksConfig {
  PeerLinkConfig peer;
  HostLinkConfig host;
};
void describe(ConfigSection& section, LinksConfig& config);

}  // namespace warpsim
