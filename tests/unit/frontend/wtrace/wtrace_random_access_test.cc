#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <numeric>
#include <thread>

#include "base/error.h"
#include "frontend/workload/block_copy.h"
#include "frontend/wtrace/wtrace_frame.h"
#include "frontend/wtrace/wtrace_reader.h"
#include "support/invented_trace.h"

namespace warpsim {
namespace {

using test::InventedKernel;

// 40 blocks of 8 warps of 10,000 instructions: 3.2 million, three groups and a rest.
InventedKernel large_kernel() {
  InventedKernel kernel = test::invented_kernel(test::invented_program(100), 40, 256);
  for (BlockTrace& block : kernel.blocks) {
    for (std::uint32_t warp = 0; warp < 8; ++warp) {
      for (std::uint32_t i = 0; i < 10000; ++i) {
        if (i % 99 == 0) {
          test::add_strided(block, 0, kAllLanes, 0x7f0000000000 + block.linear_index * 4096 + warp * 128 + i, 4);
        } else {
          test::add_instruction(block, i % 100, kAllLanes);
        }
      }
      test::end_warp(block);
    }
  }
  return kernel;
}

TEST_CASE("wtrace: blocks can be requested in any order") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.path("a.wtrace");
  const InventedKernel kernel = large_kernel();
  test::write_wtrace(path, {kernel});

  const wtrace::FrameFile file(path);
  trace::Index index;
  file.read(file.index(), wtrace::FrameKind::kIndex, index);
  CHECK(index.commands(0).kernel().groups_size() == 3);

  std::vector<std::uint64_t> order(kernel.blocks.size());
  std::iota(order.begin(), order.end(), 0);
  SECTION("increasing") {}
  SECTION("decreasing") {
    std::reverse(order.begin(), order.end());
  }
  SECTION("shuffled") {
    std::shuffle(order.begin(), order.end(), std::mt19937_64(7));
  }
  SECTION("strided over the groups") {
    for (std::uint64_t i = 0; i < order.size(); ++i) {
      order[i] = i % 4 * 10 + i / 4;
    }
  }
  SECTION("twice") {
    order = {39, 0, 39, 0, 15, 14, 15};
  }
  const auto read = test::next_kernel(*open_wtrace(path));
  BlockTrace block;
  for (const std::uint64_t at : order) {
    copy_block(*read, at, block);
    CHECK(test::difference(kernel.blocks[at], block) == "");
  }
  CHECK_THROWS_WITH(copy_block(*read, 40, block), Catch::Contains("block 40 is requested; expected less than 40"));
}

TEST_CASE("wtrace: several threads read blocks at a time, of one group and of several") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.path("a.wtrace");
  const InventedKernel kernel = large_kernel();
  test::write_wtrace(path, {kernel});
  const auto read = test::next_kernel(*open_wtrace(path));
  const std::size_t count = kernel.blocks.size();
  std::vector<BlockTrace> blocks(count);
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (std::size_t at = next++; at < count; at = next++) {
        const std::size_t block = at % 2 == 0 ? at / 2 : count - 1 - at / 2;  // from both ends
        copy_block(*read, block, blocks[block]);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (std::size_t block = 0; block < count; ++block) {
    CHECK(test::difference(kernel.blocks[block], blocks[block]) == "");
  }
}

TEST_CASE("wtrace: kernels can be read alternately and after the end of their source") {
  const test::TemporaryDirectory directory;
  std::mt19937_64 random(5);
  const std::vector<InventedKernel> kernels = {test::random_kernel(random), test::random_kernel(random)};
  test::write_wtrace(directory.path("a.wtrace"), kernels);
  auto source = open_wtrace(directory.path("a.wtrace"));
  const std::vector<std::unique_ptr<KernelSource>> read = [&] {
    std::vector<std::unique_ptr<KernelSource>> both;
    both.push_back(test::next_kernel(*source));
    both.push_back(test::next_kernel(*source));
    return both;
  }();
  source.reset();
  CHECK(read[1]->launch().launch_index == 1);
  BlockTrace block;
  for (std::size_t at = 0; at < 6; ++at) {
    for (std::size_t k = 0; k < 2; ++k) {
      if (at < kernels[k].blocks.size()) {
        copy_block(*read[k], at, block);
        CHECK(test::difference(kernels[k].blocks[at], block) == "");
      }
    }
  }
}

}  // namespace
}  // namespace warpsim
