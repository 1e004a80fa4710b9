// The host program's accesses to managed memory: which pieces it has touched since the last call that were not in its
// memory, and whether it has changed pieces that have copies.
//
// A program is not interrupted by what it touches (emulator/memory/touched_pages.h): it is looked up at the beginning
// of its next call, and takes its time then. An access to a piece that a kernel uses at the same time is therefore seen
// late. State: which pieces the program accesses without being seen; contents of pieces with copies, as hashes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "device/managed/managed_memory.h"
#include "emulator/memory/touched_pages.h"
#include "memory/remote/managed_pages.h"

namespace warpsim::cuda {

class HostTouches {
 public:
  // The emulator's bytes of a piece, or null if it belongs to no allocation.
  using BytesOf = std::function<const std::byte*(std::uint64_t piece)>;
  HostTouches(const ManagedPages& pages, BytesOf bytes_of) : pages_(pages), bytes_of_(std::move(bytes_of)) {}

  // The piece is no longer the host's alone: what the program does with it is to be seen.
  void watch(std::uint64_t piece);
  // At the end of each call.
  void call_ends() { faults_ = TouchedPages::faults(); }
  // At the beginning of a call: what the program has touched of allocations, in the order of addresses.
  std::vector<ManagedMemory::Touch> look(const ManagedRanges& ranges);
  bool works() const { return touched_.works(); }

 private:
  std::uint64_t hash_of(std::uint64_t piece) const;

  const ManagedPages& pages_;
  BytesOf bytes_of_;
  TouchedPages touched_;
  std::uint64_t faults_ = 0;
  std::map<std::uint64_t, std::uint64_t> copied_;  // pieces with copies: hash of the contents
};

}  // namespace warpsim::cuda
