#include "core/sub_core/issue_info.h"

#include <algorithm>
#include <string_view>

#include "isa/opcode_table.h"
#include "memory/code_window.h"

namespace warpsim {

namespace {

bool has_token(std::string_view opcode, std::string_view token) {
  for (std::size_t at = opcode.find(token); at != std::string_view::npos; at = opcode.find(token, at + 1)) {
    const bool starts = at > 0 && opcode[at - 1] == '.';
    const std::size_t end = at + token.size();
    if (starts && (end == opcode.size() || opcode[end] == '.')) {
      return true;
    }
  }
  return false;
}

// Instructions that wait in the memory queue; the others are dispatched to a pipe of the sub-core.
bool goes_to_memory_queue(const StaticInstruction& instruction) {
  switch (instruction.kind) {
    case OpKind::kLoad:
    case OpKind::kStore:
    case OpKind::kAtomic:
    case OpKind::kReduction:
    case OpKind::kAsyncCopy:
    case OpKind::kLoadMatrix:
    case OpKind::kStoreMatrix:
    case OpKind::kShuffle:
    case OpKind::kTexture:
    case OpKind::kBulkCopy:
    case OpKind::kMbarrier:
      return true;
    case OpKind::kConstantLoad:
      return instruction.uniform_destinations == 0;  // LDC; ULDC does its lookup at issue
    default:
      return instruction.kind == OpKind::kCompute && instruction.pipe == Pipe::kLsu;
  }
}

bool is_long_latency(const StaticInstruction& instruction) {
  switch (instruction.kind) {
    case OpKind::kTexture:
    case OpKind::kAsyncCommit:
    case OpKind::kMbarrier:  // a warp that waits at one counts as waiting for data
      return true;
    default:
      return instruction.space == MemorySpace::kGlobal || instruction.space == MemorySpace::kLocal ||
             instruction.space == MemorySpace::kGeneric || instruction.space == MemorySpace::kTexture;
  }
}

TextureAccess texture_access(std::string_view opcode) {
  if (opcode.starts_with("TLD4")) {
    return TextureAccess::kGather;
  }
  if (opcode.starts_with("SUST") || opcode.starts_with("SURED") || opcode.starts_with("SUATOM")) {
    return TextureAccess::kStore;
  }
  const bool loads = opcode.starts_with("TLD") || opcode.starts_with("SULD") || has_token(opcode, "LZ");
  return loads ? TextureAccess::kLoad : TextureAccess::kFetch;
}

bool is_fixed_latency_math(const StaticInstruction& instruction) {
  switch (instruction.pipe) {
    case Pipe::kAlu:
    case Pipe::kFma:
    case Pipe::kFmaHeavy:
    case Pipe::kFp64:
    case Pipe::kTensor:
      return instruction.kind == OpKind::kCompute;
    default:
      return false;
  }
}

bool is_core_math(const StaticInstruction& instruction) {
  return instruction.kind == OpKind::kCompute &&
         (instruction.pipe == Pipe::kAlu || instruction.pipe == Pipe::kFma || instruction.pipe == Pipe::kFmaHeavy);
}

RegisterFile::Operands operands_of(const StaticInstruction& instruction) {
  RegisterFile::Operands operands;
  for (std::uint32_t slot = 0; slot < RegisterFile::kSlots; ++slot) {
    const RegisterRange& range = instruction.sources[slot];
    if (range.count != 0 && range.first != kZeroRegister) {
      operands.first[slot] = range.first;
      operands.count[slot] = range.count;
    }
  }
  operands.reuse_mask = instruction.control.reuse_mask;
  return operands;
}

std::uint8_t source_registers(const StaticInstruction& instruction) {
  std::uint32_t count = 0;
  for (const RegisterRange& range : instruction.sources) {
    count += range.first != kZeroRegister ? range.count : 0U;
  }
  return static_cast<std::uint8_t>(count);
}

std::uint8_t result_registers(const StaticInstruction& instruction) {
  std::uint32_t count = 0;
  for (const RegisterRange& range : instruction.destinations) {
    count += range.first != kZeroRegister ? range.count : 0U;
  }
  return static_cast<std::uint8_t>(count);
}

// Pipes with a queue: those of instructions whose results are signalled by a dependence counter.
bool waits_in_line(const IssueInfo& info) {
  switch (info.pipe) {
    case Pipe::kXu:
    case Pipe::kAdu:
      return info.kind == OpKind::kCompute;
    case Pipe::kFp64:
    case Pipe::kTensor:
      return info.kind == OpKind::kCompute && info.write_barrier != kNoBarrier;
    default:
      return false;
  }
}

void set_dependences(IssueInfo& info, const StaticInstruction& instruction, bool scoreboard) {
  info.scoreboard = scoreboard;
  info.depbar_counter = instruction.depbar_counter;
  if (scoreboard) {
    // Groups of asynchronous copies are counted on one counter with either mechanism.
    info.write_barrier = instruction.kind == OpKind::kAsyncCommit ? info.depbar_counter : kNoBarrier;
    return;
  }
  const ControlBits& control = instruction.control;
  // A yield requests another warp for the next cycle; longer stalls imply it.
  info.stall_cycles = static_cast<std::uint8_t>(std::max(control.yield ? 2 : 1, int{control.stall_cycles}));
  info.yields = control.yield;
  info.pairs_with_next = control.stall_cycles == 0 && !control.yield;
  info.write_barrier = control.write_barrier;
  info.read_barrier = control.read_barrier;
  info.wait_mask = control.wait_mask;
}

WarpgroupRole warpgroup_role(OpKind kind) {
  switch (kind) {
    case OpKind::kWarpgroupMma:
      return WarpgroupRole::kOperation;
    case OpKind::kWarpgroupArrive:
      return WarpgroupRole::kArrive;
    case OpKind::kWarpgroupWait:
      return WarpgroupRole::kWaitArrivals;
    case OpKind::kWarpgroupDependWait:
      return WarpgroupRole::kWaitGroups;
    default:
      return WarpgroupRole::kNone;
  }
}

// The engine reads and writes registers by itself, long after issue.
void set_warpgroup(IssueInfo& info, const StaticInstruction& instruction, const WarpgroupConfig& config) {
  info.warpgroup = warpgroup_role(instruction.kind);
  if (info.warpgroup != WarpgroupRole::kOperation) {
    return;
  }
  const WarpgroupTiming timing = warpgroup_timing(config, instruction);
  info.warpgroup_release_cycles = static_cast<std::uint16_t>(timing.release_cycles);
  info.warpgroup_wavefronts = static_cast<std::uint16_t>(timing.shared_wavefronts);
  const std::uint64_t products = std::uint64_t{instruction.mma_macs} * instruction.mma_operand_bits;
  info.warpgroup_shared_bound = !instruction.mma_a_in_registers &&
                                std::uint64_t{timing.shared_wavefronts} * config.bit_macs_per_cycle >= products;
  info.closes_group = instruction.mma_closes_group;
  info.operands = {};
}

// LDC: the indexed constant cache.
bool loads_indexed_constant(const StaticInstruction& instruction) {
  return instruction.kind == OpKind::kConstantLoad && instruction.uniform_destinations == 0;
}

std::uint32_t address_unit_cycles(const StaticInstruction& instruction, const AddressUnitConfig& config) {
  if (loads_indexed_constant(instruction)) {
    return config.constant_load_cycles;
  }
  const bool uniform = instruction.pipe == Pipe::kAdu && instruction.timing == TimingClass::kSpecialRegister;
  return uniform ? config.special_register_cycles : 0;
}

IssueInfo make_info(const StaticProgram& program, const StaticInstruction& instruction, const ExecutionConfig& config,
                    DependencePolicy policy) {
  const std::string_view opcode = program.opcodes[instruction.opcode];
  const OperationTiming timing = timing_of(config, instruction);
  IssueInfo info;
  info.kind = instruction.kind;
  info.pc = instruction.pc;
  info.pipe = instruction.pipe;
  info.unit = unit_of(config, instruction);
  info.core_math = is_core_math(instruction);
  info.double_precision = instruction.timing == TimingClass::kFp64;
  info.space = instruction.space;
  info.texture = texture_access(opcode);
  info.cache_op = instruction.cache_op;
  info.bytes_per_lane = std::max<std::uint8_t>(1, instruction.bytes_per_lane);
  info.matrices = instruction.matrices;
  info.memory_queue = goes_to_memory_queue(instruction);
  info.long_latency = is_long_latency(instruction);
  info.variable_latency = info.memory_queue || instruction.kind == OpKind::kAsyncCommit;
  info.arrive_only = instruction.barrier_arrive_only;
  info.same_address_merged = (has_token(opcode, "INC") && has_token(opcode, "POPC")) ||
                             (has_token(opcode, "CAST") && has_token(opcode, "SPIN"));
  info.defers_blocking = has_token(opcode, "DEFER_BLOCKING");
  // FENCE.VIEW orders accesses to shared memory by warps and by the copy engine: it does not wait for writes below L1.
  info.block_scope = has_token(opcode, "CTA") || opcode.starts_with("FENCE.VIEW");
  info.system_scope = has_token(opcode, "SYS");
  info.guarded = instruction.guard != kNoPredicate;
  info.indexed_branch = opcode.starts_with("BRX") || opcode.starts_with("JMX");
  info.reconverges = opcode == "BSYNC" || opcode.starts_with("BSYNC.");
  info.counted_as_branch = instruction.kind == OpKind::kBranch || instruction.kind == OpKind::kExit || info.reconverges;
  info.packed_half = instruction.timing == TimingClass::kFp16;
  info.immediate = instruction.immediate;
  info.barrier_warps = (instruction.barrier_threads + kWarpSize - 1) / kWarpSize;
  info.latency_cycles = static_cast<std::uint16_t>(timing.latency_cycles);
  info.guard_latency_cycles = static_cast<std::uint16_t>(std::max(timing.latency_cycles, config.guard_latency_cycles));
  info.initiation_cycles = static_cast<std::uint16_t>(timing.initiation_cycles);
  info.mma_operand_bits = instruction.mma_operand_bits;
  info.operation = thread_operation(opcode);
  info.tensor_path = tensor_path(opcode);
  info.tensor_operations = 2 * instruction.mma_macs;
  info.operands = operands_of(instruction);
  info.source_registers = source_registers(instruction);
  info.result_registers = result_registers(instruction);
  info.counted_pipes = counted_pipes(instruction, opcode, program.architecture);
  set_warpgroup(info, instruction, config.warpgroup);
  info.warpgroup_shared_bound = info.warpgroup_shared_bound && program.has_listing;  // else no group is closed
  set_dependences(info, instruction, policy == DependencePolicy::kScoreboard);
  if (instruction.timing == TimingClass::kIntMultiplyWide) {
    info.stall_cycles = static_cast<std::uint8_t>(info.stall_cycles + config.wide_multiply_stall_cycles);
  }
  info.address_unit_cycles = static_cast<std::uint8_t>(address_unit_cycles(instruction, config.address_unit));
  info.waits_in_line = waits_in_line(info) && config.units[static_cast<std::size_t>(info.unit.unit)].count == 1;
  info.shared_pipe = info.pipe == Pipe::kAdu && info.kind == OpKind::kCompute;
  info.passes_barriers =
      is_fixed_latency_math(instruction) && info.write_barrier == kNoBarrier && info.read_barrier == kNoBarrier;
  info.reads_constant = !loads_indexed_constant(instruction) &&
                        (instruction.has_constant_operand || instruction.kind == OpKind::kConstantLoad);
  return info;
}

bool writes_without_result(const IssueInfo& info) {
  return info.kind == OpKind::kStore || info.kind == OpKind::kReduction ||
         (info.kind == OpKind::kTexture && info.texture == TextureAccess::kStore);
}

}  // namespace

IssueTable make_issue_table(const StaticProgram& program, const ExecutionConfig& config, DependencePolicy policy,
                            std::uint32_t register_banks, LaunchSeat seat) {
  IssueTable table;
  const bool has_fences = std::ranges::any_of(
      program.instructions, [](const StaticInstruction& instruction) { return instruction.kind == OpKind::kMembar; });
  table.instructions.reserve(program.instructions.size());
  // Control bits describe one sequence of instructions: with others among them, whose dependences they do not know, all
  // follow a scoreboard.
  if (!std::ranges::all_of(program.instructions, &StaticInstruction::has_control)) {
    policy = DependencePolicy::kScoreboard;
  }
  for (const StaticInstruction& instruction : program.instructions) {
    table.instructions.push_back(make_info(program, instruction, config, policy));
    IssueInfo& info = table.instructions.back();
    RegisterFile::prepare(info.operands, register_banks);
    if (info.warpgroup != WarpgroupRole::kOperation) {
      info.result = ResultBus::write_of(instruction.destinations[0], register_banks);
    }
    info.indexed_address = instruction.indexed_constant;
    info.constant_address = constant_address(instruction.constant_bank, instruction.constant_offset, seat);
    info.acknowledged = has_fences && writes_without_result(info);
    table.has_warpgroup = table.has_warpgroup || table.instructions.back().warpgroup != WarpgroupRole::kNone;
  }
  return table;
}

}  // namespace warpsim
