// The mechanism that chooses the sectors of misses, in the miss path of a slice of L2.
#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "memory/caches/sector_fetch_mechanism.h"
#include "unit/memory/l2_bench.h"

namespace warpsim::testing {
namespace {

// Fetches the sector after each first one, too, and keeps what it hears.
class NextSector final : public mechanism::SectorFetch {
 public:
  struct Heard {
    std::vector<mechanism::SectorMiss> misses;
    std::vector<mechanism::SectorUse> lines;
  };
  explicit NextSector(Heard& heard) : heard_(&heard) {}
  mechanism::SectorMask fetch(const mechanism::SectorMiss& miss, std::uint32_t& memo) override {
    heard_->misses.push_back(miss);
    memo = 7;
    return static_cast<mechanism::SectorMask>((miss.wanted | miss.wanted << 1U) & miss.absent);
  }
  void leaves(const mechanism::SectorUse& line) override { heard_->lines.push_back(line); }

 private:
  Heard* heard_;
};

class NextSectorFactory final : public mechanism::Factory<mechanism::SectorFetch> {
 public:
  explicit NextSectorFactory(NextSector::Heard& heard) : heard_(&heard) {}
  void describe(mechanism::Keys& /*keys*/) override {}
  std::unique_ptr<mechanism::SectorFetch> make(const mechanism::SectorFetchSite& site,
                                               mechanism::Counters& /*counters*/) const override {
    CHECK(site.cache == mechanism::CacheLevel::kL2);
    return std::make_unique<NextSector>(*heard_);
  }

 private:
  NextSector::Heard* heard_;
};

L2Config next_sector_l2(NextSector::Heard& heard) {
  L2Config config = tiny_l2();
  config.sector_fetch = {"next_sector", std::make_shared<NextSectorFactory>(heard)};
  return config;
}

TEST_CASE("L2 misses: a mechanism chooses the sectors of lines at home, and hears of their use when they leave") {
  NextSector::Heard heard;
  L2Bench bench(next_sector_l2(heard));
  const Address line = bench.line();
  const Address number = bench.place_of(line).home.line_number;
  REQUIRE(bench.fetch(read_of(line, 0x1), 100));
  const DramRequest request = L2Bench::take(bench.to_dram, 101);
  CHECK(request.sector_mask == 0x3);
  REQUIRE(heard.misses.size() == 1);
  CHECK(heard.misses[0].line == number * kLineBytes);
  CHECK(heard.misses[0].absent == 0xf);
  REQUIRE(bench.fetch(read_of(line, 0x2), 102));  // is on its way
  CHECK(heard.misses.size() == 1);
  bench.from_dram.send({request.tag, 0x3}, 150);
  bench.misses.take_fills(151);
  REQUIRE(bench.fetch(read_of(line, 0x4), 160));
  REQUIRE(heard.misses.size() == 2);
  CHECK(heard.misses[1].absent == 0xc);
  const DramRequest second = L2Bench::take(bench.to_dram, 161);
  CHECK(second.sector_mask == 0xc);
  bench.from_dram.send({second.tag, 0xc}, 170);
  bench.misses.take_fills(171);
  for (std::uint32_t n = 1; heard.lines.empty() && n < 10000; ++n) {
    bench.fill(bench.line(0, n), 0x1);
  }
  REQUIRE(heard.lines.size() == 1);
  CHECK(heard.lines[0].line == number * kLineBytes);
  CHECK(heard.lines[0].present == 0xf);
  CHECK(heard.lines[0].used == 0x7);
  CHECK(heard.lines[0].memo == 7);
}

TEST_CASE("L2 misses: sectors of far lines, and of misses that the link refuses, are not asked for") {
  NextSector::Heard heard;
  L2Bench bench(next_sector_l2(heard), 1);
  REQUIRE(bench.fetch(read_of(bench.line(1), 0x1), 100));
  CHECK(L2Bench::take(bench.fabric_out, 101).mem.sector_mask == 0x1);
  REQUIRE(bench.fetch(read_of(bench.line(0, 1), 0x1), 100));
  CHECK_FALSE(bench.fetch(read_of(bench.line(0, 2), 0x1), 100));
  CHECK(heard.misses.size() == 1);
}

}  // namespace
}  // namespace warpsim::testing
