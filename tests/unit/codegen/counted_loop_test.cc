#include "codegen/counted_loop.h"

#include <catch2/catch.hpp>

#include "unit/codegen/passes.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

std::optional<codegen::CountedLoop> loop_of(const std::string& body, std::uint32_t longest = 8) {
  const Kernel kernel("mov.u32 %r1, 0; " + body + " ret;");
  const ptx::FlowGraph graph = ptx::make_flow_graph(*kernel.function);
  return codegen::counted_loop_at(*kernel.function, graph, 1, 4, longest);
}

TEST_CASE("counted loops: counter, step, type and places of the instructions") {
  const auto loop = loop_of("loop: add.s32 %r1, %r1, -4; setp.ne.s32 %p1, %r1, 8; @%p1 bra loop;");
  REQUIRE(loop);
  CHECK(loop->step == -4);
  CHECK(loop->counting == 1);
  CHECK(loop->test == 2);
  CHECK(loop->type == ptx::DataType::kS32);
  CHECK(loop->distance(4) == -12);
}

TEST_CASE("counted loops: a number whose distance of some rounds wraps around is no bound") {
  CHECK(loop_of("loop: add.s32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 3; @%p1 bra loop;"));
  CHECK_FALSE(loop_of("loop: add.s32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 2; @%p1 bra loop;"));
  CHECK(loop_of("loop: add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, -2147483645; @%p1 bra loop;"));
  CHECK_FALSE(loop_of("loop: add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, -2147483646; @%p1 bra loop;"));
}

TEST_CASE("counted loops: long bodies, other conditions and a changing bound are none") {
  CHECK_FALSE(loop_of("loop: add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 9; @%p1 bra loop;", 2));
  CHECK_FALSE(loop_of("loop: add.s32 %r1, %r1, 1; setp.gt.s32 %p1, %r1, 9; @%p1 bra loop;"));
  CHECK_FALSE(loop_of("loop: add.s32 %r1, %r1, 0; setp.lt.s32 %p1, %r1, 9; @%p1 bra loop;"));
  CHECK_FALSE(loop_of("loop: add.s32 %r1, %r1, 1; add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r1, %r2; @%p1 bra loop;"));
  CHECK_FALSE(loop_of("loop: setp.lt.s32 %p1, %r1, 9; add.s32 %r1, %r1, 1; @%p1 bra loop;"));
}

}  // namespace
