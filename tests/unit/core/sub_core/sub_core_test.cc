// Waits of warps besides pipes and operands: queues, fences, copies, each other. Times are those of the
// tiny GPU; the first warp of a kernel issues its first instruction at cycle 114.
#include "core/sub_core/sub_core.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>

#include "core/sub_core/sub_core_config.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

KernelRun counted(const KernelBuilder& builder, const KernelShape& shape = {}, const Overrides& overrides = {}) {
  return run(builder, shape, perfect_front_end() + overrides);
}

// --- full queues ---

TEST_CASE("A warp that finds the memory queue full waits until an instruction has left it") {
  KernelBuilder k;
  for (int i = 0; i < 8; ++i) {
    k.lds(4, {.base = 0});
  }
  // Four entries; the first instruction leaves five cycles after issue, the others at intervals of four.
  CHECK(gaps(k) == Gaps{1, 1, 1, 2, 4, 4, 4});
  // 1 + 3 + 3 + 3 cycles in addition to the issue cycles.
  CHECK(counted(k)["sm.sub_core.stalled_mio_throttle"] == 10);
}

TEST_CASE("A full queue is an LG throttle for global loads and a TEX throttle for textures") {
  KernelBuilder global;
  KernelBuilder texture;
  for (int i = 0; i < 8; ++i) {
    global.ldg(4, {.base = 0x1000});
    texture.op("TEX", 4);
  }
  CHECK(counted(global)["sm.sub_core.stalled_lg_throttle"] > 0);
  CHECK(counted(global)["sm.sub_core.stalled_mio_throttle"] == 0);
  CHECK(counted(texture)["sm.sub_core.stalled_tex_throttle"] > 0);
}

TEST_CASE("Warps that find the MUFU pipe occupied get it in order of arrival") {
  // Warps 0 and 4 are on sub-core 0.
  KernelBuilder k;
  k.only([](std::uint32_t warp) { return warp % 4 == 0; },
         [&] {
           for (int i = 0; i < 3; ++i) {
             k.mufu(4, 1).stall(8);
           }
         });
  k.exit();
  SyntheticKernel kernel(k, {.warps = 5});
  const KernelRun result = run(kernel, perfect_front_end());
  std::vector<std::pair<Cycle, std::uint32_t>> order;
  for (const std::uint32_t warp : {0U, 4U}) {
    for (std::size_t i = 0; i < 3; ++i) {
      order.emplace_back(kernel.warp(warp).issued[i], warp);
    }
  }
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    CHECK(order[i].second == order[i % 2].second);
  }
  CHECK(result["sm.sub_core.stalled_math_pipe_throttle"] == 0);
  CHECK(result["sm.sub_core.stalled_mio_throttle"] > 0);
}

TEST_CASE("The sub-cores alternate on the pipe that they share") {
  KernelBuilder k;
  k.op("S2UR").writes(0);
  k.iadd(4, 1, 2).waits(0);
  SyntheticKernel kernel(k, {.warps = 4});
  run(kernel, perfect_front_end());
  // The warps issue a cycle apart, and start two cycles apart: the last three cycles late.
  for (std::uint32_t warp = 0; warp < 4; ++warp) {
    CHECK(kernel.warp(warp).gaps() == Gaps{20 + warp});
  }
}

// --- fences and sleep ---

TEST_CASE("A fence takes its latency: ten cycles within the block, a hundred beyond it") {
  KernelBuilder block;
  block.membar_block();
  block.exit();
  CHECK(gaps(block) == Gaps{10});
  KernelBuilder device;
  device.membar_device();
  device.exit();
  CHECK(gaps(device) == Gaps{100});
  CHECK(counted(device)["sm.sub_core.stalled_membar"] == 99);
}

TEST_CASE("A fence waits until the stores before it are acknowledged") {
  KernelBuilder k;
  k.stg({.base = 0x1000}, 4).stall(15);
  k.membar_device();
  k.exit();
  const Overrides overrides{"sm.sub_core.membar_device_cycles=1", "l2.perfect=true"};
  // Sent seven cycles after issue, 50 cycles to L2 and back: acknowledged 57 cycles after issue, 42 after that of the
  // fence.
  CHECK(gaps(k, overrides) == Gaps{15, 42});
}

