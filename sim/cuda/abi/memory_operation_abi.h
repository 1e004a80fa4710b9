// The driver's structures of operations on values in memory.
#pragma once

#include <cstdint>

namespace warpsim::cuda::abi {

// CUDA's numbers of operations.
inline constexpr int kWaitValue32 = 1;
inline constexpr int kWriteValue32 = 2;
inline constexpr int kFlushWrites = 3;
inline constexpr int kWaitValue64 = 4;
inline constexpr int kWriteValue64 = 5;
inline constexpr int kMemoryBarrier = 6;

union MemoryOperation {
  int type;
  struct {
    int type;
    std::uint64_t address;
    std::uint64_t value;  // of 32-bit operations the low half
    unsigned flags;
    std::uint64_t alias;
  } value;
  struct {
    int type;
    unsigned flags;
  } plain;  // flush, barrier
  std::uint64_t words[6];
};
struct BatchNodeParameters {
  void* context;
  unsigned count;
  MemoryOperation* operations;
  unsigned flags;
};

}  // namespace warpsim::cuda::abi
