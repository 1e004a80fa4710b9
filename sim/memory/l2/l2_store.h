// The contents of an L2 slice: tags, valid bytes and dirty sectors, without any timing.
//
// Modelled: lines that are kept compressed, if a mechanism compresses them (compressed_room.h); write-allocate with
// write-validate (a written sector needs no fill; of a partly written one the bytes are known), write-back of dirty
// sectors on replacement, a limit on dirty lines per set, write-back together with the dirty neighbours of the same
// DRAM rows, a limit on partly written sectors, the oldest of which are completed from DRAM, unless DRAM can be written
// under a mask of bytes; writes that a mechanism sends on at once; lines that persist while others pass through the
// set, in a part of its ways that usual lines may use while no persisting line does, and the oldest of which is
// replaced by one more (tests/hardware/l2_persistence: `kept`, `part.set_aside`, `quarter`). Evidence: transposed
// 4-byte writes cause no DRAM reads, while 4 bytes of every 64 written over more than L2 cause one sector read per
// sector except the last 98,000, and move 1.9 kB per cycle to and from DRAM although neighbouring lines are written at
// very different times (public.csv transpose, extra.csv bigwrite); L2 ends a 96 MB fill with 27 MB dirty. Invariant: a
// sector is valid or partial or neither, never both; only valid or partial sectors are dirty. A line is named by the
// address of its first sector; lines of fewer than 128 bytes share a set with those of the same 128 bytes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"
#include "base/zeroed_array.h"
#include "memory/address_map.h"
#include "memory/caches/line_mechanisms.h"
#include "memory/caches/line_parts.h"
#include "memory/caches/replacement_mechanism.h"
#include "memory/caches/tag_array.h"
#include "memory/grow_queue.h"
#include "memory/l2/compressed_room.h"
#include "memory/l2/l2_config.h"
#include "memory/mem_message.h"

namespace warpsim {

class L2Store {
 public:
  // Map and compression must outlive the store. Counters of a replacement mechanism are added to `parent`.
  L2Store(const L2Config& config, const AddressMap& map, const CompressionMechanism& compression,
          LaunchStatsNode& parent);

  // The launch for which the next changes and uses are.
  void select(LaunchSeat seat) {
    replacement_.select(seat);
    seat_ = seat;
  }

  LineMechanisms& mechanisms() { return mechanisms_; }

  // Sectors that must go to DRAM. Those in `incomplete` were written in part and must first be read; they need not be
  // among those that are written back. `absent`: sectors of the line that the store does not have
  // completely; contains `incomplete`.
  struct Writeback {
    Address line = 0;
    std::uint8_t sectors = 0;
    std::uint8_t incomplete = 0;
    std::uint8_t absent = 0;
  };
  // The effects of a change; the write-backs are valid until the next change.
  struct Consequence {
    std::uint32_t evicted = 0;  // lines that were replaced
    std::span<const Writeback> writebacks;
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
  // A line at home is used with a priority.
  void prioritise(std::uint64_t line_number, const Lookup& lookup, LinePriority priority) {
    if (lookup.slot != TagArray::kNoSlot && priority >= LinePriority::kNormal) [[unlikely]] {
      use_as(tags_.set_of_line_number(line_number), lookup.slot, priority);
    }
  }
  // Sectors arrived from the next level.
  Consequence fill(std::uint64_t line_number, Address line, std::uint8_t sectors, LinePriority priority);
  // A write, at home (`dirty`) or as a copy.
  Consequence write(std::uint64_t line_number, const MemRequest& request, bool dirty);
  // An atomic changed valid sectors.
  Consequence make_dirty(std::uint64_t line_number, Address line, std::uint8_t sectors);

  // --- copies that other partitions have of lines at home ---
  // Of lines that are present; replacing a line at home forgets that there are copies.
  bool copied(const Lookup& lookup) const {
    return lookup.slot != TagArray::kNoSlot && (tags_[lookup.slot].mark & kCopied) != 0;
  }
  void note_copied(const Lookup& lookup) {
    if (lookup.slot != TagArray::kNoSlot) {
      mark(lookup.slot, kCopied);
    }
  }
  // Sectors of a copy are out of date.
  void forget(std::uint64_t line_number, Address line, std::uint8_t sectors);

  // How many sixteenths of the store persisting lines may have; at least one. Those that are present stay.
  void set_aside(std::uint32_t sixteenths) { set_aside_ = sixteenths == 0 ? 1 : sixteenths; }
  // All persisting lines are usual ones from now on.
  void end_persistence();

