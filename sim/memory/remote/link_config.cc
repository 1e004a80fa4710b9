#include "memory/remote/link_config.h"

#include <algorithm>
#include <bit>

#include "memory/slice_message.h"

namespace warpsim {
namespace {

void describe_link(ConfigSection& section, LinkConfig& config) {
  section.real("bandwidth_gb_per_s", config.bandwidth_gb_per_s, 0.001, 1e5,
               "GB/s of packets, headers included, in each direction");
  section.integer("request_header_bytes", config.request_header_bytes, 0, 1024, "of a request, besides its data");
  section.integer("response_header_bytes", config.response_header_bytes, 0, 1024, "of an answer with data");
  section.integer("atomic_packet_bytes", config.atomic_packet_bytes, 1, 128,
                  "maximum operand bytes of an atomic or reduction in one packet; more go in several");
  section.integer("outstanding_requests", config.outstanding_requests, 1, 1U << 20,
                  "maximum requests of the GPU over the link that are not answered");
  section.real("least_share_beside_copies", config.least_share_beside_copies, 0.001, 1,
               "part of the rate of a direction that accesses of kernels keep beside copies in it");
}

std::uint32_t operand_bytes(const MemRequest& request) {
  std::uint32_t bytes = 0;
  for (const std::uint32_t mask : request.byte_mask) {
    bytes += static_cast<std::uint32_t>(std::popcount(mask));
  }
  return bytes;
}

std::uint32_t atomic_packets(const LinkConfig& link, const MemRequest& request) {
  return std::max(1U, (operand_bytes(request) + link.atomic_packet_bytes - 1) / link.atomic_packet_bytes);
}

}  // namespace

std::uint32_t packet_bytes(const LinkConfig& link, const MemRequest& request) {
  switch (request.op) {
    case MemOp::kRead:
      return link.request_header_bytes;
    case MemOp::kWrite:
      return link.request_header_bytes + kSectorBytes * sector_count(request.sector_mask);
    case MemOp::kAtomic:
    case MemOp::kReduction:
      break;
  }
  return link.request_header_bytes * atomic_packets(link, request) + operand_bytes(request);
}

std::uint32_t packet_bytes(const LinkConfig& link, const MemResponse& answer) {
  if (answer.op == MemOp::kRead || answer.op == MemOp::kAtomic) {
    return link.response_header_bytes + kSectorBytes * sector_count(answer.sector_mask);
  }
  return 0;  // acknowledgements travel with the credits of the link
}

void describe(ConfigSection& section, PeerLinkConfig& config) {
  section.choice("kind", config.kind,
                 {{"none", PeerLinkKind::kNone}, {"pcie", PeerLinkKind::kPcie}, {"nvlink", PeerLinkKind::kNvlink}},
                 "way to the memory of other GPUs; pcie shares the rate of the link to the host");
  describe_link(section, config);
  section.real("latency_ns", config.latency_ns, 1, 1e6,
               "from one GPU to another, one way, without the crossbars and L2 slices of both");
  section.integer("ports_per_partition", config.ports_per_partition, 1, 64,
                  "ports of the crossbar at which requests of other GPUs enter, for each L2 partition");
}

void describe(ConfigSection& section, HostLinkConfig& config) {
  section.choice("kind", config.kind, {{"pcie", HostLinkKind::kPcie}, {"integrated", HostLinkKind::kIntegrated}},
                 "integrated: GPU and host have one memory, and the other values have no effect");
  describe_link(section, config);
  section.real("latency_ns", config.latency_ns, 1, 1e6,
               "from the GPU to the host's memory controller, one way, without the GPU's crossbar");
  section.real("memory_latency_ns", config.memory_latency_ns, 0, 1e6, "of the host's memory");
}

void describe(ConfigSection& section, LinksConfig& config) {
  section.nested("peer", config.peer, "link to the memory of other GPUs");
  section.nested("host", config.host, "link to the memory of the host");
}

}  // namespace warpsim
