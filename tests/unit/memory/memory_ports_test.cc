#include "memory/memory_ports.h"

#include <catch2/catch.hpp>

#include "unit/memory/memory_fixture.h"

namespace warpsim::testing {
namespace {

struct PortsBench {
  MemoryPorts make(const MemoryPorts::Own& own) const {
    return MemoryPorts(config, alternating_ports(4), own, {&clock, &clock});
  }
  ClockDomain clock{"all", 1000};
  MemoryConfig config = tiny_memory();
};

std::size_t count(MemoryPorts::Range range) {
  return range.end - range.begin;
}

TEST_CASE("MemoryPorts: without further parts there are the ports of requesters only") {
  const MemoryPorts ports = PortsBench().make({});
  CHECK(ports.places().size() == 4);
  CHECK(count(ports.guests()) + count(ports.walks()) + count(ports.copies()) == 0);
  for (const Crossbar::PortLinks& links : ports.of_crossbars()) {
    CHECK_FALSE(links.guest);
    CHECK_FALSE(links.copies);
  }
  CHECK(ports.empty());
}

TEST_CASE("MemoryPorts: other GPUs, walks and copies follow the requesters, each kind as a GPC of its own") {
  PortsBench bench;
  bench.config.translation.enabled = true;
  bench.config.translation.gpu_partition = 1;
  bench.config.translation.tables.in_memory = true;
  const MemoryPorts ports = bench.make({2, true});
  CHECK(ports.guests().begin == 4);
  CHECK(ports.walks().begin == 8);
  CHECK(ports.copies().begin == 9);
  CHECK(ports.copies().end == 11);
  CHECK(ports.places().size() == 11);
  std::vector<std::uint32_t> gpcs;
  std::vector<std::uint32_t> partitions;
  std::vector<bool> copies;
  for (const Crossbar::PortLinks& links : ports.of_crossbars()) {
    gpcs.push_back(links.gpc);
    partitions.push_back(links.partition);
    copies.push_back(links.copies);
    CHECK(links.guest == (gpcs.size() > 4));
  }
  CHECK(gpcs == std::vector<std::uint32_t>{0, 1, 0, 1, 2, 2, 2, 2, 3, 4, 4});
  CHECK(partitions == std::vector<std::uint32_t>{0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1});
  CHECK(copies == std::vector<bool>{false, false, false, false, false, false, false, false, false, true, true});
}

TEST_CASE("MemoryPorts: walks have a port only if page tables are in memory and addresses are translated") {
  PortsBench bench;
  bench.config.translation.tables.in_memory = true;
  CHECK(count(bench.make({}).walks()) == 0);
  bench.config.translation.enabled = true;
  CHECK(count(bench.make({}).walks()) == 1);
  bench.config.address_map.num_partitions = 1;
  bench.config.translation.gpu_partition = 1;
  CHECK(bench.make({}).places().back().partition == 0);
  bench.config.translation.tables.in_memory = false;
  CHECK(count(bench.make({}).walks()) == 0);
}

TEST_CASE("MemoryPorts: a message on its way is seen") {
  PortsBench bench;
  MemoryPorts ports = bench.make({});
  ports.requests(3).send(read_of(kLineBytes), 0);
  CHECK_FALSE(ports.empty());
}

}  // namespace
}  // namespace warpsim::testing
