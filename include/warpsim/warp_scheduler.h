// The interface of warp schedulers: which ready warp of a sub-core issues.
//
// The simulator finds out which warps are ready (their instruction is fetched and its operands are available) and calls
// pick(). If a unit refuses the instruction of that warp, it calls pick() again without it, until one issues or none is
// left. issued() follows for each instruction that issues: two for a dual issue, none if the instruction has to wait
// for a constant after all. Only then, and when it hears of L1, may the state of the scheduler change. pick() also
// decides which of the warps that wait for the fetch of an instruction is served. Cycles without ready warps cause no
// call, so that time must be taken from the arguments and not be counted in calls.
//
// A scheduler may react to what becomes of data in L1: it then hears of each line that a load looks up there, and of
// lines that are replaced. And it may withhold loads of ready warps, which are not candidates as long as it does so.
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

// A load of a warp looked up a line in L1. Loads of textures and those that bypass L1 by the GPU's own rules do not.
struct L1Lookup {
  std::uint32_t slot = 0;  // of the warp
  Address line = 0;
  bool hit = false;  // all sectors that it needs were present
  Cycle now = 0;
  Address pc = 0;
};

// A line that a miss of a warp brought into L1 was replaced. The warp may have left, and its slot have another one.
struct L1Loss {
  std::uint32_t slot = 0;  // of the warp
  Address line = 0;
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

  // --- L1; the answers of watches_l1() and withholds() must not change ---
  // Whether looked_up() and lost() are called.
  virtual bool watches_l1() const { return false; }
  virtual void looked_up(const L1Lookup& /*lookup*/) {}
  virtual void lost(const L1Loss& /*loss*/) {}
  // Whether withheld() is called.
  virtual bool withholds() const { return false; }
  // Which of the ready warps `loads`, which would issue a load from global or local memory, must not issue it at `now`.
  // Asked before pick() in each cycle; the answer must not depend on how often it is requested. A scheduler that
  // withholds all ready warps of a sub-core for a million cycles ends the run with an error.
  virtual WarpMask withheld(WarpMask /*loads*/, Cycle /*now*/) const { return 0; }
};

}  // namespace warpsim::mechanism
