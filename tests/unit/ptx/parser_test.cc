#include "ptx/parser.h"

#include <catch2/catch.hpp>

namespace warpsim::ptx {
namespace {

constexpr const char* kAddOne = R"(//
.version 9.0
.target sm_90a
.address_size 64
.visible .entry add_one(
	.param .u64 add_one_param_0,
	.param .u32 add_one_param_1
)
.maxntid 256
{
	.reg .pred 	%p<2>;
	.reg .b32 	%r<7>;
	.reg .b64 	%rd<5>;

	ld.param.u64 	%rd1, [add_one_param_0];
	ld.param.u32 	%r2, [add_one_param_1];
	mov.u32 	%r3, %ctaid.x;
	setp.ge.s32 	%p1, %r3, %r2;
	@%p1 bra 	$L__BB0_2;
	ld.global.u32 	%r5, [%rd1+-4];
$L__BB0_2:
	ret;
}
)";

TEST_CASE("A kernel of a compiler: names are resolved, registers are created at their first use") {
  const auto module = parse_module(kAddOne, "add.ptx");
  CHECK(module->version == 90);
  CHECK(module->target == 90);
  CHECK(module->architecture_specific);
  const Function* kernel = module->find_function("add_one");
  REQUIRE(kernel != nullptr);
  CHECK(kernel->is_entry);
  CHECK(kernel->linkage == Linkage::kVisible);
  CHECK(kernel->bounds.most_threads[0] == 256);
  CHECK(kernel->bounds.most_threads[1] == 1);
  REQUIRE(kernel->body.size() == 7);
  REQUIRE(kernel->registers.size() == 5);
  CHECK(kernel->registers[0].name == "%rd1");
  CHECK(kernel->registers[0].type == DataType::kB64);
  CHECK(kernel->registers[3].name == "%p1");
  const Operand& parameter = kernel->body[1].operands[1];
  CHECK(parameter.kind == Operand::Kind::kAddress);
  CHECK(parameter.elements[0].scope == Operand::Scope::kParameters);
  CHECK(parameter.elements[0].number == 1);
  CHECK(kernel->body[2].operands[1].kind == Operand::Kind::kSpecial);
  CHECK(kernel->body[2].operands[1].name == "ctaid");
  CHECK(kernel->body[2].operands[1].component == 0);
  REQUIRE(kernel->body[4].guard.has_value());
  CHECK(kernel->body[4].guard->predicate == 3);
  CHECK(kernel->labels[kernel->body[4].operands[0].number].instruction == 6);
  CHECK(kernel->body[5].operands[1].offset == -4);
}

}  // namespace
}  // namespace warpsim::ptx
