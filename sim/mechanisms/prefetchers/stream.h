// Prefetch along ascending and descending sequences of lines, whichever loads they come from.
//
// Source: the stream buffers of Jouppi, "Improving Direct-Mapped Cache Performance by the Addition of a Small
// Fully-Associative Cache and Prefetch Buffers", ISCA 1990, started only by two misses of neighbours as in Palacharla
// and Kessler, ISCA 1994. Modelled: a miss that fits no stream takes the one that is unused for the longest time; a
// neighbour of its line gives the direction; then the stream stays `degree` lines ahead. Lines up to `degree` before or
// after the last one belong to the stream, because warps overtake each other. Not modelled: buffers outside of the
// cache. The sectors are those of the lookup.
// State: last line, direction and lines ahead of each stream. Invariant: a stream requests each line once.
#pragma once

#include <cstdint>
#include <vector>

#include "warpsim/prefetcher.h"

namespace warpsim::mechanism {

class Stream final : public Prefetcher {
 public:
  struct Settings {
    std::uint32_t streams = 8;  // assumed: as many sequences at the same time as a small kernel has
    std::uint32_t degree = 2;   // assumed: small, so that wrong streams cost little

    void describe(Keys& keys);
  };

  Stream(const Settings& settings, const PrefetcherSite& site, Counters& counters);

  void access(const LineLookup& lookup, PrefetchList& wanted) override;

 private:
  struct Sequence {
    Address last_line = 0;
    std::int64_t direction = 0;  // 1 or -1; 0: only its first line is known
    std::uint32_t ahead = 0;     // lines after the last one that were requested
    std::uint64_t last_use = 0;  // number of the lookup; 0: unused
  };

  // Whether the line belongs to the sequence, which then goes on to it.
  bool follow(Sequence& sequence, const LineLookup& lookup, PrefetchList& wanted);
  void start(const LineLookup& lookup);

  Settings settings_;
  std::vector<Sequence> sequences_;
  std::uint64_t lookups_ = 0;
  Counter predictions_;
  Counter streams_started_;
  Counter streams_confirmed_;
};

}  // namespace warpsim::mechanism
