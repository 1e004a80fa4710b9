// Paths of a warp's threads that diverge and meet.
#include "emulator/execution/warp.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "emulator/execution/fault.h"
#include "support/ptx_grid.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

using Words = std::vector<std::uint32_t>;

Words each_lane(const std::function<std::uint32_t(std::uint32_t)>& value, std::uint32_t count = 32) {
  Words words;
  for (std::uint32_t lane = 0; lane < count; ++lane) {
    words.push_back(value(lane));
  }
  return words;
}

// For both kinds of scheduling: behaviour that does not depend on it.
void check_both(const std::string& body, const Words& expected, const std::string& before = "") {
  for (const bool independent : {false, true}) {
    INFO("independent threads: " << independent);
    CHECK(execute_ptx({.body = body, .before = before, .independent_threads = independent}) == expected);
  }
}

TEST_CASE("both sides of a branch execute, each for its threads, and all continue together") {
  check_both(
      "setp.lt.u32 %p1, %t, 10;\n@%p1 bra less;\nmov.u32 %r1, 2;\nactivemask.b32 %r2;\nbra join;\n"
      "less: mov.u32 %r1, 1;\nactivemask.b32 %r2;\n"
      "join: activemask.b32 %r3;\nadd.u32 %r1, %r1, %r2;\nxor.b32 %r1, %r1, %r3;\nst.global.u32 [%own], %r1;",
      each_lane([](std::uint32_t lane) { return (lane < 10 ? 1 + 0x3ffU : 2 + 0xfffffc00U) ^ 0xffffffffU; }));
}

TEST_CASE("nested branches meet from the inside out") {
  // Each thread records the mask in the innermost branch, then at the inner meeting, then at the outer one.
  const std::string body =
      "and.b32 %r1, %t, 1;\nand.b32 %r2, %t, 2;\nsetp.ne.u32 %p1, %r1, 0;\nsetp.ne.u32 %p2, %r2, 0;\n"
      "mov.u32 %r5, 0;\nmov.u32 %r6, 0;\n"
      "@!%p1 bra outer;\n@!%p2 bra inner;\nactivemask.b32 %r5;\ninner: activemask.b32 %r6;\n"
      "outer: activemask.b32 %r7;\nand.b32 %r5, %r5, 0xff;\nand.b32 %r6, %r6, 0xff;\nand.b32 %r7, %r7, 0xff;\n"
      "shl.b32 %r6, %r6, 8;\nshl.b32 %r7, %r7, 16;\nor.b32 %r5, %r5, %r6;\nor.b32 %r5, %r5, %r7;\n"
      "st.global.u32 [%own], %r5;";
  check_both(body, each_lane([](std::uint32_t lane) {
               return lane % 2 == 0 ? 0xff0000U : lane % 4 == 1 ? 0xffaa00U : 0xffaa88U;
             }));
}

TEST_CASE("threads leave a loop one after another and wait for the last after it") {
  check_both(
      "mov.u32 %r1, 0;\nmov.u32 %r2, 0;\nloop: add.u32 %r2, %r2, %r1;\nadd.u32 %r1, %r1, 1;\n"
      "setp.le.u32 %p1, %r1, %t;\n@%p1 bra loop;\n"
      "activemask.b32 %r3;\nsetp.ne.u32 %p2, %r3, 0xffffffff;\n@%p2 mov.u32 %r2, 0;\nst.global.u32 [%own], %r2;",
      each_lane([](std::uint32_t lane) { return lane * (lane + 1) / 2; }));
}

TEST_CASE("nested loops iterate as often as each thread requires") {
  // The sum over i <= t of i mod 3 iterations.
  check_both(
      "mov.u32 %r1, 0;\nmov.u32 %r4, 0;\nouter: rem.u32 %r2, %r1, 3;\n"
      "inner: setp.eq.u32 %p1, %r2, 0;\n@%p1 bra done;\nadd.u32 %r4, %r4, 1;\nsub.u32 %r2, %r2, 1;\nbra inner;\n"
      "done: add.u32 %r1, %r1, 1;\nsetp.le.u32 %p2, %r1, %t;\n@%p2 bra outer;\nst.global.u32 [%own], %r4;",
      each_lane([](std::uint32_t lane) {
        std::uint32_t sum = 0;
        for (std::uint32_t i = 0; i <= lane; ++i) {
          sum += i % 3;
        }
        return sum;
      }));
}

TEST_CASE("threads that end in a branch do not hold up the others") {
  check_both(
      "st.global.u32 [%own], 1;\nsetp.lt.u32 %p1, %t, 7;\n@%p1 bra ends;\nbra join;\n"
      "ends: setp.lt.u32 %p2, %t, 4;\n@%p2 exit;\nst.global.u32 [%own], 2;\n"
      "join: activemask.b32 %r1;\nst.global.u32 [%own], %r1;",
      each_lane([](std::uint32_t lane) { return lane < 4 ? 1U : 0xfffffff0U; }));
}

