#include "ptx/function_parser.h"

#include <catch2/catch.hpp>

#include "unit/ptx/parse.h"

namespace warpsim::ptx {
namespace {

TEST_CASE("Parameters of a kernel: types, alignment, what pointers point to") {
  const auto module = parse(
      ".visible .entry k(.param .align 8 .b8 a[20], .param .u64 .ptr .global .align 16 b, .param .u64 .ptr c, .param "
      ".texref t)\n{ ret; }");
  const Function& k = kernel_of(*module);
  REQUIRE(k.parameters.size() == 4);
  CHECK(k.parameters[0].bytes() == 20);
  CHECK(k.parameters[0].alignment == 8);
  CHECK(k.parameters[1].pointer_space == StateSpace::kGlobal);
  CHECK(k.parameters[1].pointer_alignment == 16);
  CHECK(k.parameters[1].alignment == 8);
  CHECK(k.parameters[2].pointer_space == StateSpace::kGeneric);
  CHECK(k.parameters[2].pointer_alignment == 0);
  CHECK(k.parameters[3].type == DataType::kTextureReference);
  CHECK(k.has_body);
  CHECK(k.place.column == 17);
}

TEST_CASE("Launch bounds") {
  const auto module = parse(
      ".entry k .maxntid 256, 2 .minnctapersm 3 .maxnreg 40 .pragma \"nounroll\"; { ret; }\n"
      ".entry l() .reqntid 16, 8, 4 .reqnctapercluster 2 .explicitcluster .maxclusterrank 8 .blocksareclusters { ret; "
      "}");
  const LaunchBounds& k = kernel_of(*module).bounds;
  CHECK(k.most_threads[0] == 256);
  CHECK(k.most_threads[1] == 2);
  CHECK(k.most_threads[2] == 1);
  CHECK(k.required_threads[0] == 0);
  CHECK(k.least_blocks == 3);
  CHECK(k.most_registers == 40);
  const LaunchBounds& l = module->find_function("l")->bounds;
  CHECK(l.required_threads[2] == 4);
  CHECK(l.cluster_blocks[0] == 2);
  CHECK(l.cluster_blocks[1] == 1);
  CHECK(l.explicit_cluster);
  CHECK(l.most_cluster_blocks == 8);
}

TEST_CASE("Device functions: results and parameters in .param or in registers") {
  const auto module = parse(
      ".visible .func (.param .b32 r) f(.param .b32 a) .noreturn .abi_preserve 4 { st.param.b32 [r], 1; }\n"
      ".func (.reg .u32 s) g(.reg .u32 b, .param .align 4 .b8 c[]) { .reg .u32 %r<3>; add.u32 s, b, %r1; }\n"
      ".extern .func .attribute(.unified(1, 2)) h(.param .b32 _, .param .b32 _);");
  const Function& f = *module->find_function("f");
  CHECK(f.no_return);
  CHECK_FALSE(f.is_entry);
  CHECK(f.body[0].operands[0].elements[0].scope == Operand::Scope::kReturns);
  const Function& g = *module->find_function("g");
  REQUIRE(g.registers.size() == 3);
  CHECK(g.registers[0].name == "s");
  CHECK(g.registers[1].name == "b");
  CHECK(g.body[0].operands[1].number == 1);
  CHECK(g.parameters[1].elements == 0);
  const Function& h = *module->find_function("h");
  CHECK(h.linkage == Linkage::kExtern);
  CHECK_FALSE(h.has_body);
  CHECK(module->find_function("i") == nullptr);
}

TEST_CASE("The declaration with a body replaces the others") {
  const auto module = parse(
      ".visible .func f(.param .b32 a);\n.func f(.param .b32 b);\n.func f(.param .b32 c) { call f, (c); }\n.func "
      "f(.param .b32 d);");
  REQUIRE(module->functions.size() == 1);
  const Function& f = module->functions[0];
  CHECK(f.has_body);
  CHECK(f.parameters[0].name == "c");
  CHECK(f.linkage == Linkage::kVisible);
  CHECK(f.body[0].operands[0].number == 0);
}

TEST_CASE("An alias refers to its function") {
  const auto module = parse(".func f() { ret; }\n.func g();\n.alias g, f;\n" + in_kernel("call g;"));
  CHECK(module->find_function("g") == module->find_function("f"));
  const Operand& called = kernel_of(*module).body[0].operands[0];
  CHECK(module->function_of(module->symbols[called.number]).name == "f");
}

TEST_CASE("Directives before the functions") {
  const auto module = parse_module(
      "// head\n.version 7.8\n.target sm_90a, debug, texmode_independent\n.address_size 32\n.pragma \"x\";\n"
      ".section .debug_str { $L: .b8 0, 1 .b64 $L+4 }\n@@DWARF .section .debug_info, \"\", @progbits\n.file 1 "
      "\"a.cu\"\n",
      "t.ptx");
  CHECK(module->file == "t.ptx");
  CHECK(module->version == 78);
  CHECK(module->target == 90);
  CHECK(module->architecture_specific);
  REQUIRE(module->target_options.size() == 2);
  CHECK(module->target_options[1] == "texmode_independent");
  CHECK(module->address_bits == 32);
  CHECK(parse_module(".version 2.0\n.target sm_20", "t.ptx")->target == 20);
  CHECK_FALSE(parse_module(".version 8.8\n.target sm_100f", "t.ptx")->architecture_specific);
  CHECK(parse_module(".version 8.0\n.target compute_90", "t.ptx")->target == 90);
}

}  // namespace
}  // namespace warpsim::ptx
