// The responses of the crossbar that wait for the ports of their requesters.
//
// Modelled: a queue for each port; bytes per cycle of each port and of each GPC's concentrator, for which ports take
// turns, or as a mechanism says (warpsim/arbitration.h). State: the queues, the rates, whose turn it is. Invariant: a
// bit of `waiting_` is set exactly while the queue of its port is not empty.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/link.h"
#include "memory/crossbar/arbitration_mechanism.h"
#include "memory/crossbar/crossbar_config.h"
#include "memory/crossbar/crossbar_stats.h"
#include "memory/grow_queue.h"
#include "memory/rate_limiter.h"
#include "memory/slice_message.h"
#include "memory/turn.h"
#include "stats/launch_stats.h"

namespace warpsim {

class ResponsePorts {
 public:
  struct Port {
    Link<MemResponse>* link;
    std::uint32_t gpc;
  };
  // `order`: the numbers of the ports that are served, as they take turns; those behind the first `turns` are served
  // last. Counters of a mechanism are added to `stats`, which must outlive this.
  ResponsePorts(const CrossbarConfig& config, const std::vector<Port>& ports, const std::vector<std::uint32_t>& order,
                std::uint32_t turns, LaunchStats<CrossbarStats>& stats);

  bool has_room(std::uint32_t port) const { return queues_[port].size() < entries_; }
  // `copy`: made by the request coalescer, it does not use the GPC's bandwidth again.
  void add(const MemResponse& response, bool copy, Cycle now);
  // Sends what can be sent; returns when to try again.
  Cycle send(Cycle now);
  bool empty() const;
  std::string describe_stall() const;

 private:
  static constexpr Cycle kSent = 0;

  struct Waiting {
    MemResponse response;
    bool copy = false;
    Cycle since = 0;
  };

  // One response to a port with a queue that is not empty: kSent, or when to try again.
  Cycle send_one(std::uint32_t port, Cycle now);
  Cycle send_all(std::uint32_t place, Cycle now, bool& moved);
  Cycle send_in_turns(Cycle now);
  Cycle send_by_mechanism(Cycle now);
  void note_empty(std::uint32_t place) { waiting_[place / 64] &= ~(std::uint64_t{1} << (place % 64)); }

  std::uint32_t entries_;
  std::vector<Port> ports_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> place_of_port_;  // in the order
  Turn turn_;                                 // over the order
  std::vector<RateLimiter> port_rate_;
  std::vector<RateLimiter> gpc_rate_;
  std::vector<GrowQueue<Waiting>> queues_;
  std::vector<std::uint64_t> waiting_;  // bit i: the queue of port order_[i] is not empty
  LaunchStats<CrossbarStats>* stats_;
  ArbitrationMechanism arbitration_;
  std::vector<ArbitrationMechanism::Offer> offers_;  // of a cycle
};

}  // namespace warpsim
