// Reports invalid accesses of the host program to device memory on stderr before they end it: the addresses of device
// memory are reserved in the process, so that reading or writing them is a segmentation fault, as with a GPU. The same
// applies to managed memory that was freed (closed_pages.h).
//
// The program's own SIGSEGV handlers work: a handler that was installed before receives every fault after the report;
// one that the program installs later replaces this handler. Pinned and registered memory is not affected.
#pragma once

#include <csignal>
#include <cstddef>

#include "base/types.h"
#include "emulator/memory/device_memory.h"

namespace warpsim::cuda {

class HostFaults {
 public:
  // From now on faults at the device's addresses are reported. Call it again when the device has managed memory. The
  // process's context holds this object.
  void watch(const DeviceMemory& memory);
  // The addresses no longer belong to the device.
  void stop() { device_ = managed_ = reserved_ = {}; }

  // For the handler.
  bool covers(Address address) const {
    return address - device_.begin < device_.bytes || address - managed_.begin < managed_.bytes ||
           address - reserved_.begin < reserved_.bytes;
  }
  void name(Address address);
  void hand_on(int signal, siginfo_t* info, void* machine, bool named);

 private:
  DeviceMemory::Reserved device_;
  DeviceMemory::Reserved managed_;
  DeviceMemory::Reserved reserved_;  // by the program
  struct sigaction previous_ = {};
  bool installed_ = false;
};

// The line that reports an access of the host at the address; returns its length, which is below `size`. Does not
// allocate.
std::size_t describe_host_fault(const DeviceMemory* memory, Address address, char* text, std::size_t size);

}  // namespace warpsim::cuda
