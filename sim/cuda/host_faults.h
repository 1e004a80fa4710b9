// Reports invalid accesses of the host program to device memory on stderr before they end it: the addresses of device
// memory are reserved in the process, so that reading or writing them is a segmentation fault, as with a GPU.
//
// The program's own SIGSEGV handlers work: a handler that was installed before receives every fault after the report;
// one that the program installs later replaces this handler. Managed, pinned and registered memory is not affected.
#pragma once

#include <csignal>
#include <cstddef>

#include "base/types.h"
#include "emulator/device_memory.h"

namespace warpsim::cuda {

class HostFaults {
 public:
  // From now on faults in the range are reported. The process's context holds this object.
  void watch(const DeviceMemory::Reserved& range);
  // The range no longer belongs to the device.
  void stop() { range_ = {}; }

  // For the handler.
  bool covers(Address address) const { return address - range_.begin < range_.bytes; }
  void name(Address address);
  void hand_on(int signal, siginfo_t* info, void* machine, bool named);

 private:
  DeviceMemory::Reserved range_;
  struct sigaction previous_ = {};
  bool installed_ = false;
};

// The line that reports an access of the host at the address; returns its length, which is below `size`. Does not
// allocate.
std::size_t describe_host_fault(const DeviceMemory* memory, Address address, char* text, std::size_t size);

}  // namespace warpsim::cuda
