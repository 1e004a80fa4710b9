// PTX executed at issue: a wait at a barrier in shared memory lasts as long as the copies in the core.
#include "frontend/ptx/ptx_barriers.h"

#include <catch2/catch.hpp>
#include <numeric>
#include <string>

#include "core/machine/machine.h"
#include "support/timed_ptx.h"

namespace warpsim::test {
namespace {

constexpr const char* kShared = ".shared .align 128 .b8 buffer[4096];\n.shared .align 8 .b64 barrier;\n";
constexpr const char* kWait =
    "wait: mbarrier.try_wait.parity.shared.b64 %p2, [%r11], 0;\n@%p2 bra there;\nbra wait;\nthere:\n";

// Thread 0 starts a copy of `bytes`; all 64 threads wait for it, read a word each, and record the cycles that the wait
// took after the words.
PtxGrid copying(std::uint32_t bytes, const std::string& wait = kWait) {
  PtxGrid launch;
  launch.optimised = true;
  launch.before = kShared;
  const std::string count = std::to_string(bytes);
  launch.body =
      "mov.u32 %r10, buffer;\nmov.u32 %r11, barrier;\nsetp.ne.u32 %p1, %t, 0;\n@%p1 bra ready;\n"
      "mbarrier.init.shared.b64 [%r11], 1;\nmbarrier.arrive.expect_tx.shared.b64 %q1, [%r11], " +
      count + ";\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r10], [%in], " + count +
      ", [%r11];\nready: bar.sync 0;\nmov.u32 %r1, %clock;\n" + wait +
      "mov.u32 %r2, %clock;\nsub.u32 %r2, %r2, %r1;\nshl.b32 %r3, %t, 2;\nadd.u32 %r3, %r3, %r10;\n"
      "ld.shared.u32 %r4, [%r3];\nst.global.u32 [%own], %r4;\nst.global.u32 [%own+256], %r2;\n";
  launch.input.resize(1024);
  std::iota(launch.input.begin(), launch.input.end(), 1U);
  launch.block = {64, 1, 1};
  launch.output_words = 128;
  return launch;
}

std::uint32_t waited(const TimedPtx& timed) {
  return timed.output[64];
}

TEST_CASE("PTX at issue: a wait for a bulk copy lasts as long as the copy") {
  const TimedPtx near = run_ptx(copying(4096));
  CHECK(near.counters.at("sm.tma.copies_in") == 1);
  CHECK(near.counters.at("sm.tma.bytes_in") == 4096);
  CHECK(near.counters.at("sm.mbarrier.phases") == 1);
  CHECK(near.counters.at("sm.mbarrier.waits") == 2);
  CHECK(near.counters.at("sm.mbarrier.waits_given_up") == 0);
  std::vector<std::uint32_t> expected(64);
  std::iota(expected.begin(), expected.end(), 1U);
  CHECK(std::vector<std::uint32_t>(near.output.begin(), near.output.begin() + 64) == expected);
  // Additional cycles of the copy are additional cycles of the wait, exactly.
  const TimedPtx late = run_ptx(copying(4096), {"sm.asynchronous.tma.delivery_cycles=1000"});
  const GpuConfig config = tiny_config();
  const std::uint32_t more = 1000 - config.sm.asynchronous.tma.delivery_cycles;
  CHECK(waited(late) == waited(near) + more);
  CHECK(late.result.elapsed_cycles == near.result.elapsed_cycles + more);
  // More lines take longer.
  CHECK(waited(run_ptx(copying(256))) < waited(near));
}

TEST_CASE("PTX at issue: a wait for far memory takes longer") {
  const TimedPtx near = run_ptx(copying(4096));
  const TimedPtx far = run_ptx(copying(4096), {"dram.return_latency_cycles=900"});
  CHECK(waited(far) > waited(near) + 500);
  CHECK(std::vector<std::uint32_t>(far.output.begin(), far.output.begin() + 64) ==
        std::vector<std::uint32_t>(near.output.begin(), near.output.begin() + 64));
}

TEST_CASE("PTX at issue: a test that finds its phase open is not held") {
  // The flag of the second warp, which ends the phase, is 3000 cycles late; the first one counts its tries.
  PtxGrid launch;
  launch.optimised = true;
  launch.before = kShared;
  launch.body =
      "mov.u32 %r11, barrier;\nsetp.ne.u32 %p1, %t, 0;\n@%p1 bra ready;\nmbarrier.init.shared.b64 [%r11], 1;\n"
      "ready: bar.sync 0;\nmov.u32 %r2, 0;\nsetp.lt.u32 %p3, %t, 32;\n@%p3 bra wait;\nmov.u32 %r1, %clock;\n"
      "later: mov.u32 %r3, %clock;\nsub.u32 %r3, %r3, %r1;\nsetp.lt.u32 %p4, %r3, 3000;\n@%p4 bra later;\n"
      "setp.ne.u32 %p5, %t, 32;\n@%p5 bra done;\nmbarrier.arrive.shared.b64 %q1, [%r11];\nbra done;\n"
      "wait: add.u32 %r2, %r2, 1;\nmbarrier.test_wait.parity.shared.b64 %p2, [%r11], 0;\n@!%p2 bra wait;\n"
      "done: st.global.u32 [%own], %r2;\n";
  launch.block = {64, 1, 1};
  const TimedPtx timed = run_ptx(launch);
  CHECK(timed.result.status == LaunchResult::Status::kComplete);
  CHECK(timed.output[0] > 20);
  CHECK(timed.counters.at("sm.mbarrier.waits") == 1);
  CHECK(timed.counters.at("sm.mbarrier.arrivals") == 1);
}

TEST_CASE("PTX at issue: a warp waits for every lane's barrier, with any copies") {
  // 32 barriers; thread i copies 16 * (i % 16 + 1) bytes for the thread on the other side of the warp.
  PtxGrid launch;
  launch.optimised = true;
  launch.before = ".shared .align 128 .b8 buffer[8192];\n.shared .align 8 .b64 barriers[32];\n";
  launch.body =
      "mov.u32 %r10, buffer;\nmov.u32 %r11, barriers;\nshl.b32 %r1, %t, 3;\nadd.u32 %r12, %r11, %r1;\n"
      "shl.b32 %r1, %t, 8;\nadd.u32 %r13, %r10, %r1;\nand.b32 %r2, %t, 15;\nadd.u32 %r2, %r2, 1;\nshl.b32 %r2, %r2, "
      "4;\n"
      "mbarrier.init.shared.b64 [%r12], 1;\nmbarrier.arrive.expect_tx.shared.b64 %q1, [%r12], %r2;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r13], [%in], %r2, [%r12];\n"
      "bar.warp.sync 0xffffffff;\nxor.b32 %r3, %t, 31;\nshl.b32 %r4, %r3, 3;\nadd.u32 %r4, %r4, %r11;\n"
      "wait: mbarrier.try_wait.parity.shared.b64 %p2, [%r4], 0;\n@!%p2 bra wait;\n"
      "shl.b32 %r5, %r3, 8;\nadd.u32 %r5, %r5, %r10;\nand.b32 %r6, %r3, 15;\nshl.b32 %r6, %r6, 4;\nadd.u32 %r5, %r5, "
      "%r6;\n"
      "ld.shared.u32 %r7, [%r5+12];\nst.global.u32 [%own], %r7;\n";
  launch.input.resize(128);
  std::iota(launch.input.begin(), launch.input.end(), 0U);
  const TimedPtx timed = run_ptx(launch);
  CHECK(timed.output == execute_ptx(launch));
  CHECK(timed.output[0] == 4 * 16 - 1);
  CHECK(timed.counters.at("sm.tma.copies_in") == 32);
  CHECK(timed.counters.at("sm.mbarrier.phases") == 32);
  CHECK(timed.counters.at("sm.mbarrier.waits") == 1);
}

TEST_CASE("PTX at issue: blocks of a cluster copy for each other and arrive at each other's barriers") {
  PtxGrid launch;
  launch.optimised = true;
  launch.before = kShared;
  launch.body =
      "mov.u32 %r10, buffer;\nmov.u32 %r11, barrier;\nmov.u32 %r9, %cluster_ctarank;\nsetp.ne.u32 %p1, %t, 0;\n"
      "@!%p1 mbarrier.init.shared.b64 [%r11], 2;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n"
      "@%p1 bra wait;\nmbarrier.arrive.expect_tx.shared.b64 %q1, [%r11], 512;\nxor.b32 %r1, %r9, 1;\n"
      "mapa.shared::cluster.u32 %r2, %r11, %r1;\nmbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r2];\n"
      "setp.ne.u32 %p3, %r9, 0;\n@%p3 bra wait;\nmov.u16 %h, 3;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r10], [%in], 512, "
      "[%r11], "
      "%h;\n" +
      std::string(kWait) +
      "shl.b32 %r3, %t, 2;\nadd.u32 %r3, %r3, %r10;\nld.shared.u32 %r4, [%r3];\nst.global.u32 [%own], %r4;\n"
      "barrier.cluster.arrive;\nbarrier.cluster.wait;\n";
  launch.body = ".reg .b16 %h;\n" + launch.body;
  launch.input.resize(128);
  std::iota(launch.input.begin(), launch.input.end(), 7U);
  launch.block = {64, 1, 1};
  launch.grid = {2, 1, 1};
  launch.cluster = {2, 1, 1};
  const TimedPtx timed = run_ptx(launch);
  CHECK(timed.output == execute_ptx(launch));
  CHECK(timed.output[64 + 63] == 70);
  CHECK(timed.counters.at("sm.mbarrier.phases") == 2);
  CHECK(timed.counters.at("sm.mbarrier.transaction_bytes") == 1024);
  CHECK(timed.counters.at("sm.mbarrier.waits_given_up") == 0);
}

TEST_CASE("PTX at issue: arrivals that drop out are not expected in later phases") {
  // Threads 0 and 32; the second one drops out of the first phase, so that the first one completes the next alone.
  PtxGrid launch;
  launch.optimised = true;
  launch.before = kShared;
  launch.body =
      "mov.u32 %r11, barrier;\nsetp.ne.u32 %p1, %t, 0;\n@!%p1 mbarrier.init.shared.b64 [%r11], 2;\nbar.sync 0;\n"
      "and.b32 %r1, %t, 31;\nsetp.ne.u32 %p3, %r1, 0;\n@%p3 bra done;\n@%p1 bra second;\n"
      "mbarrier.arrive.shared.b64 %q1, [%r11];\n"
      "first: mbarrier.try_wait.parity.shared.b64 %p2, [%r11], 0;\n@!%p2 bra first;\n"
      "mbarrier.arrive.shared.b64 %q1, [%r11];\n"
      "again: mbarrier.try_wait.parity.shared.b64 %p2, [%r11], 1;\n@!%p2 bra again;\nbra done;\n"
      "second: mbarrier.arrive_drop.shared.b64 %q1, [%r11];\ndone: st.global.u32 [%own], %t;\n";
  launch.block = {64, 1, 1};
  const TimedPtx timed = run_ptx(launch);
  CHECK(timed.result.status == LaunchResult::Status::kComplete);
  CHECK(timed.counters.at("sm.mbarrier.arrivals") == 3);
  CHECK(timed.counters.at("sm.mbarrier.phases") == 2);
  CHECK(timed.counters.at("sm.mbarrier.waits_given_up") == 0);
}

TEST_CASE("PTX at issue: the copy engine writes what leaves shared memory") {
  PtxGrid launch;
  launch.optimised = true;
  launch.before = kShared;
  launch.body =
      "mov.u32 %r10, buffer;\nst.shared.u32 [%r10], %t;\n"
      "cp.async.bulk.global.shared::cta.bulk_group [%out], [%r10], 4096;\n"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%out], [%r10], 64;\n"
      "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n";
  launch.block = {1, 1, 1};
  launch.output_words = 1024;
  const TimedPtx timed = run_ptx(launch);
  CHECK(timed.counters.at("sm.tma.copies_out") == 2);
  CHECK(timed.counters.at("sm.tma.bytes_out") == 4096 + 64);
}

TEST_CASE("PTX at issue: arrivals of a thread's copies wait for them") {
  // A copy of 16 bytes, then an arrival for it; the wait lasts as long as memory.
  PtxGrid launch;
  launch.optimised = true;
  launch.before = kShared;
  launch.body =
      "mov.u32 %r10, buffer;\nmov.u32 %r11, barrier;\nmbarrier.init.shared.b64 [%r11], 1;\nmov.u32 %r1, %clock;\n"
      "cp.async.cg.shared.global [%r10], [%in], 16;\ncp.async.mbarrier.arrive.noinc.shared.b64 [%r11];\n"
      "wait: mbarrier.try_wait.parity.shared.b64 %p2, [%r11], 0;\n@!%p2 bra wait;\n"
      "mov.u32 %r2, %clock;\nsub.u32 %r2, %r2, %r1;\nst.global.u32 [%own], %r2;\n";
  launch.input.resize(16);
  launch.block = {1, 1, 1};
  const TimedPtx near = run_ptx(launch);
  const TimedPtx far = run_ptx(launch, {"dram.return_latency_cycles=900"});
  CHECK(near.counters.at("sm.mbarrier.phases") == 1);
  CHECK(far.output[0] > near.output[0] + 500);
}

TEST_CASE("PTX at issue: skipping time changes nothing for waits for copies") {
  CHECK(run_ptx(copying(4096), {}, {.skip = true}).statistics ==
        run_ptx(copying(4096), {}, {.skip = false}).statistics);
}

}  // namespace
}  // namespace warpsim::test
