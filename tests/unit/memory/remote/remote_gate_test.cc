#include "memory/remote/remote_gate.h"

#include <algorithm>

#include "base/error.h"
#include "unit/memory/memory_scripts.h"
#include "unit/memory/remote_world.h"

namespace warpsim::testing {
namespace {

using Catch::Matchers::Contains;
using World = RemoteWorld;

constexpr std::uint32_t kLines = 32;  // that the tests use again and again: they fit L2

// `count` requests for lines that begin at `from`.
std::vector<MemRequest> repeated(Address from, std::uint32_t count, MemOp op = MemOp::kRead) {
  std::vector<MemRequest> script;
  for (std::uint32_t i = 0; i < count; ++i) {
    script.push_back(stream(from + Address{i % kLines} * kLineBytes, 1, op).front());
  }
  return script;
}

MemRequest full_reduction(Address line) {
  MemRequest request = write_of(line);
  request.op = MemOp::kReduction;
  return request;
}

// Cycles of further lines at the rate of the link: 144 bytes each at 64 per cycle.
constexpr Cycle lines_after(Cycle count) {
  return count * 144 / 64;
}

Cycle last_answer(const ScriptedPort& port) {
  return port.answers().back().at;
}

TEST_CASE("Remote gate: a read of another GPU's memory takes both ways of the link and a hit there") {
  World world(2);
  const MemRequest read = read_of(World::memory_of(1));
  CHECK(world.latency(read) == 477 + 65);  // from DRAM of the other GPU
  CHECK(world.latency(read) == 477);       // its L2 has kept the line, that of the reader has not
  CHECK(world.ports[0][0]->answers().back().response.served_by == ServedBy::kPeer);
  CHECK(world.latency(read_of(World::memory_of(0))) == 185);
  CHECK(world.latency(read_of(World::memory_of(0))) == 50);
}

TEST_CASE("Remote gate: all lines are as near, since requests enter in the partition where they are at home") {
  World world(2);
  for (std::uint32_t line = 0; line < 8; ++line) {
    const MemRequest read = read_of(World::memory_of(1) + Address{line} * kLineBytes);
    world.latency(read);
    CHECK(world.latency(read) == 477);
  }
}

TEST_CASE("Remote gate: a write is acknowledged twice, on its way and when it has arrived") {
  World world(2);
  CHECK(world.latency(write_of(World::memory_of(1))) == 477);
  REQUIRE(world.ports[0][0]->posted().size() == 1);
  CHECK(world.ports[0][0]->posted().front().latency() == 50);  // as one to the own L2
  CHECK(world.memories[0]->writes_completed(0) == 1);
  CHECK(world.memories[1]->writes_completed(0) == 0);
  CHECK(world.memories[1]->writes_completed(kGuestSeat) == 1);
  // 462: the answer leaves the gate, 5 + 15 cycles before it reaches the port.
  CHECK(world.memories[0]->writes_acknowledged_at(0).fs / 1000000 == 477);
}

TEST_CASE("Remote gate: a write that nobody waits for counts when it has arrived") {
  World world(2);
  MemRequest write = write_of(World::memory_of(1));
  write.wants_ack = false;
  world.run({{{write}}});
  CHECK(world.ports[0][0]->posted().empty());
  CHECK(world.ports[0][0]->answers().empty());
  CHECK(world.memories[0]->writes_completed(0) == 1);
}

TEST_CASE("Remote gate: atomics and reductions execute in the L2 of the other GPU") {
  World world(2);
  world.latency(read_of(World::memory_of(1)));
  CHECK(world.latency(atomic_of(MemOp::kAtomic, World::memory_of(1))) == 477 + 2);  // two cycles for the sector
  CHECK(world.latency(atomic_of(MemOp::kReduction, World::memory_of(1))) == 477 + 2);
  CHECK(world.total(1, "l2_slice.atomic_operations", kGuestSeat) == 2);
  CHECK(world.total(0, "l2_slice.atomic_operations") == 0);
}

TEST_CASE("Remote gate: a stream of reads has the rate of the link, headers included") {
  World world(2);
  const auto script = repeated(World::memory_of(1), 500);
  world.run({{repeated(World::memory_of(1), kLines)}});
  // 144 bytes of each answer at 64 per cycle.
  const Cycle cycles = world.run({{script, script}});
  CHECK(cycles >= 477 + lines_after(999));
  CHECK(cycles <= 477 + lines_after(999) + 10);
}

TEST_CASE("Remote gate: beside copies accesses have a part of the rate, from a cycle on") {
  World world(2);
  const auto script = repeated(World::memory_of(1), 500);
  world.run({{repeated(World::memory_of(1), kLines)}});
  const Cycle start = world.engine.now(0);
  // After a quarter of the time half of the rate is left to what arrives; that the other way has less changes nothing.
  world.memories[0]->gate()->set_shares({.to_peers = 0.5}, start);
  world.memories[0]->gate()->set_shares({.to_peers = 0.5, .from_peers = 0.5}, start + 477 + lines_after(250));
  const Cycle slow = world.run({{script, script}});
  CHECK(slow >= 477 + lines_after(250) + 2 * lines_after(749) - 30);
  CHECK(slow <= 477 + lines_after(250) + 2 * lines_after(750) + 20);
  world.memories[0]->gate()->set_shares({}, world.engine.now(0));
  CHECK(world.run({{script, script}}) <= 477 + lines_after(999) + 10);
}

TEST_CASE("Remote gate: a stream of writes has the rate of the link, headers included") {
  World world(2);
  const auto script = repeated(World::memory_of(1), 500, MemOp::kWrite);
  const Cycle cycles = world.run({{script, script}});
  CHECK(cycles >= 477 + lines_after(999));
  CHECK(cycles <= 477 + lines_after(999) + 20);
}

TEST_CASE("Remote gate: a stream of reductions takes as many packets as they need") {
  LinksConfig links = tiny_links();
  links.peer.atomic_packet_bytes = 8;  // 16 packets of 16 + 8 bytes: 6 cycles for each line
  World world(2, links);
  std::vector<MemRequest> script;
  for (std::uint32_t i = 0; i < 100; ++i) {
    script.push_back(full_reduction(World::memory_of(1) + Address{i % kLines} * kLineBytes));
  }
  world.run({{repeated(World::memory_of(1), kLines)}});
  const Cycle cycles = world.run({{script}});
  CHECK(cycles >= 477 + 99 * 6);
  CHECK(cycles <= 477 + 99 * 6 + 20);
}

TEST_CASE("Remote gate: two GPUs that read from each other share each direction among answers and requests") {
  World world(2);
  const auto from_1 = repeated(World::memory_of(1), 1000);
  const auto from_0 = repeated(World::memory_of(0), 1000);
  world.run({{repeated(World::memory_of(1), kLines)}, {repeated(World::memory_of(0), kLines)}});
  const Cycle cycles = world.run({{from_1, from_1}, {from_0, from_0}}, 300);
  // 144 and 16 bytes for each line; the first 600 requests are on their way before there are answers.
  const Cycle expected = 477 + 1999 * 160 / 64 - 600 * 16 / 64;
  CHECK(cycles >= expected - 50);
  CHECK(cycles <= expected + 100);
}

TEST_CASE("Remote gate: two GPUs that write to each other do not slow each other down") {
  World world(2);
  const auto to_1 = repeated(World::memory_of(1), 500, MemOp::kWrite);
  const auto to_0 = repeated(World::memory_of(0), 500, MemOp::kWrite);
  const Cycle cycles = world.run({{to_1, to_1}, {to_0, to_0}});
  CHECK(cycles >= 477 + lines_after(999));
  CHECK(cycles <= 477 + lines_after(999) + 20);
}

TEST_CASE("Remote gate: two GPUs that read from a third one share its port") {
  World world(3);
  const auto script = repeated(World::memory_of(2), 500);
  world.run({{repeated(World::memory_of(2), kLines)}});
  const Cycle alone = world.run({{script, script}});
  const Cycle both = world.run({{script, script}, {script, script}});
  CHECK(both - 477 >= 2 * (alone - 477) - 10);
  CHECK(both - 477 <= 2 * (alone - 477) + 20);
  // Each gets half: they end together.
  const Cycle first = last_answer(*world.ports[0][0]);
  const Cycle second = last_answer(*world.ports[1][0]);
  CHECK(std::max(first, second) - std::min(first, second) <= 80);
}

TEST_CASE("Remote gate: a GPU that reads from two others is limited by its own port") {
  World world(3);
  world.run({{repeated(World::memory_of(1), kLines), repeated(World::memory_of(2), kLines)}});
  const Cycle cycles = world.run({{repeated(World::memory_of(1), 500), repeated(World::memory_of(2), 500)}});
  CHECK(cycles >= 477 + lines_after(999));
  CHECK(cycles <= 477 + lines_after(999) + 20);
}

TEST_CASE("Remote gate: outstanding requests are limited") {
  LinksConfig links = tiny_links();
  links.peer.outstanding_requests = 2;
  World world(2, links);
  world.latency(read_of(World::memory_of(1), 0xf));
  const auto script = std::vector<MemRequest>(6, read_of(World::memory_of(1), 0xf));
  const Cycle cycles = world.run({{script}});
  // Three pairs, each from the gate and back to it: 200 + 1 + 20 + 5 + 1 + 200 = 427, and the rest of the path once.
  CHECK(cycles >= 3 * 427 + 50);
  CHECK(cycles <= 3 * 427 + 50 + 12);
}

TEST_CASE("Remote gate: GPUs that access each other do not block each other with the smallest queues") {
  LinksConfig links = tiny_links();
  links.peer.outstanding_requests = 1;
  links.peer.ports_per_partition = 1;
  MemoryConfig config = tiny_memory();
  config.crossbar.port_request_entries = 1;
  config.crossbar.port_response_entries = 1;
  config.crossbar.slice_queue_entries = 1;
  config.l2.reply_queue_entries = 1;
  World world(3, links, config);
  std::vector<std::vector<std::vector<MemRequest>>> scripts(3);
  for (std::uint32_t gpu = 0; gpu < 3; ++gpu) {
    for (std::uint32_t port = 0; port < 2; ++port) {
      scripts[gpu].push_back(repeated(World::memory_of((gpu + 1 + port) % 3), 40));
      for (const MemOp op : {MemOp::kAtomic, MemOp::kReduction}) {
        scripts[gpu][port].push_back(atomic_of(op, World::memory_of((gpu + port) % 3)));
      }
      const auto writes = repeated(World::memory_of((gpu + 2 - port) % 3), 40, MemOp::kWrite);
      scripts[gpu][port].insert(scripts[gpu][port].end(), writes.begin(), writes.end());
    }
  }
  world.run(scripts);  // requires that all are answered
}

TEST_CASE("Remote gate: memory of the host has its latency and its rates") {
  World world(1);
  CHECK(world.latency(read_of(world.host_memory())) == 750);
  CHECK(world.latency(read_of(world.host_memory())) == 750);  // nothing is kept
  CHECK(world.ports[0][0]->answers().back().response.served_by == ServedBy::kHost);
  CHECK(world.latency(write_of(world.host_memory())) == 750);
  CHECK(world.ports[0][0]->posted().front().latency() == 50);
  CHECK(world.memories[0]->writes_completed(0) == 1);
  // Answers of 128 + 20 bytes, writes of 128 + 24, and atomics of 32 times 24 + 4, at 16 bytes per cycle.
  CHECK(world.run({{repeated(world.host_memory(), 100)}}) == 750 + 99 * 148 / 16);
  const Cycle writes = world.run({{repeated(world.host_memory(), 100, MemOp::kWrite)}});
  CHECK(writes == 750 + 99 * 152 / 16);
  CHECK(world.run({{std::vector<MemRequest>(10, full_reduction(world.host_memory()))}}) == 750 + 9 * 56);
}

TEST_CASE("Remote gate: an integrated GPU has the host's memory as its own") {
  LinksConfig links = tiny_links();
  links.host.kind = HostLinkKind::kIntegrated;
  World world(1, links);
  CHECK(world.latency(read_of(world.host_memory())) == 185);
  CHECK(world.latency(read_of(world.host_memory())) == 50);
}

TEST_CASE("Remote gate: without NVLink, other GPUs and the host share a link") {
  LinksConfig links = tiny_links();
  links.peer.kind = PeerLinkKind::kPcie;
  links.peer.bandwidth_gb_per_s = 16;
  World world(2, links);
  world.run({{repeated(World::memory_of(1), kLines)}});
  const Cycle alone = world.run({{repeated(World::memory_of(1), 100)}});
  CHECK(alone == 477 + 99 * 9);  // 144 bytes at 16 per cycle
  const Cycle both = world.run({{repeated(World::memory_of(1), 100), repeated(world.host_memory(), 100)}});
  CHECK(both >= 477 + 99 * 9 + 99 * 9);
  CHECK(world.total(0, "remote_gate.nvlink.bytes_received") == 0);
  CHECK(world.total(0, "remote_gate.pcie.bytes_received") == (kLines + 200) * 144 + 100 * 148);
}

TEST_CASE("Remote gate: two GPUs use NVLink only if both have it") {
  std::vector<LinksConfig> links(2, tiny_links());
  links[1].peer.kind = PeerLinkKind::kPcie;
  World world(links);
  world.latency(read_of(World::memory_of(1)));
  CHECK(world.total(0, "remote_gate.nvlink.bytes_sent") == 0);
  CHECK(world.total(0, "remote_gate.pcie.bytes_sent") == 16);
}

TEST_CASE("Remote gate: a GPU without links cannot reach others, and they cannot reach it") {
  std::vector<LinksConfig> links(2, tiny_links());
  links[1].peer.kind = PeerLinkKind::kNone;
  World world(links);
  CHECK_THROWS_WITH(world.latency(read_of(World::memory_of(1))),
                    Contains("GPU 0 accesses memory of GPU 1") && Contains("links.peer.kind"));
  CHECK(World(links).latency(read_of(World::memory_of(0))) == 185);
}

TEST_CASE("Remote gate: requests, sectors and bytes count for the launch that accesses, at home for guests") {
  World world(2);
  world.run({{{read_of(World::memory_of(1), 0x3), write_of(World::memory_of(1) + kLineBytes),
               atomic_of(MemOp::kAtomic, World::memory_of(1)), read_of(world.host_memory())}}});
  CHECK(world.total(0, "crossbar.requests") == 4);
  CHECK(world.total(0, "remote_gate.peer.requests") == 3);
  CHECK(world.total(0, "remote_gate.peer.read_sectors") == 2);
  CHECK(world.total(0, "remote_gate.peer.write_sectors") == 4);
  CHECK(world.total(0, "remote_gate.peer.atomic_sectors") == 1);
  CHECK(world.total(0, "remote_gate.host.read_sectors") == 1);
  CHECK(world.total(0, "remote_gate.nvlink.bytes_sent") == 16 + (16 + 128) + (16 + 4));
  CHECK(world.total(0, "remote_gate.nvlink.bytes_received") == (16 + 64) + (16 + 32));
  CHECK(world.total(0, "remote_gate.pcie.bytes_sent") == 24);
  CHECK(world.total(0, "remote_gate.pcie.bytes_received") == 20 + 32);
  CHECK(world.total(0, "l2_slice.from_l1.requests") == 0);
  CHECK(world.total(1, "crossbar.requests") == 0);
  CHECK(world.total(1, "l2_slice.from_l1.requests", kGuestSeat) == 3);
  CHECK(world.total(1, "remote_gate.nvlink.bytes_received", kGuestSeat) == 16 + (16 + 128) + (16 + 4));
  CHECK(world.total(1, "remote_gate.nvlink.bytes_sent", kGuestSeat) == (16 + 64) + (16 + 32));
}

TEST_CASE("Remote gate: a gate that nothing passes changes nothing") {
  const Scripts scripts = mixed_scripts(200);
  const auto run = [&](bool gate) {
    MemoryHomes homes;
    homes.set(0x10000000, 0x1000, MemoryHomes::kHost);
    Engine engine;
    LaunchStats<StatGroup> stats("gpu");
    const std::uint32_t domain = engine.add_domain("core", 1000);
    MemorySystem memory(engine, domain, domain, domain, tiny_memory(), {{0, 0}, {1, 1}, {0, 0}, {1, 1}}, stats,
                        MemorySystem::Remote{tiny_links(), gate ? &homes : nullptr, 0, false});
    std::vector<std::unique_ptr<ScriptedPort>> ports;
    std::vector<Cycle> times;
    for (std::uint32_t p = 0; p < 4; ++p) {
      ports.push_back(std::make_unique<ScriptedPort>(memory.requests(p), memory.responses(p)));
      ports.back()->connect(engine.add_component(domain, "port", *ports.back()));
      ports.back()->start(scripts[p], 1000, 0);
    }
    engine.run(engine.domain(0).time_of(100000));
    for (const auto& port : ports) {
      for (const ScriptedPort::Answer& answer : port->answers()) {
        times.push_back(answer.at);
      }
    }
    return times;
  };
  CHECK(run(true) == run(false));
}

}  // namespace
}  // namespace warpsim::testing
