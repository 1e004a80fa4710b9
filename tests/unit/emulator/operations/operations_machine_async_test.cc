// Operations of machine code on barriers in shared memory, and on lanes that differ from others.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "support/ptx_launch.h"

namespace warpsim::test {
namespace {

// Two words of output for each of 32 threads. %t: a thread's number, %at: its place in the output, %b: four barriers.
std::vector<std::uint32_t> pairs_of(const std::string& body) {
  PtxLaunch test(
      ".shared .align 8 .b64 barriers[4];\n.reg .b64 %at;\n.reg .b32 %b;\nmov.u32 %t, %tid.x;\n"
      "mul.wide.u32 %at, %t, 8;\nadd.u64 %at, %at, %out;\nmov.u32 %b, barriers;\n" +
      body);
  test.launch.block = {32, 1, 1};
  test.run();
  return test.outputs<std::uint32_t>(64);
}

TEST_CASE("machine code: lanes that arrive at a barrier as a group see it as it was before them", "[machine_code]") {
  // Threads at two barriers of 40 arrivals; each arrives twice.
  const std::vector<std::uint32_t> out = pairs_of(
      "and.b32 %r1, %t, 1;\nshl.b32 %r1, %r1, 3;\nadd.u32 %r2, %b, %r1;\nsetp.lt.u32 %p1, %t, 2;\n"
      "@%p1 mbarrier.init.shared.b64 [%r2], 40;\nbar.warp.sync 0xffffffff;\n"
      "sass.arrivegroup %rd1, [%r2], 2;\nst.global.u64 [%at], %rd1;\nbar.warp.sync 0xffffffff;\n"
      "mbarrier.arrive.shared.b64 %rd2, [%r2];\nmbarrier.pending_count.b64 %r5, %rd2;\n"
      "@%p1 st.global.u32 [%at+128], %r5;\n");
  CHECK(out[0] == 0x55555555);
  CHECK(out[1] == (0x100000U - 40) << 11U);
  CHECK(out[31] == (0x100000U - 40) << 11U);
  CHECK(out[2 * 3] == 0xaaaaaaaa);
  // Before the first of the later arrivals: 16 threads with 2 arrivals each.
  CHECK(out[32] == 40 - 32);
}

TEST_CASE("machine code: barriers of 8.0 count up to a carry, which begins the next phase", "[machine_code]") {
  // 33 arrivals: each thread one, then the first thread another two.
  const std::vector<std::uint32_t> out = pairs_of(
      "setp.eq.u32 %p1, %t, 0;\nmov.b64 %rd1, {0x3fffffdf, 0x7fffffdf};\n@%p1 st.shared.b64 [%b], %rd1;\n"
      "bar.warp.sync 0xffffffff;\nsass.arrivecopied %rd2, [%b];\nst.global.u64 [%at], %rd2;\n"
      "bar.warp.sync 0xffffffff;\n@%p1 sass.arrivecopied _, [%b];\nld.shared.b64 %rd3, [%b];\n"
      "@%p1 st.global.u64 [%at+8], %rd3;\n@%p1 sass.arrivecopied _, [%b];\nld.shared.b64 %rd3, [%b];\n"
      "@%p1 st.global.u64 [%at+16], %rd3;\n");
  CHECK(out[0] == 0x3fffffdf);
  CHECK(out[1] == 0x7fffffdf);
  CHECK(out[2 * 31 + 1] == 0x7fffffdf + 31);
  CHECK(out[3] == (0x80000000U | 0x7fffffdfU));  // the second phase: all 33 are to come
  CHECK(out[5] == (0x80000000U | 0x7fffffe0U));
}

TEST_CASE("machine code: copies complete what a barrier expects of them", "[machine_code]") {
  const std::vector<std::uint32_t> out = pairs_of(
      "setp.eq.u32 %p1, %t, 0;\n@%p1 mbarrier.init.shared.b64 [%b], 1;\nbar.warp.sync 0xffffffff;\n"
      "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%b], 1;\nbar.warp.sync 0xffffffff;\n"
      "@%p1 mbarrier.arrive.shared.b64 %rd1, [%b];\nbar.warp.sync 0xffffffff;\n"
      "mbarrier.test_wait.parity.shared.b64 %p2, [%b], 0;\nselp.u32 %r1, 1, 0, %p2;\nbar.warp.sync 0xffffffff;\n"
      "sass.completecopied [%b], 1;\nbar.warp.sync 0xffffffff;\n"
      "mbarrier.test_wait.parity.shared.b64 %p2, [%b], 0;\nselp.u32 %r2, 1, 0, %p2;\n"
      "st.global.u32 [%at], %r1;\nst.global.u32 [%at+4], %r2;\n");
  CHECK(out[0] == 0);
  CHECK(out[1] == 1);
}

TEST_CASE("machine code: an exchange replaces a barrier and returns the one before", "[machine_code]") {
  const std::vector<std::uint32_t> out = pairs_of(
      "setp.eq.u32 %p1, %t, 0;\nmov.b64 %rd1, 0x123456789a;\n@%p1 st.shared.b64 [%b], %rd1;\nmov.b64 %rd2, 7;\n"
      "@%p1 sass.exchbar %rd3, [%b], %rd2;\nld.shared.b64 %rd4, [%b];\n@%p1 st.global.u64 [%at], %rd3;\n"
      "@%p1 st.global.u64 [%at+8], %rd4;\n");
  CHECK(out[0] == 0x3456789a);
  CHECK(out[1] == 0x12);
  CHECK(out[2] == 7);
}

TEST_CASE("machine code: a move to a uniform register names the lanes with other values", "[machine_code]") {
  // Threads 0 to 7 are not among them; the value is that of thread 8.
  const std::vector<std::uint32_t> out = pairs_of(
      "shr.u32 %r1, %t, 2;\nsetp.gt.u32 %p1, %t, 7;\nsetp.eq.u32 %p2, %t, 9;\nsetp.eq.u32 %p3, %t, 9;\n"
      "@%p1 sass.r2urdiff %r2, %p2, %r1;\n@%p1 sass.r2urdiff.or %r3, %p3, %r1;\n"
      "selp.u32 %r4, 1, 0, %p2;\nselp.u32 %r5, 2, 0, %p3;\nor.b32 %r4, %r4, %r5;\n"
      "st.global.u32 [%at], %r2;\nst.global.u32 [%at+4], %r4;\n");
  CHECK(out[0] == 2);
  CHECK(out[1] == 0);
  CHECK(out[2 * 8 + 1] == 0);
  CHECK(out[2 * 9 + 1] == 2);  // it has the second predicate from before
  CHECK(out[2 * 12 + 1] == 3);
}

TEST_CASE("machine code: one of the lanes for which a predicate holds is elected", "[machine_code]") {
  const std::vector<std::uint32_t> out = pairs_of(
      "setp.gt.u32 %p1, %t, 4;\nsetp.gt.u32 %p2, %t, 9;\nsetp.eq.u32 %p3, %t, 3;\nmov.u32 %r1, 99;\n"
      "@%p1 sass.elect %p3, %r1, %p2;\nselp.u32 %r2, 1, 0, %p3;\nst.global.u32 [%at], %r1;\n"
      "st.global.u32 [%at+4], %r2;\n");
  CHECK(out[0] == 10);         // for the whole warp
  CHECK(out[2 * 3 + 1] == 1);  // not executing: as before
  CHECK(out[2 * 5 + 1] == 0);
  CHECK(out[2 * 10 + 1] == 1);
  CHECK(out[2 * 11 + 1] == 0);
}

}  // namespace
}  // namespace warpsim::test
