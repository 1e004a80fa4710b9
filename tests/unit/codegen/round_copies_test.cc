#include "codegen/round_copies.h"

#include <catch2/catch.hpp>

#include "unit/codegen/passes.h"

namespace warpsim::test {
namespace {

TEST_CASE("Round copies: a value of one round gets a register of its own, one that the loop carries only in between") {
  Kernel kernel(
      "mov.u32 %r1, 0; loop: add.s32 %r2, %r1, 1; add.s32 %r3, %r3, %r2; setp.lt.s32 %p1, %r3, 9; @%p1 bra loop; "
      "st.global.u32 [%rd1], %r3; ret;");
  codegen::RoundCopies copies(*kernel.module, *kernel.function);
  const auto text = [&](std::uint32_t index, bool is_last) {
    const ptx::Instruction copy = copies.copy(index, is_last);
    std::string line(copy.opcode);
    for (const ptx::Operand& operand : copy.operands) {
      line += " " + short_text(*kernel.function, operand);
    }
    return line;
  };
  copies.restart();
  const std::string first = text(1, false);
  CHECK(first.starts_with("add %unrolled"));
  const std::string name = first.substr(4, first.find(' ', 4) - 4);
  const std::string sum = text(2, false);
  CHECK(sum.ends_with(" %r3 " + name));
  CHECK(sum.starts_with("add %unrolled"));
  const std::string carried = sum.substr(4, sum.find(' ', 4) - 4);
  CHECK(text(1, true).starts_with("add %unrolled"));
  CHECK(text(2, true).starts_with("add %r3 " + carried));
  copies.forget(1);
  copies.restart();
  CHECK(text(2, true) == "add %r3 %r3 %r2");
}

}  // namespace
}  // namespace warpsim::test
