// Observes a warp's accesses to memory while its operations are executed, for checks. Most launches have
// none; the cost is then one test per operation that accesses memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/operations/operation.h"

namespace warpsim {

class BlockMemory;

struct ObservedAccess {
  std::byte* data = nullptr;
  Address address = 0;           // global: the program's address; shared: offset; others: 0
  BlockMemory* block = nullptr;  // shared memory: its owner
  std::uint32_t bytes = 0;
  std::uint32_t lane = 0;
  ptx::StateSpace space = ptx::StateSpace::kGlobal;  // global, shared or local
  bool reads = false;
  bool writes = false;
};

class MemoryObserver {
 public:
  virtual ~MemoryObserver() = default;
  // A lane is about to access these bytes; the access happens before its operation ends.
  virtual void accessed(const ObservedAccess& access) = 0;
};

}  // namespace warpsim
