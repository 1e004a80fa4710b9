#include "cuda/device_modules.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "core/gpu/gpu_config.h"

namespace warpsim::cuda {

Outcome check_target(const ptx::Module& code, const std::string& file, const std::string& capability,
                     bool force_target) {
  const std::uint32_t own = architecture_of(capability);
  constexpr std::uint32_t kFamily = 10;
  if (code.is_machine_code) {
    const bool fits = code.target <= own && code.target / kFamily == own / kFamily;
    return fits ? Outcome{}
                : Outcome{Failure::kNoBinaryForGpu,
                          fmt::format("{}: machine code for sm_{} does not run on compute capability {}", file,
                                      code.target, capability)};
  }
  const bool fits = code.architecture_specific ? code.target == own : code.target <= own;
  if (fits || force_target) {
    return {};
  }
  return {Failure::kNoBinaryForGpu, fmt::format("{}: PTX for sm_{}{} does not run on compute capability {}", file,
                                                code.target, code.architecture_specific ? "a" : "", capability)};
}

ModuleId DeviceModules::add(std::unique_ptr<ModuleImage> image) {
  images_.push_back(std::move(image));
  return static_cast<ModuleId>(images_.size());
}

Outcome DeviceModules::find_variable(ModuleId module, std::string_view name, VariableInfo& variable) const {
  const ModuleImage& image = *images_[module - 1];
  const std::vector<ptx::Variable>& variables = image.module().variables;
  for (std::uint32_t i = 0; i < variables.size(); ++i) {
    if (variables[i].name == name && image.address_of(i) != 0) {
      variable = {image.address_of(i), variables[i].bytes(), variables[i].managed};
      return {};
    }
  }
  for (const ptx::VariablePart& part : image.module().parts) {
    if (part.name == name) {
      Outcome found = find_variable(module, part.variable, variable);
      variable = {variable.address + part.offset, part.bytes, false};
      return found;
    }
  }
  return {Failure::kNotFound, fmt::format("{}: there is no variable {}", image.module().file, name)};
}

}  // namespace warpsim::cuda
