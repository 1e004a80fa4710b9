// The requests of a GPU to memory that is not its own, on their way there and back.
//
// Modelled: a maximum of outstanding requests for each of the two links; packets at the link's rate; the host's memory
// with a latency; acknowledgements: one at once, that a write is on its way, for fences of the GPU (measured: one after
// a write to another GPU takes 771 cycles, to the own memory 646), and one when it has arrived.
// Not modelled: banks of the host's memory, its caches; an order between requests other than that of their arrival.
// State: outstanding requests, those at the host in order, answers for the crossbar, writes that have arrived.
// Invariant: answers are always accepted, so that requests can wait for links without a deadlock.
#pragma once

#include <cstdint>
#include <vector>

#include "base/slot_pool.h"
#include "engine/link.h"
#include "memory/grow_queue.h"
#include "memory/l2/l2_write_account.h"
#include "memory/remote/link_config.h"
#include "memory/remote/memory_homes.h"
#include "memory/remote/remote_message.h"
#include "memory/remote/remote_rates.h"
#include "memory/remote/remote_stats.h"
#include "memory/slice_message.h"

namespace warpsim {

// The links to another GPU.
struct RemotePeer {
  Link<RemoteRequest>* requests_out = nullptr;  // null: the GPU itself, or one without a way to it
  Link<RemoteResponse>* responses_out = nullptr;
  Link<RemoteRequest>* requests_in = nullptr;
  Link<RemoteResponse>* responses_in = nullptr;
  bool over_pcie = false;
};

class RemoteRequests {
 public:
  struct Setting {
    std::uint32_t gpu = 0;  // number of the GPU that requests
    HomeLookup homes;
    double mhz = 1;  // of the gate's cycles
  };
  struct Links {
    Link<SliceRequest>* from_crossbar;
    Link<SliceResponse>* to_crossbar;
  };
  RemoteRequests(const LinksConfig& config, const Setting& setting, const Links& links, RemoteRates& rates,
                 LaunchStats<RemoteGateStats>& stats);
  // By GPU.
  void set_peers(const std::vector<RemotePeer>& peers);

  // Each moves one message, or returns false and lowers `next` to the cycle of the next attempt, if no link wakes the
  // gate. Throws ConfigError if there is no way to the memory.
  bool send_one(Cycle now, Cycle& next);
  bool take_answer(std::uint32_t gpu, Cycle now, Cycle& next);
  bool take_host_answer(Cycle now, Cycle& next);
  // When the host has the next answer; kNever if it has one or works on no request.
  Cycle next_host_answer(Cycle now) const {
    return at_host_.empty() || at_host_.front().ready <= now ? kNever : at_host_.front().ready;
  }
  // Hands answers to the crossbar, as many as it takes.
  void hand_over(Cycle now);

  L2WriteAccount& written() { return written_; }
  const L2WriteAccount& written() const { return written_; }
  std::uint32_t outstanding() const { return to_peers_ + to_host_; }
  bool idle() const { return outstanding() == 0 && answers_.empty() && links_.from_crossbar->empty(); }

 private:
  struct Entry {
    SliceRequest message;
    Cycle since = 0;
    std::uint8_t sectors_left = 0;
  };
  struct AtHost {
    std::uint32_t entry = 0;
    Cycle ready = 0;
  };

  bool send_to_peer(MemoryHomes::Home home, Cycle now, Cycle& next);
  bool send_to_host(Cycle now, Cycle& next);
  std::uint32_t begin(RemoteMemoryStats& stats, Cycle now);
  void answer(const Entry& entry, const MemResponse& answer);
  void arrived(std::uint32_t number, std::uint8_t sectors, ServedBy served_by, Cycle now);
  RemoteLinkStats& link_stats(LaunchSeat seat, bool over_pcie) {
    return over_pcie ? (*stats_)[seat].pcie : (*stats_)[seat].nvlink;
  }

  LinksConfig config_;
  std::uint32_t gpu_;
  HomeLookup homes_;
  Links links_;
  RemoteRates* rates_;
  LaunchStats<RemoteGateStats>* stats_;
  Cycle host_cycles_;
  std::vector<RemotePeer> peers_;
  SlotPool<Entry> entries_;
  std::uint32_t to_peers_ = 0;
  std::uint32_t to_host_ = 0;
  GrowQueue<AtHost> at_host_;
  GrowQueue<SliceResponse> answers_;
  L2WriteAccount written_;
};

}  // namespace warpsim
