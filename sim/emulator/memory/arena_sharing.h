// The pages of an arena that other processes may map, and pages of others in an arena.
//
// Shared pages are moved to an anonymous file (shared_pages.h) in which each has the offset that it has in the arena,
// so that one descriptor serves all allocations. A page that was shared once stays in the file. Modelled: CUDA shares
// the whole block that holds an allocation; here it is the pages of the host that hold it, with what else is in
// them. Invariant: the file has bytes only for shared pages.
#pragma once

#include <cstdint>
#include <map>

#include "base/types.h"
#include "emulator/memory/memory_arena.h"
#include "emulator/memory/shared_pages.h"

namespace warpsim {

class ArenaSharing {
 public:
  // The arena outlives it. Throws std::bad_alloc.
  explicit ArenaSharing(const MemoryArena& arena) : arena_(arena), pages_(arena.bytes()) {}

  // The pages that hold these bytes are in the file afterwards, with their contents, and at the same place of the host.
  // Throws std::bad_alloc.
  void share(Address begin, std::uint64_t bytes);
  bool is_shared(Address byte) const;
  // After MemoryArena::clear(): whole pages of the file are also zero, and given back to the system.
  void clear(Address begin, std::uint64_t bytes);

  int descriptor() const { return pages_.descriptor(); }
  std::uint64_t offset_of(Address byte) const { return byte - arena_.begin(); }

 private:
  void move(Address begin, std::uint64_t bytes);

  const MemoryArena& arena_;
  SharedPages pages_;
  std::map<Address, Address> ranges_;  // shared pages: end by begin
};

// Pages of another process in an arena; `begin` and `offset` are multiples of a page. Returns false if that is not
// possible.
bool put_foreign_pages(const MemoryArena& arena, Address begin, const SharedPages& pages, std::uint64_t offset,
                       std::uint64_t bytes);
// Again pages of the arena itself, with zeros.
void put_own_pages(const MemoryArena& arena, Address begin, std::uint64_t bytes);

}  // namespace warpsim
