#include "memory/slice_links.h"

#include <catch2/catch.hpp>

#include "unit/memory/memory_fixture.h"

namespace warpsim::testing {
namespace {

TEST_CASE("SliceLinks: the farthest slice of each partition is later by the spread") {
  MemoryConfig config = tiny_memory();  // two partitions of two slices
  config.crossbar.slice_latency_spread_cycles = 7;
  const ClockDomain l2("l2", 1000);
  const ClockDomain dram("dram", 1000);
  const SliceLinks links(config, l2, dram);
  REQUIRE(links.requests.size() == 4);
  for (std::size_t slice = 0; slice < 4; ++slice) {
    links.requests[slice]->send({}, 100);
    CHECK(links.requests[slice]->next_arrival() == 100 + 20 + (slice % 2) * 7);
    links.dram_requests[slice]->send({}, 100);
    CHECK(links.dram_requests[slice]->next_arrival() == 100 + 25);
  }
}

TEST_CASE("SliceLinks: without latency every way to a slice takes one cycle") {
  MemoryConfig config = tiny_memory();
  config.crossbar.zero_latency = true;
  config.crossbar.slice_latency_spread_cycles = 7;
  config.l2_fabric.zero_latency = true;
  const ClockDomain clock("l2", 1000);
  const SliceLinks links(config, clock, clock);
  links.requests[1]->send({}, 5);
  CHECK(links.requests[1]->next_arrival() == 6);
  links.fabric_asked[1]->send({}, 5);
  CHECK(links.fabric_asked[1]->next_arrival() == 6);
}

}  // namespace
}  // namespace warpsim::testing
