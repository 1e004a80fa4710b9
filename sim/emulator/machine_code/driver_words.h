// The words that the driver stores in constant bank 0 before the parameters, from 7.0 to 9.0: dimensions, windows of
// generic addresses, the end of the stack, sizes of clusters. Their places: section 12 of the CUDA binary utilities'
// ABI as compiled code shows it (own experiments with code for 7.5 to 9.0).
#pragma once

#include <cstdint>
#include <string>

#include "emulator/machine_code/lifted_module.h"

namespace warpsim {

class DriverWords {
 public:
  // Both outlive this; with `stack_grows` the end of the kernel's stack is only known when it is launched.
  DriverWords(const MachineModule& module, const MachineKernel& kernel, bool stack_grows)
      : architecture_(module.architecture),
        has_constants_(!module.constants.empty()),
        kernel_(kernel),
        stack_grows_(stack_grows) {}

  // The PTX that sets a register to the word at this offset; empty if it is not known.
  std::string set(const std::string& name, std::int64_t offset) const;

 private:
  std::uint32_t architecture_;
  bool has_constants_;  // bank 3
  const MachineKernel& kernel_;
  bool stack_grows_;
};

}  // namespace warpsim
