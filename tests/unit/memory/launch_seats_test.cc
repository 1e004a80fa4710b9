// Several launches in the memory system: whose counters grow, and when their writes have arrived.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "unit/memory/memory_scripts.h"

namespace warpsim::testing {
namespace {

// All kinds of requests for the same lines near and far, more of them than L2 keeps, from two launches in turn.
std::vector<MemRequest> mixed_script(const MemoryWorld& world, LaunchSeat second) {
  std::vector<MemRequest> script;
  for (std::uint32_t n = 0; n < 24; ++n) {
    for (const std::uint32_t partition : {0U, 1U}) {
      const Address line = world.line_in(partition, n);
      const LaunchSeat seat = n % 2 == 0 ? LaunchSeat{0} : second;
      const LaunchSeat other = n % 2 == 0 ? second : LaunchSeat{0};
      script.push_back(of_launch(seat, read_of(line, 0x3)));
      script.push_back(of_launch(other, read_of(line, 0x6)));
      script.push_back(of_launch(other, write_of(line, 0x8, 0xff)));
      script.push_back(of_launch(seat, atomic_of(MemOp::kAtomic, line)));
      script.push_back(of_launch(other, atomic_of(MemOp::kReduction, line)));
    }
  }
  return script;
}

void check_answers_have_their_seats(const ScriptedPort& port, const std::vector<MemRequest>& script) {
  const auto& answers = port.answers();
  CHECK(std::all_of(answers.begin(), answers.end(), [&script](const ScriptedPort::Answer& answer) {
    return answer.response.seat == script[answer.response.tag].seat;
  }));
}

// Runs the script on ports 0 and 1 and returns the writes completed of seat 1, which takes them.
std::uint64_t completed(const MemoryConfig& config, const std::vector<MemRequest>& script) {
  MemoryWorld world(config);
  const LaunchSeat seat = world.add_launch();
  std::vector<MemRequest> of_seat;
  for (const MemRequest& request : script) {
    of_seat.push_back(of_launch(seat, request));
  }
  world.run({of_seat, of_seat});
  CHECK(world.memory->writes_completed(0) == 0);
  CHECK(world.memory->writes_acknowledged_at(0).fs == TimeFs{world.engine.domain(0).time_of(20)}.fs);
  return world.memory->writes_completed(seat);
}

// Two writes and two reductions near port 0 and as many far, an atomic and a read.
std::vector<MemRequest> writes_near_and_far(const MemoryConfig& config) {
  const MemoryWorld world(config);
  std::vector<MemRequest> script;
  for (const std::uint32_t partition : {0U, 1U}) {
    const Address line = world.line_in(partition % config.address_map.num_partitions);
    script.push_back(write_of(line));
    script.push_back(write_of(line, 0x1, 0xf));
    script.push_back(atomic_of(MemOp::kReduction, line + 4 * kLineBytes));
    script.push_back(atomic_of(MemOp::kReduction, line + 4 * kLineBytes));
    script.back().wants_ack = false;
    script.push_back(atomic_of(MemOp::kAtomic, line));
    script.push_back(read_of(line));
  }
  return script;
}

}  // namespace

TEST_CASE("Launches: the counters of two launches add up to those of one launch with all requests") {
  for (const bool coalescer : {false, true}) {
    MemoryConfig config = tiny_memory();
    config.crossbar.coalescer.enabled = coalescer;
    config.dram.refresh = RefreshMode::kPerBank;
    MemoryWorld one(config, 4);
    MemoryWorld two(config, 4);
    const LaunchSeat second = two.add_launch();
    const std::vector<MemRequest> alone = mixed_script(one, 0);
    const std::vector<MemRequest> shared = mixed_script(two, second);
    CHECK(one.run({alone, alone, alone, alone}) == two.run({shared, shared, shared, shared}));
    std::map<std::string, std::uint64_t> sums = two.totals(0);
    for (const auto& [name, value] : two.totals(second)) {
      sums[name] += value;
    }
    CHECK(sums == one.totals());
    for (const auto& port : two.ports) {
      check_answers_have_their_seats(*port, shared);
    }
    for (const LaunchSeat seat : {LaunchSeat{0}, second}) {
      for (const char* const counter :
           {"crossbar.requests", "crossbar.responses", "l2_slice.from_l1.hit_sectors", "l2_slice.from_l1.miss_sectors",
            "l2_slice.from_fabric.requests", "l2_slice.evictions", "l2_slice.writeback_sectors", "l2_fabric.bytes",
            "dram_channel.reads", "dram_channel.writes", "dram_channel.row_hits"}) {
        CAPTURE(counter, int{seat});
        CHECK(two.total(counter, seat) > 0);
      }
    }
  }
}

TEST_CASE("Launches: each counts its own of requests that meet in a slice") {
  MemoryWorld world(tiny_memory());
  const LaunchSeat second = world.add_launch();
  const Address line = world.line_in(0);
  world.run({{read_of(line, 0x1), of_launch(second, read_of(line, 0x7)), of_launch(second, write_of(line))}});
  CHECK(world.total("crossbar.requests") == 1);
  CHECK(world.total("crossbar.requests", second) == 2);
  CHECK(world.total("l2_slice.from_l1.read_sectors") == 1);
  CHECK(world.total("l2_slice.from_l1.read_sectors", second) == 3);
  CHECK(world.total("l2_slice.merged_sectors") == 0);
  CHECK(world.total("l2_slice.merged_sectors", second) == 1);
  CHECK(world.total("l2_slice.from_l1.write_sectors", second) == 4);
  CHECK(world.total("dram_channel.bytes_read") == 32);
  CHECK(world.total("dram_channel.bytes_read", second) == 64);
}

TEST_CASE("Launches: reads that the coalescer joins are answered with their own seats") {
  MemoryConfig config = tiny_memory();
  config.crossbar.coalescer.enabled = true;
  MemoryWorld world(config, 4);
  const LaunchSeat second = world.add_launch();
  const Address line = world.line_in(0);
  world.run({{read_of(line, 0x3)}, {}, {of_launch(second, read_of(line, 0x3))}});
  CHECK(world.total("crossbar.merged_requests") == 0);
  CHECK(world.total("crossbar.merged_requests", second) == 1);
  CHECK(world.total("crossbar.responses") == 1);
  CHECK(world.total("crossbar.responses", second) == 1);
  CHECK(world.total("l2_slice.from_l1.requests") == 1);
  CHECK(world.total("l2_slice.from_l1.requests", second) == 0);
  CHECK(world.ports[0]->answers()[0].response.seat == 0);
  CHECK(world.ports[2]->answers()[0].response.seat == second);
}

TEST_CASE("Launches: each write and reduction from a port counts once, at its home") {
  MemoryConfig config = tiny_memory();
  const std::vector<MemRequest> script = writes_near_and_far(config);
  CHECK(completed(config, script) == 2 * 8);
  config.l2.keep_far_writes_near = true;
  CHECK(completed(config, script) == 2 * 8);
  config.l2.perfect = true;
  CHECK(completed(config, script) == 2 * 8);
  config = tiny_memory();
  config.l2.keeps_lines = false;
  CHECK(completed(config, script) == 2 * 8);
  config.address_map.num_partitions = 1;
  config.address_map.num_channels = 1;
  CHECK(completed(config, writes_near_and_far(config)) == 2 * 8);
}

TEST_CASE("Launches: a write counts from its home slice's lookup on") {
  // At 1 GHz; a near write is looked up at 30, a far one at 60.
  for (const std::uint32_t partition : {0U, 1U}) {
    for (const bool early : {true, false}) {
      MemoryWorld world(tiny_memory());
      const LaunchSeat seat = world.add_launch();
      world.ports[0]->start({of_launch(seat, write_of(world.line_in(partition)))}, 1, 0);
      const Cycle arrives = partition == 0 ? 30 : 60;
      world.engine.run(world.engine.domain(0).time_of(early ? arrives - 1 : arrives));
      CHECK(world.memory->writes_completed(seat) == (early ? 0 : 1));
    }
  }
}

TEST_CASE("Launches: a reduction that waits for DRAM counts when its home slice accepts it") {
  MemoryWorld world(tiny_memory());
  const LaunchSeat seat = world.add_launch();
  world.ports[0]->start({of_launch(seat, atomic_of(MemOp::kReduction, world.line_in(0)))}, 1, 0);
  world.engine.run(world.engine.domain(0).time_of(31));
  CHECK(world.memory->writes_completed(seat) == 1);
  CHECK_FALSE(world.memory->settled());
  CHECK(world.total("l2_slice.atomic_operations", seat) == 0);
}

TEST_CASE("Launches: the last write of each is known, and forgotten when its seat is taken again") {
  MemoryWorld world(tiny_memory());
  const LaunchSeat seat = world.add_launch();
  const auto acknowledged = [&world](LaunchSeat of) { return world.memory->writes_acknowledged_at(of).fs; };
  const auto time = [&world](Cycle cycle) { return world.engine.domain(0).time_of(cycle).fs; };
  const Address line = world.line_in(0);
  world.run({{write_of(line)}});
  CHECK(acknowledged(0) == time(50));
  CHECK(acknowledged(seat) == time(20));
  const Cycle start = world.engine.now(0);
  world.run({{of_launch(seat, write_of(line)), of_launch(seat, atomic_of(MemOp::kAtomic, line))}});
  CHECK(acknowledged(0) == time(50));
  CHECK(acknowledged(seat) == time(start + 4 + 50 + 2));  // the atomic, after four flits; its unit takes two cycles
  CHECK(world.memory->writes_completed(0) == 1);
  CHECK(world.memory->writes_completed(seat) == 1);
  world.memory->begin_launch(seat);
  CHECK(world.memory->writes_completed(seat) == 0);
  CHECK(acknowledged(seat) == time(20));
  CHECK(world.memory->writes_completed(0) == 1);
}

}  // namespace warpsim::testing
