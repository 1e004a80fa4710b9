#include "device/copy_grid.h"

#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "device/memory_range.h"

namespace warpsim {
namespace {

CopiesConfig grids() {
  CopiesConfig config;
  config.copy_grid = {64, 16};
  config.rows_grid = {32, 4};
  config.fill_grid = {128, 16};
  config.small_fill_bytes = 100;
  return config;
}

MemoryRange line(std::uint64_t bytes) {
  return {.target = 0x20000, .source = 0x10000, .width = bytes, .rows = 1};
}

// How often each byte is read and written; a lane's access is cut at the end of the range.
struct Touched {
  std::map<Address, int> read;
  std::map<Address, int> written;
  std::uint64_t instructions = 0;
};

Touched run(CopyGrid& grid) {
  Touched touched;
  const StaticProgram& program = *grid.launch().program;
  for (std::uint64_t block = 0; block < grid.launch().grid.count(); ++block) {
    const std::unique_ptr<BlockSource> source = grid.start_block(block, 0);
    for (std::uint32_t warp = 0; warp < source->warp_count(); ++warp) {
      WarpStream stream;
      stream.warp = warp;
      for (source->refill(stream, 0); !stream.finished; source->refill(stream, 0)) {
        for (; stream.next != stream.end; ++stream.next) {
          ++touched.instructions;
          const StaticInstruction& instruction = program.instructions[stream.next->index];
          const LaneAddresses addresses = source->addresses(*stream.next);
          auto& bytes = instruction.kind == OpKind::kLoad ? touched.read : touched.written;
          for (std::uint32_t lane = 0; addresses.kind != LaneAddresses::Kind::kNone && lane < kWarpSize; ++lane) {
            if ((stream.next->active >> lane & 1U) != 0) {
              ++bytes[addresses.base + lane * static_cast<std::uint64_t>(addresses.stride)];
            }
          }
        }
      }
    }
  }
  return touched;
}

TEST_CASE("Copy grid: each access of a copy is made once, by blocks that the bytes fill") {
  const auto grid = CopyGrid::make(line(1024 + 512 + 100), 0, grids(), {.gpu = 1, .stream = 7});
  REQUIRE(grid != nullptr);
  CHECK(grid->launch().grid == Dim3{2, 1, 1});  // blocks of two warps with 512 bytes each
  CHECK(grid->launch().block == Dim3{64, 1, 1});
  CHECK(grid->launch().gpu == 1);
  CHECK(grid->launch().stream == 7);
  const Touched touched = run(*grid);
  CHECK(touched.instructions == 4 * 3);
  REQUIRE(touched.read.size() == (1024 + 512 + 112) / 16);
  REQUIRE(touched.written.size() == touched.read.size());
  CHECK(touched.read.begin()->first == 0x10000);
  CHECK(touched.written.rbegin()->first == 0x20000 + 1024 + 512 + 96);
  for (const auto& [address, times] : touched.written) {
    CHECK(times == 1);
    CHECK(touched.read.contains(address - 0x10000));
  }
}

TEST_CASE("Copy grid: rows are copied at their pitches, by smaller accesses") {
  const auto grid = CopyGrid::make(
      {.target = 0x20000, .source = 0x10000, .width = 136, .rows = 3, .target_pitch = 1024, .source_pitch = 256}, 0,
      grids(), {});
  REQUIRE(grid != nullptr);
  CHECK(grid->launch().grid == Dim3{6, 1, 1});
  CHECK(grid->launch().block == Dim3{32, 1, 1});
  const Touched touched = run(*grid);
  CHECK(touched.read.size() == 3 * 34);
  CHECK(touched.read.rbegin()->first == 0x10000 + 2 * 256 + 132);
  CHECK(touched.written.rbegin()->first == 0x20000 + 2 * 1024 + 132);
}

TEST_CASE("Copy grid: a fill has no loads, and a small one no grid") {
  MemoryRange range = line(4096);
  range.fills = true;
  const auto grid = CopyGrid::make(range, 0, grids(), {});
  REQUIRE(grid != nullptr);
  CHECK(grid->launch().grid == Dim3{2, 1, 1});
  const Touched touched = run(*grid);
  CHECK(touched.read.empty());
  CHECK(touched.written.size() == 256);
  range.width = 100;
  CHECK(CopyGrid::make(range, 0, grids(), {}) == nullptr);
}

TEST_CASE("Copy grid: what is left of a copy is its end") {
  const auto grid = CopyGrid::make(line(4096), 3072, grids(), {});
  REQUIRE(grid != nullptr);
  const Touched touched = run(*grid);
  CHECK(touched.read.size() == 64);
  CHECK(touched.read.begin()->first == 0x10000 + 3072);
  CHECK(CopyGrid::make(line(4096), 4096, grids(), {}) == nullptr);
}

TEST_CASE("Copy grid: without threads, copies use no SMs") {
  CopiesConfig config = grids();
  config.copy_grid.block_threads = 0;
  CHECK(CopyGrid::make(line(4096), 0, config, {}) == nullptr);
  CHECK(CopyGrid::make({}, 0, grids(), {}) == nullptr);
}

TEST_CASE("Copy grid: the code has the opcodes of its architecture") {
  CHECK(CopyGrid::make(line(4096), 0, grids(), {.architecture = 90})->launch().program->opcodes.front() == "LDG.E.128");
  CHECK(CopyGrid::make(line(4096), 0, grids(), {.architecture = 35})->launch().program->opcodes.front() == "LD.E.128");
  CHECK(CopyGrid::make(line(4096), 0, grids(), {.architecture = 20})->launch().program->opcodes.back() == "EXIT");
}

}  // namespace
}  // namespace warpsim
