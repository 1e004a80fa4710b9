#include "warpsim/testing/sector_fetch_contract.h"

#include <catch2/catch.hpp>

#include "support/violations.h"

namespace warpsim::mechanism::testing {
namespace {

class FetchesNeeded : public SectorFetch {
 public:
  FetchesNeeded(const NoSettings& /*settings*/, const SectorFetchSite& /*site*/, Counters& /*counters*/) {}
  SectorMask fetch(const SectorMiss& miss, std::uint32_t& /*memo*/) override { return miss.wanted; }
  void leaves(const SectorUse& /*line*/) override {}
};

class FetchesLine final : public FetchesNeeded {
 public:
  using FetchesNeeded::FetchesNeeded;
  SectorMask fetch(const SectorMiss& /*miss*/, std::uint32_t& /*memo*/) override { return 0xf; }
};

class FetchesFirst final : public FetchesNeeded {
 public:
  using FetchesNeeded::FetchesNeeded;
  SectorMask fetch(const SectorMiss& miss, std::uint32_t& /*memo*/) override {
    return static_cast<SectorMask>(miss.wanted & (0U - miss.wanted));
  }
};

class FetchesByLinesOfAll final : public FetchesNeeded {
 public:
  using FetchesNeeded::FetchesNeeded;
  SectorMask fetch(const SectorMiss& miss, std::uint32_t& /*memo*/) override {
    return lines_of_all % 7 == 3 ? miss.absent : miss.wanted;
  }
  void leaves(const SectorUse& /*line*/) override { ++lines_of_all; }

 private:
  static inline std::uint32_t lines_of_all = 0;
};

template <typename Mechanism>
Sentences fetch_violations() {
  return check_sector_fetch(entry_of<Mechanism>("mine", "fetches sectors"));
}

TEST_CASE("A correct sector fetch has no violations") {
  CHECK_THAT(fetch_violations<FetchesNeeded>(), Catch::Equals(Sentences{}));
}

TEST_CASE("Sectors that are present and are fetched again are found") {
  CHECK(says(fetch_violations<FetchesLine>(), "L1: fetch() answers with sectors that are not absent"));
}

TEST_CASE("Needed sectors that are not fetched are found") {
  CHECK(says(fetch_violations<FetchesFirst>(), "L2: fetch() leaves out sectors that the load needs"));
}

TEST_CASE("State that sector fetches share is found") {
  CHECK(says(fetch_violations<FetchesByLinesOfAll>(), "L1: two objects with the same calls answer differently"));
}

}  // namespace
}  // namespace warpsim::mechanism::testing
