// When instructions issue: pipes, register ports, stall counts, dependences, fetch. Every case reads the cycles between
// the issues of one warp on the tiny GPU.
#include <catch2/catch.hpp>
#include <numeric>

#include "core/sub_core/sub_core.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

KernelBuilder repeated(std::uint32_t times, const std::function<void(KernelBuilder&)>& write) {
  KernelBuilder builder;
  for (std::uint32_t i = 0; i < times; ++i) {
    write(builder);
  }
  return builder;
}

// --- pipes ---

TEST_CASE("A chain of FFMAs with the compiler's stall counts issues every four cycles") {
  CHECK(gaps(repeated(6, [](KernelBuilder& k) { k.ffma(4, 4, 1, 2).stall(4); })) == Gaps{4, 4, 4, 4, 4});
}

TEST_CASE("Independent additions issue every second cycle: the ALU is half a warp wide") {
  CHECK(gaps(repeated(5, [](KernelBuilder& k) { k.iadd(4, 1, 2); })) == Gaps{2, 2, 2, 2});
}

TEST_CASE("Independent FFMAs issue every cycle on the two halves of the FMA pipe") {
  CHECK(gaps(repeated(5, [](KernelBuilder& k) { k.ffma(4, 1, 2, 255); })) == Gaps{1, 1, 1, 1});
  CHECK(gaps(repeated(5, [](KernelBuilder& k) { k.ffma(4, 1, 2, 255); }), {"sm.execution.units.fma.count=1"}) ==
        Gaps{2, 2, 2, 2});
}

TEST_CASE("Integer multiplications have the heavy half only, and FFMAs fill the other") {
  CHECK(gaps(repeated(4, [](KernelBuilder& k) { k.op("IMAD", 4, {1, 2, 255}); })) == Gaps{2, 2, 2});
  CHECK(gaps(repeated(3, [](KernelBuilder& k) {
          k.op("IMAD", 4, {1, 2, 255});
          k.ffma(5, 1, 2, 255);
        })) == Gaps{1, 1, 1, 1, 1});
}

TEST_CASE("Instructions of different pipes do not wait for each other") {
  CHECK(gaps(repeated(3, [](KernelBuilder& k) {
          k.iadd(4, 1, 2);
          k.op("DADD", 6, {1, 2});
        })) == Gaps{1, 1, 1, 1, 1});
}

TEST_CASE("An operation on pairs of registers occupies its pipe while they are read") {
  // Three reads of each bank for an operation that would take two cycles.
  CHECK(gaps(repeated(4, [](KernelBuilder& k) {
          StaticInstruction& fma = k.op("DFMA", 4, {6, 8, 10}).raw();
          for (std::size_t i = 0; i < 3; ++i) {
            fma.sources[i].count = 2;
          }
        })) == Gaps{3, 3, 3});
  CHECK(gaps(repeated(4, [](KernelBuilder& k) { k.op("DADD", 4, {6, 8}); })) == Gaps{2, 2, 2});
}

TEST_CASE("A MUFU occupies its pipe for eight cycles") {
  CHECK(gaps(repeated(4, [](KernelBuilder& k) { k.mufu(4, 1); })) == Gaps{8, 8, 8});
}

TEST_CASE("A matrix operation occupies its pipe for the time of its steps") {
  // m16n8k16 with 16-bit operands: two steps of two cycles and two additional cycles.
  CHECK(gaps(repeated(4, [](KernelBuilder& k) { k.op("HMMA.16816.F32", 4, {1, 2, 255}); })) == Gaps{6, 6, 6});
}

TEST_CASE("A product of 64 bits delays its warp, but not the pipe for others") {
  const KernelBuilder k = repeated(3, [](KernelBuilder& b) { b.op("IMAD.WIDE", 4, {1, 2, 255}).stall(5); });
  CHECK(gaps(k) == Gaps{5, 5});
  CHECK(gaps(k, {"sm.execution.wide_multiply_stall_cycles=2"}) == Gaps{7, 7});
}

// --- stall counts ---

TEST_CASE("A stall count prevents issue of the warp for that many cycles") {
  KernelBuilder k;
  k.iadd(4, 1, 2).stall(7);
  k.op("DADD", 6, {1, 2}).stall(15);
  k.iadd(4, 1, 2).stall(0);
  k.ffma(5, 1, 2, 255);
  CHECK(gaps(k) == Gaps{7, 15, 1});
}

TEST_CASE("A yield pauses the warp for a cycle") {
  KernelBuilder k;
  k.ffma(4, 1, 2, 255).yield();
  k.ffma(5, 1, 2, 255);
  k.ffma(6, 1, 2, 255);
  CHECK(gaps(k) == Gaps{2, 1});
}

// --- register ports ---

TEST_CASE("Three operands of one bank cost two bubbles per instruction, in the steady state") {
  // The first conflict hides in the reading window.
  CHECK(gaps(repeated(6, [](KernelBuilder& k) { k.ffma(4, 0, 2, 6); })) == Gaps{1, 3, 3, 3, 3});
}

