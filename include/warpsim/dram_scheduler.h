// The interface of the schedulers of DRAM channels: which waiting access a bank and the channel serve next.
//
// A channel serves reads and writes in turns. It compares the accesses that wait in its direction: first those of each
// bank, of which one is next in that bank, then these, of which at most one gets a column command and one another a
// command for its row (precharge, activate) in a cycle. An access whose row is open needs a column command only. A bank
// first serves the access for which it has opened a row.
#pragma once

#include <cstdint>

#include "warpsim/mechanism.h"

namespace warpsim::mechanism {

struct DramSchedulerSite {
  std::uint32_t banks = 1;
  std::uint32_t channel = 0;
};

struct DramAccess {
  static constexpr std::uint16_t kNobody = 0xffff;  // a write-back of a replaced line

  std::uint64_t order = 0;  // of arrival in the channel: smaller is older
  Cycle arrival = 0;        // in DRAM cycles
  std::uint32_t bank = 0;
  std::uint32_t row = 0;
  std::uint16_t requester = kNobody;  // the port of the crossbar that it came from; SMs have the first ones
  bool write = false;
  bool row_open = false;
};

// What waits in a channel.
struct DramLevels {
  std::uint32_t reads = 0;
  std::uint32_t writes = 0;
  bool writing = false;        // the direction of the latest command
  bool by_watermarks = false;  // the direction that the watermarks of the description give
};

class DramScheduler {
 public:
  using Interface = DramScheduler;
  using Site = DramSchedulerSite;
  using Settings = NoSettings;

  virtual ~DramScheduler() = default;
  // Whether `a` goes before `b`, which waits in the same direction. Must be an order: never both ways, and the same
  // answer until served() is called.
  virtual bool before(const DramAccess& a, const DramAccess& b) const = 0;
  // A column command was issued for it, whose data move `bursts` times.
  virtual void served(const DramAccess& access, std::uint32_t bursts, Cycle now) = 0;
  // Whether the channel writes next. Only asked when reads and writes wait.
  virtual bool writes_next(const DramLevels& levels) const { return levels.by_watermarks; }
};

}  // namespace warpsim::mechanism
