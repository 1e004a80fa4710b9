// Listings of code whose instructions come in groups after a control word: sm_30 to sm_37 and sm_50 to sm_62.
#include <catch2/catch.hpp>
#include <sstream>

#include "base/error.h"
#include "isa/code_layout.h"
#include "isa/control_bits.h"
#include "isa/sass_listing.h"

namespace warpsim {
namespace {

StaticProgram parsed(const std::string& architecture, const std::string& body) {
  SassListingParser parser("some.sass", [](std::string_view, std::uint32_t) { return true; });
  std::istringstream stream("\tcode for " + architecture + "\n\t\tFunction : f\n" + body);
  for (std::string line; std::getline(stream, line);) {
    parser.line(line);
  }
  std::vector<StaticProgram> programs = parser.finish();
  REQUIRE(programs.size() == 1);
  return programs[0];
}

StaticInstruction decoded(const std::string& architecture, const std::string& text) {
  return parsed(architecture, "/*0008*/ " + text + " ;\n").instructions.at(0);
}

std::vector<std::uint32_t> stalls(const StaticProgram& program) {
  std::vector<std::uint32_t> found;
  for (const StaticInstruction& instruction : program.instructions) {
    found.push_back(instruction.control.stall_cycles);
  }
  return found;
}

// Words of the stall counts 1, 0, 2 and 3, 0, 4, without yields, barriers and waits: fields of 0x7f0 and the count, or
// 0x7f1 + (0x7f0 << 21) + (0x7f2 << 42) and 0x7f3 + (0x7f0 << 21) + (0x7f4 << 42).
#define WORD_102 "                                  /* 0x001fc800fe0007f1 */\n"
#define WORD_304 "                                  /* 0x001fd000fe0007f3 */\n"
// The same with a last count of 0, 0x7f0 << 42: the pair crosses the end of the group.
#define WORD_100 "                                  /* 0x001fc000fe2007f1 */\n"

}  // namespace

TEST_CASE("Grouped listing: every field of a control word of sm_61") {
  // Slot 0: stall 6, no yield, no barriers, reuse of slot A        = 6 + 0x10 + 0xe0 + 0x700 + 0x20000 = 0x207f6
  // Slot 1: stall 0, no yield, no barriers                         = 0x10 + 0xe0 + 0x700               = 0x007f0
  // Slot 2: stall 2, yield, barriers 1 and 2, waits for 0 and 5    = 2 + 0x20 + 0x200 + 0x10800        = 0x10a22
  // 0x207f6 + (0x7f0 << 21) + (0x10a22 << 42) = 0x04288800fe0207f6
  const StaticProgram program = parsed("sm_61", R"sass(
                                                        /* 0x04288800fe0207f6 */
        /*0008*/                   IADD R4, R2.reuse, R3 ;  /* 0x0000000000000001 */
        /*0010*/         {         IADD R5, R2, R3 ;        /* 0x0000000000000002 */
        /*0018*/                   LDG.E R6, [R8]         }
                                                        /* 0x0000000000000003 */
)sass");
  CHECK(program.has_listing);
  CHECK(program.has_control);
  CHECK(program.instruction_bytes == 8);
  REQUIRE(program.instructions.size() == 3);
  CHECK(program.text[2] == "LDG.E R6, [R8]");

  const ControlBits& first = program.instructions[0].control;
  CHECK(first.stall_cycles == 6);
  CHECK_FALSE(first.yield);
  CHECK(first.write_barrier == kNoBarrier);
  CHECK(first.read_barrier == kNoBarrier);
  CHECK(first.wait_mask == 0);
  CHECK(first.reuse_mask == 0b0001);
  CHECK(program.instructions[1].control == ControlBits{});
  const ControlBits& third = program.instructions[2].control;
  CHECK(third.stall_cycles == 2);
  CHECK(third.yield);
  CHECK(third.write_barrier == 1);
  CHECK(third.read_barrier == 2);
  CHECK(third.wait_mask == 0b100001);
  CHECK(third.reuse_mask == 0);
}

TEST_CASE("Grouped listing: offsets of sm_50 to sm_62 count the control words") {
  const std::vector<std::uint32_t> offsets = {0x08, 0x10, 0x18, 0x28, 0x30, 0x38, 0x48};
  for (std::uint32_t i = 0; i < offsets.size(); ++i) {
    CHECK(code_layout_of(61).offset(i) == offsets[i]);
    CHECK(maxwell_control_word(offsets[i]) == i / 3 * 4);
    CHECK(maxwell_control_slot(offsets[i]) == i % 3);
  }
  CHECK_FALSE(is_maxwell_instruction_offset(0x20));
  CHECK_FALSE(is_maxwell_instruction_offset(0x24));
}

TEST_CASE("Code layout: bytes of a program with its scheduling words") {
  CHECK(code_layout_of(13).size(5) == 40);
  CHECK(code_layout_of(35).size(7) == 64);
  CHECK(code_layout_of(35).size(8) == 80);
  CHECK(code_layout_of(61).size(3) == 32);
  CHECK(code_layout_of(61).size(4) == 48);
  CHECK(code_layout_of(90).size(3) == 48);
  CHECK(code_layout_of(61).size(0) == 0);
}

TEST_CASE("Grouped listing: control words of sm_50 to sm_62 in all printed forms of pairs") {
  const std::string pair_in_group = WORD_102
      "/*0008*/ MOV R1, c[0x0][0x20] ;  /* 0x4c98078000870001 */\n"
      "/*0010*/ { IADD R2, R1, R3 ;     /* 0x5c10000000370102 */\n"
      "/*0018*/ LDG.E R0, [R2]         }\n"
      "                                 /* 0xeed4200000070200 */\n" WORD_304
      "/*0028*/ @P0 EXIT ;  /* 0xe30000000000000f */\n"
      "/*0030*/ { NOP ;                 /* 0x50b0000000070f00 */\n"
      ".L_1:\n"
      "/*0038*/ NOP;        }           /* 0x50b0000000070f00 */\n";
  CHECK(stalls(parsed("sm_52", pair_in_group)) == std::vector<std::uint32_t>{1, 0, 2, 3, 0, 4});

  const std::string head = WORD_100 "/*0008*/ NOP ; /* 0x1 */\n/*0010*/ NOP ; /* 0x2 */\n/*0018*/ { NOP ; /* 0x3 */\n";
  const std::string tail = "/*0030*/ NOP ; /* 0x5 */\n/*0038*/ NOP ; /* 0x6 */\n";
  const std::vector<std::uint32_t> expected = {1, 1, 0, 3, 0, 4};
  // The second of the pair, 0x28, has the control word above it and its encoding below.
  CHECK(stalls(parsed("sm_61", head + WORD_304 "/*0028*/ STG.E [R2], R4 }\n.L_1:\n/* 0x4 */\n" + tail)) == expected);
  // Older versions print the control word in its line.
  CHECK(stalls(parsed("sm_50", head + "/*0028*/ STL [R2], R0; } /* 0x001fd000fe0007f3 */\n/* 0x4 */\n" + tail)) ==
        expected);
}

TEST_CASE("Grouped listing: DEPBAR waits for its operand's counters and its control bits'") {
  // 0x7f1 with a wait for counter 1, 1 << 12.
  const StaticProgram program = parsed("sm_60", "/* 0x17f1 */\n/*0008*/ DEPBAR.LE SB5, 0x3, {2,0} ; /* 0x0 */\n");
  CHECK(program.instructions[0].control.wait_mask == 0b000111);
  CHECK(program.instructions[0].depbar_counter == 5);
  CHECK(program.instructions[0].immediate == 3);
}

TEST_CASE("Grouped listing: a listing of sm_50 to sm_62 without encodings has no control bits") {
  const StaticProgram program = parsed("sm_61", "/*0008*/ NOP ;\n/*0010*/ { NOP ;\n/*0018*/ EXIT }\n");
  CHECK_FALSE(program.has_control);
  CHECK(program.text == std::vector<std::string>{"NOP", "NOP", "EXIT"});
}

TEST_CASE("Grouped listing: encodings that do not fill the groups are an error with file and line") {
  struct Case {
    const char* body;
    const char* message;
  };
  const Case cases[] = {
      {"/*0008*/ NOP ; /* 0x0 */\n/*0010*/ EXIT ; /* 0x0 */\n",
       "some.sass:5: f has 2 encodings up to offset 0x0010; expected 3, a control word before every three "
       "instructions, "
       "or no encodings at all"},
      {"/* 0x0 */\n/*0008*/ NOP ; /* 0x0 */\n/* 0x0 */\n/*0010*/ EXIT ; /* 0x0 */\n",
       "some.sass:7: f has 4 encodings up to offset 0x0010; expected 3, a control word before every three "
       "instructions, "
       "or no encodings at all"},
      {"/*0020*/ NOP ; /* 0x0 */\n/* 0x0 */\n/* 0x0 */\n/* 0x0 */\n/* 0x0 */\n",
       "some.sass:8: f has an instruction at offset 0x0020; expected a control word there"},
      {"/*0008*/ NOP\n", "some.sass:3: expected ';' at the end of the instruction"},
  };
  for (const Case& c : cases) {
    INFO(c.body);
    CHECK_THROWS_MATCHES(parsed("sm_61", c.body), TraceError, Catch::Message(c.message));
  }
}

TEST_CASE("Grouped listing: the control words of sm_30 to sm_37, before seven instructions, are skipped") {
  std::ostringstream body;
  body << std::hex;
  for (std::uint32_t pc = 0; pc < 0x60; pc += 8) {
    if (pc % 64 == 0) {
      body << "      /* 0x08b8b8b8b8b8b8b8 */\n";
    } else {
      body << "      /*00" << (pc < 16 ? "0" : "") << pc << "*/  IADD R4, R5, R6;  /* 0xe0800000031c1412 */\n";
    }
  }
  for (const char* architecture : {"sm_30", "sm_35", "sm_37"}) {
    const StaticProgram program = parsed(architecture, body.str());
    CHECK_FALSE(program.has_control);
    CHECK(program.instruction_bytes == 8);
    REQUIRE(program.instructions.size() == 10);
    CHECK(program.instructions[6].pc == 0x38);
    CHECK(program.instructions[7].pc == 0x48);
    CHECK(program.instructions[7].control == ControlBits{});
  }
}

TEST_CASE("Grouped listing: sm_20 and sm_21 have no control words") {
  const StaticProgram program = parsed("sm_21",
                                       "/*0000*/ MOV R1, c[0x1][0x100]; /* 0x2800440400005de4 */\n"
                                       "/*0008*/ EXIT; /* 0x8000000000001de7 */\n");
  CHECK_FALSE(program.has_control);
  CHECK(program.instructions.size() == 2);
  CHECK(program.instructions[1].pc == 8);
}

TEST_CASE("Grouped listing: operands of code before sm_70") {
  const StaticInstruction add = decoded("sm_61", "@!P1 IADD.X R4, R4.reuse, -c[0x0][0x144]");
  CHECK(add.guard == 1);
  CHECK(add.destinations[0] == RegisterRange{4, 1});
  CHECK(add.sources[0] == RegisterRange{4, 1});
  CHECK(add.has_constant_operand);
  CHECK(add.constant_offset == 0x144);

  // XMAD's constants have a blank between bank and offset.
  for (const char* constant : {"c[0x2] [0x8].H1", "-c[0x2] [0x8]", "c [0x2] [0x8]"}) {
    INFO(constant);
    const StaticInstruction xmad = decoded("sm_52", std::string("XMAD.MRG R3, R0.H1, ") + constant + ", R7");
    CHECK(xmad.has_constant_operand);
    CHECK(xmad.constant_bank == 2);
    CHECK(xmad.constant_offset == 8);
    CHECK(xmad.destinations[0] == RegisterRange{3, 1});
    CHECK(xmad.sources[0] == RegisterRange{0, 1});
    CHECK(xmad.sources[2] == RegisterRange{7, 1});
  }

  const StaticInstruction compare = decoded("sm_50", "ISETP.GE.AND P0, PT, R0, c[0x0][0x158], P2");
  CHECK(compare.predicate_destinations == 0b0001);
  CHECK(compare.predicate_sources == 0b0100);

  const StaticInstruction load = decoded("sm_35", "LD.E.64 R4, [R2+0x10]");
  CHECK(load.destinations[0] == RegisterRange{4, 2});
  CHECK(load.sources[0] == RegisterRange{2, 2});

  CHECK(decoded("sm_30", "LDC R4, c[0x0][R2+0x20]").kind == OpKind::kConstantLoad);
  CHECK(decoded("sm_61", "@P0 BRA 0x478").immediate == 0x478);
}

}  // namespace warpsim
