// Accesses to memory in code translated to the host's instructions: places, windows of allocations, marks of written
// shared memory. Shapes and faults: host_code_test.cc.
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "emulator/code/kernel_image.h"
#include "emulator/host_code/host_code.h"
#if defined(__x86_64__)
#include "emulator/host_code/x86/access_places.h"
#include "emulator/host_code/x86/written_marks.h"
#endif
#include "emulator/memory/device_heap.h"
#include "support/ptx_grid.h"
#include "support/ptx_launch.h"

namespace warpsim::test {
namespace {

#if defined(__x86_64__)
// Of the last instruction of a kernel that consists of it.
bool is_known(const std::string& access) {
  PreparedPtx prepared({.body = "cvt.u32.u64 %r1, %q1;\n" + access, .before = ".shared .b32 words[64];"});
  const FunctionCode& code = prepared.context.kernel->entry();
  HostEmitter emitter(code, HostLanes::kAll, 0);
  emitter.set_position(static_cast<std::uint32_t>(code.operations.size()) - 3, 0, 0);  // before two returns
  emitter.begin_operation();
  return AccessPlaces(emitter).is_known();
}

TEST_CASE("host code: accesses to global, local and own shared memory have places, others are left to handlers") {
  CHECK(is_known("ld.global.u32 %r2, [%q1];"));
  CHECK(is_known("ld.u32 %r2, [%q1];"));
  CHECK(is_known("st.shared.u32 [%r1], %r2;"));
  CHECK(is_known("ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%q1];"));
  CHECK(is_known("ld.local.u32 %r2, [%r1];"));
  CHECK_FALSE(is_known("ld.shared::cluster.u32 %r2, [%r1];"));
  CHECK_FALSE(is_known("ld.global.v4.u64 {%q2, %q3, %q4, %q5}, [%q1];"));  // 32 bytes
}
#endif

// An access goes from one allocation to another and back, and to the last word of each.
TEST_CASE("host code: an instruction accesses several allocations in turn") {
  const std::vector<std::uint32_t> output = execute_ptx(
      {.body = "mov.u32 %r1, 0;\nmov.u32 %r3, 0;\nmul.wide.u32 %q5, %t, 4;\nagain:\nand.b32 %r2, %r1, 1;\n"
               "setp.ne.u32 %p1, %r2, 0;\nselp.b64 %q1, %in, %out, %p1;\nadd.u64 %q1, %q1, %q5;\n"
               "ld.global.u32 %r4, [%q1];\nmad.lo.u32 %r3, %r3, 3, %r4;\nst.global.u32 [%q1], %r3;\n"
               "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p2, %r1, 50;\n@%p2 bra again;\nst.global.u32 [%own], %r3;",
       .input = std::vector<std::uint32_t>(32, 7)});
  std::uint32_t words[2] = {0, 7};
  std::uint32_t value = 0;
  for (std::uint32_t i = 0; i < 50; ++i) {
    value = value * 3 + words[i % 2];
    words[i % 2] = value;
  }
  CHECK(output == std::vector<std::uint32_t>(32, value));
}

// One lane is 2 GiB after the begin of the allocation, the others 1 GiB.
TEST_CASE("host code: lanes far from each other in a large allocation are found") {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 30U;
  constexpr std::uint64_t kLarge = 2 * kHalf + 4096;
  PtxLaunch launch(
      "ld.global.u64 %rd1, [%in];\nadd.u64 %rd1, %rd1, 1073741824;\nmul.wide.u32 %rd2, %t, 4;\n"
      "add.u64 %rd3, %rd1, %rd2;\nmov.u32 %r1, 0;\nmov.u32 %r3, 0;\nsetp.eq.u32 %p1, %t, 3;\n"
      "again:\nld.global.u32 %r2, [%rd3];\nadd.u32 %r3, %r3, %r2;\nst.global.u32 [%rd3], %r3;\n"
      "@%p1 add.u64 %rd3, %rd1, 1073741824;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p2, %r1, 4;\n@%p2 bra again;\n"
      "add.u64 %rd4, %out, %rd2;\nst.global.u32 [%rd4], %r3;",
      {}, 2 * kLarge);
  const Address large = launch.memory.allocate(kLarge);
  launch.set_input(0, large);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t value = lane + 1;
    std::memcpy(launch.memory.host(large + kHalf + std::uint64_t{lane} * 4, 4), &value, 4);
  }
  const std::uint32_t far = 100;
  std::memcpy(launch.memory.host(large + 2 * kHalf, 4), &far, 4);
  launch.launch.block = {32, 1, 1};
  launch.run();
  CHECK(launch.output<std::uint32_t>(2) == 3 + 3 + 6 + 12);
  // 4, then 100 and twice what was stored there.
  CHECK(launch.output<std::uint32_t>(3) == 4 + 100 + 104 + 208);
}

// malloc() and free() change what is allocated while windows are open.
TEST_CASE("host code: memory that a kernel frees is no longer accessed") {
  std::string texts[2];
  for (const int i : {0, 1}) {
    PtxLaunch launch(
        "{ .param .b64 size; .param .b64 got; st.param.b64 [size], 256; call (got), malloc, (size); ld.param.b64 "
        "%rd1, [got]; }\nmov.u32 %r1, 0;\nagain:\nst.global.u32 [%rd1], %r1;\nld.global.u32 %r2, [%rd1];\n"
        "add.u32 %r1, %r1, 1;\nsetp.ne.u32 %p1, %r1, 20;\n@%p1 bra again;\nst.global.u32 [%out], %r2;\n"
        "{ .param .b64 place; st.param.b64 [place], %rd1; call free, (place); }\nsetp.lt.u32 %p2, %r1, 40;\n"
        "@%p2 bra again;",
        ".extern .func (.param .b64 got) malloc(.param .b64 size); .extern .func free(.param .b64 place);");
    launch.launch.host_code = i == 0 ? HostCodeUse::kNever : HostCodeUse::kAlways;
    DeviceHeap heap(launch.memory, 1000);
    launch.launch.heap = &heap;
    texts[i] = launch.fault();
    CHECK(launch.output<std::uint32_t>(0) == 19);
  }
  CHECK(texts[0] == texts[1]);
  CHECK_THAT(texts[1], Catch::Contains("freed"));
}

// Bytes and halves of words: rows, one element, backwards, anywhere; of global and of shared memory.
TEST_CASE("host code: narrow elements are loaded and stored as by the handlers") {
  std::vector<std::uint32_t> input;
  for (std::uint32_t i = 0; i < 1024; ++i) {
    input.push_back(i * 2654435761U);
  }
  for (const char* const type : {"u8", "s8", "u16", "s16"}) {
    const std::uint32_t bytes = type[1] == '8' ? 1 : 2;
    for (const char* const index : {"mov.u32 %r1, %t;", "mov.u32 %r1, 9;", "sub.u32 %r1, 99, %t;",
                                    "mul.lo.u32 %r1, %t, 3;", "shr.u32 %r1, %t, 2;"}) {
      for (const char* const guard : {"", "@%p3 "}) {
        INFO(type << " " << index << " " << guard);
        const std::string scale = std::to_string(bytes);
        const std::string body =
            std::string(index) + "\nmul.lo.u32 %r1, %r1, " + scale +
            ";\nand.b32 %r9, %t, 3;\nsetp.ne.u32 %p3, %r9, 1;\ncvt.u64.u32 %q1, %r1;\nadd.u64 %q2, %q1, %in;\n"
            "add.u64 %q3, %q1, %out;\nmov.u32 %r2, 0;\nmov.u32 %r4, 0;\nmov.u32 %r3, 17;\nmov.u32 %r6, words;\n"
            "add.u32 %r6, %r6, %r1;\nst.shared.u32 [words], 5;\nagain:\n" +
            guard + "ld.global." + type + " %r3, [%q2];\n" + guard + "st.shared." + type + " [%r6], %r3;\n" + guard +
            "ld.shared." + type + " %r7, [%r6];\nmad.lo.u32 %r4, %r4, 7, %r7;\nadd.u32 %r3, %r4, %r2;\n" + guard +
            "st.global." + type + " [%q3], %r3;\nbar.sync 0;\nadd.u64 %q2, %q2, 64;\nadd.u32 %r2, %r2, 1;\n" +
            "setp.lt.u32 %p1, %r2, 30;\n@%p1 bra again;";
        CHECK_NOTHROW(execute_ptx(
            {.body = body, .before = ".shared .align 4 .b8 words[512];", .input = input, .output_words = 256}));
      }
    }
  }
}

// Each thread has its own part of local memory, by addresses of 64 bits and of 32 bits, of which some are the same in
// all lanes.
TEST_CASE("host code: local memory is accessed as by the handlers", "[exhaustive]") {
  std::vector<std::uint32_t> input;
  for (std::uint32_t i = 0; i < 64; ++i) {
    input.push_back(i * 2654435761U);
  }
  for (const char* const type : {"u8", "s8", "u16", "s16", "u32", "v2.u32", "v4.u32", "u64"}) {
    const std::string name = type;
    const std::string value = name == "u64"      ? "%q7"
                              : name == "v2.u32" ? "{%r7, %r3}"
                              : name == "v4.u32" ? "{%r7, %r3, %r4, %r7}"
                                                 : "%r7";
    const std::uint32_t step = name == "u64" || name == "v2.u32" ? 8 : name == "v4.u32" ? 16 : name == "u32" ? 4 : 2;
    for (const char* const place : {"mov.u32 %r1, 2;", "and.b32 %r1, %t, 7;", "mov.u32 %r1, %r2;"}) {
      for (const char* const guard : {"", "@%p3 "}) {
        for (const bool narrow : {false, true}) {
          INFO(type << " " << place << " " << guard << narrow);
          const std::string address = narrow ? "[%r9]" : "[%q3+16]";
          CHECK_NOTHROW(execute_ptx(
              {.body = "mul.wide.u32 %q1, %t, 4;\nadd.u64 %q1, %q1, %in;\nld.global.u32 %r3, [%q1];\n"
                       "and.b32 %r8, %t, 3;\nsetp.ne.u32 %p3, %r8, 1;\nmov.u32 %r2, 0;\nmov.u32 %r4, 0;\n"
                       "mov.u64 %q2, place;\nagain:\n" +
                       std::string(place) + "\nand.b32 %r1, %r1, 7;\nmul.wide.u32 %q3, %r1, " + std::to_string(step) +
                       ";\nadd.u64 %q3, %q3, %q2;\ncvt.u32.u64 %r9, %q3;\nmov.b64 %q7, {%r3, %r4};\n"
                       "xor.b32 %r7, %r3, %r2;\n" +
                       guard + "st.local." + type + " " + address + ", " + value + ";\n" + guard + "ld.local." + type +
                       " " + value + ", " + address +
                       ";\nmad.lo.u32 %r4, %r4, 7, %r7;\ncvt.u32.u64 %r7, %q7;\nxor.b32 %r4, %r4, %r7;\n"
                       "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 30;\n@%p1 bra again;\n"
                       "st.global.u32 [%own], %r4;",
               .before = ".local .align 16 .b8 place[256];",
               .input = input,
               .block = {64, 1, 1}}));
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpsim::test
