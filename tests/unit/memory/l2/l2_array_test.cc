#include "memory/l2/l2_array.h"

#include <catch2/catch.hpp>

#include "unit/memory/l2_bench.h"

namespace warpsim::testing {

TEST_CASE("L2 array: a written line at home is valid, needs no DRAM, and is flushed at the end") {
  L2Bench bench;
  const Address line = bench.line();
  bench.array.write(write_of(line, 0x3), bench.place_of(line));
  CHECK(bench.valid(line) == 0x3);
  CHECK(bench.array.writebacks() == 0);
  bench.array.clear();
  CHECK(bench.stats[0].flushed_sectors.value() == 2);
  CHECK(bench.valid(line) == 0);
}

TEST_CASE("L2 array: partly written sectors of a replaced line are read before they are written back") {
  L2Config config = tiny_l2();
  config.num_sets = 1;
  L2Bench bench(config);  // two ways
  const Address first = bench.line(0, 0);
  bench.array.write(write_of(first, 0x1, 0xff), bench.place_of(first));
  for (std::uint32_t n = 1; n < 3; ++n) {
    bench.array.write(write_of(bench.line(0, n)), bench.place_of(bench.line(0, n)));
  }
  CHECK(bench.stats[0].evictions.value() == 1);
  CHECK(bench.stats[0].completion_sectors.value() == 1);
  CHECK(bench.stats[0].writeback_sectors.value() == 1);
  REQUIRE(bench.array.writebacks() == 2);
  bench.array.send_writebacks(bench.to_dram, 10);
  CHECK(bench.array.writebacks() == 0);
  const DramRequest read = L2Bench::take(bench.to_dram, 11);
  CHECK_FALSE(read.write);
  CHECK_FALSE(read.wants_reply);
  const DramRequest write = L2Bench::take(bench.to_dram, 11);
  CHECK(write.write);
  CHECK(write.line == first);
  CHECK(write.sector_mask == 0x1);
}

TEST_CASE("L2 array: write-backs wait while DRAM accepts none") {
  L2Config config = tiny_l2();
  config.keeps_lines = false;
  L2Bench bench(config, 1);
  for (std::uint32_t n = 0; n < 2; ++n) {
    bench.array.write(write_of(bench.line(0, n)), bench.place_of(bench.line(0, n)));
  }
  bench.array.send_writebacks(bench.to_dram, 10);
  CHECK(bench.array.writebacks() == 1);
  L2Bench::take(bench.to_dram, 11);
  bench.array.send_writebacks(bench.to_dram, 12);
  CHECK(bench.array.writebacks() == 0);
}

TEST_CASE("L2 array: without lines each write and atomic at home goes to DRAM, those of far lines do not") {
  L2Config config = tiny_l2();
  config.keeps_lines = false;
  L2Bench bench(config);
  const Address line = bench.line();
  bench.fill(line, 0xf);
  bench.array.place(bench.map.home_of(line).line_number, line);
  CHECK(bench.valid(line) == 0);
  bench.array.write(write_of(line, 0x3), bench.place_of(line));
  bench.array.change(bench.map.home_of(line).line_number, line, 0x1, 0);
  const Address far = bench.line(1);
  bench.array.write(write_of(far), bench.place_of(far));
  CHECK(bench.array.writebacks() == 2);
  CHECK(bench.stats[0].writeback_sectors.value() == 3);
}

TEST_CASE("L2 array: a far write removes the near copy, or changes it if the description says so") {
  for (const bool keep : {false, true}) {
    L2Config config = tiny_l2();
    config.keep_far_writes_near = keep;
    L2Bench bench(config);
    const Address far = bench.line(1);
    bench.fill(far, 0xf);
    bench.array.write(write_of(far, 0x1), bench.place_of(far));
    CHECK(bench.valid(far) == (keep ? 0xf : 0xe));
    bench.array.clear();
    CHECK(bench.stats[0].flushed_sectors.value() == 0);  // the home slice has it
  }
}

TEST_CASE("L2 array: a perfect one has every sector and stores none") {
  L2Config config = tiny_l2();
  config.perfect = true;
  L2Bench bench(config);
  const Address line = bench.line();
  bench.array.write(write_of(line, 0x1), bench.place_of(line));
  CHECK(bench.valid(line) == 0xf);
  bench.array.clear();
  CHECK(bench.stats[0].flushed_sectors.value() == 0);
}

TEST_CASE("L2 array: a replaced line counts for the launch that replaces it, and so does its write-back") {
  L2Config config = tiny_l2();
  config.num_sets = 1;
  config.num_ways = 1;
  L2Bench bench(config);
  bench.root.add_seat();
  bench.root.add_seat();
  const Address first = bench.line(0, 0);
  const Address second = bench.line(0, 1);
  bench.array.write(write_of(first, 0x3, 0xff), bench.place_of(first));
  bench.array.write(of_launch(1, write_of(second, 0x1)), bench.place_of(second));
  bench.array.fill(bench.map.home_of(first).line_number, first, 0xf, LinePriority::kUnstated, 2);
  CHECK(bench.stats[0].evictions.value() == 0);
  CHECK(bench.stats[1].evictions.value() == 1);
  CHECK(bench.stats[2].evictions.value() == 1);
  CHECK(bench.stats[0].completion_sectors.value() == 0);
  CHECK(bench.stats[1].completion_sectors.value() == 2);
  CHECK(bench.stats[0].writeback_sectors.value() == 0);
  CHECK(bench.stats[1].writeback_sectors.value() == 2);
  CHECK(bench.stats[2].writeback_sectors.value() == 1);
  bench.array.send_writebacks(bench.to_dram, 10);
  CHECK(L2Bench::take(bench.to_dram, 11).seat == 1);  // completes the first line
  CHECK(L2Bench::take(bench.to_dram, 11).seat == 1);
  CHECK(L2Bench::take(bench.to_dram, 11).seat == 2);
}

TEST_CASE("L2 array: what is flushed between launches counts for seat 0") {
  L2Bench bench;
  bench.root.add_seat();
  bench.array.write(of_launch(1, write_of(bench.line(), 0x3)), bench.place_of(bench.line()));
  bench.array.clear();
  CHECK(bench.stats[0].flushed_sectors.value() == 2);
  CHECK(bench.stats[1].flushed_sectors.value() == 0);
}

}  // namespace warpsim::testing
