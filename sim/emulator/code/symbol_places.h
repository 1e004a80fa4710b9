// Places of the symbols of a kernel, while its functions are decoded.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "emulator/code/module_image.h"

namespace warpsim {

struct SymbolPlaces {
  const ModuleImage* module = nullptr;
  std::uint32_t entry = 0;
  // Offsets in shared memory, by number of the module's variable, and by function and number of its own.
  std::vector<std::uint32_t> shared;
  std::vector<std::vector<std::uint32_t>> own_shared;
};

}  // namespace warpsim
