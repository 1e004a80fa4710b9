// Runs a listed program: which instructions a warp executes (its path), and when it read the clock.
//
// A clock read gives the issue cycle of its CS2R. All warps of a launch take the same path, or all except the first of
// each block a part of it. Loads and stores access one place of each block: the measured parts of these programs have
// none.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/launch/instruction_source.h"
#include "core/machine/machine.h"
#include "microbench/listed_program.h"

namespace warpsim::microbench {

struct Path {
  std::shared_ptr<const StaticProgram> program;
  AddressPool addresses;
  std::vector<WarpInstruction> steps;
};

// The decisions of lanes at branches. Pcs are offsets in the program.
struct Flow {
  // Of `lanes`, those that take the guarded branch at `pc`.
  std::function<LaneMask(std::uint32_t pc, LaneMask lanes)> taken;
  // Of `lanes`, those that leave at the guarded EXIT at `pc`; empty: none do.
  std::function<LaneMask(std::uint32_t pc, LaneMask lanes)> leaves;
  // The target of an indexed branch for a lane; may be empty if there is none.
  std::function<std::uint32_t(std::uint32_t pc, std::uint32_t lane)> target;
};

// Follows all lanes from the instruction at `first_pc` to the EXIT without guard. Groups of lanes that diverge wait for
// each other at BSYNC; of two groups the one that falls through is first. An indexed branch is executed once for each
// of its targets.
Path trace_path(const std::shared_ptr<const StaticProgram>& program, const Flow& flow, std::uint32_t first_pc = 0);
// All lanes together: the n-th guarded branch back, in order of pc, is taken trips[n] times before it falls through,
// each time it is reached; guarded branches forward are not taken.
Path uniform_path(const std::shared_ptr<const StaticProgram>& program, const std::vector<std::uint32_t>& trips,
                  std::uint32_t first_pc = 0);

class ListedKernel final : public KernelSource {
 public:
  struct Shape {
    std::uint32_t blocks = 1;
    std::uint32_t warps = 1;  // of a block
    std::uint32_t registers = 32;
    std::uint32_t shared_bytes = 0;
    std::size_t steps_of_others = 0;  // of the warps after the first of a block; 0: the whole path
    std::uint32_t block_bytes = 0;    // between the data of two blocks
  };
  ListedKernel(Path path, const Shape& shape);

  const KernelLaunch& launch() const override { return launch_; }
  std::unique_ptr<BlockSource> start_block(std::uint64_t linear_index, std::uint32_t sm) override;

  // Cycles at which a warp read the clock, in order.
  const std::vector<Cycle>& clocks(std::uint32_t warp = 0, std::uint64_t block = 0) const {
    return clocks_[block * shape_.warps + warp];
  }
  // Called with the index of each block when it starts.
  std::function<void(std::uint64_t)> on_start;

 private:
  Path path_;
  Shape shape_;
  KernelLaunch launch_;
  std::vector<bool> reads_clock_;  // by static instruction
  std::vector<std::vector<Cycle>> clocks_;
};

// The minimum of t1 - t0 over all rounds of a warp that reads the clock twice per round.
double shortest_round(const std::vector<Cycle>& clocks);
// From the first t0 to the last t1 of the last round of all warps of block 0.
double span_of_last_round(const ListedKernel& kernel, std::uint32_t warps);

// Caches keep the data of earlier launches, as on the chip.
MachineOptions as_measured();

}  // namespace warpsim::microbench
