#include "warpsim/testing/replacement_contract.h"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/violations.h"

namespace warpsim::mechanism::testing {
namespace {

// The oldest line leaves: correct, and the base of mechanisms with one fault.
class OldestLeaves : public Replacement {
 public:
  OldestLeaves(const NoSettings& /*settings*/, const ReplacementSite& site, Counters& /*counters*/)
      : ways_(site.ways), inserted_(std::size_t{site.sets} * site.ways) {}

  void inserted(Way place, Address /*line*/, bool /*leaves_first*/) override { at(place) = ++clock_; }
  void used(Way /*place*/, Address /*line*/) override {}
  void removed(Way place) override { at(place) = 0; }
  std::uint32_t victim(std::uint32_t set) override {
    std::uint32_t oldest = 0;
    for (std::uint32_t way = 1; way < ways_; ++way) {
      oldest = at({set, way}) < at({set, oldest}) ? way : oldest;
    }
    return oldest;
  }
  void cleared() override { inserted_.assign(inserted_.size(), 0); }

 protected:
  std::uint32_t ways_;

 private:
  std::uint64_t& at(Way place) { return inserted_[std::size_t{place.set} * ways_ + place.way]; }

  std::vector<std::uint64_t> inserted_;
  std::uint64_t clock_ = 0;
};

// The bits of three ways in a tree for four: the last leaf is not a way.
class WayBeyond final : public OldestLeaves {
 public:
  using OldestLeaves::OldestLeaves;
  std::uint32_t victim(std::uint32_t set) override {
    return ways_ == 3 && ++victims_ % 4 == 0 ? 3 : OldestLeaves::victim(set);
  }

 private:
  std::uint32_t victims_ = 0;
};

class SharedState final : public OldestLeaves {
 public:
  using OldestLeaves::OldestLeaves;
  std::uint32_t victim(std::uint32_t /*set*/) override { return ++victims_of_all % ways_; }

 private:
  static inline std::uint32_t victims_of_all = 0;
};

class KeepsPastLines final : public OldestLeaves {
 public:
  using OldestLeaves::OldestLeaves;
  void inserted(Way place, Address line, bool leaves_first) override {
    OldestLeaves::inserted(place, line, leaves_first);
    lines_ += 1;
  }
  std::uint32_t victim(std::uint32_t /*set*/) override { return lines_ % ways_; }

 private:
  std::uint32_t lines_ = 0;  // cleared() does not know it
};

class KeepsLastWay final : public OldestLeaves {
 public:
  using OldestLeaves::OldestLeaves;
  std::uint32_t victim(std::uint32_t set) override {
    const std::uint32_t oldest = OldestLeaves::victim(set);
    return oldest + 1 == ways_ ? 0 : oldest;
  }
};

class RefusesOddWays final : public OldestLeaves {
 public:
  RefusesOddWays(const NoSettings& settings, const ReplacementSite& site, Counters& counters)
      : OldestLeaves(settings, site, counters) {
    if (site.ways == 5) {
      throw std::invalid_argument("not 5");
    }
  }
};

class CountersOfLevels final : public OldestLeaves {
 public:
  CountersOfLevels(const NoSettings& settings, const ReplacementSite& site, Counters& counters)
      : OldestLeaves(settings, site, counters) {
    counters.add(site.cache == CacheLevel::kL1 ? "l1_victims" : "l2_victims", CounterUnit::kEvents, "victims");
  }
};

class BadDeclarations final : public OldestLeaves {
 public:
  struct Settings {
    std::uint32_t size = 9;
    bool open = false;
    void describe(Keys& keys) {
      keys.integer("size", size, 1, 8, "entries");
      keys.boolean("Open", open, "");
      keys.boolean("Open", open, "again");
    }
  };
  BadDeclarations(const Settings& /*settings*/, const ReplacementSite& site, Counters& counters)
      : OldestLeaves({}, site, counters) {
    counters.add("all victims", CounterUnit::kEvents, "victims");
    counters.add("twice", CounterUnit::kEvents, nullptr);
    counters.add("twice", CounterUnit::kEvents, "second");
  }
};

class WrongWithLargeStep final : public OldestLeaves {
 public:
  struct Settings {
    std::uint32_t step = 1;
    void describe(Keys& keys) { keys.integer("step", step, 1, 64, "ways to the next victim"); }
  };
  WrongWithLargeStep(const Settings& settings, const ReplacementSite& site, Counters& counters)
      : OldestLeaves({}, site, counters), step_(settings.step) {}
  std::uint32_t victim(std::uint32_t set) override { return OldestLeaves::victim(set) + step_ - 1; }

