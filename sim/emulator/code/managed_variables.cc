#include "emulator/code/managed_variables.h"

#include "emulator/memory/device_memory.h"

namespace warpsim {

ManagedVariables::~ManagedVariables() {
  for (const auto& [name, place] : places_) {
    place.memory->release(place.address);
  }
}

Address ManagedVariables::find(const std::string& name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? 0 : found->second.address;
}

void ManagedVariables::add(const std::string& name, DeviceMemory& memory, Address address) {
  places_[name] = {&memory, address};
}

}  // namespace warpsim
