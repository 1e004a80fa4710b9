// The driver of one GPU serves page faults of its kernels.
//
// Modelled: the driver wakes up with a fault, takes what has been reported as a batch, moves, copies or maps pages
// block by block, and lets the accesses go on; what faults again makes the next batch, which begins at once. Not
// modelled: batches that end before all of their blocks are served, thrashing detection, access counters. Evidence:
// tests/hardware/managed. Times are of the device. State: faults that wait, the batch at work.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/types.h"
#include "core/launch/managed_memory_config.h"
#include "device/managed/managed_ranges.h"
#include "device/managed/page_moves.h"
#include "memory/remote/managed_pages.h"

namespace warpsim {

// A batch that was served.
struct FaultBatch {
  std::uint32_t gpu = 0;
  double start_ns = 0;
  double end_ns = 0;
  std::uint64_t faults = 0;
  std::uint64_t bytes_from_others = 0;  // moved or copied to the GPU
  std::uint64_t bytes_new = 0;          // of pages that were not touched before
  std::uint64_t bytes_evicted = 0;
};

class FaultService {
 public:
  struct Fault {
    Address page = 0;
    double at_ns = 0;
    bool writes = false;
  };
  FaultService(std::uint32_t gpu, const ManagedMemoryConfig& config, const ManagedPages& pages,
               const ManagedRanges& ranges, PageMoves& moves)
      : gpu_(gpu), config_(config), pages_(pages), ranges_(ranges), moves_(moves) {}

  void add(const std::vector<Fault>& faults);
  // When something is to be done next, if there are no further faults.
  std::optional<double> next_time() const;
  // Does it. Returns a batch that has ended: the GPU's accesses try again.
  std::optional<FaultBatch> advance(double now_ns);

  // Pages come to the GPU without a fault, by blocks: what the driver needs for it.
  double cost_of(std::uint64_t bytes_from_others, std::uint64_t bytes_new, bool copies) const;

 private:
  enum class Change : std::uint8_t { kMove, kCopy, kMap };
  struct Planned {
    std::uint64_t piece = 0;
    Change change = Change::kMove;
  };
  struct Block {
    std::uint64_t number = 0;
    PieceMask reads = 0;   // that fault
    PieceMask writes = 0;  // the same
    std::uint64_t pages_written = 0;
  };
  void begin(double now_ns);
  std::vector<Block> take_blocks(double now_ns);
  double plan(const Block& block);
  bool stays_with_another(std::uint64_t piece) const;

  std::uint32_t gpu_;
  ManagedMemoryConfig config_;
  const ManagedPages& pages_;
  const ManagedRanges& ranges_;
  PageMoves& moves_;
  std::vector<Fault> waiting_;
  std::optional<FaultBatch> batch_;  // at work
  std::vector<Planned> planned_;     // of it
  double last_end_ns_ = 0;
  bool has_served_ = false;
};

}  // namespace warpsim
