#include "core/blocks/block_scheduler.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <tuple>

#include "unit/core/h200_limits.h"

namespace warpsim {
namespace {

// An SM that finishes each block a fixed time after its arrival.
class FixedTimeSm : public Component {
 public:
  FixedTimeSm(BlockScheduler& scheduler, Engine& engine, std::uint32_t domain, std::uint32_t sm, Cycle block_cycles)
      : assignments_(scheduler.assignments(sm)), completions_(scheduler.completions(sm)), block_cycles_(block_cycles) {
    const WakeHandle self = engine.add_component(domain, "sm", *this);
    assignments_.connect_receiver(self);
    completions_.connect_sender(self);
  }

  struct Arrival {
    Cycle cycle;
    BlockAssignment assignment;
  };
  std::vector<Arrival> arrivals;
  std::size_t most_resident = 0;
  Cycle trigger_cycles = 0;  // after its arrival each block triggers; 0: none does
  Cycle leave_cycles = 0;    // after its arrival the first block leaves; 0: it does not
  Cycle away_cycles = 0;     // after that it wants to return

  Cycle tick(Cycle now) override {
    while (!running_.empty() && running_.begin()->first <= now) {
      completions_.send(running_.begin()->second, now);
      running_.erase(running_.begin());
    }
    while (assignments_.has_message(now)) {
      const BlockAssignment assignment = assignments_.front();
      assignments_.pop(now);
      arrivals.push_back({now, assignment});
      if (leave_cycles != 0 && arrivals.size() == 1) {
        const std::uint64_t block = assignment.linear_index;
        running_.emplace(now + leave_cycles,
                         BlockDone{assignment.seat, assignment.slot, BlockDone::Kind::kLeaves, block});
        running_.emplace(now + leave_cycles + away_cycles,
                         BlockDone{assignment.seat, 0, BlockDone::Kind::kReturns, block});
        continue;
      }
      const bool triggers = trigger_cycles != 0;
      if (triggers) {
        running_.emplace(now + trigger_cycles, BlockDone{assignment.seat, assignment.slot, BlockDone::Kind::kTriggers});
      }
      running_.emplace(now + block_cycles_,
                       BlockDone{assignment.seat, assignment.slot,
                                 triggers ? BlockDone::Kind::kDoneAfterTrigger : BlockDone::Kind::kDone});
      most_resident = std::max(most_resident, running_.size());
    }
    const Cycle next = running_.empty() ? kNever : running_.begin()->first;
    return std::min(next, assignments_.next_arrival());
  }
  bool idle() const override { return running_.empty(); }
  std::string describe_stall() const override { return {}; }

 private:
  Link<BlockAssignment>& assignments_;
  Link<BlockDone>& completions_;
  Cycle block_cycles_;
  std::multimap<Cycle, BlockDone> running_;
};

BlockSchedulerConfig round_numbers() {
  BlockSchedulerConfig config;
  config.launch_overhead_cycles = 100;
  config.completion_overhead_cycles = 50;
  config.cycles_per_launch = 1.0;
  config.cycles_per_completion = 0.01;
  config.assignment_latency_cycles = 10;
  config.completion_latency_cycles = 10;
  config.placement = {BlockPlacementPolicy::kRoundRobin, 1, 1};
  return config;
}

TopologyConfig two_sms() {
  TopologyConfig config;
  config.gpc_tpcs = {1};
  config.sms_per_tpc = 2;
  config.gpc_l2_partition = {0};
  return config;
}

KernelLaunch launch_of(Dim3 grid, std::uint32_t threads, std::uint32_t registers = 16, std::uint32_t shared = 0) {
  KernelLaunch launch;
  launch.grid = grid;
  launch.block = {threads, 1, 1};
  launch.registers_per_thread = registers;
  launch.shared_bytes = shared;
  return launch;
}

struct Bench {
  Bench(const BlockSchedulerConfig& config, const TopologyConfig& sms_of, Cycle block_cycles, bool skip = true)
      : engine(skip),
        domain(engine.add_domain("core", 1000.0)),
        root("gpu"),
        topology(sms_of),
        scheduler(engine, domain, config, test::h200_occupancy(), topology, root) {
    for (std::uint32_t sm = 0; sm < topology.sm_count(); ++sm) {
      sms.push_back(std::make_unique<FixedTimeSm>(scheduler, engine, domain, sm, block_cycles));
    }
  }
  LaunchSeat submit(const KernelLaunch& launch) {
    const Occupancy o = compute_occupancy(
        test::h200_occupancy(), {launch.threads_per_block(), launch.registers_per_thread, launch.shared_bytes});
    const auto seat = static_cast<LaunchSeat>(released.size());
    while (root.seats() <= seat) {
      root.add_seat();
    }
    released.push_back(false);
    scheduler.submit(seat, launch, o, engine.now(domain));
    return seat;
  }
  // Cycle of the tick in which the next grid ended, if nothing had been written.
  Cycle run() {
    while (true) {
      REQUIRE(engine.run() == Engine::Outcome::kStopped);
      const Cycle now = engine.now(domain) - 1;
      bool ended = true;
      for (LaunchSeat grid = 0; grid < released.size(); ++grid) {
        if (!released[grid] && scheduler.blocks_finished(grid)) {
          scheduler.release(grid, now, now + 1);
          released[grid] = true;
          ended = false;
        }
      }
      if (ended) {
        return now;
      }
    }
  }
  std::uint64_t stat(const std::string& name, LaunchSeat seat = 0) const {
    for (const NamedCounter& counter : root[seat].children().front()->counters()) {
      if (name == counter.name()) {
        return counter.value();
      }
    }
    FAIL("no counter " << name);
    return 0;
  }

