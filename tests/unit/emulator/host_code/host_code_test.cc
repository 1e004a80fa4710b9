// Functions translated to the host's instructions do what their operations do one by one. execute_ptx() executes each
// kernel in both ways; forms of instructions have their own tests, which do the same.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/code/kernel_image.h"
#include "emulator/execution/grid_execution.h"
#include "emulator/host_code/host_translation.h"
#include "support/ptx_grid.h"
#include "support/ptx_launch.h"

namespace warpsim::test {
namespace {

ExecutedWork work_of(PtxGrid grid, HostCodeUse use) {
  grid.host_code = use;
  PreparedPtx prepared(grid);
  return execute_grid(prepared.context, {.resident_blocks = grid.resident_blocks, .local_bytes = grid.local_bytes});
}

std::vector<std::uint32_t> numbers(std::uint32_t count) {
  std::vector<std::uint32_t> values(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    values[i] = i * 2654435761U;
  }
  return values;
}

TEST_CASE("host code: a function is translated when it is wanted or executed often") {
  PreparedPtx prepared({.body = "st.global.u32 [%own], %t;"});
  HostTranslation& translation = *prepared.context.kernel->entry().translation;
  CHECK(translation.find(HostCodeUse::kOften) == nullptr);
  translation.count(1000);
  CHECK(translation.find(HostCodeUse::kOften) == nullptr);
  translation.count(1'000'000);
  CHECK((translation.find(HostCodeUse::kOften) != nullptr) == HostCode::is_possible());
  CHECK(translation.find(HostCodeUse::kNever) == nullptr);
}

TEST_CASE("host code: operations of warps and threads are counted as without it") {
  const std::string loop =
      "mov.u32 %r1, 0;\nagain:\nand.b32 %r2, %t, %r1;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 add.u32 %r3, %r3, %t;\n"
      "@!%p1 bra skip;\nxor.b32 %r3, %r3, %r1;\nskip:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p2, %r1, 100;\n"
      "@%p2 bra again;\nst.global.u32 [%own], %r3;";
  const std::string uniform =
      "mov.u32 %r1, 0;\nagain:\nmad.lo.u32 %r3, %r3, 3, %t;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p2, %r1, 200;\n"
      "@%p2 bra again;\nst.global.u32 [%own], %r3;";
  for (const std::string& body : {loop, uniform}) {
    for (const std::uint32_t threads : {32U, 20U, 1U, 100U, 512U}) {
      for (const bool independent : {true, false}) {
        const PtxGrid grid{
            .body = body, .grid = {3, 1, 1}, .block = {threads, 1, 1}, .independent_threads = independent};
        const ExecutedWork without = work_of(grid, HostCodeUse::kNever);
        const ExecutedWork with = work_of(grid, HostCodeUse::kAlways);
        CHECK(with.warp_operations == without.warp_operations);
        CHECK(with.thread_operations == without.thread_operations);
        execute_ptx(grid);
      }
    }
  }
}

// %r1: an index of a word of the input, which has 4096, and of shared memory.
const std::vector<std::string> kIndices = {
    "mov.u32 %r1, %t;",                                          // a row
    "add.u32 %r1, %t, 5;",                                       // not at a multiple of a line
    "mov.u32 %r1, 77;",                                          // one word
    "shl.b32 %r1, %t, 1;",                                       // a row of pairs
    "shl.b32 %r1, %t, 2;",                                       // a row of quads
    "sub.u32 %r1, 600, %t;",                                     // backwards
    "mul.lo.u32 %r1, %t, 7;",                                    // apart
    "and.b32 %r1, %t, 15;\nmad.lo.u32 %r1, %r1, 1, 64;",         // a row twice
    "shr.u32 %r1, %t, 3;\nmul.lo.u32 %r1, %r1, 33;",             // eight lanes each
    "mul.lo.u32 %r1, %t, 2654435761;\nand.b32 %r1, %r1, 1023;",  // anywhere
};

TEST_CASE("host code: loads of all shapes read what the addresses say", "[exhaustive]") {
  for (const std::string& index : kIndices) {
    for (const std::string& guard : {std::string(), std::string("@%p1 "), std::string("@!%p1 ")}) {
      const std::string begin =
          "and.b32 %r9, %t, 5;\nsetp.ne.u32 %p1, %r9, 0;\nmov.u32 %r10, 1;\nmov.u32 %r11, 2;\n"
          "mov.u32 %r12, 3;\nmov.u32 %r13, 4;\n" +
          index;
      const std::string end =
          "mad.lo.u32 %r10, %r11, 3, %r10;\nmad.lo.u32 %r10, %r12, 5, %r10;\nmad.lo.u32 %r10, %r13, 7, %r10;\n"
          "st.global.u32 [%own], %r10;";
      const std::string address = "\nmul.wide.u32 %q1, %r1, 4;\nadd.u64 %q1, %q1, %in;\n";
      const std::string pairs = "\nand.b32 %r1, %r1, 0xfffffffe;\nmul.wide.u32 %q1, %r1, 4;\nadd.u64 %q1, %q1, %in;\n";
      const std::string quads = "\nand.b32 %r1, %r1, 0xfffffffc;\nmul.wide.u32 %q1, %r1, 4;\nadd.u64 %q1, %q1, %in;\n";
      const std::string split = "mov.b64 {%r12, %r13}, %q2;\n";
      for (const std::string& load :
           {address + guard + "ld.global.u32 %r10, [%q1];\n", address + guard + "ld.u32 %r10, [%q1];\n",
            address + "add.u64 %q1, %q1, 1000;\n" + guard + "ld.global.u32 %r10, [%q1+-1000];\n",
            pairs + "mov.u64 %q2, 9;\n" + guard + "ld.global.u64 %q2, [%q1];\n" + split,
            pairs + guard + "ld.global.v2.u32 {%r10, %r12}, [%q1];\n",
            quads + guard + "ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%q1];\n"}) {
        CHECK_NOTHROW(execute_ptx({.body = begin + load + end, .input = numbers(4096), .block = {64, 1, 1}}));
        CHECK_NOTHROW(execute_ptx({.body = begin + load + end, .input = numbers(4096), .block = {45, 1, 1}}));
      }
    }
  }
}

TEST_CASE("host code: a load gives the words of the input") {
  const std::vector<std::uint32_t> input = numbers(4096);
  const std::vector<std::uint32_t> output = execute_ptx(
      {.body = "mul.lo.u32 %r1, %t, 7;\nmul.wide.u32 %q1, %r1, 4;\nadd.u64 %q1, %q1, %in;\nmov.u32 %r2, 0;\nagain:\n"
               "ld.global.u32 %r3, [%q1];\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 9;\n@%p1 bra again;\n"
               "st.global.u32 [%own], %r3;",
       .input = input});
  for (std::uint32_t i = 0; i < 32; ++i) {
    CHECK(output[i] == input[std::size_t{7} * i]);
  }
}

TEST_CASE("host code: shared memory has what was stored, in all shapes") {
  for (const std::string& index : kIndices) {
    for (const std::string& guard : {std::string(), std::string("@%p1 "), std::string("@!%p1 ")}) {
      // Each warp writes its own words after all of them are written once.
      const std::string body =
          "mov.u32 %r5, words;\nshl.b32 %r6, %t, 2;\nadd.u32 %r6, %r6, %r5;\nmov.u32 %r7, 0;\nfill:\n"
          "st.shared.u32 [%r6], %r7;\nadd.u32 %r6, %r6, 256;\nadd.u32 %r7, %r7, 1;\nsetp.lt.u32 %p2, %r7, 16;\n"
          "@%p2 bra fill;\nbar.sync 0;\nand.b32 %r9, %t, 5;\nsetp.ne.u32 %p1, %r9, 0;\n" +
          index + "\nand.b32 %r1, %r1, 0x3fc;\nshl.b32 %r1, %r1, 2;\nadd.u32 %r1, %r1, %r5;\n" + guard +
          "ld.shared.u32 %r10, [%r1+4];\n" + guard + "ld.shared.v2.u32 {%r11, %r12}, [%r1+8];\n" + guard +
          "ld.shared.v4.u32 {%r13, %r14, %r15, %r16}, [%r1];\nadd.u32 %r10, %r10, %t;\n" + guard +
          "st.shared.u32 [%r1], %r10;\n" + guard +
          "st.shared.v2.u32 [%r1+8], {%r11, %t};\nbar.sync 0;\nshl.b32 %r6, %t, 2;\nadd.u32 %r6, %r6, %r5;\n"
          "ld.shared.u32 %r20, [%r6];\nld.shared.u32 %r21, [%r6+256];\nmad.lo.u32 %r20, %r21, 3, %r20;\n"
          "mad.lo.u32 %r20, %r13, 5, %r20;\nmad.lo.u32 %r20, %r16, 5, %r20;\nst.global.u32 [%own], %r20;";
      CHECK_NOTHROW(execute_ptx({.body = body, .before = ".shared .align 16 .b32 words[1024];", .block = {64, 1, 1}}));
    }
  }
}

// The fault and what was stored before it.
void check_fault(const std::string& body, const std::string& declarations, std::uint32_t threads,
                 const std::string& text) {
  std::string faults[2];
  std::vector<std::uint32_t> stored[2];
  for (const int i : {0, 1}) {
    PtxLaunch launch(body, declarations);
    launch.launch.block = {threads, 1, 1};
    launch.launch.host_code = i == 0 ? HostCodeUse::kNever : HostCodeUse::kAlways;
    faults[i] = launch.fault();
    stored[i] = launch.outputs<std::uint32_t>(PtxLaunch::kBytes / 4);
  }
  CHECK(faults[0] == faults[1]);
  CHECK(stored[0] == stored[1]);
  CHECK_THAT(faults[1], Catch::Contains(text));
}

TEST_CASE("host code: a fault names the thread, and what was stored before it stays") {
  // The first accesses open the window of the allocation; then one lane leaves it.
  const std::string walk =
      "mul.wide.u32 %rd1, %t, STRIDE;\nadd.u64 %rd1, %rd1, %in;\nmul.wide.u32 %rd2, %t, 4;\nadd.u64 %rd2, %rd2, "
      "%out;\nmov.u32 %r1, 0;\nagain:\nld.global.u32 %r2, [%rd1];\nadd.u32 %r1, %r1, 1;\nst.global.u32 [%rd2], %r1;\n"
      "add.u64 %rd1, %rd1, STEP;\nsetp.lt.u32 %p1, %r1, 2000;\n@%p1 bra again;";
  const auto with = [&](const std::string& stride, const std::string& step) {
    std::string text = walk;
    text.replace(text.find("STRIDE"), 6, stride);
    text.replace(text.find("STEP"), 4, step);
    return text;
  };
  check_fault(with("4", "4"), {}, 32, "thread (31, 0, 0)");
  check_fault(with("64", "4"), {}, 20, "thread (19, 0, 0)");
  check_fault(with("64", "-64"), {}, 32, "thread (0, 0, 0)");
  check_fault(with("4", "2"), {}, 32, "not a multiple of 4");
}

// Both ways warn of the same reads.
void check_warning(const std::string& access) {
  std::vector<std::string> warnings[2];
  for (const int i : {0, 1}) {
    PtxLaunch launch(
        "mov.u32 %r1, words;\nshl.b32 %r2, %t, 2;\nadd.u32 %r3, %r1, %r2;\nst.shared.u32 [%r3], %t;\nbar.sync 0;\n" +
            access,
        ".shared .align 16 .b32 words[256];");
    launch.launch.block = {32, 1, 1};
    launch.launch.host_code = i == 0 ? HostCodeUse::kNever : HostCodeUse::kAlways;
    launch.run();
    warnings[i] = launch.warnings;
  }
  CHECK(warnings[0] == warnings[1]);
  REQUIRE_FALSE(warnings[1].empty());
  CHECK_THAT(warnings[1][0], Catch::Contains("uninitialised"));
}

TEST_CASE("host code: reads of uninitialised shared memory are found in all shapes") {
  check_warning("ld.shared.u32 %r4, [%r3+4];");
  check_warning("sub.u32 %r3, %r3, %r2;\nsub.u32 %r3, %r3, %r2;\nld.shared.u32 %r4, [%r3+128];");
  check_warning("mad.lo.u32 %r3, %t, 12, %r1;\nld.shared.u32 %r4, [%r3];");
  check_warning("mov.u32 %r3, %r1;\nld.shared.v2.u32 {%r4, %r5}, [%r3+256];");
  check_warning("setp.ne.u32 %p1, %t, 31;\n@!%p1 ld.shared.u32 %r4, [%r3+4];");
}

TEST_CASE("host code: words between others may stay uninitialised") {
  // Rows of 33 words, of which the last is never written.
  const std::string body =
      "mov.u32 %r1, words;\nshl.b32 %r2, %t, 2;\nadd.u32 %r3, %r1, %r2;\nmov.u32 %r4, 0;\nfill:\n"
      "st.shared.u32 [%r3], %r4;\nadd.u32 %r3, %r3, 132;\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 32;\n@%p1 bra "
      "fill;\nbar.sync 0;\nmad.lo.u32 %r5, %t, 132, %r1;\nmov.u32 %r4, 0;\nmov.u32 %r7, 0;\nsum:\nld.shared.u32 %r6, "
      "[%r5];\nadd.u32 %r7, %r7, %r6;\nadd.u32 %r5, %r5, 4;\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 32;\n@%p1 bra "
      "sum;\nst.global.u32 [%own], %r7;";
  const std::vector<std::uint32_t> output =
      execute_ptx({.body = body, .before = ".shared .align 16 .b32 words[1056];"});
  for (std::uint32_t i = 0; i < 32; ++i) {
    CHECK(output[i] == 32 * i);
  }
}

}  // namespace
}  // namespace warpsim::test
