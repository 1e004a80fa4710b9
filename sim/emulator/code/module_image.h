// A PTX module whose variables have addresses in device memory and initial values.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "emulator/code/managed_variables.h"
#include "emulator/memory/device_memory.h"
#include "ptx/module.h"

namespace warpsim {

class ModuleImage {
 public:
  // Throws PtxError if a variable is external or wrongly initialised, std::bad_alloc if memory is too small. `managed`:
  // the managed variables of the same code on other GPUs, which are used and extended; null: there are no others.
  ModuleImage(std::unique_ptr<ptx::Module> module, DeviceMemory& memory,
              std::shared_ptr<ManagedVariables> managed = nullptr);
  // A kernel of machine code (ptx::KernelSource), whose variables are those of `variables` by their names; they stay
  // there. Throws PtxError if there is none of a name.
  ModuleImage(std::unique_ptr<ptx::Module> kernel, const ModuleImage& variables);
  ~ModuleImage();
  ModuleImage(const ModuleImage&) = delete;
  ModuleImage& operator=(const ModuleImage&) = delete;

  const ptx::Module& module() const { return *module_; }
  // For transformations of functions that no kernel has been decoded with.
  ptx::Module& module() { return *module_; }
  // For a variable in global or constant memory, 0 otherwise.
  Address address_of(std::uint32_t variable) const { return addresses_[variable]; }
  // For variables that a function declares in its body, in global or constant memory, by Function::variables.
  Address address_of(std::uint32_t function, std::uint32_t variable) const {
    return local_addresses_[function][variable];
  }

  // The value of a function's address in programs; that of a kernel only serves launches from kernels.
  Address function_address(std::uint32_t function) const;
  // -1 if it is not the address of a function that can be called.
  std::int32_t function_at(Address address) const;

 private:
  Address place(const ptx::Variable& variable);
  Address place_managed(const ptx::Variable& variable);
  void initialise(const ptx::Variable& variable, Address address);

  std::unique_ptr<ptx::Module> module_;
  DeviceMemory* memory_;  // null: the variables are those of another image
  std::shared_ptr<ManagedVariables> managed_;
  std::set<Address> not_own_;       // of variables that `managed_` releases
  std::set<Address> known_before_;  // of those, which have their initial values already
  std::vector<Address> addresses_;
  std::vector<std::vector<Address>> local_addresses_;
};

}  // namespace warpsim
