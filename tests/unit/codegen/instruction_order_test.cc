#include "codegen/instruction_order.h"

#include <catch2/catch.hpp>

#include "unit/codegen/passes.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

std::string ordered(const std::string& body, std::uint32_t registers = 64) {
  Kernel kernel(body);
  const ptx::FlowGraph graph = ptx::make_flow_graph(*kernel.function);
  const codegen::RegisterPressure pressure(*kernel.function, graph, 90);
  const codegen::OrderLimits limits = codegen::equal_limits(*kernel.function, graph, registers);
  codegen::reorder(*kernel.function, codegen::order_for(*kernel.function, graph, pressure, limits).order);
  return kernel.text();
}

TEST_CASE("loads go first, their readers last") {
  CHECK(ordered("ld.global.f32 %f1, [%rd1]; add.f32 %f2, %f1, %f1; ld.global.f32 %f3, [%rd2]; add.f32 %f4, %f3, %f2; "
                "st.global.f32 [%rd3], %f4; ret;") ==
        "ld %f1 [%rd1]\nld %f3 [%rd2]\nadd %f2 %f1 %f1\nadd %f4 %f3 %f2\nst [%rd3] %f4\nret\n");
}

TEST_CASE("loads only go first as far as there are registers") {
  const std::string body =
      "ld.global.f32 %f1, [%rd1]; add.f32 %f9, %f9, %f1; ld.global.f32 %f2, [%rd1+4]; add.f32 %f9, %f9, %f2; "
      "ld.global.f32 %f3, [%rd1+8]; add.f32 %f9, %f9, %f3; st.global.f32 [%rd1], %f9; ret;";
  const std::string last = "add %f9 %f9 %f3\nst [%rd1] %f9\nret\n";
  CHECK(ordered(body) == "ld %f1 [%rd1]\nld %f2 [%rd1+4]\nld %f3 [%rd1+8]\nadd %f9 %f9 %f1\nadd %f9 %f9 %f2\n" + last);
  // The address of two words and the sum are live, and one or two loaded values.
  CHECK(ordered(body, 4) ==
        "ld %f1 [%rd1]\nadd %f9 %f9 %f1\nld %f2 [%rd1+4]\nadd %f9 %f9 %f2\nld %f3 [%rd1+8]\n" + last);
  CHECK(ordered(body, 5) ==
        "ld %f1 [%rd1]\nld %f2 [%rd1+4]\nadd %f9 %f9 %f1\nld %f3 [%rd1+8]\nadd %f9 %f9 %f2\n" + last);
}

TEST_CASE("parts between barriers have limits of their own") {
  const std::string part =
      "ld.global.f32 %f1, [%rd1]; add.f32 %f9, %f9, %f1; ld.global.f32 %f2, [%rd1+4]; add.f32 %f9, %f9, %f2; ";
  Kernel kernel(part + "bar.sync 0; " + part + "st.global.f32 [%rd1], %f9; ret;");
  const ptx::FlowGraph graph = ptx::make_flow_graph(*kernel.function);
  const codegen::RegisterPressure pressure(*kernel.function, graph, 90);
  codegen::OrderLimits limits = codegen::equal_limits(*kernel.function, graph, 4);
  REQUIRE(limits.words.size() == 2);
  limits.words[0] = 64;
  const codegen::OrderedFunction ordered = codegen::order_for(*kernel.function, graph, pressure, limits);
  REQUIRE(ordered.tight.size() == 1);
  CHECK(ordered.tight[0].part == 1);
  CHECK(ordered.tight[0].loads == 2);
  codegen::reorder(*kernel.function, ordered.order);
  const std::string together = "ld %f1 [%rd1]\nld %f2 [%rd1+4]\nadd %f9 %f9 %f1\nadd %f9 %f9 %f2\n";
  const std::string one_by_one = "ld %f1 [%rd1]\nadd %f9 %f9 %f1\nld %f2 [%rd1+4]\nadd %f9 %f9 %f2\n";
  CHECK(kernel.text() == together + "bar 0\n" + one_by_one + "st [%rd1] %f9\nret\n");
}

TEST_CASE("a load stays after a store that may write its data") {
  CHECK(ordered("st.global.f32 [%rd1], %f1; ld.global.f32 %f2, [%rd2]; st.global.f32 [%rd3], %f2; ret;") ==
        "st [%rd1] %f1\nld %f2 [%rd2]\nst [%rd3] %f2\nret\n");
  // A load of another memory may go first.
  CHECK(ordered("st.shared.f32 [%r1], %f1; ld.global.f32 %f2, [%rd2]; st.global.f32 [%rd3], %f2; ret;") ==
        "ld %f2 [%rd2]\nst [%r1] %f1\nst [%rd3] %f2\nret\n");
}

TEST_CASE("no memory access passes a barrier") {
  CHECK(ordered("st.shared.f32 [%r1], %f1; bar.sync 0; ld.shared.f32 %f2, [%r2]; st.global.f32 [%rd3], %f2; ret;") ==
        "st [%r1] %f1\nbar 0\nld %f2 [%r2]\nst [%rd3] %f2\nret\n");
}

TEST_CASE("threads wait for each other only when their stores are visible to others") {
  const std::string unlocked = ordered(
      "red.global.add.u32 [%rd1], %r2; shfl.sync.idx.b32 %r5, %r6, 0, 31, -1; mul.lo.u32 %r7, %r5, %r5; "
      "st.global.u32 [%rd2], %r7; ret;");
  CHECK(unlocked.find("red") < unlocked.find("shfl"));
  // A load may go first, since it takes longer.
  CHECK(ordered("shfl.sync.idx.b32 %r5, %r6, 0, 31, -1; ld.global.u32 %r1, [%rd1]; "
                "st.global.v2.u32 [%rd2], {%r1, %r5}; ret;")
            .starts_with("ld"));
}

TEST_CASE("clocks are read in place") {
  const std::string body =
      "mov.u32 %r1, %clock; mul.lo.s32 %r2, %r3, %r4; ld.global.u32 %r5, [%rd1]; mov.u32 %r6, %clock; "
      "st.global.v4.u32 [%rd2], {%r1, %r2, %r5, %r6}; ret;";
  const std::string text = ordered(body);
  CHECK(text.find("clock") < text.find("ld "));
  CHECK(text.find("ld ") < text.rfind("clock"));
  CHECK(text.find("mul") < text.rfind("clock"));
}

TEST_CASE("a register that is written again keeps its readers before the write") {
  CHECK(ordered("add.u32 %r1, %r2, 1; ld.global.u32 %r2, [%rd1]; add.u32 %r3, %r2, %r1; ret;") ==
        "add %r1 %r2 1\nld %r2 [%rd1]\nadd %r3 %r2 %r1\nret\n");
}

}  // namespace
