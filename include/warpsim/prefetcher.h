// The interface of prefetchers of L1 and of slices of L2.
//
// The simulator calls access() for each line that a load looks up, and requests the lines that the prefetcher adds to
// the list, unless they are present or already on their way. A request that finds no free entry of the miss table or no
// space on the way to the next level is dropped and counted. Prefetched lines enter the cache as those of loads do.
//
// In L1 addresses are those of the program. A slice of L2 is home of lines that are not neighbours in memory: its
// prefetcher sees and names the lines of the slice by their number there times kLineBytes, so that the next address
// is the next line of the slice.
#pragma once

#include <array>
#include <cstdint>

#include "warpsim/mechanism.h"

namespace warpsim::mechanism {

struct PrefetcherSite {
  CacheLevel cache = CacheLevel::kL1;
};

// A line that a load looks up.
struct LineLookup {
  Address line = 0;
  SectorMask sectors = 0;  // that the load reads
  bool hit = false;        // all of them are present
  Cycle now = 0;
  Address pc = 0;          // of the load; L2: 0, requests do not carry it
  std::uint32_t warp = 0;  // its number in the SM: kMaxWarpSlots times its sub-core plus its slot; L2: 0
  bool first = true;       // the first line of the load, whose further lines follow; L2: always
};

// Lines that a prefetcher requests with one access.
class PrefetchList {
 public:
  static constexpr std::uint32_t kMost = 16;
  struct Line {
    Address line;
    SectorMask sectors;
  };

  // `line` is a multiple of kLineBytes, and `sectors` has only bits of a line, else the run ends with an error. Lines
  // without sectors are ignored; those beyond kMost are not requested, and count as dropped.
  void add(Address line, SectorMask sectors) {
    if (sectors == 0) {
      return;
    }
    if (size_ == kMost) {
      ++beyond_;
      return;
    }
    lines_[size_++] = {line, sectors};
  }
  const Line* begin() const { return lines_.data(); }
  const Line* end() const { return lines_.data() + size_; }
  // Lines that were added beyond kMost.
  std::uint32_t beyond() const { return beyond_; }
  void clear() {
    size_ = 0;
    beyond_ = 0;
  }

 private:
  std::array<Line, kMost> lines_{};
  std::uint32_t size_ = 0;
  std::uint32_t beyond_ = 0;
};

class Prefetcher {
 public:
  using Interface = Prefetcher;
  using Site = PrefetcherSite;
  using Settings = NoSettings;

  virtual ~Prefetcher() = default;
  virtual void access(const LineLookup& lookup, PrefetchList& wanted) = 0;
};

}  // namespace warpsim::mechanism
