// The execution units of an SM: which unit executes which class of operations, when it can accept the next
// instruction, and the latency of results.
//
// Modelled: kinds of units named after Nsight Compute's pipes, each with a number of instances in every sub-core or in
// the SM as a whole; initiation interval and latency per timing class; classes that only some instances execute (the
// heavy half of Hopper's FMA pipe, five of Kepler's six groups of cores); tensor operations timed by their shape. Units
// of the memory side (LSU, ADU, TEX, TMA) only dispatch from here; their queues are in memory_queues.h. Not modelled:
// results of one unit leave in order, since latencies are constants of a timing class. Evidence: NVIDIA's throughput
// tables; measured latencies and throughputs of single instructions on the GPU that the config describes.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"
#include "config/config_section.h"
#include "core/sm/warpgroup_config.h"
#include "core/sub_core/unit_pool.h"
#include "isa/static_instruction.h"

namespace warpsim {

// Latency: issue to issue of a dependent instruction. Initiation: cycles for which a unit is occupied.
struct OperationTiming {
  std::uint32_t latency_cycles = 1;
  std::uint32_t initiation_cycles = 1;
};
void describe(ConfigSection& section, OperationTiming& timing);

// One timing class.
struct OperationConfig {
  OperationTiming timing;
  Pipe unit = Pipe::kNone;  // that executes it; kNone: that of the instruction's own pipe
  std::uint32_t able = 0;   // instances that can execute it; 0: all
};
void describe(ConfigSection& section, OperationConfig& operation);

struct UnitConfig {
  std::uint32_t count = 1;
  bool shared = false;  // by the sub-cores of the SM; otherwise each sub-core has this number
};
void describe(ConfigSection& section, UnitConfig& unit);

// mma on one sub-core: a step is `step_bit_macs` multiply-adds times operand bits. Operations that accumulate in FP32
// take `fp32_result_passes` times the pipe time of all steps, and their results come as much later: GeForce products
// execute them at half rate.
struct TensorTiming {
  std::uint32_t step_bit_macs = 1;
  std::uint32_t base_latency_cycles = 0;
  std::uint32_t step_latency_cycles = 0;
  std::uint32_t base_initiation_cycles = 0;
  std::uint32_t step_initiation_cycles = 0;
  std::uint32_t fp32_result_passes = 1;
  OperationTiming fp64;
};
void describe(ConfigSection& section, TensorTiming& timing);

// The path of a sub-core to the unit that indexes constants and reads special registers for uniform ones: an
// instruction occupies it before the next one of the sub-core begins.
struct AddressUnitConfig {
  std::uint32_t constant_load_cycles = 1;     // LDC
  std::uint32_t special_register_cycles = 1;  // S2UR
};
void describe(ConfigSection& section, AddressUnitConfig& config);

struct ExecutionConfig {
  std::array<OperationConfig, kTimingClassCount> operations{};
  std::array<UnitConfig, kUnitCount> units{};  // by Pipe; kNone and kFmaHeavy have none
  TensorTiming tensor;
  WarpgroupConfig warpgroup;
  AddressUnitConfig address_unit;
  std::uint32_t wide_multiply_stall_cycles = 0;  // added to the stall count: the second pass of 64-bit products
  std::uint32_t guard_latency_cycles = 1;        // from a fixed-latency write of a predicate to its use as a guard
  bool ideal = false;                            // every unit accepts one instruction per cycle
};
void describe(ConfigSection& section, ExecutionConfig& config);

// Latency and initiation interval of one instruction.
OperationTiming timing_of(const ExecutionConfig& config, const StaticInstruction& instruction);

// Where an instruction executes.
struct UnitChoice {
  Pipe unit = Pipe::kNone;
  std::uint8_t able = 0;
};
UnitChoice unit_of(const ExecutionConfig& config, const StaticInstruction& instruction);

// The units that an SM's sub-cores share.
class SharedUnits {
 public:
  explicit SharedUnits(const ExecutionConfig& config);
  UnitPool& pool(Pipe unit) { return pools_[static_cast<std::size_t>(unit)]; }

 private:
  std::array<UnitPool, kUnitCount> pools_;
};

// The units that a sub-core's instructions may use: its own and the SM's.
class ExecutionUnits {
 public:
  ExecutionUnits(const ExecutionConfig& config, SharedUnits& shared);
  ExecutionUnits(const ExecutionUnits&) = delete;
  ExecutionUnits& operator=(const ExecutionUnits&) = delete;

  // First cycle at which the unit can accept an instruction.
  Cycle free_at(UnitChoice choice) const {
    // The dispatch stage itself accepts one per cycle.
    return choice.unit == Pipe::kNone ? 0 : pools_[static_cast<std::size_t>(choice.unit)]->free_at(choice.able);
  }
  // Returns the number of the instance taken.
  std::uint32_t take(UnitChoice choice, std::uint32_t initiation_cycles, Cycle now) {
    return pools_[static_cast<std::size_t>(choice.unit)]->take(choice.able, initiation_cycles, now);
  }

 private:
  std::array<UnitPool, kUnitCount> own_;
  std::array<UnitPool*, kUnitCount> pools_{};
};

}  // namespace warpsim
