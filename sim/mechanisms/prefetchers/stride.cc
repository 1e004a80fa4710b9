#include "mechanisms/prefetchers/stride.h"

#include "mechanisms/prefetchers/next_lines.h"
#include "mechanisms/table_index.h"

namespace warpsim::mechanism {

namespace {

constexpr Address kRegionBytes = 4096;
constexpr std::uint32_t kNoWarp = 0xffffffffU;

}  // namespace

void Stride::Settings::describe(Keys& keys) {
  keys.integer("table_entries", table_entries, 1, 65536, "loads of a warp that the table remembers");
  keys.integer("degree", degree, 1, PrefetchList::kMost, "lines that are requested with one lookup");
  keys.integer("distance", distance, 1, 64, "strides between the line of the lookup and the first requested line");
  keys.integer("threshold", threshold, 1, 16, "equal strides in a row before lines are requested");
}

Stride::Stride(const Settings& settings, const PrefetcherSite& /*site*/, Counters& counters)
    : settings_(settings),
      table_(settings.table_entries),
      predictions_(counters.add("predictions", CounterUnit::kEvents, "lines that the prefetcher wanted")),
      strides_confirmed_(counters.add("strides_confirmed", CounterUnit::kEvents,
                                      "strides that repeated as often as the threshold requires")) {}

bool Stride::learn(Entry& entry, const Source& source, Address line) {
  if (!entry.used || entry.source != source) {
    entry = {source, line, 0, 0, true};
    return false;
  }
  const auto stride = static_cast<std::int64_t>(line - entry.last_line);
  if (stride == 0) {
    return false;
  }
  entry.last_line = line;
  if (stride != entry.stride) {
    entry.stride = stride;
    entry.strides = 0;
  }
  if (entry.strides < settings_.threshold && ++entry.strides == settings_.threshold) {
    ++strides_confirmed_;
  }
  return entry.strides == settings_.threshold;
}

void Stride::access(const LineLookup& lookup, PrefetchList& wanted) {
  const Source source = lookup.pc != 0 ? Source{lookup.pc, lookup.warp} : Source{lookup.line / kRegionBytes, kNoWarp};
  const std::uint64_t key = source.pc_or_region ^ (std::uint64_t{source.warp} << 44U);
  Entry& entry = table_[table_index(key, settings_.table_entries)];
  // The distance between the lines of one load is no stride, but each of them moves by that of the load.
  const bool known = entry.used && entry.source == source && entry.strides == settings_.threshold;
  if (lookup.first ? learn(entry, source, lookup.line) : known) {
    predictions_ +=
        add_lines_after(lookup, entry.stride, settings_.distance, settings_.distance + settings_.degree - 1, wanted);
  }
}

}  // namespace warpsim::mechanism
