// The managed variables of code that several GPUs have loaded: each variable exists once, and the images on all GPUs
// refer to it. It is placed by the first image, and exists as long as one of them.
#pragma once

#include <map>
#include <string>

#include "base/types.h"

namespace warpsim {

class DeviceMemory;

class ManagedVariables {
 public:
  ManagedVariables() = default;
  ~ManagedVariables();
  ManagedVariables(const ManagedVariables&) = delete;
  ManagedVariables& operator=(const ManagedVariables&) = delete;

  // 0: it was not placed yet.
  Address find(const std::string& name) const;
  // Releases it from `memory` at the end.
  void add(const std::string& name, DeviceMemory& memory, Address address);

 private:
  struct Place {
    DeviceMemory* memory = nullptr;
    Address address = 0;
  };
  std::map<std::string, Place> places_;
};

}  // namespace warpsim
