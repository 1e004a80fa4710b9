// The SM's copy engine (TMA): bulk copies between global and shared memory without the warps' registers.
//
// Modelled: a queue of copies served in order, a box of a tensor as one or several parts; a set-up time for each
// (descriptor, coordinates, first address); lines
// requested from L2 at a fixed rate, bypassing L1, with a maximum in flight; the time from a copy's last sector until
// its bytes count at the barrier; copies from shared memory, which read it at a fixed rate and write L2; groups of
// copies, which are read in the order of the queue. Not modelled: descriptor caches, swizzling and bank
// conflicts, requests of several blocks in parallel.
// Evidence: tests/hardware/tma.
// Invariant: each copy to shared memory is reported once, and each group is reported once.
#pragma once

#include <cstdint>
#include <vector>

#include "base/slot_pool.h"
#include "config/config_section.h"
#include "core/async/async_operation.h"
#include "core/load_store/memory_instruction.h"
#include "core/load_store/write_counts.h"
#include "core/sm/sm_event.h"
#include "engine/link.h"
#include "memory/grow_queue.h"
#include "memory/mem_message.h"
#include "stats/launch_stats.h"
#include "stats/stat_group.h"

namespace warpsim {

struct TmaConfig {
  std::uint32_t setup_cycles = 1;          // from issue to the first request
  std::uint32_t copy_interval_cycles = 1;  // between the beginnings of two copies
  std::uint32_t tensor_setup_cycles = 1;   // the same for copies by descriptor
  std::uint32_t tensor_interval_cycles = 1;
  std::uint32_t line_interval_cycles = 1;        // between two requests for lines
  std::uint32_t store_line_interval_cycles = 1;  // between two lines written
  std::uint32_t lines_under_way = 1;             // requests not answered yet
  std::uint32_t delivery_cycles = 1;             // last sector to the barrier
  std::uint32_t read_cycles = 1;                 // last line read from shared memory until the group counts as read
};
void describe(ConfigSection& section, TmaConfig& config);

struct TmaStats : StatGroup {
  using StatGroup::StatGroup;
  Counter copies_in{*this, "copies_in", Unit::kInstructions, "copies from global to shared memory"};
  Counter copies_out{*this, "copies_out", Unit::kInstructions, "copies and reductions from shared to global memory"};
  Counter bytes_in{*this, "bytes_in", Unit::kBytes,
                   "bytes that they read from L2, each once for all blocks of a multicast"};
  Counter bytes_out{*this, "bytes_out", Unit::kBytes, "bytes written to L2"};
  Counter sectors_in{*this, "sectors_in", Unit::kSectors, "sectors read from L2"};
  Counter sectors_out{*this, "sectors_out", Unit::kSectors, "sectors written to L2"};
  Histogram latency_in{*this, "copy_in_latency", Unit::kCycles, "copy in, issue to its last sector"};
};

class TmaEngine {
 public:
  // Marks the tags of the engine's requests.
  static constexpr std::uint32_t kTag = 0x80000000U;

  TmaEngine(const TmaConfig& config, std::uint16_t port, SmEvents& events, Link<MemRequest>& to_memory,
            LaunchStatsNode& parent);

  // A copy, or a kCommit: its sources count as read when all copies before it have left shared memory.
  void enqueue(const MemoryInstruction& instruction, const AsyncOperation& operation, Cycle now);
  // Sends at most one request; `port_taken` if the load/store unit has just sent one.
  void tick(Cycle now, bool port_taken);
  void response(const MemResponse& response, Cycle now);
  Cycle next_work(Cycle now) const;
  // Requests to write of all copies so far.
  WriteCounts& writes_for_memory() { return writes_for_memory_; }
  const WriteCounts& writes_for_memory() const { return writes_for_memory_; }
  bool idle() const { return queue_.empty() && reads_under_way_ + writes_under_way_ + deliveries_ == 0; }

  // A copy in whose bytes have arrived, identified by the kCopyDelivered event's payload.
  struct Delivery {
    std::uint32_t block_slot = 0;
    AsyncOperation operation;
  };
  Delivery take_delivery(std::uint32_t number);

 private:
  struct Copy {
    MemoryInstruction instruction;
    AsyncOperation operation;
    Cycle ready = 0;  // first request
  };
  // A copy in that has begun.
  struct Flight {
    MemoryInstruction instruction;
    AsyncOperation operation;
    std::uint32_t sectors_left = 0;
    bool all_sent = false;
  };

  void send_line(Cycle now);
  MemRequest request_for(const Copy& copy, std::uint32_t line) const;
  void finish_flight(std::uint32_t entry, Cycle now);
  bool may_send() const;

  TmaConfig config_;
  std::uint16_t port_;
  SmEvents* events_;
  Link<MemRequest>* to_memory_;
  LaunchStats<TmaStats> stats_;
  WriteCounts writes_for_memory_;
  GrowQueue<Copy> queue_;
  SlotPool<Flight> flights_;
  // Of the copy at the front:
  std::uint32_t lines_sent_ = 0;
  std::uint32_t flight_ = 0;
  std::uint32_t reads_under_way_ = 0;   // sectors
  std::uint32_t writes_under_way_ = 0;  // sectors
  std::uint32_t deliveries_ = 0;        // in flight to their barriers
  Cycle next_line_at_ = 0;
  Cycle next_setup_at_ = 0;
  Cycle latest_ready_ = 0;  // of the copy that was queued last
  bool refused_ = false;    // by the crossbar's link, which then wakes the SM
};

}  // namespace warpsim
