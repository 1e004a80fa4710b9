// A scheduler of a DRAM channel that a description chooses (warpsim/dram_scheduler.h), as the channel asks it.
//
// State: the mechanism and its counters. Reads the queues and the banks of the channel.
#pragma once

#include <cstdint>
#include <memory>

#include "base/types.h"
#include "mechanisms/mechanism_choice.h"
#include "memory/dram/dram_bank.h"
#include "memory/dram/dram_queue.h"
#include "stats/launch_stats.h"

namespace warpsim {

class DramMechanism {
 public:
  using Choice = MechanismChoice<mechanism::DramScheduler>;

  // Null if the description chooses none. The counters are a group `scheduler` below `parent`.
  static std::unique_ptr<DramMechanism> make(const Choice& choice, const DramBanks& banks, std::uint32_t channel,
                                             LaunchStatsNode& parent);
  DramMechanism(const Choice& choice, const DramBanks& banks, std::uint32_t channel, LaunchStatsNode& parent);

  // The requests of one direction from now on.
  void turn_to(bool writing) { writing_ = writing; }
  // Which of the bank's requests is next. The one that the row was opened for comes first, so that each change of a
  // row serves a request.
  std::uint32_t next_in(std::uint32_t bank, const DramQueue& waiting) const;
  bool goes_before(const DramQueueEntry& a, const DramQueueEntry& b) const {
    return mechanism_->before(access_of(a), access_of(b));
  }
  void served(const DramQueueEntry& entry, Cycle now) {
    counters_.select(entry.seat);
    mechanism_->served(access_of(entry), entry.bursts, now);
  }
  bool writes_next(const mechanism::DramLevels& levels) const { return mechanism_->writes_next(levels); }

 private:
  mechanism::DramAccess access_of(const DramQueueEntry& entry) const;

  const DramBanks* banks_;
  bool writing_ = false;
  MechanismCounters counters_;
  std::unique_ptr<mechanism::DramScheduler> mechanism_;
};

}  // namespace warpsim
