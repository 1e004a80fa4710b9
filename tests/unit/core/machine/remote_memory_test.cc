// Launches that access the memory of another GPU or of the host.
#include <array>
#include <catch2/catch.hpp>

#include "base/error.h"
#include "memory/remote/remote_stats.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

using Catch::Matchers::Contains;

constexpr Address kOnGpu0 = 0x1000000;
constexpr Address kOnGpu1 = 0x2000000;
constexpr Address kOnHost = 0x3000000;
constexpr std::uint64_t kBytes = 0x800000;
// From a gate to the L2 of the other GPU and back: twice the link's 200, port 1, slice 20 and 5, port 1.
constexpr Cycle kRemote = 427;

MemoryHomes two_gpus() {
  MemoryHomes homes;
  homes.set(kOnGpu0, kBytes, 0);
  homes.set(kOnGpu1, kBytes, 1);
  homes.set(kOnHost, kBytes, MemoryHomes::kHost);
  return homes;
}

std::vector<GpuConfig> gpus(std::size_t count, const Overrides& overrides = {}) {
  return std::vector<GpuConfig>(count, tiny_config(perfect_front_end() + overrides));
}

// On GPU 0 of two.
KernelRun run_on_0(const KernelBuilder& builder, const KernelShape& shape = {}, const Overrides& overrides = {}) {
  const MemoryHomes homes = two_gpus();
  Machine machine(gpus(2, overrides), {.homes = &homes});
  SyntheticKernel kernel(builder, shape);
  return end_of(machine, machine.submit(kernel));
}

KernelBuilder loading(Address from, std::uint32_t times = 1) {
  KernelBuilder k;
  for (std::uint32_t i = 0; i < times; ++i) {
    k.ldg(4, {.base = from}).writes(0);
    k.iadd(5, 4, 4).waits(0);
  }
  k.exit();
  return k;
}

KernelBuilder storing(Address to, const std::string& fence = {}) {
  KernelBuilder k;
  k.stg({.base = to}, 4);
  if (!fence.empty()) {
    k.op(fence);
  }
  k.exit();
  return k;
}

// Loads, stores, reductions and atomics on the memory of two GPUs and of the host.
KernelBuilder mixed(Address first, Address second, std::uint32_t rounds) {
  KernelBuilder k;
  k.loop(rounds, [&] {
    k.ldg(4, {.base = first, .lane_stride = 8, .block_stride = 4096, .round_stride = 512}).writes(0);
    k.iadd(5, 4, 4).waits(0);
    k.stg({.base = second + 0x10000, .lane_stride = 4, .block_stride = 4096, .round_stride = 128}, 5);
    k.store("RED.E.ADD", {.base = second + 0x100000, .lane_stride = 0}, 5);
    k.ldg(6, {.base = kOnHost, .lane_stride = 4, .round_stride = 128}).writes(1);
    k.op("MEMBAR.SC.SYS");
    k.iadd(7, 6, 6).waits(1);
  });
  k.exit();
  return k;
}

TEST_CASE("A load from another GPU takes the way there longer than one from the own L2's DRAM") {
  const KernelRun own = run_on_0(loading(kOnGpu0));
  const KernelRun other = run_on_0(loading(kOnGpu1));
  REQUIRE(own.counters.at("sm.lsu.load_latency_dram.count") == 1);
  REQUIRE(other.counters.at("sm.lsu.load_latency_peer.count") == 1);
  CHECK(other.counters.at("sm.lsu.load_latency_peer.sum") == own.counters.at("sm.lsu.load_latency_dram.sum") + kRemote);
}

TEST_CASE("A load from the host takes the way there and the time of its memory longer than a hit in the own L2") {
  const MemoryHomes homes = two_gpus();
  Machine machine(gpus(1), {.flush_before_launch = false, .homes = &homes});
  SyntheticKernel from_host(loading(kOnHost), {});
  SyntheticKernel from_own(loading(kOnGpu0), {});
  machine.run(from_own);
  const Counters own = end_of(machine, machine.submit(from_own)).counters;
  const Counters host = end_of(machine, machine.submit(from_host)).counters;
  REQUIRE(own.at("sm.lsu.load_latency_l2_near.count") == 1);
  REQUIRE(host.at("sm.lsu.load_latency_host.count") == 1);
  CHECK(host.at("sm.lsu.load_latency_host.sum") == own.at("sm.lsu.load_latency_l2_near.sum") + 2 * 300 + 100);
}

TEST_CASE("L1 keeps lines of other memories, the own L2 does not") {
  for (const Address from : {kOnGpu1, kOnHost}) {
    const KernelRun twice = run_on_0(loading(from, 2));
    CHECK(twice.counters.at("sm.lsu.load_latency_l1.count") == 1);
    CHECK(twice.counters.at("l2_slice.from_l1.requests") == 0);
  }
}

