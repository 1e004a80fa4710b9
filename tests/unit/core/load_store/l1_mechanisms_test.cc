#include "core/load_store/l1_mechanisms.h"

#include <catch2/catch.hpp>

#include "support/named_lines.h"
#include "unit/core/load_store/path_bench.h"

namespace warpsim::test {
namespace {

MemoryInstruction load_of(PathBench& bench, Address base, std::int64_t stride = 4) {
  MemoryInstruction load = bench.instruction(OpKind::kLoad, MemorySpace::kGlobal, base, stride);
  bench.info(load).pc = 0x70;
  return load;
}

// One load of the line, and of what it prefetches, with all answers.
std::vector<MemRequest> load(PathBench& bench, Address base, Cycle now) {
  QueuedAccess queued = PathBench::queued(load_of(bench, base));
  queued.instruction.issued = now - 5;
  bench.global.start(queued, now);
  for (Cycle cycle = now + 1; bench.global.busy(); ++cycle) {
    bench.global.work(cycle);
  }
  std::vector<MemRequest> requests = bench.sent(now + 1);
  for (const MemRequest& request : requests) {
    bench.global.data_arrived(PathBench::response_to(request), now + 50);
  }
  return requests;
}

// Only what a mechanism of L1 sees, and what L1 does.
struct Rig {
  explicit Rig(const std::vector<std::int64_t>& distances, const NamedLines::Answer& answer = {})
      : factory(std::make_shared<NamedLinesFactory>(distances, answer)) {
    config.sets = 4;
    config.mshr_entries = 8;
    config.mshr_waiters = 8;
    config.prefetcher = {"named", factory};
    mechanisms = L1Mechanisms::make(config, root);
    l1.emplace(config, root);
    l1->configure(64 * kLineBytes);
  }
  // Returns the lines requested.
  std::vector<Address> access(Address line, std::uint32_t number, bool hit, bool space = true) {
    IssueInfo info;
    info.pc = 0x70;
    MemoryInstruction instruction;
    instruction.info = &info;
    instruction.sub_core = 1;
    LineAccess access;
    access.line = line;
    access.sector_mask = 0x1;
    mechanisms->look_up(instruction, access, number, hit, 100);
    std::vector<Address> requested;
    mechanisms->prefetch(
        *l1, line, 0, [space] { return space; },
        [&requested](Address wanted, std::uint8_t, std::uint32_t) { requested.push_back(wanted); });
    return requested;
  }
  std::uint64_t operator[](const std::string& name) const { return counters_of(root[0]).at("l1_prefetcher." + name); }