TEST_CASE("Operands that the register cache keeps cost no port") {
  CHECK(gaps(repeated(6, [](KernelBuilder& k) { k.ffma(4, 0, 2, 6).reuse(0).reuse(1); })) == Gaps{1, 1, 1, 1, 1});
  CHECK(gaps(repeated(6, [](KernelBuilder& k) { k.ffma(4, 0, 2, 6).reuse(0).reuse(1); }),
             {"sm.sub_core.register_file.reuse_cache=false"}) == Gaps{1, 3, 3, 3, 3});
}

TEST_CASE("Register conflicts are counted and an ideal register file has none") {
  const KernelBuilder k = repeated(6, [](KernelBuilder& b) { b.ffma(4, 0, 2, 6); });
  // The second to the sixth instruction delay the next instruction by two cycles each.
  CHECK(run(k, {}, perfect_front_end())["sm.sub_core.register_conflict_cycles"] == 10);
  const Overrides ideal{"sm.sub_core.register_file.ideal=true"};
  CHECK(run(k, {}, perfect_front_end() + ideal)["sm.sub_core.register_conflict_cycles"] == 0);
  CHECK(gaps(k, ideal) == Gaps{1, 1, 1, 1, 1});
}

// --- dependences by control bits ---

TEST_CASE("A wait mask holds an instruction until the result is written") {
  KernelBuilder k;
  k.mufu(4, 1).writes(0);
  k.iadd(5, 4, 4).waits(0);
  CHECK(gaps(k) == Gaps{16});
}

TEST_CASE("An instruction without a wait mask does not wait for a result") {
  KernelBuilder k;
  k.mufu(4, 1).writes(0);
  k.iadd(5, 4, 4);
  CHECK(gaps(k) == Gaps{1});
}

TEST_CASE("A wait mask of several counters waits for the last") {
  KernelBuilder k;
  k.mufu(4, 1).writes(0);
  k.lds(6, {.base = 0}).writes(1);
  k.iadd(5, 4, 6).waits(0).waits(1);
  // The load issues a cycle after the MUFU and returns 20 cycles later.
  CHECK(gaps(k) == Gaps{1, 20});
}

TEST_CASE("A read counter is released when the sources are read, on pipes and in the memory queue") {
  KernelBuilder alu;
  alu.mufu(4, 1).reads(2);
  alu.iadd(1, 6, 6).waits(2);
  CHECK(gaps(alu) == Gaps{4});
  KernelBuilder store;
  store.sts({.base = 0}, 1).reads(2);
  store.iadd(1, 6, 6).waits(2);
  CHECK(gaps(store) == Gaps{10});
}

// --- dependences by scoreboard ---

TEST_CASE("With a scoreboard a reader waits for exactly the latency of its operand") {
  KernelBuilder k(KernelBuilder::Dependences::kScoreboard);
  k.iadd(4, 1, 2);
  k.iadd(5, 4, 1);  // 4 cycles
  k.mufu(6, 5);     // 4 cycles
  k.iadd(7, 6, 1);  // 16 cycles
  k.lds(8, {.base = 0});
  k.iadd(9, 8, 1);  // 20 cycles
  k.op("DADD", 10, {1, 2});
  CHECK(gaps(k) == Gaps{4, 4, 16, 1, 20, 1});
}

TEST_CASE("With a scoreboard a guard waits longer for a fixed-latency predicate than an operand does") {
  KernelBuilder k(KernelBuilder::Dependences::kScoreboard);
  k.op("ISETP.NE.AND", 255, {1, 2}).raw().predicate_destinations = 1U << 0;
  k.op("SEL", 4, {1, 2}).raw().predicate_sources = 1U << 0;
  k.op("ISETP.NE.AND", 255, {1, 2}).raw().predicate_destinations = 1U << 1;
  k.iadd(5, 1, 2).raw().guard = 1;
  CHECK(gaps(k, {"sm.execution.guard_latency_cycles=13"}) == Gaps{4, 2, 13});
  CHECK(gaps(k) == Gaps{4, 2, 4});
}

TEST_CASE("A scoreboard orders writes of one register") {
  KernelBuilder k(KernelBuilder::Dependences::kScoreboard);
  k.mufu(4, 1);
  k.iadd(4, 1, 2);
  CHECK(gaps(k) == Gaps{16});
}

TEST_CASE("A GPU that ignores control bits finds the dependences itself") {
  KernelBuilder k;
  k.mufu(4, 1).stall(1);  // no counter for its result
  k.iadd(5, 4, 4);
  CHECK(gaps(k, {"sm.sub_core.dependences=scoreboard"}) == Gaps{16});
}

// --- branches and fetch ---

