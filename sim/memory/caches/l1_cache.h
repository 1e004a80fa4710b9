// L1 data cache of an SM: which lines are present, and which misses are in flight. Its pipeline, its latencies and
// its bandwidth belong to the load/store unit (core/load_store/load_store_unit.h).
//
// Modelled: lines of four sectors of 32 bytes, or of fewer, capacity set by the launch's carve-out, misses of sectors
// or whole lines, or sectors that a mechanism chooses, merging of misses to a line, a limited number of lines in
// flight, each of which takes the place of a line of data until its load has all of them, misses that wait by a
// mechanism, write-through with or without allocation, or by a mechanism, local memory written back, loads that bypass
// it. Not modelled: dirty data of partly written sectors (they are written through). Evidence: pointer chases over
// footprints and hit counts of recorded launches; values in the H200 config. Invariant: a sector is requested at most
// once while it is in flight. A line is named by the address of its first sector; sectors are those of the 128 bytes
// around it, and all that one call is about belong to one line.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "config/config_section.h"
#include "mechanisms/mechanism_choice.h"
#include "memory/caches/l1_listener.h"
#include "memory/caches/l1_policy.h"
#include "memory/caches/line_mechanisms.h"
#include "memory/caches/line_owners.h"
#include "memory/caches/line_parts.h"
#include "memory/caches/miss_admission_mechanism.h"
#include "memory/caches/mshr_table.h"
#include "memory/caches/replacement_mechanism.h"
#include "memory/caches/tag_array.h"
#include "memory/grow_queue.h"
#include "stats/launch_stats.h"
#include "stats/stat_group.h"

namespace warpsim {

struct L1Config {
  std::uint32_t sets = 1;  // ways follow from the capacity
  std::uint32_t line_bytes = kLineBytes;
  std::uint32_t capacity_kib = 0;  // 0: what the launch's carve-out leaves
  std::uint32_t mshr_entries = 1;  // lines in flight
  std::uint32_t mshr_waiters = 1;  // instructions merged into one of them
  bool unlimited_mshrs = false;
  bool misses_take_lines = false;           // loads hold no more lines than the capacity has until they are complete
  std::uint32_t fill_bytes = kSectorBytes;  // bytes that a miss fetches
  L1Policy policy;
  Replacement replacement = Replacement::kLru;
  MechanismChoice<mechanism::Replacement> replacement_mechanism;
  MechanismChoice<mechanism::Prefetcher> prefetcher;
  MechanismChoice<mechanism::L1Insertion> insertion;
  MechanismChoice<mechanism::SectorFetch> sector_fetch;
  MechanismChoice<mechanism::MissAdmission> miss_admission;
  MechanismChoice<mechanism::WritePolicy> write_policy;
  bool write_allocate = false;            // fully written sectors of an absent line become valid
  std::uint32_t hit_latency_cycles = 1;   // 4-byte load: issue to use
  std::uint32_t fill_latency_cycles = 1;  // response's arrival to use
  bool perfect = false;                   // every load hits
};
void describe(ConfigSection& section, L1Config& config);

struct L1Stats : StatGroup {
  using StatGroup::StatGroup;
  Counter merged_misses{*this, "merged_misses", Unit::kRequests, "misses to lines with all their sectors outstanding"};
  Counter requested_sectors{*this, "requested_sectors", Unit::kSectors, "sectors requested from the next level"};
  Counter filled_sectors{*this, "filled_sectors", Unit::kSectors, "sectors that arrived"};
  Counter mshr_refusals{*this, "mshr_full_events", Unit::kEvents, "instructions that had to wait for an MSHR"};
  Counter writeback_sectors{*this, "writeback_sectors", Unit::kSectors, "sectors of local memory written back"};
  Counter evictions{*this, "evictions", Unit::kEvents, "lines replaced"};
  Counter store_sectors_present{*this, "store_sectors_present", Unit::kSectors,
                                "stored sectors whose line was present"};
};

class L1Cache {
 public:
  L1Cache(const L1Config& config, LaunchStatsNode& parent, const char* name = "l1");

  const L1Config& config() const { return config_; }
  // The lines of the cache in 128 bytes.
  const LineParts& lines() const { return lines_; }
  // Who hears of replaced lines; must outlive the cache. The cache must be idle.
  void listen(L1Listener& listener) { owners_.listen(listener, tags_.num_slots()); }
  // Discards the content and sets the capacity, unless the description fixes it. At least one way is kept.
  void configure(std::uint64_t capacity_bytes);

  // Sectors of a load that cannot be served now. Changes nothing.
  std::uint8_t missing_sectors(Address line, std::uint8_t sectors, bool bypass) const;
  // A load finds at least a part of the sectors it needs.
  void touch(Address line, std::uint8_t sectors, LaunchSeat seat);

  // The load of a miss: what waits for the sectors, the launch, its address in the code, the number of the warp in the
  // SM.
  struct Load {
    std::uint32_t waiter = 0;
    LaunchSeat seat = 0;
    Address pc = 0;
    std::uint32_t warp = 0;
    bool past_data = false;        // its data do not pass the data array: asynchronous copies that bypass L1
    std::uint32_t held_lines = 0;  // that its instruction holds already
  };
  struct Miss {
    bool accepted = false;             // false: no MSHR; ask again after a fill
    std::uint8_t request_sectors = 0;  // to be requested from the next level, with `tag`
    std::uint32_t tag = 0;
    bool holds_line = false;  // the load holds one line more, until release()
  };
  // `bypass`: the line is not kept. `seat`, here and below: of the launch that accesses.
  Miss miss(Address line, std::uint8_t sectors, bool bypass, const Load& load);
  // Lines that a load has held: it is complete.
  void release(std::uint32_t lines) {
    held_lines_ -= lines;
    refused_ = refused_ && lines == 0;
  }
  // The line of a miss enters as the first to be replaced.
  void let_leave_first(std::uint32_t tag) {
    mshrs_[tag].mark = static_cast<std::uint8_t>(mshrs_[tag].mark | kLeavesFirst);
  }

