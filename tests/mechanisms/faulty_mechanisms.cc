// Mechanisms that break one rule each, for own_mechanisms_test.py.
#include <bit>
#include <stdexcept>

#include "warpsim/library.h"

namespace {

using namespace warpsim::mechanism;

class NoCandidate final : public WarpScheduler {
 public:
  NoCandidate(const Settings& /*settings*/, const WarpSchedulerSite& /*site*/, Counters& /*counters*/) {}
  void warp_arrived(std::uint32_t /*slot*/, std::uint64_t /*block*/, Cycle /*now*/) override {}
  void warp_left(std::uint32_t /*slot*/) override {}
  std::uint32_t pick(WarpMask candidates, Cycle /*now*/) const override {
    return static_cast<std::uint32_t>(std::countr_one(candidates));
  }
  void issued(const IssuedInstruction& /*instruction*/) override {}
};

class AnyReplacement : public Replacement {
 public:
  void inserted(Way /*place*/, Address /*line*/, bool /*leaves_first*/) override {}
  void used(Way /*place*/, Address /*line*/) override {}
  void removed(Way /*place*/) override {}
  std::uint32_t victim(std::uint32_t /*set*/) override { return 0; }
  void cleared() override {}
};

class WayBeyond final : public AnyReplacement {
 public:
  WayBeyond(const Settings& /*settings*/, const ReplacementSite& site, Counters& /*counters*/) : ways_(site.ways) {}
  std::uint32_t victim(std::uint32_t /*set*/) override { return ways_; }

 private:
  std::uint32_t ways_;
};

class Throwing final : public AnyReplacement {
 public:
  Throwing(const Settings& /*settings*/, const ReplacementSite& /*site*/, Counters& /*counters*/) {
    throw std::runtime_error("the reason of the constructor");
  }
};

class SameCounters final : public AnyReplacement {
 public:
  SameCounters(const Settings& /*settings*/, const ReplacementSite& /*site*/, Counters& counters) {
    counters.add("events", CounterUnit::kEvents, "events");
    counters.add("events", CounterUnit::kEvents, "the same events");
  }
};

class SameKeys final : public AnyReplacement {
 public:
  struct Settings {
    std::uint32_t depth = 4;
    void describe(Keys& keys) {
      keys.integer("depth", depth, 1, 8, "entries");
      keys.integer("depth", depth, 1, 8, "entries again");
    }
  };
  SameKeys(const Settings& /*settings*/, const ReplacementSite& /*site*/, Counters& /*counters*/) {}
};

class NoCounter final : public AnyReplacement {
 public:
  NoCounter(const Settings& /*settings*/, const ReplacementSite& /*site*/, Counters& /*counters*/) {}
  void inserted(Way /*place*/, Address /*line*/, bool /*leaves_first*/) override { ++lines_; }

 private:
  Counter lines_;
};

class ThrowsLater final : public AnyReplacement {
 public:
  ThrowsLater(const Settings& /*settings*/, const ReplacementSite& /*site*/, Counters& /*counters*/) {}
  void inserted(Way /*place*/, Address /*line*/, bool /*leaves_first*/) override {
    throw std::runtime_error("the reason of a call");
  }
};

class DefaultBeyond final : public AnyReplacement {
 public:
  struct Settings {
    std::uint32_t depth = 9;
    void describe(Keys& keys) { keys.integer("depth", depth, 1, 8, "entries"); }
  };
  DefaultBeyond(const Settings& /*settings*/, const ReplacementSite& /*site*/, Counters& /*counters*/) {}
};

class Silent final : public Prefetcher {
 public:
  Silent(const Settings& /*settings*/, const PrefetcherSite& /*site*/, Counters& /*counters*/) {}
  void access(const LineLookup& /*lookup*/, PrefetchList& /*wanted*/) override {}
};

}  // namespace

WARPSIM_LIBRARY(registry) {
  add<NoCandidate>(registry, "no_candidate", "picks a warp that is not ready");
  add<WayBeyond>(registry, "way_beyond", "replaces a way that the set does not have");
  add<Throwing>(registry, "throwing", "cannot be made");
  add<SameCounters>(registry, "same_counters", "declares a counter twice");
  add<SameKeys>(registry, "same_keys", "declares a key twice");
  add<NoCounter>(registry, "no_counter", "counts with a counter that it does not assign");
  add<ThrowsLater>(registry, "throws_later", "throws when a line enters");
  add<DefaultBeyond>(registry, "default_beyond", "has a default that its key does not allow");
  add<Silent>(registry, "silent", "requests no lines");
}
