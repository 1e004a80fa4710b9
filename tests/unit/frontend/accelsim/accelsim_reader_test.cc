#include "frontend/accelsim/accelsim_reader.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "support/temporary_folder.h"
#include "unit/frontend/accelsim_text.h"

namespace warpsim {
namespace {

using test::accelsim_header;
using test::thread_block;

struct Opened {
  TemporaryFolder folder;
  AccelsimKernel kernel;
  explicit Opened(const std::string& text) { kernel = open_accelsim_kernel(folder.write("kernel-1.traceg", text), ""); }
  BlockTrace block(std::uint64_t index) {
    BlockTrace out;
    kernel.blocks->read(index, out);
    return out;
  }
};

std::vector<Address> lanes_of(const BlockTrace& block, std::size_t instruction, std::uint32_t lanes) {
  const LaneAddresses addresses = block.addresses.at(block.instructions[instruction].addresses);
  std::vector<Address> result;
  for (std::uint32_t i = 0; i < lanes; ++i) {
    result.push_back(addresses.of_lane(i));
  }
  return result;
}

// A warp that executes `lines`.
std::string warp(int index, const std::vector<std::string>& lines) {
  std::string text = "warp = " + std::to_string(index) + "\ninsts = " + std::to_string(lines.size()) + "\n";
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

constexpr const char* kExit = "0040 ffffffff 0 EXIT 0 0 0 ";

}  // namespace

TEST_CASE("Accel-Sim reader: the example of the format's description", "[frontend]") {
  Opened trace(test::tiny_trace());
  const KernelLaunch& launch = trace.kernel.launch;
  CHECK(launch.kernel == "twice");
  CHECK(launch.grid == Dim3{1, 1, 1});
  CHECK(launch.block == Dim3{32, 1, 1});
  CHECK(launch.registers_per_thread == 8);
  CHECK(launch.shared_base == 0x7f0000000000);
  CHECK(launch.program->architecture == 80);
  CHECK_FALSE(launch.program->has_listing);
  REQUIRE(launch.program->instructions.size() == 5);

  const BlockTrace block = trace.block(0);
  REQUIRE(block.warp_begin == std::vector<std::uint32_t>{0, 5});
  CHECK(block.instructions[0].active == 0xffffffff);
  CHECK(block.instructions[0].addresses == WarpInstruction::kNoAddresses);
  CHECK(lanes_of(block, 1, 4) == std::vector<Address>{0x7f2000000000, 0x7f2000000004, 0x7f2000000008, 0x7f200000000c});
  CHECK(lanes_of(block, 2, 3) == std::vector<Address>{0x7f2000001000, 0x7f2000001040, 0x7f2000001020});
  CHECK(launch.program->instructions[block.instructions[3].index].pc == 0x30);
}

TEST_CASE("Accel-Sim reader: operands come from the trace with the widths of the opcode", "[frontend]") {
  Opened trace(accelsim_header() +
               thread_block("0,0,0", warp(0, {"0000 ffffffff 1 R4 LDG.E.128 1 R2 16 1 0x1000 16 0 ",
                                              "0010 ffffffff 0 STG.E.64 2 R6 R8 8 1 0x2000 8 0 ",
                                              "0020 ffffffff 1 R10 IMAD.WIDE 2 R3 R12 0 4 ",
                                              "0030 ffffffff 1 R20 HMMA.16816.F32 3 R24 R28 R20 0 0 ",
                                              "0040 ffffffff 0 BRA 0 0 272 "})));
  const std::vector<StaticInstruction>& program = trace.kernel.launch.program->instructions;
  CHECK(program[0].destinations[0].count == 4);
  CHECK(program[0].sources[0].count == 2);
  CHECK(program[1].sources[0].count == 2);
  CHECK(program[1].sources[1].first == 8);
  CHECK(program[1].sources[1].count == 2);
  CHECK(program[2].destinations[0].count == 2);
  CHECK(program[2].sources[2].first == 12);
  CHECK(program[2].sources[2].count == 2);
  CHECK(program[3].sources[0].count == 4);
  CHECK(program[3].sources[1].count == 2);
  CHECK(program[4].immediate == 272);
}

TEST_CASE("Accel-Sim reader: versions 1 to 4 and source lines", "[frontend]") {
  const auto read_mask = [](int version, const std::string& extra, const std::string& line) {
    Opened trace(extra + accelsim_header(version) + thread_block("0,0,0", warp(0, {line})));
    return trace.block(0).instructions.at(0).active;
  };
  CHECK(read_mask(1, "", "0 0 0 0 0000 00000003 1 R4 LDG.E 1 R2 4 0 0x100 0x200 ") == 3);
  CHECK(read_mask(2, "", "0 0 0 0 0000 00000003 1 R4 LDG.E 1 R2 4 2 0x100 256 ") == 3);
  CHECK(read_mask(3, "", "0000 00000003 1 R4 LDG.E 1 R2 4 2 0x100 256 ") == 3);
  CHECK(read_mask(4, "", "0000 00000003 1 R4 LDG.E 1 R2 4 1 0x100 256 ") == 3);
  std::string header = accelsim_header(5);
  header.replace(header.find("lineinfo = 0"), 12, "lineinfo = 1");
  Opened with_lines(header + thread_block("0,0,0", warp(0, {"77 0000 00000001 0 EXIT 0 0 0 "})));
  CHECK(with_lines.block(0).instructions.at(0).active == 1);
}

TEST_CASE("Accel-Sim reader: address mode 0 and empty masks", "[frontend]") {
  Opened trace(accelsim_header() + thread_block("0,0,0", warp(0, {"0000 00000015 1 R4 LDG.E 1 R2 4 0 100 0x7000 200 0 ",
                                                                  "0000 00000000 1 R4 LDG.E 1 R2 4 1 0x0 0 0 ",
                                                                  "0000 00000100 1 R4 LDG.E 1 R2 4 2 0x300 0 "})));
  const BlockTrace block = trace.block(0);
  CHECK(lanes_of(block, 0, 3) == std::vector<Address>{0x100, 0x7000, 0x200});
  CHECK(block.instructions[1].addresses == WarpInstruction::kNoAddresses);
  CHECK(lanes_of(block, 2, 1) == std::vector<Address>{0x300});
}

TEST_CASE("Accel-Sim reader: lists that differ only in where they begin share their words", "[frontend]") {
  const auto load = [](const char* first, const char* last_step) {
    return "0000 00000007 1 R4 LDG.E 1 R2 4 2 " + std::string(first) + " 64 " + last_step + " 0 ";
  };
  Opened trace(accelsim_header() + thread_block("0,0,0", warp(0, {load("0x1000", "-32"), load("0x5000", "-32"),
                                                                  load("0x5000", "-48"), load("0x20", "-32"), kExit})));
  const BlockTrace block = trace.block(0);
  CHECK(lanes_of(block, 0, 3) == std::vector<Address>{0x1000, 0x1040, 0x1020});
  CHECK(lanes_of(block, 1, 3) == std::vector<Address>{0x5000, 0x5040, 0x5020});
  CHECK(lanes_of(block, 2, 3) == std::vector<Address>{0x5000, 0x5040, 0x5010});
  CHECK(lanes_of(block, 3, 3) == std::vector<Address>{0x20, 0x60, 0x40});
  CHECK(block.addresses.size() == 4 + 2 + 4 + 2);
}

TEST_CASE("Accel-Sim reader: text after the immediate is ignored", "[frontend]") {
  Opened trace(
      accelsim_header() +
      thread_block("0,0,0", warp(0, {"00d0 00000003 0 STG.E.SYS 2 R6 R9 4 1 0x100 4 0 STORE_DATA I32 1 REG0:T0"})));
  CHECK(lanes_of(trace.block(0), 0, 2) == std::vector<Address>{0x100, 0x104});
}

TEST_CASE("Accel-Sim reader: warps may be absent, empty or out of order", "[frontend]") {
  Opened trace(accelsim_header(5, "(1,1,1)", "(128,1,1)") +
               thread_block("0,0,0", warp(3, {"0040 00000003 0 EXIT 0 0 0 "}) + warp(1, {}) +
                                         warp(0, {"0030 0000000f 0 NOP 0 0 0 ", "0040 0000000f 0 EXIT 0 0 0 "})));
  const BlockTrace block = trace.block(0);
  CHECK(block.warp_begin == std::vector<std::uint32_t>{0, 2, 2, 2, 3});
  CHECK(block.instructions[0].active == 0xf);
  CHECK(block.instructions[2].active == 0x3);
}

TEST_CASE("Accel-Sim reader: blocks in any order are returned by index", "[frontend]") {
  std::string text = accelsim_header(5, "(2,2,1)");
  for (const char* index : {"1,1,0", "0,0,0", "0,1,0", "1,0,0"}) {
    const int mask = index[0] - '0' + 2 * (index[2] - '0') + 1;
    text += thread_block(index, warp(0, {"0010 0000000" + std::to_string(mask) + " 1 R4 LDG.E 1 R2 4 0 " +
                                         [&] {
                                           std::string list;
                                           for (int lane = 0; lane < 32; ++lane) {
                                             list += (mask >> lane & 1) != 0 ? "0x" + std::to_string(mask) + "00 " : "";
                                           }
                                           return list;
                                         }() +
                                         "0 "}));
  }
  Opened trace(text);
  for (std::uint64_t index = 0; index < 4; ++index) {
    const BlockTrace block = trace.block(index);
    CHECK(block.linear_index == index);
    CHECK(block.warp_begin == std::vector<std::uint32_t>{0, 1});
    CHECK(block.instructions.at(0).active == index + 1);
    CHECK(lanes_of(block, 0, 1).at(0) == (index + 1) * 0x100);
  }
}

TEST_CASE("Accel-Sim reader: several threads read blocks at a time, and an error names its line", "[frontend]") {
  constexpr std::size_t kBlocks = 400;
  const auto text_with = [](std::size_t wrong) {
    std::string text = accelsim_header(5, "(400,1,1)");
    for (std::size_t block = 0; block < kBlocks; ++block) {
      std::vector<std::string> lines(50,
                                     "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x" + std::to_string(1000 + block) + "00 4 0 ");
      if (block == wrong) {
        lines[49] = "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0xwrong 4 0 ";
      }
      text += thread_block(std::to_string(block) + ",0,0", warp(0, lines));
    }
    return text;
  };
  // Returns what reading the blocks threw.
  const auto read_all = [](Opened& trace, std::vector<BlockTrace>& blocks) {
    std::atomic<std::size_t> next{0};
    std::vector<std::thread> threads;
    std::mutex mutex;
    std::vector<std::string> errors;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (std::size_t at = next++; at < kBlocks; at = next++) {
          try {
            const std::size_t block = at % 2 == 0 ? at : kBlocks - at;  // many are read before their turn
            trace.kernel.blocks->read(block, blocks[block]);
          } catch (const TraceError& error) {
            const std::scoped_lock lock(mutex);
            errors.emplace_back(error.what());
          }
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
    return errors;
  };
  std::vector<BlockTrace> blocks(kBlocks);
  Opened trace(text_with(kBlocks));
  CHECK(read_all(trace, blocks).empty());
  for (std::size_t block = 0; block < kBlocks; ++block) {
    REQUIRE(blocks[block].linear_index == block);
    REQUIRE(blocks[block].instructions.size() == 50);
    const std::string first = "0x" + std::to_string(1000 + block) + "00";
    CHECK(lanes_of(blocks[block], 49, 1).at(0) == std::stoull(first, nullptr, 16));
  }

  const std::string wrong_text = text_with(200);
  const auto before = wrong_text.substr(0, wrong_text.find("0xwrong"));
  const std::string line = ":" + std::to_string(std::ranges::count(before, '\n') + 1) + ":";
  Opened wrong(wrong_text);
  const std::vector<std::string> errors = read_all(wrong, blocks);
  REQUIRE_FALSE(errors.empty());
  CHECK(errors[0].find(line) != std::string::npos);
}

TEST_CASE("Accel-Sim reader: two functions may have an instruction at the same PC", "[frontend]") {
  Opened trace(accelsim_header() +
               thread_block("0,0,0", warp(0, {"0000 ffffffff 1 R1 MOV 0 0 0 ", "0000 ffffffff 1 R4 FADD 2 R4 R5 0 0 ",
                                              "0000 ffffffff 1 R1 MOV 0 0 0 ", kExit})));
  const StaticProgram& program = *trace.kernel.launch.program;
  const BlockTrace block = trace.block(0);
  const auto opcode = [&](std::size_t i) {
    return program.opcodes[program.instructions[block.instructions[i].index].opcode];
  };
  CHECK(program.instructions.size() == 3);
  CHECK(opcode(0) == "MOV");
  CHECK(opcode(1) == "FADD");
  CHECK(opcode(2) == "MOV");
}

TEST_CASE("Accel-Sim reader: a listing in the trace's folder gives operands and control bits", "[frontend]") {
  TemporaryFolder folder;
  const std::string listing =
      "code for sm_80\nFunction : other\n/*0000*/ EXIT ; /* 0x00 */\n/* 0x000fea0003800000 */\n"
      "Function : twice\n/*0040*/ @P2 EXIT ; /* 0x00 */\n/* 0x000fea0003800000 */\n";
  folder.write("func-7.sass", listing);
  const std::string path = folder.write("kernel-1.traceg", accelsim_header() + thread_block("0,0,0", warp(0, {kExit})));
  AccelsimKernel kernel = open_accelsim_kernel(path, "");
  CHECK(kernel.listing == folder.at("func-7.sass"));
  CHECK(kernel.launch.program->has_control);
  REQUIRE(kernel.launch.program->instructions.size() == 1);
  CHECK(kernel.launch.program->instructions[0].guard == 2);
  CHECK(kernel.launch.program->instructions[0].control.stall_cycles == 5);
  BlockTrace block;
  kernel.blocks->read(0, block);
  CHECK(block.instructions.at(0).index == 0);
}

TEST_CASE("Accel-Sim reader: a listing of another architecture is not used", "[frontend]") {
  TemporaryFolder folder;
  folder.write("func-7.sass", "code for sm_90\nFunction : twice\n/*0040*/ EXIT ;\n");
  const std::string path = folder.write("kernel-1.traceg", accelsim_header() + thread_block("0,0,0", warp(0, {kExit})));
  CHECK(open_accelsim_kernel(path, "").listing.empty());
}

}  // namespace warpsim
