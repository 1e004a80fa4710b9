// The machine code of a PTX kernel for its blocks: the machine instructions of each operation, and which of them access
// memory.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/machine_code.h"
#include "emulator/code/kernel_image.h"
#include "frontend/ptx/constant_offsets.h"

namespace warpsim {

class PtxCode {
 public:
  // `kernel` outlives it. The code must be of that kernel.
  PtxCode(const KernelImage& kernel, MachineCode machine);

  const MachineCode& machine() const { return machine_; }
  // The machine instructions of a function's operations, by operation.
  const MachinePlace* places(const FunctionCode& function) const {
    return machine_.places[static_cast<std::size_t>(function.source - functions_)].data();
  }
  // Which threads execute a machine instruction: those of its operation, all of the split that arrives, or none.
  enum class Executors : std::uint8_t { kOwn, kAll, kNobody };
  Executors executors(std::uint32_t instruction) const { return executors_[instruction]; }
  bool is_entry(const FunctionCode& function) const { return &function == entry_; }

  // The part of its operation's memory that a machine instruction accesses: one of `parts` equal parts. 0: nothing.
  struct Access {
    std::uint16_t part = 0;
    std::uint16_t parts = 0;
    MemorySpace space = MemorySpace::kNone;
    bool by_rows = false;  // LDSM
  };
  const Access& access(std::uint32_t instruction) const { return accesses_[instruction]; }
  const ConstantOffsets& constants() const { return constants_; }
  // Whether the kernel has barriers in shared memory or bulk copies (PtxBarriers).
  bool has_shared_barriers() const { return has_barriers_; }
  // The maximum of parts of an operation's access.
  std::uint32_t most_parts() const { return most_parts_; }

 private:
  void find_accesses(const MachinePlace& place);

  MachineCode machine_;
  ConstantOffsets constants_;
  const FunctionCode* entry_;
  const ptx::Function* functions_;    // of the module
  std::vector<Access> accesses_;      // by machine instruction
  std::vector<Executors> executors_;  // by machine instruction
  std::uint32_t most_parts_ = 0;
  bool has_barriers_ = false;
};

}  // namespace warpsim
