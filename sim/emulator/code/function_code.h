// The executable form of one PTX function, decoded for one kernel: its operations, one per instruction in order, and
// the layout of a call's registers, parameters and local memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "emulator/matrix/matrix_product.h"
#include "emulator/operations/operation.h"
#include "ptx/module.h"

namespace warpsim {

class HostTranslation;

// A special register whose value is constant for a thread.
enum class SpecialRegister : std::uint8_t {
  kTid,
  kNtid,
  kCtaid,
  kNctaid,
  kLaneId,
  kWarpId,
  kNwarpId,
  kSmId,
  kNsmId,
  kGridId,
  kLaneMaskEq,
  kLaneMaskLe,
  kLaneMaskLt,
  kLaneMaskGe,
  kLaneMaskGt,
  kDynamicSharedBytes,
  kTotalSharedBytes,
  kAggregateSharedBytes,
  kReservedSharedBegin,
  kReservedSharedEnd,
  kReservedSharedCapacity,
  kReservedSharedOffset,
  kClusterId,
  kNclusterId,
  kClusterCtaId,
  kClusterNctaId,
  kClusterCtaRank,
  kClusterNctaRank,
  kIsExplicitCluster,
  kEnvironment,
  kCurrentGraph,
};

struct FunctionCode {
  struct Special {
    SpecialRegister which = SpecialRegister::kTid;
    std::uint8_t component = 0;
    OperandPlace place = 0;  // a register of its own
    bool wide = false;       // of 64 bits
  };

  const ptx::Function* source = nullptr;
  std::vector<Operation> operations;                      // after those of the instructions: a return
  std::vector<OperandPlace> lists;                        // elements of vectors, by Operation::target
  std::vector<CallSite> calls;                            // by Operation::target
  std::vector<std::vector<std::uint32_t>> branch_tables;  // by Operation::target: operations
  std::vector<MatrixProduct> products;                    // by Operation::target
  std::vector<std::byte> constants;                       // 32 lanes each
  std::vector<Special> specials;
  std::vector<OperandPlace> register_places;  // by Function::registers
  // Of a kernel: what must have its initial value again in a warp's next block. A block does not read the rest before
  // it has written it, or never writes it.
  struct Area {
    OperandPlace begin = 0;
    std::uint32_t bytes = 0;
  };
  std::vector<Area> restored;
  std::uint32_t constant_operations = 0;  // the first ones, which set constants of the launch
  bool has_convergence_barriers = false;  // of machine code: paths do not meet elsewhere
  std::uint32_t register_bytes = 0;
  std::uint32_t parameter_bytes = 0;   // per lane: parameters, results and those of calls
  std::uint32_t local_bytes = 0;       // per thread
  OperandPlace stack_mark = kNoPlace;  // for functions that allocate from the stack: see operations_stack.cc
  // Places of the function's own parameters and results in its parameter area, or in registers.
  std::vector<CallSite::Argument> parameters;
  std::vector<CallSite::Argument> results;

  // Its translation to the host's instructions. Never null.
  std::shared_ptr<HostTranslation> translation;

  // Of a call: its registers, then its parameter area.
  std::size_t frame_bytes() const { return register_bytes + std::size_t{parameter_bytes} * kWarpSize; }
  const std::byte* constants_end() const { return constants.data() + constants.size(); }
  std::uint32_t end() const { return static_cast<std::uint32_t>(operations.size()) - 1; }
};

}  // namespace warpsim
