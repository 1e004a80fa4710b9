// Names on standard error what the host program does wrong with device memory before it dies of it: the addresses of
// device memory are reserved in the process, so that reading or writing them there is a segmentation fault, as with a
// GPU. The same holds for managed memory that was freed (closed_pages.h).
//
// The program's own handling of SIGSEGV stays: what was installed before gets every fault, after it was named; what the
// program installs later takes this handler's place. Pinned and registered memory is not concerned.
#pragma once

#include <csignal>
#include <cstddef>

#include "base/types.h"
#include "emulator/device_memory.h"

namespace warpsim::cuda {

class HostFaults {
 public:
  // From now on faults at the device's addresses are named. To be called again when it has got managed memory. The
  // process's context holds this object.
  void watch(const DeviceMemory& memory);
  // The addresses are not the device's any more.
  void stop() { device_ = managed_ = {}; }

  // For the handler.
  bool covers(Address address) const {
    return address - device_.begin < device_.bytes || address - managed_.begin < managed_.bytes;
  }
  void name(Address address);
  void hand_on(int signal, siginfo_t* info, void* machine, bool named);

 private:
  DeviceMemory::Reserved device_;
  DeviceMemory::Reserved managed_;
  struct sigaction previous_ = {};
  bool installed_ = false;
};

// The line that names an access of the host at the address; returns its length, which is below `size`. Allocates
// nothing.
std::size_t describe_host_fault(const DeviceMemory* memory, Address address, char* text, std::size_t size);

}  // namespace warpsim::cuda
