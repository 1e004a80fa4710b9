#include "codegen/uniform_constants.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cctype>

#include "unit/codegen/generate.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

using Lines = std::vector<std::string>;

const std::string kTable = ".const .align 4 .b8 table[4096];\n";

// Without the numbers of registers: "ULDC UR, c[0x3][UR+0x4]".
std::string without_numbers(const std::string& line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool in_register = std::isdigit(static_cast<unsigned char>(line[i])) != 0 && !text.empty() &&
                             text.back() == 'R' &&
                             (text.size() < 2 || text[text.size() - 2] == ' ' || text[text.size() - 2] == 'U' ||
                              text[text.size() - 2] == '[');
    if (!in_register) {
      text += line[i];
    }
  }
  return text;
}

// Reads of constants at computed addresses, in the order of the text.
Lines reads_of(const std::string& body, std::uint32_t architecture = 90) {
  Lines found;
  for (const std::string& line : generate(body, true, architecture, kTable).text()) {
    const bool is_read = line.find("c[0x3][") != std::string::npos || line.find("c[0x0][UR") != std::string::npos ||
                         line.find("c[0x0][R") != std::string::npos;
    if (is_read) {
      found.push_back(without_numbers(line));
    }
  }
  return found;
}

// A loop over the table, `step` bytes a round; %f1 differs between threads, %f2 is a parameter.
std::string loop_over(const std::string& round, int step, const std::string& test = "setp.lt.s32 %p1, %r1, %r2;") {
  return "ld.param.u64 %rd1, [a]; ld.param.u32 %r2, [n]; ld.param.f32 %f2, [b]; mov.u32 %r4, %tid.x; "
         "mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2; ld.global.f32 %f1, [%rd3]; mov.f32 %f3, 0f00000000; "
         "mov.u32 %r1, 0; mov.u64 %rd4, table; LOOP: .pragma \"nounroll\"; " +
         round + " add.s64 %rd4, %rd4, " + std::to_string(step) + "; add.s32 %r1, %r1, 1; " + test +
         " @%p1 bra LOOP; st.global.f32 [%rd3], %f3; ret;";
}

const std::string kOne = "ld.const.f32 %f4, [%rd4]; fma.rn.f32 %f3, %f3, %f1, %f4;";
const std::string kTwo =
    "ld.const.f32 %f4, [%rd4]; ld.const.f32 %f5, [%rd4+4]; fma.rn.f32 %f3, %f3, %f1, %f4; fma.rn.f32 %f3, %f3, %f1, "
    "%f5;";

TEST_CASE("uniform constants: a loop reads a table through the uniform datapath") {
  for (const std::uint32_t architecture : {75U, 80U, 86U, 90U}) {
    CHECK(reads_of(loop_over(kOne, 4), architecture) == Lines{"ULDC UR, c[0x3][UR]"});
  }
  const Lines lines = generate(loop_over(kOne, 4), true, 90, kTable).text();
  CHECK(std::ranges::find(lines, "UIADD3 UR7, UR7, 0x4, URZ") != lines.end());
  CHECK(std::ranges::find(lines, "UMOV UR7, URZ") != lines.end());
}

TEST_CASE("uniform constants: neighbours are read in pairs where the address stays a multiple of eight") {
  CHECK(reads_of(loop_over(kTwo, 8)) == Lines{"ULDC.64 UR, c[0x3][UR]"});
  CHECK(reads_of(loop_over(kTwo, 12)) == Lines{"ULDC UR, c[0x3][UR]", "ULDC UR, c[0x3][UR+0x4]"});
  const std::string four = "ld.const.v4.f32 {%f4, %f5, %f6, %f7}, [%rd4]; ";
  CHECK(reads_of(loop_over(four + "add.f32 %f3, %f3, %f4; add.f32 %f3, %f3, %f7;", 16)).size() == 2);
}

TEST_CASE("uniform constants: a thread's own address and a loop that threads leave one by one use general registers") {
  const std::string by_thread =
      "mul.wide.u32 %rd5, %r4, 4; add.s64 %rd6, %rd4, %rd5; ld.const.f32 %f4, [%rd6]; "
      "fma.rn.f32 %f3, %f3, %f1, %f4;";
  CHECK(reads_of(loop_over(by_thread, 4)).at(0).starts_with("LDC R"));
  CHECK(reads_of(loop_over(kOne, 4, "setp.lt.s32 %p1, %r1, %r4;")).at(0).starts_with("LDC R"));
  CHECK(reads_of(loop_over(kOne, 4, "setp.lt.f32 %p1, %f3, 0f41200000;")).at(0).starts_with("LDC R"));
}

