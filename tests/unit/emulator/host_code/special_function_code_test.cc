// The special function unit in code translated to the host's instructions: execute_ptx() compares each result with that
// of the handlers, whose results are those of hardware (tests/unit/emulator/numbers).
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "support/ptx_grid.h"
#if defined(__x86_64__)
#include "emulator/code/kernel_image.h"
#include "emulator/host_code/x86/interpolation_code.h"
#endif

namespace warpsim::test {
namespace {

constexpr std::uint32_t kRounds = 400;

struct Range {
  std::string instruction;  // of %f1 and %f2
  float least;
  float most;
};

const std::vector<Range> kRanges = {
    {"rcp.approx.ftz.f32 %f1, %f2", 0x1p-126F, 0x1p126F},
    {"rcp.approx.f32 %f1, %f2", -0x1p126F, -0x1p-126F},
    {"sqrt.approx.ftz.f32 %f1, %f2", 0x1p-126F, 0x1.fffffep127F},
    {"rsqrt.approx.ftz.f32 %f1, %f2", 0x1p-126F, 0x1.fffffep127F},
    {"rsqrt.approx.f32 %f1, %f2", 0.25F, 4.0F},
    {"lg2.approx.ftz.f32 %f1, %f2", 0x1p-126F, 0x1.fffffep127F},
    {"lg2.approx.f32 %f1, %f2", 0.9F, 1.1F},
    {"ex2.approx.ftz.f32 %f1, %f2", -125.9F, 125.9F},
    {"ex2.approx.f32 %f1, %f2", -3.0F, 3.0F},
    {"sass.sin %f1, %f2", -63.0F, 63.0F},
    {"sass.sin %f1, %f2", -0x1p-20F, 0x1p-20F},
    {"sass.cos %f1, %f2", -63.0F, 63.0F},
    {"sass.cos %f1, %f2", -1.0F, 1.0F},
};

// Every lane has one usual source after the other; its own word collects the bits of all results.
PtxGrid grid_of(const std::string& instruction, const std::vector<std::uint32_t>& sources) {
  return {.body =
              "mul.wide.u32 %q1, %t, 4;\nadd.u64 %q1, %q1, %in;\nmov.u32 %r1, 0;\nmov.u32 %r3, 0;\nagain:\n"
              "ld.global.f32 %f2, [%q1];\n" +
              instruction +
              ";\nmov.b32 %r2, %f1;\nmad.lo.u32 %r3, %r3, 31, %r2;\nadd.u64 %q1, %q1, 128;\n"
              "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, " +
              std::to_string(sources.size() / kWarpSize) + ";\n@%p1 bra again;\nst.global.u32 [%own], %r3;",
          .input = sources};
}

TEST_CASE("host code: special functions of usual sources have the bits of the handlers") {
  std::mt19937 random(5);
  for (const Range& range : kRanges) {
    INFO(range.instruction << " from " << range.least << " to " << range.most);
    std::vector<std::uint32_t> sources;
    // Even bits, and for ranges around 0 even numbers.
    const bool by_bits = range.least * range.most > 0;
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    for (std::uint32_t i = 0; i < kRounds * kWarpSize; ++i) {
      const double part = static_cast<double>(random()) / 0x1p32;
      if (by_bits) {
        const double first = bits(range.least);
        sources.push_back(static_cast<std::uint32_t>(first + part * (bits(range.most) - first)));
      } else {
        sources.push_back(bits(static_cast<float>(range.least + part * (range.most - range.least))));
      }
    }
    sources[5] = bits(range.least);
    sources[6] = bits(range.most);
    CHECK_NOTHROW(execute_ptx(grid_of(range.instruction, sources)));
  }
}

TEST_CASE("host code: special sources among usual ones have the results of the handlers") {
  const std::vector<float> special = {0.0F,       -0.0F,  HUGE_VALF, -HUGE_VALF, std::nanf(""),
                                      1.0F,       -1.0F,  0x1p-127F, 0x1p127F,   64.0F,
                                      -0x1p-149F, 127.0F, -127.5F,   -0x1p24F,   0.25F};
  for (const Range& range : kRanges) {
    INFO(range.instruction);
    std::vector<std::uint32_t> sources;
    for (std::uint32_t i = 0; i < special.size() * kWarpSize; ++i) {
      sources.push_back(std::bit_cast<std::uint32_t>(i % kWarpSize == i / kWarpSize ? special[i / kWarpSize] : 1.5F));
    }
    CHECK_NOTHROW(execute_ptx(grid_of(range.instruction, sources)));
  }
}

#if defined(__x86_64__)
TEST_CASE("host code: usual special functions need no call of a handler") {
  for (const Range& range : kRanges) {
    INFO(range.instruction);
    PreparedPtx prepared({.body = range.instruction + ";"});
    const FunctionCode& code = prepared.context.kernel->entry();
    HostEmitter emitter(code, HostLanes::kAll, 0);
    emitter.set_position(static_cast<std::uint32_t>(code.operations.size()) - 3, 0, 0);  // before two returns
    emitter.begin_operation();
    CHECK(emit_special_function(emitter));
  }
}
#endif

}  // namespace
}  // namespace warpsim::test
