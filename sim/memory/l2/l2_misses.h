// The miss path of an L2 slice: requests of absent sectors to DRAM (lines at home here) or to the home slice in the
// other partition, writes and atomics forwarded there, and what comes back.
//
// Modelled: MSHRs with merging, separate for lines at home and far ones; a mechanism that says which misses wait; fill
// granularity, or sectors that a mechanism chooses; lines that are compressed in DRAM, read whole and decompressed by a
// pipeline; reads of the other partition answered with one response; fills that are replaced first. Not modelled: an
// order between fills of different lines. Evidence: vecadd in public.csv: half of the reads that miss near miss again
// in the home slice; stride-128 reads fetch 64 bytes each. State: the two tables. Puts fills into the array, lets the
// atomic unit execute what waited, and adds replies. Invariant: fills are always accepted; a miss only when its entry
// and its link are free.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/link.h"
#include "memory/address_map.h"
#include "memory/caches/line_parts.h"
#include "memory/caches/miss_admission_mechanism.h"
#include "memory/caches/mshr_table.h"
#include "memory/grow_queue.h"
#include "memory/l2/l2_access.h"
#include "memory/l2/l2_array.h"
#include "memory/l2/l2_atomic_unit.h"
#include "memory/l2/l2_config.h"
#include "memory/l2/l2_replies.h"
#include "memory/l2/l2_stats.h"
#include "memory/slice_message.h"

namespace warpsim {

class L2Misses {
 public:
  struct Links {
    Link<DramRequest>* dram_requests;
    Link<DramResponse>* dram_responses;
    // Null on a chip with one partition.
    Link<SliceRequest>* fabric_out;
    Link<SliceResponse>* fabric_answers;
  };
  struct Parts {
    L2Array& array;
    L2AtomicUnit& atomic_unit;
    L2Replies& replies;
    LaunchStats<L2SliceStats>& stats;
  };
  // `number` of the slice. Map, links and parts must outlive the miss path.
  L2Misses(const L2Config& config, const AddressMap& map, std::uint32_t number, const Links& links, const Parts& parts);

  // Requests the waiter's sectors that are not pending from the next level, with those of their neighbours that are not
  // in `valid`. False: there is no space now.
  bool fetch(const SliceRequest& message, const L2Place& place, const L2Waiter& waiter, std::uint8_t valid, Cycle now);
  // Requests sectors of a line at home here from DRAM for nobody. False: there is no space now. The line must be
  // absent.
  bool prefetch(Address line, std::uint8_t sectors, LaunchSeat seat, Cycle now);
  // Whether a miss of a line at home here is outstanding.
  bool fetches(Address line) const { return home_mshrs_.find(line) != Table::kNone; }
  // A far line has changed at home: what is on its way is answered, but not kept.
  void outdate(Address line) {
    if (const std::uint32_t entry = far_mshrs_.find(line); entry != Table::kNone) {
      far_mshrs_[entry].mark |= kOutdated;
    }
  }
  // Sends a write or an atomic to its home slice. False: the fabric refuses.
  bool forward(const SliceRequest& message, const L2Place& place, Cycle now);

  void take_fills(Cycle now);
  // Arrival of the next fill after `now`.
  Cycle next_arrival(Cycle now) const;
  bool idle() const;
  // Lines.
  std::uint32_t outstanding() const { return home_mshrs_.used() + far_mshrs_.used(); }

 private:
  using Table = MshrTable<L2Waiter>;

  // Marks of an entry: the priority of its line, and this one.
  static constexpr std::uint8_t kOutdated = 0x80;
  static LinePriority priority_of(const Table::Entry& entry) {
    return static_cast<LinePriority>(entry.mark & ~kOutdated);
  }

  void fill(std::uint32_t entry, std::uint8_t sectors, ServedBy served_by, bool from_dram, Cycle now);
  void request(const SliceRequest& message, const L2Place& place, std::uint32_t entry, std::uint8_t sectors, Cycle now);
  SliceRequest addressed(const SliceRequest& message, const L2Place& place) const;
  // A miss of a line at home here: its entry, and which sectors are not pending, and present or pending.
  struct Miss {
    std::uint32_t entry = 0;
    bool new_entry = true;
    std::uint8_t fresh = 0;
    std::uint8_t known_sectors = 0;
  };
  // Sectors that the line takes compressed, which a read of DRAM brings at once, as a mask; 0: not compressed.
  std::uint8_t compressed(Address line) const {
    return array_->compression() ? array_->compression().moved(line) : std::uint8_t{0};
  }
  void decompress(Cycle now);
  // `entry` of the line, or none.
  mechanism::MissOffer offer_of(const SliceRequest& message, const L2Place& place, std::uint32_t entry,
                                std::uint8_t sectors) const;
  std::uint8_t fetched_by_mechanism(const L2Place& place, const L2Waiter& waiter, const Miss& miss);

  bool keeps_lines_;
  bool far_reads_leave_home_first_;
  LineParts lines_;
  LineParts fills_;  // what a miss fetches together
  std::uint16_t number_;
  const AddressMap* map_;
  Links links_;
  L2Array* array_;
  L2AtomicUnit* atomic_unit_;
  L2Replies* replies_;
  LaunchStats<L2SliceStats>* stats_;
  // Misses of lines at home here, which wait only for DRAM, and of far lines. With one table for both, two slices
  // whose tables are full of misses that wait for each other would never end.
  struct Decompressed {
    DramResponse response;
    Cycle ready = 0;
  };
  GrowQueue<Decompressed> decompressed_;  // on their way through the decompressor, in order
  Cycle decompressed_at_ = kNever;        // the first of them is ready
  Table home_mshrs_;
  Table far_mshrs_;
  MissAdmissionMechanism admission_;  // of misses of lines at home here
};

}  // namespace warpsim
