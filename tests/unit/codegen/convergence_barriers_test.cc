#include "codegen/convergence_barriers.h"

#include <catch2/catch.hpp>

#include "unit/codegen/passes.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

// The body with "[" where a barrier is set up and "]" where threads wait at it, one opcode per instruction.
std::string barriers_of(const std::string& body) {
  const Kernel kernel(body);
  const ptx::FlowGraph graph = ptx::make_flow_graph(*kernel.function);
  const codegen::ConvergenceBarriers found =
      codegen::find_convergence_barriers(*kernel.function, graph, codegen::WarpUniformity(*kernel.function, graph));
  std::string text;
  for (std::size_t i = 0; i < kernel.function->body.size(); ++i) {
    text += found.gathers[i] ? "] " : "";
    text += found.opens[i] ? "[ " : "";
    text += std::string(kernel.function->body[i].opcode) + " ";
  }
  return text;
}

TEST_CASE("threads that diverge at a branch meet at its post-dominator") {
  CHECK(barriers_of("mov.u32 %r1, %tid.x; setp.eq.s32 %p1, %r1, 3; @%p1 bra other; mov.u32 %r2, 1; other: "
                    "mov.u32 %r3, 2; ret;") == "mov setp [ bra mov ] mov ret ");
}

TEST_CASE("no barrier is needed if all threads take one path, or if the function ends") {
  CHECK(barriers_of("ld.param.u32 %r1, [n]; setp.eq.s32 %p1, %r1, 3; @%p1 bra other; mov.u32 %r2, 1; other: "
                    "mov.u32 %r3, 2; ret;") == "ld setp bra mov mov ret ");
  CHECK(barriers_of("mov.u32 %r1, %tid.x; setp.eq.s32 %p1, %r1, 3; @%p1 bra other; mov.u32 %r2, 1; other: ret;") ==
        "mov setp bra mov ret ");
}

TEST_CASE("the barrier of a loop is set up before it, but inside the loop with the meeting point") {
  // The inner loop ends at a different time for each thread, the outer one for all together.
  CHECK(barriers_of("mov.u32 %r1, %tid.x; mov.u32 %r5, 0; outer: mov.u32 %r2, 0; inner: add.s32 %r2, %r2, 1; "
                    "setp.lt.s32 %p1, %r2, %r1; @%p1 bra inner; add.s32 %r5, %r5, 1; setp.lt.s32 %p2, %r5, 4; "
                    "@%p2 bra outer; ret;") == "mov mov [ mov add setp bra ] add setp bra ret ");
}

TEST_CASE("one barrier serves all branches with one meeting point") {
  CHECK(barriers_of("mov.u32 %r1, %tid.x; setp.gt.s32 %p1, %r1, 8; @%p1 bra high; setp.gt.s32 %p2, %r1, 4; "
                    "@%p2 bra join; mov.u32 %r2, 1; bra join; high: mov.u32 %r2, 2; join: mov.u32 %r3, %r2; ret;") ==
        "mov setp [ bra setp bra mov bra mov ] mov ret ");
}

}  // namespace
