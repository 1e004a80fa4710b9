// Accesses of whole warps to elements in order, or to one element, beside those that only look so.
#include "emulator/memory/line_access.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "support/ptx_launch.h"

namespace warpsim::test {
namespace {

constexpr std::uint32_t kLanes = 32;

struct Width {
  const char* modifiers;
  const char* registers;
  std::uint32_t bytes;
};
constexpr Width kWidths[] = {{"u8", "%r0", 1},
                             {"u16", "%r0", 2},
                             {"u32", "%r0", 4},
                             {"u64", "%rd0", 8},
                             {"v2.u32", "{%r0, %r1}", 8},
                             {"v2.u64", "{%rd0, %rd1}", 16},
                             {"v4.u8", "{%r0, %r1, %r2, %r3}", 4},
                             {"v4.u32", "{%r0, %r1, %r2, %r3}", 16},
                             {"v8.b32", "{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}", 32}};

// %rd6 and %rd7: addresses of a lane's element in the input and the output, which lane * stride bytes precede.
std::string addresses(std::uint32_t stride) {
  return fmt::format("cvt.u64.u32 %rd5, %t;\nmad.lo.u64 %rd6, %rd5, {0}, %in;\nmad.lo.u64 %rd7, %rd5, {0}, %out;\n",
                     stride);
}

TEST_CASE("a line of elements: all widths move in order, in global and shared memory") {
  for (const Width& width : kWidths) {
    const std::string through_shared = fmt::format(
        "cvta.shared.u64 %rd4, row;\nmad.lo.u64 %rd4, %rd5, {0}, %rd4;\nst.{1} [%rd4], {2};\n"
        "ld.{1} {2}, [%rd4];\n",
        width.bytes, width.modifiers, width.registers);
    for (const std::string& between : {std::string(), through_shared}) {
      CAPTURE(width.modifiers, between);
      PtxLaunch test(addresses(width.bytes) + fmt::format("ld.global.{0} {1}, [%rd6];\n{2}st.global.{0} [%rd7], {1};\n",
                                                          width.modifiers, width.registers, between),
                     ".shared .align 32 .b8 row[1024];");
      test.launch.block = {kLanes, 1, 1};
      std::vector<std::uint8_t> expected(PtxLaunch::kBytes, 0);
      for (std::uint32_t i = 0; i < PtxLaunch::kBytes; ++i) {
        test.set_input<std::uint8_t>(i, static_cast<std::uint8_t>(i * 7 + i / 256));
      }
      for (std::uint32_t i = 0; i < kLanes * width.bytes; ++i) {
        expected[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
      }
      test.run();
      CHECK(test.outputs<std::uint8_t>(PtxLaunch::kBytes) == expected);
    }
  }
}

TEST_CASE("a line of elements: all lanes read one element, and the last lane's store to one remains") {
  for (const Width& width : kWidths) {
    CAPTURE(width.modifiers);
    PtxLaunch test(addresses(width.bytes) + fmt::format("ld.global.{0} {1}, [%in+64];\nst.global.{0} [%rd7], {1};\n",
                                                        width.modifiers, width.registers));
    test.launch.block = {kLanes, 1, 1};
    for (std::uint32_t i = 0; i < width.bytes; ++i) {
      test.set_input<std::uint8_t>(64 + i, static_cast<std::uint8_t>(i + 1));
    }
    test.run();
    for (std::uint32_t i = 0; i < kLanes * width.bytes; ++i) {
      CHECK(test.output<std::uint8_t>(i) == i % width.bytes + 1);
    }
  }
  PtxLaunch stores("st.global.u32 [%out], %t;\n");
  stores.launch.block = {kLanes, 1, 1};
  stores.run();
  CHECK(stores.outputs<std::uint32_t>(2) == std::vector<std::uint32_t>{31, 0});
}

TEST_CASE("a line of elements: steps that differ from the width, and one lane beside the line") {
  for (const std::uint32_t step : {2U, 8U, 12U, 128U}) {
    PtxLaunch test(addresses(step * 4) +
                   "add.u32 %r0, %t, 1;\nst.global.u32 [%rd7], %r0;\nld.global.u32 %r1, [%rd7];\n"
                   "st.global.u32 [%rd7+4], %r1;\n");
    test.launch.block = {kLanes, 1, 1};
    if (step == 128) {
      CHECK_THAT(test.fault(), Catch::Contains("writes 4 bytes"));
      continue;
    }
    test.run();
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      CHECK(test.output<std::uint32_t>(lane * step) == lane + 1);
      CHECK(test.output<std::uint32_t>(lane * step + 1) == lane + 1);
    }
  }
  for (const std::uint32_t other : {2U, 16U, 31U}) {  // this lane reads the first element
    PtxLaunch test(addresses(4) + fmt::format("setp.eq.u32 %p0, %t, {};\nmov.u64 %rd4, %rd6;\n@%p0 mov.u64 %rd4, %in;\n"
                                              "ld.global.u32 %r0, [%rd4];\nst.global.u32 [%rd7], %r0;\n",
                                              other));
    test.launch.block = {kLanes, 1, 1};
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      test.set_input<std::uint32_t>(lane, 100 + lane);
    }
    test.run();
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      CHECK(test.output<std::uint32_t>(lane) == (lane == other ? 100 : 100 + lane));
    }
  }
}

TEST_CASE("a line of elements: it ends where its allocation ends") {
  const auto launch_at = [](std::uint32_t offset) {
    auto test = std::make_unique<PtxLaunch>(
        addresses(4) + fmt::format("ld.global.u32 %r0, [%rd6+{0}];\nst.global.u32 [%rd7+{0}], %r0;\n", offset));
    test->launch.block = {kLanes, 1, 1};
    return test;
  };
  constexpr std::uint32_t kLast = PtxLaunch::kBytes - 4 * kLanes;
  launch_at(kLast)->run();
  CHECK_THAT(launch_at(kLast + 4)->fault(), Catch::Contains("thread (31, 0, 0)") && Catch::Contains("reads 4 bytes"));
  CHECK_THAT(launch_at(2)->fault(), Catch::Contains("thread (0, 0, 0)") && Catch::Contains("not a multiple of 4"));
}

TEST_CASE("a line of elements: shared memory that one lane has not written, or that does not exist") {
  const auto launch = [](const std::string& body) {
    auto test =
        std::make_unique<PtxLaunch>("mov.u32 %r7, row;\nmad.lo.u32 %r6, %t, 4, %r7;\nsetp.ne.u32 %p0, %t, 20;\n" + body,
                                    ".shared .align 4 .b8 row[128];");
    test->launch.block = {kLanes, 1, 1};
    return test;
  };
  const auto missing = launch("@%p0 st.shared.u32 [%r6], %t;\nld.shared.u32 %r0, [%r6];\n");
  missing->run();
  REQUIRE(missing->warnings.size() == 1);
  CHECK_THAT(missing->warnings[0], Catch::Contains("thread (20, 0, 0)"));
  CHECK_THAT(launch("st.shared.u32 [%r6+4], %t;\n")->fault(), Catch::Contains("thread (31, 0, 0)"));
}

}  // namespace
}  // namespace warpsim::test
