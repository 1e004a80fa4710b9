// The interface of networks between the SMs and the L2 slices: when a message arrives.
//
// A message has passed the limits of its port and its GPC when the network gets it. The network's time is added to the
// latencies of the section `crossbar`. There is one object for each GPU, for requests and responses.
#pragma once

#include <cstdint>

#include "warpsim/mechanism.h"

namespace warpsim::mechanism {

struct NetworkSite {
  std::uint32_t gpcs = 1;  // and further groups of ports: other GPUs, copies
  std::uint32_t slices = 1;
  std::uint32_t partitions = 1;  // slices are numbered partition by partition, each with as many
  // By GPC; valid as long as the object lives.
  const std::uint32_t* partition_of_gpc = nullptr;
};

struct NetworkMessage {
  bool response = false;  // from the slice to the GPC
  std::uint32_t gpc = 0;
  std::uint32_t slice = 0;
  std::uint32_t bytes = 0;
};

class Network {
 public:
  using Interface = Network;
  using Site = NetworkSite;
  using Settings = NoSettings;

  virtual ~Network() = default;
  // The message enters at `now`, in L2 cycles, not before earlier ones; returns when it arrives, after `now`. Messages
  // of one direction between the same GPC and slice must not pass each other.
  virtual Cycle arrival(const NetworkMessage& message, Cycle now) = 0;
};

}  // namespace warpsim::mechanism
