#include "core/sm/warpgroup_config.h"

#include <catch2/catch.hpp>
#include <string>

#include "isa/sass_decode.h"

namespace warpsim {
namespace {

// As measured on an H200.
WarpgroupTiming timing(const std::string& sass) {
  WarpgroupConfig config;
  config.bit_macs_per_cycle = 8192;
  config.shared_bytes_per_cycle = 128;
  config.register_a_cycles = 13;
  config.latency_cycles = 32;
  config.integer_latency_cycles = 30;
  config.shared_a_cycles = 10;
  config.queue_release_cycles = 18;
  std::vector<std::string> opcodes;
  StaticInstruction instruction;
  decode_sass(sass, 90, opcodes, instruction);
  return warpgroup_timing(config, instruction);
}

TEST_CASE("A warpgroup operation takes half a cycle per column, or its operands at 128 bytes per cycle") {
  // A of 2048 bytes and B of 32 per column: 16 + N/4 cycles.
  CHECK(timing("HGMMA.64x8x16.F32.BF16 R24, gdesc[UR4], R24, UP0").interval_cycles == 18);
  CHECK(timing("HGMMA.64x48x16.F32.BF16 R24, gdesc[UR4].tnspA, R24, UP0, gsb0").interval_cycles == 28);
  CHECK(timing("HGMMA.64x64x16.F32.BF16 R24, gdesc[UR4], R24, UP0").interval_cycles == 32);
  CHECK(timing("HGMMA.64x96x16.F32.BF16 R24, gdesc[UR4], R24, UP0").interval_cycles == 48);
  CHECK(timing("HGMMA.64x256x16.F16 R24, gdesc[UR4], R24, UP0").interval_cycles == 128);
}

TEST_CASE("With A in registers only B comes from shared memory, and thirteen cycles are the minimum") {
  CHECK(timing("HGMMA.64x16x16.F32.BF16 R24, R56, gdesc[UR4], R24, UP0").interval_cycles == 13);
  CHECK(timing("HGMMA.64x32x16.F32.BF16 R24, R56, gdesc[UR4], R24, UP0").interval_cycles == 16);
  CHECK(timing("HGMMA.64x32x16.F32.BF16 R24, R56, gdesc[UR4], R24, UP0").shared_wavefronts == 8);
}

TEST_CASE("Narrower types multiply more in the same time") {
  for (const char* opcode : {"HGMMA.64x128x8.F32.TF32", "QGMMA.64x128x32.F32.E4M3.E4M3", "IGMMA.64x128x32.S8.S8"}) {
    INFO(opcode);
    const WarpgroupTiming t = timing(std::string(opcode) + " R24, gdesc[UR4], R24, UP0");
    CHECK(t.interval_cycles == 64);
    CHECK(t.shared_wavefronts == 48);
  }
}

TEST_CASE("Latency is that of products and pipeline, shorter for integers and with A in registers") {
  CHECK(timing("HGMMA.64x64x16.F32.BF16 R24, gdesc[UR4], R24, UP0").latency_cycles == 32 + 10 + 32);
  CHECK(timing("HGMMA.64x64x16.F32.BF16 R24, R56, gdesc[UR4], R24, UP0").latency_cycles == 32 + 32);
  CHECK(timing("IGMMA.64x64x32.S8.S8 R24, gdesc[UR4], R24, UP0").latency_cycles == 30 + 10 + 32);
  CHECK(timing("HGMMA.64x64x16.F32.BF16 R24, gdesc[UR4], R24, UP0").release_cycles == 28);
  CHECK(timing("HGMMA.64x64x16.F32.BF16 R24, R56, gdesc[UR4], R24, UP0").release_cycles == 18);
}

}  // namespace
}  // namespace warpsim
