#include "cuda/device/device_modules.h"

#include <fmt/format.h>

#include <utility>

namespace warpsim::cuda {

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

std::vector<std::string> DeviceModules::kernel_names(ModuleId module) const {
  std::vector<std::string> names;
  for (const ptx::Function& function : image(module).module().functions) {
    if (function.is_entry) {
      names.emplace_back(function.name);
    }
  }
  return names;
}

}  // namespace warpsim::cuda
