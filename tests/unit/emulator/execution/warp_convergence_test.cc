// Convergence barriers of machine code: lanes that meet, pass, leave and end, one after another or nested.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "support/machine_text.h"

using namespace warpsim::test;

namespace {

using Word = std::uint32_t;
using Words = std::vector<Word>;

constexpr Word kEveryLane = 0xffffffff;

// Stores which lanes are together.
constexpr const char* kStoreActive = "activemask.b32 %r1;\nst.global.u32 [%own], %r1;\n";

// Lanes 0 to 15 take another path than the others, to the label join.
const std::string kTwoPaths =
    "setp.lt.u32 %p0, %t, 16;\n@%p0 bra low;\nadd.u32 %r2, %t, 100;\nbra join;\nlow: add.u32 %r2, %t, 200;\n"
    "add.u32 %r2, %r2, 1;\njoin: ";

Words in_halves(Word low, Word high) {
  Words words(32, high);
  std::fill_n(words.begin(), 16, low);
  return words;
}

}  // namespace

TEST_CASE("machine code: paths stay apart where there is no convergence barrier", "[machine_code]") {
  CHECK(execute_machine_text(kTwoPaths + kStoreActive) == in_halves(0xffff, 0xffff0000));
}

TEST_CASE("machine code: lanes of a barrier continue together after BSYNC", "[machine_code]") {
  CHECK(execute_machine_text("sass.bssy %b0;\n" + kTwoPaths + "sass.bsync %b0;\n" + kStoreActive) ==
        Words(32, kEveryLane));
}

TEST_CASE("machine code: lanes wait at BSYNC for a loop that others repeat longer", "[machine_code]") {
  const std::string body =
      "mov.u32 %r2, 0;\nsass.bssy %b0;\nloop: add.u32 %r2, %r2, 1;\nsetp.le.u32 %p0, %r2, %t;\n@%p0 bra loop;\n"
      "sass.bsync %b0;\nactivemask.b32 %r1;\npopc.b32 %r1, %r1;\nmad.lo.u32 %r1, %r1, 100, %r2;\n"
      "st.global.u32 [%own], %r1;\n";
  Words expected;
  for (Word lane = 0; lane < 32; ++lane) {
    expected.push_back(3200 + lane + 1);
  }
  CHECK(execute_machine_text(body) == expected);
}

TEST_CASE("machine code: lanes that are not in the mask of a barrier pass it", "[machine_code]") {
  // Lanes 0 to 7 are in the mask; the others reach BSYNC before and do not wait.
  const std::string body =
      "setp.lt.u32 %p1, %t, 8;\n@!%p1 bra apart;\nsass.bssy %b0;\nsetp.lt.u32 %p2, %t, 4;\n@%p2 bra meet;\n"
      "add.u32 %r2, %t, 1;\nmeet: apart: sass.bsync %b0;\n";
  Words expected(32, 0xffffff00);
  std::fill_n(expected.begin(), 8, 0xffU);
  CHECK(execute_machine_text(body + kStoreActive) == expected);
}

TEST_CASE("machine code: nobody waits for lanes that have ended", "[machine_code]") {
  const std::string before = "sass.bssy %b0;\n" + kTwoPaths;
  Words expected(32, 0xf0fffff0);
  for (const Word lane : {0U, 1U, 2U, 3U, 24U, 25U, 26U, 27U}) {
    expected[lane] = 0;
  }
  // Lanes end on both paths, before and after others wait.
  const std::string ends =
      "and.b32 %r3, %t, 28;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 exit;\nsetp.eq.u32 %p1, %r3, 24;\n"
      "@%p1 exit;\nsass.bsync %b0;\n";
  CHECK(execute_machine_text(before + ends + kStoreActive) == expected);
  // All lanes of one path end.
  CHECK(execute_machine_text(before + "@%p0 exit;\nsass.bsync %b0;\n" + kStoreActive) == in_halves(0, 0xffff0000));
  CHECK(execute_machine_text(before + "@!%p0 exit;\nsass.bsync %b0;\n" + kStoreActive) == in_halves(0xffff, 0));
}

