// One decoded instruction of a program, shared by all its executions: the properties that the front end derived once
// from opcode text, operands and control bits, so that the core never reads text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/types.h"

namespace warpsim {

// The pipe that executes an instruction, after Nsight Compute's names. A capability's config says how wide and deep
// each pipe is.
enum class Pipe : std::uint8_t {
  kNone,      // executed by the dispatch stage itself (NOP, DEPBAR, ...)
  kAlu,       // integer add, logic, compare, min/max, moves
  kFma,       // FP32 and packed FP16: fmaheavy or fmalite, the one that is free
  kFmaHeavy,  // IMAD, IDP: the heavy half only
  kFp64,
  kXu,  // transcendentals, conversions, POPC, FLO
  kTensor,
  kUniform,  // scalar datapath
  kCbu,      // branches and convergence barriers
  kLsu,      // loads, stores, atomics, SHFL, S2R
  kAdu,      // constant loads, block barriers, address divergence
  kTex,
  kTma,   // bulk asynchronous copies by descriptor
  kFp16,  // packed FP16 where it has units of its own (6.x, 7.x, 8.0); no instruction names it
};
inline constexpr std::uint32_t kPipeCount = 13;  // that instructions name
inline constexpr std::uint32_t kUnitCount = 14;
const char* to_string(Pipe pipe);

// Operations that every compute capability executes at one rate and latency: the rows of the throughput table of
// NVIDIA's programming guides, and operations that are in none (config section `execution`).
enum class TimingClass : std::uint8_t {
  kAlu,                 // moves, selections, permutations, predicate logic
  kIntegerAdd,          // add, subtract, with or without carry, scaled add
  kLogic,               // AND, OR, XOR
  kShift,               // shifts, funnel shifts
  kCompare,             // comparison, minimum, maximum, of integers and FP32
  kBitField,            // extract, insert, mask, sign extension
  kBitReverse,          // BREV
  kAbsoluteDifference,  // ISAD, VABSDIFF
  kVideoDifference,     // SIMD video instructions: absolute differences of bytes or halves
  kVideo,               // the others
  kFp32,                // FADD, FMUL, FFMA
  kIntMultiply,         // IMAD, IDP, XMAD
  kIntMultiplyWide,
  kFp16,  // packed half, HFMA2 family
  kFp64,
  kTranscendental,    // MUFU
  kConversion,        // F2I, F2F, I2F, of 32-bit types
  kConversionNarrow,  // from 8 and 16-bit integers
  kConversionWide,    // from or to 64-bit types
  kFindBit,           // FLO
  kBitCount,          // POPC
  kTensor,            // mma: time from its shape
  kUniform,
  kVote,
  kShuffle,
  kReduceLanes,  // REDUX
  kMatch,
  kSpecialRegister,  // S2R, S2UR, CS2R of slow registers
  kBranch,
  kMemory,        // timed by the memory system
  kConstantLoad,  // LDC, ULDC: timed by the constant caches
  kBarrier,
  kMembar,
  kOther,
};
inline constexpr std::uint32_t kTimingClassCount = 34;
const char* to_string(TimingClass timing);

enum class OpKind : std::uint8_t {
  kCompute,
  kLoad,
  kStore,
  kAtomic,         // returns the old value
  kReduction,      // does not
  kAsyncCopy,      // LDGSTS: global to shared without registers
  kAsyncCommit,    // LDGDEPBAR: closes a group of asynchronous copies
  kDependBarrier,  // DEPBAR: waits until at most N are outstanding on a counter
  kLoadMatrix,     // LDSM
  kStoreMatrix,    // STSM
  kConstantLoad,   // LDC, ULDC
  kShuffle,
  kBarrier,        // BAR.SYNC, BAR.RED, BAR.ARV
  kClusterArrive,  // UCGABAR_ARV
  kClusterWait,    // UCGABAR_WAIT
  kMembar,         // MEMBAR, FENCE
  kBranch,         // may change the next PC
  kExit,
  kTexture,
  kBulkCopy,      // TMA family
  kWarpgroupMma,  // HGMMA family
  kMbarrier,      // SYNCS
  kCacheControl,  // CCTL
  kSleep,         // NANOSLEEP
  kGridTrigger,   // PREEXIT: dependent kernels may begin
  kGridWait,      // ACQBULK: until the kernels before this one are over
  kNop,
  kWarpgroupArrive,      // WARPGROUP.ARRIVE
  kWarpgroupWait,        // WARPGROUP.WAIT: until the warpgroup's warps have arrived
  kWarpgroupDependWait,  // WARPGROUP.DEPBAR: waits until at most N groups of operations are outstanding
};

enum class MemorySpace : std::uint8_t {
  kNone,
  kGlobal,
  kShared,
  kLocal,
  kGeneric,
  kConstant,
  kTexture,
  kCluster,  // shared memory of another block of the cluster: known only from generic addresses
};

// Cache operator of a load or store, from the opcode's modifiers.
enum class CacheOp : std::uint8_t {
  kDefault,
  kBypassL1,    // .STRONG.GPU, .cg, .cv: served by L2
  kSystem,      // .STRONG.SYS: served by L2, each access on its own
  kEvictFirst,  // .EF, .cs
  kReadOnly,    // .CONSTANT, .CI, LDG of 3.x
  kCacheAll,    // .ca: also in L1, where that is not the default
  kLastUse,     // .lu: local memory that is no longer needed
};

inline constexpr std::uint8_t kNoBarrier = 7;

// The compiler's scheduling bits (isa/control_bits.h).
struct ControlBits {
  std::uint8_t stall_cycles = 0;            // before this warp may issue again; 0 without yield: pairs with the next
  bool yield = false;                       // prefer another warp next cycle
  std::uint8_t write_barrier = kNoBarrier;  // dependence counter released when the result is written
  std::uint8_t read_barrier = kNoBarrier;   // dependence counter released when the sources are read
  std::uint8_t wait_mask = 0;               // bit i: dependence counter i must be 0
  std::uint8_t reuse_mask = 0;              // bit k: keep source slot k in the register cache
  bool operator==(const ControlBits&) const = default;
};

// A run of consecutive general registers. count 0: none.
struct RegisterRange {
  std::uint8_t first = 255;
  std::uint8_t count = 0;
  bool operator==(const RegisterRange&) const = default;
};

inline constexpr std::uint8_t kNoPredicate = 7;  // PT
inline constexpr std::uint8_t kZeroRegister = 255;

struct StaticInstruction {
  std::uint32_t pc = 0;  // byte offset in its function

