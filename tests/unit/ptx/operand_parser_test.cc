#include "ptx/operand_parser.h"

#include <bit>
#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "unit/ptx/parse.h"

namespace warpsim::ptx {
namespace {

using Kind = Operand::Kind;

// An instruction of a kernel with variables of every kind around it.
struct Parsed {
  std::unique_ptr<const Module> module;
  const Function* function;
  const Instruction* instruction;

  explicit Parsed(const std::string& text)
      : module(parse_in_kernel(".reg .v4 .f32 v; .shared .align 8 .b64 s[4]; .param .b32 q;\n" + text,
                               ".global .u32 g[4]; .global .texref t; .func (.param .b32 o) f(.param .b32 i);")),
        function(&kernel_of(*module)),
        instruction(&function->body.at(0)) {}

  const Operand& operand(std::size_t i) const { return instruction->operands.at(i); }
  std::string_view register_of(const Operand& o) const {
    CHECK(o.kind == Kind::kRegister);
    return function->registers.at(o.number).name;
  }
};

TEST_CASE("Registers: plain, negated, with a sign, an element of a vector, selected bytes, with an offset") {
  const Parsed p("x %r1, !%p1, -%r2, v.y, v.a, v, %r3.b0, %r4.h1, %r5.b3210, %rd1+8, _;");
  REQUIRE(p.instruction->operands.size() == 11);
  CHECK(p.register_of(p.operand(0)) == "%r1");
  CHECK(p.operand(0).component == -1);
  CHECK(p.operand(1).negated);
  CHECK(p.register_of(p.operand(1)) == "%p1");
  CHECK(p.operand(2).minus);
  CHECK(p.operand(3).component == 1);
  CHECK(p.operand(4).component == 3);
  CHECK(p.operand(5).component == -1);
  CHECK(p.register_of(p.operand(5)) == "v");
  CHECK(p.operand(6).video);
  CHECK(p.operand(6).name == "b0");
  CHECK(p.operand(7).name == "h1");
  CHECK(p.operand(8).name == "b3210");
  CHECK(p.operand(9).offset == 8);
  CHECK(p.operand(10).kind == Kind::kDiscard);
}

TEST_CASE("Special registers are recognised by name unless a declaration hides them") {
  const Parsed p("mov.u32 %r1, %tid.y;");
  CHECK(p.operand(1).kind == Kind::kSpecial);
  CHECK(p.operand(1).name == "tid");
  CHECK(p.operand(1).component == 1);
  for (const char* name : {"laneid", "clock64", "globaltimer_lo", "envreg31", "pm0", "pm7_64", "lanemask_lt",
                           "cluster_ctarank", "dynamic_smem_size", "reserved_smem_offset_1"}) {
    CHECK(Parsed("mov.u32 %r1, %" + std::string(name) + ";").operand(1).name == name);
  }
  CHECK(Parsed(".reg .u32 %tid; mov.u32 %tid, 1;").operand(0).kind == Kind::kRegister);
  for (const char* name : {"envreg32", "pm8", "tidy", "envreg", "envreg1x"}) {
    CHECK_THROWS_AS(Parsed("mov.u32 %r1, %" + std::string(name) + ";"), PtxError);
  }
}

TEST_CASE("Immediates: integers, doubles, exact floats, expressions") {
  const Parsed p("x 5, -5, 5U, 1.5, -1.5, 0f3F800000, 0d3FF0000000000000, 2 * (3 + 4), WARP_SZ, .5, !0, ~0;");
  CHECK(p.operand(0).kind == Kind::kInteger);
  CHECK(p.operand(0).bits == 5);
  CHECK_FALSE(p.operand(0).unsigned_literal);
  CHECK(static_cast<std::int64_t>(p.operand(1).bits) == -5);
  CHECK(p.operand(2).unsigned_literal);
  CHECK(p.operand(3).kind == Kind::kFloat);
  CHECK(std::bit_cast<double>(p.operand(3).bits) == 1.5);
  CHECK(std::bit_cast<double>(p.operand(4).bits) == -1.5);
  CHECK(p.operand(5).kind == Kind::kFloat);
  CHECK(p.operand(5).single);
  CHECK(p.operand(5).bits == 0x3F800000);
  CHECK_FALSE(p.operand(6).single);
  CHECK(std::bit_cast<double>(p.operand(6).bits) == 1.0);
  CHECK(p.operand(7).bits == 14);
  CHECK(p.operand(8).bits == 32);
  CHECK(std::bit_cast<double>(p.operand(9).bits) == 0.5);
  CHECK(p.operand(10).bits == 1);
  CHECK(p.operand(11).bits == ~std::uint64_t{0});
}

TEST_CASE("Names of variables, parameters and functions are their addresses") {
  const Parsed p("mov.u64 g, g+4, g[2], s, s-8, q, a, f;");
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(p.operand(i).kind == Kind::kSymbol);
  }
  CHECK(p.operand(0).scope == Operand::Scope::kModule);
  CHECK(p.operand(0).number == 0);
  CHECK(p.operand(1).offset == 4);
  CHECK(p.operand(2).offset == 8);  // elements of 4 bytes
  CHECK(p.operand(3).scope == Operand::Scope::kVariables);
  CHECK(p.operand(3).number == 0);
  CHECK(p.operand(4).offset == -8);
  CHECK(p.operand(5).number == 1);
  CHECK(p.operand(6).scope == Operand::Scope::kParameters);
  CHECK(p.operand(6).number == 0);
  CHECK(p.operand(7).scope == Operand::Scope::kModule);
  CHECK(p.module->function_of(p.module->symbols[p.operand(7).number]).name == "f");
}

TEST_CASE("Addresses: a base and an offset in bytes") {
  const Parsed p("x [%rd1], [%rd1+4], [%rd1+-4], [%rd1-4], [g+4*2], [a], [s], [16], [16+16], [%rd1+0x10U], g[3];");
  const std::int64_t offsets[] = {0, 4, -4, -4, 8, 0, 0, 0, 0, 16, 12};
  for (std::size_t i = 0; i < 11; ++i) {
    INFO(i);
    CHECK(p.operand(i).kind == Kind::kAddress);
    CHECK(p.operand(i).offset == offsets[i]);
    CHECK(p.operand(i).elements.size() == 1);
  }
  CHECK(p.register_of(p.operand(0).elements[0]) == "%rd1");
  CHECK(p.operand(4).elements[0].kind == Kind::kSymbol);
  CHECK(p.operand(5).elements[0].scope == Operand::Scope::kParameters);
  CHECK(p.operand(6).elements[0].scope == Operand::Scope::kVariables);
  CHECK(p.operand(7).elements[0].bits == 16);
  CHECK(p.operand(8).elements[0].bits == 32);
}

TEST_CASE("Textures: object, sampler if there is one, coordinates") {
  const Parsed bound("tex.2d.v4.f32.f32 {%f1,%f2,%f3,_}|%p1, [t, {%f4,%f5}], {%r1,%r2}, %f6;");
  REQUIRE(bound.instruction->operands.size() == 4);
  CHECK(bound.operand(0).kind == Kind::kVector);
  REQUIRE(bound.operand(0).elements.size() == 4);
  CHECK(bound.operand(0).elements[3].kind == Kind::kDiscard);
  REQUIRE(bound.operand(0).second != nullptr);
  CHECK(bound.register_of(*bound.operand(0).second) == "%p1");
  REQUIRE(bound.operand(1).elements.size() == 2);
  CHECK(bound.operand(1).elements[0].kind == Kind::kSymbol);
  CHECK(bound.operand(1).elements[1].kind == Kind::kVector);
  const Parsed independent("tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, %rd2, {%f5}];");
  REQUIRE(independent.operand(1).elements.size() == 3);
  CHECK(independent.register_of(independent.operand(1).elements[1]) == "%rd2");
  const Parsed scalar("tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, %f5];");
  CHECK(scalar.register_of(scalar.operand(1).elements[1]) == "%f5");
  const Parsed bulk(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, 5}], [%r3];");
  REQUIRE(bulk.instruction->operands.size() == 3);
  CHECK(bulk.operand(1).elements[1].elements[1].bits == 5);
  REQUIRE(bulk.instruction->modifiers.size() == 7);
  CHECK(bulk.instruction->modifiers[6] == "mbarrier::complete_tx::bytes");
}

