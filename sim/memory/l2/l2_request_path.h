// The request path of an L2 slice: chooses the next request of the crossbar or the fabric, looks it up, and decides
// where it goes: to the replies (hit), the miss path, the atomic unit, or the home slice.
//
// Modelled: one lookup of a line per cycle, turns of crossbar and fabric; the rate of data written to lines at home;
// near slices cache lines of the other partition; writes and atomics to those pass through the near slice to the home
// slice, writes change the near copy, and atomics remove it. Not modelled: bank conflicts inside a slice. Evidence:
// vecadd in public.csv: writes hit in the near slice, half of them again in the home slice. State: when the next lookup
// is free, whose turn it is, the write port, the account of writes. Uses all other parts. Invariant: a request is
// accepted only when everything that it may need (reply, link, MSHR) is free.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/link.h"
#include "memory/address_map.h"
#include "memory/l2/l2_access.h"
#include "memory/l2/l2_array.h"
#include "memory/l2/l2_atomic_unit.h"
#include "memory/l2/l2_config.h"
#include "memory/l2/l2_copies.h"
#include "memory/l2/l2_misses.h"
#include "memory/l2/l2_prefetch.h"
#include "memory/l2/l2_replies.h"
#include "memory/l2/l2_stats.h"
#include "memory/l2/l2_write_account.h"
#include "memory/rate_limiter.h"
#include "memory/slice_message.h"

namespace warpsim {

class L2RequestPath {
 public:
  struct Links {
    Link<SliceRequest>* from_crossbar;
    Link<SliceRequest>* from_fabric;  // null on a chip with one partition
  };
  struct Parts {
    L2Array& array;
    L2AtomicUnit& atomic_unit;
    L2Replies& replies;
    L2Misses& misses;
    L2Copies& copies;
    LaunchStats<L2SliceStats>& stats;
    L2Prefetch* prefetch = nullptr;
  };
  // `partition` of the slice. Map, links and parts must outlive the request path.
  L2RequestPath(const L2Config& config, const AddressMap& map, std::uint32_t partition, const Links& links,
                const Parts& parts);

  // Takes the requests that can be looked up at `now`. Returns the cycle of the next attempt; kNever: a link wakes the
  // slice, or replies or write-backs must leave first.
  Cycle take(Cycle now);
  // Whether a request has arrived.
  bool visible(Cycle now) const {
    return links_.from_crossbar->has_message(now) ||
           (links_.from_fabric != nullptr && links_.from_fabric->has_message(now));
  }
  // Requests in the links.
  std::size_t waiting() const {
    return links_.from_crossbar->size() + (links_.from_fabric != nullptr ? links_.from_fabric->size() : 0);
  }
  // Arrival of the next request after `now`.
  Cycle next_arrival(Cycle now) const;
  // What launches have written to lines at home here.
  L2WriteAccount& written() { return written_; }
  const L2WriteAccount& written() const { return written_; }

 private:
  // `input_free`: a request from the crossbar may be taken.
  bool take_one(bool input_free, Cycle now);
  // False: the message cannot be accepted now.
  bool take_from(Link<SliceRequest>& link, bool from_fabric, Cycle now);
  // One line of the message at the front of a link whose lines are divided.
  bool take_part(Link<SliceRequest>& link, bool from_fabric, Cycle now);
  // Looks up the sectors of a message, which are those of one line. `whole`: the message of which they are the last.
  bool look_up(const SliceRequest& message, bool from_fabric, const SliceRequest* whole, Cycle now);
  // All sectors of the message at the front of a link were taken.
  void end_message(Link<SliceRequest>& link, bool from_fabric, Cycle now);
  L2Place place_of(const SliceRequest& message, bool from_fabric) const;
  bool read(const SliceRequest& message, const L2Place& place, bool from_fabric, Cycle now);
  // `whole`: the message that the home slice gets; null: with a later part.
  bool write(const SliceRequest& message, const L2Place& place, bool from_fabric, const SliceRequest* whole, Cycle now);
  bool atomic(const SliceRequest& message, const L2Place& place, bool from_fabric, const SliceRequest* whole,
              Cycle now);
  void remove_copy(const SliceRequest& message, const L2Place& place);
  bool atomic_at_home(const SliceRequest& message, const L2Place& place, bool from_fabric, Cycle now);

  std::uint32_t partition_;
  bool perfect_;
  bool unlimited_bandwidth_;
  std::uint32_t reply_queue_entries_;
  std::uint32_t writeback_queue_entries_;
  const AddressMap* map_;
  Links links_;
  L2Array* array_;
  L2AtomicUnit* atomic_unit_;
  L2Replies* replies_;
  L2Misses* misses_;
  L2Copies* copies_;
  L2Prefetch* prefetch_;  // may be null
  LaunchStats<L2SliceStats>* stats_;
  LineParts lines_;
  std::uint8_t taken_sectors_[2] = {0, 0};  // of the message at the front of the crossbar's link and the fabric's
  RateLimiter input_;                       // requests from the crossbar
  Cycle lookup_free_ = 0;
  L2WriteAccount written_;
  bool fabric_first_ = true;
};

}  // namespace warpsim
