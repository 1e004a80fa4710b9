// Location of shared and local memory in the generic address space of the emulator: above all host addresses, so that
// one comparison distinguishes them from global memory.
#pragma once

#include "base/types.h"

namespace warpsim {

// Offsets in shared memory have 24 bits; above them is the rank in the cluster plus one, 0 for the block's own.
inline constexpr std::uint32_t kSharedOffsetBits = 24;
inline constexpr Address kWindowBytes = Address{1} << 32U;
inline constexpr Address kSharedWindow = Address{1} << 48U;
inline constexpr Address kLocalWindow = kSharedWindow + kWindowBytes;
inline constexpr Address kParameterWindow = kLocalWindow + kWindowBytes;     // of kernels
inline constexpr Address kFunctionWindow = kParameterWindow + kWindowBytes;  // addresses of functions

constexpr bool is_in(Address window, Address address) {
  return address - window < kWindowBytes;
}

}  // namespace warpsim
