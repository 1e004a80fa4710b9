// From addresses of the emulator's constant memory and parameters to offsets in the constant banks, as the machine's
// constant caches see them.
//
// Variables of PTX lie one after another in bank 3, as its generated code assumes (codegen/constant_places.h); machine
// code has a variable for each bank. Source of the parameters' place: the same.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "emulator/code/kernel_image.h"
#include "ptx/module.h"

namespace warpsim {

class ConstantOffsets {
 public:
  // The kernel's variables; `architecture`: of its code, 90 for 9.0.
  ConstantOffsets(const KernelImage& kernel, std::uint32_t architecture);
  // Of an address in constant memory or, with StateSpace::kParameter, of one in the parameters. Of an address that no
  // variable has: its low bits.
  Address offset_of(ptx::StateSpace space, Address address) const;

 private:
  struct Variable {
    Address begin = 0;
    Address end = 0;
    Address offset = 0;  // of the first byte
  };
  Address parameters_;
  std::vector<Variable> variables_;  // by address
};

}  // namespace warpsim
