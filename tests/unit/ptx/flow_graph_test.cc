#include "ptx/flow_graph.h"

#include <catch2/catch.hpp>

#include "unit/ptx/parse.h"

namespace warpsim::ptx {
namespace {

using Numbers = std::vector<std::uint32_t>;

struct Analysed {
  explicit Analysed(const std::string& body)
      : module(parse_in_kernel(body)), graph(make_flow_graph(kernel_of(*module))) {}
  std::unique_ptr<const Module> module;
  FlowGraph graph;
};

// 0: entry, 1: one side, 2: other side, 3: where they meet.
constexpr const char* kDiamond =
    "@%p1 bra other; mov.u32 %r1, 1; bra join; other: mov.u32 %r1, 2; join: mov.u32 %r2, %r1; ret;";

TEST_CASE("blocks end at branches and begin at labels") {
  const Analysed a(kDiamond);
  REQUIRE(a.graph.count() == 4);
  CHECK(a.graph.blocks[0].successors == Numbers{2, 1});
  CHECK(a.graph.blocks[3].predecessors == Numbers{1, 2});
  CHECK(a.graph.block_of == Numbers{0, 1, 1, 2, 3, 3, 4});
  CHECK(a.graph.blocks[3].leaves);
  CHECK_FALSE(a.graph.blocks[2].leaves);
}

TEST_CASE("a label that no branch uses ends no block") {
  CHECK(Analysed("mov.u32 %r1, 1; unused: mov.u32 %r2, 2; ret;").graph.count() == 1);
  CHECK(Analysed("mov.u32 %r1, 1; used: mov.u32 %r2, 2; @%p1 bra used; ret;").graph.count() == 3);
  // A table of branch targets uses its labels.
  CHECK(Analysed("mov.u32 %r1, 1; one: mov.u32 %r2, 2; two: mov.u32 %r3, 3; table: .branchtargets one, two; "
                 "brx.idx %r1, table; ret;")
            .graph.count() == 4);
}

TEST_CASE("both sides of a branch are dominated by it and meet at its post-dominator") {
  const Analysed a(kDiamond);
  CHECK(immediate_dominators(a.graph) == Numbers{kNoBlock, 0, 0, 0});
  CHECK(immediate_post_dominators(a.graph) == Numbers{3, 3, 3, kNoBlock});
  const Numbers above = immediate_dominators(a.graph);
  CHECK(dominates(above, 0, 3));
  CHECK(dominates(above, 3, 3));
  CHECK_FALSE(dominates(above, 1, 3));
  CHECK(common_dominator(above, 1, 2) == 0);
  CHECK(common_dominator(above, 3, 3) == 3);
}

TEST_CASE("a path out of the function prevents post-dominance of later blocks") {
  const Analysed a("@%p1 bra go; exit; go: mov.u32 %r1, 1; ret;");
  CHECK(immediate_post_dominators(a.graph)[0] == kNoBlock);
}

TEST_CASE("blocks have the depth of their loops") {
  const Analysed a(
      "mov.u32 %r1, 0; outer: mov.u32 %r2, 0; inner: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 5; @%p1 bra inner; "
      "add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 5; @%p2 bra outer; ret;");
  const Numbers above = immediate_dominators(a.graph);
  CHECK(loop_depths(a.graph, above) == Numbers{0, 1, 2, 1, 0});
  const std::vector<Loop> loops = natural_loops(a.graph, above);
  REQUIRE(loops.size() == 2);
  CHECK(loops[0].header == 1);
  CHECK(loops[0].holds == std::vector<bool>{false, true, true, true, false});
  CHECK(loops[1].header == 2);
  CHECK(loops[1].holds == std::vector<bool>{false, false, true, false, false});
}

TEST_CASE("unreachable blocks have no dominator") {
  const Analysed a("bra end; mov.u32 %r1, 1; end: ret;");
  CHECK(immediate_dominators(a.graph) == Numbers{kNoBlock, kNoBlock, 0});
}

}  // namespace
}  // namespace warpsim::ptx