  OpKind kind = OpKind::kCompute;
  Pipe pipe = Pipe::kAlu;
  TimingClass timing = TimingClass::kAlu;
  MemorySpace space = MemorySpace::kNone;
  CacheOp cache_op = CacheOp::kDefault;
  std::uint8_t bytes_per_lane = 0;  // memory access width; LDSM: bytes per row address (16)
  std::uint8_t matrices = 0;        // LDSM/STSM: 8x8 matrices moved (1, 2, 4)
  std::uint16_t opcode = 0;         // index into StaticProgram::opcodes (text with all modifiers)

  bool has_control = false;  // `control` came from the encoding; otherwise dependences go through a scoreboard
  ControlBits control;

  // General registers. Slot k of `sources` is operand slot k (A, B, C, D) as far as the listing shows.
  std::array<RegisterRange, 2> destinations{};
  std::array<RegisterRange, 4> sources{};
  // Predicates: bit i is P_i; guard is the predicate that guards the instruction, kNoPredicate if none.
  std::uint8_t predicate_sources = 0;
  std::uint8_t predicate_destinations = 0;
  std::uint8_t guard = kNoPredicate;
  // Uniform registers read and written; bit i is UR_i. The same for uniform predicates.
  std::uint64_t uniform_sources = 0;
  std::uint64_t uniform_destinations = 0;
  std::uint8_t uniform_predicate_sources = 0;
  std::uint8_t uniform_predicate_destinations = 0;

  // A c[bank][offset] operand read at issue through the immediate constant cache (not LDC); bank and offset: also
  // for LDC and ULDC.
  bool has_constant_operand = false;
  bool indexed_constant = false;  // a register adds to the offset
  std::uint8_t constant_bank = 0;
  std::uint32_t constant_offset = 0;

  std::uint32_t mma_macs = 0;         // tensor operation: multiply-adds of the whole warp (M*N*K)
  std::uint8_t mma_operand_bits = 0;  // width of one A/B element
  bool mma_integer = false;
  bool mma_fp32_results = false;  // floating-point products accumulated in FP32
  // Warpgroup operation:
  bool mma_a_in_registers = false;
  bool mma_closes_group = false;  // the last of a group that WARPGROUP.DEPBAR waits for
  std::uint16_t mma_a_bytes = 0;  // bytes of A for one warp
  std::uint16_t mma_b_bytes = 0;  // bytes of B for all four warps

  std::int32_t immediate =
      0;  // DEPBAR, WARPGROUP.DEPBAR: threshold; BAR: barrier number (-1 unknown); BRA: target, as the listing shows
  std::uint8_t depbar_counter = 0;    // DEPBAR: the counter it watches
  std::uint16_t barrier_threads = 0;  // BAR: threads that it waits for; 0: all of the block
  bool barrier_arrive_only = false;   // BAR.ARV
  bool known_opcode = true;           // false: not in the opcode table, simulated as kCompute on the ALU
  bool operator==(const StaticInstruction&) const = default;
};

// Where an instruction comes from: a line, from 1, of StaticProgram::source_files[file].
struct SourceLine {
  std::uint32_t file = 0;
  std::uint32_t line = 0;  // 0: unknown
  bool operator==(const SourceLine&) const = default;
};

// The code of one kernel: instructions in order of PC, looked up by index.
struct StaticProgram {
  std::string function;                  // mangled name
  std::uint32_t architecture = 0;        // SASS architecture: 90 for sm_90
  bool has_listing = false;              // operands come from a SASS listing, not from the trace
  bool has_control = false;              // control bits are known
  std::uint32_t instruction_bytes = 16;  // distance of consecutive PCs
  std::vector<StaticInstruction> instructions;
  std::vector<std::string> opcodes;  // "LDG.E.128.CONSTANT"
  std::vector<std::string> text;     // per instruction, as disassembled; may be empty
  std::vector<std::string> source_files;
  std::vector<SourceLine> source_lines;  // per instruction; may be empty
  bool operator==(const StaticProgram&) const = default;
};

}  // namespace warpsim
