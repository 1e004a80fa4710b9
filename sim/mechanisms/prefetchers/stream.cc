#include "mechanisms/prefetchers/stream.h"

#include <algorithm>

#include "mechanisms/prefetchers/next_lines.h"

namespace warpsim::mechanism {

void Stream::Settings::describe(Keys& keys) {
  keys.integer("streams", streams, 1, 64, "sequences of lines that are followed at the same time");
  keys.integer("degree", degree, 1, PrefetchList::kMost, "lines that a stream is ahead");
}

Stream::Stream(const Settings& settings, const PrefetcherSite& /*site*/, Counters& counters)
    : settings_(settings),
      sequences_(settings.streams),
      predictions_(counters.add("predictions", CounterUnit::kEvents, "lines that the prefetcher wanted")),
      streams_started_(counters.add("streams_started", CounterUnit::kEvents, "misses that fitted no stream")),
      streams_confirmed_(
          counters.add("streams_confirmed", CounterUnit::kEvents, "streams whose direction became known")) {}

bool Stream::follow(Sequence& sequence, const LineLookup& lookup, PrefetchList& wanted) {
  // Of line numbers, because the ends of the address space are not neighbours.
  const auto lines = static_cast<std::int64_t>(lookup.line / kLineBytes - sequence.last_line / kLineBytes);
  const auto degree = static_cast<std::int64_t>(settings_.degree);
  const std::int64_t window = sequence.direction == 0 ? 1 : degree;
  if (sequence.last_use == 0 || lines < -window || lines > window) {
    return false;
  }
  sequence.last_use = lookups_;
  if (lines == 0) {
    return true;
  }
  if (sequence.direction == 0) {
    sequence.direction = lines;
    ++streams_confirmed_;
  }
  const std::int64_t forward = lines * sequence.direction;
  if (forward < 0) {
    return true;
  }
  sequence.last_line = lookup.line;
  const auto step = static_cast<std::uint32_t>(forward);
  const std::uint32_t requested = sequence.ahead > step ? sequence.ahead - step : 0;
  predictions_ +=
      add_lines_after(lookup, sequence.direction * std::int64_t{kLineBytes}, requested + 1, settings_.degree, wanted);
  sequence.ahead = settings_.degree;
  return true;
}

void Stream::start(const LineLookup& lookup) {
  const auto oldest = std::min_element(sequences_.begin(), sequences_.end(),
                                       [](const Sequence& a, const Sequence& b) { return a.last_use < b.last_use; });
  *oldest = {lookup.line, 0, 0, lookups_};
  ++streams_started_;
}

void Stream::access(const LineLookup& lookup, PrefetchList& wanted) {
  ++lookups_;
  for (Sequence& sequence : sequences_) {
    if (follow(sequence, lookup, wanted)) {
      return;
    }
  }
  if (!lookup.hit) {
    start(lookup);
  }
}

}  // namespace warpsim::mechanism
