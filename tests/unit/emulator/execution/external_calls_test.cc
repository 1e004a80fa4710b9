// Functions of the driver that kernels call: vprintf, __assertfail, malloc, free and cudaGraphSetConditional.
#include "emulator/execution/external_calls.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "emulator/execution/fault.h"
#include "emulator/memory/device_heap.h"
#include "ptx/ptx_error.h"
#include "support/ptx_launch.h"

namespace warpsim::test {
namespace {

const std::string kDeclarations =
    ".extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 arguments); "
    ".extern .func __assertfail(.param .b64 condition, .param .b64 file, .param .b32 line, .param .b64 function, "
    ".param .b64 size); "
    ".extern .func (.param .b64 result) malloc(.param .b64 size); .extern .func free(.param .b64 pointer); ";

// %rd0: format, %rd1: arguments, generic; %r0: result.
const std::string kPrint =
    "{ .param .b64 p0; .param .b64 p1; .param .b32 back; st.param.b64 [p0], %rd0; st.param.b64 [p1], %rd1; "
    "call.uni (back), vprintf, (p0, p1); ld.param.b32 %r0, [back]; }\n";
// %rd0: bytes, then the address.
const std::string kAllocate =
    "{ .param .b64 p0; .param .b64 back; st.param.b64 [p0], %rd0; call.uni (back), malloc, (p0); "
    "ld.param.b64 %rd0, [back]; }\n";
const std::string kFree = "{ .param .b64 p0; st.param.b64 [p0], %rd0; call.uni free, (p0); }\n";

std::string text_variable(const std::string& name, const std::string& text) {
  std::string bytes;
  for (const char c : text) {
    bytes += std::to_string(static_cast<int>(c)) + ", ";
  }
  return fmt::format(".global .align 1 .b8 {}[{}] = {{{}0}}; ", name, text.size() + 1, bytes);
}

TEST_CASE("vprintf prints with arguments of local memory, for each lane, and returns their number") {
  PtxLaunch test(
      ".local .align 8 .b8 buffer[24];\n"
      "mov.u64 %rd0, format;\ncvta.global.u64 %rd0, %rd0;\n"
      "mov.u64 %rd1, buffer;\ncvta.local.u64 %rd1, %rd1;\n"
      "mov.u64 %rd2, word;\ncvta.global.u64 %rd2, %rd2;\n"
      "mov.f64 %d0, 0d3FF8000000000000;\n"
      "st.u32 [%rd1], %t;\nst.f64 [%rd1+8], %d0;\nst.u64 [%rd1+16], %rd2;\n" +
          kPrint + "st.global.u32 [%out], %r0;",
      kDeclarations + text_variable("format", "%d %.1f %s\n") + text_variable("word", "yes"));
  test.launch.block = {3, 1, 1};
  test.run();
  CHECK(test.printed == "0 1.5 yes\n1 1.5 yes\n2 1.5 yes\n");
  CHECK(test.output<std::uint32_t>(0) == 3);
}

TEST_CASE("vprintf without a format returns minus one") {
  PtxLaunch test("mov.u64 %rd0, 0;\nmov.u64 %rd1, 0;\n" + kPrint + "st.global.u32 [%out], %r0;", kDeclarations);
  test.run();
  CHECK(test.printed.empty());
  CHECK(test.output<std::int32_t>(0) == -1);
}

TEST_CASE("vprintf without arguments prints the format from any memory") {
  PtxLaunch test(
      ".shared .align 4 .b8 text[4];\nmov.b32 %r1, 0x000a6968;\nst.shared.b32 [text], %r1;\n"
      "mov.u64 %rd0, text;\ncvta.shared.u64 %rd0, %rd0;\nmov.u64 %rd1, 0;\n" +
          kPrint + "st.global.u32 [%out], %r0;",
      kDeclarations);
  test.run();
  CHECK(test.printed == "hi\n");
  CHECK(test.output<std::uint32_t>(0) == 0);
}

TEST_CASE("a failed assertion is printed and ends the kernel") {
  PtxLaunch test(
      "mov.u32 %r0, %tid.y;\nadd.u32 %r0, %r0, %t;\nsetp.ne.u32 %p0, %r0, 2;\n@%p0 bra past;\n"
      "{ .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4;\n"
      "mov.u64 %rd0, condition;\ncvta.global.u64 %rd0, %rd0;\nst.param.b64 [p0], %rd0;\n"
      "mov.u64 %rd0, file;\ncvta.global.u64 %rd0, %rd0;\nst.param.b64 [p1], %rd0;\n"
      "st.param.b32 [p2], 12;\n"
      "mov.u64 %rd0, function;\ncvta.global.u64 %rd0, %rd0;\nst.param.b64 [p3], %rd0;\n"
      "st.param.b64 [p4], 1;\n"
      "call.uni __assertfail, (p0, p1, p2, p3, p4); }\n"
      "past:",
      kDeclarations + text_variable("condition", "a < b") + text_variable("file", "kernel.cu") +
          text_variable("function", "void kernel()"));
  test.launch.block = {2, 2, 1};
  test.launch.grid = {1, 2, 1};
  CHECK_THAT(test.fault(), Catch::Contains("thread (1, 1, 0) of block (0, 0, 0): an assertion failed: a < b"));
  CHECK(test.printed == "kernel.cu:12: void kernel(): block: [0,0,0], thread: [1,1,0] Assertion `a < b` failed.\n");
}

TEST_CASE("malloc gives each lane its own memory until the limit is reached") {
  PtxLaunch test("mov.u64 %rd0, 64;\n" + kAllocate +
                     "mul.wide.u32 %rd1, %t, 8;\nadd.u64 %rd1, %rd1, %out;\nst.global.u64 [%rd1], %rd0;\n"
                     "setp.eq.u64 %p0, %rd0, 0;\n@%p0 bra past;\nst.u32 [%rd0+60], %t;\nld.u32 %r0, [%rd0+60];\n"
                     "st.global.u32 [%rd1+512], %r0;\n" +
                     kFree + "past:",
                 kDeclarations);
  DeviceHeap heap(test.memory, 200);
  test.launch.heap = &heap;
  test.launch.block = {5, 1, 1};
  test.run();
  const std::vector<std::uint64_t> addresses = test.outputs<std::uint64_t>(5);
  CHECK(addresses[0] != 0);
  CHECK(addresses[1] != 0);
  CHECK(addresses[2] != 0);
  CHECK(addresses[0] != addresses[1]);
  CHECK(addresses[3] == 0);
  CHECK(addresses[4] == 0);
  CHECK(test.output<std::uint32_t>(128 + 4) == 2);  // of lane 2
  CHECK(heap.allocate(200) != 0);                   // everything has been freed
}

TEST_CASE("without a heap malloc returns null") {
  PtxLaunch test("mov.u64 %rd0, 8;\n" + kAllocate + "st.global.u64 [%out], %rd0;", kDeclarations);
  test.set_output<std::uint64_t>(0, 1);
  test.run();
  CHECK(test.output<std::uint64_t>(0) == 0);
}

TEST_CASE("an access beyond memory of malloc reports its origin") {
  PtxLaunch test("mov.u64 %rd0, 64;\n" + kAllocate + "st.u32 [%rd0+64], %t;", kDeclarations);
  DeviceHeap heap(test.memory, 200);
  test.launch.heap = &heap;
  CHECK_THAT(test.fault(), Catch::EndsWith("(allocated by malloc() in a kernel), 0 bytes before"));
}

TEST_CASE("a kernel sets the condition of a graph at its handle") {
  const std::string declaration = ".extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value); ";
  const std::string set =
      "{ .param .b64 p0; .param .b32 p1; st.param.b64 [p0], %rd0; st.param.b32 [p1], %t; "
      "call.uni cudaGraphSetConditional, (p0, p1); }\n";
  PtxLaunch test("add.u64 %rd0, %out, 8;\n" + set, declaration);
  test.launch.block = {6, 1, 1};
  test.set_output<std::uint32_t>(2, 77);
  test.set_output<std::uint32_t>(3, 88);
  test.run();
  CHECK(test.output<std::uint32_t>(2) == 5);  // the last lane's
  CHECK(test.output<std::uint32_t>(3) == 88);
  PtxLaunch wrong("mov.u64 %rd0, 16;\n" + set, declaration);
  CHECK_THAT(wrong.fault(), Catch::Contains("sets a condition of a graph with 0x10"));
}

TEST_CASE("free accepts null and the pointers of malloc, once") {
  PtxLaunch null("mov.u64 %rd0, 0;\n" + kFree, kDeclarations);
  CHECK_NOTHROW(null.run());
  PtxLaunch other("mov.u64 %rd0, %out;\n" + kFree, kDeclarations);
  DeviceHeap heap(other.memory, 200);
  other.launch.heap = &heap;
  CHECK(other.fault() == fmt::format("test.ptx:3: kernel kernel: thread (0, 0, 0) of block (0, 0, 0): frees {:#x}, "
                                     "which malloc() has not returned",
                                     other.out));
  PtxLaunch twice("mov.u64 %rd0, 8;\n" + kAllocate + kFree + kFree, kDeclarations);
  DeviceHeap second(twice.memory, 200);
  twice.launch.heap = &second;
  const std::string fault = twice.fault();
  CHECK_THAT(fault, Catch::StartsWith("test.ptx:5: "));
  CHECK_THAT(fault, Catch::Contains(", which is in memory that was freed before: 8 bytes at 0x"));
  PtxLaunch inside("mov.u64 %rd0, 64;\n" + kAllocate + "add.u64 %rd0, %rd0, 16;\n" + kFree, kDeclarations);
  DeviceHeap third(inside.memory, 200);
  inside.launch.heap = &third;
  CHECK_THAT(inside.fault(), Catch::Contains(", which is 16 bytes inside of an allocation: 64 bytes at 0x"));
}

TEST_CASE("an access to memory that a kernel has freed is a fault") {
  PtxLaunch test("mov.u64 %rd0, 64;\n" + kAllocate + kFree + "st.u32 [%rd0+8], %t;", kDeclarations);
  DeviceHeap heap(test.memory, 200);
  test.launch.heap = &heap;
  const std::string fault = test.fault();
  CHECK_THAT(fault, Catch::Contains("writes 4 bytes at 0x"));
  CHECK_THAT(fault, Catch::Contains("which is in memory that was freed: 64 bytes at 0x"));
  CHECK_THAT(fault, Catch::EndsWith("(allocated by malloc() in a kernel)"));
}

TEST_CASE("other external functions are refused when the kernel is decoded") {
  PtxLaunch test("call.uni missing;", ".extern .func missing(); ");
  try {
    test.run();
    FAIL("the call was accepted");
  } catch (const ptx::PtxError& error) {
    CHECK_THAT(error.what(), Catch::Contains("function missing is external"));
  }
}

}  // namespace
}  // namespace warpsim::test
