// Counters of one sub-core: instructions, pipes, and the warp-cycles of each stall reason.
#pragma once

#include <array>
#include <cstdint>

#include "core/sub_core/issue_info.h"
#include "core/sub_core/stall_reason.h"
#include "isa/static_instruction.h"
#include "stats/stat_group.h"

namespace warpsim {

// One counter per stall reason ("stalled_long_scoreboard") and one per pipe ("pipe_alu").
using StallCounters = std::array<Counter, kStallReasonCount>;
using PipeCounters = std::array<Counter, kPipeCount>;
// One per thread operation ("op_ffma") and one per tensor path ("tensor_ops_fp16_fp32").
using OperationCounters = std::array<Counter, kThreadOperationCount>;
using TensorCounters = std::array<Counter, kTensorPathCount>;
StallCounters make_stall_counters(StatGroup& group);
PipeCounters make_pipe_counters(StatGroup& group);
OperationCounters make_operation_counters(StatGroup& group);
TensorCounters make_tensor_counters(StatGroup& group);

struct SubCoreStats : StatGroup {
  using StatGroup::StatGroup;
  Counter inst_executed{*this, "inst_executed", Unit::kInstructions, "warp instructions executed"};
  Counter inst_issued{*this, "inst_issued", Unit::kInstructions, "issue slots used, repeated issues included"};
  Counter thread_inst_executed{*this, "thread_inst_executed", Unit::kThreadInstructions,
                               "instructions times active lanes, whether predicated off or not (estimated from the "
                               "warp's latest instruction without guard: traces hold both masks in one)"};
  Counter warps_launched{*this, "warps_launched", Unit::kWarps, "warps started"};
  Counter cycles_active{*this, "cycles_active", Unit::kCycles, "cycles with at least one resident warp"};
  Counter branches{*this, "inst_executed_branch", Unit::kInstructions,
                   "branches, calls, returns, reconvergences and exits"};
  Counter pipe_cbu_pred_off{*this, "pipe_cbu_pred_off", Unit::kInstructions,
                            "branch-unit instructions whose lanes were all predicated off"};
  Counter pipe_fmalite{*this, "pipe_fmalite", Unit::kInstructions, "instructions on the lite half of the FMA pipe"};
  Counter pipe_fp16{*this, "pipe_fma_fp16", Unit::kInstructions, "packed FP16 instructions on the FMA pipe"};
  Counter tensor_fp64{*this, "pipe_tensor_dmma", Unit::kInstructions, "double-precision mma"};
  Counter tensor_int{*this, "pipe_tensor_imma", Unit::kInstructions, "integer mma"};
  Counter tensor_hfma2{*this, "pipe_tensor_hfma2", Unit::kInstructions, "packed half operations on the tensor pipe"};
  Counter tensor_half{*this, "pipe_tensor_hmma", Unit::kInstructions, "half, bfloat and tf32 mma"};
  Counter tensor_warpgroup{*this, "pipe_tensor_gmma", Unit::kInstructions, "warpgroup mma"};
  Counter register_conflict_cycles{*this, "register_conflict_cycles", Unit::kCycles,
                                   "cycles by which register-port conflicts held back dispatch"};
  Counter result_conflicts{*this, "result_conflict_cycles", Unit::kCycles,
                           "cycles by which write-port conflicts delayed variable-latency results"};
  Counter pairs_issued{*this, "pairs_issued", Unit::kInstructions, "instructions issued in the slot of the one before"};
  StallCounters stalled = make_stall_counters(*this);
  PipeCounters pipe = make_pipe_counters(*this);
  OperationCounters operation = make_operation_counters(*this);
  TensorCounters tensor_operations = make_tensor_counters(*this);

  // An instruction goes to its pipe, with the lanes that execute it; `lite`: to the lite half of the FMA pipe.
  void count_dispatch(const IssueInfo& info, LaneMask active, bool lite);
};

}  // namespace warpsim
