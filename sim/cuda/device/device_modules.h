// The modules that are loaded on a simulated device.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/device/device.h"
#include "emulator/code/module_image.h"

namespace warpsim::cuda {

class DeviceModules {
 public:
  ModuleId add(std::unique_ptr<ModuleImage> image);
  void remove(ModuleId module) { images_[module - 1].reset(); }
  const ModuleImage& image(ModuleId module) const { return *images_[module - 1]; }
  ModuleImage& image(ModuleId module) { return *images_[module - 1]; }
  // Of a kernel of machine code that cannot be executed; empty if there is none. All kernels are translated.
  std::string refusal(ModuleId module) const {
    const ptx::KernelSource* const source = image(module).module().kernel_source.get();
    return source == nullptr ? std::string() : source->refusal();
  }
  // Of the kernels, in the order of the code.
  std::vector<std::string> kernel_names(ModuleId module) const;
  // A variable in global or constant memory, or a named part of one. Fails with kNotFound.
  Outcome find_variable(ModuleId module, std::string_view name, VariableInfo& variable) const;

 private:
  std::vector<std::unique_ptr<ModuleImage>> images_;  // by id - 1
};

}  // namespace warpsim::cuda
