// The requests of a GPU to memory that is not its own, on their way there and back.
//
// Modelled: a maximum of outstanding requests for each of the two links; packets at the link's rate; the host's memory
// with a latency; acknowledgements: one at once, that a write is on its way, for fences of the GPU (measured: one after
// a write to another GPU takes 771 cycles, to the own memory 646), and one when it has arrived.
// Not modelled: banks of the host's memory, its caches; an order between requests other than that of their arrival.
// State: outstanding requests, those at the host in order, answers for the crossbars, writes that have arrived; which
// crossbar's turn it is.
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
  // To and from the crossbar of a partition.
  struct Links {
    Link<SliceRequest>* from_crossbar;
    Link<SliceResponse>* to_crossbar;
  };
  // `links`: by partition.
  RemoteRequests(const LinksConfig& config, const Setting& setting, const std::vector<Links>& links, RemoteRates& rates,
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
  // Hands answers to the crossbars, as many as they take.
  void hand_over(Cycle now);

  L2WriteAccount& written() { return written_; }
  const L2WriteAccount& written() const { return written_; }
  std::uint32_t outstanding() const { return to_peers_ + to_host_; }
  // Requests that have not begun.
  std::size_t waiting() const;
  bool idle() const;

 private:
  struct Crossbar {
    Links links;
    GrowQueue<SliceResponse> answers;
  };
  struct Entry {
    SliceRequest message;
    std::size_t partition = 0;  // of the requester
    Cycle since = 0;
    std::uint8_t sectors_left = 0;
  };
  struct AtHost {
    std::uint32_t entry = 0;
    Cycle ready = 0;
  };

  bool send_from(std::size_t partition, Cycle now, Cycle& next);
  bool send_to_peer(MemoryHomes::Home home, std::size_t partition, Cycle now, Cycle& next);
  bool send_to_host(std::size_t partition, Cycle now, Cycle& next);
  std::uint32_t begin(std::size_t partition, RemoteMemoryStats& stats, Cycle now);
  void answer(const Entry& entry, const MemResponse& answer);
  void arrived(std::uint32_t number, std::uint8_t sectors, ServedBy served_by, Cycle now);
  RemoteLinkStats& link_stats(LaunchSeat seat, bool over_pcie) {
    return over_pcie ? (*stats_)[seat].pcie : (*stats_)[seat].nvlink;
  }

  LinksConfig config_;
  std::uint32_t gpu_;
  HomeLookup homes_;
  RemoteRates* rates_;
  LaunchStats<RemoteGateStats>* stats_;
  Cycle host_cycles_;
  std::vector<RemotePeer> peers_;
  SlotPool<Entry> entries_;
  std::uint32_t to_peers_ = 0;
  std::uint32_t to_host_ = 0;
  GrowQueue<AtHost> at_host_;
  std::vector<Crossbar> crossbars_;  // by partition
  std::size_t first_crossbar_ = 0;   // whose turn it is
  L2WriteAccount written_;
};

}  // namespace warpsim