TEST_CASE("A fence ends a fixed time after the last acknowledgement, whether it waited for it or not") {
  KernelBuilder k;
  k.stg({.base = 0x1000}, 4).stall(15);
  k.membar_device();
  k.exit();
  // Acknowledged 42 cycles after the fence's issue, as above.
  const Overrides soon{"sm.sub_core.membar_device_cycles=1", "sm.sub_core.membar_acknowledged_cycles=20",
                       "l2.perfect=true"};
  CHECK(gaps(k, soon) == Gaps{15, 62});
  const Overrides late{"sm.sub_core.membar_device_cycles=50", "sm.sub_core.membar_acknowledged_cycles=20",
                       "l2.perfect=true"};
  CHECK(gaps(k, late) == Gaps{15, 62});
  const Overrides past{"sm.sub_core.membar_device_cycles=64", "sm.sub_core.membar_acknowledged_cycles=20",
                       "l2.perfect=true"};
  CHECK(gaps(k, past) == Gaps{15, 64});
}

TEST_CASE("A fence waits for stores that are still in the memory queue") {
  KernelBuilder k;
  k.stg({.base = 0x1000}, 4);
  k.membar_device();
  k.exit();
  CHECK(gaps(k, {"sm.sub_core.membar_device_cycles=1", "l2.perfect=true"}) == Gaps{1, 56});
}

TEST_CASE("A fence does not wait for later stores of other warps") {
  KernelBuilder k;
  k.only([](std::uint32_t warp) { return warp == 0; },
         [&] {
           k.stg({.base = 0x1000}, 4);
           k.membar_device();
         });
  k.only([](std::uint32_t warp) { return warp == 1; },
         [&] { k.loop(100, [&] { k.stg({.base = 0x100000, .round_stride = 128}, 4); }); });
  k.exit();
  SyntheticKernel kernel(k, {.warps = 2});
  run(kernel, perfect_front_end() + Overrides{"l2.perfect=true"});
  // The other warp stores for 700 cycles.
  CHECK(kernel.warp(0).gaps()[1] < 200);
}

TEST_CASE("A sleeping warp is counted as sleeping") {
  KernelBuilder k;
  k.op("NANOSLEEP");
  k.exit();
  CHECK(counted(k)["sm.sub_core.stalled_sleeping"] == gaps(k)[0] - 1);
}

TEST_CASE("An error barrier after a fence does not cost another fence") {
  KernelBuilder k;
  k.membar_device();
  k.op("ERRBAR");
  k.op("CGAERRBAR");
  k.exit();
  // The first occupies the pipe for two cycles; the exit goes to another.
  CHECK(gaps(k) == Gaps{100, 2, 1});
}

// --- divergence ---

TEST_CASE("A reconvergence takes five cycles more than an instruction when all lanes have arrived") {
  KernelBuilder k;
  k.op("BSYNC");
  k.exit();
  CHECK(gaps(k) == Gaps{6});
}

TEST_CASE("A reconvergence that leaves the warp to other lanes takes five cycles more than a branch") {
  KernelBuilder k;
  k.op("BSYNC").lanes(0xffff);
  k.only([](std::uint32_t warp) { return warp != 0; }, [&] { k.nop(); });
  k.exit();
  // Four cycles to the fetch of the target and two to decode it.
  CHECK(gaps(k) == Gaps{4 + 5 + 2});
}

TEST_CASE("An indexed branch takes twenty cycles more than another") {
  for (const char* opcode : {"BRA", "BRX"}) {
    INFO(opcode);
    KernelBuilder k;
    k.op(opcode);
    k.only([](std::uint32_t warp) { return warp != 0; }, [&] { k.nop(); });
    k.exit();
    CHECK(gaps(k) == Gaps{opcode == std::string("BRX") ? Cycle{26} : Cycle{6}});
  }
}

// --- asynchronous copies ---

TEST_CASE("A dependence barrier waits for the groups of copies before it") {
  KernelBuilder k;
  k.ldgsts({.base = 0x1000, .lane_stride = 16});
  k.commit(0);
  k.depbar(0, 0);
  k.exit();
  // Four lines: the first is sent at 6 and back at 56, the others at 64 bytes per cycle, the last at 62 and usable
  // at 72. The group is closed at 1.
  CHECK(gaps(k, {"l2.perfect=true"}) == Gaps{1, 71, 1});
  CHECK(counted(k, {}, {"l2.perfect=true"})["sm.sub_core.stalled_long_scoreboard"] > 0);
}

