#include "emulator/operations/operation_table.h"

#include <algorithm>

namespace warpsim {

Binder find_binder(std::string_view opcode) {
  for (const auto& family : {arithmetic_operations(), asynchronous_operations(), atomic_operations(),
                             machine_operations(), matrix_move_operations(), matrix_operations(), control_operations(),
                             data_operations(), memory_operations(), policy_operations(), stack_operations(),
                             surface_operations(), texture_operations(), warp_operations(), warpgroup_operations()}) {
    const auto found = std::ranges::find(family, opcode, &OpcodeBinder::opcode);
    if (found != family.end()) {
      return found->bind;
    }
  }
  return nullptr;
}

}  // namespace warpsim
