// The network between the SMs of a GPC, as far as thread block clusters use it: arrivals at barriers in the shared
// memory of other blocks, the delivery of multicast copies, and the cluster's own barrier.
//
// Modelled: one message per SM and cycle into the network, a latency on each link. Not modelled: the rate of data: a
// multicast copy's bytes are charged to the SM that requested them; contention between clusters.
// Invariant: messages of one SM to another keep their order; a message to a block that has left is dropped.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/async/cluster_message.h"
#include "engine/component.h"
#include "engine/link.h"

namespace warpsim {

class ClusterNetwork final : public Component {
 public:
  struct SmLinks {
    Link<ClusterMessage>* from_sm;
    Link<ClusterMessage>* to_sm;
  };
  explicit ClusterNetwork(std::vector<SmLinks> links) : links_(std::move(links)) {}

  Cycle tick(Cycle now) override;
  bool idle() const override;
  std::string describe_stall() const override;
  void connect(WakeHandle self);

 private:
  struct Member {
    std::uint16_t sm = 0;
    std::uint16_t slot = 0;
    bool present = false;
  };
  struct Cluster {
    std::uint64_t number = 0;
    std::uint32_t joined = 0;
    std::uint32_t left = 0;
    std::uint32_t arrived = 0;
    std::vector<Member> members;
  };

  Cluster& find(const ClusterMessage& message);
  bool deliver(const ClusterMessage& message, Cycle now);
  bool send(const ClusterMessage& message, const Cluster& cluster, std::uint32_t blocks, Cycle now);

  std::vector<SmLinks> links_;
  std::vector<Cluster> clusters_;
};

}  // namespace warpsim
