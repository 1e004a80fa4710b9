#include "codegen/register_pressure.h"

#include <catch2/catch.hpp>

#include "unit/codegen/passes.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

// Words that are live at the beginning of each block.
std::vector<std::uint32_t> words_at_blocks(const std::string& body) {
  const Kernel kernel(body);
  const ptx::FlowGraph graph = ptx::make_flow_graph(*kernel.function);
  const codegen::RegisterPressure pressure(*kernel.function, graph, 90);
  std::vector<std::uint32_t> words;
  for (std::uint32_t block = 0; block < graph.count(); ++block) {
    words.push_back(pressure.words_of(pressure.live_in(block)));
  }
  return words;
}

TEST_CASE("register pressure: a value counts its words, a predicate none") {
  CHECK(words_at_blocks("ld.global.u64 %rd2, [%rd1]; ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; "
                        "ld.global.u32 %r2, [%rd1]; bra A; A: @%p1 st.global.u64 [%rd2], %rd2; "
                        "@%p1 st.global.u32 [%rd2], %r2; ret;") == std::vector<std::uint32_t>{2, 3});
}

TEST_CASE("register pressure: names of the same bits count once, numbers not at all") {
  CHECK(words_at_blocks("ld.global.u32 %r1, [%rd1]; mov.u32 %r2, %r1; mov.u32 %r3, 7; bra A; "
                        "A: add.u32 %r4, %r1, %r2; add.u32 %r4, %r4, %r3; st.global.u32 [%rd1], %r4; ret;") ==
        std::vector<std::uint32_t>{2, 3});
}

TEST_CASE("register pressure: a product that is folded into a sum keeps its factors") {
  CHECK(words_at_blocks("ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1]; ld.global.u32 %r5, [%rd1]; bra A; "
                        "A: mul.lo.u32 %r3, %r1, %r2; bra B; B: add.u32 %r4, %r3, %r5; st.global.u32 [%rd1], %r4; "
                        "ret;") == std::vector<std::uint32_t>{2, 5, 5});
}

}  // namespace
