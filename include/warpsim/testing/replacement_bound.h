// A cache of lines around a replacement, for tests: counts the misses of a stream of lines, and computes the minimum
// that no replacement can be below.
//
// Modelled as in the simulator: empty ways are filled first, victim() is called for full sets only, and each line that
// misses enters. The minimum is that of Belady (IBM Systems Journal, 1966): the line whose next use is the last one
// is replaced. It holds for caches into which each line that misses enters.
// Invariant: a line is in at most one way of its set.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "warpsim/replacement.h"
#include "warpsim/testing/contract_parts.h"

namespace warpsim::mechanism::testing {

struct LineUse {
  std::uint32_t set = 0;
  Address line = 0;
};
using LineStream = std::vector<LineUse>;

class CacheModel {
 public:
  struct Outcome {
    bool hit = false;
    bool replaced = false;  // another line left
    std::uint32_t way = 0;  // as victim() answered if `replaced`; it may be wrong
  };

  CacheModel(Replacement& replacement, const ReplacementSite& site)
      : replacement_(replacement), site_(site), lines_(std::size_t{site.sets} * site.ways) {}

  // If victim() answers a way that the set does not have, the line does not enter.
  Outcome use(const LineUse& use, bool leaves_first = false) {
    const std::uint32_t present = find(use.set, use.line);
    if (present < site_.ways) {
      replacement_.used({use.set, present}, use.line);
      return {true, false, present};
    }
    const std::uint32_t empty = find(use.set, std::nullopt);
    const bool replaces = empty == site_.ways;
    const std::uint32_t way = replaces ? replacement_.victim(use.set) : empty;
    if (way < site_.ways) {
      place(use.set, way) = use.line;
      replacement_.inserted({use.set, way}, use.line, leaves_first);
    }
    return {false, replaces, way};
  }
  // Without effect on an empty way.
  void remove(Way place_of_line) {
    std::optional<Address>& line = place(place_of_line.set, place_of_line.way);
    if (line.has_value()) {
      line.reset();
      replacement_.removed(place_of_line);
    }
  }
  void clear() {
    std::fill(lines_.begin(), lines_.end(), std::nullopt);
    replacement_.cleared();
  }

 private:
  std::optional<Address>& place(std::uint32_t set, std::uint32_t way) {
    return lines_[std::size_t{set} * site_.ways + way];
  }
  // The first way with this content, or the number of ways.
  std::uint32_t find(std::uint32_t set, std::optional<Address> content) {
    std::uint32_t way = 0;
    while (way < site_.ways && place(set, way) != content) {
      ++way;
    }
    return way;
  }

  Replacement& replacement_;
  ReplacementSite site_;
  std::vector<std::optional<Address>> lines_;
};

// Misses of a new cache. std::out_of_range if victim() answers a way that the set does not have.
inline std::uint64_t count_misses(const Factory<Replacement>& factory, const ReplacementSite& site,
                                  const LineStream& stream) {
  TestCounters counters;
  const std::unique_ptr<Replacement> replacement = factory.make(site, counters);
  CacheModel cache(*replacement, site);
  std::uint64_t misses = 0;
  for (const LineUse& use : stream) {
    const CacheModel::Outcome outcome = cache.use(use);
    if (outcome.way >= site.ways) {
      throw std::out_of_range("victim() answers way " + std::to_string(outcome.way));
    }
    misses += outcome.hit ? 0 : 1;
  }
  return misses;
}

// The minimum of misses of a cache that is empty at first.
inline std::uint64_t fewest_misses(std::uint32_t sets, std::uint32_t ways, const LineStream& stream) {
  constexpr std::size_t kNeverAgain = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> next_use(stream.size(), kNeverAgain);
  std::map<std::pair<std::uint32_t, Address>, std::size_t> uses;
  for (std::size_t i = stream.size(); i-- > 0;) {
    const auto [found, is_last] = uses.try_emplace({stream[i].set, stream[i].line}, i);
    next_use[i] = is_last ? kNeverAgain : std::exchange(found->second, i);
  }
  struct Resident {
    Address line;
    std::size_t next_use;
  };
  std::vector<std::vector<Resident>> residents(sets);
  std::uint64_t misses = 0;
  for (std::size_t i = 0; i < stream.size(); ++i) {
    std::vector<Resident>& set = residents.at(stream[i].set);
    auto place = std::find_if(set.begin(), set.end(), [&](const Resident& r) { return r.line == stream[i].line; });
    if (place == set.end()) {
      ++misses;
      if (set.size() < ways) {
        place = set.insert(set.end(), Resident{});
      } else {
        place = std::max_element(set.begin(), set.end(),
                                 [](const Resident& a, const Resident& b) { return a.next_use < b.next_use; });
      }
    }
    *place = {stream[i].line, next_use[i]};
  }
  return misses;
}

// `lines` lines of each set, one after another, `rounds` times. The sets alternate.
inline LineStream loop_over_lines(std::uint32_t sets, std::uint32_t lines, std::uint32_t rounds) {
  LineStream stream;
  stream.reserve(std::size_t{sets} * lines * rounds);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t line = 0; line < lines; ++line) {
      for (std::uint32_t set = 0; set < sets; ++set) {
        stream.push_back({set, (Address{line} * sets + set) * kLineBytes});
      }
    }
  }
  return stream;
}

// `uses` uses of `lines` lines of each set; `skewed`: small line numbers are more frequent.
inline LineStream drawn_lines(std::uint32_t sets, std::uint32_t lines, std::uint32_t uses, bool skewed,
                              std::uint64_t seed) {
  Draws draws(seed);
  LineStream stream;
  stream.reserve(uses);
  for (std::uint32_t i = 0; i < uses; ++i) {
    const std::uint32_t set = draws.below(sets);
    const std::uint32_t line = draws.below(skewed ? draws.below(lines) + 1 : lines);
    stream.push_back({set, (Address{line} * sets + set) * kLineBytes});
  }
  return stream;
}

}  // namespace warpsim::mechanism::testing
