#include "mechanisms/write_policies/around_unless_reused.h"

#include "mechanisms/table_index.h"

namespace warpsim::mechanism {

void AroundUnlessReused::Settings::describe(Keys& keys) {
  keys.integer("table_entries", table_entries, 1, 65536, "counters");
  keys.integer("region_lines", region_lines, 1, 65536, "neighbouring lines of a slice of L2 with one counter");
  keys.integer("counter_bits", counter_bits, 1, 16,
               "bits of a counter, which begins with the lowest value of the upper half of its range");
  keys.integer("probe_interval", probe_interval, 2, 65536,
               "one in so many writes of absent lines stays although its counter says that it should not");
}

AroundUnlessReused::AroundUnlessReused(const Settings& settings, const WritePolicySite& site, Counters& counters)
    : settings_(settings),
      stay_(site.cache == CacheLevel::kL1 ? WriteWay::kThrough : WriteWay::kBack),
      highest_((1U << settings.counter_bits) - 1),
      table_(settings.table_entries, highest_ / 2 + 1),
      probes_(counters.add("probes", CounterUnit::kEvents, "writes that stayed to see whether they are used now")) {}

WriteWay AroundUnlessReused::write(const LineWrite& write, std::uint32_t& memo) {
  const Address place = write.pc != 0 ? write.pc : write.line / kLineBytes / settings_.region_lines;
  const std::uint32_t entry = table_index(place, settings_.table_entries);
  memo = entry + 1;
  if (write.line_present || table_[entry] > highest_ / 2) {
    return stay_;
  }
  if (++passed_ < settings_.probe_interval) {
    return WriteWay::kAround;
  }
  passed_ = 0;
  ++probes_;
  return stay_;
}

void AroundUnlessReused::leaves(const WrittenLine& line) {
  std::uint32_t& counter = table_[line.memo - 1];
  if ((line.read | line.rewritten) != 0) {
    counter += counter < highest_ ? 1 : 0;
  } else {
    counter -= counter > 0 ? 1 : 0;
  }
}

}  // namespace warpsim::mechanism