TEST_CASE("all threads of one side end and the others continue") {
  check_both("setp.lt.u32 %p1, %t, 16;\n@%p1 bra stay;\nret;\nstay: activemask.b32 %r1;\nst.global.u32 [%own], %r1;",
             each_lane([](std::uint32_t lane) { return lane < 16 ? 0xffffU : 0U; }));
}

TEST_CASE("threads end in a loop, one per iteration") {
  check_both(
      "mov.u32 %r1, 0;\nloop: activemask.b32 %r2;\nst.global.u32 [%own], %r2;\nsetp.eq.u32 %p1, %r1, %t;\n"
      "@%p1 exit;\nadd.u32 %r1, %r1, 1;\nbra loop;",
      each_lane([](std::uint32_t lane) { return 0xffffffffU << lane; }));
}

TEST_CASE("an indexed branch leads each thread to its label") {
  const std::string body =
      "and.b32 %r1, %t, 3;\nts: .branchtargets a, b, a, c;\nbrx.idx %r1, ts;\n"
      "a: mov.u32 %r2, 10;\nbra join;\nb: mov.u32 %r2, 20;\nbra join;\nc: mov.u32 %r2, 30;\n"
      "join: activemask.b32 %r3;\nsetp.ne.u32 %p1, %r3, 0xffffffff;\n@%p1 mov.u32 %r2, 0;\nst.global.u32 [%own], %r2;";
  check_both(body, each_lane([](std::uint32_t lane) {
               const std::uint32_t values[] = {10, 20, 10, 30};
               return values[lane % 4];
             }));
}

TEST_CASE("an index beyond the table of a branch is a fault") {
  const std::string body = "ts: .branchtargets a;\nbrx.idx %t, ts;\na: ret;";
  CHECK_THROWS_AS(execute_ptx({.body = body}), KernelFault);
}

constexpr const char* kFunctions =
    ".func (.reg .b32 %d) triple(.reg .b32 %a) { mul.lo.u32 %d, %a, 3; ret; }\n"
    ".func (.reg .b32 %d) negate(.reg .b32 %a) { neg.s32 %d, %a; ret; }\n"
    ".func (.reg .b32 %d) early(.reg .b32 %a) { .reg .pred %p; mov.u32 %d, 5; setp.lt.u32 %p, %a, 8; @%p ret;\n"
    "add.u32 %d, %a, 100; ret; }\n"
    ".func (.param .b32 d) factorial(.param .b32 a) { .reg .b32 %a, %r; .reg .pred %p;\n.param .b32 x; .param .b32 y;\n"
    "ld.param.b32 %a, [a]; mov.u32 %r, 1; setp.le.u32 %p, %a, 1; @%p bra done;\n"
    "sub.u32 %r, %a, 1; st.param.b32 [x], %r; call (y), factorial, (x); ld.param.b32 %r, [y];\n"
    "mul.lo.u32 %r, %r, %a;\ndone: st.param.b32 [d], %r; ret; }\n";

TEST_CASE("threads call a function only on one side of a branch") {
  check_both(
      "mov.u32 %r1, %t;\nsetp.lt.u32 %p1, %t, 5;\n@%p1 call (%r1), triple, (%t);\n"
      "activemask.b32 %r2;\nsetp.ne.u32 %p2, %r2, 0xffffffff;\n@%p2 mov.u32 %r1, 77;\nst.global.u32 [%own], %r1;",
      each_lane([](std::uint32_t lane) { return lane < 5 ? 3 * lane : lane; }), kFunctions);
}

TEST_CASE("threads return from a function at different places") {
  check_both(
      "call (%r1), early, (%t);\nactivemask.b32 %r2;\nnot.b32 %r2, %r2;\nadd.u32 %r1, %r1, %r2;\n"
      "st.global.u32 [%own], %r1;",
      each_lane([](std::uint32_t lane) { return lane < 8 ? 5 : lane + 100; }), kFunctions);
}

TEST_CASE("a recursive function reaches the depth that each thread requires") {
  check_both(
      "rem.u32 %r1, %t, 7;\n{ .param .b32 x; .param .b32 y;\nst.param.b32 [x], %r1;\ncall (y), factorial, (x);\n"
      "ld.param.b32 %r2, [y]; }\nst.global.u32 [%own], %r2;",
      each_lane([](std::uint32_t lane) {
        const std::uint32_t factorials[] = {1, 1, 2, 6, 24, 120, 720};
        return factorials[lane % 7];
      }),
      kFunctions);
}