 private:
  std::uint32_t step_;
};

class OtherDefaultsEachTime final : public OldestLeaves {
 public:
  struct Settings {
    std::uint32_t size = 1;
    void describe(Keys& keys) {
      ++size;
      keys.integer("size", size, 1, 1000, "entries");
    }
  };
  OtherDefaultsEachTime(const Settings& /*settings*/, const ReplacementSite& site, Counters& counters)
      : OldestLeaves({}, site, counters) {}
};

class RefusesAllWays final : public OldestLeaves {
 public:
  RefusesAllWays(const NoSettings& settings, const ReplacementSite& site, Counters& counters)
      : OldestLeaves(settings, site, counters) {
    throw std::runtime_error("not " + std::to_string(site.ways));
  }
};

class MadeOnce final : public OldestLeaves {
 public:
  MadeOnce(const NoSettings& settings, const ReplacementSite& site, Counters& counters)
      : OldestLeaves(settings, site, counters) {
    if (++objects > 48) {
      throw std::runtime_error("again");
    }
  }

 private:
  static inline std::uint32_t objects = 0;  // 48: one for each site of the kit
};

template <typename Mechanism>
Sentences replacement_violations() {
  return check_replacement(entry_of<Mechanism>("mine", "replaces lines"));
}

TEST_CASE("A correct replacement has no violations") {
  CHECK_THAT(replacement_violations<OldestLeaves>(), Catch::Equals(Sentences{}));
}

TEST_CASE("A way that the set does not have is found") {
  const Sentences found = replacement_violations<WayBeyond>();
  CHECK(says(found, "3 ways, 1 sets: victim() answers way 3, which the set does not have"));
  CHECK_FALSE(says(found, "4 ways"));
}

TEST_CASE("State that replacements share is found") {
  CHECK(says(replacement_violations<SharedState>(),
             "16 ways, 48 sets: two objects with the same calls answer differently"));
}

TEST_CASE("State that remains after cleared() is found") {
  const Sentences found = replacement_violations<KeepsPastLines>();
  CHECK(says(found, "5 ways, 64 sets: after cleared() an object answers differently from a new one"));
  CHECK_FALSE(says(found, "same calls"));
}

TEST_CASE("A way that is never replaced is found") {
  const Sentences found = replacement_violations<KeepsLastWay>();
  CHECK(says(found, "4 ways, 4 sets: the line in way 3 stays forever although only the others are used"));
  CHECK_FALSE(says(found, "the line in way 0 stays"));
}

TEST_CASE("A replacement may refuse sites") {
  CHECK_THAT(replacement_violations<RefusesOddWays>(), Catch::Equals(Sentences{}));
}

TEST_CASE("A replacement that cannot be made at any site is found") {
  CHECK(replacement_violations<RefusesAllWays>() ==
        Sentences{"the constructor refuses the default settings at every site: not 16"});
}

TEST_CASE("A replacement that cannot be made again at a site is found") {
  CHECK(says(replacement_violations<MadeOnce>(), "the constructor refuses a site that it has accepted before: again"));
}

TEST_CASE("Counters that depend on the site are found") {
  CHECK(replacement_violations<CountersOfLevels>() == Sentences{"the counters are not the same in each object"});
}

TEST_CASE("Wrong names, keys and counters are found") {
  const auto entry = entry_of<BadDeclarations>("Mine", "");
  CHECK(check_replacement(entry) == Sentences{
                                        "the name 'Mine' is not in lower case with underscores",
                                        "the mechanism 'Mine' has no sentence",
                                        "the default of the key 'size' is outside of its range",
                                        "the key 'Open' is not in lower case with underscores",
                                        "the key 'Open' has no sentence",
                                        "the key 'Open' is declared twice",
                                        "the counter 'all victims' is not in lower case with underscores",
                                        "the counter 'twice' has no sentence",
                                        "the counter 'twice' is declared twice",
                                    });
  CHECK(says(replacement_violations<OtherDefaultsEachTime>(),
             "describe() declares other keys or values when it is called again"));
}

TEST_CASE("Faults at the ends of a key's range are found") {
  const Sentences found = replacement_violations<WrongWithLargeStep>();
  CHECK(says(found, "2 ways, 4 sets, step = 64: victim() answers way"));
  CHECK_FALSE(says(found, "step = 1:"));
  CHECK_FALSE(says(found, "2 ways, 4 sets: "));
}

TEST_CASE("A kit leaves the settings as they were") {
  FactoryOf<WrongWithLargeStep> factory;
  TestKeys changed;
  changed.set("step", 5);
  factory.describe(changed);
  CHECK(says(check_replacement(factory), "1 ways, 1 sets: victim() answers way 4"));
  TestKeys after;
  factory.describe(after);
  CHECK(after.keys().front().value == 5);
}

}  // namespace
}  // namespace warpsim::mechanism::testing
