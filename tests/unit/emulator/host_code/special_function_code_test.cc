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
#include "emulator/host_code/x86/forms.h"
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

// Bytes and halves of words: rows, one element, backwards, anywhere; of global and of shared memory.
TEST_CASE("host code: narrow elements are loaded and stored as by the handlers") {
  std::vector<std::uint32_t> input;
  for (std::uint32_t i = 0; i < 1024; ++i) {
    input.push_back(i * 2654435761U);
  }
  for (const char* const type : {"u8", "s8", "u16", "s16"}) {
    const std::uint32_t bytes = type[1] == '8' ? 1 : 2;
    for (const char* const index : {"mov.u32 %r1, %t;", "mov.u32 %r1, 9;", "sub.u32 %r1, 99, %t;",
                                    "mul.lo.u32 %r1, %t, 3;", "shr.u32 %r1, %t, 2;"}) {
      for (const char* const guard : {"", "@%p3 "}) {
        INFO(type << " " << index << " " << guard);
        const std::string scale = std::to_string(bytes);
        const std::string body =
            std::string(index) + "\nmul.lo.u32 %r1, %r1, " + scale +
            ";\nand.b32 %r9, %t, 3;\nsetp.ne.u32 %p3, %r9, 1;\ncvt.u64.u32 %q1, %r1;\nadd.u64 %q2, %q1, %in;\n"
            "add.u64 %q3, %q1, %out;\nmov.u32 %r2, 0;\nmov.u32 %r4, 0;\nmov.u32 %r3, 17;\nmov.u32 %r6, words;\n"
            "add.u32 %r6, %r6, %r1;\nst.shared.u32 [words], 5;\nagain:\n" +
            guard + "ld.global." + type + " %r3, [%q2];\n" + guard + "st.shared." + type + " [%r6], %r3;\n" + guard +
            "ld.shared." + type + " %r7, [%r6];\nmad.lo.u32 %r4, %r4, 7, %r7;\nadd.u32 %r3, %r4, %r2;\n" + guard +
            "st.global." + type + " [%q3], %r3;\nbar.sync 0;\nadd.u64 %q2, %q2, 64;\nadd.u32 %r2, %r2, 1;\n" +
            "setp.lt.u32 %p1, %r2, 30;\n@%p1 bra again;";
        CHECK_NOTHROW(execute_ptx(
            {.body = body, .before = ".shared .align 4 .b8 words[512];", .input = input, .output_words = 256}));
      }
    }
  }
}

TEST_CASE("host code: bytes are permuted by constants as by the handler") {
  for (const char* const selector : {"0x3210", "0x7654", "0x4321", "0x0000", "0x5140", "0x7777", "0x9210", "0x2763"}) {
    INFO(selector);
    CHECK_NOTHROW(execute_ptx({.body = "mul.lo.u32 %r1, %t, 2654435761;\nmad.lo.u32 %r2, %r1, 77, 5;\n"
                                       "prmt.b32 %r3, %r1, %r2, " +
                                       std::string(selector) + ";\nst.global.u32 [%own], %r3;"}));
  }
}

TEST_CASE("host code: minima and maxima order signed zeros and prefer numbers as the handlers do") {
  const std::vector<float> values = {0.0F,       -0.0F,     1.0F,       -1.0F,         0x1p-140F,
                                     -0x1p-140F, HUGE_VALF, -HUGE_VALF, std::nanf(""), 3.0F};
  for (const char* const operation : {"min.f32", "max.f32", "min.ftz.f32", "max.ftz.f32"}) {
    for (const std::size_t count : {values.size(), values.size() - 2}) {  // with and without a NaN
      std::vector<std::uint32_t> input;
      for (std::uint32_t i = 0; i < 2 * 128; ++i) {
        input.push_back(std::bit_cast<std::uint32_t>(values[(i < 128 ? i : (i - 128) / count) % count]));
      }
      INFO(operation);
      CHECK_NOTHROW(execute_ptx({.body = "mul.wide.u32 %q1, %t, 4;\nadd.u64 %q1, %q1, %in;\nld.global.f32 %f1, [%q1];\n"
                                         "ld.global.f32 %f2, [%q1+512];\n" +
                                         std::string(operation) + " %f3, %f1, %f2;\nst.global.f32 [%own], %f3;",
                                 .input = input,
                                 .block = {128, 1, 1}}));
    }
  }
}

}  // namespace
}  // namespace warpsim::test
