// Barriers of a block (bar, barrier) and of a cluster: which threads may continue. Counted in threads.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "emulator/execution/warp_context.h"

namespace warpsim {

inline constexpr std::uint32_t kBarriersPerBlock = 16;
inline constexpr std::uint32_t kClusterBarrier = kBarriersPerBlock;  // its number in a block

// Operation::variant of Control::kBlockBarrier.
enum class BarrierMode : std::uint8_t { kSync, kArrive, kPopulation, kAnd, kOr };

// Of Control::kClusterBarrier.
inline constexpr std::uint8_t kClusterArrive = 0;
inline constexpr std::uint8_t kClusterWait = 1;

// Of Control::kWarpgroup, and the number of its barrier, which each group of warps has for itself.
inline constexpr std::uint8_t kWarpgroupArrive = 0;
inline constexpr std::uint8_t kWarpgroupWait = 1;
inline constexpr std::uint32_t kWarpgroupBarrier = kClusterBarrier + 1;

class ThreadBarriers {
 public:
  // Threads of the block that have not ended.
  void start(std::uint32_t threads);
  // `expected` 0: all threads of the block. Returns whether the barrier is complete; it has then begun its next phase.
  bool arrive(std::uint32_t number, std::uint32_t expected, const Operation& operation, LaneMask lanes,
              WarpContext& warp);
  // Threads have ended. Returns a mask of the barriers that are complete now.
  std::uint32_t exited(std::uint32_t threads);
  // Threads that have arrived at a barrier, and the total that it expects.
  std::uint32_t arrived(std::uint32_t number) const { return barriers_[number].arrived; }
  std::uint32_t wanted(std::uint32_t number) const {
    return barriers_[number].expected == 0 ? threads_ : barriers_[number].expected;
  }

 private:
  struct Reduction {
    WarpContext warp;  // at arrival: its registers
    const Operation* operation;
    LaneMask lanes;
  };
  struct Barrier {
    std::uint32_t arrived = 0;
    std::uint32_t expected = 0;  // 0: all
    std::uint32_t population = 0;
    std::uint32_t voters = 0;
    std::vector<Reduction> reductions;
  };
  static void reset(Barrier& barrier);
  bool complete(Barrier& barrier);

  std::array<Barrier, kBarriersPerBlock> barriers_;
  std::uint32_t used_ = 0;  // bit i: threads have arrived at barrier i in this block
  std::uint32_t threads_ = 0;
};

}  // namespace warpsim
