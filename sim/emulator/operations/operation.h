// A PTX instruction in executable form for the lanes of a warp: its handler, and the places of its operands.
//
// Registers of a warp are arrays of 32 lanes, 4 bytes per lane up to 32 bits (narrower values are zero-extended), 8 or
// 16 bytes per lane for wider types; a predicate is one LaneMask. Constants are in arrays of the same form, so that
// handlers need not distinguish operands: a place is a byte offset, from the registers of the running call if not
// negative, else from the end of the constants.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "emulator/operations/host_form.h"
#include "ptx/module.h"

namespace warpsim {

class WarpContext;
struct Operation;

using OperandPlace = std::int32_t;
inline constexpr OperandPlace kNoPlace = INT32_MIN;

// Executes for the lanes of the mask, which is not 0.
using Handler = void (*)(WarpContext& warp, const Operation& operation, LaneMask lanes);

// The effect of an operation on the warp's control flow.
enum class Control : std::uint8_t {
  kNone,
  kBranch,
  kIndirectBranch,
  kCall,
  kIndirectCall,
  kReturn,
  kExit,
  kTrap,
  kSleep,         // others of the warp continue meanwhile
  kWarpSync,      // waits for the lanes of its member mask, then executes
  kConverge,      // waits for the lanes of a convergence barrier of machine code
  kBlockBarrier,  // waits for the threads of the block (or arrives)
  kClusterBarrier,
  kWarpgroup,  // arrives at the barrier of a warpgroup, or waits there
};

// Its observable effects: only private operations may be executed before the cycle in which they issue.
enum class Effect : std::uint8_t {
  kPrivate,  // registers of the warp
  kShared,   // memory, clocks, barriers, anything that depends on the time of execution
};

// How far an operation with a shared effect reaches, for machines whose SMs see each other's effects late
// (execution/sm_effects.h).
enum class EffectReach : std::uint8_t {
  kAnything,  // whatever other SMs see or change
  kOwn,       // nothing outside the block: its barriers, clocks
  kBlock,     // shared memory, at the address of operand a
  kLoad,      // reads its elements at the addresses of operand a, in any space
  kStore,     // writes them
  kRead,      // reads global memory in any way
  kUpdate,    // an atomic or reduction at the addresses of operand a
};

// The source of the addresses of its access (access_addresses.h).
enum class AddressForm : std::uint8_t {
  kNone,
  kOperand,     // operand a and the offset, `count` consecutive elements
  kCopySource,  // cp.async: the second address, for lanes that read anything
  kFragment,    // wmma: elements of a matrix at a distance
  // Texels, whose addresses depend on the object (textures/texel_footprint.h):
  kTexels,        // of a texture
  kSurfaceLoad,   // of a surface
  kSurfaceStore,  // of a surface, also updates
};
constexpr bool of_texels(AddressForm form) {
  return form >= AddressForm::kTexels;
}

// The values that the lanes of a .sync operation exchange: operand a of all of them.
enum class Exchange : std::uint8_t {
  kNothing,
  kWords,
  kWideWords,   // of 64 bits
  kPredicates,  // each lane gets a predicate
  kBallot,      // predicates; each lane gets a word
};

// The effect of an asynchronous operation on a barrier in shared memory (mbarrier), for models of its timing.
enum class BarrierRole : std::uint8_t {
  kNone,
  kInitialise,      // a: the barrier; b: arrivals of a phase
  kReplace,         // a; c: the whole barrier, whose current phase has all its arrivals to come
  kArrive,          // a; b: arrivals, 1 if there is no such operand; c: additional expected bytes, 0 if there is none
  kArriveCopied,    // as kArrive, when the asynchronous copies (LDGSTS) of the warp so far are done
  kCompleteCopied,  // as kComplete, the same
  kExpect,          // a; c: bytes
  kComplete,        // a; c: arrived bytes
  kTest,            // a; c: state of the barrier (count 0) or parity of the phase (1) that the test examines
  kCopyIn,          // a: destination; list at `target`: source in global memory, then barrier; b: bytes; c: ranks
  kDrop,            // a; b: arrivals that later phases do not expect; c: additional expected bytes
  kCopyAcross,      // the same from the own shared memory to that of a block of the cluster
  kCopyOut,         // a: destination; list at `target`: source in shared memory; b: bytes; count: 0 for copies
  kTensorIn,        // a: tensor map; list at `target`: destination, barrier, coordinates; c: ranks
  kTensorOut,       // a: tensor map; list at `target`: source, coordinates; count: 0 for copies
  kCommit,          // closes a group of copies out of shared memory
  kStore,           // a: destination; list at `target`: barrier; writes `bytes` times `count` bytes there
};

// The role of an operation in the order of observable memory accesses.
enum class MemoryRole : std::uint8_t {
  kNone,
  kAccess,      // load, store, atomic or reduction, with order and scope
  kFence,       // with order and scope
  kArrive,      // at an mbarrier, operand a
  kTest,        // of an mbarrier; predicate d: whether the phase has ended
  kCopy,        // made for the thread by another unit: cp.async, bulk and tensor copies, st.async, red.async
  kReport,      // the mbarrier, operand a, waits for the thread's cp.async
  kCommit,      // closes a group of cp.async
  kWait,        // offset: groups that may be outstanding; -1: also copies without a group
  kCommitBulk,  // the same for bulk copies out of shared memory
  kWaitBulk,
};

// As in PTX's memory model. Strong accesses are those that are not weak.
enum class MemoryOrder : std::uint8_t { kWeak, kRelaxed, kAcquire, kRelease, kAcquireRelease };
enum class MemoryScope : std::uint8_t { kBlock, kCluster, kDevice, kSystem };

// Variant of an operation with Control::kConverge: all lanes are in the barrier's mask again when it has released them.
inline constexpr std::uint8_t kConvergesAgain = 1;
// The same: the lanes leave the barrier's mask, operand d, and do not wait.
inline constexpr std::uint8_t kLeavesBarrier = 2;
// Of one with Control::kSleep: also lanes that wait for the whole warp continue.
inline constexpr std::uint8_t kYields = 1;

struct Operation {
  Handler run = nullptr;
  Control control = Control::kNone;
  Effect effect = Effect::kPrivate;
  EffectReach reach = EffectReach::kAnything;
  HostForm form = HostForm::kNone;  // of `run`
  std::uint8_t host_detail = 0;     // of `form`
  bool guard_negated = false;
  std::uint8_t bytes = 0;          // of an element, for memory and moves
  std::uint8_t count = 1;          // elements of a vector
  std::uint8_t variant = 0;        // of the handler's family: rounding, comparison, mode
  std::uint8_t address_bits = 64;  // of the register that holds an address
  bool of_frame = false;           // the address is relative to the call's local memory or parameter area
  bool uniform = false;            // executes once for the warp, whatever lanes are on this path
  bool once = false;               // executes for one lane of this path
  bool in_cluster = false;         // its addresses of shared memory state the block of the cluster
  bool plain = false;              // executes for all lanes of this path: no guard, neither uniform nor once
  bool waits = false;              // a branch of a loop in which threads may wait for others
  bool writes_common = false;      // may write memory that other warps can read
  bool writes_after_read = false;  // and straight code has read of the same kind since the last such write
  bool reads_time = false;         // a clock
  bool awaits_time = false;        // the same in a loop that only waits for time to pass (code/time_loops.h)
  ptx::StateSpace space = ptx::StateSpace::kGeneric;
  AddressForm addresses = AddressForm::kNone;
  Exchange exchange = Exchange::kNothing;
  BarrierRole barrier_role = BarrierRole::kNone;
  MemoryRole memory_role = MemoryRole::kNone;
  MemoryOrder order = MemoryOrder::kWeak;
  MemoryScope scope = MemoryScope::kSystem;
  OperandPlace guard = kNoPlace;
  OperandPlace d = kNoPlace;
  OperandPlace p = kNoPlace;  // second destination: a predicate
  OperandPlace a = kNoPlace;
  OperandPlace b = kNoPlace;
  OperandPlace c = kNoPlace;
  OperandPlace e = kNoPlace;        // fourth source
  OperandPlace a_high = kNoPlace;   // the upper word of an address whose lower word is at `a`
  std::int64_t offset = 0;          // of an address
  std::uint32_t target = 0;         // branch: operation; call: function; vectors and lists: first entry in `lists`
  std::uint32_t straight = 0;       // operations from this one on that are neither control flow nor write common memory
  std::uint32_t line = 0;           // of the instruction in its file
  std::uint32_t reconvergence = 0;  // of a branch: operation at which its paths meet again; size of the code: its end
};

// Control-flow and call details that few operations have, outside of the array of operations.
struct CallSite {
  // Bytes copied per lane from the caller's parameter area to the callee's, or register to register.
  struct Argument {
    bool in_memory = true;
    std::uint32_t bytes = 0;
    std::uint32_t here = 0;         // offset in the caller's parameter area
    OperandPlace place = kNoPlace;  // register or constant
  };
  std::int32_t function = -1;  // number of the module's function; -1: indirect
  OperandPlace callee = kNoPlace;
  std::vector<Argument> arguments;
  std::vector<Argument> results;
};

// Operations without effect in this machine.
inline void do_nothing(WarpContext& /*warp*/, const Operation& /*operation*/, LaneMask /*lanes*/) {}

}  // namespace warpsim