  Engine engine;
  std::uint32_t domain;
  LaunchStats<StatGroup> root;
  Topology topology;
  BlockScheduler scheduler;
  std::vector<std::unique_ptr<FixedTimeSm>> sms;
  std::vector<bool> released;  // by seat
};

TEST_CASE("Block scheduler: the time of one block is overheads, both links and its own time", "[core]") {
  Bench bench(round_numbers(), two_sms(), 1000);
  const LaunchSeat grid = bench.submit(launch_of({1, 1, 1}, 32));
  CHECK(bench.run() == 100 + 10 + 1000 + 10 + 50);
  CHECK(bench.scheduler.grid_done(grid));
  CHECK(bench.scheduler.all_grids_done());
  CHECK(bench.scheduler.idle());
  CHECK(bench.stat("cycles_overhead") == 150);
  CHECK(bench.stat("cycles_drain") == 1020);
}

TEST_CASE(
    "Block scheduler: a grid ends one overhead after its last block or the arrival of its writes, the later of the two",
    "[core]") {
  for (const Cycle writes_arrive : {Cycle{1000}, Cycle{1500}}) {
    Bench bench(round_numbers(), two_sms(), 1000);
    const LaunchSeat grid = bench.submit(launch_of({1, 1, 1}, 32));
    REQUIRE(bench.engine.run() == Engine::Outcome::kStopped);
    CHECK(bench.scheduler.blocks_finished(grid));
    CHECK_FALSE(bench.scheduler.grid_done(grid));
    bench.scheduler.release(grid, writes_arrive, 1130);
    REQUIRE(bench.engine.run() == Engine::Outcome::kStopped);
    CHECK(bench.engine.now(bench.domain) - 1 == std::max<Cycle>(writes_arrive, 100 + 10 + 1000 + 10) + 50);
    CHECK(bench.scheduler.grid_done(grid));
  }
}

TEST_CASE("Block scheduler: all blocks have triggered when each of them has, or has ended", "[core]") {
  // Both blocks trigger, one of them does, none does.
  for (const int triggering : {2, 1, 0}) {
    Bench bench(round_numbers(), two_sms(), 1000);
    for (int sm = 0; sm < triggering; ++sm) {
      bench.sms[static_cast<std::size_t>(sm)]->trigger_cycles = 200 + 100 * static_cast<Cycle>(sm);
    }
    const LaunchSeat grid = bench.submit(launch_of({2, 1, 1}, 32));
    REQUIRE(bench.engine.run() == Engine::Outcome::kStopped);
    // The blocks arrive at 110 and 111; their reports take 10 cycles.
    const Cycle expected = triggering == 2 ? 111 + 300 + 10 : 111 + 1000 + 10;
    CHECK(bench.scheduler.triggered_at(grid) == expected);
    CHECK(bench.engine.now(bench.domain) - 1 == expected);
    CHECK(bench.scheduler.begun_at(grid) == 111);
    CHECK(bench.scheduler.blocks_finished(grid) == (triggering != 2));
    if (triggering == 2) {
      bench.run();
    }
    CHECK(bench.scheduler.triggered_at(grid) == expected);
    CHECK(bench.stat("blocks_completed") == 2);
  }
}

TEST_CASE("Block scheduler: a block that leaves frees its place, and comes back before others begin", "[core]") {
  // A block fills an SM. The one on SM 0 leaves after 100 cycles and wants to go on 50 cycles later.
  Bench bench(round_numbers(), two_sms(), 1000);
  bench.sms[0]->leave_cycles = 100;
  bench.sms[0]->away_cycles = 50;
  bench.submit(launch_of({4, 1, 1}, 1024, 64));
  bench.run();
  using Arrivals = std::vector<std::tuple<Cycle, std::uint64_t, bool>>;
  const auto arrivals = [&bench](std::size_t sm) {
    Arrivals result;
    for (const FixedTimeSm::Arrival& arrival : bench.sms[sm]->arrivals) {
      result.emplace_back(arrival.cycle, arrival.assignment.linear_index, arrival.assignment.returns);
    }
    return result;
  };
  // Block 0 arrives at 110 and leaves at 210, which the scheduler knows at 220: block 2 arrives at 230. At its end, at
  // 1230, block 0 returns, although block 3 has not begun yet; that one finds a place on the other SM, at 1131.
  CHECK(arrivals(0) == Arrivals{{110, 0, false}, {230, 2, false}, {1250, 0, true}});
  CHECK(arrivals(1) == Arrivals{{111, 1, false}, {1131, 3, false}});
  CHECK(bench.stat("blocks_launched") == 4);
  CHECK(bench.stat("blocks_completed") == 4);
}

TEST_CASE("Block scheduler: blocks are launched at the configured rate, including fractions", "[core]") {
  BlockSchedulerConfig config = round_numbers();
  config.cycles_per_launch = 1.25;
  Bench bench(config, two_sms(), 1000);
  bench.submit(launch_of({9, 1, 1}, 32));
  bench.run();
  // Even blocks go to SM 0: launched 0, 2.5, 5, 7.5 and 10 cycles after the first, at the next whole cycle.
  std::vector<Cycle> cycles;
  for (const FixedTimeSm::Arrival& arrival : bench.sms[0]->arrivals) {
    cycles.push_back(arrival.cycle - 110);
  }
  CHECK(cycles == std::vector<Cycle>{0, 3, 5, 8, 10});
}

TEST_CASE("Block scheduler: completions are processed at the configured rate, and free space follows them", "[core]") {
  BlockSchedulerConfig config = round_numbers();
  config.cycles_per_completion = 7.5;
  Bench bench(config, two_sms(), 1000);
  // Two blocks of 1024 threads fit on each SM: four leave at 100 to 103 and are reported at 1120 to 1123.
  bench.submit(launch_of({8, 1, 1}, 1024));
  // The second four: processed at 1120, 1127.5, 1135 and 1142.5, launched then, reported 1020 cycles later. The last of
  // those is processed at once, since its predecessors arrived at the same distance.
  CHECK(bench.run() == 1143 + 1020 + 50);
  std::vector<Cycle> cycles;
  for (const std::unique_ptr<FixedTimeSm>& sm : bench.sms) {
    for (const FixedTimeSm::Arrival& arrival : sm->arrivals) {
      cycles.push_back(arrival.cycle - 10);
    }
  }
  std::sort(cycles.begin(), cycles.end());
  CHECK(cycles == std::vector<Cycle>{100, 101, 102, 103, 1120, 1128, 1135, 1143});
}

TEST_CASE("Block scheduler: an SM never holds more blocks than fit, and the waiting time is attributed", "[core]") {
  struct Case {
    std::uint32_t threads, registers, shared, resident;
    const char* counter;
  };
  const Case cases[] = {{1024, 16, 0, 2, "cycles_wait_warps"},
                        {32, 16, 0, 32, "cycles_wait_blocks"},
                        {128, 128, 0, 4, "cycles_wait_registers"},
                        {32, 16, 100000, 2, "cycles_wait_shared"}};
  for (const Case& c : cases) {
    CAPTURE(c.counter);
    Bench bench(round_numbers(), two_sms(), 1000);
    bench.submit(launch_of({4 * c.resident, 1, 1}, c.threads, c.registers, c.shared));
    bench.run();
    CHECK(bench.sms[0]->most_resident == c.resident);
    CHECK(bench.sms[0]->arrivals.size() == 2 * c.resident);
    // Cycles since the first launch: no SM has room from 2 * resident on; the first completion is back at 1020.
    CHECK(bench.stat(c.counter) == 1020 - 2 * c.resident);
    CHECK(bench.stat("blocks_launched") == 4 * c.resident);
    CHECK(bench.stat("blocks_completed") == 4 * c.resident);
  }
}

TEST_CASE("Block scheduler: a later grid gets the remaining space of the earlier one", "[core]") {
  Bench bench(round_numbers(), two_sms(), 1000);
  const LaunchSeat first = bench.submit(launch_of({3, 1, 1}, 1024));
  const LaunchSeat second = bench.submit(launch_of({1, 1, 1}, 512));
  bench.run();
  CHECK_FALSE(bench.scheduler.all_grids_done());
  bench.run();
  CHECK(bench.scheduler.grid_done(first));
  CHECK(bench.scheduler.grid_done(second));
  // SM 0 takes blocks 0 and 2 of the first grid, SM 1 its block 1 and then also the second grid.
  REQUIRE(bench.sms[1]->arrivals.size() == 2);
  CHECK(bench.sms[1]->arrivals[1].assignment.seat == second);
  CHECK(bench.sms[1]->arrivals[1].cycle == 100 + 3 + 10);
  CHECK(bench.stat("blocks_launched", first) == 3);
  CHECK(bench.stat("blocks_launched", second) == 1);
  // Both are ready at 100; the last block of the first is launched at 102.
  CHECK(bench.stat("cycles_wait_launch", first) == 0);
  CHECK(bench.stat("cycles_wait_launch", second) == 2);
}

TEST_CASE("Block scheduler: the seat of a grid that has ended is taken again", "[core]") {
  Bench bench(round_numbers(), two_sms(), 1000);
  const LaunchSeat seat = bench.submit(launch_of({2, 1, 1}, 1024));
  bench.run();
  bench.released[seat] = false;
  const Occupancy o = compute_occupancy(test::h200_occupancy(), {64, 16, 0});
  bench.scheduler.submit(seat, launch_of({5, 1, 1}, 64), o, bench.engine.now(bench.domain));
  CHECK_FALSE(bench.scheduler.grid_done(seat));
  bench.run();
  CHECK(bench.scheduler.blocks_done(seat) == 5);
  CHECK(bench.stat("blocks_completed") == 7);
}

TEST_CASE("Block scheduler: every block is placed exactly once, clusters as neighbours in space", "[core]") {
  BlockSchedulerConfig config = round_numbers();
  config.placement = {BlockPlacementPolicy::kGpcBatches, 5, 6};
  Bench bench(config, test::h200_topology(), 50);
  KernelLaunch launch = launch_of({4, 6, 2}, 128);
  launch.cluster = {2, 2, 1};
  const LaunchSeat grid = bench.submit(launch);
  bench.run();
  std::map<std::uint64_t, std::uint32_t> gpc_of_block;
  for (std::uint32_t sm = 0; sm < 132; ++sm) {
    for (const FixedTimeSm::Arrival& arrival : bench.sms[sm]->arrivals) {
      CHECK(gpc_of_block.emplace(arrival.assignment.linear_index, bench.topology.group_of_sm(sm)).second);
    }
  }
  CHECK(gpc_of_block.size() == 48);
  CHECK(bench.scheduler.blocks_done(grid) == 48);
  for (std::uint64_t block = 0; block < 48; ++block) {
    const std::uint64_t x = block % 4;
    const std::uint64_t y = block / 4 % 6;
    const std::uint64_t corner = block - x % 2 - 4 * (y % 2);
    CHECK(gpc_of_block[block] == gpc_of_block[corner]);
  }
}

TEST_CASE("Block scheduler: launches that cannot run are explained", "[core]") {
  Bench bench(round_numbers(), two_sms(), 1000);
  KernelLaunch launch = launch_of({6, 1, 1}, 1024);
  const Occupancy o = compute_occupancy(test::h200_occupancy(), {1024, 16, 0});
  CHECK(bench.scheduler.why_impossible(launch, o).empty());
  launch.cluster = {6, 1, 1};
  CHECK(bench.scheduler.why_impossible(launch, o) == "no GPC has space for a cluster of 6 blocks");
  launch.cluster = {4, 1, 1};
  CHECK(bench.scheduler.why_impossible(launch, o) == "the grid (6,1,1) does not consist of whole clusters (4,1,1)");
  launch.cluster = {1, 1, 1};
  launch.grid = {0, 1, 1};
  CHECK(bench.scheduler.why_impossible(launch, o) == "the grid has no blocks");
}

TEST_CASE("Block scheduler: skipping idle cycles changes nothing", "[core]") {
  std::vector<std::uint64_t> values[2];
  for (const bool skip : {false, true}) {
    BlockSchedulerConfig config = round_numbers();
    config.cycles_per_launch = 1.189;
    config.placement = {BlockPlacementPolicy::kGpcBatches, 5, 6};
    Bench bench(config, test::h200_topology(), 333, skip);
    bench.submit(launch_of({1500, 1, 1}, 512));
    values[skip ? 1 : 0].push_back(bench.run());
    bench.submit(launch_of({100, 1, 1}, 1024));
    values[skip ? 1 : 0].push_back(bench.run());
    for (const LaunchSeat seat : {LaunchSeat{0}, LaunchSeat{1}}) {
      for (const NamedCounter& counter : bench.root[seat].children().front()->counters()) {
        values[skip ? 1 : 0].push_back(counter.value());
      }
    }
  }
  CHECK(values[0] == values[1]);
}

}  // namespace
}  // namespace warpsim
