// The instructions that compilers put before asynchronous copies to shared memory (LDGSTS), so that these do not
// overtake earlier accesses: three loads from shared memory that no thread executes (@!PT LDS).
//
// Evidence: code that ptxas 13.0 makes for sm_80, sm_86, sm_89, sm_90 and sm_100 of kernels with one access, barrier,
// shuffle, fence or branch between two copies. Before 9.0 the compiler knows that nothing precedes a kernel's first
// instructions; from 9.0 on it knows nothing at the beginning of any block.
#pragma once

#include <cstdint>

#include "codegen/machine_instruction.h"

namespace warpsim::codegen {

inline constexpr const char* kNobody = "@!PT";  // guard of instructions that no thread executes

class CopyFillers {
 public:
  explicit CopyFillers(std::uint32_t architecture);

  // `is_target`: branches lead here.
  void begin_block(bool is_target);
  // An instruction of the block, in order.
  void follow(const MachineInstruction& instruction);
  // The number of loads before a copy that is next. Copies after it need none.
  std::uint32_t take();

 private:
  static constexpr std::uint32_t kFillers = 3;

  bool every_block_;  // nothing is known at its beginning
  std::uint32_t missing_ = 0;
};

}  // namespace warpsim::codegen
