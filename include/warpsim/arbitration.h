// The interface of the crossbar's arbitration: whose message goes first when several requesters want to send.
//
// Requesters are the ports of the crossbar: those of the SMs come first, then those of the caches of the GPCs and
// others. In each cycle of L2 the crossbar of an L2 partition lets one message after another go, as long as the
// connections of port, GPC and slice have bandwidth and space; it asks which of the waiting ones is next. A message
// that cannot go now is passed over. Each crossbar has an object for the requests of its ports and one for the
// responses, which wait for the connection of their GPC and port.
#pragma once

#include <cstdint>

#include "warpsim/mechanism.h"

namespace warpsim::mechanism {

struct ArbitrationSite {
  std::uint32_t requesters = 1;
  bool responses = false;  // of L2, to the requesters
};

// The oldest message of a requester, or for it.
struct ArbitrationOffer {
  std::uint32_t requester = 0;
  std::uint32_t gpc = 0;
  Cycle since = 0;            // it waits, in cycles of L2
  std::uint32_t bytes = 0;    // that it takes on the connections
  std::uint32_t waiting = 1;  // messages of the requester, this one included
};

class Arbitration {
 public:
  using Interface = Arbitration;
  using Site = ArbitrationSite;
  using Settings = NoSettings;

  virtual ~Arbitration() = default;
  // Whether `a` goes before `b`, which is of another requester. Must be an order: never both ways, and the same answer
  // until sent() is called.
  virtual bool before(const ArbitrationOffer& a, const ArbitrationOffer& b) const = 0;
  // The message went.
  virtual void sent(const ArbitrationOffer& offer, Cycle now) = 0;
};

}  // namespace warpsim::mechanism
