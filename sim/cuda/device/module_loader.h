// Makes code executable: PTX, PTX units that are linked, machine code, PTX that NVIDIA's assembler compiles first.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "codegen/compile_target.h"
#include "core/gpu/gpu_config.h"
#include "cuda/code/ptxas.h"
#include "cuda/device/device.h"
#include "emulator/code/module_image.h"
#include "emulator/memory/device_memory.h"
#include "ptx/module.h"

namespace warpsim::cuda {

class ModuleLoader {
 public:
  // `memory` outlives this; variables are placed in it.
  ModuleLoader(const GpuConfig& config, const DeviceOptions& options, DeviceMemory& memory);

  // Brings a kernel of PTX, and what it calls, into the form from which its timing is derived, before it is decoded.
  // Nothing without time.
  void optimise(ModuleImage& image, std::uint32_t kernel) const;
  // For which machine code is generated.
  const codegen::CompileTarget& target() const { return target_; }

  // `code`: PTX text or a cubin. `file` is for messages. `managed`: as of ModuleImage.
  using Managed = std::shared_ptr<ManagedVariables>;
  Outcome load(std::string_view code, const std::string& file, const Managed& managed,
               std::unique_ptr<ModuleImage>& image) const;
  // Units of PTX that refer to each other's functions and variables.
  Outcome link(std::span<const std::string> texts, const std::string& file, const Managed& managed,
               std::unique_ptr<ModuleImage>& image) const;

 private:
  template <class Parse>
  Outcome load_parsed(Parse&& parse, const std::string& file, const Managed& managed,
                      std::unique_ptr<ModuleImage>& image) const;
  // Whether the code is for this GPU.
  Outcome check_target(const ptx::Module& code, const std::string& file) const;
  // Whether it has what the code's kernels call.
  Outcome check_calls(const ptx::Module& code, const std::string& file) const;

  std::string capability_;  // "9.0"
  codegen::CompileTarget target_;
  bool force_target_;
  bool is_timed_;  // or recorded: machine code is generated for PTX
  Ptxas ptxas_;
  DeviceMemory& memory_;
};

}  // namespace warpsim::cuda