TEST_CASE("A taken branch costs its latency, the fetch and the decoding of its target") {
  KernelBuilder k;
  k.loop(
      3, [&] { k.iadd(4, 1, 2); }, 1);
  k.exit();
  // IADD3, BRA a cycle later; the target is fetched 4 cycles later and decoded in 2. The last BRA falls through.
  CHECK(gaps(k) == Gaps{1, 6, 1, 6, 1, 2});
}

TEST_CASE("The branch latency is hidden by a longer stall count") {
  KernelBuilder k;
  k.loop(
      3, [&] { k.iadd(4, 1, 2); }, 10);
  CHECK(gaps(k) == Gaps{1, 10, 1, 10, 1});
}

TEST_CASE("A warp that jumps over instructions flushes its buffer") {
  KernelBuilder k;
  k.iadd(4, 1, 2);
  k.only([](std::uint32_t warp) { return warp == 1; }, [&] { k.mufu(4, 1); });
  k.iadd(4, 1, 2);
  CHECK(gaps(k) == Gaps{6});
}

TEST_CASE("A full instruction buffer keeps up with one issue per cycle") {
  CHECK(gaps(repeated(40, [](KernelBuilder& k) { k.ffma(4, 1, 2, 255); })) == Gaps(39, 1));
}

TEST_CASE("A shallow instruction buffer starves the issue stage") {
  // One entry and a decode latency of two: fetch follows issue in the same cycle and is decoded two cycles later.
  CHECK(gaps(repeated(6, [](KernelBuilder& k) { k.ffma(4, 1, 2, 255); }), {"sm.sub_core.fetch.buffer_entries=1"}) ==
        Gaps(5, 2));
}

TEST_CASE("A cold instruction cache costs one miss per line of eight instructions, a warm one none") {
  // 16 instructions in two lines, twice around: the second round is as fast as with a perfect cache.
  KernelBuilder k;
  k.loop(2, [&] {
    for (int i = 0; i < 15; ++i) {
      k.ffma(4, 1, 2, 255);
    }
  });
  const Gaps cold = first_warp(k).gaps();
  const Gaps perfect = gaps(k);
  REQUIRE(cold.size() == 31);
  CHECK(cold[7] > perfect[7]);  // into the second line
  CHECK(Gaps(cold.begin() + 16, cold.end()) == Gaps(perfect.begin() + 16, perfect.end()));
  const KernelRun result = run(k);
  CHECK(result["sm.sub_core.fetch.l0_line_misses"] == 2);
  CHECK(result["sm.instruction_cache.misses"] == 2);
}

// --- constants ---

TEST_CASE("A constant operand that misses delays the instruction, the next one of its line does not wait") {
  KernelBuilder k;
  k.ffma(4, 1, 2, 255);
  k.iadd_constant(5, 1, 3, 0x100);
  k.iadd_constant(6, 1, 3, 0x104);
  const Overrides fetch_only{"sm.sub_core.fetch.perfect=true", "gpc_cache.perfect=true"};
  // Requested at issue; 5 cycles to the GPC cache, 10 there, 5 back, 1 for the event: 21. Then the ALU's two cycles.
  CHECK(first_warp(k, {}, fetch_only).gaps() == Gaps{22, 2});
  const KernelRun result = run(k, {}, fetch_only);
  CHECK(result["sm.sub_core.stalled_imc_miss"] == 21);
  CHECK(result["sm.constant_caches.immediate_misses"] == 1);
}

TEST_CASE("An LDC that hits takes thirty cycles, one that misses the time to the GPC cache") {
  KernelBuilder k;
  k.ldc(4, 3, 0x100).writes(0);
  k.iadd(5, 4, 1).waits(0);
  k.ldc(4, 3, 0x104).writes(0);
  k.iadd(5, 4, 1).waits(0);
  const Overrides fetch_only{"sm.sub_core.fetch.perfect=true", "gpc_cache.perfect=true"};
  // Five cycles to the lookup, five to the GPC cache, ten there, five back, one to the result.
  CHECK(first_warp(k, {}, fetch_only).gaps() == Gaps{26, 1, 30});
}

// --- instructions that become known later ---

TEST_CASE("A warp whose instructions become known one at a time runs like one known in advance") {
  KernelBuilder k;
  k.loop(5, [&] {
    k.ldg(4, {.base = 0x1000, .warp_stride = 4096, .round_stride = 128}).writes(0);
    k.iadd(5, 4, 4).waits(0);
    k.bar();
    k.ffma(6, 5, 5, 255).stall(4);
  });
  k.exit();
  SyntheticKernel one_at_a_time(k, {.blocks = 4, .warps = 3, .supply = Supply::kOneAtATime});
  SyntheticKernel whole(k, {.blocks = 4, .warps = 3, .supply = Supply::kWhole});
  const KernelRun a = run(one_at_a_time);
  const KernelRun b = run(whole);
  CHECK(a.result.elapsed_cycles == b.result.elapsed_cycles);
  CHECK(a.statistics == b.statistics);
}

}  // namespace
}  // namespace warpsim::test