  LaunchStats<StatGroup> root{"root"};
  L1Config config;
  std::shared_ptr<NamedLinesFactory> factory;
  std::unique_ptr<L1Mechanisms> mechanisms;
  std::optional<L1Cache> l1;
};

}  // namespace

TEST_CASE("L1 mechanisms: there are none unless the description chooses one") {
  LaunchStats<StatGroup> root("root");
  CHECK(L1Mechanisms::make(L1Config{}, root) == nullptr);
  CHECK(root[0].children().empty());
}

TEST_CASE("L1 mechanisms: a prefetcher sees each line once, however often the line is tried") {
  Rig rig({});
  rig.mechanisms->begin_lines();
  rig.access(0x1000, 0, false);
  rig.access(0x1000, 0, false);
  rig.access(0x1080, 1, true);
  REQUIRE(rig.factory->seen->size() == 2);
  const mechanism::LineLookup& seen = (*rig.factory->seen)[1];
  CHECK(seen.line == 0x1080);
  CHECK(seen.hit);
  CHECK(seen.pc == 0x70);
  CHECK(seen.warp == kMaxWarpsPerSubCore);
  CHECK((*rig.factory->seen)[0].first);
  CHECK_FALSE(seen.first);
  rig.mechanisms->begin_lines();
  rig.access(0x1000, 0, false);
  CHECK(rig.factory->seen->size() == 3);
}

TEST_CASE("L1 mechanisms: prefetches stay in the page of the load, and need space") {
  Rig rig({1, 16384, -32});
  rig.mechanisms->begin_lines();
  CHECK(rig.access(0x1000, 0, false) == std::vector<Address>{0x1080, 0x0});
  CHECK(rig["out_of_range"] == 1);  // 2 MiB further
  CHECK(rig["requests"] == 2);
  CHECK(rig["sectors"] == 4);
  rig.mechanisms->begin_lines();
  CHECK(rig.access(0x1000, 0, false).empty());
  CHECK(rig["present"] == 2);
  rig.mechanisms->begin_lines();
  CHECK(rig.access(0x2000, 0, false, false).empty());
  CHECK(rig["dropped"] == 2);
  CHECK(rig["present"] == 2);
}

TEST_CASE("L1 mechanisms: lines and sectors that a prefetcher must not request end the run") {
  Rig between({1}, {.offset = 64});
  between.mechanisms->begin_lines();
  CHECK_THROWS_WITH(between.access(0x1000, 0, false),
                    "prefetcher 'named' requests the line 0x10c0, expected a multiple of 128");
  Rig beyond({1}, {.sectors = 0x10});
  beyond.mechanisms->begin_lines();
  CHECK_THROWS_WITH(beyond.access(0x1000, 0, false),
                    "prefetcher 'named' requests the sectors 0x10 of a line, expected some of 0xf");
  Rig all_sectors({1}, {.sectors = 0xf});
  all_sectors.mechanisms->begin_lines();
  CHECK(all_sectors.access(0x1000, 0, false).size() == 1);
}

TEST_CASE("L1 mechanisms: lines beyond the maximum of an access are dropped") {
  const std::vector<std::int64_t> maximum(mechanism::PrefetchList::kMost, 0);
  Rig rig(maximum);
  rig.mechanisms->begin_lines();
  rig.access(0x1000, 0, false);
  CHECK(rig["dropped"] == 0);
  const std::vector<std::int64_t> more(mechanism::PrefetchList::kMost + 2, 0);
  Rig two_more(more);
  two_more.mechanisms->begin_lines();
  two_more.access(0x1000, 0, false);
  CHECK(two_more["dropped"] == 2);
  CHECK(two_more["requests"] + two_more["present"] == mechanism::PrefetchList::kMost);
  two_more.mechanisms->begin_lines();
  two_more.access(0x1000, 0, false);
  CHECK(two_more["dropped"] == 4);
}

TEST_CASE("L1 mechanisms: a load counts a prefetched line as useful or late") {
  Rig rig({1});
  rig.mechanisms->begin_lines();
  rig.access(0x1000, 0, false);
  rig.mechanisms->begin_lines();
  rig.access(0x1080, 0, false);
  CHECK(rig["late"] == 1);
  CHECK(rig["useful"] == 0);
}

TEST_CASE("L1 mechanisms: the line behind a load is there when the next load comes") {
  PathBench bench({"sm.l1.prefetcher=next_line"});
  const std::vector<MemRequest> first = load(bench, 0x1000, 105);
  REQUIRE(first.size() == 2);
  CHECK(first[0].line == 0x1000);
  CHECK(first[1].line == 0x1080);
  CHECK(first[1].op == MemOp::kRead);
  const std::vector<MemRequest> second = load(bench, 0x1080, 205);
  CHECK(bench["lsu.global_load_sector_hits"] == 4);
  CHECK(bench["l1_prefetcher.useful"] == 1);
  for (const MemRequest& request : second) {
    CHECK(request.line == 0x1100);
  }
}

TEST_CASE("L1 mechanisms: lines that an insertion refuses are requested again") {
  PathBench bench({"sm.l1.insertion=bypass_all"});
  CHECK(load(bench, 0x1000, 105).size() == 1);
  CHECK(load(bench, 0x1000, 205).size() == 1);
  CHECK(bench["lsu.global_load_sector_hits"] == 0);
  PathBench usual;
  CHECK(load(usual, 0x1000, 105).size() == 1);
  CHECK(load(usual, 0x1000, 205).empty());
}

}  // namespace warpsim::test
