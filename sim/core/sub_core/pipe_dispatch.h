// Instructions that execute in the pipes of the sub-core, or in those that the SM's sub-cores share.
//
// Modelled: when a pipe accepts an instruction; warps that wait in line for some pipes; operands read in a fixed window
// or by collectors; double precision that needs the issue slots of all schedulers; results at a fixed time, or as an
// event. Not modelled: see RegisterFile, OperandCollectors, ExecutionUnits, IssueSlots and ResultBus. Evidence: theirs;
// the lines: WarpLine's.
// State: registers, collectors, units; the warps in line for each pipe. Uses what it shares with other sub-cores and
// parts: units, a pipe, issue slots, the result bus; the warps' states and WarpEvents.
// Invariant: an instruction is dispatched only when its pipe accepts it and no other warp is first in line.
#pragma once

#include <array>
#include <cstdint>

#include "core/sub_core/execution_units.h"
#include "core/sub_core/issue_rules.h"
#include "core/sub_core/operand_collectors.h"
#include "core/sub_core/register_file.h"
#include "core/sub_core/resident_warp.h"
#include "core/sub_core/result_bus.h"
#include "core/sub_core/shared_pipe.h"
#include "core/sub_core/sub_core_config.h"
#include "core/sub_core/warp_events.h"
#include "core/sub_core/warp_line.h"
#include "core/sub_core/warp_states.h"

namespace warpsim {

class PipeDispatch {
 public:
  struct Parts {
    SharedUnits& units;
    SharedPipe& adu;
    IssueSlots& issue_slots;
    ResultBus& results;
    WarpStates& states;
    WarpEvents& events;
  };
  // The other parts must outlive this one.
  PipeDispatch(const SubCoreConfig& config, const ExecutionConfig& execution, const Parts& parts,
               SharedPipe& address_unit);

  // Whether the pipe does not accept the instruction; if so, the warp waits for it.
  bool blocked(std::uint32_t slot, const IssueInfo& info, Cycle now) {
    if (info.waits_in_line) {
      return line_blocked(slot, info, now);
    }
    const Cycle pipe_free = units_.free_at(info.unit);
    if (pipe_free > now) {
      parts_.states.wait_until(slot, StallReason::kMathPipeThrottle, pipe_free, now);
    }
    return pipe_free > now || (rules_beyond_units_ && slot_blocked(slot, info, now));
  }
  // Whether pipe and collectors accept the instruction.
  bool accepts(std::uint32_t slot, const IssueInfo& info, Cycle now) const {
    return units_.free_at(info.unit) <= now && !(collects_ && collectors_.free_at() > now) &&
           !(info.waits_in_line && !line_of(info.unit).lets_through(slot));
  }

  // Collects the operands. Returns the cycles by which conflicts delay the execution.
  Cycle collect(std::uint32_t slot, const IssueInfo& info, Cycle now) {
    return collects_ ? collectors_.collect(slot, info.operands, now) : 0;
  }

  // Returns the cycles by which conflicts of register ports hold the next dispatch back.
  std::uint32_t dispatch(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now);

 private:
  const WarpLine& line_of(UnitChoice unit) const { return lines_[static_cast<std::size_t>(unit.unit)]; }
  WarpLine& line_of(UnitChoice unit) { return lines_[static_cast<std::size_t>(unit.unit)]; }
  bool line_blocked(std::uint32_t slot, const IssueInfo& info, Cycle now);
  bool slot_blocked(std::uint32_t slot, const IssueInfo& info, Cycle now);
  void next_in_line(UnitChoice unit, Cycle now);

  std::uint32_t operand_read_cycles_;
  RegisterFile registers_;
  OperandCollectors collectors_;
  ExecutionUnits units_;
  bool collects_;                           // there are collectors
  bool fp64_takes_all_slots_;               // of all schedulers
  bool rules_beyond_units_;                 // other rules than units can prevent issue
  std::array<WarpLine, kUnitCount> lines_;  // by unit
  SharedPipe* address_unit_;                // the sub-core's
  Parts parts_;
};

}  // namespace warpsim
