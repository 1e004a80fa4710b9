// The lines of an L2 slice (l2_store.h) and its queue of write-backs to DRAM: what a change of a line costs in DRAM
// traffic.
//
// Modelled: lines that are compressed in DRAM, by a mechanism; write-backs of replaced and of too many dirty lines;
// reads that complete partly written sectors before that; a slice that keeps no lines writes each change to DRAM at
// once, whose data mask protects bytes that are not written; a perfect slice has every sector. Not modelled: the time
// of the arrays, which is in the links around the slice. Evidence: see l2_store.h. State: the store, the queue. Used by
// the request path, the miss path and the atomic unit; uses none of them. Invariant: write-backs leave in the order of
// the changes that cause them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/link.h"
#include "memory/address_map.h"
#include "memory/grow_queue.h"
#include "memory/l2/compression_mechanism.h"
#include "memory/l2/l2_access.h"
#include "memory/l2/l2_config.h"
#include "memory/l2/l2_stats.h"
#include "memory/l2/l2_store.h"
#include "memory/slice_message.h"

namespace warpsim {

class L2Array {
 public:
  // The map and the counters must outlive the array.
  L2Array(const L2Config& config, const AddressMap& map, LaunchStats<L2SliceStats>& stats);

  // Changes nothing, so that a lookup may be repeated.
  L2Store::Lookup look_up(const AddressMap::Home& home, Address line) const {
    if (perfect_) {
      return {TagArray::kNoSlot, 0xf};
    }
    return store_.look_up(home.line_number, line);
  }
  // The lookup counts as a use.
  void touch(const L2Store::Lookup& lookup, LaunchSeat seat) {
    store_.select(seat);
    store_.touch(lookup);
  }

  void prioritise(std::uint64_t line_number, const L2Store::Lookup& lookup, LinePriority priority) {
    store_.prioritise(line_number, lookup, priority);
  }

  // Reads and atomics need sectors of a line that is here. For mechanisms.
  void use(const L2Store::Lookup& lookup, std::uint8_t sectors) {
    if (store_.mechanisms() && lookup.slot != TagArray::kNoSlot) [[unlikely]] {
      store_.mechanisms().use(lookup.slot, sectors);
    }
  }
  // False: none is chosen.
  SectorFetchMechanism& sector_fetch() { return store_.mechanisms().sector_fetch(); }
  CompressionMechanism& compression() { return compression_; }

  // Sectors arrived from the next level. `seat` of the request whose miss it was; what the fill replaces counts for it.
  void fill(std::uint64_t line_number, Address line, std::uint8_t sectors, LinePriority priority, LaunchSeat seat);
  void write(const MemRequest& request, const L2Place& place);
  // An atomic of `seat` changed sectors that are here.
  void change(std::uint64_t line_number, Address line, std::uint8_t sectors, LaunchSeat seat);
  // --- copies in other partitions, see L2Store ---
  bool copied(const L2Store::Lookup& lookup) const { return store_.copied(lookup); }
  void note_copied(const L2Store::Lookup& lookup) { store_.note_copied(lookup); }
  // Sectors of a copy are out of date.
  void forget(std::uint64_t line_number, Address line, std::uint8_t sectors) {
    store_.forget(line_number, line, sectors);
  }
  // Puts 128 clean bytes into the slice, without timing.
  void place(std::uint64_t line_number, Address line);
  // See L2Store.
  void set_aside(std::uint32_t sixteenths) { store_.set_aside(sixteenths); }
  void end_persistence() { store_.end_persistence(); }
  // Empties the store. Its dirty sectors count as flushed, without timing, for seat 0.
  void clear() { (*stats_)[0].flushed_sectors += store_.clear(); }

  // Write-backs that wait for DRAM, and the reads that come before them.
  std::size_t writebacks() const { return writebacks_.size(); }
  void send_writebacks(Link<DramRequest>& to_dram, Cycle now) {
    while (!writebacks_.empty() && to_dram.can_send(now)) {
      to_dram.send(writebacks_.front(), now);
      writebacks_.pop();
    }
  }

 private:
  void apply(const L2Store::Consequence& consequence, LaunchSeat seat) {
    if (consequence.evicted != 0 || !consequence.writebacks.empty()) {  // most changes have no consequence
      carry_out(consequence, seat);
    }
  }
  void carry_out(const L2Store::Consequence& consequence, LaunchSeat seat);
  void write_compressed(const L2Store::Writeback& back, std::uint8_t moved, LaunchSeat seat);
  void pass_on_write(Address line, std::uint8_t sectors, LaunchSeat seat);

  bool keeps_lines_;
  bool keep_far_writes_near_;
  bool perfect_;
  LineParts lines_;
  CompressionMechanism compression_;
  L2Store store_;
  GrowQueue<DramRequest> writebacks_;
  LaunchStats<L2SliceStats>* stats_;
};

}  // namespace warpsim
