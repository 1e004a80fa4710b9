#include "memory/remote/guest_requests.h"

#include <algorithm>

#include "base/check.h"
#include "memory/remote/one_in_turn.h"

namespace warpsim {

GuestRequests::GuestRequests(const LinksConfig& config, const AddressMap& map, const std::vector<Port>& ports,
                             RemoteRates& rates, LaunchStats<RemoteGateStats>& stats)
    : config_(static_cast<const LinkConfig&>(config.peer)),
      map_(&map),
      ports_(ports),
      ports_per_partition_(config.peer.ports_per_partition),
      rates_(&rates),
      stats_(&stats) {}

void GuestRequests::set_peers(const std::vector<RemotePeer>& peers) {
  SIM_CHECK(peers.size() <= std::size_t{1} << (32 - kTagBits), "more GPUs than a tag can name");
  peers_ = peers;
}

const GuestRequests::Port& GuestRequests::port_of(Address line) const {
  const AddressMap::Home home = map_->home_of(line);
  return ports_[home.partition * ports_per_partition_ + home.slice_in_partition % ports_per_partition_];
}

bool GuestRequests::take_one(std::uint32_t gpu, Cycle now, Cycle& next) {
  const RemotePeer& peer = peers_[gpu];
  if (peer.requests_in == nullptr) {
    return false;
  }
  if (!peer.requests_in->has_message(now)) {
    next = std::min(next, peer.requests_in->next_arrival());
    return false;
  }
  RemoteLane lane = rates_->from_peer(peer.over_pcie);
  if (!lane.ready(now)) {
    next = std::min(next, lane.ready_at());
    return false;
  }
  const RemoteRequest& message = peer.requests_in->front();
  const Port& port = port_of(message.mem.line);
  if (!port.requests->can_send(now)) {
    return false;
  }
  MemRequest request = message.mem;
  request.tag |= gpu << kTagBits;
  request.seat = kGuestSeat;
  request.wants_ack = request.op == MemOp::kWrite || request.op == MemOp::kReduction;
  lane.use(now, message.bytes);
  link_stats(peer.over_pcie).bytes_received += message.bytes;
  port.requests->send(request, now);
  peer.requests_in->pop(now);
  return true;
}

bool GuestRequests::answer_one(Cycle now, Cycle& next) {
  return move_one_in_turn(ports_.size(), first_port_,
                          [&](std::size_t port) { return answer_from(ports_[port], now, next); });
}

bool GuestRequests::answer_from(const Port& port, Cycle now, Cycle& next) {
  Link<MemResponse>& from = *port.responses;
  if (!from.has_message(now)) {
    next = std::min(next, from.next_arrival());
    return false;
  }
  RemoteResponse response{from.front(), packet_bytes(config_, from.front())};
  const RemotePeer& peer = peers_[response.mem.tag >> kTagBits];
  RemoteLane lane = rates_->to_peer(peer.over_pcie);
  if (!lane.ready(now)) {
    next = std::min(next, lane.ready_at());
    return false;
  }
  if (!peer.responses_out->can_send(now)) {
    return false;
  }
  response.mem.tag &= (1U << kTagBits) - 1;
  lane.use(now, response.bytes);
  link_stats(peer.over_pcie).bytes_sent += response.bytes;
  peer.responses_out->send(response, now);
  from.pop(now);
  return true;
}

}  // namespace warpsim
