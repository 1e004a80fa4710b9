#include "codegen/slow_paths.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "support/ptx_grid.h"
#include "unit/codegen/passes.h"

namespace warpsim::test {
namespace {

std::string split(const std::string& body) {
  Kernel kernel(body);
  codegen::split_slow_paths(*kernel.module, *kernel.function);
  return kernel.text();
}

TEST_CASE("slow paths: a quotient is tested after its fast path, and the function follows the last instruction") {
  CHECK(split("div.rn.f32 %f1, %f2, %f3; st.global.f32 [%rd1], %f1; ret;") ==
        "div %f1 %f2 %f3\nsass %slow4 %f2 %f3\n@!%slow4 bra $fast0\nbra $slow1\nst [%rd1] %f1\nret\n"
        "div %f1 %f2 %f3\nbra $divided2\n");
}

TEST_CASE("slow paths: a root of single precision takes one of the paths") {
  CHECK(split("sqrt.rn.f32 %f1, %f2; ret;") ==
        "sass %slow2 %f2\n@!%slow2 bra $fast0\nbra $slow1\nsqrt %f1 %f2\nret\nsqrt %f1 %f2\nbra $divided2\n");
}

TEST_CASE("slow paths: labels lead to the same instructions") {
  Kernel kernel("bra one; one: rcp.rn.f32 %f1, %f2; two: div.rn.f64 %d1, %d2, %d3; three: ret;");
  codegen::split_slow_paths(*kernel.module, *kernel.function);
  const auto opcode_at = [&](std::string_view name) {
    const auto label = std::ranges::find(kernel.function->labels, name, &ptx::Label::name);
    return std::string(kernel.function->body[label->instruction].opcode);
  };
  CHECK(opcode_at("one") == "sass");    // the test
  CHECK(opcode_at("$fast3") == "rcp");  // behind the branch to the function
  CHECK(opcode_at("$divided5") == "div");
  CHECK(opcode_at("two") == "div");
  CHECK(opcode_at("three") == "ret");
  CHECK(kernel.function->body.size() == 1 + 4 + 4 + 1 + 4);
}

TEST_CASE("slow paths: what has none, is guarded or overwrites its operand stays whole") {
  const std::string stays =
      GENERATE(std::string("div.approx.f32 %f1, %f2, %f3;"), "rcp.approx.ftz.f32 %f1, %f2;", "div.u32 %r1, %r2, %r3;",
               "@%p1 div.rn.f32 %f1, %f2, %f3;", "div.rn.f32 %f1, %f2, %f1;", "sqrt.approx.f32 %f1, %f2;");
  Kernel kernel(stays + " ret;");
  const std::string before = kernel.text();
  codegen::split_slow_paths(*kernel.module, *kernel.function);
  CHECK(kernel.text() == before);
}

TEST_CASE("slow paths: machine code has the sequence of ptxas without the function's call") {
  const std::vector<std::string> opcodes =
      generate("rcp.rn.f32 %f1, %f2; st.global.f32 [%rd1], %f1; ret;", true).opcodes();
  const auto first = std::ranges::find(opcodes, "LOP3.LUT");
  REQUIRE(opcodes.end() - first > 9);
  CHECK(std::vector<std::string>(first, first + 9) == std::vector<std::string>{"LOP3.LUT", "ISETP.GT.U32.AND", "BSSY",
                                                                               "BRA", "BRA", "MUFU.RCP", "FFMA",
                                                                               "FADD.FTZ", "FFMA"});
}

TEST_CASE("slow paths: results are the same for operands that need the function") {
  PtxGrid grid;
  grid.body =
      "cvt.u64.u32 %q1, %t; shl.b64 %q1, %q1, 61; or.b64 %q1, %q1, 1; cvt.rn.f32.u32 %f1, %t; mul.f32 %f1, %f1, %f1; "
      "sub.f32 %f2, %f1, 0f41100000; rcp.rn.f32 %f3, %f2; sqrt.rn.f32 %f4, %f2; div.rn.f32 %f5, %f3, %f4; "
      "mov.b32 %r1, %f5; div.u64 %q2, -1, %q1; cvt.u32.u64 %r2, %q2; xor.b32 %r1, %r1, %r2; st.global.u32 [%own], %r1; "
      "ret;";
  const std::vector<std::uint32_t> written = execute_ptx(grid);
  grid.optimised = true;
  CHECK(execute_ptx(grid) == written);
}

}  // namespace
}  // namespace warpsim::test
