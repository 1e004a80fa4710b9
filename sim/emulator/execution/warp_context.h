// The state of a warp that a handler can access.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/types.h"
#include "emulator/execution/fault.h"
#include "emulator/memory/recent_allocations.h"
#include "emulator/operations/lanes.h"
#include "emulator/operations/operation.h"

namespace warpsim {

class BlockMemory;
class MemoryObserver;
class SmEffects;
struct FunctionCode;
struct MatrixProduct;
struct LaunchContext;

using LaneValues = std::array<Address, kWarpSize>;

class WarpContext {
 public:
  template <class T>
  LaneWord<T>* write(OperandPlace place) {
    return reinterpret_cast<LaneWord<T>*>(registers + place);
  }
  template <class T>
  const LaneWord<T>* read(OperandPlace place) const {
    return reinterpret_cast<const LaneWord<T>*>((place >= 0 ? registers : constants_end) + place);
  }
  LaneMask predicate(OperandPlace place) const {
    return *reinterpret_cast<const LaneMask*>((place >= 0 ? registers : constants_end) + place);
  }
  // Sets the lanes of the mask to `value`'s bits.
  void set_predicate(OperandPlace place, LaneMask lanes, LaneMask value) {
    auto* const mask = reinterpret_cast<LaneMask*>(registers + place);
    *mask = (*mask & ~lanes) | (value & lanes);
  }

  const MatrixProduct& product(std::uint32_t number) const;  // of the running function
  // Throws KernelFault; `lane` is the first affected one.
  [[noreturn]] void fault(FaultKind kind, const Operation& operation, std::uint32_t lane,
                          const std::string& what) const;
  // A suspicious operation that does not end the kernel; reported once per line.
  void warn(const Operation& operation, std::uint32_t lane, const std::string& what) const;
  // Of a launch that tolerates it: the operation does what CUDA does not allow; reported once per line.
  void note_tolerated(const Operation& operation, std::uint32_t lane, const std::string& what) const;
  Dim3 thread(std::uint32_t lane) const;  // its threadIdx

  std::byte* registers = nullptr;                        // of the running call
  const std::byte* constants_end = nullptr;              // of the running function
  const FunctionCode* code = nullptr;                    // the running function
  const OperandPlace* lists = nullptr;                   // of the running function
  std::byte* parameters = nullptr;                       // its parameter area, 32 consecutive lanes
  std::uint32_t parameter_bytes = 0;                     // per lane
  std::uint32_t local_base = 0;                          // of its local variables, in each lane's local memory
  std::array<std::uint32_t, kWarpSize> stack_used = {};  // bytes at the end of each lane's local memory
  std::uint32_t index = 0;                               // of the warp in its block
  LaneMask present = kAllLanes;                          // lanes that are threads of the block
  Cycle now = 0;
  Cycle time_step = 0;   // without time: how much of it the next read of a loop that awaits it makes pass; 0: none
  Cycle held_until = 0;  // by calls of the device runtime (see held_until() there) and of the driver
  bool awaits_launches = false;  // the warp may wait for grids that its block has launched
  RecentAllocations recent;
  MemoryObserver* observer = nullptr;  // of the running operation's accesses; null: none
  SmEffects* effects = nullptr;        // what the SM sees and changes; null: memory as it is
  bool rehearsing = false;             // the executed operations are undone: nothing is reported
  BlockMemory* block = nullptr;
  const LaunchContext* launch = nullptr;
};

}  // namespace warpsim
