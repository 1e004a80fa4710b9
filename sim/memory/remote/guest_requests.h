// Requests of other GPUs to the memory of this one: from the links to the crossbar, and their answers back.
//
// Modelled: ports of the crossbar, several for each L2 partition; a request takes a port of the partition where its
// line is at home, requests for one slice always the same one. Not modelled: ports of single links. State: whose turn
// it is. The tag of a request in this GPU names the GPU that sent it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/link.h"
#include "memory/address_map.h"
#include "memory/remote/link_config.h"
#include "memory/remote/remote_rates.h"
#include "memory/remote/remote_requests.h"
#include "memory/remote/remote_stats.h"

namespace warpsim {

class GuestRequests {
 public:
  struct Port {
    Link<MemRequest>* requests;
    Link<MemResponse>* responses;
  };
  // `ports`: as many for each partition, by partition; none where there are no other GPUs.
  GuestRequests(const LinksConfig& config, const AddressMap& map, const std::vector<Port>& ports, RemoteRates& rates,
                LaunchStats<RemoteGateStats>& stats);
  // By GPU.
  void set_peers(const std::vector<RemotePeer>& peers);

  // As in RemoteRequests.
  bool take_one(std::uint32_t gpu, Cycle now, Cycle& next);
  bool answer_one(Cycle now, Cycle& next);

 private:
  static constexpr std::uint32_t kTagBits = 24;

  const Port& port_of(Address line) const;
  bool answer_from(const Port& port, Cycle now, Cycle& next);
  RemoteLinkStats& link_stats(bool over_pcie) {
    return over_pcie ? (*stats_)[kGuestSeat].pcie : (*stats_)[kGuestSeat].nvlink;
  }

  LinkConfig config_;
  const AddressMap* map_;
  std::vector<Port> ports_;
  std::uint32_t ports_per_partition_;
  RemoteRates* rates_;
  LaunchStats<RemoteGateStats>* stats_;
  std::vector<RemotePeer> peers_;
  std::size_t first_port_ = 0;  // of those that take turns
};

}  // namespace warpsim
