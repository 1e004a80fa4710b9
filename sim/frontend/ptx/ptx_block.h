// A block of a PTX kernel that executes while its warps issue: returns the machine instructions of each warp's next
// operations, and executes these operations.
//
// Operations that only affect the warp itself execute when they are returned, ahead of their issue. Operations with
// effects that others can observe (memory, clocks, barriers, ends of threads) execute when their machine instruction
// issues; no later instruction is returned before that. Where SMs see each other's effects late, operations that others
// could notice at once execute when the SMs exchange their effects (emulator/execution/sm_effects.h), and the warp
// continues then.
// Lanes of one warp that reach a barrier one after another arrive one after another here, but as one warp in the
// machine, with the last of them. If they arrive together, instructions after the barrier that only affect registers
// are returned before they are executed, since some may issue while the warp waits (DEFER_BLOCKING). Not modelled:
// lanes of one warp that wait at several barriers wait at them one after another.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/launch/instruction_source.h"
#include "emulator/execution/block_execution.h"
#include "emulator/execution/launch_effects.h"
#include "frontend/ptx/block_accesses.h"
#include "frontend/ptx/ptx_barriers.h"
#include "frontend/ptx/ptx_code.h"

namespace warpsim {

class PtxBlock final : public PutOffWarps {
 public:
  // `launch` and `code` outlive it. `local_bytes`: per thread. `accesses_in_flight`: accesses of one warp whose
  // addresses the machine may still need.
  PtxBlock(const LaunchContext& launch, std::uint32_t local_bytes, const PtxCode& code,
           std::uint32_t accesses_in_flight);

  // Starts again with another block; see BlockExecution::start().
  void start(std::uint64_t linear_index, std::uint32_t sm, ClusterState& cluster);
  // The machine starts it on this SM. `effects`: of the launch, which outlive the block; null: memory as it is.
  void enter(std::uint32_t sm, LaunchEffects* effects) {
    execution_.move_to(sm);
    effects_ = effects;
    own_effects_ = effects != nullptr ? &effects->of(sm) : nullptr;
  }
  BlockExecution& execution() { return execution_; }

  // As BlockSource says. Throws KernelFault.
  void refill(WarpStream& stream, Cycle now);
  Cycle known_at(std::uint32_t warp) const { return warps_[warp].known_at; }
  void execute_put_off(std::uint32_t warp, Cycle cycle) override;
  LaneAddresses addresses(const WarpInstruction& instruction) const { return accesses_.at(instruction); }
  // For barriers in shared memory: called when the instruction issues.
  const AsyncOperation* operations(const WarpInstruction& instruction);

 private:
  // Arrivals at barriers: those of the block by number, then the cluster's.
  static constexpr std::uint32_t kClusterArrival = kClusterBarrier;
  static constexpr std::uint32_t kClusterWaiting = kClusterBarrier + 1;
  static constexpr std::uint32_t kArrivals = kClusterBarrier + 2;

  // Lanes that have arrived without notification of the machine.
  struct Arrival {
    LaneMask lanes = 0;
    MachinePlace place;
    bool waits = false;
  };
  struct WarpState {
    std::vector<WarpInstruction> piece;
    std::size_t handed_out = 0;    // returned part of the piece
    std::size_t effect_end = 0;    // the piece, up to the effect of the pending operation
    bool pending = false;          // the chosen split's next operation takes effect at the next refill
    bool put_off = false;          // the pending operation takes effect when the SMs exchange their effects
    Cycle known_at = 0;            // then; kNever: when grids that the block has launched are over
    bool together = false;         // the pending operation is a barrier at which all lanes have arrived together
    std::uint32_t ahead = 0;       // operations returned after a barrier, to be executed when it releases the warp
    std::uint32_t accesses = 0;    // in the piece
    std::uint32_t unreported = 0;  // bit i: entry i of `arrivals`
    std::array<Arrival, kArrivals> arrivals;

    // Keeps the memory of the piece.
    void restart() {
      piece.clear();
      handed_out = 0;
      pending = false;
      put_off = false;
      known_at = 0;
      together = false;
      ahead = 0;
      unreported = 0;
    }
  };

  bool execute_pending(std::uint32_t number, Cycle now);
  void step_pending(std::uint32_t number);
  void fill(std::uint32_t number);
  // Each returns false if nothing more can be returned for now.
  bool take(std::uint32_t number, const Warp::Next& next);
  bool take_barrier(std::uint32_t number, const Warp::Next& next);
  bool take_silently(const Warp::Next& next) const;
  // A call in machine code may be that of one of several functions of the driver; the first of them stands for all.
  bool is_other_call(const Operation& operation) const {
    return is_machine_code_ && operation.control == Control::kNone && operation.reach == EffectReach::kAnything &&
           operation.addresses == AddressForm::kNone;
  }
  void hand_out(std::uint32_t number, const MachinePlace& place, const Warp::Next& next);
  void hand_out_ahead(std::uint32_t number, const Warp::Next& barrier);
  void hand_out_stop(std::uint32_t number);
  void wait_for_effect(std::uint32_t number, const MachinePlace& place);
  void hand_out_arrival(std::uint32_t number, std::uint32_t arrival, const MachinePlace& place, LaneMask lanes);
  void report_arrivals(std::uint32_t number, bool all);
  // WarpInstruction::operation: 0, an entry of `barriers_`, or, by warp, its operation on barriers in shared memory.
  std::uint32_t shared_barrier_operation(std::uint32_t number) const {
    return static_cast<std::uint32_t>(barriers_.size()) + number + 1;
  }
  const MachinePlace& place_of(const Warp::Next& next) const { return code_.places(*next.code)[next.index]; }

  const PtxCode& code_;
  LaunchWatch* watch_;
  LaunchEffects* effects_ = nullptr;
  SmEffects* own_effects_ = nullptr;  // of its SM
  bool independent_threads_;
  bool is_machine_code_;
  BlockExecution execution_;
  std::vector<WarpState> warps_;
  BlockAccesses accesses_;
  std::vector<AsyncOperation> barriers_;  // by warp and arrival
  bool times_shared_barriers_;
  PtxBarriers shared_barriers_;
};

}  // namespace warpsim
