// All ports of the crossbars, with their links: those of the requesters outside of the memory system, and behind them
// those of its own parts.
//
//   requesters (SMs, and caches of GPCs) | other GPUs | walks through page tables | copies
// Ports behind those of requesters are in the clock of L2 and one cycle from their crossbar. Each kind counts as one
// more GPC, so that it shares no rate with others. Which kinds there are follows from the description and from what the
// GPU is connected to. State: the links.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/clock_domain.h"
#include "engine/link.h"
#include "memory/crossbar/crossbar.h"
#include "memory/crossbar/port_place.h"
#include "memory/mem_message.h"
#include "memory/memory_config.h"

namespace warpsim {

class MemoryPorts {
 public:
  struct Clocks {
    const ClockDomain* core;
    const ClockDomain* l2;
  };
  // How many of the own parts.
  struct Own {
    std::uint32_t guests_per_partition = 0;
    bool has_copies = false;  // one for each partition
  };
  // `requesters`: where they are. The clocks outlive the ports.
  MemoryPorts(const MemoryConfig& config, const std::vector<PortPlace>& requesters, const Own& own,
              const Clocks& clocks);

  const std::vector<PortPlace>& places() const { return places_; }
  Link<MemRequest>& requests(std::size_t port) { return *requests_[port]; }
  Link<MemResponse>& responses(std::size_t port) { return *responses_[port]; }

  // Numbers of ports: [begin, end).
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  // Of other GPUs, by partition; of walks (one, or none); of copies, by partition.
  Range guests() const { return guests_; }
  Range walks() const { return {guests_.end, copies_.begin}; }
  Range copies() const { return copies_; }
  // Requests and responses of the ports of a range, as a part connects them: `Port{requests, responses}`.
  template <typename Port>
  std::vector<Port> links_of(Range range) const {
    std::vector<Port> links;
    for (std::size_t port = range.begin; port < range.end; ++port) {
      links.push_back({requests_[port].get(), responses_[port].get()});
    }
    return links;
  }
  std::vector<Crossbar::PortLinks> of_crossbars() const;
  // No message is on its way.
  bool empty() const;

 private:
  void add_requester(const CrossbarConfig& config, PortPlace place, std::uint32_t gpcs, const Clocks& clocks);
  void add_own(const CrossbarConfig& config, std::uint32_t gpc, std::uint32_t partition, const ClockDomain& l2);

  std::vector<PortPlace> places_;
  std::vector<std::unique_ptr<Link<MemRequest>>> requests_;
  std::vector<std::unique_ptr<Link<MemResponse>>> responses_;
  Range guests_;
  Range copies_;
};

}  // namespace warpsim