TEST_CASE("uniform constants: an instruction reads one constant, and immediates win") {
  CHECK(reads_of(loop_over("ld.const.f32 %f4, [%rd4]; fma.rn.f32 %f3, %f3, 0f40000000, %f4;", 4)).at(0) ==
        "LDC R, c[0x3][R]");
  const std::string both = "ld.const.f32 %f4, [%rd4]; ld.const.f32 %f5, [%rd4+400]; fma.rn.f32 %f3, %f4, %f5, %f3;";
  for (const std::string& line : reads_of(loop_over(both, 4))) {
    CHECK(line.starts_with("LDC R"));
  }
}

TEST_CASE("uniform constants: a word wins of a parameter from 9.0 on, a pair in blocks of seven pairs") {
  const std::string word = "ld.const.f32 %f4, [%rd4]; fma.rn.f32 %f3, %f3, %f2, %f4;";
  CHECK(reads_of(loop_over(word, 4), 90).at(0).starts_with("ULDC UR"));
  CHECK(reads_of(loop_over(word, 4), 80).at(0).starts_with("LDC R"));
  const auto pairs = [](int count) {
    std::string round;
    for (int i = 0; i < 2 * count; ++i) {
      const std::string value = "%f" + std::to_string(8 + i);
      round +=
          "ld.const.f32 " + value + ", [%rd4+" + std::to_string(4 * i) + "]; fma.rn.f32 %f3, %f3, %f2, " + value + "; ";
    }
    return loop_over(round, 8 * count);
  };
  CHECK(reads_of(pairs(7)).at(0).starts_with("ULDC.64 UR"));
  CHECK(reads_of(pairs(6)).at(0).starts_with("LDC.64 R"));
  // The address of a pair is uniform nevertheless, and moved.
  const Lines lines = generate(pairs(1), true, 90, kTable).text();
  CHECK(std::ranges::any_of(lines, [](const std::string& line) { return without_numbers(line) == "MOV R, UR"; }));
}

TEST_CASE("uniform constants: integer arithmetic on uniform values only is not in uniform registers") {
  const std::string sum = "ld.const.u32 %r6, [%rd4]; add.s32 %r5, %r5, %r6; st.global.u32 [%rd3], %r5;";
  CHECK(reads_of("mov.u32 %r5, 0; " + loop_over(sum, 4)).at(0).starts_with("LDC R"));
  CHECK(reads_of("mov.u32 %r5, %tid.y; " + loop_over(sum, 4)).at(0).starts_with("ULDC UR"));
}

TEST_CASE("uniform constants: a table by block is read at an address from the block's place") {
  const std::string body =
      "ld.param.u64 %rd1, [a]; mov.u32 %r4, %tid.x; mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2; "
      "ld.global.f32 %f1, [%rd3]; mov.u32 %r1, %ctaid.y; mul.wide.u32 %rd4, %r1, 4; mov.u64 %rd5, table; "
      "add.s64 %rd6, %rd5, %rd4; ld.const.f32 %f2, [%rd6+8]; add.f32 %f3, %f1, %f2; st.global.f32 [%rd3], %f3; ret;";
  CHECK(reads_of(body) == Lines{"ULDC UR, c[0x3][UR+0x8]"});
  const Lines lines = generate(body, true, 90, kTable).text();
  CHECK(std::ranges::find(lines, "S2UR UR6, SR_CTAID.Y") != lines.end());
  CHECK(std::ranges::find(lines, "USHF.L.U32 UR6, UR6, 0x2, URZ") != lines.end());
}

TEST_CASE("uniform constants: the first summand of a loop is moved from its uniform register") {
  const std::string body =
      "ld.param.u64 %rd1, [a]; mov.u32 %r4, %tid.x; mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2; "
      "ld.global.f32 %f1, [%rd3]; mov.u32 %r1, %ctaid.y; mul.wide.u32 %rd4, %r1, 4; mov.u64 %rd5, table; "
      "add.s64 %rd6, %rd5, %rd4; ld.const.f32 %f3, [%rd6]; mov.u32 %r2, 0; LOOP: .pragma \"nounroll\"; "
      "fma.rn.f32 %f3, %f3, %f1, %f1; add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, 9; @%p1 bra LOOP; "
      "st.global.f32 [%rd3], %f3; ret;";
  CHECK(reads_of(body) == Lines{"ULDC UR, c[0x3][UR]"});
}

TEST_CASE("uniform constants: arrays in parameters are read at an offset from the first parameter") {
  const std::string body =
      "ld.param.u64 %rd1, [a]; mov.b64 %rd4, b; mov.u32 %r4, %tid.x; and.b32 %r5, %r4, 1; "
      "mul.wide.u32 %rd2, %r5, 4; add.s64 %rd3, %rd4, %rd2; ld.param.u32 %r6, [%rd3]; "
      "st.global.u32 [%rd1], %r6; ret;";
  const Lines reads = reads_of(body);
  CHECK(reads.size() == 1);
  CHECK(reads.at(0).ends_with("+0x210]"));
  CHECK(reads.at(0).starts_with("LDC R"));
}

}  // namespace
