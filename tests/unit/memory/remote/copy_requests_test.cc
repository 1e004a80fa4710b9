#include "memory/remote/copy_requests.h"

#include "memory/remote/remote_stats.h"
#include "unit/memory/memory_fixture.h"

namespace warpsim::testing {
namespace {

// Takes requests, each `hold` cycles after the one before at the earliest.
class Taker final : public Component {
 public:
  struct Taken {
    MemRequest request;
    Cycle at = 0;
  };
  Taker(std::vector<std::unique_ptr<Link<MemRequest>>>& links, Cycle hold) : links_(&links), hold_(hold) {}
  Cycle tick(Cycle now) override {
    Cycle next = kNever;
    for (auto& link : *links_) {
      if (link->has_message(now) && now >= free_) {
        taken.push_back({link->front(), now});
        link->pop(now);
        free_ = now + hold_;
      }
      next = std::min(next, link->empty() ? kNever : std::max(link->next_arrival(), free_));
    }
    return next;
  }
  bool idle() const override { return true; }
  std::string describe_stall() const override { return ""; }

  std::vector<Taken> taken;

 private:
  std::vector<std::unique_ptr<Link<MemRequest>>>* links_;
  Cycle hold_;
  Cycle free_ = 0;
};

// Two partitions, one clock of 1 GHz.
struct CopyWorld {
  explicit CopyWorld(Cycle hold = 0) : map(tiny_memory().address_map), taker(requests, hold) {
    const std::uint32_t l2 = engine.add_domain("l2", 1000);
    const ClockDomain& clock = engine.domain(l2);
    std::vector<CopyRequests::Port> ports;
    for (std::uint32_t partition = 0; partition < 2; ++partition) {
      requests.push_back(std::make_unique<Link<MemRequest>>(clock, clock, 2, 1));
      responses.push_back(std::make_unique<Link<MemResponse>>(clock, clock, 2, 1));
      ports.push_back({requests.back().get(), responses.back().get()});
    }
    copies = std::make_unique<CopyRequests>(map, ports, clock);
    const WakeHandle takes = engine.add_component(l2, "taker", taker);
    for (const auto& link : requests) {
      link->connect_receiver(takes);
    }
    copies->connect(engine.add_component(l2, "copies", *copies));
  }
  void run(Cycle cycles = 100000) { engine.run(engine.domain(0).time_of(cycles)); }