  // Empties the store; returns the number of dirty sectors there were.
  std::uint64_t clear();

 private:
  // Returns the number of lines that were replaced. `fill`: for sectors that arrive, which is no use of a line that is
  // present.
  std::uint32_t obtain(std::uint32_t set, Address line, LinePriority priority, std::uint32_t& slot, bool fill);
  // --- marks of slots ---
  static constexpr std::uint8_t kPersists = 1;
  static constexpr std::uint8_t kCopied = 2;
  void mark(std::uint32_t slot, std::uint8_t bit) {
    tags_[slot].mark = static_cast<std::uint8_t>(tags_[slot].mark | bit);
  }
  void unmark(std::uint32_t slot, std::uint8_t bit) {
    tags_[slot].mark = static_cast<std::uint8_t>(tags_[slot].mark & ~bit);
  }
  bool persists(std::uint32_t slot) const { return (tags_[slot].mark & kPersists) != 0; }
  // --- persisting lines ---
  // Of a set. The parts of a way are spread over the sets.
  std::uint32_t most_persisting(std::uint32_t set) const { return (tags_.ways() * set_aside_ + set % 16) / 16; }
  // Number of those in a set, and the one that was used before all others except this one: kNoSlot if there is none.
  struct Persisting {
    std::uint32_t count = 0;
    std::uint32_t oldest = TagArray::kNoSlot;
  };
  Persisting persisting_in(std::uint32_t set, std::uint32_t except = TagArray::kNoSlot) const;
  // Lines leave until a set has room for the line, which takes `slot`. Returns their number; the line of the slot is
  // one of them if there is one.
  std::uint32_t make_room(std::uint32_t set, std::uint32_t slot, Address line);
  // The next line to leave a set that has lines, with or without empty slots.
  std::uint32_t next_of_lines(std::uint32_t set) const;
  void remove(std::uint32_t set, std::uint32_t slot);
  // The line of the slot, if there is one, is about to leave.
  void vacate(std::uint32_t slot);
  // The slot to replace in a set with persisting lines, or for one.
  std::uint32_t victim_beside(std::uint32_t set, LinePriority priority) const;
  // kNoSlot: all lines of the set persist.
  std::uint32_t oldest_usual(std::uint32_t set) const;
  // A line is used with a priority, which may make it a persisting line or end that.
  void use_as(std::uint32_t set, std::uint32_t slot, LinePriority priority);
  void mark_dirty(std::uint32_t set, std::uint32_t slot, std::uint8_t sectors);
  // Records sectors of a line at home that were partly written, and completes the oldest beyond the limit.
  void note_partial(Address line, std::uint8_t sectors);
  // What becomes of a write by the mechanism's answer, unless it stays to be written back.
  Consequence write_past(std::uint64_t line_number, const MemRequest& request, mechanism::WriteWay way);
  mechanism::WriteWay way_of(std::uint64_t line_number, const MemRequest& request);
  // The bytes of a write are known from now on. Returns the sectors that are partly known and were not before.
  std::uint8_t merge(std::uint32_t slot, const MemRequest& request);
  void leave(std::uint32_t slot);
  void clean(std::uint32_t slot);
  // With the dirty lines around it that share its DRAM rows.
  void clean_neighbourhood(std::uint32_t slot);

  ReplacementMechanism replacement_;
  LineMechanisms mechanisms_;
  LaunchSeat seat_ = 0;  // selected
  TagArray tags_;
  CompressedRoom room_;
  LineParts lines_;
  const AddressMap* map_;
  std::uint32_t max_dirty_ways_;
  std::uint32_t writeback_lines_;
  std::uint32_t max_partial_sectors_;
  bool masked_writes_;
  std::vector<Writeback> writebacks_;  // of the change in flight
  struct Partial {
    Address line;
    std::uint8_t sectors;
  };
  GrowQueue<Partial> partials_;        // of lines at home, oldest first; some may already be complete
  std::uint32_t partial_sectors_ = 0;  // in partials_
  std::uint32_t set_aside_;            // sixteenths
  bool has_persisting_ = false;        // there have been persisting lines
  ZeroedArray<std::array<std::uint32_t, kSectorsPerLine>> bytes_;  // known bytes of partial sectors, by slot
};

}  // namespace warpsim