TEST_CASE("A dependence barrier that allows one outstanding group waits for the previous one") {
  KernelBuilder k;
  k.ldgsts({.base = 0x1000, .lane_stride = 16});
  k.commit(0).stall(15);
  k.op("DADD", 4, {1, 2}).stall(15);
  k.ldgsts({.base = 0x2000, .lane_stride = 16});
  k.commit(0);
  k.depbar(0, 1);
  k.depbar(0, 0);
  k.exit();
  // Copies at 0 and 31: complete at 72 and 103. DEPBAR 1 at 72 instead of 33, DEPBAR 0 at 103.
  CHECK(gaps(k, {"l2.perfect=true"}) == Gaps{1, 15, 15, 1, 40, 31, 1});
}

TEST_CASE("An empty group completes at once") {
  KernelBuilder k;
  k.commit(0);
  k.depbar(0, 0);
  k.exit();
  CHECK(gaps(k)[0] <= 2);
}

TEST_CASE("A copy that is predicated off does not replace one that is still outstanding") {
  KernelBuilder k;
  k.ldgsts({.base = 0x2000, .lane_stride = 16}).lanes(0);
  k.ldgsts({.base = 0x1000, .lane_stride = 16});
  k.commit(0);
  k.depbar(0, 0);
  k.exit();
  // The second copy leaves the queue an address interval (4 cycles) after the first, not directly after its own issue.
  CHECK(gaps(k, {"l2.perfect=true"}) == Gaps{1, 1, 74, 1});
}

TEST_CASE("A group does not complete because a later one has") {
  // The second group's copy is found in L1, the first one's is not.
  KernelBuilder k;
  k.ldg(4, {.base = 0x2000}).writes(1);
  k.op("DADD", 6, {1, 2}).waits(1);
  k.store("LDGSTS.E", {.base = 0x1000}, 255);
  k.commit(0);
  k.store("LDGSTS.E", {.base = 0x2000}, 255);
  k.commit(0);
  k.depbar(0, 1);
  k.exit();
  const WarpRecord warp = first_warp(k, {}, perfect_front_end() + Overrides{"l2.perfect=true"});
  // The first copy: 6 + 50 + 10 cycles.
  CHECK(warp.issued[6] - warp.issued[2] == 66);
}

// --- predicated-off instructions ---

TEST_CASE("A memory instruction without active lanes passes through the memory pipeline without an access") {
  KernelBuilder k;
  k.ldg(4, {.base = 0x1000}).lanes(0).writes(0);
  k.exit().waits(0);
  // Four cycles of latency, but not before it has left the stage: six cycles after issue, like any other.
  CHECK(gaps(k) == Gaps{6});
  const KernelRun result = counted(k);
  CHECK(result["sm.lsu.global_load_requests"] == 0);
  CHECK(result["sm.lsu.shared_wavefronts"] == 1);
  CHECK(result["sm.sub_core.inst_executed"] == 2);
  CHECK(result["sm.sub_core.thread_inst_executed"] == 32);
}

TEST_CASE("A branch without active lanes is counted on the branch unit as such") {
  KernelBuilder k;
  k.op("BRX").lanes(0);
  k.exit();
  CHECK(counted(k)["sm.sub_core.pipe_cbu_pred_off"] == 1);
}

// --- the end of a warp ---

TEST_CASE("An exited warp stays until its outstanding operations complete") {
  KernelBuilder k;
  k.ldg(4, {.base = 0x1000});
  k.exit();
  const KernelRun result = counted(k, {}, {"l2.perfect=true"});
  // The load returns 66 cycles after issue; the exit takes the second of them.
  CHECK(result["sm.sub_core.stalled_drain"] == 64);
  CHECK(result["sm.sub_core.cycles_active"] == 2 + 66);
}

TEST_CASE("Warps without instructions start, leave, and their block ends") {
  KernelBuilder k;
  k.only([](std::uint32_t warp) { return warp == 1; },
         [&] {
           k.bar();
           k.exit();
         });
  const KernelRun result = counted(k, {.blocks = 3, .warps = 4});
  CHECK(result["sm.sub_core.warps_launched"] == 12);
  CHECK(result["sm.sub_core.inst_executed"] == 6);
  CHECK(result["sm.blocks_launched"] == 3);
  CHECK(result["block_scheduler.blocks_completed"] == 3);
}

