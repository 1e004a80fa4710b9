#include "codegen/warp_uniformity.h"

#include <catch2/catch.hpp>

#include "unit/codegen/passes.h"

using namespace warpsim;
using namespace warpsim::test;
using codegen::WarpUniformity;

namespace {

// Whether a register of the kernel is uniform.
bool is_uniform(const std::string& body, const std::string& name) {
  const Kernel kernel(body);
  const ptx::FlowGraph graph = ptx::make_flow_graph(*kernel.function);
  const WarpUniformity uniformity(*kernel.function, graph);
  for (std::uint32_t reg = 0; reg < kernel.function->registers.size(); ++reg) {
    if (kernel.function->registers[reg].name == name) {
      return uniformity.is_uniform(reg);
    }
  }
  return false;
}

TEST_CASE("warp uniformity: parameters, numbers of the block and what is computed from them are uniform") {
  const std::string body =
      "ld.param.u32 %r1, [n]; mov.u32 %r2, %ctaid.x; mad.lo.s32 %r3, %r2, %r1, 5; mov.u32 %r4, %tid.x; "
      "add.s32 %r5, %r3, %r4; ret;";
  CHECK(is_uniform(body, "%r3"));
  CHECK_FALSE(is_uniform(body, "%r4"));
  CHECK_FALSE(is_uniform(body, "%r5"));
}

TEST_CASE("warp uniformity: threads that read one place of memory read one value, of a place each not") {
  const std::string body =
      "ld.param.u64 %rd1, [a]; ld.global.u32 %r1, [%rd1]; mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4; "
      "add.s64 %rd3, %rd1, %rd2; ld.global.u32 %r3, [%rd3]; ld.volatile.global.u32 %r4, [%rd1]; ret;";
  CHECK(is_uniform(body, "%r1"));
  CHECK_FALSE(is_uniform(body, "%r3"));
  CHECK_FALSE(is_uniform(body, "%r4"));
}

TEST_CASE("warp uniformity: a vote gives one result to all, a shuffle only if all read the same lane") {
  const std::string body =
      "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 5; vote.sync.any.pred %p2, %p1, -1; "
      "vote.sync.ballot.b32 %r2, %p1, -1; shfl.sync.idx.b32 %r3, %r1, 7, 31, -1; shfl.sync.idx.b32 %r4, %r1, %r1, 31, "
      "-1; "
      "shfl.sync.down.b32 %r5, %r1, 1, 31, -1; ret;";
  CHECK_FALSE(is_uniform(body, "%p1"));
  CHECK(is_uniform(body, "%p2"));
  CHECK(is_uniform(body, "%r2"));
  CHECK(is_uniform(body, "%r3"));
  CHECK_FALSE(is_uniform(body, "%r4"));
  CHECK_FALSE(is_uniform(body, "%r5"));
}

TEST_CASE("warp uniformity: a branch that separates threads decides what they hold when they meet") {
  const std::string body =
      "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 5; mov.u32 %r2, 1; mov.u32 %r3, 1; @%p1 bra SKIP; mov.u32 %r2, 2; "
      "mov.u32 %r4, 7; add.s32 %r5, %r4, 1; SKIP: add.s32 %r6, %r2, %r3; ret;";
  CHECK_FALSE(is_uniform(body, "%r2"));
  CHECK_FALSE(is_uniform(body, "%r6"));
  CHECK(is_uniform(body, "%r3"));
  CHECK(is_uniform(body, "%r5"));  // only threads of one side read it
}

TEST_CASE("warp uniformity: threads that leave a loop one by one hold different counters after it") {
  const std::string head = "ld.param.u32 %r3, [n]; mov.u32 %r2, %tid.x; mov.u32 %r1, 0; LOOP: add.s32 %r1, %r1, 1; ";
  const std::string tail = " @%p1 bra LOOP; add.s32 %r4, %r1, 1; ret;";
  CHECK_FALSE(is_uniform(head + "setp.lt.u32 %p1, %r1, %r2;" + tail, "%r4"));
  CHECK(is_uniform(head + "setp.lt.u32 %p1, %r1, %r3;" + tail, "%r4"));
}

TEST_CASE("warp uniformity: threads that end on their way do not hide that others meet") {
  const std::string body =
      "ld.param.u32 %r3, [n]; mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 5; setp.lt.u32 %p2, %r1, %r3; mov.u32 %r2, 1; "
      "@%p1 bra SKIP; @%p2 ret; mov.u32 %r2, 2; SKIP: add.s32 %r4, %r2, 1; ret;";
  CHECK_FALSE(is_uniform(body, "%r4"));
}

}  // namespace
