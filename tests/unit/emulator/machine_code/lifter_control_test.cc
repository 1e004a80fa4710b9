// Branches, barriers and calls of machine code, and instructions that are refused.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "emulator/machine_code/lifter.h"
#include "unit/emulator/machine_code/lifted_word.h"

using namespace warpsim;
using namespace warpsim::test;
using Catch::Matchers::Contains;

namespace {

std::string refusal(std::uint32_t architecture, const std::string& text, std::uint64_t address = 0) {
  try {
    return "accepted: " + lifted(architecture, text, address);
  } catch (const UntranslatedInstruction& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("lifter: branches lead to labels, and their targets are remembered", "[machine_code]") {
  Lifter lifter = lifter_for(90);
  const sass::Decoder decoder(90);
  CHECK(lifter.lift(decoder.decode({0x0000000000240947, 0x0000000003800000}, 0x90)) == "@%p0 bra L304;");
  CHECK(lifter.lift(decoder.decode({0xfffffffc00fc7947, 0x000000000383ffff}, 0x340)) == "bra L832;");
  CHECK(lifter.targets() == std::set<std::uint64_t>{0x130, 0x340});
  CHECK_FALSE(lifter.has_computed_targets());
  CHECK(Lifter::label(0x340) == "L832");
}

TEST_CASE("lifter: a call is a branch, and a return is one to a computed address", "[machine_code]") {
  Lifter lifter = lifter_for(90);
  const sass::Decoder decoder(90);
  CHECK(lifter.lift(decoder.decode({0x0000000000247944, 0x0000000003c00000}, 0x2e0)) == "bra L896;");
  CHECK_FALSE(lifter.has_computed_targets());
  // RET.REL.NODEC R4 0x0 at 0x3d0: its displacement is counted from 0x3e0.
  const std::string back = lifter.lift(decoder.decode({0xfffffffc04087950, 0x0000000003c3ffff}, 0x3d0));
  CHECK(back == "add.u32 %t0, %r4, 0; shr.u32 %t0, %t0, 4; brx.idx %t0, all_instructions;");
  CHECK(lifter.has_computed_targets());
  CHECK(lifter.lift(decoder.decode({0xfffffffc02a07949, 0x000000000383ffff}, 0x170)) ==
        "add.u32 %t0, %r2, 0; shr.u32 %t0, %t0, 4; brx.idx %t0, all_instructions;");
}

TEST_CASE("lifter: a call of the driver's functions chooses by address", "[machine_code]") {
  const std::string text = lifted_word(75, {0x0000000002007343, 0x0000000003c00000}, 0x110);
  CHECK_THAT(text, Catch::StartsWith("mov.b64 %s0, {%r2, %r3}; setp.ne.u32 %q0, 0, 0; setp.ge.u64 %q0, %s0, "));
  CHECK_THAT(text, Contains("@%q0 sass.nocode;"));
  // Other addresses are those of code.
  CHECK_THAT(text, Catch::EndsWith("brx.idx %t0, all_instructions;"));
  for (const SystemFunction& function : system_functions()) {
    INFO(function.name);
    CHECK_THAT(text, Contains(fmt::format("{:#x}", system_function_address(function.name))));
    CHECK(system_function_address(function.name) != 0);
  }
  CHECK(system_function_address("printf") == 0);
  CHECK(system_function_address("malloc") != system_function_address("free"));
}

TEST_CASE("lifter: jumps to functions outside of the kernel's code skip the addresses between", "[machine_code]") {
  Lifter lifter = lifter_for(90);
  lifter.set_functions(0x380);
  const std::string back = lifter.lift(sass::Decoder(90).decode({0xfffffffc04087950, 0x0000000003c3ffff}, 0x3d0));
  // 0x380 - 0x40000000.
  CHECK(back ==
        "add.u32 %t0, %r4, 0; setp.ge.u32 %q0, %t0, 1073741824; selp.s32 %t1, -1073740928, 0, %q0; "
        "add.u32 %t0, %t0, %t1; shr.u32 %t0, %t0, 4; brx.idx %t0, all_instructions;");
}

TEST_CASE("lifter: an immediate value that is an address is in a register", "[machine_code]") {
  Lifter lifter = lifter_for(80);
  const sass::Decoder decoder(80);
  // IMAD.MOV.U32 R4, RZ, RZ, 0x0.
  CHECK(lifter.lift(decoder.decode({0x00000000ff047424, 0x00000000078e00ff}, 0), "%a7") == "mov.b32 %r4, %a7;");
}

TEST_CASE("lifter: convergence barriers are sets of lanes", "[machine_code]") {
  CHECK(lifted_word(90, {0x0000006000007945, 0x0000000003800000}, 0xb0) == "sass.bssy %b0;");
  CHECK(lifted(80, "BSYNC B6") == "sass.bsync %b6;");
  CHECK(lifted(80, "@P0 BREAK B2") == "@%p0 sass.break %b2;");
  CHECK(lifted(80, "BMOV.32.CLEAR R0, B6") == "sass.frombar %r0, %b6; sass.clear %b6;");
  CHECK(lifted(75, "BMOV.32.CLEAR RZ, B1") == "sass.clear %b1;");
  CHECK(lifted(80, "BMOV.32 B7, R3") == "sass.tobar %b7, %r3;");
  CHECK(lifted(90, "YIELD") == "sass.yield;");
  CHECK(lifted(90, "WARPSYNC.ALL") == "sass.bsync.all %all_lanes;");
  CHECK(lifted(75, "WARPSYNC 0xffffffff") == "sass.bsync.all %all_lanes;");
  CHECK(lifted(90, "WARPSYNC R8") == "bar.warp.sync %r8;");
}

TEST_CASE("lifter: dependent kernels, under the guard", "[machine_code]") {
  CHECK(lifted(90, "@P1 PREEXIT") == "@%p1 griddepcontrol.launch_dependents;");
  CHECK(lifted(90, "ACQBULK") == "griddepcontrol.wait;");
}

TEST_CASE("lifter: barriers of the block keep their number", "[machine_code]") {
  CHECK(lifted(75, "BAR.SYNC.DEFER_BLOCKING 0x0") == "barrier.sync 0;");
  CHECK(lifted(90, "B2R.RESULT RZ, P2") == "mov.pred %p2, %barrier_vote;");
  CHECK(lifted(86, "DEPBAR.LE SB0, 0x1") == "cp.async.wait_group 1;");
  CHECK(lifted(80, "LDGDEPBAR") == "cp.async.commit_group;");
  CHECK(lifted(75, "BPT.TRAP 0x1") == "trap;");
}

TEST_CASE("lifter: an instruction that is not supported is named with its address and the reason", "[machine_code]") {
  CHECK(refusal(86, "ATOM.E.ARRIVE.64.STRONG.SM PT, R12, [R12.64+URZ]")
            .starts_with("machine instruction at 0x0000, ATOM.E.ARRIVE.64.STRONG.SM PT, R12, [R12.64+URZ]: "));
  CHECK_THAT(refusal(86, "CS2R.32 R5, SR_PM2"),
             Catch::EndsWith("CS2R.32 R5, SR_PM2: this special register is not supported"));
}
