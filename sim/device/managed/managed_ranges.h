// The allocations of managed memory and the advice that the program gave for them.
//
// Advice is kept by pieces (memory/remote/managed_pages.h), the smallest region that moves. State: which pieces belong
// to allocations; their advice.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/types.h"
#include "device/managed/prefetch_tree.h"
#include "memory/remote/managed_pages.h"

namespace warpsim {

// What a program says about pages (cudaMemAdvise).
struct PageAdvice {
  bool read_mostly = false;                      // readers get copies
  std::optional<std::uint32_t> preferred = {};   // the processor in whose memory they stay
  ManagedPages::Processors accessed_by = 0;      // that access them wherever they are
  std::optional<std::uint32_t> prefetched = {};  // where the last prefetch sent them
};

class ManagedRanges {
 public:
  explicit ManagedRanges(const ManagedPages& pages) : pages_(pages) {}

  void add(Address begin, std::uint64_t bytes);
  void remove(Address begin);

  // Pieces: their numbers, as ManagedPages counts them.
  struct Span {
    std::uint64_t first = 0;
    std::uint64_t end = 0;  // after the last one
  };
  Span span_of(Address begin, std::uint64_t bytes) const;
  // Of the allocation that holds an address; empty if none does.
  Span allocation_at(Address address) const;
  std::vector<Span> allocations() const;
  // Which pieces of a block belong to allocations.
  PieceMask existing(std::uint64_t block) const;

  const PageAdvice& advice(std::uint64_t piece) const;
  // To be changed.
  PageAdvice& advice_of(std::uint64_t piece);

 private:
  const ManagedPages& pages_;
  std::map<Address, std::uint64_t> ranges_;  // begin, bytes
  std::vector<PieceMask> existing_;          // by block
  std::vector<PageAdvice> advice_;           // by piece
};

}  // namespace warpsim
