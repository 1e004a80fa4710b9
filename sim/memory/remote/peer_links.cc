#include "memory/remote/peer_links.h"

#include <algorithm>
#include <cmath>

namespace warpsim {

// The latency is that of the slower of both ends. Senders limit themselves, so that the links hold all requests.
PeerLinks::Way PeerLinks::make_way(const Member& from, const Member& to) {
  const double ns = std::max(from.links->peer.latency_ns, to.links->peer.latency_ns);
  const Cycle latency = std::max<Cycle>(1, static_cast<Cycle>(std::llround(ns * from.clock->frequency_mhz() / 1000)));
  Way way;
  way.requests =
      std::make_unique<Link<RemoteRequest>>(*from.clock, *to.clock, from.links->peer.outstanding_requests, latency);
  way.responses =
      std::make_unique<Link<RemoteResponse>>(*from.clock, *to.clock, to.links->peer.outstanding_requests, latency);
  return way;
}

PeerLinks::PeerLinks(const std::vector<Member>& members) : ways_(members.size()) {
  const auto has_way = [&members](std::size_t a, std::size_t b) {
    return a != b && members[a].links->peer.kind != PeerLinkKind::kNone &&
           members[b].links->peer.kind != PeerLinkKind::kNone;
  };
  for (std::size_t from = 0; from < members.size(); ++from) {
    ways_[from].resize(members.size());
    for (std::size_t to = 0; to < members.size(); ++to) {
      if (has_way(from, to)) {
        ways_[from][to] = make_way(members[from], members[to]);
      }
    }
  }
  for (std::size_t gpu = 0; gpu < members.size(); ++gpu) {
    std::vector<RemotePeer> peers(members.size());
    for (std::size_t other = 0; other < members.size(); ++other) {
      if (has_way(gpu, other)) {
        const bool nvlink = members[gpu].links->peer.kind == PeerLinkKind::kNvlink &&
                            members[other].links->peer.kind == PeerLinkKind::kNvlink;
        peers[other] = {ways_[gpu][other].requests.get(), ways_[gpu][other].responses.get(),
                        ways_[other][gpu].requests.get(), ways_[other][gpu].responses.get(), !nvlink};
      }
    }
    members[gpu].gate->set_peers(peers);
  }
}

}  // namespace warpsim
