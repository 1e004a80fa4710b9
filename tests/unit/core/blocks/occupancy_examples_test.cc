// The worked examples of occupancy and registers in the CUDA programming guides. The sources: "8.0" and "4.2" are the
// CUDA C programming guides of these toolkits, "1.x" the CUDA 1.x guide, "11" and "12" the Chinese editions of parts of
// later guides. If guides contradict each other, the test states the chosen one.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "config/config_tree.h"
#include "core/gpu/gpu_config.h"
#include "isa/opcode_table.h"
#include "isa/operand_widths.h"

namespace warpsim::test {
namespace {

OccupancyConfig limits_of(const std::string& gpu) {
  return ConfigTree::load(WARPSIM_SOURCE_DIR "/configs/" + gpu + ".yaml", {}).read<GpuConfig>().occupancy;
}

Occupancy occupancy(const std::string& gpu, const BlockNeeds& needs) {
  const OccupancyConfig limits = limits_of(gpu);
  return compute_occupancy(limits, needs, limits.carveout_kib.back());
}

std::uint32_t resident_warps(const Occupancy& o) {
  return o.blocks_per_sm * o.warps_per_block;
}

double percent(const std::string& gpu, const Occupancy& o) {
  return 100 * o.theoretical(limits_of(gpu));
}

// Maximum registers per thread with which `blocks` blocks of `threads` are resident.
std::uint32_t register_ceiling(const std::string& gpu, std::uint32_t threads, std::uint32_t blocks) {
  const OccupancyConfig limits = limits_of(gpu);
  std::uint32_t most = limits.registers_per_thread;
  while (most > 0 && compute_occupancy(limits, {threads, most, 0}, limits.carveout_kib.back()).blocks_per_sm < blocks) {
    --most;
  }
  return most;
}

TEST_CASE("O1, 4.2 section 5.2.3: on 1.2 two blocks of 512 threads with 16 registers fill the registers", "[core]") {
  const Occupancy o = occupancy("gt240", {512, 16, 0});
  CHECK(o.blocks_per_sm == 2);
  CHECK(resident_warps(o) == 32);
  CHECK(percent("gt240", o) == 100);
  CHECK(o.blocks_per_sm * o.registers_per_block == 16384);
}

TEST_CASE("O2, 4.2 section 5.2.3: on 1.2 a seventeenth register costs one of two blocks", "[core]") {
  const Occupancy o = occupancy("gt240", {512, 17, 0});
  CHECK(o.blocks_per_sm == 1);
  CHECK(resident_warps(o) == 16);
  CHECK(percent("gt240", o) == 50);
  CHECK(2 * o.registers_per_block == 17408);
}

TEST_CASE("O3, 8.0 section 5.2.3: on 2.x two blocks of 512 threads with 32 registers fill the registers", "[core]") {
  for (const char* gpu : {"gtx480", "m2090", "gtx560ti"}) {
    const Occupancy o = occupancy(gpu, {512, 32, 0});
    CHECK(o.blocks_per_sm == 2);
    CHECK(resident_warps(o) == 32);
    CHECK(percent(gpu, o) == Approx(66.67).margin(0.01));
    CHECK(o.blocks_per_sm * o.registers_per_block == 32768);
  }
}

// The guide prints that two blocks would need "2x512x17" registers, left over from the example of 1.2 in 4.2. Taken:
// 33, which makes 33792 before rounding, more than 32768.
TEST_CASE("O4, 8.0 section 5.2.3 with 4.2 section 4.2: on 2.x a 33rd register costs one of two blocks", "[core]") {
  for (const char* gpu : {"gtx480", "m2090", "gtx560ti"}) {
    const Occupancy o = occupancy(gpu, {512, 33, 0});
    CHECK(o.blocks_per_sm == 1);
    CHECK(resident_warps(o) == 16);
    CHECK(percent(gpu, o) == Approx(33.33).margin(0.01));
    CHECK(o.registers_per_warp == 1088);  // 1056 in units of 64
    CHECK(o.registers_per_block == 17408);
  }
}

TEST_CASE("O5, 8.0 section 5.2.3.1: the sample's blocks of 32 threads are limited by block slots", "[core]") {
  for (const char* gpu : {"gtx480", "gtx560ti"}) {
    CHECK(percent(gpu, occupancy(gpu, {32, 10, 0})) == Approx(16.67).margin(0.01));
  }
  for (const char* gpu : {"gtx680", "tegrak1", "k40", "k80"}) {
    CHECK(percent(gpu, occupancy(gpu, {32, 10, 0})) == 25);
  }
  for (const char* gpu : {"gtx750ti", "gtx980", "tegrax1", "p100", "gtx1080", "tegrax2"}) {
    const Occupancy o = occupancy(gpu, {32, 10, 0});
    CHECK(percent(gpu, o) == 50);
    CHECK(o.limiters == std::vector{OccupancyLimiter::kBlocks});
  }
}

TEST_CASE("O6, 4.2 section 3.2.3 with section 4.2: the tiled matrix product, 256 threads and 2048 bytes", "[core]") {
  for (const char* gpu : {"geforce8800gtx", "geforce9800gtx"}) {
    const Occupancy o = occupancy(gpu, {256, 16, 2048});
    CHECK(o.blocks_per_sm == 2);
    CHECK(percent(gpu, o) == Approx(66.67).margin(0.01));
  }
  for (const char* gpu : {"gt240", "gtx280"}) {
    const Occupancy o = occupancy(gpu, {256, 20, 2048});
    CHECK(o.blocks_per_sm == 3);
    CHECK(percent(gpu, o) == 75);
  }
  CHECK(occupancy("gtx480", {256, 20, 2048}).blocks_per_sm == 6);
  CHECK(percent("gtx480", occupancy("gtx480", {256, 20, 2048})) == 100);
  CHECK(occupancy("gtx680", {256, 20, 2048}).blocks_per_sm == 8);
  CHECK(percent("gtx680", occupancy("gtx680", {256, 20, 2048})) == 100);
}

TEST_CASE("O7, 8.0 section B.20: launch bounds of 512 threads and 3 blocks allow 20 registers on 2.x, 40 on 3.0",
          "[core]") {
  CHECK(register_ceiling("gtx480", 512, 3) == 20);
  CHECK(occupancy("gtx480", {512, 21, 0}).blocks_per_sm == 2);
  CHECK(register_ceiling("gtx680", 512, 3) == 40);
}

TEST_CASE("O8, 4.2 section 4.2: on 3.0 the 33rd register costs one of four blocks of 512 threads", "[core]") {
  const Occupancy full = occupancy("gtx680", {512, 32, 0});
  CHECK(full.blocks_per_sm == 4);
  CHECK(percent("gtx680", full) == 100);
  CHECK(full.registers_per_block == 16384);
  const Occupancy less = occupancy("gtx680", {512, 33, 0});
  CHECK(less.blocks_per_sm == 3);
  CHECK(percent("gtx680", less) == 75);
  CHECK(less.registers_per_block == 20480);
}

// A Chinese edition of the later guide rounds the quotient to the nearest whole number. Taken: up.
TEST_CASE("O9, 8.0 section 4.2: warps of a block are its threads by 32, rounded up", "[core]") {
  const std::pair<std::uint32_t, std::uint32_t> expected[] = {{1, 1}, {32, 1}, {33, 2}, {256, 8}, {1000, 32}};
  for (const auto& [threads, warps] : expected) {
    CHECK(occupancy("gtx480", {threads, 16, 0}).warps_per_block == warps);
  }
}

TEST_CASE("O10, 8.0 section G.4.1: on 3.7 two blocks of 48 KB are resident, and none of 49 KB", "[core]") {
  const Occupancy o = occupancy("k80", {64, 16, 48 * 1024});
  CHECK(o.blocks_per_sm == 2);
  CHECK(o.limiters == std::vector{OccupancyLimiter::kShared});
  CHECK(o.carveout_bytes == 112 * 1024);
  CHECK(occupancy("k80", {64, 16, 49 * 1024}).blocks_per_sm == 0);
}

TEST_CASE("O11, 8.0 section 5.2.3: a double takes two registers", "[core]") {
  const auto destination_registers = [](const char* opcode) {
    StaticInstruction instruction;
    REQUIRE(classify(opcode, 61, instruction));
    return operand_widths(opcode, instruction).destination;
  };
  CHECK(destination_registers("DADD") == 2);
  CHECK(destination_registers("FADD") == 1);
}

// The 1.x guide's rule of thumb, registers / (blocks * threads rounded up to 32), gives 10 for all five. It has no
// allocation unit; by that of 4.2 section 4.2 (warps in pairs) blocks of three warps take as much as of four, so that
// eight blocks of 96 threads can only have 8 registers. Taken: 4.2, like NVIDIA's calculator.
TEST_CASE("G14, 1.x section 5.2: registers of a thread when 768 threads are resident", "[core]") {
  CHECK(register_ceiling("geforce8800gtx", 96, 8) == 8);
  CHECK(register_ceiling("geforce8800gtx", 128, 6) == 10);
  CHECK(register_ceiling("geforce8800gtx", 192, 4) == 10);
  CHECK(register_ceiling("geforce8800gtx", 256, 3) == 10);
  CHECK(register_ceiling("geforce8800gtx", 384, 2) == 10);
}

TEST_CASE("G15, 1.x section 5.2: registers and occupancy of one, two and three blocks of 256 threads", "[core]") {
  struct Row {
    std::uint32_t blocks, registers;
    double percent;
  };
  for (const Row& row : {Row{1, 32, 33.33}, Row{2, 16, 66.67}, Row{3, 10, 100}}) {
    CHECK(register_ceiling("geforce8800gtx", 256, row.blocks) == row.registers);
    const Occupancy o = occupancy("geforce8800gtx", {256, row.registers, 0});
    CHECK(percent("geforce8800gtx", o) == Approx(row.percent).margin(0.01));
  }
}

TEST_CASE("G16, 1.x section 5.2: 16 registers fill two thirds with the smallest and with the largest blocks",
          "[core]") {
  for (const auto& [threads, blocks] : {std::pair{64U, 8U}, std::pair{512U, 1U}}) {
    CHECK(register_ceiling("geforce8800gtx", threads, blocks) == 16);
    const Occupancy o = occupancy("geforce8800gtx", {threads, 16, 0});
    CHECK(o.blocks_per_sm == blocks);
    CHECK(percent("geforce8800gtx", o) == Approx(66.67).margin(0.01));
  }
}

TEST_CASE("G17, 1.x section 5.2: blocks of 100 threads count as 128", "[core]") {
  CHECK(register_ceiling("geforce8800gtx", 100, 6) == 10);
  const Occupancy o = occupancy("geforce8800gtx", {100, 10, 0});
  CHECK(o.blocks_per_sm == 6);
  CHECK(resident_warps(o) == 24);
}

// The guide says 6.x. On 6.2 a block has at most 32 K registers (8.0 table 13), so 65 registers cannot run.
TEST_CASE("G18, 12 section 6.2.3: on 6.x the 65th register costs one of two blocks of 512 threads", "[core]") {
  for (const char* gpu : {"p100", "gtx1080", "tegrax2"}) {
    const Occupancy o = occupancy(gpu, {512, 64, 0});
    CHECK(o.blocks_per_sm == 2);
    CHECK(resident_warps(o) == 32);
    CHECK(o.blocks_per_sm * o.registers_per_block == 65536);
  }
  for (const char* gpu : {"p100", "gtx1080"}) {
    const Occupancy o = occupancy(gpu, {512, 65, 0});
    CHECK(o.blocks_per_sm == 1);
    CHECK(resident_warps(o) == 16);
  }
  CHECK(occupancy("tegrax2", {512, 65, 0}).blocks_per_sm == 0);
}

TEST_CASE("G49, 11 section B.35: launch bounds by architecture, 512 by 3 from 2.0 on and 256 by 2 before", "[core]") {
  for (const char* gpu : {"gtx480", "gtx680", "gtx980", "p100", "v100", "a100"}) {
    const std::uint32_t registers = register_ceiling(gpu, 512, 3);
    CHECK(occupancy(gpu, {512, registers, 0}).blocks_per_sm * 512 >= 1536);
  }
  CHECK(register_ceiling("geforce8800gtx", 256, 2) == 16);  // 8192 by 512
  CHECK(occupancy("geforce8800gtx", {256, 16, 0}).blocks_per_sm * 256 == 512);
}

}  // namespace
}  // namespace warpsim::test
