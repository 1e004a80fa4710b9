// The test kits over all shipped mechanisms.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "mechanisms/shipped_mechanisms.h"
#include "support/violations.h"
#include "warpsim/testing/address_hash_contract.h"
#include "warpsim/testing/arbitration_contract.h"
#include "warpsim/testing/block_placement_contract.h"
#include "warpsim/testing/compression_contract.h"
#include "warpsim/testing/dram_scheduler_contract.h"
#include "warpsim/testing/l1_insertion_contract.h"
#include "warpsim/testing/miss_admission_contract.h"
#include "warpsim/testing/network_contract.h"
#include "warpsim/testing/prefetcher_contract.h"
#include "warpsim/testing/replacement_contract.h"
#include "warpsim/testing/sector_fetch_contract.h"
#include "warpsim/testing/warp_scheduler_contract.h"
#include "warpsim/testing/write_policy_contract.h"

namespace warpsim::mechanism {
namespace {

const std::vector<Entry<Replacement>>& tested_replacements() {
  return shipped_mechanisms<Replacement>();
}

TEST_CASE("Shipped replacements keep the contract") {
  for (const Entry<Replacement>& entry : tested_replacements()) {
    INFO(entry.name);
    CHECK_THAT(testing::check_replacement(entry), Catch::Equals(Sentences{}));
  }
}

TEST_CASE("Shipped warp schedulers keep the contract") {
  for (const Entry<WarpScheduler>& entry : shipped_mechanisms<WarpScheduler>()) {
    INFO(entry.name);
    CHECK_THAT(testing::check_warp_scheduler(entry), Catch::Equals(Sentences{}));
  }
}

TEST_CASE("Shipped prefetchers keep the contract") {
  for (const Entry<Prefetcher>& entry : shipped_mechanisms<Prefetcher>()) {
    INFO(entry.name);
    CHECK_THAT(testing::check_prefetcher(entry), Catch::Equals(Sentences{}));
  }
}

TEST_CASE("Shipped L1 insertions keep the contract") {
  for (const Entry<L1Insertion>& entry : shipped_mechanisms<L1Insertion>()) {
    INFO(entry.name);
    CHECK_THAT(testing::check_l1_insertion(entry), Catch::Equals(Sentences{}));
  }
}

TEST_CASE("Shipped arbitrations keep the contract") {
  for (const Entry<Arbitration>& entry : shipped_mechanisms<Arbitration>()) {
    INFO(entry.name);
    CHECK(testing::check_arbitration(entry) == Sentences{});
  }
}

TEST_CASE("Shipped DRAM schedulers keep the contract") {
  for (const Entry<DramScheduler>& entry : shipped_mechanisms<DramScheduler>()) {
    INFO(entry.name);
    CHECK(testing::check_dram_scheduler(entry) == Sentences{});
  }
}

TEST_CASE("Shipped block placements keep the contract") {
  for (const Entry<BlockPlacement>& entry : shipped_mechanisms<BlockPlacement>()) {
    INFO(entry.name);
    CHECK(testing::check_block_placement(entry) == Sentences{});
  }
}

TEST_CASE("Shipped address hashes keep the contract") {
  for (const Entry<AddressHash>& entry : shipped_mechanisms<AddressHash>()) {
    INFO(entry.name);
    CHECK(testing::check_address_hash(entry) == Sentences{});
  }
}

TEST_CASE("Shipped networks keep the contract") {
  for (const Entry<Network>& entry : shipped_mechanisms<Network>()) {
    INFO(entry.name);
    CHECK(testing::check_network(entry) == Sentences{});
  }
}

TEST_CASE("Shipped sector fetches keep the contract") {
  for (const Entry<SectorFetch>& entry : shipped_mechanisms<SectorFetch>()) {
    INFO(entry.name);
    CHECK(testing::check_sector_fetch(entry) == Sentences{});
  }
}

TEST_CASE("Shipped admissions of misses keep the contract") {
  for (const Entry<MissAdmission>& entry : shipped_mechanisms<MissAdmission>()) {
    INFO(entry.name);
    CHECK(testing::check_miss_admission(entry) == Sentences{});
  }
}

TEST_CASE("Shipped write policies keep the contract") {
  for (const Entry<WritePolicy>& entry : shipped_mechanisms<WritePolicy>()) {
    INFO(entry.name);
    CHECK(testing::check_write_policy(entry) == Sentences{});
  }
}

TEST_CASE("Shipped compressions keep the contract") {
  for (const Entry<Compression>& entry : shipped_mechanisms<Compression>()) {
    INFO(entry.name);
    CHECK(testing::check_compression(entry) == Sentences{});
  }
}

std::vector<testing::LineStream> tested_streams(std::uint32_t sets, std::uint32_t ways) {
  return {
      testing::loop_over_lines(sets, ways, 10),
      testing::loop_over_lines(sets, ways + 1, 20),
      testing::loop_over_lines(sets, 2 * ways, 20),
      testing::drawn_lines(sets, 2 * ways, 3000, false, 1),
      testing::drawn_lines(sets, 4 * ways, 3000, true, 2),
      testing::drawn_lines(sets, ways + 1, 3000, true, 3),
  };
}

TEST_CASE("No shipped replacement misses less than Belady's minimum") {
  for (const Entry<Replacement>& entry : tested_replacements()) {
    INFO(entry.name);
    const auto factory = entry.make_factory();
    for (const std::uint32_t ways : {1U, 3U, 4U, 16U}) {
      for (const std::uint32_t sets : {1U, 4U, 48U}) {
        const ReplacementSite site{CacheLevel::kL2, sets, ways};
        for (const testing::LineStream& stream : tested_streams(sets, ways)) {
          const std::uint64_t misses = testing::count_misses(*factory, site, stream);
          CHECK(misses >= testing::fewest_misses(sets, ways, stream));
          CHECK(misses <= stream.size());
        }
      }
    }
  }
}

TEST_CASE("With as many lines as ways each replacement misses only once for each line") {
  for (const Entry<Replacement>& entry : tested_replacements()) {
    INFO(entry.name);
    const testing::LineStream loop = testing::loop_over_lines(4, 5, 10);
    CHECK(testing::count_misses(*entry.make_factory(), {CacheLevel::kL1, 4, 5}, loop) == 20);
  }
}

TEST_CASE("Only bimodal insertion and chance hit in a loop over one line more than the ways") {
  const testing::LineStream loop = testing::loop_over_lines(64, 5, 100);
  for (const Entry<Replacement>& entry : tested_replacements()) {
    INFO(entry.name);
    const std::uint64_t misses = testing::count_misses(*entry.make_factory(), {CacheLevel::kL1, 64, 4}, loop);
    const std::string name = entry.name;
    if (name == "srrip") {
      CHECK(misses == loop.size());
    } else if (name == "tree_plru") {
      CHECK(misses == loop.size() - 64);  // one hit of each set before the tree takes turns
    } else {
      CHECK(misses < loop.size() * 3 / 4);
    }
  }
}

}  // namespace
}  // namespace warpsim::mechanism
