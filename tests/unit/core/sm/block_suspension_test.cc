// Blocks that wait for grids that they have launched, on a machine.
#include "core/sm/block_suspension.h"

#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "core/sm/resident_block.h"
#include "core/sub_core/suspended_warp.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

// A kernel whose warps wait at each NOP until they are told to go on.
class WaitingKernel final : public KernelSource {
 public:
  WaitingKernel(const KernelBuilder& builder, const KernelShape& shape)
      : warps_(shape.warps), kernel_(builder, shape), states_(std::size_t{shape.blocks} * shape.warps) {}
  const KernelLaunch& launch() const override { return kernel_.launch(); }
  Concurrency concurrency() const override { return Concurrency::kFree; }
  std::unique_ptr<BlockSource> start_block(std::uint64_t linear_index, std::uint32_t sm) override {
    return std::make_unique<Block>(*this, linear_index, kernel_.start_block(linear_index, sm));
  }
  void go_on(std::uint64_t block, std::uint32_t warp) { state(block, warp) = State::kGoesOn; }
  bool waits(std::uint64_t block, std::uint32_t warp) { return state(block, warp) == State::kWaits; }
  const WarpRecord& warp(std::uint32_t warp, std::uint64_t block = 0) const { return kernel_.warp(warp, block); }
  std::uint64_t instructions() const { return kernel_.instructions(); }

 private:
  enum class State : std::uint8_t { kNotAtNop, kWaits, kGoesOn };
  class Block final : public BlockSource {
   public:
    Block(WaitingKernel& kernel, std::uint64_t index, std::unique_ptr<BlockSource> block)
        : kernel_(kernel), index_(index), block_(std::move(block)) {}
    std::uint32_t warp_count() const override { return block_->warp_count(); }
    void refill(WarpStream& stream, Cycle now) override {
      State& state = kernel_.state(index_, stream.warp);
      if (stream.end != nullptr && is_nop(stream.end[-1].index) && state != State::kGoesOn) {
        state = State::kWaits;
        stream.next = stream.end;
        return;
      }
      state = State::kNotAtNop;
      block_->refill(stream, now);
    }
    Cycle known_at(const WarpStream& stream) const override { return kernel_.waits(index_, stream.warp) ? kNever : 0; }
    LaneAddresses addresses(const WarpInstruction& instruction) const override {
      return block_->addresses(instruction);
    }

   private:
    bool is_nop(std::uint32_t index) const {
      const StaticProgram& program = *kernel_.launch().program;
      return program.opcodes[program.instructions[index].opcode] == "NOP";
    }
    WaitingKernel& kernel_;
    std::uint64_t index_;
    std::unique_ptr<BlockSource> block_;
  };
  State& state(std::uint64_t block, std::uint32_t warp) { return states_[block * warps_ + warp]; }

  std::uint32_t warps_;
  SyntheticKernel kernel_;
  std::vector<State> states_;
};

// Warp 0 waits for grids and then meets the others at a barrier.
KernelBuilder waiting(std::uint32_t rounds_of_others = 1) {
  KernelBuilder k;
  k.only([](std::uint32_t warp) { return warp == 0; }, [&] { k.nop(); });
  k.only([](std::uint32_t warp) { return warp != 0; },
         [&] { k.loop(rounds_of_others, [&] { k.iadd(4, 4, 4).stall(4); }); });
  k.bar();
  k.iadd(5, 4, 4);
  k.exit();
  return k;
}

KernelBuilder short_kernel() {
  KernelBuilder k;
  k.iadd(4, 4, 4);
  k.exit();
  return k;
}

// A block of eight warps has an SM for itself; there are two.
constexpr KernelShape kFull{.blocks = 2, .warps = 8};

TEST_CASE("Blocks that wait for grids leave room for them, and come back") {
  WaitingKernel parent(waiting(), kFull);
  SyntheticKernel child(short_kernel(), kFull);
  Machine machine(tiny_config(perfect_front_end()), MachineOptions{});
  const Machine::LaunchId waits = machine.submit(parent);
  CHECK_FALSE(machine.run_until(20000));  // this is no deadlock
  REQUIRE(parent.waits(0, 0));
  REQUIRE(parent.waits(1, 0));
  const KernelRun over = end_of(machine, machine.submit(child));
  CHECK(over.result.status == LaunchResult::Status::kComplete);

  parent.go_on(0, 0);
  parent.go_on(1, 0);
  const double end_ns = machine.now_ns() + 1000;
  machine.end_launch_wait(waits, 0, 0, end_ns);
  machine.end_launch_wait(waits, 1, 0, end_ns);
  const KernelRun result = end_of(machine, waits);
  CHECK(result["sm.blocks_suspended"] == 2);
  CHECK(result["sm.blocks_launched"] == 2);
  CHECK(result["sm.sub_core.warps_launched"] == 16);
  CHECK(result["sm.sub_core.inst_executed"] == parent.instructions());
  CHECK(result["sm.barriers.releases"] == 2);
  CHECK(result["sm.barriers.arrivals"] == 16);
  CHECK(result["block_scheduler.blocks_completed"] == 2);
}

