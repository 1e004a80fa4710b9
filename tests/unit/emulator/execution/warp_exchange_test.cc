#include "emulator/execution/warp_exchange.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "support/ptx_grid.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

using Words = std::vector<std::uint32_t>;

Words by_lane(const std::function<std::uint32_t(std::uint32_t)>& value) {
  Words words;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    words.push_back(value(lane));
  }
  return words;
}

// Threads below 8 on one path, the others on the other; each path has its operation, and may call.
Words at_two_places(const std::string& low, const std::string& high, const std::string& before = "") {
  return execute_ptx({.body = "add.u32 %r1, %t, 100;\nadd.u32 %r2, %t, 200;\nsetp.gt.u32 %p3, %t, 5;\n"
                              "setp.lt.u32 %p1, %t, 8;\n@%p1 bra low;\n" +
                              high + "\nbra join;\nlow:\n" + low + "\njoin: st.global.u32 [%own], %r9;",
                      .before = before});
}

TEST_CASE("operations with .sync are joint for all places that threads of a warp have reached") {
  SECTION("a sum, of a constant in one place and of a register in the other") {
    const Words expected(32, 8 * 2 + 24 * 200 + (8 + 31) * 24 / 2);
    CHECK(at_two_places("redux.sync.add.u32 %r9, 2, -1;", "redux.sync.add.u32 %r9, %r2, -1;") == expected);
  }
  SECTION("a vote, with the predicate negated in one place") {
    CHECK(at_two_places("vote.sync.ballot.b32 %r9, %p3, -1;", "vote.sync.ballot.b32 %r9, !%p3, -1;") ==
          Words(32, 0xc0));
    CHECK(at_two_places("vote.sync.any.pred %p4, %p3, -1; selp.u32 %r9, 1, 2, %p4;",
                        "vote.sync.any.pred %p5, !%p3, -1; selp.u32 %r9, 1, 2, %p5;") == Words(32, 1));
    CHECK(at_two_places("vote.sync.all.pred %p4, %p3, -1; selp.u32 %r9, 1, 2, %p4;",
                        "vote.sync.all.pred %p5, %p3, -1; selp.u32 %r9, 1, 2, %p5;") == Words(32, 2));
  }
  SECTION("a shuffle, into other registers") {
    const Words expected = by_lane([](std::uint32_t lane) { return (lane ^ 8U) + ((lane ^ 8U) < 8 ? 100 : 200); });
    CHECK(at_two_places("shfl.sync.bfly.b32 %r9, %r1, 8, 31, -1;",
                        "shfl.sync.bfly.b32 %r8|%p6, %r2, 8, 31, -1; selp.u32 %r9, %r8, 0, %p6;") == expected);
  }
  SECTION("a match of words of 64 bits") {
    const Words expected = by_lane([](std::uint32_t lane) { return lane < 8 ? 0xffU : 0xffffff00U; });
    CHECK(at_two_places("mov.u64 %q1, 0x100000001; match.any.sync.b64 %r9, %q1, -1;",
                        "mov.u64 %q2, 0x200000001; match.any.sync.b64 %r9, %q2, -1;") == expected);
    CHECK(at_two_places("match.any.sync.b64 %r9, 5, -1;", "mov.u64 %q2, 5; match.any.sync.b64 %r9, %q2, -1;") ==
          Words(32, 0xffffffff));
  }
  SECTION("a leader") {
    CHECK(at_two_places("elect.sync %r9|%p4, -1;", "elect.sync %r9|%p4, -1;") == Words(32, 0));
  }
  SECTION("in a call and out of it") {
    const std::string function = ".func (.reg .b32 %d) sum(.reg .b32 %a) { redux.sync.add.u32 %d, %a, -1; ret; }\n";
    CHECK(at_two_places("call (%r9), sum, (3);", "redux.sync.add.u32 %r9, 1, -1;", function) == Words(32, 8 * 3 + 24));
  }
}

TEST_CASE("lanes of one path with different members execute separately, and continue together") {
  // A mask of each half of the warp, like a group of 16 threads.
  const std::string halves = "and.b32 %r1, %t, 16; shl.b32 %r2, 0xffff, %r1;\n";
  const auto words = [&halves](const std::string& body, bool independent_threads) {
    return execute_ptx({.body = halves + body + "\nactivemask.b32 %r7;\nsetp.ne.u32 %p6, %r7, -1;\n" +
                                "@%p6 mov.u32 %r9, 77;\nst.global.u32 [%own], %r9;",
                        .independent_threads = independent_threads});
  };
  for (const bool independent : {true, false}) {
    CAPTURE(independent);
    CHECK(words("setp.ge.u32 %p1, %t, 14; vote.sync.ballot.b32 %r9, %p1, %r2;", independent) ==
          by_lane([](std::uint32_t lane) { return lane < 16 ? 0xc000U : 0xffff0000U; }));
    CHECK(words("mov.u32 %r9, 1; and.b32 %r2, %r2, ~8; setp.ne.u32 %p1, %t, 3; @%p1 vote.sync.ballot.b32 %r9, 1, %r2;",
                independent)[3] == 1);
  }
  CHECK(words("redux.sync.add.u32 %r9, %t, %r2;", true) ==
        by_lane([](std::uint32_t lane) { return lane < 16 ? 120U : 376U; }));
  CHECK(words("mov.u32 %r3, 4; match.any.sync.b32 %r9, %r3, %r2;", true) ==
        by_lane([](std::uint32_t lane) { return lane < 16 ? 0xffffU : 0xffff0000U; }));
}

}  // namespace
