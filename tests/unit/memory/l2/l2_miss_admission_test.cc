// The mechanism that admits misses, in the miss path of a slice of L2.
#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "memory/caches/miss_admission_mechanism.h"
#include "unit/memory/l2_bench.h"

namespace warpsim::testing {
namespace {

// Admits one entry, and keeps what it hears.
class OneEntry final : public mechanism::MissAdmission {
 public:
  struct Heard {
    std::vector<mechanism::MissOffer> begun;
    std::uint32_t ended = 0;
  };
  explicit OneEntry(Heard& heard) : heard_(&heard) {}
  bool admits(const mechanism::MissOffer& miss) const override { return miss.joins || miss.used == 0; }
  void begins(std::uint32_t /*entry*/, const mechanism::MissOffer& miss) override { heard_->begun.push_back(miss); }
  void ends(std::uint32_t /*entry*/) override { ++heard_->ended; }

 private:
  Heard* heard_;
};

class OneEntryFactory final : public mechanism::Factory<mechanism::MissAdmission> {
 public:
  explicit OneEntryFactory(OneEntry::Heard& heard) : heard_(&heard) {}
  void describe(mechanism::Keys& /*keys*/) override {}
  std::unique_ptr<mechanism::MissAdmission> make(const mechanism::MissAdmissionSite& site,
                                                 mechanism::Counters& /*counters*/) const override {
    CHECK(site.cache == mechanism::CacheLevel::kL2);
    CHECK(site.entries == 8);
    return std::make_unique<OneEntry>(*heard_);
  }

 private:
  OneEntry::Heard* heard_;
};

L2Config one_entry_l2(OneEntry::Heard& heard) {
  L2Config config = tiny_l2();
  config.miss_admission = {"one_entry", std::make_shared<OneEntryFactory>(heard)};
  return config;
}

MemRequest read_by(std::uint16_t port, Address line) {
  MemRequest request = read_of(line, 0x3);
  request.source = port;
  return request;
}

}  // namespace

TEST_CASE("L2 admission of misses: a refused miss at home is fetched after the entry of another has ended") {
  OneEntry::Heard heard;
  L2Bench bench(one_entry_l2(heard));
  const Address first = bench.line(0, 0);
  const Address second = bench.line(0, 1);
  REQUIRE(bench.fetch(read_by(3, first), 100));
  CHECK_FALSE(bench.fetch(read_by(4, second), 100));
  CHECK(bench.fetch(read_by(4, first), 100));  // joins
  const DramRequest request = L2Bench::take(bench.to_dram, 101);
  bench.from_dram.send({request.tag, 0x1}, 150);
  bench.misses.take_fills(151);
  CHECK(heard.ended == 0);
  CHECK_FALSE(bench.fetch(read_by(4, second), 151));
  bench.from_dram.send({request.tag, 0x2}, 160);
  bench.misses.take_fills(161);
  CHECK(heard.ended == 1);
  CHECK(bench.fetch(read_by(4, second), 161));
  REQUIRE(heard.begun.size() == 2);
  CHECK(heard.begun[0].line == bench.place_of(first).home.line_number * kLineBytes);
  CHECK(heard.begun[0].requester == 3);
  CHECK(heard.begun[0].sectors == 0x3);
  CHECK(heard.begun[1].requester == 4);
}

TEST_CASE("L2 admission of misses: far lines and prefetches are not asked about") {
  OneEntry::Heard heard;
  L2Bench bench(one_entry_l2(heard));
  REQUIRE(bench.fetch(read_by(3, bench.line(0, 0)), 100));
  CHECK(bench.fetch(read_by(3, bench.line(1, 0)), 100));
  CHECK(bench.misses.prefetch(bench.line(0, 2), 0x1, 0, 100));
  CHECK(heard.begun.size() == 1);
}

}  // namespace warpsim::testing
