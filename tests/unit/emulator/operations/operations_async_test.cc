// cp.async and operations on mbarriers.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "ptx/ptx_error.h"
#include "support/ptx_launch.h"

namespace warpsim::test {
namespace {

using Values = std::vector<std::uint32_t>;

const std::string kWait = "cp.async.commit_group;\ncp.async.wait_group 0;\n";
const std::string kBarrier = ".shared .align 8 .b64 barrier;\n";

// The 16 bytes of shared memory after copies from %in, with ones before; the input is 1, 2, 3, 4.
Values copied(const std::string& copies) {
  PtxLaunch test(
      ".shared .align 16 .b8 buffer[16];\nmov.b32 %r0, 0xffffffff;\n"
      "st.shared.v4.b32 [buffer], {%r0, %r0, %r0, %r0};\nmov.u32 %r1, buffer;\n" +
      copies + kWait +
      "ld.shared.v4.b32 {%r0, %r1, %r2, %r3}, [buffer];\nst.global.v4.b32 [%out], {%r0, %r1, %r2, %r3};");
  for (std::uint32_t i = 0; i < 4; ++i) {
    test.set_input<std::uint32_t>(i, i + 1);
  }
  test.run();
  return test.outputs<std::uint32_t>(4);
}

constexpr std::uint32_t kOnes = 0xffffffff;

TEST_CASE("asynchronous copies have 4, 8 or 16 bytes") {
  CHECK(copied("cp.async.ca.shared.global [%r1], [%in], 4;\n") == Values{1, kOnes, kOnes, kOnes});
  CHECK(copied("cp.async.ca.shared.global [%r1+8], [%in+8], 8;\n") == Values{kOnes, kOnes, 3, 4});
  CHECK(copied("cp.async.cg.shared.global [%r1], [%in], 16;\n") == Values{1, 2, 3, 4});
  CHECK(copied("cp.async.cg.shared::cta.global.L2::128B [%r1], [%in], 16;\n") == Values{1, 2, 3, 4});
  CHECK_THROWS_AS(copied("cp.async.ca.shared.global [%r1], [%in], 2;\n"), ptx::PtxError);
}

TEST_CASE("bytes that a copy does not read become zeros") {
  CHECK(copied("cp.async.ca.shared.global [%r1], [%in], 16, 8;\n") == Values{1, 2, 0, 0});
  CHECK(copied("mov.u32 %r2, 5;\ncp.async.ca.shared.global [%r1], [%in], 8, %r2;\n") == Values{1, 2, kOnes, kOnes});
  CHECK(copied("cp.async.cg.shared.global [%r1], [%in], 16, 0;\n") == Values{0, 0, 0, 0});
}

TEST_CASE("only the bytes that a copy reads must be allocated") {
  const std::string copy =
      ".shared .align 16 .b8 buffer[16];\nmov.u32 %r1, buffer;\nmov.u64 %rd0, words;\n"
      "cp.async.cg.shared.global [%r1], [%rd0], 16, ";
  PtxLaunch test(copy +
                     "8;\nld.shared.v4.b32 {%r0, %r1, %r2, %r3}, [buffer];\n"
                     "st.global.v4.b32 [%out], {%r0, %r1, %r2, %r3};",
                 ".global .align 16 .u32 words[2] = {5, 6};");
  test.run();
  CHECK(test.outputs<std::uint32_t>(4) == Values{5, 6, 0, 0});
  PtxLaunch longer(copy + "9;", ".global .align 16 .u32 words[2] = {5, 6};");
  CHECK_THAT(longer.fault(), Catch::StartsWith("test.ptx:5: "));
}

TEST_CASE("a copy whose source is ignored writes zeros") {
  CHECK(copied("setp.eq.u32 %p0, %t, 0;\ncp.async.ca.shared.global [%r1], [%in], 8, %p0;\n") ==
        Values{0, 0, kOnes, kOnes});
  CHECK(copied("setp.ne.u32 %p0, %t, 0;\ncp.async.ca.shared.global [%r1], [%in], 8, %p0;\n") ==
        Values{1, 2, kOnes, kOnes});
}

TEST_CASE("a copy that reads nothing may have any source, others may not") {
  CHECK(copied("mov.u64 %rd0, 0;\ncp.async.ca.shared.global [%r1], [%rd0], 4, 0;\n") == Values{0, kOnes, kOnes, kOnes});
  PtxLaunch source(
      ".shared .align 16 .b8 buffer[16];\nmov.u32 %r1, buffer;\ncp.async.ca.shared.global [%r1], [16], 4;");
  CHECK_THAT(source.fault(), Catch::Contains("test.ptx:4: ") && Catch::Contains("reads 4 bytes at 0x10"));
  PtxLaunch target("mov.u32 %r1, 0;\ncp.async.ca.shared.global [%r1], [%in], 4;");
  CHECK_THAT(target.fault(), Catch::Contains("writes 4 bytes at 0x0 of shared memory, which has 0 bytes"));
}

TEST_CASE("bytes that a copy has written are not reported as uninitialised") {
  PtxLaunch test(
      ".shared .align 16 .b8 buffer[16];\nmov.u32 %r1, buffer;\ncp.async.cg.shared.global [%r1], [%in], 16;\n" + kWait +
      "ld.shared.b32 %r0, [buffer+12];");
  test.run();
  CHECK(test.warnings.empty());
}

// --- mbarriers ---

// Whether the phase with parity 0 has ended after these instructions.
bool ended(const std::string& steps, std::uint32_t threads = 1) {
  PtxLaunch test(kBarrier + "setp.eq.u32 %p1, %t, 0;\n" + steps +
                 "bar.sync 0;\nmbarrier.test_wait.parity.shared.b64 %p0, [barrier], 0;\n"
                 "selp.u32 %r0, 1, 0, %p0;\nst.global.u32 [%out], %r0;");
  test.launch.block = {threads, 1, 1};
  test.run();
  return test.output<std::uint32_t>(0) != 0;
}

std::string initialised(std::uint32_t count) {
  return fmt::format("@%p1 mbarrier.init.shared.b64 [barrier], {};\nbar.sync 0;\n", count);
}

TEST_CASE("a phase of an mbarrier ends with the last of the arrivals that it expects") {
  const std::string arrive = "mbarrier.arrive.shared.b64 %rd0, [barrier];\n";
  CHECK_FALSE(ended(initialised(1)));
  CHECK(ended(initialised(1) + arrive));
  CHECK_FALSE(ended(initialised(2) + arrive));
  CHECK(ended(initialised(2) + arrive + arrive));
  CHECK_FALSE(ended(initialised(41) + arrive, 40));
  CHECK(ended(initialised(40) + arrive, 40));
  CHECK(ended(initialised(5) + "mbarrier.arrive.release.cta.shared::cta.b64 _, [barrier], 5;\n"));
}

TEST_CASE("the tested parity is that of a phase, not a count since initialisation") {
  PtxLaunch test(kBarrier +
                 "mbarrier.init.shared.b64 [barrier], 1;\n"
                 "mbarrier.test_wait.parity.shared.b64 %p0, [barrier], 1;\n"  // the phase before the first
                 "mbarrier.arrive.shared.b64 %rd0, [barrier];\n"
                 "mbarrier.test_wait.parity.shared.b64 %p1, [barrier], 0;\n"
                 "mbarrier.try_wait.parity.shared.b64 %p2, [barrier], 1;\n"
                 "mbarrier.arrive.shared.b64 %rd1, [barrier];\n"
                 "mbarrier.try_wait.parity.shared.b64 %p3, [barrier], 1, 1000;\n"
                 "mbarrier.test_wait.shared.b64 %p4, [barrier], %rd1;\n"
                 "mbarrier.arrive.shared.b64 %rd2, [barrier];\n"
                 "mbarrier.init.shared.b64 [barrier], 2;\n"
                 "mbarrier.arrive.shared.b64 %rd2, [barrier];\n"
                 "mbarrier.test_wait.shared.b64 %p5, [barrier], %rd2;\n"
                 "mov.u32 %r0, 0;\n"
                 "@%p0 or.b32 %r0, %r0, 1;\n@%p1 or.b32 %r0, %r0, 2;\n@%p2 or.b32 %r0, %r0, 4;\n"
                 "@%p3 or.b32 %r0, %r0, 8;\n@%p4 or.b32 %r0, %r0, 16;\n@%p5 or.b32 %r0, %r0, 32;\n"
                 "st.global.u32 [%out], %r0;");
  test.run();
  CHECK(test.output<std::uint32_t>(0) == 1 + 2 + 8 + 16);
}

TEST_CASE("a state contains the number of outstanding arrivals") {
  PtxLaunch test(kBarrier +
                 "mbarrier.init.shared.b64 [barrier], 3;\nmbarrier.arrive.shared.b64 %rd0, [barrier];\n"
                 "mbarrier.arrive.shared.b64 %rd1, [barrier];\n"
                 "mbarrier.pending_count.b64 %r0, %rd0;\nmbarrier.pending_count.b64 %r1, %rd1;\n"
                 "st.global.v2.u32 [%out], {%r0, %r1};");
  test.run();
  CHECK(test.outputs<std::uint32_t>(2) == Values{3, 2});
}

TEST_CASE("a thread that drops is no longer expected in the next phase") {
  const std::string drop = initialised(2) + "mbarrier.arrive_drop.shared.b64 %rd0, [barrier];\n";
  const std::string arrive = "mbarrier.arrive.shared.b64 %rd0, [barrier];\n";
  CHECK_FALSE(ended(drop));
  CHECK(ended(drop + arrive));
  CHECK_FALSE(ended(drop + arrive + arrive));  // the second phase needed only one: parity is 0 again
}

TEST_CASE("a phase waits for the bytes that it expects") {
  const std::string expect = initialised(1) + "mbarrier.arrive.expect_tx.shared.b64 %rd0, [barrier], 96;\n";
  const std::string complete = "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [barrier], ";
  CHECK_FALSE(ended(expect));
  CHECK_FALSE(ended(expect + complete + "95;\n"));
  CHECK(ended(expect + complete + "95;\n" + complete + "1;\n"));
  CHECK(ended(initialised(1) + "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [barrier], 8;\n" + complete + "8;\n" +
              "mbarrier.arrive.shared.b64 %rd0, [barrier];\n"));
}

TEST_CASE("copies arrive at an mbarrier, and count as expected arrivals only if requested") {
  CHECK(ended(initialised(1) + "cp.async.mbarrier.arrive.noinc.shared.b64 [barrier];\n"));
  CHECK_FALSE(ended(initialised(1) + "cp.async.mbarrier.arrive.shared.b64 [barrier];\n"));
}

TEST_CASE("threads wait at an mbarrier for another warp") {
  PtxLaunch test(kBarrier + ".shared .u32 word;\nsetp.eq.u32 %p1, %t, 0;\n" + initialised(1) +
                 "setp.eq.u32 %p2, %t, 32;\n@!%p2 bra wait;\n"
                 "mov.u32 %r0, 77;\nst.shared.u32 [word], %r0;\nmbarrier.arrive.shared.b64 %rd0, [barrier];\n"
                 "wait:\nmbarrier.try_wait.parity.shared.b64 %p0, [barrier], 0;\n@!%p0 bra wait;\n"
                 "ld.shared.u32 %r1, [word];\nmul.wide.u32 %rd1, %t, 4;\nadd.u64 %rd1, %rd1, %out;\n"
                 "st.global.u32 [%rd1], %r1;");
  test.launch.block = {64, 1, 1};
  test.run();
  CHECK(test.outputs<std::uint32_t>(64) == Values(64, 77));
  CHECK(test.warnings.empty());
}

TEST_CASE("another block of the cluster arrives at an mbarrier") {
  PtxLaunch test(kBarrier +
                 "mov.u32 %r0, %cluster_ctarank;\nsetp.eq.u32 %p1, %r0, 0;\n"
                 "@%p1 mbarrier.init.shared.b64 [barrier], 1;\n"
                 "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
                 "mov.u32 %r1, barrier;\nmapa.shared::cluster.u32 %r1, %r1, 0;\n"
                 "@!%p1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r1];\n"
                 "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
                 "@!%p1 bra past;\nmbarrier.test_wait.parity.shared.b64 %p0, [barrier], 0;\n"
                 "selp.u32 %r0, 1, 0, %p0;\nst.global.u32 [%out], %r0;\npast:");
  test.launch.grid = {2, 1, 1};
  test.launch.cluster = {2, 1, 1};
  test.run();
  CHECK(test.output<std::uint32_t>(0) == 1);
}

TEST_CASE("more arrivals than an mbarrier expects are a fault") {
  PtxLaunch test(kBarrier + "mbarrier.init.shared.b64 [barrier], 2;\nmbarrier.arrive.shared.b64 %rd0, [barrier], 3;");
  CHECK_THAT(test.fault(),
             Catch::StartsWith("test.ptx:4: ") && Catch::EndsWith("more arrivals at an mbarrier than it expects"));
}

TEST_CASE("an mbarrier expects at least one arrival and as many as its object can count") {
  PtxLaunch most(kBarrier + "mbarrier.init.shared.b64 [barrier], 1048575;");
  CHECK_NOTHROW(most.run());
  for (const std::string count : {"0", "1048576"}) {
    PtxLaunch test(kBarrier + "mbarrier.init.shared.b64 [barrier], " + count + ";");
    CHECK_THAT(test.fault(), Catch::EndsWith("an mbarrier expects 1 to 1048575 arrivals, not " + count));
  }
}

TEST_CASE("an uninitialised mbarrier is reported as uninitialised memory") {
  PtxLaunch test(kBarrier + "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [barrier], 8;");
  test.run();
  REQUIRE(test.warnings.size() == 1);
  CHECK(test.warning_lines[0] == 3);
}

}  // namespace
}  // namespace warpsim::test
