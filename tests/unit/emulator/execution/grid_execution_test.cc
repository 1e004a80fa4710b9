// Launches that pause and go on: after a number of operations, and when all threads wait for memory.
#include "emulator/execution/grid_execution.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "emulator/execution/fault.h"
#include "emulator/execution/launch_watch.h"
#include "emulator/memory/device_memory.h"
#include "support/ptx_grid.h"

namespace warpsim::test {
namespace {

using State = GridExecution::State;

struct Watched {
  explicit Watched(const PtxGrid& grid, LaunchWatch::Options options = {})
      : prepared(grid), launch(prepared.context), watch(*launch.kernel, grid.grid.count(), std::move(options)) {
    launch.watch = &watch;
    execution = std::make_unique<GridExecution>(
        launch, GridExecutionOptions{.resident_blocks = grid.resident_blocks, .local_bytes = grid.local_bytes});
  }
  // A word of the input buffer, which is the kernel's first parameter.
  void write(std::uint32_t value) {
    Address in = 0;
    std::memcpy(&in, launch.parameters.data(), sizeof(in));
    std::memcpy(launch.memory->host(in, sizeof(value)), &value, sizeof(value));
  }

  PreparedPtx prepared;
  LaunchContext launch;
  LaunchWatch watch;
  std::unique_ptr<GridExecution> execution;
};

constexpr const char* kWait =
    "L: ld.volatile.global.u32 %r1, [%in];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\n"
    "st.global.u32 [%own], %r1;";

TEST_CASE("grid execution: a grid that waits for memory pauses, and goes on when others have changed it") {
  Watched grid({.body = kWait, .grid = {3, 1, 1}, .block = {64, 1, 1}, .resident_blocks = 2});
  CHECK(grid.execution->run(GridExecution::kNoLimit) == State::kWaits);
  CHECK_FALSE(grid.execution->waits_for_host());
  CHECK_FALSE(grid.execution->has_begun());
  const std::uint64_t executed = grid.execution->executed();
  CHECK(executed < 4 * 1000);  // four warps, each of which polls for a moment
  CHECK(grid.execution->run(GridExecution::kNoLimit) == State::kWaits);
  CHECK(grid.execution->executed() == executed);
  grid.write(9);
  CHECK(grid.execution->run(GridExecution::kNoLimit) == State::kEnded);
  CHECK(grid.execution->has_begun());
  CHECK(grid.prepared.output() == std::vector<std::uint32_t>(192, 9));
}

TEST_CASE("grid execution: what only its own threads could change is a deadlock at once") {
  Watched barrier({.body = "setp.lt.u32 %p1, %t, 32;\n@%p1 bra A;\nbar.sync 1;\nA: bar.sync 2;", .block = {64, 1, 1}});
  CHECK_THROWS_AS(barrier.execution->run(GridExecution::kNoLimit), KernelFault);
  Watched shared({.body = "mov.u32 %r1, word;\nL: ld.volatile.shared.u32 %r2, [%r1];\nsetp.eq.u32 %p1, %r2, 0;\n"
                          "@%p1 bra L;",
                  .before = ".shared .align 4 .u32 word;"});
  CHECK_THROWS_AS(shared.execution->run(GridExecution::kNoLimit), KernelFault);
  Watched global({.body = kWait});
  CHECK(global.execution->run(GridExecution::kNoLimit) == State::kWaits);
  CHECK_THROWS_AS(global.execution->end_deadlocked(), KernelFault);
}

// Longer than what is rehearsed of a warp in its turn: only the examination of the whole launch finds it.
TEST_CASE("grid execution: a long loop around a poll is examined again before it goes on, and counts for the limit") {
  std::string body = "L: ld.volatile.global.u32 %r1, [%in];\n";
  for (int i = 0; i < 300; ++i) {
    body += "add.u32 %r2, %r1, " + std::to_string(i) + ";\n";
  }
  body += "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\nst.global.u32 [%own], %r1;";
  Watched grid({.body = body}, {.most_instructions = 3'000'000});
  CHECK(grid.execution->run(GridExecution::kNoLimit) == State::kWaits);
  const std::uint64_t executed = grid.execution->executed();
  CHECK(grid.execution->run(GridExecution::kNoLimit) == State::kWaits);
  CHECK(grid.execution->executed() == executed);
  const auto wait_on = [&grid] {
    while (grid.execution->run(GridExecution::kNoLimit) == State::kWaits) {
    }
  };
  CHECK_THROWS_AS(wait_on(), KernelFault);
  Watched released({.body = body});
  CHECK(released.execution->run(GridExecution::kNoLimit) == State::kWaits);
  released.write(4);
  CHECK(released.execution->run(GridExecution::kNoLimit) == State::kEnded);
}

TEST_CASE("grid execution: turns change neither results nor the number of operations") {
  const PtxGrid loop{.body =
                         "mov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 100000;\n@%p1 bra L;\n"
                         "st.global.u32 [%own], %r1;",
                     .grid = {4, 1, 1},
                     .resident_blocks = 2};
  Watched whole(loop);
  CHECK(whole.execution->run(GridExecution::kNoLimit) == State::kEnded);
  Watched parts(loop);
  std::uint32_t turns = 1;
  while (parts.execution->run(50'000) == State::kOpen) {
    ++turns;
  }
  CHECK(turns > 10);
  CHECK(parts.execution->work().warp_operations == whole.execution->work().warp_operations);
  CHECK(parts.prepared.output() == whole.prepared.output());
  CHECK(parts.prepared.output() == std::vector<std::uint32_t>(128, 100'000));
}

// One thread of each block counts at a barrier of the grid and polls; the others wait at a barrier of the block.
TEST_CASE("grid execution: blocks that wait for each other take few operations") {
  constexpr std::uint32_t kBlocks = 16;
  constexpr std::uint32_t kRounds = 50;
  Watched grid({.body = "mov.u32 %r2, 0;\nR: add.u32 %r2, %r2, 16;\nsetp.ne.u32 %p2, %t, 0;\n@%p2 bra E;\n"
                        "red.release.gpu.global.add.u32 [%in], 1;\n"
                        "L: ld.acquire.gpu.global.u32 %r1, [%in];\nsetp.lt.u32 %p1, %r1, %r2;\n@%p1 bra L;\n"
                        "E: bar.sync 0;\nsetp.lt.u32 %p3, %r2, 800;\n@%p3 bra R;\nst.global.u32 [%own], %r2;",
                .grid = {kBlocks, 1, 1},
                .block = {128, 1, 1},
                .resident_blocks = kBlocks});
  CHECK(grid.execution->run(GridExecution::kNoLimit) == State::kEnded);
  CHECK(grid.prepared.output() == std::vector<std::uint32_t>(kBlocks * 128, 16 * kRounds));
  // 4 warps with some ten operations in each round, and a poll of a few hundred.
  CHECK(grid.execution->executed() < std::uint64_t{kBlocks} * kRounds * 1000);
}

// Registers, a condition code and parameters of calls that only some blocks write.
TEST_CASE("grid: what a block has not written is 0, whatever a block before it has written") {
  PtxGrid grid{.body =
                   "mov.u32 %r1, %ctaid.x;\nand.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 mov.u32 %r3, 5;\n"
                   "@%p1 add.cc.u32 %r4, 0xffffffff, 1;\naddc.u32 %r5, %r3, 0;\n@%p1 bra even;\n"
                   "add.u32 %r6, %r6, 100;\neven: add.u32 %r7, %r6, %r5;\nmov.u32 %r6, 1000;\n"
                   "st.global.u32 [%own], %r7;",
               .grid = {64, 1, 1},
               .resident_blocks = 2};
  const std::vector<std::uint32_t> output = execute_ptx(grid);
  for (std::uint32_t i = 0; i < output.size(); ++i) {
    CHECK(output[i] == (i / 32 % 2 == 0 ? 6 : 100));
  }
}

}  // namespace
}  // namespace warpsim::test
