// The objects of a launch file on a device: buffers, module variables, textures; and parameters that refer to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/launch_file/launch_file.h"
#include "cuda/device/device.h"

namespace warpsim {

class LaunchMemory {
 public:
  // Allocates and fills everything, in the order of the file. Throws UserError: not enough memory, unknown variable, a
  // texture larger than its buffer or not possible on the device. `file` and `device` outlive it.
  LaunchMemory(const LaunchFile& file, cuda::Device& device, cuda::ModuleId module);

  // The parameter buffer of a launch. Throws UserError if number or sizes differ from the kernel's parameters.
  std::vector<std::byte> parameters(const KernelLaunchRequest& launch, const cuda::KernelInfo& kernel) const;

  // Bytes of a buffer.
  const std::byte* buffer(const std::string& name) const;
  cuda::VariableInfo variable(const std::string& name, const ConfigOrigin& origin) const;
  const std::byte* host(Address address, std::uint64_t bytes) const { return device_.memory().host(address, bytes); }

 private:
  void add(const LaunchBuffer& buffer);
  void set(const LaunchVariable& variable);
  void add(const LaunchTexture& texture);
  void copied(Address address, std::uint64_t bytes);

  const LaunchFile& file_;
  cuda::Device& device_;
  cuda::ModuleId module_;
  std::map<std::string, Address> buffers_;
  std::map<std::string, std::uint64_t> textures_;  // objects
};

}  // namespace warpsim
