#include "warpsim/testing/miss_admission_contract.h"

#include <catch2/catch.hpp>

#include "support/violations.h"

namespace warpsim::mechanism::testing {
namespace {

class AdmitsAll : public MissAdmission {
 public:
  AdmitsAll(const NoSettings& /*settings*/, const MissAdmissionSite& /*site*/, Counters& /*counters*/) {}
  bool admits(const MissOffer& /*miss*/) const override { return true; }
  void begins(std::uint32_t /*entry*/, const MissOffer& /*miss*/) override {}
  void ends(std::uint32_t /*entry*/) override {}
};

class AdmitsEvenWarps final : public AdmitsAll {
 public:
  using AdmitsAll::AdmitsAll;
  bool admits(const MissOffer& miss) const override { return miss.requester % 2 == 0; }
};

class AdmitsEverySecondTime final : public AdmitsAll {
 public:
  using AdmitsAll::AdmitsAll;
  bool admits(const MissOffer& miss) const override { return miss.used == 0 || ++calls_ % 2 == 0; }

 private:
  mutable std::uint32_t calls_ = 0;
};

class AdmitsByEntriesOfAll final : public AdmitsAll {
 public:
  using AdmitsAll::AdmitsAll;
  bool admits(const MissOffer& miss) const override { return miss.used == 0 || entries_of_all % 7 != 3; }
  void begins(std::uint32_t /*entry*/, const MissOffer& /*miss*/) override { ++entries_of_all; }
  void ends(std::uint32_t /*entry*/) override { ++entries_of_all; }

 private:
  static inline std::uint32_t entries_of_all = 0;
};

template <typename Mechanism>
Sentences admission_violations() {
  return check_miss_admission(entry_of<Mechanism>("mine", "admits misses"));
}

TEST_CASE("A correct admission of misses has no violations") {
  CHECK_THAT(admission_violations<AdmitsAll>(), Catch::Equals(Sentences{}));
}

TEST_CASE("A miss that is refused while no entry is in use is found") {
  CHECK(says(admission_violations<AdmitsEvenWarps>(),
             "L1, 256 entries: admits() refuses a miss although no entry is in use"));
}

TEST_CASE("Answers that change without an event are found") {
  CHECK(says(admission_violations<AdmitsEverySecondTime>(),
             "L2, 8 entries: admits() answers differently when it is called again"));
}

TEST_CASE("State that admissions of misses share is found") {
  CHECK(says(admission_violations<AdmitsByEntriesOfAll>(),
             "L1, 256 entries: two objects with the same calls answer differently"));
}

}  // namespace
}  // namespace warpsim::mechanism::testing
