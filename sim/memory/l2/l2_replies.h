// The replies of an L2 slice: data and acknowledgements on their way to the crossbar or through the fabric.
//
// Modelled: four queues (atomics executed here, in order of execution; atomics forwarded to the other partition; all
// others to the crossbar; all others to the fabric), which share the data port and its rate; of the last two, one goes
// first in turn; atomics leave at a rate of their own as well. Not modelled: an order between the queues other than
// this one. Evidence: micro.csv atomic.global.atom for the rate of atomics; tests/hardware/fabric_rates,
// read_far+write_near: replies that wait for the fabric delay none to the crossbar. State: the queues, the rates of the
// two ports. Used by the request path and the miss path; uses neither. Invariant: replies of one queue leave in order,
// so that one that is not ready holds up those after it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/link.h"
#include "memory/grow_queue.h"
#include "memory/l2/l2_access.h"
#include "memory/l2/l2_config.h"
#include "memory/rate_limiter.h"
#include "memory/slice_message.h"

namespace warpsim {

class L2Replies {
 public:
  // `to_fabric`: null on a chip with one partition.
  L2Replies(const L2Config& config, Link<SliceResponse>& to_crossbar, Link<SliceResponse>* to_fabric);

  // Answers a waiter for `sectors`. `ready`: atomics and reductions leave no sooner.
  void add(const L2Waiter& waiter, std::uint8_t sectors, ServedBy served_by, Cycle ready);
  // The home slice's reply to a forwarded write or atomic: goes directly to the requester.
  void pass_on(const SliceResponse& response);

  // Sends as many as the ports and links take. Returns the cycle of the next attempt; kNever: a link wakes the slice.
  Cycle send(Cycle now) {
    Cycle next = kNever;
    send_all(atomic_replies_, now, next);
    send_all(far_atomic_replies_, now, next);
    send_in_turn(now, next);
    return next;
  }

  // Replies to reads and writes that wait for the crossbar, and for the fabric; the slice accepts no requests from
  // there while there are too many.
  std::size_t waiting_for_crossbar() const { return replies_.size(); }
  std::size_t waiting_for_fabric() const { return fabric_replies_.size(); }
  std::size_t waiting() const { return waiting_for_crossbar() + waiting_for_fabric(); }
  // All of them.
  std::size_t size() const { return waiting() + atomic_replies_.size() + far_atomic_replies_.size(); }
  // Cycles for which data occupy the port beyond `now`.
  Cycle data_backlog(Cycle now) const { return data_port_.backlog(now); }

 private:
  struct Reply {
    SliceResponse message;
    std::uint32_t bytes = 0;
    bool to_fabric = false;
    Cycle ready = 0;  // atomics: when the operation has been executed
  };

  void send_all(GrowQueue<Reply>& queue, Cycle now, Cycle& next) {
    while (!queue.empty() && send_first(queue, now, next)) {
    }
  }
  void send_in_turn(Cycle now, Cycle& next);
  // False: the port or the link refuses; `next` is lowered to the cycle of the next attempt.
  bool send_first(GrowQueue<Reply>& queue, Cycle now, Cycle& next);

  Link<SliceResponse>* to_crossbar_;
  Link<SliceResponse>* to_fabric_;
  GrowQueue<Reply> replies_;
  GrowQueue<Reply> fabric_replies_;
  GrowQueue<Reply> atomic_replies_;
  GrowQueue<Reply> far_atomic_replies_;
  RateLimiter data_port_;
  RateLimiter atomic_port_;
  std::uint32_t atomic_sector_parts_;
  bool fabric_first_ = false;
};

}  // namespace warpsim