TEST_CASE("Two results, either of them discarded, and options after an address") {
  const Parsed pair("setp.eq.and.u32 %p1|%p2, %r1, %r2, !%p3;");
  REQUIRE(pair.operand(0).second != nullptr);
  CHECK(pair.register_of(*pair.operand(0).second) == "%p2");
  CHECK(pair.operand(3).negated);
  const Parsed first("elect.sync _|%p1, -1;");
  CHECK(first.operand(0).kind == Kind::kDiscard);
  CHECK(first.register_of(*first.operand(0).second) == "%p1");
  const Parsed second("shfl.sync.bfly.b32 %r1|_, %r2, 1, 2, 3;");
  CHECK(second.operand(0).second->kind == Kind::kDiscard);
  const Parsed option("ld.global.u32 %r1, [%rd1].unified, %rd2;");
  REQUIRE(option.instruction->operands.size() == 4);
  CHECK(option.operand(2).kind == Kind::kText);
  CHECK(option.operand(2).name == "unified");
}

TEST_CASE("Calls: lists in parentheses, or none") {
  const Parsed full("call.uni (q), f, (q, %r1, 5);");
  REQUIRE(full.instruction->operands.size() == 3);
  CHECK(full.operand(0).kind == Kind::kList);
  CHECK(full.operand(0).elements[0].scope == Operand::Scope::kVariables);
  CHECK(full.operand(1).kind == Kind::kSymbol);
  CHECK(full.operand(2).elements.size() == 3);
  CHECK(Parsed("call f;").instruction->operands.size() == 1);
  const Parsed empty("call (), f, ();");
  CHECK(empty.operand(0).elements.empty());
  CHECK(empty.operand(2).elements.empty());
  CHECK(Parsed("call f, (q);").operand(1).kind == Kind::kList);
}

TEST_CASE("Banks of constant memory are part of the modifier") {
  const Parsed p("ld.const[2].u32 %r1, [%rd1];");
  REQUIRE(p.instruction->modifiers.size() == 2);
  CHECK(p.instruction->modifiers[0] == "const[2]");
}

}  // namespace
}  // namespace warpsim::ptx
