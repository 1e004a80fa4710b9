#include "mechanisms/prefetchers/next_line.h"

#include "mechanisms/prefetchers/next_lines.h"

namespace warpsim::mechanism {

void NextLine::Settings::describe(Keys& keys) {
  keys.integer("degree", degree, 1, 8, "lines after that of the load that are requested");
  keys.boolean("on_hits", on_hits, "loads that hit request lines also");
}

NextLine::NextLine(const Settings& settings, const PrefetcherSite& /*site*/, Counters& counters)
    : settings_(settings),
      predictions_(counters.add("predictions", CounterUnit::kEvents, "lines that the prefetcher wanted")) {}

void NextLine::access(const LineLookup& lookup, PrefetchList& wanted) {
  if (!lookup.hit || settings_.on_hits) {
    predictions_ += add_lines_after(lookup, kLineBytes, 1, settings_.degree, wanted);
  }
}

}  // namespace warpsim::mechanism
