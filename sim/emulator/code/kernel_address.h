// The values of kernels' addresses in device code, which launches from kernels name their kernel by. They lie in the
// window of functions, above those of functions that can be called.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "emulator/memory/generic_address.h"

namespace warpsim {

inline constexpr Address kKernelsBegin = kFunctionWindow + kWindowBytes / 2;
inline constexpr Address kKernelBytes = 16;  // distance of two kernels

// `function`: the kernel's number in its module.
constexpr Address kernel_address(std::uint32_t function) {
  return kKernelsBegin + kKernelBytes * function;
}

// -1 if it is not the address of a kernel; the module may have fewer functions.
constexpr std::int64_t kernel_at(Address address) {
  const bool is_one = address >= kKernelsBegin && is_in(kFunctionWindow, address) && address % kKernelBytes == 0;
  return is_one ? static_cast<std::int64_t>((address - kKernelsBegin) / kKernelBytes) : -1;
}

}  // namespace warpsim
