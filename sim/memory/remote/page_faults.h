// Requests of a GPU's SMs to managed memory that is elsewhere: page faults, which the driver serves.
//
// Modelled: a port whose oldest request faults waits until the page is there; the requests behind it wait also, and
// those of them that fault are reported with it, so that an SM has several faults at a time. Measured: an SM whose warp
// faults gets no data for its other warps, other SMs do (tests/hardware/managed, beside). Not modelled: limits of the
// fault buffer, translation caches, faults of instruction fetches. State: which ports wait, faults that nobody has
// taken yet.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/types.h"
#include "engine/link.h"
#include "memory/mem_message.h"

namespace warpsim {

// An access to a page that the GPU cannot make. Each port reports a page once while it waits.
struct PageFault {
  static constexpr std::uint64_t kPageBytes = 4096;

  Address page = 0;
  Cycle at = 0;  // of the L2 clock
  bool writes = false;
};

class PageFaults {
 public:
  explicit PageFaults(std::size_t ports) : waiting_(ports) {}

  // The port's oldest request faults. `faults` tells whether another request of the link does.
  template <typename Faults>
  void wait(std::size_t port, const Link<MemRequest>& link, Cycle now, Faults&& faults) {
    Waiting& waiting = waiting_[port];
    if (!waiting.waits) {
      waiting = {true, false, 0, {}};
      ++waiting_ports_;
    }
    for (; waiting.looked_at < link.size() && link.has_message(waiting.looked_at, now); ++waiting.looked_at) {
      const MemRequest& request = link.message(waiting.looked_at);
      if (waiting.looked_at == 0 || faults(request)) {
        report(waiting, request, now);
      }
    }
  }
  // The port's oldest request does not fault any more, or never did.
  void go_on(std::size_t port) {
    if (waiting_[port].waits) {
      waiting_[port].waits = false;
      --waiting_ports_;
    }
  }
  bool waits(std::size_t port) const { return waiting_[port].waits; }
  // Ports that wait try again at this cycle, and report their faults again if they still fault.
  void try_again(Cycle at);
  // Whether a port that waits tries its oldest request again now, which it does once.
  bool tries_now(std::size_t port, Cycle now) {
    Waiting& waiting = waiting_[port];
    if (!waiting.tries_again || now < try_at_) {
      return false;
    }
    waiting = {true, false, 0, {}};
    return true;
  }
  // When a port that waits tries again, if it is known.
  Cycle next_try(std::size_t port) const { return waiting_[port].tries_again ? try_at_ : kNever; }
  bool any_waits() const { return waiting_ports_ != 0; }

  // Faults in the order of their times; those of one cycle in the order of the ports.
  bool has_new() const { return !reported_.empty(); }
  std::vector<PageFault> take() { return std::exchange(reported_, {}); }

 private:
  struct Waiting {
    bool waits = false;
    bool tries_again = false;      // at try_at_
    std::size_t looked_at = 0;     // messages of the link
    std::vector<PageFault> pages;  // reported since it waits
  };
  void report(Waiting& waiting, const MemRequest& request, Cycle now);

  std::vector<Waiting> waiting_;  // by port
  std::size_t waiting_ports_ = 0;
  Cycle try_at_ = 0;
  std::vector<PageFault> reported_;
};

}  // namespace warpsim
