#include "frontend/ptx/constant_offsets.h"

#include <algorithm>

#include "codegen/constant_places.h"

namespace warpsim {

ConstantOffsets::ConstantOffsets(const KernelImage& kernel, std::uint32_t architecture)
    : parameters_(codegen::parameters_offset(architecture)) {
  const ModuleImage& image = kernel.module();
  const ptx::Module& module = image.module();
  for (std::uint32_t i = 0; i < module.variables.size(); ++i) {
    const ptx::Variable& variable = module.variables[i];
    if (variable.space == ptx::StateSpace::kConstant) {
      const Address begin = image.address_of(i);
      const Address offset = kernel.is_machine_code() ? 0 : codegen::constant_variable_offset(module, i);
      variables_.push_back({begin, begin + variable.bytes(), offset});
    }
  }
  std::ranges::sort(variables_, {}, &Variable::begin);
}

Address ConstantOffsets::offset_of(ptx::StateSpace space, Address address) const {
  if (space == ptx::StateSpace::kParameter) {
    return parameters_ + address;
  }
  const auto behind = std::ranges::upper_bound(variables_, address, {}, &Variable::begin);
  if (behind == variables_.begin() || address >= std::prev(behind)->end) {
    return address;
  }
  return std::prev(behind)->offset + (address - std::prev(behind)->begin);
}

}  // namespace warpsim
