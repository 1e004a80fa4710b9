// Somebody who follows a warp's accesses to memory while its operations are executed, for checks. Most launches have
// none, and then nothing of this costs anything but one test an operation that accesses memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/operation.h"

namespace warpsim {

class BlockMemory;

struct ObservedAccess {
  std::byte* data = nullptr;
  Address address = 0;           // global: as the program has it; shared: offset; others: 0
  BlockMemory* block = nullptr;  // of shared memory: whose it is
  std::uint32_t bytes = 0;
  std::uint32_t lane = 0;
  ptx::StateSpace space = ptx::StateSpace::kGlobal;  // global, shared or local
  bool reads = false;
  bool writes = false;
};

class MemoryObserver {
 public:
  virtual ~MemoryObserver() = default;
  // A lane is about to access these bytes; it does before its operation ends.
  virtual void accessed(const ObservedAccess& access) = 0;
};

}  // namespace warpsim
