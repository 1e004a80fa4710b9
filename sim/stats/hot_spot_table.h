// Executions, accesses and stall reasons of each static instruction of a launch: Nsight Compute's source page, counted
// instead of sampled.
//
// The sums over all instructions are the launch's counters. The SMs add to it while the launch runs, if there is a
// table.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/types.h"
#include "stats/hot_spot_columns.h"
#include "stats/stat_group.h"

namespace warpsim {

// Of one instruction.
class HotSpot {
 public:
  using Buckets = std::array<std::uint64_t, Histogram::kBuckets>;

  void add(HotSpotColumn column, std::uint64_t amount = 1) { counts_[static_cast<std::size_t>(column)] += amount; }
  // `reason` as in core/sub_core/stall_reason.h.
  void add_stall(std::uint32_t reason, std::uint64_t warp_cycles) {
    counts_[static_cast<std::size_t>(HotSpotColumn::kStalled) + reason] += warp_cycles;
  }
  // The result of a load or atomic arrived `cycles` after its issue.
  void add_load(std::uint64_t cycles);
  // Adds what another table has counted for the same instruction.
  void add(const HotSpot& other);

  std::uint64_t operator[](HotSpotColumn column) const { return counts_[static_cast<std::size_t>(column)]; }
  const std::array<std::uint64_t, kHotSpotColumns>& counts() const { return counts_; }
  // By bucket of a Histogram; null before the first load.
  const Buckets* latencies() const { return latencies_.get(); }

 private:
  std::array<std::uint64_t, kHotSpotColumns> counts_{};
  std::unique_ptr<Buckets> latencies_;
};

class HotSpotTable {
 public:
  // One row per instruction of the program.
  explicit HotSpotTable(std::size_t instructions) : rows_(instructions) {}
  HotSpot& operator[](std::size_t instruction) { return rows_[instruction]; }
  const std::vector<HotSpot>& rows() const { return rows_; }
  // Adds the counts of a table of the same program.
  void add(const HotSpotTable& other);

 private:
  std::vector<HotSpot> rows_;
};

// The code that a launch executed, in printed form.
struct ListedProgram {
  struct Instruction {
    std::uint64_t address = 0;
    std::string text;
    std::string source_file = {};  // empty: not known
    std::uint32_t source_line = 0;
  };
  std::string kernel;
  std::uint32_t architecture = 0;
  std::vector<Instruction> instructions;
};

}  // namespace warpsim
