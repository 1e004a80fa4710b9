#include "frontend/accelsim/trace_text.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "base/error.h"
#include "frontend/workload/workload.h"
#include "isa/sass_decode.h"
#include "support/invented_trace.h"

namespace warpsim {
namespace {

std::shared_ptr<StaticProgram> listed_program() {
  auto program = std::make_shared<StaticProgram>();
  program->function = "twice";
  program->architecture = 90;
  program->has_listing = true;
  program->has_control = true;
  for (const char* text : {"S2R R2, SR_TID.X", "LDG.E.64 R4, desc[UR4][R2.64]", "@!P0 STG.E desc[UR4][R6.64], R5",
                           "DEPBAR.LE SB1, 0x2", "EXIT"}) {
    StaticInstruction& instruction = program->instructions.emplace_back();
    decode_sass(text, 90, program->opcodes, instruction);
    instruction.pc = static_cast<std::uint32_t>(16 * program->text.size());
    instruction.has_control = true;
    instruction.control = {static_cast<std::uint8_t>(program->text.size()), true, 0, 2, 0x21, 1};
    program->text.emplace_back(text);
  }
  return program;
}

test::InventedKernel listed_kernel() {
  test::InventedKernel kernel = test::invented_kernel(listed_program(), 2, 40);
  kernel.launch.shared_base = 0x7f4f00000000;
  BlockTrace& block = kernel.blocks[1];
  test::add_instruction(block, 0, kAllLanes);
  test::add_strided(block, 1, 0x0000000f, 0x7f2000000000, -8);
  test::add_list(block, 2, 0x00000105, {0x7f2000001000, 0x7f2000001040, 0x7f2000001020});
  test::add_strided(block, 2, 0x80010001, 0x7f2000002000, 4);
  test::end_warp(block);
  test::add_instruction(block, 4, 0);
  test::end_warp(block);
  test::end_warp(kernel.blocks[0]);
  test::end_warp(kernel.blocks[0]);
  return kernel;
}

std::string write_text(const test::TemporaryDirectory& directory, const test::InventedKernel& kernel) {
  test::write_wtrace(directory.path("a.wtrace"), {kernel});
  const auto source = open_workload(directory.path("a.wtrace"), WorkloadOptions{});
  TraceTextWriter writer(directory.path("text"));
  writer.add_copy({0x7f94ba000000, 4096});
  writer.add_kernel(*test::next_kernel(*source));
  writer.finish();
  return directory.path("text");
}

TEST_CASE("trace text: a kernel is written in the format") {
  const test::TemporaryDirectory directory;
  const std::string text = write_text(directory, listed_kernel());
  CHECK(test::read_file(text + "/kernelslist.g") == "MemcpyHtoD,0x00007f94ba000000,4096\nkernel-1.traceg\n");
  const std::string kernel = test::read_file(text + "/kernel-1.traceg");
  CHECK_THAT(kernel, Catch::StartsWith("-kernel name = twice\n-kernel id = 1\n-grid dim = (2,1,1)\n"
                                       "-block dim = (40,1,1)\n"));
  CHECK_THAT(kernel, Catch::Contains("-shmem base_addr = 0x00007f4f00000000\n"));
  CHECK_THAT(kernel, Catch::Contains("-function id = 0\n"));
  CHECK_THAT(kernel, Catch::Contains("#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 0\ninsts = 4\n"
                                     "0000 ffffffff 1 R2 S2R 0 0 0\n"
                                     "0010 0000000f 1 R4 LDG.E.64 1 R2 8 1 0x7f2000000000 -8 0\n"
                                     "0020 00000105 0 STG.E 2 R6 R5 4 2 0x7f2000001000 64 -32 0\n"
                                     "0020 80010001 0 STG.E 2 R6 R5 4 2 0x7f2000002000 4 4 0\n"
                                     "\nwarp = 1\ninsts = 1\n0040 00000000 0 EXIT 0 0 0\n\n#END_TB\n"));
}

TEST_CASE("trace text: a written trace is read again, with its program") {
  const test::TemporaryDirectory directory;
  const test::InventedKernel kernel = listed_kernel();
  const std::string text = write_text(directory, kernel);
  const auto source = open_workload(text, WorkloadOptions{});
  const Command copy = *source->next();
  CHECK(std::get<CopyToDevice>(copy).bytes == 4096);
  const auto again = test::next_kernel(*source);
  const StaticProgram& program = *again->launch().program;
  CHECK(program.has_listing);
  CHECK(program.has_control);
  CHECK(program.text == kernel.launch.program->text);
  REQUIRE(program.instructions.size() == 5);
  CHECK(program.instructions[2].control.stall_cycles == 2);
  CHECK(program.instructions[2].control.wait_mask == 0x21);
  CHECK(program.instructions[2].control.read_barrier == 2);
  CHECK(program.instructions[2].guard == 0);
  CHECK(again->launch().shared_base == 0x7f4f00000000);
  const auto once_more = open_workload(text, WorkloadOptions{});
  once_more->next();
  CHECK(test::difference_of_next(*once_more, kernel) == "");
}

TEST_CASE("trace text: an existing directory is not changed, an unfinished one disappears") {
  const test::TemporaryDirectory directory;
  CHECK_THROWS_WITH(TraceTextWriter(directory.path(".")), Catch::Contains("already exists"));
  {
    TraceTextWriter writer(directory.path("text"));
    CHECK_FALSE(std::filesystem::is_empty(directory.path(".")));
    CHECK_FALSE(std::filesystem::exists(directory.path("text")));
  }
  CHECK(std::filesystem::is_empty(directory.path(".")));
}

}  // namespace
}  // namespace warpsim
