// What the issue stage needs of each static instruction, computed once per program and GPU: a compact record, so that
// issuing touches one cache line instead of text and operand lists.
#pragma once

#include <cstdint>
#include <vector>

#include "core/sub_core/execution_units.h"
#include "core/sub_core/register_file.h"
#include "core/sub_core/result_bus.h"
#include "isa/counted_operation.h"
#include "isa/static_instruction.h"
#include "stats/launch_stats.h"

namespace warpsim {

// What a texture or surface instruction asks of the texture units.
enum class TextureAccess : std::uint8_t { kFetch, kLoad, kGather, kStore };

// The role of an instruction for the warpgroup engine.
enum class WarpgroupRole : std::uint8_t {
  kNone,
  kOperation,
  kArrive,
  kWaitArrivals,
  kWaitGroups,
};

struct IssueInfo {
  OpKind kind = OpKind::kCompute;
  Pipe pipe = Pipe::kAlu;
  UnitChoice unit;  // that executes it
  MemorySpace space = MemorySpace::kNone;
  TextureAccess texture = TextureAccess::kFetch;
  CacheOp cache_op = CacheOp::kDefault;
  std::uint8_t bytes_per_lane = 0;
  std::uint8_t matrices = 0;
  std::uint8_t source_registers = 0;  // 32 bits wide
  std::uint8_t result_registers = 0;  // the same

  bool scoreboard = false;               // no control bits: dependences by register numbers
  bool variable_latency = false;         // completion is an event, not a stall count
  bool long_latency = false;             // its consumers wait in long_scoreboard
  bool memory_queue = false;             // waits in the sub-core's memory queue
  bool waits_in_line = false;            // warps queue for its pipe in order of arrival
  bool shared_pipe = false;              // its pipe serves all sub-cores of the SM
  std::uint8_t address_unit_cycles = 0;  // that it occupies the sub-core's address unit; 0: it does not use it
  bool reads_constant = false;           // c[bank][offset] operand, or ULDC
  bool same_address_merged = false;      // atomic in shared memory: lanes of one address take one pass
  bool arrive_only = false;              // barrier: does not wait
  std::uint32_t barrier_warps = 0;       // barrier: warps it waits for; 0: all of the block
  bool block_scope = false;              // fence of block scope
  bool system_scope = false;             // of the system
  bool defers_blocking = false;          // barrier: holds back only instructions that do not pass barriers
  bool passes_barriers = false;          // issues while the warp waits at a deferred barrier
  bool packed_half = false;
  bool guarded = false;            // has a guard predicate
  bool indexed_branch = false;     // the target comes from registers and a table
  bool reconverges = false;        // BSYNC: waits for the warp's other lanes
  bool counted_as_branch = false;  // by smsp__inst_executed_op_branch
  std::uint8_t mma_operand_bits = 0;
  ThreadOperation operation = ThreadOperation::kOther;
  TensorPath tensor_path = TensorPath::kNone;
  WarpgroupRole warpgroup = WarpgroupRole::kNone;
  bool closes_group = false;            // warpgroup operation: the last of its group
  bool warpgroup_shared_bound = false;  // limited by operands from shared memory
  std::uint8_t stall_cycles = 1;        // before the warp's next issue, at least 1
  bool yields = false;                  // other warps have precedence after it
  bool acknowledged = false;            // a write that memory acknowledges: the program has fences
  bool pairs_with_next = false;         // control words: the next instruction may issue in the same slot
  bool core_math = false;               // arithmetic of the cores, as pairs distinguish it
  bool double_precision = false;
  std::uint8_t write_barrier = kNoBarrier;
  std::uint8_t read_barrier = kNoBarrier;
  std::uint8_t wait_mask = 0;
  std::uint8_t depbar_counter = 0;
  std::int32_t immediate = 0;
  std::uint32_t pc = 0;  // byte offset in its function, for mechanisms

  std::uint16_t latency_cycles = 1;
  std::uint16_t guard_latency_cycles = 1;  // to instructions guarded by a predicate that it writes
  std::uint16_t initiation_cycles = 1;
  std::uint16_t warpgroup_release_cycles = 0;  // from start until its queue entry is free
  std::uint16_t warpgroup_wavefronts = 0;      // passes through shared memory
  RegisterFile::Operands operands;
  ResultBus::Write result;              // write ports that it needs
  Address constant_address = 0;         // without what a register adds
  bool indexed_address = false;         // of a constant: a register adds to it
  std::uint32_t tensor_operations = 0;  // of the warp: two per multiply-add
  std::uint32_t counted_pipes = 0;      // bit p: counted by sm__inst_executed_pipe_<p>
};

// A program prepared for one GPU.
struct IssueTable {
  std::vector<IssueInfo> instructions;
  bool has_warpgroup = false;  // warpgroup operations, or arrivals of warpgroups
};

enum class DependencePolicy : std::uint8_t {
  kControlBits,  // where the program has them, else a scoreboard
  kScoreboard,   // always
};

// `register_banks` of the register file; `seat` of the launch that has the constant banks.
IssueTable make_issue_table(const StaticProgram& program, const ExecutionConfig& config, DependencePolicy policy,
                            std::uint32_t register_banks, LaunchSeat seat = 0);

}  // namespace warpsim