TEST_CASE("machine code: a block with part of a warp has barriers of the present lanes", "[machine_code]") {
  const std::string body =
      "sass.bssy %b0;\nsetp.lt.u32 %p0, %t, 5;\n@%p0 bra join;\nadd.u32 %r2, %t, 1;\n"
      "join: sass.bsync %b0;\n";
  CHECK(execute_machine_text(body + kStoreActive, {}, 11) == Words(11, 0x7ff));
}

TEST_CASE("machine code: BREAK takes lanes out of a barrier for which others would wait", "[machine_code]") {
  // Lanes below 4 leave the region and never come to its BSYNC; they wait for the others at an outer one.
  const std::string body =
      "mov.b32 %r4, 0;\nsass.bssy %b1;\nsass.bssy %b0;\nsetp.lt.u32 %p0, %t, 4;\n@%p0 sass.break %b0;\n@%p0 bra "
      "outside;\n"
      "setp.lt.u32 %p1, %t, 16;\n@%p1 bra meet;\nadd.u32 %r2, %t, 1;\nmeet: sass.bsync %b0;\nactivemask.b32 %r4;\n"
      "outside: sass.bsync %b1;\nactivemask.b32 %r5;\nxor.b32 %r5, %r5, %r4;\nst.global.u32 [%own], %r5;\n";
  Words expected(32, 0x0000000f);
  std::fill_n(expected.begin(), 4, kEveryLane);
  CHECK(execute_machine_text(body) == expected);
}

TEST_CASE("machine code: lanes leave a barrier while others wait at it already", "[machine_code]") {
  // Lanes 16 and above wait, whichever path runs first; those below execute BREAK instead and end the wait.
  const std::string text =
      "sass.bssy %b0;\nsetp.%s.u32 %p0, %t, 16;\n@%p0 bra other;\n"
      "setp.lt.u32 %p1, %t, 16;\n@%p1 sass.break %b0;\nbra end;\n"
      "other: setp.lt.u32 %p1, %t, 16;\n@%p1 sass.break %b0;\nend: sass.bsync %b0;\n";
  for (const std::string comparison : {"lt", "ge"}) {
    std::string body = text;
    body.replace(body.find("%s"), 2, comparison);
    INFO(body);
    CHECK(execute_machine_text(body + kStoreActive) == in_halves(0xffff, 0xffff0000));
  }
}

TEST_CASE("machine code: lanes that leave a barrier end the wait of others at it before they wait elsewhere",
          "[machine_code]") {
  // One half waits at the inner barrier; then the other half leaves it and waits for the first one at the outer
  // barrier.
  for (const std::string comparison : {"lt", "ge"}) {
    const std::string body = "sass.bssy %b1;\nsass.bssy %b0;\nsetp." + comparison +
                             ".u32 %p0, %t, 16;\n@%p0 bra leave;\nadd.u32 %r2, %t, 1;\nsass.bsync %b0;\n"
                             "activemask.b32 %r4;\nbra outer;\n"
                             "leave: sass.break %b0;\nactivemask.b32 %r4;\nouter: sass.bsync %b1;\n"
                             "activemask.b32 %r5;\nxor.b32 %r5, %r5, %r4;\nst.global.u32 [%own], %r5;\n";
    CHECK(execute_machine_text(body) == in_halves(0xffff0000, 0x0000ffff));
  }
}

TEST_CASE("machine code: nested barriers join the inner paths first", "[machine_code]") {
  // The inner masks are written as bits 31:16 of the lanes' numbers of companions, the outer one below.
  const std::string body =
      "sass.bssy %b1;\nsetp.lt.u32 %p0, %t, 16;\n@%p0 bra low;\n"
      "sass.bssy %b0;\nsetp.lt.u32 %p1, %t, 24;\n@%p1 bra meet;\nadd.u32 %r2, %t, 1;\nmeet: sass.bsync %b0;\n"
      "activemask.b32 %r4;\nbra outer;\n"
      "low: sass.bssy %b0;\nsetp.lt.u32 %p1, %t, 2;\n@%p1 bra meet2;\nadd.u32 %r2, %t, 1;\nmeet2: sass.bsync %b0;\n"
      "activemask.b32 %r4;\nouter: sass.bsync %b1;\nactivemask.b32 %r5;\nsub.u32 %r5, %r5, %r4;\n"
      "st.global.u32 [%own], %r5;\n";
  CHECK(execute_machine_text(body) == in_halves(0xffff0000, 0x0000ffff));
}

