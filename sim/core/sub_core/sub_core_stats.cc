#include "core/sub_core/sub_core_stats.h"

#include <bit>
#include <utility>

namespace warpsim {

namespace {

struct Name {
  const char* name;
  const char* sentence;
};

constexpr std::array<Name, kStallReasonCount> kStalls = {{
    {"stalled_selected", "warp-cycles in which the warp issued"},
    {"stalled_not_selected", "warp-cycles eligible while another warp issued"},
    {"stalled_wait", "warp-cycles in a fixed stall count"},
    {"stalled_barrier", "warp-cycles at a block barrier"},
    {"stalled_branch_resolving", "warp-cycles until a taken branch's target was fetched"},
    {"stalled_dispatch_stall", "warp-cycles with dispatch held back"},
    {"stalled_drain", "warp-cycles of exited warps with stores not gone"},
    {"stalled_gmma", "warp-cycles waiting for warpgroup mma"},
    {"stalled_imc_miss", "warp-cycles waiting for an immediate constant"},
    {"stalled_lg_throttle", "warp-cycles with the local/global queue full"},
    {"stalled_long_scoreboard", "warp-cycles waiting for L1, L2 or DRAM data"},
    {"stalled_math_pipe_throttle", "warp-cycles with the pipe busy"},
    {"stalled_membar", "warp-cycles in a memory fence"},
    {"stalled_mio_throttle", "warp-cycles with the memory input/output queue full"},
    {"stalled_misc", "warp-cycles for other reasons"},
    {"stalled_no_instruction", "warp-cycles without a decoded instruction"},
    {"stalled_short_scoreboard", "warp-cycles waiting for shared memory, XU, shuffle or special registers"},
    {"stalled_sleeping", "warp-cycles asleep"},
    {"stalled_tex_throttle", "warp-cycles with the texture queue full"},
}};

constexpr std::array<Name, kPipeCount> kPipes = {{
    {"pipe_none", "instructions that the dispatch stage takes itself"},
    {"pipe_alu", "instructions counted on the ALU pipe"},
    {"pipe_fma", "instructions counted on the FMA pipe, both halves"},
    {"pipe_fmaheavy", "instructions on the heavy half of the FMA pipe"},
    {"pipe_fp64", "instructions counted on the FP64 pipe"},
    {"pipe_xu", "instructions counted on the XU pipe"},
    {"pipe_tensor", "instructions counted on the tensor pipe"},
    {"pipe_uniform", "instructions counted on the uniform pipe"},
    {"pipe_cbu", "instructions counted on the branch unit"},
    {"pipe_lsu", "instructions counted on the LSU pipe"},
    {"pipe_adu", "instructions counted on the ADU pipe"},
    {"pipe_tex", "instructions counted on the texture pipe"},
    {"pipe_tma", "instructions counted on the TMA pipe"},
}};

constexpr std::array<Name, kThreadOperationCount> kOperations = {{
    {"op_other", "lanes that executed any other instruction"},
    {"op_dadd", "lanes that executed DADD"},
    {"op_dmul", "lanes that executed DMUL"},
    {"op_dfma", "lanes that executed DFMA"},
    {"op_fadd", "lanes that executed FADD"},
    {"op_fmul", "lanes that executed FMUL"},
    {"op_ffma", "lanes that executed FFMA"},
    {"op_hadd", "lanes that executed HADD2, two values each"},
    {"op_hmul", "lanes that executed HMUL2, two values each"},
    {"op_hfma", "lanes that executed HFMA2, two values each"},
}};

constexpr std::array<Name, kTensorPathCount> kTensorPaths = {{
    {"tensor_ops_fp64", "tensor operations on FP64"},
    {"tensor_ops_tf32_fp32", "tensor operations on TF32, results FP32"},
    {"tensor_ops_bf16_fp32", "tensor operations on BF16, results FP32"},
    {"tensor_ops_fp16_fp32", "tensor operations on FP16, results FP32"},
    {"tensor_ops_fp16_fp16", "tensor operations on FP16, results FP16"},
    {"tensor_ops_fp8", "tensor operations on FP8"},
    {"tensor_ops_int8", "tensor operations on 8-bit integers"},
    {"tensor_ops_int4", "tensor operations on 4-bit integers"},
    {"tensor_ops_int1", "tensor operations on bits"},
}};

template <std::size_t... I>
StallCounters stalls(StatGroup& group, std::index_sequence<I...>) {
  return {{Counter(group, kStalls[I].name, Unit::kWarpCycles, kStalls[I].sentence)...}};
}

template <std::size_t... I>
PipeCounters pipes(StatGroup& group, std::index_sequence<I...>) {
  return {{Counter(group, kPipes[I].name, Unit::kInstructions, kPipes[I].sentence)...}};
}

template <std::size_t... I>
OperationCounters operations(StatGroup& group, std::index_sequence<I...>) {
  return {{Counter(group, kOperations[I].name, Unit::kThreadInstructions, kOperations[I].sentence)...}};
}

template <std::size_t... I>
TensorCounters tensor_paths(StatGroup& group, std::index_sequence<I...>) {
  return {{Counter(group, kTensorPaths[I].name, Unit::kOperations, kTensorPaths[I].sentence)...}};
}

}  // namespace

StallCounters make_stall_counters(StatGroup& group) {
  return stalls(group, std::make_index_sequence<kStallReasonCount>{});
}

PipeCounters make_pipe_counters(StatGroup& group) {
  return pipes(group, std::make_index_sequence<kPipeCount>{});
}

OperationCounters make_operation_counters(StatGroup& group) {
  return operations(group, std::make_index_sequence<kThreadOperationCount>{});
}

TensorCounters make_tensor_counters(StatGroup& group) {
  return tensor_paths(group, std::make_index_sequence<kTensorPathCount>{});
}

void SubCoreStats::count_dispatch(const IssueInfo& info, LaneMask active, bool lite) {
  // Issue decides which half of the FMA pipe is used.
  constexpr std::uint32_t kHeavyHalf = 1U << static_cast<std::uint32_t>(Pipe::kFmaHeavy);
  for (std::uint32_t mask = info.counted_pipes & ~kHeavyHalf; mask != 0; mask &= mask - 1) {
    ++pipe[static_cast<std::size_t>(std::countr_zero(mask))];
  }
  branches += info.counted_as_branch ? 1 : 0;
  operation[static_cast<std::size_t>(info.operation)] += static_cast<std::uint32_t>(std::popcount(active));
  if (info.pipe == Pipe::kFma || info.pipe == Pipe::kFmaHeavy) {
    // A packed half operation uses both halves.
    pipe_fmalite += lite || info.packed_half ? 1 : 0;
    pipe[static_cast<std::size_t>(Pipe::kFmaHeavy)] += !lite || info.packed_half ? 1 : 0;
    pipe_fp16 += info.packed_half ? 1 : 0;
  } else if (info.pipe == Pipe::kTensor) {
    constexpr std::uint8_t kDoubleBits = 64;
    constexpr std::uint8_t kByteBits = 8;
    ++(info.kind == OpKind::kWarpgroupMma     ? tensor_warpgroup
       : info.mma_operand_bits == 0           ? tensor_hfma2
       : info.mma_operand_bits == kDoubleBits ? tensor_fp64
       : info.mma_operand_bits <= kByteBits   ? tensor_int
                                              : tensor_half);
    if (info.tensor_path != TensorPath::kNone && active != 0) {
      tensor_operations[static_cast<std::size_t>(info.tensor_path)] += info.tensor_operations;
    }
  } else if (active == 0 && (info.counted_pipes >> static_cast<std::uint32_t>(Pipe::kCbu) & 1U) != 0) {
    ++pipe_cbu_pred_off;
  }
}

}  // namespace warpsim
