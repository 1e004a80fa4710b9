// Barriers in shared memory with transaction counts (mbarriers) of the blocks on one SM.
//
// Modelled: phases that complete when the expected arrivals and the expected bytes have arrived, waiting instructions
// that get their result when the phase of their parity completes, immediate results of checks. Not modelled: the time
// limit after which the hardware lets a waiting instruction fail. No warp waits at a barrier whose initialisation was
// not seen.
// Invariant: each waiting instruction is answered by exactly one kResultWritten event.
#pragma once

#include <cstdint>
#include <vector>

#include "base/slot_pool.h"
#include "config/config_section.h"
#include "core/async/async_operation.h"
#include "core/load_store/memory_instruction.h"
#include "core/sm/sm_event.h"
#include "stats/launch_stats.h"
#include "stats/stat_group.h"

namespace warpsim {

struct MbarrierConfig {
  std::uint32_t latency_cycles = 1;              // an arrival or a check, issue to result
  std::uint32_t wake_latency_cycles = 1;         // phase ended by an arrival: to the results of waiting instructions
  std::uint32_t copied_wake_latency_cycles = 1;  // the same, phase completed by written bytes
};
void describe(ConfigSection& section, MbarrierConfig& config);

struct MbarrierStats : StatGroup {
  using StatGroup::StatGroup;
  Counter arrivals{*this, "arrivals", Unit::kEvents, "arrivals at barriers in shared memory, one a thread"};
  Counter phases{*this, "phases", Unit::kEvents, "phases completed"};
  Counter transaction_bytes{*this, "transaction_bytes", Unit::kBytes, "bytes that reported to barriers"};
  Counter waits{*this, "waits", Unit::kInstructions, "instructions that waited for a phase"};
  Counter waits_at_once{*this, "waits_at_once", Unit::kInstructions, "of these, for a phase that had ended"};
  Counter waits_given_up{*this, "waits_given_up", Unit::kInstructions,
                         "of these, let go because nothing could end the phase any more"};
};

class MbarrierUnit {
 public:
  MbarrierUnit(const MbarrierConfig& config, std::uint32_t block_slots, SmEvents& events, LaunchStatsNode& parent);

  // `seat` of its launch.
  void start_block(std::uint32_t slot, LaunchSeat seat) {
    blocks_[slot].barriers.clear();
    blocks_[slot].seat = seat;
  }

  void initialise(std::uint32_t slot, const AsyncOperation& operation);
  // Arrivals, or bytes expected.
  void arrive(std::uint32_t slot, const AsyncOperation& operation, Cycle now);
  // Bytes that have been written.
  void complete(std::uint32_t slot, std::uint32_t barrier, std::int32_t bytes, Cycle now);
  // Posts the result once the phases of all its entries have ended.
  void wait(const MemoryInstruction& instruction, Cycle now);

  bool anyone_waits() const { return waiting_ != 0; }
  // Releases all waiting instructions of a launch; returns their number.
  std::uint32_t give_up(LaunchSeat seat, Cycle now);

 private:
  struct Waiter {
    MemoryInstruction instruction;
    std::uint32_t parts = 0;  // phases still to end
  };
  struct Entry {
    std::uint32_t waiter;
    bool parity;
  };
  struct Barrier {
    std::uint32_t offset = 0;
    std::int32_t expected = 0;  // arrivals of a phase
    std::int32_t pending = 0;
    std::int64_t bytes = 0;  // expected minus written
    bool phase = false;
    std::vector<Entry> waiting;
  };
  struct Block {
    LaunchSeat seat = 0;
    std::vector<Barrier> barriers;  // few
  };

  Barrier* find(std::uint32_t slot, std::uint32_t offset);
  void end_phase_if_complete(Barrier& barrier, LaunchSeat seat, Cycle woken);
  // Returns whether the instruction waits no more.
  bool phase_ended(std::uint32_t waiter, Cycle woken);

  MbarrierConfig config_;
  SmEvents* events_;
  LaunchStats<MbarrierStats> stats_;
  std::vector<Block> blocks_;  // by slot
  SlotPool<Waiter> waiters_;
  std::uint32_t waiting_ = 0;
};

}  // namespace warpsim