TEST_CASE("machine code: masks of barriers move to registers and back", "[machine_code]") {
  CHECK(execute_machine_text("setp.lt.u32 %p0, %t, 9;\n@%p0 sass.bssy %b0;\nsass.frombar %r1, %b0;\n"
                             "st.global.u32 [%own], %r1;\n") == Words(32, 0x1ff));
  CHECK(execute_machine_text("sass.bssy %b0;\nsass.clear %b0;\nsass.frombar %r1, %b0;\nadd.u32 %r1, %r1, 5;\n"
                             "st.global.u32 [%own], %r1;\n") == Words(32, 5));
  // A barrier is kept in a register while its own is used for another one.
  const std::string body = "sass.bssy %b0;\nsass.frombar %r7, %b0;\nsass.clear %b0;\n" + kTwoPaths +
                           "sass.tobar %b0, %r7;\nsass.bsync %b0;\n";
  CHECK(execute_machine_text(body + kStoreActive) == Words(32, kEveryLane));
}

TEST_CASE("machine code: lanes that hold a lock pass BSYNC when others yield", "[machine_code]") {
  // The lane with the lock waits at BSYNC for those that want it: only YIELD lets it go on. The lock is the first word,
  // the protected sum the second one.
  const std::string body =
      "sass.bssy %b0;\ntry: atom.global.cas.b32 %r1, [%out], 0, 1;\nsetp.eq.u32 %p0, %r1, 0;\n@%p0 bra got;\n"
      "sass.yield;\nbra try;\ngot: sass.bsync %b0;\nld.volatile.global.u32 %r2, [%out+4];\nadd.u32 %r2, %r2, %t;\n"
      "st.volatile.global.u32 [%out+4], %r2;\natom.global.exch.b32 %r3, [%out], 0;\n";
  const Words output = execute_machine_text(body);
  CHECK(output[0] == 0);
  CHECK(output[1] == 31 * 32 / 2);
}

TEST_CASE("machine code: all lanes meet at WARPSYNC.ALL, any number of times", "[machine_code]") {
  // Each lane stores and then reads its companion's word of the other path: wrong if one path does not wait.
  const std::string exchange =
      "mov.u32 %r1, words;\nshl.b32 %r2, %t, 2;\nadd.u32 %r3, %r1, %r2;\nxor.b32 %r4, %r2, 124;\n"
      "add.u32 %r4, %r1, %r4;\nmov.u32 %r5, %t;\nsetp.lt.u32 %p0, %t, 16;\n@%p0 bra low;\n";
  const auto step = [](const std::string& change) {
    return change +
           " %r5, %r5, 7;\nst.shared.u32 [%r3], %r5;\nsass.bsync.all %b7;\nld.shared.u32 %r5, [%r4];\n"
           "sass.bsync.all %b7;\n";
  };
  const std::string body = ".shared .align 4 .b32 words[32];\nsass.bssy %b7;\n" + exchange + step("add.u32") +
                           step("mul.lo.u32") + "bra end;\nlow: " + step("mul.lo.u32") + step("add.u32") +
                           "end: st.global.u32 [%own], %r5;\n";
  Words expected;
  for (Word lane = 0; lane < 32; ++lane) {
    // High lanes add first, and low lanes multiply first; the companion does the second step with the exchanged value.
    expected.push_back(lane < 16 ? (lane * 7) * 7 : (lane + 7) + 7);
  }
  CHECK(execute_machine_text(body) == expected);
}

TEST_CASE("machine code: WARPSYNC.ALL does not wait for lanes that have ended", "[machine_code]") {
  const std::string body = "sass.bssy %b7;\n" + kTwoPaths +
                           "setp.gt.u32 %p1, %t, 29;\n@%p1 exit;\nsass.bsync.all %b7;\nsass.bsync.all %b7;\n";
  Words expected(32, 0x3fffffff);
  expected[30] = expected[31] = 0;
  CHECK(execute_machine_text(body + kStoreActive) == expected);
}
