// The execution pipes of one sub-core: when each can take the next instruction, and how long results take.
//
// Modelled: initiation interval a pipe (lanes narrower than a warp), latency a timing class, the heavy and the lite
// half of the FMA pipe, tensor operations timed by their shape. Pipes of the memory side (LSU, ADU, TEX, TMA) only
// dispatch from here; their queues are in load_store_unit.h.
// Not modelled: result buses; results of one pipe leave in order, since latencies are constants of a timing class.
// Evidence: measured latencies and throughputs of single instructions on the GPU that the config describes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/types.h"
#include "config/config_section.h"
#include "core/warpgroup_config.h"
#include "isa/static_instruction.h"

namespace warpsim {

// Latency: issue to issue of a dependent instruction. Initiation: cycles for which the pipe is taken.
struct OperationTiming {
  std::uint32_t latency_cycles = 1;
  std::uint32_t initiation_cycles = 1;
};
void describe(ConfigSection& section, OperationTiming& timing);

// mma on one sub-core: a step is `step_bit_macs` multiply-adds times operand bits.
struct TensorTiming {
  std::uint32_t step_bit_macs = 1;
  std::uint32_t base_latency_cycles = 0;
  std::uint32_t step_latency_cycles = 0;
  std::uint32_t base_initiation_cycles = 0;
  std::uint32_t step_initiation_cycles = 0;
  OperationTiming fp64;
};
void describe(ConfigSection& section, TensorTiming& timing);

struct ExecutionConfig {
  std::array<OperationTiming, kTimingClassCount> timings{};
  TensorTiming tensor;
  WarpgroupConfig warpgroup;
  bool fma_lite = true;                          // FP32 may use a second, lite half of the FMA pipe
  std::uint32_t wide_multiply_stall_cycles = 0;  // added to the stall count: the second pass of 64-bit products
  bool ideal = false;                            // every pipe takes an instruction a cycle
};
void describe(ConfigSection& section, ExecutionConfig& config);

// Latency and initiation interval of one instruction.
OperationTiming timing_of(const ExecutionConfig& config, const StaticInstruction& instruction);

class ExecutionPipes {
 public:
  explicit ExecutionPipes(const ExecutionConfig& config) : fma_lite_(config.fma_lite) {}

  // First cycle at which the pipe can take an instruction.
  Cycle free_at(Pipe pipe) const {
    if (pipe == Pipe::kNone) {
      return 0;  // the dispatch stage takes one a cycle
    }
    const Cycle at = free_at_[static_cast<std::size_t>(pipe)];
    return pipe == Pipe::kFma && fma_lite_ ? std::min(at, lite_free_at_) : at;
  }
  // Takes the pipe; returns true if the lite half of the FMA pipe was used.
  bool take(Pipe pipe, std::uint32_t initiation_cycles, Cycle now) {
    if (pipe == Pipe::kFma && fma_lite_ && lite_free_at_ <= now) {
      lite_free_at_ = now + initiation_cycles;
      return true;
    }
    const Cycle until = now + initiation_cycles;
    free_at_[static_cast<std::size_t>(pipe)] = until;
    // Both names stand for the heavy half.
    if (pipe == Pipe::kFma) {
      free_at_[static_cast<std::size_t>(Pipe::kFmaHeavy)] = until;
    } else if (pipe == Pipe::kFmaHeavy) {
      free_at_[static_cast<std::size_t>(Pipe::kFma)] = until;
    }
    return false;
  }

 private:
  bool fma_lite_;
  std::array<Cycle, kPipeCount> free_at_{};
  Cycle lite_free_at_ = 0;
};

}  // namespace warpsim
