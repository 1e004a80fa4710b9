// The short form of code, and the paths that warps take through it.
#include <catch2/catch.hpp>

#include <vector>

#include "base/error.h"
#include "microbench/listed_kernel.h"

namespace warpsim::microbench {
namespace {

std::shared_ptr<const StaticProgram> program_of(const std::string& lines) {
  return find_program(parse_programs("kernel k\n" + lines, "code.sass"), "k");
}

// Index and lanes of each step.
std::vector<std::pair<std::uint32_t, LaneMask>> steps_of(const Path& path) {
  std::vector<std::pair<std::uint32_t, LaneMask>> steps;
  for (const WarpInstruction& step : path.steps) {
    steps.emplace_back(step.index, step.active);
  }
  return steps;
}

TEST_CASE("control bits are read in the order waits, read, write, yield, stall, reuse") {
  const auto program = program_of("05:1:2:Y:b:3 FADD R1, R2, R3\n-:-:-:-:1:0 EXIT\n");
  const ControlBits& bits = program->instructions[0].control;
  CHECK(bits.wait_mask == 0b100001);
  CHECK(bits.read_barrier == 1);
  CHECK(bits.write_barrier == 2);
  CHECK(bits.yield);
  CHECK(bits.stall_cycles == 11);
  CHECK(bits.reuse_mask == 3);
  CHECK(program->instructions[1].control == ControlBits{.stall_cycles = 1});
}

TEST_CASE("a repeated group is as long as its copies, each with its own offset") {
  const auto program = program_of("repeat 3\n-:-:-:-:1:0 NOP\n-:-:-:-:4:0 FADD R1, R2, R3\nend\n-:-:-:-:1:0 EXIT\n");
  REQUIRE(program->instructions.size() == 7);
  CHECK(program->text[5] == "FADD R1, R2, R3");
  CHECK(program->instructions[5].pc == 0x50);
  CHECK(program->instructions[5].control.stall_cycles == 4);
}

TEST_CASE("malformed code is refused with its line") {
  CHECK_THROWS_WITH(program_of("-:-:-:-:1 NOP\n"), Catch::Contains("code.sass:2:"));
  CHECK_THROWS_AS(program_of("end\n"), UserError);
  CHECK_THROWS_AS(program_of("repeat 2\n-:-:-:-:1:0 NOP\n"), UserError);
  CHECK_THROWS_AS(parse_programs("-:-:-:-:1:0 NOP\n", "code.sass"), UserError);
}

TEST_CASE("a branch back is taken the given number of times, each time it is reached") {
  // An inner loop of two rounds within an outer one of two.
  const auto program = program_of(
      "-:-:-:-:1:0 NOP\n-:-:-:-:1:0 @P0 BRA 0x0\n-:-:-:-:1:0 @P1 BRA 0x0\n-:-:-:-:1:0 @P2 EXIT\n-:-:-:-:1:0 EXIT\n");
  const Path path = uniform_path(program, {1, 1});
  CHECK(steps_of(path) == std::vector<std::pair<std::uint32_t, LaneMask>>{{0, kAllLanes},
                                                                          {1, kAllLanes},
                                                                          {0, kAllLanes},
                                                                          {1, 0},
                                                                          {2, kAllLanes},
                                                                          {0, kAllLanes},
                                                                          {1, kAllLanes},
                                                                          {0, kAllLanes},
                                                                          {1, 0},
                                                                          {2, 0},
                                                                          {3, 0},
                                                                          {4, kAllLanes}});
}

TEST_CASE("groups that diverge at a branch meet again after BSYNC, the one that falls through first") {
  const auto program = program_of(
      "-:-:-:-:1:0 BSSY B0, 0x50\n-:-:-:-:1:0 @P0 BRA 0x30\n-:-:-:-:1:0 BRA 0x40\n-:-:-:-:1:0 NOP\n"
      "-:-:-:-:1:0 BSYNC B0\n-:-:-:-:1:0 EXIT\n");
  Flow flow;
  flow.taken = [](std::uint32_t, LaneMask) -> LaneMask { return 0xff; };
  CHECK(steps_of(trace_path(program, flow)) ==
        std::vector<std::pair<std::uint32_t, LaneMask>>{
            {0, kAllLanes}, {1, 0xff}, {2, 0xffffff00}, {4, 0xffffff00}, {3, 0xff}, {4, 0xff}, {5, kAllLanes}});
}

TEST_CASE("a round is timed between two clock reads, the shortest is used") {
  CHECK(shortest_round({10, 30, 40, 55, 60, 79}) == 15);
}

}  // namespace
}  // namespace warpsim::microbench