TEST_CASE("A launch ends when its writes to other memories have arrived") {
  const Cycle own = run_on_0(storing(kOnGpu0)).result.elapsed_cycles;
  CHECK(run_on_0(storing(kOnGpu1)).result.elapsed_cycles == own + kRemote);
  CHECK(run_on_0(storing(kOnHost)).result.elapsed_cycles == own + 700);
}

TEST_CASE("A fence of the GPU waits until writes are on their way, one of the system until they have arrived") {
  const auto held = [](Address to, const std::string& fence) {
    return run_on_0(storing(to, fence)).counters.at("sm.sub_core.stalled_membar");
  };
  const std::uint64_t own = held(kOnGpu0, "MEMBAR.SC.GPU");
  CHECK(held(kOnGpu1, "MEMBAR.SC.GPU") == own);
  CHECK(held(kOnHost, "MEMBAR.SC.GPU") == own);
  CHECK(held(kOnGpu1, "MEMBAR.ALL.CTA") < own);
  // Store and fence issue in consecutive cycles, and the write of the own GPU is acknowledged before the fence's
  // minimum.
  const std::uint64_t system = held(kOnGpu1, "MEMBAR.SC.SYS");
  CHECK(system > kRemote);
  CHECK(held(kOnHost, "MEMBAR.SC.SYS") == system + 700 - kRemote);
  CHECK(held(kOnGpu0, "MEMBAR.SC.SYS") == own);
}

TEST_CASE("A launch has the statistics of one alone while another GPU reads from its GPU, where nothing is shared") {
  KernelBuilder adding;
  adding.loop(2000, [&] { adding.iadd(4, 4, 4); });
  adding.exit();
  KernelBuilder reading;
  reading.loop(100, [&] { reading.ldg(4, {.base = kOnGpu1, .round_stride = 128}); });
  reading.exit();
  const MemoryHomes homes = two_gpus();
  SyntheticKernel at_home(adding, {.blocks = 2});
  SyntheticKernel guest(reading, {.blocks = 2});
  const auto run = [&](bool with_guest) {
    Machine machine(gpus(2), {.homes = &homes});
    const Machine::LaunchId home = machine.submit(at_home, {}, 1);
    if (with_guest) {
      const Machine::LaunchId other = machine.submit(guest, {}, 0);
      CHECK(end_of(machine, other).counters.at("remote_gate.peer.requests") == 200);
    }
    return end_of(machine, home);
  };
  const KernelRun alone = run(false);
  const KernelRun beside = run(true);
  CHECK(beside.result.elapsed_cycles == alone.result.elapsed_cycles);
  CHECK(beside.statistics == alone.statistics);
}

TEST_CASE("A second launch on a GPU with guests counts its own events only") {
  const MemoryHomes homes = two_gpus();
  Machine machine(gpus(2), {.homes = &homes});
  SyntheticKernel first(mixed(kOnGpu1, kOnGpu0, 4), {.blocks = 2});
  SyntheticKernel second(loading(kOnGpu1 + 0x400000), {});
  SyntheticKernel guest(mixed(kOnGpu0, kOnGpu0, 4), {.blocks = 2});
  const Machine::LaunchId a = machine.submit(first, {}, 0);
  const Machine::LaunchId b = machine.submit(second, {}, 0);
  const Machine::LaunchId c = machine.submit(guest, {}, 1);
  const KernelRun counted = end_of(machine, b);
  CHECK(counted.counters.at("remote_gate.peer.requests") == 1);
  CHECK(counted.counters.at("crossbar.responses") == 1);
  CHECK(counted.counters.at("l2_slice.from_l1.requests") == 0);
  machine.wait(a);
  machine.wait(c);
}

