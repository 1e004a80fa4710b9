#include "mechanisms/l1_insertion/reuse_by_pc.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "mechanisms/table_index.h"

namespace warpsim::mechanism {

void ReuseByPc::Settings::describe(Keys& keys) {
  keys.integer("table_entries", table_entries, 1, 65536, "counters of loads");
  keys.integer("counter_bits", counter_bits, 1, 16, "bits of a counter, which begins with its maximum");
  keys.integer("threshold", threshold, 1, 65535, "lines of loads whose counter is below this value bypass L1");
  keys.integer("hit_weight", hit_weight, 1, 65535, "amount by which a hit raises the counter; a miss lowers it by 1");
  keys.integer("sample_interval", sample_interval, 2, 65536,
               "one miss of this number is kept although it would bypass");
}

ReuseByPc::ReuseByPc(const Settings& settings, const L1InsertionSite& /*site*/, Counters& counters)
    : settings_(settings),
      highest_((1U << settings.counter_bits) - 1),
      table_(settings.table_entries, Entry{highest_, 0}),
      bypasses_(counters.add("bypasses", CounterUnit::kEvents, "lines of loads with little reuse that bypass L1")),
      samples_(counters.add("samples", CounterUnit::kEvents, "lines of loads with little reuse that are kept")) {
  if (settings.threshold > highest_) {
    throw std::invalid_argument("threshold " + std::to_string(settings.threshold) +
                                " is more than the maximum of a counter of counter_bits " +
                                std::to_string(settings.counter_bits) + ", which is " + std::to_string(highest_));
  }
}

Insertion ReuseByPc::access(const LineLookup& lookup) {
  Entry& entry = table_[table_index(lookup.pc, settings_.table_entries)];
  if (lookup.hit) {
    entry.reuse = std::min(entry.reuse + settings_.hit_weight, highest_);
    return Insertion::kKeep;
  }
  if (entry.reuse < settings_.threshold) {
    if (++entry.bypassed < settings_.sample_interval) {
      ++bypasses_;
      return Insertion::kBypass;
    }
    ++samples_;
  }
  entry.bypassed = 0;
  entry.reuse -= entry.reuse > 0 ? 1 : 0;
  return Insertion::kKeep;
}

}  // namespace warpsim::mechanism