  AddressMap map;
  Engine engine;
  std::vector<std::unique_ptr<Link<MemRequest>>> requests;
  std::vector<std::unique_ptr<Link<MemResponse>>> responses;
  Taker taker;
  std::unique_ptr<CopyRequests> copies;
};

// 1000 bytes in one row, 128 bytes in 4 cycles.
EngineCopy row(bool writes) {
  return {.number = 1, .address = 0x1000, .width = 1000, .rows = 1, .pitch = 0, .writes = writes, .gb_per_s = 32};
}

TEST_CASE("Copy requests: a copy writes its lines at its rate, each where it is at home") {
  CopyWorld world;
  world.copies->start(row(true), 10);
  world.run();
  REQUIRE(world.taker.taken.size() == 8);
  for (std::uint32_t i = 0; i < 8; ++i) {
    const auto& [request, at] = world.taker.taken[i];
    CHECK(request.line == 0x1000 + i * kLineBytes);
    CHECK(at == 10 + 4 * i + 1);
    CHECK(request.op == MemOp::kWrite);
    CHECK(request.seat == kGuestSeat);
    CHECK_FALSE(request.wants_ack);
  }
  CHECK(world.taker.taken[0].request.sector_mask == 15);
  CHECK(world.taker.taken[0].request.byte_mask == std::array<std::uint32_t, 4>{~0U, ~0U, ~0U, ~0U});
  // The last 104 bytes.
  CHECK(world.taker.taken[7].request.sector_mask == 15);
  CHECK(world.taker.taken[7].request.byte_mask == std::array<std::uint32_t, 4>{~0U, ~0U, ~0U, 0xff});
  CHECK(world.copies->idle());
}

TEST_CASE("Copy requests: a copy to the host reads the sectors that its rows have") {
  CopyWorld world;
  EngineCopy copy = row(false);
  copy.address = 0x1040;
  copy.width = 96;
  copy.rows = 2;
  copy.pitch = 0x100;
  world.copies->start(copy, 1);
  world.run();
  REQUIRE(world.taker.taken.size() == 4);
  const std::pair<Address, int> expected[] = {{0x1000, 12}, {0x1080, 1}, {0x1100, 12}, {0x1180, 1}};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(world.taker.taken[i].request.line == expected[i].first);
    CHECK(world.taker.taken[i].request.sector_mask == expected[i].second);
    CHECK(world.taker.taken[i].request.op == MemOp::kRead);
    CHECK(world.taker.taken[i].request.byte_mask == std::array<std::uint32_t, 4>{});
  }
  // Due when the bytes before are done: 0, 64, 96 and 160 at 32 a cycle.
  CHECK(world.taker.taken[1].at == 1 + 2 + 1);
  CHECK(world.taker.taken[2].at == 1 + 3 + 1);
  CHECK(world.taker.taken[3].at == 1 + 5 + 1);
}

TEST_CASE("Copy requests: what was copied before is not requested, and a copy is started once") {
  CopyWorld world;
  EngineCopy copy = row(true);
  copy.done = 500;
  world.copies->start(copy, 10);
  world.copies->start(row(true), 10);
  world.run();
  REQUIRE(world.taker.taken.size() == 5);
  // From byte 116 of the fourth line on.
  CHECK(world.taker.taken[0].request.line == 0x1000 + 3 * kLineBytes);
  CHECK(world.taker.taken[0].request.byte_mask == std::array<std::uint32_t, 4>{0, 0, 0, 0xfff00000});
  CHECK(world.taker.taken[0].at == 11);
  CHECK(world.taker.taken[1].at == 12);  // 12 bytes later, which are less than a cycle
  CHECK(world.taker.taken[2].at == 10 + 5 + 1);
  copy.done = 1000;
  world.copies->start(copy, 200);
  world.run();
  CHECK(world.taker.taken.size() == 5);
}

TEST_CASE("Copy requests: lines that were not taken in time follow as fast as they are taken") {
  CopyWorld world(20);
  world.copies->start(row(true), 1);
  world.run();
  REQUIRE(world.taker.taken.size() == 8);
  CHECK(world.taker.taken[7].at == 2 + 7 * 20);
}

TEST_CASE("Copy requests: a stop leaves out what has not been requested") {
  CopyWorld world;
  world.copies->start(row(true), 10);
  EngineCopy other = row(false);
  other.number = 2;
  other.address = 0x8000;
  world.copies->start(other, 12);
  world.run(20);
  world.copies->stop();
  world.run();
  CHECK(world.taker.taken.size() == 3 + 3);  // at 10, 14, 18 and 12, 16, 20
  CHECK(world.copies->idle());
}

TEST_CASE("Copy requests: what a copy writes is in L2, and counts for no launch") {
  const LinksConfig links;
  const MemoryHomes homes;
  Engine engine;
  const std::uint32_t core = engine.add_domain("core", 1000);
  const std::uint32_t l2 = engine.add_domain("l2", 1000);
  const std::uint32_t dram = engine.add_domain("dram", 1000);
  LaunchStats<StatGroup> stats("gpu");
  stats.add_seat();
  MemorySystem memory(engine, core, l2, dram, tiny_memory(), {{0, 0}, {1, 1}}, stats,
                      MemorySystem::Remote{links, &homes, 0, false});
  memory.begin_launch(kGuestSeat);
  ScriptedPort port(memory.requests(0), memory.responses(0));
  port.connect(engine.add_component(core, "port", port));
  REQUIRE(memory.copies() != nullptr);
  EngineCopy copy = row(true);
  copy.width = 512;
  memory.copies()->start(copy, 1);
  engine.run(engine.domain(core).time_of(1000));
  REQUIRE(memory.idle());
  CHECK(memory.writes_completed(kGuestSeat) == 4);
  CHECK(memory.writes_completed(0) == 0);
  copy.writes = false;
  memory.copies()->start(copy, 1001);
  engine.run(engine.domain(core).time_of(2000));
  REQUIRE(memory.idle());
  MemRequest read;
  read.line = 0x1000;
  read.sector_mask = 15;
  port.start({read}, 1, engine.now(core));
  engine.run(engine.domain(core).time_of(3000));
  REQUIRE(port.answers().size() == 1);
  CHECK((port.answers()[0].response.served_by == ServedBy::kL2Near ||
         port.answers()[0].response.served_by == ServedBy::kL2Far));
}

}  // namespace
}  // namespace warpsim::testing
