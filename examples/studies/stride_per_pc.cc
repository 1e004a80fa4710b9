// A prefetcher that trains one stride for each load instruction, whatever warp executes it.
//
// It is the prediction table of Chen and Baer (1995) as for a processor with one thread: lookups of all warps go into
// one entry. Apart from that it has the rules and the keys of the shipped prefetcher `stride`, which has an entry for
// each load and warp. The study compares the two.
#include <cstdint>
#include <vector>

#include "warpsim/library.h"
#include "warpsim/prefetcher.h"

namespace studies {

using namespace warpsim::mechanism;

class StridePerPc final : public Prefetcher {
 public:
  struct Settings {
    std::uint32_t table_entries = 64;
    std::uint32_t degree = 1;
    std::uint32_t distance = 1;
    std::uint32_t threshold = 2;

    void describe(Keys& keys) {
      keys.integer("table_entries", table_entries, 1, 65536, "loads that the table remembers");
      keys.integer("degree", degree, 1, PrefetchList::kMost, "lines that are requested with one lookup");
      keys.integer("distance", distance, 1, 64, "strides between the line of the lookup and the first requested line");
      keys.integer("threshold", threshold, 1, 16, "equal strides in a row before lines are requested");
    }
  };

  StridePerPc(const Settings& settings, const PrefetcherSite& /*site*/, Counters& counters)
      : settings_(settings),
        table_(settings.table_entries),
        predictions_(counters.add("predictions", CounterUnit::kEvents, "lines that the prefetcher wanted")),
        confirmed_(counters.add("strides_confirmed", CounterUnit::kEvents,
                                "strides that repeated as often as the threshold requires")) {}

  void access(const LineLookup& lookup, PrefetchList& wanted) override {
    Entry& entry = table_[lookup.pc / 16 % table_.size()];
    const bool known = entry.used && entry.pc == lookup.pc && entry.strides == settings_.threshold;
    if (lookup.first ? learn(entry, lookup) : known) {
      request(lookup, entry.stride, wanted);
    }
  }

 private:
  struct Entry {
    Address pc = 0;
    Address last_line = 0;
    Address stride = 0;         // in bytes; a negative one wraps around; 0: none yet
    std::uint32_t strides = 0;  // equal ones in a row, at most the threshold
    bool used = false;
  };

  // Whether the lookup continues with the stride often enough.
  bool learn(Entry& entry, const LineLookup& lookup) {
    if (!entry.used || entry.pc != lookup.pc) {
      entry = {lookup.pc, lookup.line, 0, 0, true};
      return false;
    }
    const Address stride = lookup.line - entry.last_line;
    if (stride == 0) {
      return false;
    }
    entry.last_line = lookup.line;
    if (stride != entry.stride) {
      entry.stride = stride;
      entry.strides = 0;
    }
    if (entry.strides < settings_.threshold && ++entry.strides == settings_.threshold) {
      ++confirmed_;
    }
    return entry.strides == settings_.threshold;
  }

  void request(const LineLookup& lookup, Address stride, PrefetchList& wanted) {
    const bool upwards = stride >> 63U == 0;
    Address before = lookup.line;
    for (std::uint32_t step = 1; step < settings_.distance + settings_.degree; ++step) {
      const Address line = before + stride;
      if ((line > before) != upwards) {
        return;  // beyond the address space
      }
      if (step >= settings_.distance) {
        wanted.add(line, lookup.sectors);
        ++predictions_;
      }
      before = line;
    }
  }

  Settings settings_;
  std::vector<Entry> table_;
  Counter predictions_;
  Counter confirmed_;
};

}  // namespace studies

WARPSIM_LIBRARY(registry) {
  add<studies::StridePerPc>(registry, "stride_per_pc",
                            "Lines at the constant distance that a load shows, all warps together");
}
