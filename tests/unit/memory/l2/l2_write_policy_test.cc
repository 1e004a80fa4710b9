// What a write policy changes in a slice of L2: the lines that stay, and the traffic to DRAM.
#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "support/written_policy.h"
#include "unit/memory/l2_bench.h"

namespace warpsim::testing {
namespace {

using mechanism::WriteWay;

struct PolicyBench {
  explicit PolicyBench(WriteWay answer, L2Config config = tiny_l2()) : bench(with_policy(std::move(config), words)) {
    words.answer = answer;
  }
  static L2Config with_policy(L2Config config, WrittenPolicyWords& words) {
    config.write_policy = {"written", std::make_shared<WrittenPolicyFactory>(words)};
    return config;
  }
  void write(Address line, std::uint8_t sectors = 0xf, std::uint32_t bytes = 0xffffffffU) {
    bench.array.write(write_of(line, sectors, bytes), bench.place_of(line));
  }
  // What waits for DRAM: r or w, and the sectors.
  std::string traffic() {
    bench.array.send_writebacks(bench.to_dram, now_);
    ++now_;
    std::string text;
    while (bench.to_dram.has_message(now_)) {
      const DramRequest request = L2Bench::take(bench.to_dram, now_);
      text += (request.write ? "w" : "r") + std::to_string(request.sector_mask) + " ";
    }
    return text;
  }

  WrittenPolicyWords words;
  L2Bench bench;

 private:
  Cycle now_ = 10;
};

TEST_CASE("L2 write policy: data that are written back later cause what they cause without a policy") {
  PolicyBench l2(WriteWay::kBack);
  l2.write(l2.bench.line(), 0x3);
  CHECK(l2.bench.valid(l2.bench.line()) == 0x3);
  CHECK(l2.traffic().empty());
  l2.bench.array.clear();
  CHECK(l2.bench.stats[0].flushed_sectors.value() == 2);
}

TEST_CASE("L2 write policy: written-through data stay, clean") {
  PolicyBench l2(WriteWay::kThrough);
  l2.write(l2.bench.line(), 0x3);
  CHECK(l2.bench.valid(l2.bench.line()) == 0x3);
  CHECK(l2.traffic() == "w3 ");
  l2.bench.array.clear();
  CHECK(l2.bench.stats[0].flushed_sectors.value() == 0);
  CHECK(l2.bench.stats[0].writeback_sectors.value() == 2);
}

TEST_CASE("L2 write policy: a sector that is written through in part is read first, unless DRAM has a mask of bytes") {
  PolicyBench l2(WriteWay::kThrough);
  l2.write(l2.bench.line(), 0x1, 0xff);
  CHECK(l2.traffic() == "r1 w1 ");
  CHECK(l2.bench.valid(l2.bench.line()) == 0x1);
  CHECK(l2.bench.stats[0].completion_sectors.value() == 1);
  L2Config config = tiny_l2();
  config.masked_writes = true;
  PolicyBench masked(WriteWay::kThrough, config);
  masked.write(masked.bench.line(), 0x1, 0xff);
  CHECK(masked.traffic() == "w1 ");
  CHECK(masked.bench.valid(masked.bench.line()) == 0);
}

TEST_CASE("L2 write policy: a write that goes through makes dirty sectors clean") {
  PolicyBench l2(WriteWay::kBack);
  l2.write(l2.bench.line(), 0x3);
  l2.words.answer = WriteWay::kThrough;
  l2.write(l2.bench.line(), 0x1);
  CHECK(l2.traffic() == "w1 ");
  l2.bench.array.clear();
  CHECK(l2.bench.stats[0].flushed_sectors.value() == 1);
  REQUIRE(l2.words.writes.size() == 2);
  CHECK(l2.words.writes[1].dirty == 0x3);
}

TEST_CASE("L2 write policy: writes around an absent line leave nothing in L2") {
  PolicyBench l2(WriteWay::kAround);
  l2.write(l2.bench.line(), 0x3);
  CHECK(l2.traffic() == "w3 ");
  l2.write(l2.bench.line(), 0x1, 0xff);
  CHECK(l2.traffic() == "r1 w1 ");
  CHECK(l2.bench.valid(l2.bench.line()) == 0);
  l2.bench.fill(l2.bench.line(), 0x4);
  l2.write(l2.bench.line(), 0x1);
  CHECK(l2.bench.valid(l2.bench.line()) == 0x5);
  CHECK(l2.traffic() == "w1 ");
}

TEST_CASE("L2 write policy: invalidating writes merge with what was dirty, and remove an empty line") {
  PolicyBench l2(WriteWay::kBack);
  l2.write(l2.bench.line(), 0x1, 0x0000ffffU);
  l2.words.answer = WriteWay::kInvalidate;
  l2.write(l2.bench.line(), 0x1, 0xffff0000U);
  CHECK(l2.traffic() == "w1 ");  // complete by both writes
  CHECK(l2.bench.valid(l2.bench.line()) == 0);
  CHECK(l2.words.lines.size() == 1);
  l2.bench.fill(l2.bench.line(), 0x6);
  l2.write(l2.bench.line(), 0x2);
  CHECK(l2.bench.valid(l2.bench.line()) == 0x4);
}

TEST_CASE(
    "L2 write policy: lines at home are reported in the order of the slice, copies of far lines are not asked for") {
  L2Config config = tiny_l2();
  config.num_sets = 1;
  PolicyBench l2(WriteWay::kBack, config);  // two ways
  CHECK(l2.words.caches == std::vector{mechanism::CacheLevel::kL2});
  const Address line = l2.bench.line();
  const Address number = l2.bench.place_of(line).home.line_number;
  l2.write(line, 0x3);
  l2.bench.array.use(l2.bench.array.look_up(l2.bench.place_of(line).home, line), 0x1);
  l2.bench.array.write(write_of(l2.bench.line(1)), l2.bench.place_of(l2.bench.line(1)));
  CHECK(l2.words.writes.size() == 1);
  CHECK(l2.words.writes[0].line == number * kLineBytes);
  for (std::uint32_t n = 1; n < 3; ++n) {
    l2.bench.fill(l2.bench.line(0, n), 0xf);
  }
  REQUIRE(l2.words.lines.size() == 1);
  CHECK(l2.words.lines[0].line == number * kLineBytes);
  CHECK(l2.words.lines[0].written == 0x3);
  CHECK(l2.words.lines[0].read == 0x1);
}

}  // namespace
}  // namespace warpsim::testing