TEST_CASE("The time of a return is that of both links, of the state, and of the start of a block") {
  const auto after_wait = [](std::uint32_t registers) {
    WaitingKernel parent(waiting(), {.blocks = 1, .warps = 8, .registers = registers});
    Machine machine(tiny_config(perfect_front_end()), MachineOptions{});
    const Machine::LaunchId waits = machine.submit(parent);
    CHECK_FALSE(machine.run_until(20000));
    parent.go_on(0, 0);
    machine.end_launch_wait(waits, 0, 0, 25000);
    end_of(machine, waits);
    const double core_mhz = tiny_config().clocks.core_mhz;
    const auto end = static_cast<Cycle>(25000 * core_mhz / 1000);
    return parent.warp(0).issued[1] - end;
  };
  // 10 cycles to the scheduler, 10 back, 2 to the first warp of a block. A register of all threads is 1 KiB.
  const GpuConfig config = tiny_config();
  const DramConfig& dram = config.memory.dram;
  const double bytes_per_cycle = config.memory.address_map.num_channels * dram.burst_bytes / dram.burst_cycles *
                                 config.clocks.dram_mhz / config.clocks.core_mhz / 2;
  const auto restore = [&](std::uint32_t registers) {
    return static_cast<Cycle>(registers * 1024 / bytes_per_cycle + 0.5);
  };
  // Then it fetches: an instruction is decoded after 2 cycles, and it jumps over the part of the other warps.
  CHECK(after_wait(16) >= 22 + restore(16));
  CHECK(after_wait(16) <= 22 + restore(16) + 8);
  CHECK(after_wait(32) - after_wait(16) == restore(32) - restore(16));
}

TEST_CASE("A block with a warp that works stays, and its waiting warp goes on in place") {
  WaitingKernel parent(waiting(100000), kFull);
  Machine machine(tiny_config(perfect_front_end()), MachineOptions{});
  const Machine::LaunchId waits = machine.submit(parent);
  CHECK_FALSE(machine.run_until(5000));
  REQUIRE(parent.waits(0, 0));
  const double end_ns = 6000;
  for (const std::uint64_t block : {0, 1}) {
    parent.go_on(block, 0);
    machine.end_launch_wait(waits, block, 0, end_ns);
  }
  const KernelRun result = end_of(machine, waits);
  CHECK(result["sm.blocks_suspended"] == 0);
  const auto end = static_cast<Cycle>(end_ns * tiny_config().clocks.core_mhz / 1000);
  CHECK(parent.warp(0).issued[1] >= end);
  CHECK(parent.warp(0).issued[1] <= end + 6);  // behind a branch
}

TEST_CASE("Without anything that could end them, waits for grids are a deadlock") {
  WaitingKernel parent(waiting(), kFull);
  Machine machine(tiny_config(perfect_front_end()), MachineOptions{});
  const Machine::LaunchId waits = machine.submit(parent);
  CHECK_THROWS_AS(machine.wait(waits), DeadlockError);
}

TEST_CASE("Blocks leave and return alike with and without skipping, and on several threads") {
  std::map<std::string, std::uint64_t> expected;
  for (const MachineOptions& options :
       {MachineOptions{}, MachineOptions{.skip = false}, MachineOptions{.threads = 2}}) {
    WaitingKernel parent(waiting(), {.blocks = 5, .warps = 8});
    Machine machine(tiny_config(), options);
    const Machine::LaunchId waits = machine.submit(parent);
    CHECK_FALSE(machine.run_until(20000));
    // All blocks have begun, in the places that others have left. They return in another order.
    for (const std::uint64_t block : {3, 4, 0, 2, 1}) {
      REQUIRE(parent.waits(block, 0));
      parent.go_on(block, 0);
      machine.end_launch_wait(waits, block, 0, 20500 + 10.0 * static_cast<double>(block));
    }
    const KernelRun result = end_of(machine, waits);
    if (expected.empty()) {
      expected = result.statistics;
      CHECK(result["sm.blocks_suspended"] == 5);
    }
    CHECK(result.statistics == expected);
  }
}

}  // namespace
}  // namespace warpsim::test
