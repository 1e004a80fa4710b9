#include "warpsim/testing/prefetcher_contract.h"

#include <catch2/catch.hpp>

#include "support/violations.h"

namespace warpsim::mechanism::testing {
namespace {

// Base of prefetchers with one fault.
class FaultyPrefetcher : public Prefetcher {
 public:
  FaultyPrefetcher(const NoSettings& /*settings*/, const PrefetcherSite& /*site*/, Counters& /*counters*/) {}
};

class SameLine final : public FaultyPrefetcher {
 public:
  using FaultyPrefetcher::FaultyPrefetcher;
  void access(const LineLookup& lookup, PrefetchList& wanted) override { wanted.add(lookup.line, lookup.sectors); }
};

class NextSector final : public FaultyPrefetcher {
 public:
  using FaultyPrefetcher::FaultyPrefetcher;
  void access(const LineLookup& lookup, PrefetchList& wanted) override { wanted.add(lookup.line + 32, 0x1); }
};

class EightSectors final : public FaultyPrefetcher {
 public:
  using FaultyPrefetcher::FaultyPrefetcher;
  void access(const LineLookup& lookup, PrefetchList& wanted) override { wanted.add(lookup.line, 0xff); }
};

class LineAfter final : public FaultyPrefetcher {
 public:
  using FaultyPrefetcher::FaultyPrefetcher;
  void access(const LineLookup& lookup, PrefetchList& wanted) override { wanted.add(lookup.line + kLineBytes, 0xf); }
};

class LineBefore final : public FaultyPrefetcher {
 public:
  using FaultyPrefetcher::FaultyPrefetcher;
  void access(const LineLookup& lookup, PrefetchList& wanted) override { wanted.add(lookup.line - kLineBytes, 0xf); }
};

class LineOfAnyObject final : public FaultyPrefetcher {
 public:
  using FaultyPrefetcher::FaultyPrefetcher;
  void access(const LineLookup& lookup, PrefetchList& wanted) override {
    wanted.add(lookup.line % 256 == 0 ? lookup.line : line_of_all * kLineBytes, 0xf);
    ++line_of_all;
  }

 private:
  static inline Address line_of_all = 0;
};

class OnlyItsOwn final : public FaultyPrefetcher {
 public:
  using FaultyPrefetcher::FaultyPrefetcher;
  void access(const LineLookup& lookup, PrefetchList& wanted) override {
    wanted.clear();
    wanted.add(lookup.line, 0xf);
  }
};

class WrongShift final : public FaultyPrefetcher {
 public:
  struct Settings {
    std::uint32_t bytes = 256;
    void describe(Keys& keys) { keys.integer("bytes", bytes, 64, 512, "distance"); }
  };
  WrongShift(const Settings& settings, const PrefetcherSite& site, Counters& counters)
      : FaultyPrefetcher({}, site, counters), bytes_(settings.bytes) {}
  void access(const LineLookup& lookup, PrefetchList& wanted) override {
    if (lookup.line < (Address{1} << 32U)) {
      wanted.add(lookup.line + bytes_, 0xf);
    }
  }

 private:
  std::uint32_t bytes_;
};

class OnlyL1 final : public Prefetcher {
 public:
  OnlyL1(const NoSettings& /*settings*/, const PrefetcherSite& site, Counters& counters)
      : lines_(counters.add("lines", CounterUnit::kRequests, "lines that were requested")) {
    if (site.cache != CacheLevel::kL1) {
      throw std::invalid_argument("L2 has no warps");
    }
  }
  void access(const LineLookup& lookup, PrefetchList& wanted) override {
    wanted.add(lookup.line, lookup.sectors);
    ++lines_;
  }

 private:
  Counter lines_;
};

template <typename Mechanism>
Sentences prefetcher_violations() {
  return check_prefetcher(entry_of<Mechanism>("mine", "requests lines"));
}

TEST_CASE("A correct prefetcher has no violations") {
  CHECK_THAT(prefetcher_violations<SameLine>(), Catch::Equals(Sentences{}));
}

TEST_CASE("A prefetcher for L1 alone has no violations") {
  CHECK_THAT(prefetcher_violations<OnlyL1>(), Catch::Equals(Sentences{}));
}

TEST_CASE("Addresses between lines are found") {
  CHECK(prefetcher_violations<NextSector>() ==
        Sentences{"L1: a line is not a multiple of 128", "L2: a line is not a multiple of 128"});
}

TEST_CASE("Sectors that a line does not have are found") {
  CHECK(prefetcher_violations<EightSectors>() ==
        Sentences{"L1: a line has more than 4 sectors", "L2: a line has more than 4 sectors"});
}

TEST_CASE("Lines beyond the ends of the address space are found") {
  CHECK(says(prefetcher_violations<LineAfter>(),
             "L1: lines after the last one are requested at the beginning of the address space"));
  CHECK(says(prefetcher_violations<LineBefore>(),
             "L2: lines before the first one are requested at the end of the address space"));
}

TEST_CASE("State that prefetchers share is found") {
  CHECK(says(prefetcher_violations<LineOfAnyObject>(), "L2: two objects with the same calls answer differently"));
}

TEST_CASE("Lines that a prefetcher takes from the list are found") {
  CHECK(prefetcher_violations<OnlyItsOwn>() == Sentences{"L1: lines that others added to the list are lost",
                                                         "L2: lines that others added to the list are lost"});
}

TEST_CASE("A prefetcher's faults at the ends of a key's range are found") {
  CHECK(prefetcher_violations<WrongShift>() == Sentences{"L1, bytes = 64: a line is not a multiple of 128",
                                                         "L2, bytes = 64: a line is not a multiple of 128"});
}

TEST_CASE("Lookups in L2 have neither pc nor warp") {
  bool with_warp = false;
  for (const LineLookup& lookup : lookups_of_all_kinds(CacheLevel::kL1, 1)) {
    with_warp = with_warp || (lookup.pc != 0 && lookup.warp != 0);
  }
  CHECK(with_warp);
  for (const LineLookup& lookup : lookups_of_all_kinds(CacheLevel::kL2, 1)) {
    REQUIRE((lookup.pc == 0 && lookup.warp == 0));
  }
}

}  // namespace
}  // namespace warpsim::mechanism::testing
