#include "mechanisms/sector_fetch/line_if_used.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace warpsim::mechanism {

void LineIfUsed::Settings::describe(Keys& keys) {
  keys.integer("counter_bits", counter_bits, 1, 16, "bits of the counter, which begins in the middle of its range");
  keys.integer("threshold", threshold, 1, 65535, "value from which on whole lines are fetched");
  keys.integer("use_weight", use_weight, 1, 65535,
               "amount by which a line raises the counter of which further sectors were used; others lower it by 1");
}

LineIfUsed::LineIfUsed(const Settings& settings, const SectorFetchSite& /*site*/, Counters& counters)
    : settings_(settings),
      highest_((1U << settings.counter_bits) - 1),
      use_((highest_ + 1) / 2),
      whole_lines_(counters.add("whole_lines", CounterUnit::kEvents, "misses that fetch all absent sectors")) {
  if (settings.threshold > highest_) {
    throw std::invalid_argument("threshold " + std::to_string(settings.threshold) +
                                " is more than the maximum of a counter of counter_bits " +
                                std::to_string(settings.counter_bits) + ", which is " + std::to_string(highest_));
  }
}

SectorMask LineIfUsed::fetch(const SectorMiss& miss, std::uint32_t& memo) {
  // What the first miss needed.
  memo = memo != 0 ? memo : miss.wanted;
  if (use_ < settings_.threshold) {
    return miss.wanted;
  }
  ++whole_lines_;
  return miss.absent;
}

void LineIfUsed::leaves(const SectorUse& line) {
  const bool further = (line.used & ~line.memo) != 0;
  use_ = further ? std::min(use_ + settings_.use_weight, highest_) : use_ - (use_ > 0 ? 1 : 0);
}

}  // namespace warpsim::mechanism
