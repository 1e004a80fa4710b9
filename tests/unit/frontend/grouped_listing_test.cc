// Traces of code with control words and listings of it, from the files to the behaviour of the GPU.
#include <catch2/catch.hpp>

#include "frontend/accelsim/accelsim_reader.h"
#include "isa/code_layout.h"
#include "isa/control_bits.h"
#include "stats/database.h"
#include "support/program.h"
#include "unit/frontend/accelsim_text.h"

namespace warpsim {
namespace {

std::string trace_of(const std::string& architecture) {
  std::string header = test::accelsim_header();
  const std::string from = "-binary version = 80";
  header.replace(header.find(from), from.size(), "-binary version = " + architecture);
  return header + test::thread_block("0,0,0",
                                     "warp = 0\ninsts = 6\n"
                                     "0008 ffffffff 1 R1 MOV 0 0 0 \n"
                                     "0010 ffffffff 1 R4 IADD 2 R2 R3 0 0 \n"
                                     "0018 ffffffff 1 R5 LDG.E 1 R8 4 1 0x7f2000000000 4 0 \n"
                                     "0028 ffffffff 1 R6 IADD 2 R4 R5 0 0 \n"
                                     "0030 ffffffff 0 STG.E 2 R8 R6 4 1 0x7f2000000000 4 0 \n"
                                     "0038 ffffffff 0 EXIT 0 0 0 \n");
}

// Slots of the first word: stall 15; no stall (0x7f0) or one (0x7f1); stall 1 and write barrier 0 (0x711).
// Of the second: stall 6 with a wait for counter 0 (0xff6); stall 1 (0x7f1); stall 15 (0x7ff).
constexpr const char* kPair = "0x001c4400fe0007ff";
constexpr const char* kNoPair = "0x001c4400fe2007ff";
std::string listing_of(const std::string& first_word) {
  return "\tcode for sm_61\n\t\tFunction : twice\n"
         "                                   /* " +
         first_word +
         " */\n"
         "  /*0008*/        MOV R1, c[0x0][0x20] ;  /* 0x4c98078000870001 */\n"
         "  /*0010*/     {  IADD R4, R2, R3 ;       /* 0x5c10000000370204 */\n"
         "  /*0018*/        LDG.E R5, [R8]         }\n"
         "                                          /* 0xeed4200000070805 */\n"
         "                                          /* 0x001ffc00fe200ff6 */\n"
         "  /*0028*/        IADD R6, R4, R5 ;       /* 0x5c10000000570406 */\n"
         "  /*0030*/        STG.E [R8], R6 ;        /* 0xeedc200000070806 */\n"
         "  /*0038*/        EXIT ;                  /* 0xe30000000007000f */\n";
}

std::int64_t pairs_issued(const std::string& first_word) {
  const TemporaryFolder folder;
  const std::string trace = folder.write("kernel-1.traceg", trace_of("61"));
  folder.write("kernel.sass", listing_of(first_word));
  const test::ProgramOutcome outcome = test::run_program("run " + trace + " --gpu gtx1080 --out " + folder.at("r.db"));
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  const Database database(folder.at("r.db"), Database::Mode::kReadOnly);
  return database.integer("SELECT coalesce(sum(value), 0) FROM counters WHERE name = 'pairs_issued'");
}

}  // namespace

TEST_CASE("A trace of sm_61 finds the control bits of its PCs in its listing") {
  const TemporaryFolder folder;
  const std::string trace = folder.write("kernel-1.traceg", trace_of("61"));
  folder.write("kernel.sass", listing_of(kPair));
  const AccelsimKernel kernel = open_accelsim_kernel(trace, "");
  const StaticProgram& program = *kernel.launch.program;
  CHECK(program.architecture == 61);
  CHECK(program.has_control);
  BlockTrace block;
  kernel.blocks->read(0, block);
  REQUIRE(block.instructions.size() == 6);
  for (std::uint32_t i = 0; i < 6; ++i) {
    CHECK(block.instructions[i].index == i);
    CHECK(program.instructions[i].pc == code_layout_of(61).offset(i));
  }
  CHECK(program.instructions[1].control.stall_cycles == 0);
  CHECK(program.instructions[2].control.write_barrier == 0);
  CHECK(program.instructions[3].control.wait_mask == 1);
  CHECK(program.instructions[3].control.stall_cycles == 6);
}

TEST_CASE("Control bits of sm_61 are kept by the native format") {
  const TemporaryFolder folder;
  const std::string trace = folder.write("in/kernel-1.traceg", trace_of("61"));
  folder.write("in/kernelslist.g", "kernel-1.traceg\n");
  folder.write("in/kernel.sass", listing_of(kPair));
  REQUIRE(test::run_program("convert " + folder.at("in") + " " + folder.at("k.wtrace")).code == 0);
  REQUIRE(test::run_program("convert " + folder.at("k.wtrace") + " " + folder.at("out")).code == 0);
  const StaticProgram before = *open_accelsim_kernel(trace, "").launch.program;
  const StaticProgram after = *open_accelsim_kernel(folder.at("out/kernel-1.traceg"), "").launch.program;
  CHECK(after == before);
}

TEST_CASE("A GPU of 6.1 issues the pairs that the control words of a listing mark") {
  CHECK(pairs_issued(kPair) == 1);
  CHECK(pairs_issued(kNoPair) == 0);
}

TEST_CASE("A GPU of 3.5 runs a trace with a listing whose control words contain no dependences") {
  const TemporaryFolder folder;
  const std::string trace = folder.write("kernel-1.traceg", trace_of("35"));
  folder.write("kernel.sass",
               "\tcode for sm_35\n\t\tFunction : twice\n"
               "                                  /* 0x0880b8b0a0a08cac */\n"
               "  /*0008*/  MOV R1, c[0x0][0x44];  /* 0x64c03c00089c0006 */\n"
               "  /*0010*/  IADD R4, R2, R3;       /* 0xe0800000019c0812 */\n"
               "  /*0018*/  LDG.E R5, [R8];        /* 0x600210847f9c2015 */\n"
               "  /*0020*/  NOP;                   /* 0x85800000001c3c02 */\n"
               "  /*0028*/  IADD R6, R4, R5;       /* 0xe0800000029c101a */\n"
               "  /*0030*/  STG.E [R8], R6;        /* 0xe4800000001c2018 */\n"
               "  /*0038*/  EXIT;                  /* 0x18000000001c003c */\n"
               "                                  /* 0x08000000000000b8 */\n"
               "  /*0048*/  BRA 0x48;              /* 0x12007ffffc1c003c */\n");
  const StaticProgram program = *open_accelsim_kernel(trace, "").launch.program;
  CHECK(program.has_listing);
  CHECK_FALSE(program.has_control);
  CHECK(program.instructions.back().pc == 0x48);
  const test::ProgramOutcome outcome = test::run_program("run " + trace + " --gpu k40 --out " + folder.at("r.db"));
  INFO(outcome.err);
  CHECK(outcome.code == 0);
}

}  // namespace warpsim
