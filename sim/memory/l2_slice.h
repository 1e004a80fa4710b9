// One L2 slice: looks up one request per cycle, answers hits through its data port, fetches misses from DRAM (lines at
// home here) or from the other partition (lines at home there), and executes atomics of the lines at home.
//
// Modelled: near slices cache lines of the other partition; writes and atomics to those pass through the near slice to
// the home slice; MSHRs with merging; fill granularity; data port rate; atomic unit rate; write-back to DRAM. The
// pipeline's latency is in the links around the slice. On a chip without L2 the slice keeps and merges nothing: each
// read, write and atomic goes to DRAM separately and moves only its own bytes.
// Not modelled: invalidation of the other partition's clean copies when a line is written (no data is simulated), bank
// conflicts inside a slice, compression.
// Evidence: lts__* columns of public.csv. vecadd: reads miss in the near slice and half of them again in the home
// slice; writes hit in the near slice and half of them again in the home slice; stride-128 reads fetch 64 bytes each.
// Invariant: fills are always accepted, requests only when everything that they may need (reply, link, MSHR) is free;
// hence no deadlock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/component.h"
#include "engine/link.h"
#include "memory/address_map.h"
#include "memory/grow_queue.h"
#include "memory/l2_config.h"
#include "memory/l2_stats.h"
#include "memory/l2_store.h"
#include "memory/mshr_table.h"
#include "memory/rate_limiter.h"
#include "memory/slice_message.h"

namespace warpsim {

class L2Slice final : public Component {
 public:
  struct Links {
    Link<SliceRequest>* requests;    // from the crossbar
    Link<SliceResponse>* responses;  // to the crossbar
    // The four links of the fabric are null on a chip with one partition.
    Link<SliceRequest>* fabric_out;       // requests of this slice to a home slice
    Link<SliceResponse>* fabric_answers;  // and their responses
    Link<SliceRequest>* fabric_in;        // requests to this slice as the home
    Link<SliceResponse>* fabric_replies;  // and its responses
    Link<DramRequest>* dram_requests;
    Link<DramResponse>* dram_responses;
  };
  // `number`: partition * slices per partition + slice in the partition. Links must outlive the slice.
  L2Slice(const L2Config& config, const AddressMap& map, std::uint32_t partition, std::uint32_t number,
          const Links& links, StatGroup& parent);
  void connect(WakeHandle self);

  Cycle tick(Cycle now) override;
  bool idle() const override;
  // Idle except for write-backs.
  bool settled() const;
  // Cycle in which the last write or reduction took effect here, this slice being its home; 0: none.
  Cycle last_write() const { return last_write_; }
  std::string describe_stall() const override;

  void invalidate();
  // Puts a whole clean line into the slice, without timing.
  void place(std::uint64_t line_number, Address line);

 private:
  struct Waiter {
    std::uint32_t tag = 0;
    std::uint32_t atomic_parts = 0;  // time that the atomic unit has not been charged with yet
    std::uint16_t source = 0;
    std::uint16_t near_slice = 0;
    std::uint16_t merged = 0;
    std::uint8_t sectors = 0;
    std::uint8_t held = 0;  // sectors that have arrived and wait for the last one: one response to the other partition
    MemOp op = MemOp::kRead;
    bool from_fabric = false;
    bool answered = false;  // is answered when it is served
  };
  struct Reply {
    SliceResponse message;
    std::uint32_t bytes = 0;
    bool to_fabric = false;
    Cycle ready = 0;  // atomics: when the operation has been executed
  };
  struct Place {
    AddressMap::Home home;
    bool at_home = false;
  };

  void take_fills(Cycle now);
  void fill(std::uint32_t entry, std::uint8_t sectors, ServedBy served_by, bool from_dram, Cycle now);
  void send_writebacks(Cycle now);
  Cycle take_requests(Cycle now);
  bool take_one_request(Cycle now);
  bool request_visible(Cycle now) const;
  // Requests in the links from the crossbar and, on chips with two partitions, from the fabric.
  std::size_t requests_waiting() const;
  Cycle next_arrival(Cycle now) const;
  L2Store::Lookup look_up(const SliceRequest& message, const Place& place) const;
  // False: the message cannot be accepted now.
  bool take_request(Link<SliceRequest>& link, bool from_fabric, Cycle now);
  bool read(const SliceRequest& message, const Place& place, bool from_fabric, Cycle now);
  bool write(const SliceRequest& message, const Place& place, bool from_fabric, Cycle now);
  bool atomic(const SliceRequest& message, const Place& place, bool from_fabric, Cycle now);
  // Requests sectors that are neither valid nor pending from the next level, with their neighbours. False: no space.
  bool fetch(const SliceRequest& message, const Place& place, const Waiter& waiter, std::uint8_t valid, Cycle now);
  std::uint32_t atomic_parts(const MemRequest& request) const;
  void execute_atomic(Waiter& waiter, Address line, std::uint8_t sectors, Cycle now);
  bool forward(const SliceRequest& message, const Place& place, Cycle now);
  Cycle send_replies(Cycle now);
  // False: the port or the link refuses; `next` is lowered to the cycle of the next attempt.
  bool send_first(GrowQueue<Reply>& queue, Cycle now, Cycle& next);
  void reply(const Waiter& waiter, std::uint8_t sectors, ServedBy served_by, Cycle now);
  void pass_on_write(Address line, std::uint8_t sectors);
  void apply(const L2Store::Consequence& consequence);
  Waiter waiter_of(const SliceRequest& message, std::uint8_t sectors, bool from_fabric) const;
  L2SourceStats& source_stats(const SliceRequest& message, bool from_fabric);
  std::uint8_t with_neighbours(std::uint8_t sectors) const;

  L2Config config_;
  const AddressMap* map_;
  std::uint32_t partition_;
  std::uint32_t number_;
  Links links_;
  L2Store store_;
  // Misses of lines at home here, which wait only for DRAM, and of far lines. With one table for both, two slices
  // whose tables are full of misses that wait for each other would never end.
  MshrTable<Waiter> home_mshrs_;
  MshrTable<Waiter> far_mshrs_;
  GrowQueue<Reply> replies_;
  GrowQueue<Reply> atomic_replies_;      // of atomics executed here, in order of execution
  GrowQueue<Reply> far_atomic_replies_;  // of forwarded atomics, back from the other partition
  GrowQueue<DramRequest> writebacks_;
  RateLimiter data_port_;          // data of responses
  RateLimiter write_port_;         // data written to lines at home
  RateLimiter atomic_unit_;        // a byte is a part of a cycle
  RateLimiter atomic_reply_port_;  // for atomics
  std::uint32_t atomic_sector_parts_;
  std::uint32_t atomic_full_sector_parts_;
  std::uint32_t atomic_reply_parts_;
  Cycle lookup_free_ = 0;
  Cycle last_write_ = 0;
  bool fabric_first_ = true;
  L2SliceStats stats_;
  Gauge queued_{stats_, "queued", [this] { return requests_waiting(); }};
};

}  // namespace warpsim
