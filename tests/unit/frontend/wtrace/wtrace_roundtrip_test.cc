#include <catch2/catch.hpp>
#include <filesystem>

#include "base/error.h"
#include "frontend/wtrace/wtrace_frame.h"
#include "frontend/wtrace/wtrace_reader.h"
#include "frontend/wtrace/wtrace_writer.h"
#include "isa/opcode_table.h"
#include "isa/sass_decode.h"
#include "support/invented_trace.h"

namespace warpsim {
namespace {

using test::add_instruction;
using test::add_list;
using test::add_strided;
using test::InventedKernel;

TEST_CASE("wtrace: every kind of address is read back as written") {
  InventedKernel kernel = test::invented_kernel(test::invented_program(9), 1, 64);
  BlockTrace& block = kernel.blocks[0];
  add_strided(block, 0, kAllLanes, 0x7f0000000000, 4);
  add_instruction(block, 1, kAllLanes);
  add_strided(block, 3, 0x0000ff00, 0x7f0000001000, -8);
  add_strided(block, 3, 0, 0, 0);
  add_strided(block, 6, 0x80000000, 0xfffffffffffffff8, 16);
  test::end_warp(block);
  add_list(block, 0, 0x00000105, {0x7f2000001000, 0x7f2000001040, 0x7f2000001020});
  add_instruction(block, 0, kAllLanes);
  add_list(block, 3, 0x80000000, {0xffffffffffffffff});
  add_list(block, 6, 0x00000003, {0xffffffffffffffff, 0});
  add_list(block, 6, 0, {});
  add_list(block, 0, 0xf, {1, 0x8000000000000000, 3, 4});
  add_list(block, 0, 0xf, {0x123456789abcdef0, 5, 0, 0xfedcba9876543210});
  test::end_warp(block);

  const test::TemporaryDirectory directory;
  test::write_wtrace(directory.path("a.wtrace"), {kernel});
  CHECK(test::difference_of_next(*open_wtrace(directory.path("a.wtrace")), kernel).empty());
}

TEST_CASE("wtrace: texels are read back as written") {
  const std::shared_ptr<StaticProgram> program = test::invented_program(2);
  program->opcodes.emplace_back("TEX.SCR.LL");
  program->instructions[1].opcode = 2;
  classify("TEX.SCR.LL", program->architecture, program->instructions[1]);
  InventedKernel kernel = test::invented_kernel(program, 1, 32);
  BlockTrace& block = kernel.blocks[0];
  const auto add = [&](const TexelAccess& access, const std::vector<Address>& addresses) {
    block.instructions.push_back({1, kAllLanes, block.addresses.add_texels(access, addresses.data()), 0});
  };
  add({.count = 3, .texel_bytes = 16, .filter = 3, .group_lanes = 2}, {0x7f0000000021, 0x7f0000000007, 0x123});
  add({.count = 2, .texel_bytes = 4, .group_lanes = 8, .by_lane = true}, {0xfffffffffffffffc, 4});
  add_instruction(block, 1, kAllLanes);
  add_strided(block, 1, kAllLanes, 0x1000, 4);
  add({.count = 512, .texel_bytes = 8}, std::vector<Address>(512, 0x41));
  test::end_warp(block);
  const test::TemporaryDirectory directory;
  test::write_wtrace(directory.path("a.wtrace"), {kernel});
  CHECK(test::difference_of_next(*open_wtrace(directory.path("a.wtrace")), kernel) == "");
}

TEST_CASE("wtrace: blocks of random paths, masks and addresses are read back as written") {
  const test::TemporaryDirectory directory;
  std::mt19937_64 random(20240607);
  for (int round = 0; round < 60; ++round) {
    const std::vector<InventedKernel> kernels = {test::random_kernel(random), test::random_kernel(random)};
    test::write_wtrace(directory.path("a.wtrace"), kernels);
    const auto source = open_wtrace(directory.path("a.wtrace"));
    INFO("round " << round);
    CHECK(test::difference_of_next(*source, kernels[0]) == "");
    CHECK(test::difference_of_next(*source, kernels[1]) == "");
    CHECK_FALSE(source->next().has_value());
  }
}

TEST_CASE("wtrace: copies and kernels are read back in program order with all their fields") {
  const test::TemporaryDirectory directory;
  InventedKernel kernel = test::invented_kernel(test::invented_program(3), 6, 1);
  KernelLaunch& launch = kernel.launch;
  launch.kernel = "other name";
  launch.grid = {1, 2, 3};
  launch.block = {5, 4, 2};
  launch.cluster = {1, 2, 1};
  launch.registers_per_thread = 77;
  launch.shared_bytes = 1056;
  launch.local_bytes_per_thread = 40;
  launch.stream = 0xfedcba9876543210;
  launch.shared_base = 0x7f4f00000000;
  launch.local_base = 0x7f4e5d000000;
  WtraceWriter writer(directory.path("a.wtrace"));
  writer.add_copy({0x7f94ba000000, 16777216});
  writer.begin_kernel(launch);
  for (const BlockTrace& block : kernel.blocks) {
    writer.add_block(block);
  }
  writer.end_kernel();
  writer.add_copy({0xffffffffffffffff, 0xffffffffffffffff});
  writer.finish();

  const auto source = open_wtrace(directory.path("a.wtrace"));
  const Command first = *source->next();
  CHECK(std::get<CopyToDevice>(first).destination == 0x7f94ba000000);
  CHECK(std::get<CopyToDevice>(first).bytes == 16777216);
  const KernelLaunch read = test::next_kernel(*source)->launch();
  CHECK(read.launch_index == 0);
  CHECK(read.kernel == "other name");
  CHECK(read.grid == Dim3{1, 2, 3});
  CHECK(read.block == Dim3{5, 4, 2});
  CHECK(read.cluster == Dim3{1, 2, 1});
  CHECK(read.registers_per_thread == 77);
  CHECK(read.shared_bytes == 1056);
  CHECK(read.local_bytes_per_thread == 40);
  CHECK(read.stream == 0xfedcba9876543210);
  CHECK(read.shared_base == 0x7f4f00000000);
  CHECK(read.local_base == 0x7f4e5d000000);
  const Command last = *source->next();
  CHECK(std::get<CopyToDevice>(last).destination == 0xffffffffffffffff);
  CHECK_FALSE(source->next().has_value());
}

TEST_CASE("wtrace: a program with disassembly and control bits is read back") {
  auto program = std::make_shared<StaticProgram>();
  program->function = "_Z1kv";
  program->architecture = 90;
  program->has_listing = true;
  program->has_control = true;
  for (const char* text : {"@!P0 LDG.E.128.CONSTANT R4, desc[UR6][R2.64+0x10]", "DEPBAR.LE SB2, 0x3",
                           "IMAD R0, R0, UR4, R11", "FADD R1, R2, c[0x0][0x160]"}) {
    StaticInstruction& instruction = program->instructions.emplace_back();
    decode_sass(text, 90, program->opcodes, instruction);
    instruction.pc = static_cast<std::uint32_t>(16 * program->text.size());
    instruction.has_control = true;
    instruction.control = {5, true, 1, kNoBarrier, 0x22, 0xf};
    program->text.emplace_back(text);
  }
  const test::TemporaryDirectory directory;
  test::write_wtrace(directory.path("a.wtrace"), {test::invented_kernel(program, 1, 32)});
  const auto read = test::next_kernel(*open_wtrace(directory.path("a.wtrace")))->launch().program;
  CHECK(read->function == "_Z1kv");
  CHECK(read->architecture == 90);
  CHECK(read->has_listing);
  CHECK(read->has_control);
  CHECK(read->opcodes == program->opcodes);
  CHECK(read->text == program->text);
  REQUIRE(read->instructions.size() == 4);
  const StaticInstruction& load = read->instructions[0];
  CHECK(load.pc == 0);
  CHECK(load.kind == OpKind::kLoad);
  CHECK(load.space == MemorySpace::kGlobal);
  CHECK(load.bytes_per_lane == 16);
  CHECK(load.guard == 0);
  CHECK(load.destinations[0].first == 4);
  CHECK(load.destinations[0].count == 4);
  CHECK(load.control.stall_cycles == 5);
  CHECK(load.control.yield);
  CHECK(load.control.write_barrier == 1);
  CHECK(load.control.read_barrier == kNoBarrier);
  CHECK(load.control.wait_mask == 0x22);
  CHECK(load.control.reuse_mask == 0xf);
  CHECK(read->instructions[1].depbar_counter == 2);
  CHECK(read->instructions[1].immediate == 3);
  CHECK(read->instructions[2].uniform_sources == 1U << 4U);
  CHECK(read->instructions[3].constant_offset == 0x160);
}

TEST_CASE("wtrace: a program without disassembly keeps its operands") {
  const auto program = test::invented_program(2);
  StaticInstruction& add = program->instructions[1];
  add.destinations[1] = {9, 2};
  add.sources[3] = {200, 4};
  add.predicate_sources = 0x41;
  add.predicate_destinations = 2;
  add.guard = 3;
  add.uniform_sources = std::uint64_t{1} << 62U;
  add.uniform_destinations = 6;
  add.uniform_predicate_sources = 8;
  add.uniform_predicate_destinations = 1;
  add.has_constant_operand = true;
  add.constant_bank = 3;
  add.constant_offset = 0x210;
  add.immediate = -1;
  add.bytes_per_lane = 2;
  const test::TemporaryDirectory directory;
  test::write_wtrace(directory.path("a.wtrace"), {test::invented_kernel(program, 1, 32)});
  const auto read = test::next_kernel(*open_wtrace(directory.path("a.wtrace")))->launch().program;
  CHECK(read->text.empty());
  CHECK_FALSE(read->has_listing);
  const StaticInstruction& back = read->instructions.at(1);
  CHECK(back.pc == 16);
  CHECK(back.destinations[1].first == 9);
  CHECK(back.destinations[1].count == 2);
  CHECK(back.sources[0].count == 0);
  CHECK(back.sources[3].first == 200);
  CHECK(back.sources[3].count == 4);
  CHECK(back.predicate_sources == 0x41);
  CHECK(back.predicate_destinations == 2);
  CHECK(back.guard == 3);
  CHECK(back.uniform_sources == std::uint64_t{1} << 62U);
  CHECK(back.uniform_destinations == 6);
  CHECK(back.uniform_predicate_sources == 8);
  CHECK(back.uniform_predicate_destinations == 1);
  CHECK(back.has_constant_operand);
  CHECK(back.constant_bank == 3);
  CHECK(back.constant_offset == 0x210);
  CHECK(back.immediate == -1);
  CHECK(back.bytes_per_lane == 2);
  CHECK_FALSE(back.has_control);
  CHECK(back.kind == OpKind::kCompute);
}

TEST_CASE("wtrace: kernels that run the same program share one function frame") {
  const test::TemporaryDirectory directory;
  const std::vector<InventedKernel> kernels = {test::invented_kernel(test::invented_program(5), 1, 32),
                                               test::invented_kernel(test::invented_program(5), 1, 32),
                                               test::invented_kernel(test::invented_program(6), 1, 32)};
  test::write_wtrace(directory.path("a.wtrace"), kernels);
  const wtrace::FrameFile file(directory.path("a.wtrace"));
  trace::Index index;
  file.read(file.index(), wtrace::FrameKind::kIndex, index);
  CHECK(index.functions_size() == 2);
  const auto source = open_wtrace(directory.path("a.wtrace"));
  const auto first = test::next_kernel(*source)->launch().program;
  CHECK(first == test::next_kernel(*source)->launch().program);
  CHECK(test::next_kernel(*source)->launch().program->instructions.size() == 6);
}

TEST_CASE("wtrace: the file has its name only when it is complete") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.path("a.wtrace");
  {
    WtraceWriter writer(path);
    writer.add_copy({0, 1});
    CHECK_FALSE(std::filesystem::is_empty(directory.path(".")));
    CHECK_FALSE(std::filesystem::exists(path));
  }
  CHECK(std::filesystem::is_empty(directory.path(".")));
}

TEST_CASE("wtrace: a place that cannot be written is an error") {
  const test::TemporaryDirectory directory;
  CHECK_THROWS_AS(WtraceWriter(directory.path("missing/a.wtrace")), UserError);
  CHECK_THROWS_AS(WtraceWriter("/dev/full"), UserError);
  CHECK_THROWS_AS(WtraceWriter(directory.path(".")), UserError);
}

TEST_CASE("wtrace: a grid with blocks missing and blocks with too many warps are refused") {
  const test::TemporaryDirectory directory;
  InventedKernel kernel = test::invented_kernel(test::invented_program(3), 2, 32);
  WtraceWriter writer(directory.path("a.wtrace"));
  writer.begin_kernel(kernel.launch);
  test::end_warp(kernel.blocks[0]);
  writer.add_block(kernel.blocks[0]);
  CHECK_THROWS_WITH(writer.end_kernel(), Catch::Contains("1 blocks recorded; expected the 2"));
  test::end_warp(kernel.blocks[1]);
  test::end_warp(kernel.blocks[1]);
  CHECK_THROWS_WITH(writer.add_block(kernel.blocks[1]), Catch::Contains("2 warps recorded"));
}

}  // namespace
}  // namespace warpsim
