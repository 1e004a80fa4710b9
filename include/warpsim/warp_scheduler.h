// The interface of warp schedulers: which ready warp of a sub-core issues.
//
// The simulator finds out which warps are ready (their instruction is fetched and its operands are available) and calls
// pick(). If a unit refuses the instruction of that warp, it calls pick() again without it, until one issues or none is
// left. issued() follows for each instruction that issues: two for a dual issue, none if the instruction has to wait
// for a constant after all. Only then may the state of the scheduler change. pick() also decides which of the warps
// that wait for the fetch of an instruction is served. Cycles without ready warps cause no call, so that time must be
// taken from the arguments and not be counted in calls.
#pragma once

#include <cstdint>

#include "warpsim/mechanism.h"

namespace warpsim::mechanism {

struct WarpSchedulerSite {
  std::uint32_t warp_slots = 0;  // of the sub-core
  std::uint32_t sub_core = 0;    // its number in the SM
};

// An instruction that has just issued.
struct IssuedInstruction {
  std::uint32_t slot = 0;  // of the warp
  WarpMask ready = 0;      // the warps that were ready, this one included
  Cycle now = 0;
  Address pc = 0;
  bool memory = false;   // a load, store or atomic
  bool barrier = false;  // a barrier of its block
  bool yields = false;   // the compiler wants other warps to go first
};

class WarpScheduler {
 public:
  using Interface = WarpScheduler;
  using Site = WarpSchedulerSite;
  using Settings = NoSettings;

  virtual ~WarpScheduler() = default;
  // Later blocks of the SM have higher numbers. A slot is used again after its warp has left.
  virtual void warp_arrived(std::uint32_t slot, std::uint64_t block, Cycle now) = 0;
  virtual void warp_left(std::uint32_t slot) = 0;
  // One of `candidates`, which is not empty. The answer must not depend on how often it is requested.
  virtual std::uint32_t pick(WarpMask candidates, Cycle now) const = 0;
  virtual void issued(const IssuedInstruction& instruction) = 0;
};

}  // namespace warpsim::mechanism