  // --- prefetches ---

  // Why a prefetch of a line is not requested, or its request.
  struct Prefetch {
    enum class Result : std::uint8_t { kRequested, kPresent, kNoSpace };
    Result result = Result::kNoSpace;
    std::uint8_t request_sectors = 0;
    std::uint32_t tag = 0;
  };
  // `space`: there is space for a request on the way to the next level.
  Prefetch prefetch(Address line, std::uint8_t sectors, bool space, LaunchSeat seat);
  // What a load finds of a prefetch: the first time that it uses the line.
  enum class Prefetched : std::uint8_t { kNo, kPresent, kOnItsWay };
  Prefetched use_prefetched(Address line);

  // Sectors of a miss arrive; calls done(waiter) for each waiter that now has all of its sectors.
  template <typename Done>
  void fill(std::uint32_t tag, std::uint8_t sectors, LaunchSeat seat, Done&& done) {
    keep_sectors(tag, sectors, seat);
    const bool ends = mshrs_[tag].pending == sectors;
    held_lines_ -= ends && (mshrs_[tag].mark & kHoldsLine) != 0 ? 1 : 0;
    mshrs_.fill(tag, sectors, [&](const Waiter& waiter, std::uint8_t) {
      if (waiter.sectors == 0) {
        done(waiter.id);
      }
    });
    refused_ = false;
    if (admission_ && ends) [[unlikely]] {
      admission_.end(tag, seat);
    }
  }

  // A store to global memory passes; `full_sectors` are written whole.
  void write(Address line, std::uint8_t sectors, std::uint8_t full_sectors, LaunchSeat seat);
  // The same for a cache with a write policy: the address of the store in the code, the number of the warp in the SM.
  struct Store {
    LaunchSeat seat = 0;
    Address pc = 0;
    std::uint32_t warp = 0;
  };
  void write_by_policy(Address line, std::uint8_t sectors, std::uint8_t full_sectors, const Store& store);
  bool has_write_policy() const { return static_cast<bool>(mechanisms_.write_policy()); }
  // A store to local memory with write-back; returns the sectors that have to be written through.
  std::uint8_t write_local(Address line, std::uint8_t sectors, std::uint8_t full_sectors, LaunchSeat seat);
  // The last use of local memory: the line is not written back.
  void drop(Address line, LaunchSeat seat);
  // Replaced lines whose dirty sectors must be sent to the next level.
  struct Writeback {
    Address line = 0;
    std::uint8_t sectors = 0;
    LaunchSeat seat = 0;  // of the launch that replaced it
  };
  GrowQueue<Writeback>& writebacks() { return writebacks_; }
  const GrowQueue<Writeback>& writebacks() const { return writebacks_; }
  // An atomic changes the sectors in the next level. They may belong to several lines.
  void discard(Address line, std::uint8_t sectors);
  bool idle() const { return mshrs_.empty() && writebacks_.empty(); }

 private:
  struct Waiter {
    std::uint32_t id = 0;
    std::uint8_t sectors = 0;
  };

  static constexpr std::uint8_t kLeavesFirst = 1;  // marks of an MSHR
  static constexpr std::uint8_t kPrefetch = 2;
  static constexpr std::uint8_t kHoldsLine = 4;  // a prefetch

  bool holds_lines() const { return config_.misses_take_lines && !config_.unlimited_mshrs; }
  // For a miss that needs an entry and, if it holds one, a line. An instruction that holds all lines may have more:
  // nothing else would end its wait.
  bool has_space(bool holds, std::uint32_t held_by_itself) const {
    return !mshrs_.full() && (!holds || held_lines_ < tags_.num_slots() || held_lines_ == held_by_itself);
  }
  std::uint32_t slot_for(Address line, LaunchSeat seat, bool keep = true);
  void keep_sectors(std::uint32_t tag, std::uint8_t sectors, LaunchSeat seat);
  void remove(std::uint32_t slot, LaunchSeat seat);
  static mechanism::MissOffer offer_of(const MshrTable<Waiter>& mshrs, std::uint32_t entry, Address line,
                                       std::uint8_t sectors, const Load& load);
  std::uint8_t fetched_by_mechanism(std::uint32_t entry, bool new_entry, std::uint8_t sectors, const Load& load);

  L1Config config_;
  LineParts lines_;
  LineParts fills_;  // what a miss fetches together
  LaunchStats<L1Stats> stats_;
  ReplacementMechanism replacement_;
  LineMechanisms mechanisms_;
  TagArray tags_;
  MshrTable<Waiter> mshrs_;
  MissAdmissionMechanism admission_;
  LineOwners owners_;
  GrowQueue<Writeback> writebacks_;
  std::uint32_t held_lines_ = 0;  // of loads that are not complete, and of prefetches
  bool refused_ = false;          // a refusal was counted; counted once until the next fill
};

}  // namespace warpsim
