// One DRAM channel: queues of its slices' reads and writes, a first-ready first-come first-served scheduler or a
// mechanism (warpsim/dram_scheduler.h), banks.
//
// Modelled: at most one row and one column command per cycle (HBM has a bus for each); column commands to open rows go
// first, oldest first, within max_row_hits, the bursts of a request back to back; activates and precharges for the
// oldest request of each bank; writes wait for the high watermark or until no read waits, then drain to the low one;
// refresh, staggered over the channels. Event-driven: a tick returns the next cycle at which a command can be issued.
// Statistics: a refresh counts for the launch of the oldest request that waits, a turnaround for that of the oldest one
// in the queue turned to or, if none waits, of the request just served; the rest for that of the request served.
// Not modelled: ECC, power states, several ranks, data-bus turnaround beyond the timing table.
// Evidence: none for the policies, which are common in simulators; bw.chip.* of micro.csv for the result, to which
// the timing values were fitted.
// Invariant: each read is answered once, in the order of the column commands.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/component.h"
#include "engine/link.h"
#include "memory/address_map.h"
#include "memory/dram/dram_bank.h"
#include "memory/dram/dram_mechanism.h"
#include "memory/dram/dram_queue.h"
#include "memory/dram/dram_timing.h"
#include "memory/slice_message.h"
#include "stats/launch_stats.h"
#include "stats/timeline_part.h"

namespace warpsim {

struct DramChannelStats : StatGroup {
  using StatGroup::StatGroup;
  Counter reads{*this, "reads", Unit::kRequests, "read requests served"};
  Counter writes{*this, "writes", Unit::kRequests, "write requests served"};
  Counter bytes_read{*this, "bytes_read", Unit::kBytes, "bytes of the sectors read"};
  Counter bytes_written{*this, "bytes_written", Unit::kBytes, "bytes of the sectors written"};
  Counter row_hits{*this, "row_hits", Unit::kRequests, "requests that found their row open"};
  Counter row_misses{*this, "row_misses", Unit::kRequests, "requests that found their bank closed"};
  Counter row_conflicts{*this, "row_conflicts", Unit::kRequests, "requests that found another row open"};
  Counter refreshes{*this, "refreshes", Unit::kEvents, "refresh commands that fell into or just before work"};
  Counter data_bus_cycles{*this, "data_bus_cycles", Unit::kCycles, "DRAM cycles in which data moved"};
  Counter turnarounds{*this, "turnarounds", Unit::kEvents, "changes between reading and writing"};
  Histogram read_queueing{*this, "read_queueing", Unit::kCycles,
                          "DRAM cycles from a read's arrival to its first command"};
  Histogram read_latency{*this, "read_latency", Unit::kCycles, "DRAM cycles from a read's arrival to its last data"};
};

class DramChannel final : public Component {
 public:
  struct SliceLinks {
    Link<DramRequest>* requests;
    Link<DramResponse>* responses;
  };
  DramChannel(const DramConfig& config, const AddressMapConfig& geometry, const AddressMap& map,
              const std::vector<SliceLinks>& slices, LaunchStatsNode& parent, std::uint32_t number);
  void connect(WakeHandle self);

  // Latency that the link from the channel to a slice must have: from column command to end of data, and back.
  static Cycle response_latency(const DramConfig& config);

  // Records commands on tracks below `parent`, one per bank.
  void show(TimelinePart& timeline, TimelinePart::Track parent);

  Cycle tick(Cycle now) override;
  bool idle() const override;
  std::string describe_stall() const override;

 private:
  struct Choice {
    std::uint32_t entry = DramQueue::kNone;
    std::uint32_t bank = 0;
    DramCommand command = DramCommand::kRead;
  };
  struct Plan {
    Choice column;
    Choice row;
    Cycle next = kNever;  // earliest cycle at which a command that was not chosen can be issued
  };

  DramQueue& queue() { return writing_ ? writes_ : reads_; }
  void accept(Cycle now);
  Cycle tick_ideal(Cycle now);
  // Returns whether it has changed.
  bool choose_direction();
  void count_turnaround();
  LaunchSeat delayed_by_refresh() const;
  bool answerable(const Choice& column, Cycle now);
  Cycle ready_at(std::uint32_t bank);
  bool request_visible(Cycle now) const;
  void refresh(Cycle now);
  Plan plan(Cycle now);
  Choice candidate(std::uint32_t bank);
  [[gnu::noinline]] Choice candidate_of_mechanism(std::uint32_t bank);  // the usual path stays short
  void turn_by_watermarks();
  [[gnu::noinline]] void turn_by_mechanism();
  void issue_column(const Choice& choice, Cycle now);
  void issue_row(const Choice& choice, Cycle now);
  void close_if_unwanted(std::uint32_t bank);
  void set_row(std::uint32_t bank, std::uint32_t row);
  Cycle next_arrival(Cycle now) const;
  void show_refresh(std::uint32_t bank);
  void show_command(DramCommand command, std::uint32_t bank, Cycle from, Cycle to);

  DramConfig config_;
  const AddressMap* map_;
  std::vector<SliceLinks> slices_;
  DramBanks banks_;
  DramQueue reads_;
  DramQueue writes_;
  std::vector<std::uint32_t> hits_in_row_;  // column commands since the row was opened, per bank
  Cycle column_gap_;                        // column command to column command
  std::uint64_t arrivals_ = 0;
  bool writing_ = false;
  LaunchSeat served_ = 0;  // of the request served last
  Cycle refresh_interval_ = 0;
  Cycle refresh_due_ = kNever;
  std::uint32_t refresh_bank_ = 0;
  TimelinePart* timeline_ = nullptr;
  std::vector<TimelinePart::Track> bank_tracks_;
  std::array<TimelinePart::Name, 5> command_names_{};  // by command; the last: refresh
  LaunchStats<DramChannelStats> stats_;
  std::unique_ptr<DramMechanism> mechanism_;  // null: the channel's own scheduler
};

}  // namespace warpsim
