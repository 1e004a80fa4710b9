#include "codegen/code_generator.h"

#include <catch2/catch.hpp>

#include "codegen/emitter.h"
#include "codegen/instruction_rows.h"
#include "isa/opcode_table.h"
#include "ptx/ptx_error.h"
#include "unit/codegen/generate.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

using Lines = std::vector<std::string>;

TEST_CASE("an index, a load and a store become the instructions of a compiler") {
  const Generated made = generate(
      "ld.param.u64 %rd1, [a]; ld.param.u32 %r4, [n]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, "
      "%tid.x; "
      "mad.lo.s32 %r1, %r1, %r2, %r3; setp.ge.s32 %p1, %r1, %r4; @%p1 bra end; cvta.to.global.u64 %rd2, %rd1; "
      "mul.wide.s32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3; ld.global.f32 %f1, [%rd4]; add.f32 %f2, %f1, 0f3F800000; "
      "st.global.f32 [%rd4+16], %f2; end: ret;",
      true);
  CHECK(made.text() == Lines{"S2R R0, SR_CTAID.X", "S2R R3, SR_TID.X", "ULDC UR6, c[0x0][0x0]",
                             "ULDC UR7, c[0x0][0x220]", "IMAD R0, R0, UR6, R3", "ISETP.GE.AND P0, PT, R0, UR7, PT",
                             "@P0 EXIT", "LDC.64 R2, c[0x0][0x210]", "IMAD.WIDE R2, R0, 0x4, R2",
                             "LDG.E R0, desc[UR4][R2.64]", "FADD R0, R0, 1", "STG.E desc[UR4][R2.64+0x10], R0",
                             "EXIT"});
  CHECK(made.code.registers_per_thread == 16);
}

TEST_CASE("every PTX instruction has a place, folded ones an empty one") {
  const Generated made = generate(
      "ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 8; add.s64 %rd3, %rd1, %rd2; "
      "ld.global.u64 %rd4, [%rd3]; st.global.u64 [%rd3], %rd4; ret;");
  const std::vector<MachinePlace>& places = made.code.places[0];
  REQUIRE(places.size() == made.function().body.size() + 1);
  // The index is folded into the address, which is issued with the load of the parameter.
  CHECK(places[2].count == 0);
  CHECK(places[3].count == 0);
  std::uint32_t next = 0;
  for (const MachinePlace& place : places) {
    CHECK(place.first == next);
    CHECK((place.count == 0 || place.effect < place.count));
    next += place.count;
  }
  CHECK(next == made.code.program->instructions.size());
}

TEST_CASE("machine instructions have the line of their source, or of the PTX") {
  const std::string text = kernel_text(
      "ld.param.u64 %rd1, [a];\n.loc 2 17 5\nld.global.u32 %r1, [%rd1];\nadd.s32 %r2, %r1, 7;\n.loc 1 3 1\n"
      "st.global.u32 [%rd1], %r2;\nret;",
      ".file 1 \"a.cu\"\n.file 2 \"inc/b.h\"\n");
  const auto module = ptx::parse_module(text, "k.ptx");
  const MachineCode code = generate_code(*module, 0);
  const StaticProgram& program = *code.program;
  REQUIRE(program.source_lines.size() == program.instructions.size());
  const auto source_of = [&](const std::string& opcode) {
    for (std::size_t i = 0; i < program.text.size(); ++i) {
      if (program.text[i].starts_with(opcode)) {
        const SourceLine& source = program.source_lines[i];
        return program.source_files.at(source.file) + ":" + std::to_string(source.line);
      }
    }
    return std::string("none");
  };
  CHECK(source_of("LDG") == "inc/b.h:17");
  CHECK(source_of("IADD3") == "inc/b.h:17");
  CHECK(source_of("STG") == "a.cu:3");
  CHECK(source_of("LDC.64") == "k.ptx:8");
}

TEST_CASE("all machine instructions of all rows are in the opcode table") {
  for (const codegen::InstructionRow& row : codegen::instruction_rows()) {
    codegen::Emitter emitter(false);
    // All alternatives: each expansion takes the next one.
    for (int turn = 0; turn < 5; ++turn) {
      emitter.expand(row.sequence, [](char, std::uint8_t) { return codegen::text_operand("R2"); });
    }
    for (const codegen::MachineInstruction& made : emitter.code) {
      INFO(row.opcode << ": " << made.opcode);
      StaticInstruction instruction;
      CHECK(classify(made.opcode, 90, instruction));
    }
  }
}

TEST_CASE("the effect of an atomic, a barrier and a clock is at the observable instruction") {
  const Generated made = generate(
      "ld.param.u64 %rd1, [a]; setp.eq.u32 %p1, %r1, 0; atom.global.add.u32 %r2, [%rd1], 5; "
      "bar.red.popc.u32 %r3, 0, %p1; mov.u32 %r4, %clock; st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r4}; ret;");
  const auto effect = [&](std::size_t i) {
    const MachinePlace& place = made.code.places[0][i];
    const std::string& text = made.code.program->text[place.first + place.effect];
    return text.substr(0, text.find(' '));
  };
  CHECK(effect(2) == "ATOMG.E.ADD.STRONG.GPU");
  CHECK(effect(3) == "BAR.RED.POPC.DEFER_BLOCKING");
  CHECK(effect(4) == "CS2R.32");
  CHECK(effect(5) == "STG.E.128");
  CHECK(made.code.places[0][3].count == 2);  // B2R.RESULT after it
}

TEST_CASE("functions that a kernel reaches follow it, others are omitted") {
  const std::string functions =
      ".func (.reg .u32 %out) used(.reg .u32 %in) { add.u32 %out, %in, 1; ret; }\n"
      ".func (.reg .u32 %out) unused(.reg .u32 %in) { add.u32 %out, %in, 2; ret; }\n";
  const Generated made = generate("call (%r1), used, (%r2); ret;", false, 90, functions);
  CHECK_FALSE(made.code.places[0].empty());
  CHECK(made.code.places[1].empty());
  CHECK(made.code.places[0].front().first > made.code.places[2].front().first);
}

TEST_CASE("code for architectures before 7.5 is that of 7.5, without descriptors") {
  const std::string body = "ld.param.u64 %rd1, [a]; ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd1], %r1; ret;";
  CHECK(generate(body, false, 61).code.program->architecture == 75);
  CHECK(generate(body, false, 75).text()[2] == "LDG.E R0, [R2.64]");
  CHECK(generate(body, false, 80).text()[2] == "LDG.E R0, desc[UR4][R2.64]");
}

TEST_CASE("the number of registers is the maximum of live values") {
  // Sixteen loads whose values are all needed at the end.
  std::string body = "ld.param.u64 %rd1, [a];\n";
  for (int i = 0; i < 30; ++i) {
    body += "ld.global.u32 %r" + std::to_string(i) + ", [%rd1+" + std::to_string(4 * i) + "];\n";
  }
  for (int i = 29; i > 0; --i) {
    body += "xor.b32 %r" + std::to_string(i - 1) + ", %r" + std::to_string(i) + ", %r" + std::to_string(i - 1) + ";\n";
  }
  const Generated made = generate(body + "st.global.u32 [%rd1], %r0; ret;");
  CHECK(made.code.registers_per_thread >= 32);
  CHECK(made.code.registers_per_thread <= 34);
}

}  // namespace
