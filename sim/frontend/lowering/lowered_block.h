// Maps the paths of a recorded block's warps to the lowered program, in pieces.
//
// Bulk copies become loads and stores of all lanes of the warp that started them, in parts, and report to their
// barrier after the last one; the accesses that replace barrier operations execute them. For a kernel whose clusters
// were dropped, the barriers are omitted: they may count arrivals and bytes of other blocks. Invariant: unknown
// operations are omitted, so that no warp waits for them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "core/launch/instruction_source.h"
#include "frontend/lowering/lowered_program.h"
#include "frontend/lowering/lowering_findings.h"

namespace warpsim {

class LoweredBlock final : public BlockSource {
 public:
  LoweredBlock(std::unique_ptr<BlockSource> recorded, std::shared_ptr<const LoweredProgram> lowered,
               std::shared_ptr<LoweringFindings> findings);

  std::uint32_t warp_count() const override { return recorded_->warp_count(); }
  void refill(WarpStream& stream, Cycle now) override;
  Cycle known_at(const WarpStream& stream) const override;
  LaneAddresses addresses(const WarpInstruction& instruction) const override;
  const AsyncOperation* operations(const WarpInstruction& instruction) const override;

 private:
  struct Warp {
    WarpStream recorded;
    std::vector<WarpInstruction> piece;
    std::vector<std::uint32_t> slots;  // indices into own_addresses_, of the piece
  };

  void append(const WarpInstruction& recorded, Warp& warp);
  void append_steps(const WarpInstruction& recorded, const LoweredProgram::Place& place, Warp& warp) const;
  bool append_asynchronous(const WarpInstruction& recorded, const LoweredProgram::Place& place, Warp& warp);
  void append_at_barrier(const WarpInstruction& recorded, const LoweredProgram::Place& place,
                         const AsyncOperation& operation, Warp& warp);
  void append_copy(const WarpInstruction& recorded, const LoweredProgram::Place& place, const AsyncOperation& copy,
                   Warp& warp);
  void append_parts(const LoweredProgram::Place& place, const AsyncOperation& copy, Warp& warp);
  std::uint32_t own_addresses(Address base, std::int64_t stride, Warp& warp);
  std::uint32_t report_of(const AsyncOperation& copy);

  std::unique_ptr<BlockSource> recorded_;
  std::shared_ptr<const LoweredProgram> lowered_;
  std::shared_ptr<LoweringFindings> findings_;
  LoweringCounts counts_;  // of the present refill
  std::vector<Warp> warps_;
  std::vector<LaneAddresses> own_addresses_;
  std::vector<std::uint32_t> free_slots_;
  std::deque<AsyncOperation> reports_;                                             // of copies; references stay valid
  std::map<std::pair<std::uint32_t, std::int32_t>, std::uint32_t> known_reports_;  // by barrier and bytes
};

}  // namespace warpsim
