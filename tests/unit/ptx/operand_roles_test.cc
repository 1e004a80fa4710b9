#include "ptx/operand_roles.h"

#include <catch2/catch.hpp>
#include <string>

#include "unit/ptx/parse.h"

namespace warpsim::ptx {
namespace {

struct Roles {
  std::string written;
  std::string read;
};

// Names of the kernel's last instruction, in order: "%r1 %r2 ".
Roles roles_of(const std::string& instruction, const std::string& before = "") {
  const auto module = parse_in_kernel(instruction, before);
  const Function& kernel = kernel_of(*module);
  Roles roles;
  const auto append_to = [&kernel](std::string& text) {
    return [&kernel, &text](std::uint32_t reg) { text += std::string(kernel.registers[reg].name) + " "; };
  };
  visit_written_registers(kernel.body.back(), append_to(roles.written));
  visit_read_registers(kernel.body.back(), append_to(roles.read));
  return roles;
}

void check_roles(const std::string& instruction, const std::string& written, const std::string& read,
                 const std::string& before = "") {
  INFO(instruction);
  const Roles roles = roles_of(instruction, before);
  CHECK(roles.written == written);
  CHECK(roles.read == read);
}

TEST_CASE("the first operand of arithmetic is written and the others are read") {
  check_roles("add.u32 %r1, %r2, %r3;", "%r1 ", "%r2 %r3 ");
  check_roles("mad.lo.s32 %r1, %r2, 5, %r3;", "%r1 ", "%r2 %r3 ");
  check_roles("mov.u32 %r1, %tid.x;", "%r1 ", "");
}

TEST_CASE("an operand that is written and read is reported both times") {
  check_roles("add.u32 %r1, %r1, 1;", "%r1 ", "%r1 ");
}

TEST_CASE("a guard is read before all operands") {
  check_roles("@%p1 add.u32 %r1, %r2, %r3;", "%r1 ", "%p1 %r2 %r3 ");
  check_roles("l: @!%p2 bra l;", "", "%p2 ");
}

TEST_CASE("both predicates of a comparison and of a shuffle are written") {
  check_roles("setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;", "%p1 %p2 ", "%r1 %r2 %p3 ");
  check_roles("shfl.sync.idx.b32 %r1|%p1, %r2, %r3, 31, %r4;", "%r1 %p1 ", "%r2 %r3 %r4 ");
}

TEST_CASE("a load writes its register or vector and reads its address") {
  check_roles("ld.global.u32 %r1, [%rd1+4];", "%r1 ", "%rd1 ");
  check_roles("ld.global.v2.u32 {%r1, %r2}, [%rd1];", "%r1 %r2 ", "%rd1 ");
}

TEST_CASE("a store writes no register and reads address and values") {
  check_roles("st.global.u32 [%rd1], %r1;", "", "%rd1 %r1 ");
  check_roles("st.global.v2.u32 [%rd1], {%r1, %r2};", "", "%rd1 %r1 %r2 ");
}

TEST_CASE("atomics have a result and reductions have none") {
  check_roles("atom.global.add.u32 %r1, [%rd1], %r2;", "%r1 ", "%rd1 %r2 ");
  check_roles("red.global.add.u32 [%rd1], %r2;", "", "%rd1 %r2 ");
}

TEST_CASE("a barrier has a result only if it reduces") {
  check_roles("bar.sync %r1, %r2;", "", "%r1 %r2 ");
  check_roles("barrier.sync.aligned %r1;", "", "%r1 ");
  check_roles("bar.red.popc.u32 %r1, %r2, %p1;", "%r1 ", "%r2 %p1 ");
  check_roles("bar.red.and.pred %p1, 0, %p2;", "%p1 ", "%p2 ");
}

TEST_CASE("mbarrier operations have a result if they return a state or a test result") {
  check_roles("mbarrier.init.shared.b64 [%rd1], %r1;", "", "%rd1 %r1 ");
  check_roles("mbarrier.arrive.shared.b64 %rd2, [%rd1];", "%rd2 ", "%rd1 ");
  check_roles("mbarrier.test_wait.shared.b64 %p1, [%rd1], %rd2;", "%p1 ", "%rd1 %rd2 ");
}

TEST_CASE("a call writes its results and reads its arguments") {
  const std::string callee = ".func (.reg .b32 %d) f(.reg .b32 %a) { mov.b32 %d, %a; ret; }\n";
  check_roles("call (%r1), f, (%r2);", "%r1 ", "%r2 ", callee);
  check_roles("call g, (%r2);", "", "%r2 ", ".func g(.reg .b32 %a) { ret; }\n");
}

TEST_CASE("all registers of a matrix product's D are written, those of A, B and C read") {
  check_roles("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r3}, {%r4}, {%r5, %r6};", "%r1 %r2 ",
              "%r3 %r4 %r5 %r6 ");
  check_roles("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r1], {%r2, %r3};", "", "%r1 %r2 %r3 ");
}

TEST_CASE("has_result() recognises opcodes whose first operand is a result") {
  CHECK(has_result("add"));
  CHECK(has_result("ldmatrix"));
  CHECK_FALSE(has_result("st"));
  CHECK_FALSE(has_result("bra"));
  CHECK_FALSE(has_result("cp"));
}

}  // namespace
}  // namespace warpsim::ptx