TEST_CASE("A kernel without any instruction ends") {
  const KernelBuilder k;
  const KernelRun result = counted(k, {.blocks = 2, .warps = 2});
  CHECK(result["sm.sub_core.inst_executed"] == 0);
  CHECK(result["block_scheduler.blocks_completed"] == 2);
}

// --- counters ---

TEST_CASE("Instructions, lanes, branches and pipes are counted as executed") {
  KernelBuilder k;
  k.loop(3, [&] {
    k.iadd(4, 1, 2).lanes(0xff);
    k.op("IMAD", 4, {1, 2, 3});
    k.op("HFMA2", 4, {1, 2, 3});
    k.ffma(4, 1, 2, 3);
  });
  k.mufu(4, 1);
  k.exit();
  const KernelRun result = counted(k);
  CHECK(result["sm.sub_core.inst_executed"] == 17);
  CHECK(result["sm.sub_core.thread_inst_executed"] == 3 * (8 + 4 * 32) + 2 * 32);
  CHECK(result["sm.sub_core.inst_executed_branch"] == 4);  // the exit is one
  CHECK(result["sm.sub_core.pipe_alu"] == 3);
  CHECK(result["sm.sub_core.pipe_xu"] == 1);
  CHECK(result["sm.sub_core.pipe_fma_fp16"] == 3);
  // IMAD on the heavy half, HFMA2 on both, FFMA on either.
  CHECK(result["sm.sub_core.pipe_fmaheavy"] + result["sm.sub_core.pipe_fmalite"] == 3 + 2 * 3 + 3);
}

TEST_CASE("Floating-point operations are counted by opcode, one for each lane that executes them") {
  KernelBuilder k;
  k.loop(3, [&] { k.ffma(4, 1, 2, 3).lanes(0xff); });
  k.op("FADD.FTZ", 4, {1, 2});
  k.op("HFMA2.MMA", 4, {1, 2, 3});
  k.op("HADD2.F32", 4, {1, 2}).lanes(1);
  k.op("DMUL", 4, {1, 2}).lanes(0);
  k.exit();
  const KernelRun result = counted(k);
  CHECK(result["sm.sub_core.op_ffma"] == 3 * 8);
  CHECK(result["sm.sub_core.op_fadd"] == 32);
  CHECK(result["sm.sub_core.op_hfma"] == 32);
  CHECK(result["sm.sub_core.op_hadd"] == 1);
  CHECK(result["sm.sub_core.op_dmul"] == 0);
  CHECK(result["sm.sub_core.op_other"] == 4 * 32);  // three branches and the exit
}

TEST_CASE("Tensor operations are two per multiply-add, by the types of operands and result") {
  KernelBuilder k;
  k.op("HMMA.16816.F32", 4, {8, 12, 4});
  k.op("HMMA.16816.F32", 4, {8, 12, 4}).lanes(0);
  k.op("HMMA.1688.F32.TF32", 4, {8, 12, 4});
  k.op("IMMA.16832.S8.S8", 4, {8, 12, 4});
  k.exit();
  const KernelRun result = counted(k);
  CHECK(result["sm.sub_core.tensor_ops_fp16_fp32"] == 2 * 16 * 8 * 16);
  CHECK(result["sm.sub_core.tensor_ops_tf32_fp32"] == 2 * 16 * 8 * 8);
  CHECK(result["sm.sub_core.tensor_ops_int8"] == 2 * 16 * 8 * 32);
  CHECK(result["sm.sub_core.tensor_ops_bf16_fp32"] == 0);
}

TEST_CASE("Warps of one sub-core share its issue slot") {
  // Warps 0 and 4 are on sub-core 0. The barrier, which blocks at once, releases both in the same cycle.
  KernelBuilder k;
  k.bar();
  for (int i = 0; i < 20; ++i) {
    k.ffma(4, 1, 2, 255);
  }
  k.exit();
  SyntheticKernel kernel(k, {.warps = 5});
  const KernelRun result = run(kernel, perfect_front_end() + Overrides{"sm.barriers.deferred_blocking=false"});
  CHECK(kernel.warp(1).issued.back() - kernel.warp(1).issued[1] == 20);
  const Cycle first = std::min(kernel.warp(0).issued[1], kernel.warp(4).issued[1]);
  const Cycle last = std::max(kernel.warp(0).issued.back(), kernel.warp(4).issued.back());
  CHECK(last - first == 41);
  CHECK(result["sm.sub_core.stalled_not_selected"] > 0);
}

}  // namespace
}  // namespace warpsim::test
