// Launches a kernel of PTX on the emulator like a device, and keeps its messages: for tests of memory, calls and
// launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "emulator/execution/launch_context.h"
#include "emulator/memory/device_memory.h"

namespace warpsim::test {

// The body of "kernel(.param .u64 out, .param .u64 in)" begins in line 2 of test.ptx. It finds the addresses of two
// allocations of 4096 bytes of zeros in %out and %in, tid.x in %t, and registers %p, %h (16 bits), %r, %f, %rd, %d and
// %w (128 bits), eight of each. `declarations` precede the kernel, in line 1.
class PtxLaunch {
 public:
  static constexpr std::uint64_t kBytes = 4096;

  static constexpr std::uint64_t kCapacity = std::uint64_t{1} << 24U;

  explicit PtxLaunch(std::string body, std::string declarations = {}, std::uint64_t capacity = kCapacity);

  // Throws PtxError and KernelFault.
  void run();
  // The text of the expected fault.
  std::string fault();

  template <class T>
  void set_input(std::size_t index, T value) {
    std::memcpy(memory.host(in, kBytes) + index * sizeof(T), &value, sizeof(T));
  }
  template <class T>
  void set_output(std::size_t index, T value) {
    std::memcpy(memory.host(out, kBytes) + index * sizeof(T), &value, sizeof(T));
  }
  template <class T>
  T output(std::size_t index) const {
    T value;
    std::memcpy(&value, memory.host(out, kBytes) + index * sizeof(T), sizeof(T));
    return value;
  }
  template <class T>
  std::vector<T> outputs(std::size_t count) const {
    std::vector<T> values(count);
    std::memcpy(values.data(), memory.host(out, kBytes), count * sizeof(T));
    return values;
  }

  DeviceMemory memory;
  Address out;
  Address in;
  LaunchContext launch;  // one thread, unless a test changes it
  std::uint32_t resident_blocks = 1;
  std::string printed;
  std::vector<std::string> warnings;         // of the emulator
  std::vector<std::uint32_t> warning_lines;  // their lines

 private:
  std::string text_;
};

}  // namespace warpsim::test
