// The contents of an L2 slice: tags, valid bytes and dirty sectors, without any timing.
//
// Modelled: write-allocate with write-validate (a written sector needs no fill; of a partly written one the bytes are
// known), write-back of dirty sectors on replacement, a limit on dirty lines per set.
// Evidence: transposed 4-byte writes cause no DRAM reads, while 4 bytes of every 64 written over more than L2 cause one
// sector read per sector (public.csv transpose, extra.csv bigwrite); L2 ends a 96 MB fill with 27 MB dirty.
// Invariant: a sector is valid or partial or neither, never both; only valid or partial sectors are dirty.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "memory/l2_config.h"
#include "memory/mem_message.h"
#include "memory/tag_array.h"

namespace warpsim {

class L2Store {
 public:
  explicit L2Store(const L2Config& config);

  // Dirty sectors that must go to DRAM. Those in `incomplete` were written in part and must first be read.
  struct Writeback {
    Address line = 0;
    std::uint8_t sectors = 0;
    std::uint8_t incomplete = 0;
  };
  // What making room cost: up to one write-back of the line replaced and one of a line cleaned.
  struct Consequence {
    bool evicted = false;
    std::uint8_t count = 0;
    std::array<Writeback, 2> writebacks{};
  };

  // Where a line is, and its valid sectors. Changes nothing, so that a lookup may be repeated.
  struct Lookup {
    std::uint32_t slot = TagArray::kNoSlot;
    std::uint8_t valid = 0;
  };
  Lookup look_up(std::uint64_t line_number, Address line) const;
  // The lookup counts as a use.
  void touch(const Lookup& lookup) {
    if (lookup.slot != TagArray::kNoSlot) {
      tags_.touch(lookup.slot);
    }
  }
  // Sectors arrived from below. `keep` false: a new line is replaced first.
  Consequence fill(std::uint64_t line_number, Address line, std::uint8_t sectors, bool keep);
  // A write, at home (`dirty`) or as a copy.
  Consequence write(std::uint64_t line_number, const MemRequest& request, bool dirty);
  // An atomic has changed valid sectors.
  Consequence make_dirty(std::uint64_t line_number, Address line, std::uint8_t sectors);
  // Sectors of a copy are out of date.
  void forget(std::uint64_t line_number, Address line, std::uint8_t sectors);

  // Empties the store; returns the number of dirty sectors there were.
  std::uint64_t clear();

 private:
  std::uint32_t obtain(std::uint32_t set, Address line, bool keep, Consequence& consequence);
  void mark_dirty(std::uint32_t set, std::uint32_t slot, std::uint8_t sectors, Consequence& consequence);
  void clean(std::uint32_t slot, Consequence& consequence);

  TagArray tags_;
  std::uint32_t max_dirty_ways_;
  std::vector<std::array<std::uint32_t, kSectorsPerLine>> bytes_;  // known bytes of partial sectors, by slot
};

}  // namespace warpsim
