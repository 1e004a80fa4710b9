// The links between the gates of several GPUs: one for requests and one for answers in each direction of each pair.
//
// Modelled: a switch or a root complex that passes everything on at once: the ports of sender and receiver limit, not
// the way between them. Two GPUs with NVLink use it; otherwise both use PCIe, and one without links has none.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/clock_domain.h"
#include "engine/link.h"
#include "memory/remote/link_config.h"
#include "memory/remote/remote_gate.h"

namespace warpsim {

class PeerLinks {
 public:
  struct Member {
    RemoteGate* gate;
    const LinksConfig* links;
    const ClockDomain* clock;  // of the gate
  };
  // By number of the GPU. Connects the gates, which outlive the links' last use.
  explicit PeerLinks(const std::vector<Member>& members);

 private:
  struct Way {
    std::unique_ptr<Link<RemoteRequest>> requests;
    std::unique_ptr<Link<RemoteResponse>> responses;
  };
  static Way make_way(const Member& from, const Member& to);

  std::vector<std::vector<Way>> ways_;  // by sender and receiver
};

}  // namespace warpsim
