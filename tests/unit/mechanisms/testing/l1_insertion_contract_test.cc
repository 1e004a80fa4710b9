#include "warpsim/testing/l1_insertion_contract.h"

#include <catch2/catch.hpp>

#include "support/violations.h"

namespace warpsim::mechanism::testing {
namespace {

class KeepsAll : public L1Insertion {
 public:
  KeepsAll(const NoSettings& /*settings*/, const L1InsertionSite& /*site*/, Counters& /*counters*/) {}
  Insertion access(const LineLookup& /*lookup*/) override { return Insertion::kKeep; }
};

class FourthAnswer final : public KeepsAll {
 public:
  using KeepsAll::KeepsAll;
  Insertion access(const LineLookup& lookup) override {
    return lookup.sectors == 0x3 ? static_cast<Insertion>(3) : Insertion::kLeaveFirst;
  }
};

class EachSeventhOfAll final : public KeepsAll {
 public:
  using KeepsAll::KeepsAll;
  Insertion access(const LineLookup& /*lookup*/) override {
    return ++lookups_of_all % 7 == 0 ? Insertion::kBypass : Insertion::kKeep;
  }

 private:
  static inline std::uint32_t lookups_of_all = 0;
};

class WrongTableSize final : public KeepsAll {
 public:
  struct Settings {
    std::uint32_t entries = 4;
    void describe(Keys& keys) { keys.integer("entries", entries, 1, 8, "entries"); }
  };
  WrongTableSize(const Settings& settings, const L1InsertionSite& site, Counters& counters)
      : KeepsAll({}, site, counters), entries_(settings.entries) {}
  Insertion access(const LineLookup& /*lookup*/) override { return static_cast<Insertion>(entries_ / 2 - 2); }

 private:
  std::uint32_t entries_;
};

template <typename Mechanism>
Sentences insertion_violations() {
  return check_l1_insertion(entry_of<Mechanism>("mine", "keeps lines"));
}

TEST_CASE("A correct L1 insertion has no violations") {
  CHECK_THAT(insertion_violations<KeepsAll>(), Catch::Equals(Sentences{}));
}

TEST_CASE("Answers that are not insertions are found") {
  CHECK(says(insertion_violations<FourthAnswer>(), "48 sets: access() answers 3, which is not a value of Insertion"));
}

TEST_CASE("State that L1 insertions share is found") {
  CHECK(says(insertion_violations<EachSeventhOfAll>(), "1 sets: two objects with the same calls answer differently"));
}

TEST_CASE("An L1 insertion's faults at the ends of a key's range are found") {
  const Sentences found = insertion_violations<WrongTableSize>();
  CHECK(says(found, "64 sets, entries = 1: access() answers"));
  CHECK_FALSE(says(found, "entries = 8"));
  CHECK_FALSE(says(found, "64 sets: "));
}

}  // namespace
}  // namespace warpsim::mechanism::testing