TEST_CASE("an indirect call leads each thread to its function") {
  check_both(
      "mov.u64 %q1, triple;\nmov.u64 %q2, negate;\nand.b32 %r1, %t, 1;\nsetp.eq.u32 %p1, %r1, 0;\n"
      "selp.b64 %q3, %q1, %q2, %p1;\nproto: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n"
      "call (%r2), %q3, (%t), proto;\nst.global.u32 [%own], %r2;",
      each_lane([](std::uint32_t lane) { return lane % 2 == 0 ? 3 * lane : 0U - lane; }), kFunctions);
}

TEST_CASE("an indirect call of an address that is not a function is a fault") {
  const std::string body =
      "mov.u64 %q1, 64;\nproto: .callprototype (.reg .b32 _) _ (.reg .b32 _);\ncall (%r2), %q1, (%t), proto;";
  CHECK_THROWS_AS(execute_ptx({.body = body, .before = kFunctions}), KernelFault);
}

TEST_CASE("a stack that recursion fills is a fault") {
  const std::string before =
      ".func endless() { .local .b8 l[64]; .reg .b32 %r; st.local.u32 [l], 1; call endless; ld.local.u32 %r, [l]; ret; "
      "}\n";
  try {
    execute_ptx({.body = "call endless;", .before = before});
    FAIL("no fault");
  } catch (const KernelFault& fault) {
    CHECK(fault.kind() == FaultKind::kStackOverflow);
  }
}

TEST_CASE("from 7.0 on the threads of a warp may take a lock one after another") {
  // Every thread spins for the lock and adds 1 under it: without alternation the holder would never release it.
  PtxGrid launch;
  launch.input = {0, 0};
  launch.output_words = 32;
  launch.body =
      "spin: atom.global.cas.b32 %r1, [%in], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra spin;\n"
      "ld.global.u32 %r2, [%in+4];\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%in+4], %r2;\n"
      "atom.global.exch.b32 %r3, [%in], 0;\nbar.warp.sync 0xffffffff;\nld.global.u32 %r4, [%in+4];\n"
      "st.global.u32 [%own], %r4;";
  CHECK(execute_ptx(launch) == Words(32, 32));
}

TEST_CASE("threads that continued while another one iterates a long loop still synchronise with it") {
  const std::string body =
      "setp.eq.u32 %p1, %t, 0;\nselp.u32 %r1, 10000, 1, %p1;\nmov.u32 %r2, 0;\n"
      "loop: add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p2, %r2, %r1;\n@%p2 bra loop;\n"
      "redux.sync.add.u32 %r3, %r2, 0xffffffff;\nst.global.u32 [%own], %r3;";
  CHECK(execute_ptx({.body = body}) == Words(32, 10031));
}

TEST_CASE("from 7.0 on one side of a branch may wait for the other") {
  // Even threads wait for the value of their odd neighbour, in any order of the sides.
  for (const std::string guard : {"@%p1", "@!%p1"}) {
    PtxGrid launch;
    launch.input = Words(32, 0);
    const std::string waits = "wait: ld.volatile.global.u32 %r2, [%q1+4];\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 bra wait;\n";
    const std::string gives = "add.u32 %r2, %t, 100;\nst.volatile.global.u32 [%q1], %r2;\n";
    const bool waits_there = guard == "@%p1";  // p1: the thread is even
    launch.body = "mul.wide.u32 %q1, %t, 4;\nadd.u64 %q1, %q1, %in;\nand.b32 %r1, %t, 1;\nsetp.eq.u32 %p1, %r1, 0;\n" +
                  guard + " bra there;\n" + (waits_there ? gives : waits) +
                  "bra join;\nthere: " + (waits_there ? waits : gives) + "join: st.global.u32 [%own], %r2;";
    CHECK(execute_ptx(launch) == each_lane([](std::uint32_t lane) { return 100 + (lane | 1U); }));
  }
}

}  // namespace

TEST_CASE("a branch that divides a warp: fewer threads run first, and with equal numbers the next instruction's") {
  // Both parts count in one variable; each thread stores what its part found.
  const auto found = [](std::uint32_t taken, bool independent) {
    const std::string count = "atom.shared.add.u32 %r1, [counter], 1;\n";
    return execute_ptx({.body = ".shared .align 4 .b32 counter;\nst.shared.u32 [counter], 0;\nbar.sync 0;\n"
                                "setp.lt.u32 %p1, %t, " +
                                std::to_string(taken) + ";\n@%p1 bra low;\n" + count + "bra end;\nlow:\n" + count +
                                "end: st.global.u32 [%own], %r1;",
                        .independent_threads = independent});
  };
  // Lane 0 takes the branch, lane 31 does not. The first part counts from 0.
  CHECK(found(15, true)[0] == 0);
  CHECK(found(15, true)[31] >= 15);
  CHECK(found(16, true)[31] < 16);
  CHECK(found(16, true)[0] >= 16);
  CHECK(found(17, true)[0] >= 15);
  // Before 7.0: the next instruction.
  CHECK(found(15, false)[0] >= 17);
}
