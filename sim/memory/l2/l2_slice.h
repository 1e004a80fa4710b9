// One L2 slice: looks up one request per cycle, answers hits through its data port, fetches misses from DRAM (lines at
// home here) or from the other partition (lines at home there), and executes atomics of the lines at home. This class
// connects its parts and says when the slice has work.
//
//   L2RequestPath  requests of crossbar and fabric, lookups; state: turns, write port, account of writes
//     -> L2Prefetch     lines requested early; state: a mechanism of the description
//     -> L2Misses       misses and fills; state: MSHRs
//        -> L2AtomicUnit   atomics at home; state: its backlog
//     -> L2Copies       copies of lines in other partitions; state: messages to these
//           -> L2Array        lines and write-backs; state: tags, queue to DRAM
//        -> L2Replies      replies; state: their queues, data port
//
// A part calls parts below it, also past the next one, and never one above.
//
// Not modelled: bank conflicts inside a slice, compression of what L2 holds. The pipeline's latency is in the links
// around the slice. On a chip without L2 the slice keeps and merges nothing: each read, write and atomic goes to DRAM
// separately and moves only its own bytes. Evidence: lts__* columns of public.csv; the parts name theirs. Invariant:
// fills are always accepted, requests only when everything that they may need (reply, link, MSHR) is free; hence no
// deadlock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/component.h"
#include "engine/link.h"
#include "memory/address_map.h"
#include "memory/l2/l2_array.h"
#include "memory/l2/l2_atomic_unit.h"
#include "memory/l2/l2_config.h"
#include "memory/l2/l2_copies.h"
#include "memory/l2/l2_misses.h"
#include "memory/l2/l2_prefetch.h"
#include "memory/l2/l2_replies.h"
#include "memory/l2/l2_request_path.h"
#include "memory/l2/l2_stats.h"
#include "memory/l2/l2_write_account.h"
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
          const Links& links, LaunchStatsNode& parent);
  void connect(WakeHandle self);

  Cycle tick(Cycle now) override;
  bool idle() const override;
  // Idle except for write-backs.
  bool settled() const;
  // What launches have written to lines at home here.
  L2WriteAccount& written() { return requests_.written(); }
  const L2WriteAccount& written() const { return requests_.written(); }
  std::string describe_stall() const override;

  void invalidate();
  // Between runs of the engine.
  L2Array& array() { return array_; }
  // Puts a whole clean line into the slice, without timing.
  void place(std::uint64_t line_number, Address line) { array_.place(line_number, line); }

 private:
  std::size_t waiting_to_leave() const { return replies_.waiting() + array_.writebacks() + copies_.waiting(); }

  Links links_;
  LaunchStats<L2SliceStats> stats_;
  L2Array array_;
  L2AtomicUnit atomic_unit_;
  L2Replies replies_;
  L2Misses misses_;
  L2Copies copies_;
  std::unique_ptr<L2Prefetch> prefetch_;  // if the description chooses one
  L2RequestPath requests_;
};

}  // namespace warpsim