// Returns the two launches' statistics.
std::array<KernelRun, 2> check_sameness_of_two(const Overrides& overrides) {
  const MemoryHomes homes = two_gpus();
  const auto run = [&](MachineOptions options) {
    options.homes = &homes;
    std::vector<GpuConfig> configs = gpus(1, overrides);
    configs.push_back(
        tiny_config(overrides + Overrides{"clocks.core_mhz=1410", "clocks.l2_mhz=1299", "clocks.dram_mhz=977"}));
    Machine machine(configs, options);
    SyntheticKernel first(mixed(kOnGpu1, kOnGpu1, 6), {.blocks = 4, .warps = 2});
    SyntheticKernel second(mixed(kOnGpu0, kOnGpu1, 9), {.blocks = 3, .warps = 1});
    const Machine::LaunchId a = machine.submit(first, {}, 0);
    const Machine::LaunchId b = machine.submit(second, {}, 1);
    std::array<KernelRun, 2> both;
    both[1] = end_of(machine, b);
    both[0] = end_of(machine, a);
    return both;
  };
  const std::array<KernelRun, 2> expected = run({});
  CHECK(expected[0].counters.at("remote_gate.peer.requests") > 0);
  for (const MachineOptions& options : {MachineOptions{.threads = 2}, MachineOptions{.threads = 3},
                                        MachineOptions{.shuffle = 5}, MachineOptions{.skip = false}}) {
    const std::array<KernelRun, 2> other = run(options);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(other[i].result.elapsed_cycles == expected[i].result.elapsed_cycles);
      CHECK(other[i].statistics == expected[i].statistics);
    }
  }
  return expected;
}

TEST_CASE("Threads, order and skipped cycles change nothing of launches that access each other's memory") {
  check_sameness_of_two({});
}

TEST_CASE("Walks read page tables of each GPU in its own memory, beside requests of other GPUs") {
  const std::array<KernelRun, 2> runs = check_sameness_of_two(
      small_translations() + tables_in_memory() + Overrides{"translation.page_kib=64", "translation.sm_entries=1"});
  for (const KernelRun& run : runs) {
    CHECK(run.counters.at("translation.walk_reads") > 0);
    CHECK(run.counters.at("l2_slice.from_translation.read_sectors") == run.counters.at("translation.walk_reads"));
  }
}

TEST_CASE("Known homes change nothing of a launch that only accesses memory of its GPU") {
  MemoryHomes homes;
  homes.set(kOnHost, kBytes, MemoryHomes::kHost);
  KernelBuilder k;
  k.loop(20, [&] {
    k.ldg(4, {.base = kOnGpu0, .lane_stride = 32, .block_stride = 4096, .round_stride = 1024}).writes(0);
    k.store("RED.E.ADD", {.base = kOnGpu0 + 0x100000, .lane_stride = 4}, 4).waits(0);
  });
  k.exit();
  SyntheticKernel kernel(k, {.blocks = 8, .warps = 2});
  Machine with(tiny_config(), {.homes = &homes});
  Machine without(tiny_config(), {});
  const KernelRun expected = end_of(without, without.submit(kernel));
  const KernelRun same = end_of(with, with.submit(kernel));
  CHECK(same.result.elapsed_cycles == expected.result.elapsed_cycles);
  CHECK(same.statistics == expected.statistics);
}

TEST_CASE("Launches on different GPUs, one after another, find what earlier ones left in the L2 at home") {
  const MemoryHomes homes = two_gpus();
  Machine machine(gpus(2), {.flush_before_launch = false, .homes = &homes});
  SyntheticKernel remote(storing(kOnGpu1), {});
  SyntheticKernel home(loading(kOnGpu1), {});
  const LaunchResult first = machine.wait(machine.submit(remote, {}, 0));
  const KernelRun second = end_of(machine, machine.submit(home, {}, 1));
  CHECK(second.result.start_cycle > first.start_cycle + first.elapsed_cycles);
  CHECK(second.counters.at("sm.lsu.load_latency_l2_near.count") == 1);
  machine.evict_l2();  // nothing is in flight
  CHECK(end_of(machine, machine.submit(home, {}, 1)).counters.at("sm.lsu.load_latency_dram.count") == 1);
}

TEST_CASE("Homes change between launches: pages that migrate") {
  MemoryHomes homes;
  homes.set(kOnHost, kBytes, MemoryHomes::kHost);
  Machine machine(gpus(2), {.homes = &homes});
  SyntheticKernel kernel(loading(kOnHost), {});
  CHECK(end_of(machine, machine.submit(kernel)).counters.at("sm.lsu.load_latency_host.count") == 1);
  homes.set(kOnHost, 0x1000, 1);
  CHECK(end_of(machine, machine.submit(kernel)).counters.at("sm.lsu.load_latency_peer.count") == 1);
  homes.remove(kOnHost, 0x1000);
  CHECK(end_of(machine, machine.submit(kernel)).counters.at("sm.lsu.load_latency_dram.count") == 1);
}

TEST_CASE("A GPU without a link to others is refused when it accesses them") {
  const MemoryHomes homes = two_gpus();
  Machine machine(gpus(2, {"links.peer.kind=none"}), {.homes = &homes});
  SyntheticKernel kernel(loading(kOnGpu1), {});
  CHECK_THROWS_WITH(machine.run(kernel), Contains("GPU 0 accesses memory of GPU 1"));
}

}  // namespace
}  // namespace warpsim::test
